// Deletes records, and forgets what was changed in them.
import { api } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { keyFields, keyOf } from '../place/place.ts';
import type { Row, Schema } from '../place/sources.ts';
import * as edits from './edits.ts';
import { firstFailure } from './objections.ts';
import { fail, type Writable } from './writable.ts';

/** The records that are ticked. */
export async function deleteChosen(table: Writable, schema: Schema): Promise<void> {
  const { path, chosen, store, forgetSteps, afterDelete } = table;
  let gone = chosen.length;
  try {
    await api.delete(path, { body: { resource: chosen.map((row) => keyFields(schema, row)) } });
    notify.success(text('data:recordsDeleted'));
  } catch (error) {
    fail(error);
    // Records before the failing one are gone.
    gone = firstFailure(error);
  }
  if (gone > 0) forgetSteps();
  for (const row of chosen.slice(0, gone)) store.set(edits.drop(store.get(), keyOf(schema, row) ?? []));
  if (gone > 0) await afterDelete(gone);
}

/** The record of the pane, which then closes. */
export async function deleteRecord(
  table: Writable,
  schema: Schema,
  key: readonly string[],
  stored: Row,
): Promise<void> {
  const { path, store, forgetSteps, close, afterDelete } = table;
  try {
    const headers = { 'X-HTTP-METHOD': 'DELETE' };
    await api.post(path, { headers, body: { resource: [keyFields(schema, stored)] } });
  } catch (error) {
    return fail(error);
  }
  notify.success(text('data:recordDeleted'));
  forgetSteps();
  store.set(edits.drop(store.get(), key));
  close();
  await afterDelete(1);
}
