// The engine without HTTP: it is passed the actor and the transaction, and work is done as a whole or not at all.
import { fail } from '@sluice/contract';
import { aPerson } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anonymousCaller } from '../call/call.ts';
import type { Actor } from '../resource/resource.ts';
import { platformActor } from './actor.ts';
import type { WriteRequest } from './engine.ts';
import { deleteRows, insertRow, updateRow } from './write-row.ts';

let system: TestSystem;
beforeEach(async () => {
  system = await startSystem();
});
afterEach(() => system.close());

const ada: Actor = { ...platformActor(), caller: { ...anonymousCaller, user: aPerson() }, ip: '192.0.2.1', id: 'r1' };
const request: WriteRequest = { fields: undefined, related: [], continue: false, rollback: false };
const allFields = { ...request, fields: '*' };
const readAudit = () =>
  system.store.db
    .selectFrom('audit')
    .select(['action', 'resource', 'record_name', 'user_id', 'ip_address'])
    .orderBy('id')
    .execute();

test('creates, changes, lists and deletes for an actor, who stands in the audit', async () => {
  const { records } = system;
  const scope = { actor: ada };
  const [created] = await records.create('role', [{ name: 'reader' }], allFields, scope);
  expect(created?.record).toMatchObject({ id: 1, name: 'reader', created_by_id: 1 });
  const changed = await records.updateOne('role', { id: 1, input: { description: 'reads' } }, allFields, scope);
  expect(changed.row).toMatchObject({ description: 'reads', version: 2, last_modified_by_id: 1 });
  const list = {
    ...request,
    filter: "name = 'reader'",
    params: {},
    order: undefined,
    group: undefined,
    limit: undefined,
  };
  const page = { offset: 0, asList: false, includeCount: true, includeSchema: false };
  expect(await records.list('role', { ...list, ...page }, scope)).toMatchObject({
    resource: [{ id: 1 }],
    meta: { count: 1 },
  });
  await expect(
    records.updateOne('role', { id: 1, input: { name: 'x' } }, { ...request, ifMatch: '"1-0"' }, scope),
  ).rejects.toMatchObject({ key: 'record.stale' });
  await records.deleteOne('role', 1, request, scope);
  const identity = { resource: 'role', record_name: 'reader', user_id: 1, ip_address: '192.0.2.1' };
  expect(await readAudit()).toEqual(['create', 'update', 'delete'].map((action) => ({ action, ...identity })));
});

test('works inside a transaction that is open: all of it is committed, and published to caches, at its end', async () => {
  const { records, store } = system;
  system.takeChanges();
  await records.transaction(ada, async (transaction) => {
    const scope = { actor: ada, transaction };
    const [role] = await records.create('role', [{ name: 'reader' }], request, scope);
    const app = { name: 'shop', role_id: role?.record.id, is_active: true };
    await records.create('app', [app], request, scope);
    const apps = await transaction.db.selectFrom('app').select('role_id').where('name', '=', 'shop').execute();
    expect(apps).toEqual([{ role_id: 1 }]);
    expect(system.takeChanges()).toEqual([]);
  });
  expect(system.takeChanges().map(({ table }) => table)).toEqual(['role', 'app']);
  expect((await readAudit()).map(({ resource }) => resource)).toEqual(['role', 'app']);
  expect(await store.db.selectFrom('app').select('id').where('role_id', '=', 1).execute()).toHaveLength(1);
});

test('leaves nothing of a transaction in which something is refused', async () => {
  const { records, store } = system;
  system.takeChanges();
  const work = records.transaction(ada, async (transaction) => {
    const scope = { actor: ada, transaction };
    await records.create('role', [{ name: 'reader' }], request, scope);
    await records.create('role', [{ name: 'reader' }], request, scope);
  });
  await expect(work).rejects.toMatchObject({ key: 'record.batch' });
  expect(await store.db.selectFrom('role').selectAll().execute()).toEqual([]);
  expect([await readAudit(), system.takeChanges()]).toEqual([[], []]);
});

test('joins a transaction of the store that somebody else opened: told when they say so, undone when they fail', async () => {
  const { records, store } = system;
  const create = (name: string, end: () => void) =>
    store.exclusively(async (db) => {
      const joined = await records.join(ada, db, async (transaction) => {
        const [role] = await records.create('role', [{ name }], request, { actor: ada, transaction });
        return role?.record.id;
      });
      end();
      return joined;
    });
  system.takeChanges();
  const { result, publish } = await create('reader', () => {});
  expect([result, system.takeChanges()]).toEqual([1, []]);
  await publish();
  expect(system.takeChanges()).toEqual([{ table: 'role', ids: [1] }]);
  const failed = create('writer', () => {
    throw new Error('refused elsewhere');
  });
  await expect(failed).rejects.toThrow('refused elsewhere');
  expect(await store.db.selectFrom('role').select('name').execute()).toEqual([{ name: 'reader' }]);
  expect((await readAudit()).map(({ record_name, user_id }) => [record_name, user_id])).toEqual([['reader', 1]]);
});

test('rows are written with stamps, version and audit, and nothing is written where nothing differs', async () => {
  const { records, store } = system;
  const row = () => store.db.selectFrom('role').selectAll().executeTakeFirstOrThrow();
  await records.transaction(platformActor(), async (transaction) => {
    const role = transaction.resourceOf('role');
    await insertRow(role, { name: 'reader', is_active: 1 }, transaction);
  });
  await records.transaction(ada, async (transaction) => {
    const role = transaction.resourceOf('role');
    const before = { ...(await transaction.db.selectFrom('role').selectAll().executeTakeFirstOrThrow()) };
    expect((await updateRow(role, before, { name: 'reader' }, transaction)).isChanged).toBe(false);
    expect((await updateRow(role, before, { name: 'writer' }, transaction)).isChanged).toBe(true);
  });
  expect(await row()).toMatchObject({ name: 'writer', version: 2, created_by_id: null, last_modified_by_id: 1 });
  await records.transaction(ada, async (transaction) => {
    await deleteRows(
      transaction.resourceOf('role'),
      [{ ...(await transaction.db.selectFrom('role').selectAll().executeTakeFirstOrThrow()) }],
      transaction,
    );
  });
  expect((await readAudit()).map(({ action, user_id }) => [action, user_id])).toEqual([
    ['create', null],
    ['update', 1],
    ['delete', 1],
  ]);
});

test('a change holds the row as it was, its secrets as ciphertext', async () => {
  const { records, secrets } = system;
  const value = 's3cret';
  await records.create('lookup', [{ name: 'token', value, private: true }], request, { actor: ada });
  const stored = await system.store.db.selectFrom('lookup').selectAll().executeTakeFirstOrThrow();
  expect([stored.value === value, secrets.decrypt(String(stored.value))]).toEqual([false, value]);
  await records.transaction(ada, async (transaction) => {
    const changed = await updateRow(transaction.resourceOf('lookup'), { ...stored }, { description: 'x' }, transaction);
    expect(changed.row.value).toBe(stored.value);
    expect(JSON.stringify(transaction.pendingAudit)).not.toContain(String(stored.value));
  });
});

test('abuse: what is collected counts in the memory for answers as it is read, and is refused there', async () => {
  const { records } = system;
  const value = 'x'.repeat(60_000);
  const lookups = Array.from({ length: 10 }, (_, at) => ({ name: `long ${at}`, value }));
  const [role] = await records.create('role', [{ name: 'keeper', lookup_by_role_id: lookups }], request, {
    actor: ada,
  });
  const taken: number[] = [];
  const memory = { bytes: 0, take: (bytes: number) => void taken.push(bytes), add() {}, release() {}, end() {} };
  const read = (actor: Actor) =>
    records.read('role', role!.record.id, { fields: undefined, related: ['lookup_by_role_id'] }, { actor });
  await read({ ...ada, memory });
  expect(taken.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(500_000);
  const take = () => {
    throw fail('http.noMemory');
  };
  await expect(read({ ...ada, memory: { ...memory, take } })).rejects.toMatchObject({ key: 'http.noMemory' });
});
