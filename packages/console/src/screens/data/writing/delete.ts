// Deletes records, and discards their edits.
import { api } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { keyOf, pickKey } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';
import * as edits from './edits.ts';
import { firstFailedIndex } from './field-errors.ts';
import { notifyError, type WritableTable } from './writable-table.ts';

/** Deletes the selected records. */
export async function deleteRows(table: WritableTable, schema: Schema): Promise<void> {
  const { path, selectedRows, store, clearHistory, afterDelete } = table;
  let deletedCount = selectedRows.length;
  try {
    await api.delete(path, { body: { resource: selectedRows.map((row) => pickKey(schema, row)) } });
    notify.success(text('data:recordsDeleted'));
  } catch (error) {
    notifyError(error);
    // Records before the failing one are deleted.
    deletedCount = firstFailedIndex(error);
  }
  if (deletedCount > 0) clearHistory();
  for (const row of selectedRows.slice(0, deletedCount))
    store.set(edits.discardEdit(store.get(), keyOf(schema, row) ?? []));
  if (deletedCount > 0) await afterDelete(deletedCount);
}

/** Deletes the record of the pane, which then closes. */
export async function deleteRecord(
  table: WritableTable,
  schema: Schema,
  key: readonly string[],
  row: Row,
): Promise<void> {
  const { path, store, clearHistory, closePane, afterDelete } = table;
  try {
    const headers = { 'X-HTTP-METHOD': 'DELETE' };
    await api.post(path, { headers, body: { resource: [pickKey(schema, row)] } });
  } catch (error) {
    return notifyError(error);
  }
  notify.success(text('data:recordDeleted'));
  clearHistory();
  store.set(edits.discardEdit(store.get(), key));
  closePane();
  await afterDelete(1);
}
