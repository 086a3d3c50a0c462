// Deletes records, and discards their edits. One that somebody changed since it was loaded is asked about again.
import { api } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { keyOf, pickKey } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';
import * as edits from './edits.ts';
import { firstFailedIndex } from './field-errors.ts';
import { isStale, loadedOf } from './loaded.ts';
import { stillUsedText } from './reference-refusals.ts';
import { confirmStaleDelete } from './stale.ts';
import { notifyError, type WritableTable } from './writable-table.ts';

/** Deletes the selected records. */
export async function deleteRows(table: WritableTable, schema: Schema): Promise<void> {
  const { path, selectedRows, store, clearHistory, reload, afterDelete } = table;
  const send = (body: object) => api.delete(path, { body });
  const { deletedRows, isComplete } = await deleteInOrder(path, schema, selectedRows, send);
  if (isComplete && deletedRows.length > 0) notify.success(text('data:recordsDeleted'));
  // What was kept is shown as it is now.
  if (deletedRows.length === 0) return isComplete ? reload() : undefined;
  clearHistory();
  for (const row of deletedRows) store.set(edits.discardEdit(store.get(), keyOf(schema, row) ?? []));
  await afterDelete(deletedRows.length);
}

/** Deletes the record of the pane, which then closes. */
export async function deleteRecord(
  table: WritableTable,
  schema: Schema,
  key: readonly string[],
  row: Row,
): Promise<void> {
  const { path, store, clearHistory, closePane, reload, afterDelete } = table;
  const headers = { 'X-HTTP-METHOD': 'DELETE' };
  const send = (body: object) => api.post(path, { headers, body });
  const { deletedRows, isComplete } = await deleteInOrder(path, schema, [row], send);
  // Kept for what somebody else made of it: that is shown then.
  if (deletedRows.length === 0) return isComplete ? reload() : undefined;
  notify.success(text('data:recordDeleted'));
  clearHistory();
  store.set(edits.discardEdit(store.get(), key));
  closePane();
  await afterDelete(1);
}

/**
 * Deletes rows one after the other, in few calls. A record that was changed is deleted or kept as the person says. Ends at any other
 * failure, and is not complete then.
 */
async function deleteInOrder(
  path: string,
  schema: Schema,
  rows: readonly Row[],
  send: (body: object) => Promise<unknown>,
): Promise<{ deletedRows: Row[]; isComplete: boolean }> {
  const deletedRows: Row[] = [];
  let rest = rows;
  while (rest.length > 0) {
    try {
      await send({
        resource: rest.map((row) => pickKey(schema, row)),
        loaded: rest.map((row) => loadedOf(schema, row)),
      });
      deletedRows.push(...rest);
      break;
    } catch (error) {
      // Records before the failing one are deleted.
      const failedIndex = firstFailedIndex(error);
      const [failedRow, ...later] = rest.slice(failedIndex);
      deletedRows.push(...rest.slice(0, failedIndex));
      const isChanged = failedRow !== undefined && isStale(error, failedIndex);
      if (!isChanged) {
        notifyError(stillUsedText(error, failedIndex, schema) ?? error);
        return { deletedRows, isComplete: false };
      }
      const stored = await confirmStaleDelete(path, schema, failedRow).catch(() => notifyError(error));
      rest = stored ? [stored, ...later] : later;
    }
  }
  return { deletedRows, isComplete: true };
}
