// What is typed and not saved: kept as a draft, and offered again.

export const unsaved = {
  found: 'You have unsaved changes from earlier.',
  stale:
    'You have unsaved changes from earlier, but someone saved this record since. Restoring puts yours over theirs.',
  restore: 'Restore them',
  discard: 'Discard',
  kept: 'Unsaved changes are kept:',
  dismiss: 'Hide until the next sign-in',
};
