// What is typed and not saved: kept as a draft, and offered again.

export const unsaved = {
  found: 'You have unsaved changes from earlier.',
  stale:
    'You have unsaved changes from earlier, but someone saved this record since. Restoring puts yours over theirs.',
  restore: 'Restore them',
  discard: 'Discard',
  kept: 'Unsaved changes',
  keptHint_one: 'Unsaved changes of {{count}} form are kept in the notices.',
  keptHint_other: 'Unsaved changes of {{count}} forms are kept in the notices.',
  discardOne: 'Discard the changes of {{form}}',
};
