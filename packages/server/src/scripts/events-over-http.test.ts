// Which events are fired and listed, through HTTP: by both spellings, for every kind of service, and those that services raise.
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

let platform: TestPlatform;
let database: TestDatabase | undefined;
const missing = await engineMissing('pgsql');
const ask: TestPlatform['ask'] = (verb, path, options) => platform.ask(verb, path, options);

beforeAll(async () => {
  platform = await startPlatform({ scriptSeconds: 5 });
  const service = { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } };
  await platform.create('service', service);
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string' },
  ];
  const tables = ['item', 'note'].map((name) => ({ name, field }));
  expect((await ask('POST', 'shop/_schema', { body: { resource: tables } })).status).toBe(200);
  await ask('POST', 'files/box/', {});
  expect((await ask('POST', 'files/box/a.txt', { body: 'hello' })).status).toBe(201);
  if (missing) return;
  database = await freshDatabase('pgsql');
  await database.run('create function plus_one(n integer) returns integer language sql as $$ select n + 1 $$');
  const { host, port, database: name, user: username, password } = database;
  const config = { host, port, database: name, username, password };
  await platform.create('service', { name: 'pg', label: 'pg', type: 'pgsql', is_active: true, config });
});
afterAll(async () => {
  await platform.stop();
  await database?.drop();
});

const written: string[] = [];
async function save(name: string, content: string): Promise<void> {
  written.push(name);
  const body = { name, type: 'v8js', content, is_active: true, allow_event_modification: true };
  expect((await ask('POST', `system/event_script/${encodeURIComponent(name)}`, { body })).status).toBe(201);
}
afterEach(async () => {
  for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${encodeURIComponent(name)}`);
});

/** Those of the events that a call fires, in their order, and the resource that their scripts see. */
async function firedOf(events: string[], verb: string, path: string, options: Parameters<typeof ask>[2] = {}) {
  for (const event of events)
    await save(
      `${event}.post_process`,
      `const { headers } = event.response;
       headers['x-fired'] = [headers['x-fired'], '${event}'].filter(Boolean).join(' ');
       headers['x-resource'] = JSON.stringify(event.resource);`,
    );
  const { headers, status } = await ask(verb, path, options);
  for (const name of written.splice(0)) await ask('DELETE', `system/event_script/${encodeURIComponent(name)}`);
  return { status, fired: headers['x-fired']?.split(' ') ?? [], resource: headers['x-resource'] };
}

describe('a call fires', () => {
  const cases: [verb: string, path: string, resource: string, fired: string[], not: string[]][] = [
    ['GET', 'shop', '', ['shop.get'], ['shop._table.get']],
    ['GET', 'shop/_table', '', ['shop._table.get'], ['shop.get']],
    ['GET', 'shop/_table/Item', 'Item', ['shop._table.{table_name}.get', 'shop._table.item.get'], ['shop._table.get']],
    [
      ...(['GET', 'shop/_schema/item', 'item'] as const),
      ...([['shop._schema.{table_name}.get', 'shop._schema.item.get'], ['shop._schema.get']] as [string[], string[]]),
    ],
    [
      ...(['GET', 'shop/_schema/item/name', 'item/name'] as const),
      [
        ...['shop._schema.{table_name}.{field_name}.get', 'shop._schema.item.{field_name}.get'],
        ...['shop._schema.{table_name}.{field}.get', 'shop._schema.item.{field}.get'],
      ],
      ['shop._schema.item.get'],
    ],
    [
      ...(['GET', 'shop/_schema/item/_field/name', 'item/_field/name'] as const),
      [
        ...['shop._schema.{table_name}._field.{field_name}.get', 'shop._schema.item._field.{field_name}.get'],
        'shop._schema.get',
      ],
      ['shop._schema.item.get'],
    ],
    ['GET', 'system/role/7', '7', ['system.role.{id}.get', 'system.role.get'], ['system.role.7.get', 'system.get']],
    ['GET', 'system/admin/session', '', ['system.admin.session.get'], ['system.admin.get']],
    ['GET', 'user/session', '', ['user.session.get'], ['user.get']],
    ['GET', 'user/profile', '', ['user.profile.get'], []],
    ['GET', 'files', '', ['files.get'], ['files.{folder_path}.get']],
    ['GET', 'files/box/', 'box/', ['files.{folder_path}.get'], ['files.{file_path}.get', 'files.get']],
    ['GET', 'files/box/a.txt', 'box/a.txt', ['files.{file_path}.get'], ['files.{folder_path}.get', 'files.get']],
    ['POST', 'email', '', ['email.post'], ['email.get']],
  ];
  it.each(cases)('%s %s', async (verb, path, resource, fired, not) => {
    const found = await firedOf([...fired, ...not], verb, path, verb === 'POST' ? { body: {} } : {});
    expect([found.fired, found.resource]).toEqual([fired, JSON.stringify(resource)]);
  });

  it.skipIf(missing)('routines, by placeholder and by name', async () => {
    const fired = ['pg._func.{function_name}.get', 'pg._func.plus_one.get'];
    const found = await firedOf([...fired, 'pg._func.get'], 'GET', 'pg/_func/plus_one?n=1');
    expect([found.status, found.fired, found.resource]).toEqual([200, fired, '"plus_one"']);
    expect((await firedOf(['pg._proc.get'], 'GET', 'pg/_proc')).fired).toEqual(['pg._proc.get']);
  });
});

describe('system.limit.{id}.exceeded', () => {
  const names = ['system.limit.{id}.exceeded', 'system.limit.{id}.exceeded.queued'];

  it('is raised once for a lock, and its scripts see the limit and the request', async () => {
    const limit = { name: 'once', type: 'instance', rate: 1, period: 'minute', is_active: true };
    const { body } = await ask('POST', 'system/limit', { body: { resource: [limit] } });
    const { id } = body.resource[0];
    const note = (name: string) =>
      `platform.api.post('shop/_table/note', { resource: [{ name: JSON.stringify(['${name}', event.resource,
        event.limit.name, event.limit.rate, event.limit.period, typeof event.limit.cache_key, event.request.method,
        event.request.uri, event.request.payload, platform.session.user ? platform.session.user.id : null]) }] });`;
    const role = await platform.create('role', {
      ...{ name: 'all', is_active: true },
      role_service_access_by_role_id: [{ service_id: null, component: '*', verb_mask: 31, requestor_mask: 3 }],
    });
    const app = await platform.create('app', { name: 'all', is_active: true, type: 0, role_id: role.id });
    const key = String((app as Record<string, unknown>).api_key);
    await save(names[0] as string, note('plain'));
    await save(names[1] as string, note('never'));
    await save(`system.limit.${id}.exceeded.queued`, note('queued'));
    const call = () => ask('POST', 'shop/_table/item', { token: null, key, body: { resource: [{ name: 'x' }] } });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await call()).status);
    expect(statuses).toEqual([200, 429, 429, 429]);
    const seen = async () =>
      (await ask('GET', 'shop/_table/note')).body.resource.map(({ name }: { name: string }) => JSON.parse(name));
    await vi.waitFor(async () => expect(await seen()).toHaveLength(2), 5_000);
    const data = [String(id), 'once', '1', 'minute', 'string', 'POST', '/api/v2/shop/_table/item', null, null];
    expect((await seen()).sort()).toEqual([
      ['plain', ...data],
      ['queued', ...data],
    ]);
    await ask('DELETE', `system/limit/${id}`);
  });

  it('is listed with the limits that are active, and only what scripts can be for', async () => {
    const listed = async (query = '') =>
      (await ask('GET', `system/event?service=system${query}`)).body.system[names[0]!];
    expect(await listed()).toEqual({ type: 'service', endpoints: [names[0]], parameter: null });
    const limit = { name: 'listed', type: 'instance', rate: 100, period: 'minute', is_active: true };
    const { body } = await ask('POST', 'system/limit', { body: { resource: [limit] } });
    const { id } = body.resource[0];
    expect(await listed('&scriptable=true')).toEqual({ type: 'service', endpoints: names, parameter: { id: [id] } });
    const all = (await ask('GET', 'system/event?as_list=true')).body.resource;
    expect(all).toContain(names[0]);
    expect(all).not.toContain(names[1]);
    await ask('DELETE', `system/limit/${id}`);
  });
});

describe('system/event', () => {
  it('shows a caller what their role names, and nothing of other services', async () => {
    const { body } = await ask('GET', "system/service?filter=name='shop'");
    const rows = [
      { service_id: body.resource[0].id, component: '_table/item', verb_mask: 3, requestor_mask: 1 },
      { service_id: 1, component: 'event', verb_mask: 1, requestor_mask: 1 },
    ];
    const role = await platform.create('role', {
      ...{ name: 'some', is_active: true, role_service_access_by_role_id: rows },
    });
    const app = await platform.create('app', { name: 'some', is_active: true, type: 0, role_id: role.id });
    const by = { token: null, key: String((app as Record<string, unknown>).api_key) };
    const tree = (await ask('GET', 'system/event', by)).body;
    expect(Object.keys(tree)).toEqual(['shop', 'system']);
    expect(tree.shop['shop._table.{table_name}']).toEqual({
      type: 'api',
      endpoints: ['shop._table.{table_name}.get', 'shop._table.{table_name}.post'],
      parameter: { table_name: ['item'] },
    });
    expect(Object.keys(tree.system)).toEqual(['system.event']);
    for (const service of ['pg', 'nothing', 'constructor'])
      expect((await ask('GET', `system/event?service=${service}`, by)).body).toEqual({});
  });

  it('lists the services that can be opened where one cannot', async () => {
    const config = { host: '127.0.0.1', port: 1, database: 'x', username: 'x', password: 'x' };
    await platform.create('service', { name: 'gone', label: 'Gone', type: 'pgsql', is_active: true, config });
    const { body } = await ask('GET', 'system/event');
    expect(body.gone['gone._table.{table_name}'].parameter).toBeNull();
    expect(body.shop['shop._table.{table_name}'].parameter).toEqual({ table_name: ['item', 'note'] });
    expect(Object.keys(body)).toEqual([...Object.keys(body)].sort());
  });
});

describe('system/cache/_event', () => {
  it('forgets one script, or those of all events', async () => {
    for (const path of ['_event/shop.get', '_event/nothing', '_event']) {
      const { status, body } = await ask('DELETE', `system/cache/${path}`);
      expect([path, status, body]).toEqual([path, 200, { success: true }]);
    }
  });

  it.each(['_event/shop.get', '_event'])(
    'DELETE %s has a script read again that another program changed',
    async (path) => {
      await save('shop.get.pre_process', 'return { response: { content: 1 } };');
      expect((await ask('GET', 'shop')).body).toBe(1);
      const content = 'return { response: { content: 2 } };';
      await platform.store.db.updateTable('event_script').set({ content }).execute();
      expect((await ask('GET', 'shop')).body).toBe(1);
      await ask('DELETE', `system/cache/${path}`.replace('shop.get', 'shop.get.pre_process'));
      expect((await ask('GET', 'shop')).body).toBe(2);
    },
  );
});
