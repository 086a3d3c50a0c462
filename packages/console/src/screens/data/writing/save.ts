// Sends what was typed: changed records together, new ones together, or the one of a form. What is stored is no longer unsaved.
import { api } from '../../../api/index.ts';
import { keyText } from '../place/place.ts';
import type { Row } from '../place/sources.ts';
import { type Drafts, toPatch, toPost } from '../values/values.ts';
import * as edits from './edits.ts';
import { firstFailure, objectionsOf, wrongFields } from './objections.ts';
import { fail, type Writable } from './writable.ts';

/** Sends changed records. Those before a failing one are stored, and no longer unsaved. True when all are. */
export async function patch(table: Writable, all: readonly edits.Edit[]): Promise<boolean> {
  const { path, schema, store, reread, open } = table;
  if (!schema) return false;
  const records: Row[] = [];
  const wrong: edits.Edit[] = [];
  for (const edit of all) {
    const made = toPatch(schema, edit.stored, edit.drafts);
    if ('record' in made) {
      records.push(made.record);
      continue;
    }
    wrong.push(edit);
    store.set(edits.object(store.get(), edit.key, wrongFields(made.wrong)));
  }
  if (wrong[0]) {
    open(wrong[0].key);
    return false;
  }
  try {
    await api.patch(path, { body: { resource: records } });
    await reread();
    forget(table, all);
    return true;
  } catch (error) {
    fail(error);
    const failed = firstFailure(error);
    const refused = all[failed];
    if (failed > 0) await reread();
    forget(table, all.slice(0, failed));
    if (refused) store.set(edits.object(store.get(), refused.key, objectionsOf(error, schema)));
    return false;
  }
}

/** What was sent is stored; what was typed since stays. */
function forget({ store, forgetSteps }: Writable, sent: readonly edits.Edit[]): void {
  if (sent.length > 0) forgetSteps();
  for (const edit of sent) {
    if (store.get().records.get(keyText(edit.key)) === edit) store.set(edits.drop(store.get(), edit.key));
  }
}

/** Sends new records, as `patch` sends changed ones. */
export async function post(
  table: Writable,
  all: readonly (readonly [id: string, one: edits.Added])[],
): Promise<boolean> {
  const { path, schema, store, given, forgetSteps, reread } = table;
  if (!schema) return false;
  const records: Row[] = [];
  for (const [id, { drafts }] of all) {
    const made = toPost(schema, { ...given, ...drafts });
    if ('record' in made) records.push(made.record);
    else store.set(edits.objectAdded(store.get(), id, wrongFields(made.wrong)));
  }
  if (records.length < all.length) return false;
  const ids = all.map(([id]) => id);
  let stored = ids.length;
  try {
    await api.post(path, { query: { fields: '*' }, body: { resource: records } });
  } catch (error) {
    fail(error);
    stored = firstFailure(error);
    const refused = ids[stored];
    if (refused !== undefined) store.set(edits.objectAdded(store.get(), refused, objectionsOf(error, schema)));
  }
  if (stored > 0) {
    forgetSteps();
    await reread();
    store.set(edits.dropAdded(store.get(), ids.slice(0, stored)));
  }
  return stored === ids.length;
}

/** Sends the record of the form for a new one. True when it is stored. */
export async function postFresh({ path, schema, store, given }: Writable): Promise<boolean> {
  if (!schema) return false;
  const drafts: Drafts = { ...given, ...store.get().fresh?.drafts };
  const made = toPost(schema, drafts);
  if ('wrong' in made) {
    store.set(edits.objectFresh(store.get(), wrongFields(made.wrong)));
    return false;
  }
  try {
    await api.post(path, { query: { fields: '*' }, body: { resource: [made.record] } });
  } catch (error) {
    store.set(edits.objectFresh(store.get(), objectionsOf(error, schema)));
    fail(error);
    return false;
  }
  store.set({ ...store.get(), fresh: null });
  return true;
}
