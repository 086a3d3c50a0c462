// Sends edits: changed records together, new ones together, or the one of a form. Edits that are saved are discarded.
import { api } from '../../../api/index.ts';
import { keyText } from '../address/grid-state.ts';
import type { Row } from '../address/sources.ts';
import { type Drafts, toPatch, toPost } from '../values/values.ts';
import * as edits from './edits.ts';
import { fieldErrorsOf, firstFailedIndex, payloadErrorsOf } from './field-errors.ts';
import { isStale, loadedOf } from './loaded.ts';
import { hasChanges, mergeStale } from './stale.ts';
import { notifyError, type WritableTable } from './writable-table.ts';

/**
 * Sends changed records. Those before a failing one are saved, and their edits discarded. One that somebody else changed first is
 * merged with theirs, and sent again with those after it. True when all are saved.
 */
export async function patchRecords(table: WritableTable, dirtyEdits: readonly edits.RecordEdit[]): Promise<boolean> {
  const { path, schema, store, reload, showInvalid } = table;
  if (!schema) return false;
  const records: Row[] = [];
  const invalid: edits.RecordEdit[] = [];
  for (const edit of dirtyEdits) {
    const payload = toPatch(schema, edit.original, edit.drafts);
    if ('record' in payload) {
      records.push(payload.record);
      continue;
    }
    invalid.push(edit);
    store.set(edits.setErrors(store.get(), edit.key, payloadErrorsOf(payload.errors)));
  }
  if (invalid[0]) {
    showInvalid(invalid[0].key);
    return false;
  }
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
export async function postRecords(
  table: WritableTable,
  newRows: readonly (readonly [id: string, rowDraft: edits.RowDraft])[],
): Promise<boolean> {
  const { path, schema, store, initialDrafts, clearHistory, reload } = table;
  if (!schema) return false;
  const records: Row[] = [];
  for (const [id, { drafts }] of newRows) {
    const payload = toPost(schema, { ...initialDrafts, ...drafts });
    if ('record' in payload) records.push(payload.record);
    else store.set(edits.setNewRowErrors(store.get(), id, payloadErrorsOf(payload.errors)));
  }
  if (records.length < newRows.length) return false;
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
  const drafts: Drafts = { ...initialDrafts, ...store.get().newRecord?.drafts };
  const payload = toPost(schema, drafts);
  if ('errors' in payload) {
    store.set(edits.setNewRecordErrors(store.get(), payloadErrorsOf(payload.errors)));
    return false;
  }
  try {
    await api.post(path, { query: { fields: '*' }, body: { resource: [payload.record] } });
  } catch (error) {
    store.set(
      edits.setNewRecordErrors(store.get(), fieldErrorsOf(error, schema, { index: 0, record: payload.record })),
    );
    notifyError(error);
    return false;
  }
  store.set({ ...store.get(), newRecord: null });
  return true;
}
