// Notices of what was committed, through HTTP: records of the platform and rows of a service, on each engine for both.
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommittedChange, createChangeNotices } from './changes.ts';

// The account of MariaDB would see the store beside the database of the service, which is refused.
const places = [
  { store: 'sqlite', service: 'sqlite', missing: undefined },
  { store: 'pgsql', service: 'pgsql', missing: await engineMissing('pgsql') },
  { store: 'mysql', service: 'sqlite', missing: await engineMissing('mysql') },
  { store: 'sqlite', service: 'mysql', missing: await engineMissing('mysql') },
] as const;

describe.each(places)(
  'what is committed in a store of $store and a service of $service',
  ({ store, service, missing }) => {
    const test = it.skipIf(missing);
    const databases: TestDatabase[] = [];
    let platform: TestPlatform;
    let changes: CommittedChange[] = [];
    const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);
    const fresh = async (engine: 'sqlite' | 'pgsql' | 'mysql') => {
      if (engine === 'sqlite') return undefined;
      const database = await freshDatabase(engine);
      databases.push(database);
      return database;
    };

    beforeAll(async () => {
      if (missing) return;
      const storeDatabase = await fresh(store);
      platform = await startPlatform(storeDatabase ? { databaseUrl: storeDatabase.url } : {});
      const own = await fresh(service);
      const config = own
        ? { host: own.host, port: own.port, database: own.database, username: own.user, password: own.password }
        : { database: 'shop.sqlite' };
      await platform.create('service', { name: 'shop', label: 'Shop', type: service, is_active: true, config });
      const id = { name: 'id', type: 'id' };
      const name = { name: 'name', type: 'string', size: 40, is_unique: true };
      const owner = { name: 'item_id', type: 'reference', ref_table: 'item', ref_field: 'id', allow_null: true };
      const tables = [
        { name: 'item', field: [id, name] },
        { name: 'part', field: [id, { ...name, is_unique: false }, owner] },
      ];
      expect((await ask('POST', 'shop/_schema', { body: { resource: tables } })).status).toBe(200);
      platform.notices.listen((some) => changes.push(...some));
    });
    beforeEach(() => {
      changes = [];
    });
    afterAll(async () => {
      await platform?.stop();
      for (const database of databases) await database.drop();
    });

    const post = (records: unknown[], query = '') =>
      ask('POST', `shop/_table/item${query}`, { body: { resource: records } });
    const item = (kind: CommittedChange['kind'], ...rows: unknown[]) => ({
      service: 'shop',
      resource: 'item',
      kind,
      rows,
    });
    const anyId = { id: expect.any(Number) };

    test('rows of a table are noticed as they were inserted, changed and deleted', async () => {
      const { body } = await post([{ name: 'one' }, { name: 'two' }]);
      const [{ id }, { id: other }] = body.resource;
      expect(changes.flatMap(({ kind, rows }) => rows.map((row) => [kind, row.id]))).toEqual([
        ['insert', id],
        ['insert', other],
      ]);
      changes = [];
      await ask('PATCH', `shop/_table/item/${id}`, { body: { name: 'changed' } });
      expect(changes).toEqual([item('update', expect.objectContaining({ id }))]);
      changes = [];
      await ask('DELETE', `shop/_table/item/${id}`);
      expect(changes).toEqual([item('delete', expect.objectContaining({ id }))]);
      changes = [];
      expect(
        (await ask('PATCH', 'shop/_table/item?filter=id=0', { body: { resource: { name: 'none' } } })).status,
      ).toBe(200);
      await ask('GET', 'shop/_table/item');
      expect(changes).toEqual([]);
    });

    test('what is rolled back is not, and of a batch that goes on only what was done', async () => {
      await post([{ name: 'there' }]);
      changes = [];
      expect((await post([{ name: 'new' }, { name: 'there' }], '?rollback=true')).status).toBe(400);
      expect(changes).toEqual([]);
      expect((await post([{ name: 'new' }, { name: 'there' }, { name: 'newer' }], '?continue=true')).status).toBe(400);
      expect(changes).toEqual([item('insert', anyId), item('insert', anyId)]);
      changes = [];
      expect((await post([{ name: 'late' }, { name: 'there' }, { name: 'never' }])).status).toBe(400);
      expect(changes).toEqual([item('insert', anyId)]);
    });

    test('records inside a record are noticed with it, or none of both', async () => {
      const nested = (name: string, part: unknown) => [{ name, part_by_item_id: [part] }];
      expect((await post(nested('whole', { name: 'a' }), '?related=part_by_item_id')).status).toBe(200);
      expect(changes.map(({ resource, kind }) => [resource, kind])).toEqual([
        ['item', 'insert'],
        ['part', 'insert'],
      ]);
      changes = [];
      expect((await post(nested('whole', { name: 'a' }), '?related=part_by_item_id')).status).toBe(400);
      expect(changes).toEqual([]);
    });

    test('records of the platform are noticed with what is nested in them, once they are committed', async () => {
      const { body: services } = await ask('GET', "system/service?filter=name='shop'");
      const access = { service_id: services.resource[0].id, component: '*', verb_mask: 1, requestor_mask: 1 };
      const role = { name: 'reader', role_service_access_by_role_id: [access] };
      const made = await ask('POST', 'system/role', { body: { resource: [role] } });
      const { id } = made.body.resource[0];
      expect(changes).toEqual([
        { service: 'system', resource: 'role', kind: 'insert', rows: [{ id }] },
        { service: 'system', resource: 'role_service_access', kind: 'insert', rows: [{ id: expect.any(Number) }] },
      ]);
      changes = [];
      await ask('PATCH', `system/role/${id}`, { body: { description: 'reads' } });
      await ask('PATCH', `system/role/${id}`, { body: { description: 'reads' } });
      expect(changes).toEqual([{ service: 'system', resource: 'role', kind: 'update', rows: [{ id }] }]);
      changes = [];
      const twice = { body: { resource: [{ name: 'writer' }, { name: 'reader' }] } };
      expect((await ask('POST', 'system/role?rollback=true', twice)).status).toBe(400);
      expect(changes).toEqual([]);
      await ask('DELETE', `system/role/${id}`);
      expect(changes.map(({ resource, kind }) => [resource, kind])).toContainEqual(['role', 'delete']);
    });

    test('is no event: no list has it', async () => {
      const { body } = await ask('GET', 'system/event?scriptable=true&as_list=true');
      expect(body.resource.filter((name: string) => /commit|change|insert/.test(name))).toEqual([]);
    });
  },
);

it('a listener that fails is logged and keeps no other from hearing; one that left hears nothing', () => {
  const errors: unknown[] = [];
  const notices = createChangeNotices({ error: (_details, message) => void errors.push(message) });
  expect(notices.isHeard).toBe(false);
  const heard: unknown[] = [];
  notices.listen(() => {
    throw new Error('no');
  });
  const leave = notices.listen((changes) => heard.push(...changes));
  const change: CommittedChange = { service: 'shop', resource: 'item', kind: 'insert', rows: [] };
  notices.raise([change]);
  leave();
  notices.raise([change]);
  expect([heard, errors, notices.isHeard]).toEqual([[change], [expect.any(String), expect.any(String)], true]);
});
