// Sends edits: changed records together, new ones together, or the one of a form. Edits that are saved are discarded.
import { api } from '../../../api/index.ts';
import { keyText } from '../address/grid-state.ts';
import * as edits from './edits.ts';
import { type FieldErrors, fieldErrorsOf, firstFailedIndex } from './field-errors.ts';
import { isStale, loadedOf } from './loaded.ts';
import { patchErrors, postErrors, toPatch, toPost, withSummary } from './payload.ts';
import { hasChanges, mergeStale } from './stale.ts';
import { notifyError, type WritableTable } from './writable-table.ts';

/** A new row of the grid with its id. */
export type NewRow = readonly [id: string, rowDraft: edits.RowDraft];

/** What a save is about to send. */
export interface Sending {
  dirtyEdits?: readonly edits.RecordEdit[];
  newRows?: readonly NewRow[];
  /** The new record of the pane. */
  hasNewRecord?: boolean;
}

/**
 * Says beside each field what the console itself finds wrong with it, and returns how many fields that are. A save sends nothing
 * while there is one: half of what was typed would be stored, and the steps to undo would be gone.
 */
export function flagWrongFields(
  { schema, store, initialDrafts }: WritableTable,
  { dirtyEdits = [], newRows = [], hasNewRecord = false }: Sending,
): number {
  if (!schema) return 0;
  let count = 0;
  const flag = (errors: FieldErrors, setErrors: (errors: FieldErrors) => edits.Edits) => {
    const wrongFields = Object.keys(errors).length;
    count += wrongFields;
    if (wrongFields > 0) store.set(setErrors(withSummary(errors)));
  };
  for (const { key, original, drafts } of dirtyEdits)
    flag(patchErrors(schema, original, drafts), (errors) => edits.setErrors(store.get(), key, errors));
  for (const [id, { drafts }] of newRows)
    flag(postErrors(schema, { ...initialDrafts, ...drafts }), (errors) =>
      edits.setNewRowErrors(store.get(), id, errors),
    );
  if (hasNewRecord)
    flag(postErrors(schema, { ...initialDrafts, ...store.get().newRecord?.drafts }), (errors) =>
      edits.setNewRecordErrors(store.get(), errors),
    );
  return count;
}

/**
 * Sends changed records, which were checked. Those before a failing one are saved, and their edits discarded. One that somebody else changed first is
 * merged with theirs, and sent again with those after it. True when all are saved.
 */
export async function patchRecords(table: WritableTable, dirtyEdits: readonly edits.RecordEdit[]): Promise<boolean> {
  const { path, schema, store, reload } = table;
  if (!schema) return false;
  const records = dirtyEdits.map(({ original, drafts }) => toPatch(schema, original, drafts));
  try {
    const loaded = dirtyEdits.map(({ original, drafts }) => loadedOf(schema, original, Object.keys(drafts)));
    await api.patch(path, { body: { resource: records, loaded } });
    await reload();
    discardSaved(table, dirtyEdits);
    return true;
  } catch (error) {
    const failedIndex = firstFailedIndex(error);
    const failedEdit = dirtyEdits[failedIndex];
    if (failedIndex > 0) await reload();
    discardSaved(table, dirtyEdits.slice(0, failedIndex));
    if (failedEdit && isStale(error, failedIndex)) {
      const merged = await mergeStale(path, schema, failedEdit, records[failedIndex] ?? {}).catch(
        () => 'gone' as const,
      );
      if (typeof merged === 'object') return saveMerged(table, merged, dirtyEdits.slice(failedIndex + 1));
      if (merged !== 'kept') notifyError(error);
    } else notifyError(error);
    const sent = { index: failedIndex, record: records[failedIndex] };
    if (failedEdit) store.set(edits.setErrors(store.get(), failedEdit.key, fieldErrorsOf(error, schema, sent)));
    return false;
  }
}

/** Goes on with an edit that was merged with what somebody else had stored, and those after it. */
async function saveMerged(
  table: WritableTable,
  merged: edits.RecordEdit,
  laterEdits: readonly edits.RecordEdit[],
): Promise<boolean> {
  const { store, clearHistory, reload } = table;
  clearHistory();
  const isOpen = hasChanges(merged);
  store.set(isOpen ? edits.replaceEdit(store.get(), merged) : edits.discardEdit(store.get(), merged.key));
  const openEdits = isOpen ? [merged, ...laterEdits] : laterEdits;
  if (openEdits.length > 0) return patchRecords(table, openEdits);
  await reload();
  return true;
}

/** Discards saved edits; a record edited again since it was sent stays dirty. */
function discardSaved({ store, clearHistory }: WritableTable, savedEdits: readonly edits.RecordEdit[]): void {
  if (savedEdits.length > 0) clearHistory();
  for (const edit of savedEdits) {
    if (store.get().recordEdits.get(keyText(edit.key)) === edit) store.set(edits.discardEdit(store.get(), edit.key));
  }
}

/** Sends new records, as `patchRecords` sends changed ones. */
export async function postRecords(table: WritableTable, newRows: readonly NewRow[]): Promise<boolean> {
  const { path, schema, store, initialDrafts, clearHistory, reload } = table;
  if (!schema) return false;
  const records = newRows.map(([, { drafts }]) => toPost(schema, { ...initialDrafts, ...drafts }));
  const ids = newRows.map(([id]) => id);
  let savedCount = ids.length;
  try {
    await api.post(path, { query: { fields: '*' }, body: { resource: records } });
  } catch (error) {
    notifyError(error);
    savedCount = firstFailedIndex(error);
    const failedId = ids[savedCount];
    const sent = { index: savedCount, record: records[savedCount] };
    if (failedId !== undefined)
      store.set(edits.setNewRowErrors(store.get(), failedId, fieldErrorsOf(error, schema, sent)));
  }
  if (savedCount > 0) {
    clearHistory();
    await reload();
    store.set(edits.removeNewRows(store.get(), ids.slice(0, savedCount)));
  }
  return savedCount === ids.length;
}

/** Sends the new record of the pane's form. True when it is saved. */
export async function postNewRecord({ path, schema, store, initialDrafts }: WritableTable): Promise<boolean> {
  if (!schema) return false;
  const record = toPost(schema, { ...initialDrafts, ...store.get().newRecord?.drafts });
  try {
    await api.post(path, { query: { fields: '*' }, body: { resource: [record] } });
  } catch (error) {
    store.set(edits.setNewRecordErrors(store.get(), fieldErrorsOf(error, schema, { index: 0, record })));
    notifyError(error);
    return false;
  }
  store.set({ ...store.get(), newRecord: null });
  return true;
}
