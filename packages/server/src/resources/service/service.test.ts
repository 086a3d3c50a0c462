import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadServices } from './index.ts';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
});
afterEach(() => system.close());

const record = { name: 'drive', type: 'everything', is_active: true, config: { host: 'h' } };
const addService = (set: object = {}) => ask('POST', 'service?fields=*', { resource: [{ ...record, ...set }] });
const message = ({ body }: { body: { error: { message: string; context?: { resource?: { message: string }[] } } } }) =>
  body.error.context?.resource?.[0]?.message ?? body.error.message;
const storedConfig = async (id = 8) =>
  JSON.parse(
    (await system.store.db.selectFrom('service').select('config').where('id', '=', id).executeTakeFirstOrThrow())
      .config,
  );
const openedService = async (id = 8) =>
  (await loadServices(system.store, { secrets: system.secrets, types: () => system.types })).find(
    (row) => row.id === id,
  );

describe('a service', () => {
  test('has every key of its type, unset ones null or their default', async () => {
    const { status, body } = await addService();
    expect(status).toBe(201);
    expect(body.resource[0]).toEqual({
      id: 8,
      name: 'drive',
      label: 'drive',
      description: null,
      is_active: true,
      type: 'everything',
      mutable: true,
      deletable: true,
      created_date: expect.any(String),
      last_modified_date: expect.any(String),
      created_by_id: 1,
      last_modified_by_id: null,
      config: {
        service_id: 8,
        host: 'h',
        port: 21,
        password: null,
        is_passive: false,
        public_path: null,
        options: null,
        mode: null,
        max_records: 1000,
        headers: null,
      },
    });
  });

  test.each([
    [
      { name: 'two words' },
      'Invalid data supplied. Service name should only contain letters, numbers, underscores and dashes.',
    ],
    [
      { name: 'a/b' },
      'Invalid data supplied. Service name should only contain letters, numbers, underscores and dashes.',
    ],
    [{ name: 'SYSTEM' }, 'Invalid data supplied. The name has already been taken.'],
    [{ name: 'x'.repeat(41) }, 'Invalid data supplied. The name may not be greater than 40 characters.'],
    [{ name: undefined }, 'Invalid data supplied. The name field is required.'],
    [{ type: undefined }, 'Invalid data supplied. The type field is required.'],
    [{ type: 'oracle' }, "Unsupported service type 'oracle'."],
    [{ type: 'system' }, "There can be only one service of type 'system'."],
    [{ config: {} }, 'Invalid data supplied. The host field is required.'],
    [{ config: { host: '' } }, 'Invalid data supplied. The host field is required.'],
    [{ config: { host: 'forbidden' } }, 'The host is forbidden.'],
    [{ config: 'host=h' }, 'Invalid data supplied. The config must be an object. The host field is required.'],
    [{ config: { host: { a: 1 } } }, 'Invalid data supplied. The host must be a string. The host field is required.'],
    [{ config: { host: 'h', port: 'x' } }, 'Invalid data supplied. The port must be an integer.'],
    [{ config: { host: 'h', is_passive: 'x' } }, 'Invalid data supplied. The is passive field must be true or false.'],
    [{ config: { host: 'h', public_path: 'x' } }, 'Invalid data supplied. The public path must be an array.'],
    [{ config: { host: 'h', options: ['x'] } }, 'Invalid data supplied. The options must be an object.'],
    [{ config: { host: 'h', headers: ['x'] } }, 'Invalid data supplied. The headers must be an array of objects.'],
  ])('%j is refused: %s', async (set, text) => {
    const response = await addService(set);
    expect([response.status, message(response)]).toEqual([400, text]);
    expect((await ask('GET', 'service?as_list=true')).body.resource).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('of a type without configuration has an empty list for one', async () => {
    const { body } = await addService({ type: 'gadget', config: [] });
    expect(body.resource[0].config).toEqual([]);
  });

  test('drops unknown keys, keeps those that were not sent, reads numbers and flags from text', async () => {
    await addService({
      config: { host: 'h', port: '2121', nope: 1, __proto__: { x: 1 }, is_passive: 'true', max_records: 0 },
    });
    expect(await storedConfig()).toEqual({ host: 'h', port: 2121, is_passive: true });
    await ask('PATCH', 'service/8', { config: { options: { a: '1' }, public_path: ['x', 2] } });
    expect(await storedConfig()).toEqual({
      host: 'h',
      port: 2121,
      is_passive: true,
      options: { a: '1' },
      public_path: ['x', '2'],
    });
    await ask('PATCH', 'service/8', { config: { port: null, options: {} } });
    expect(await storedConfig()).toEqual({ host: 'h', is_passive: true, options: {}, public_path: ['x', '2'] });
    await ask('PATCH', 'service/8', { config: [] });
    await ask('PATCH', 'service/8', { label: 'New' });
    expect((await ask('GET', 'service/8')).body).toMatchObject({ label: 'New', config: { host: 'h' } });
  });

  test('answers its configuration only when asked for, with id and type', async () => {
    await addService();
    expect(Object.keys((await ask('GET', 'service/8?fields=config')).body)).toEqual(['id', 'type', 'config']);
    expect((await ask('GET', 'service/8?fields=name')).body).toEqual({ name: 'drive' });
    expect((await ask('GET', 'service?filter=config is not null')).status).toBe(400);
    expect((await ask('GET', 'service?order=config')).status).toBe(400);
  });
});

describe('secrets', () => {
  test('are encrypted at rest, masked in every answer, in clear only for the service itself', async () => {
    const { body } = await addService({ config: { host: 'h', password: 's3cret' } });
    expect(body.resource[0].config.password).toBe('**********');
    expect(JSON.stringify(await storedConfig())).not.toContain('s3cret');
    expect((await openedService())?.config).toMatchObject({ host: 'h', port: 21, password: 's3cret' });
  });

  test('stay when the mask comes back, change otherwise, and are unset by nothing', async () => {
    await addService({ config: { host: 'h', password: 's3cret' } });
    await ask('PUT', 'service/8', { config: { mode: 'a', password: '**********' } });
    expect((await openedService())?.config).toMatchObject({ mode: 'a', password: 's3cret' });
    await ask('PUT', 'service/8', { config: { password: 'new' } });
    expect((await openedService())?.config).toMatchObject({ password: 'new' });
    await ask('PUT', 'service/8', { config: { password: '' } });
    expect((await ask('GET', 'service/8')).body.config.password).toBe('');
    await ask('PUT', 'service/8', { config: { password: null } });
    expect((await ask('GET', 'service/8')).body.config.password).toBeNull();
  });

  test('inside rows of lists too; lists are replaced as a whole, by rows with new ids', async () => {
    const headers = [
      { name: 'X-Key', value: 's3cret', app_id: 1, nope: 1 },
      { name: 'X-Other', value: '' },
    ];
    const { body } = await addService({ config: { host: 'h', headers } });
    expect(body.resource[0].config.headers).toEqual([
      { service_id: 8, id: 1, name: 'X-Key', value: '**********', app_id: 1 },
      { service_id: 8, id: 2, name: 'X-Other', value: '', app_id: null },
    ]);
    expect(JSON.stringify(await storedConfig())).not.toContain('s3cret');
    await ask('PATCH', 'service/8', { config: { headers: [{ id: 1, name: 'X-Key', value: '**********' }] } });
    expect((await openedService())?.config.headers).toEqual([{ id: 3, name: 'X-Key', value: 's3cret', app_id: null }]);
  });

  test('do not become visible by a change of type', async () => {
    await addService({ config: { host: 'h', password: 's3cret' } });
    const openType = {
      ...system.types[0]!,
      name: 'open',
      config: { password: { type: 'string', label: 'P' } },
      check: undefined,
    };
    system.types.push(openType as never);
    const { status, body } = await ask('PATCH', 'service/8?fields=*', { type: 'open' });
    expect([status, body.config]).toEqual([200, { service_id: 8, password: null }]);
  });
});

describe('seeded services', () => {
  test.each([
    ['DELETE', 'service/1', undefined, "Service 'system' can not be deleted."],
    ['DELETE', 'service/7', undefined, "Service 'user' can not be deleted."],
    ['PATCH', 'service/1', { is_active: false }, "The is_active of service 'system' can not be changed."],
    ['PATCH', 'service/1', { name: 'sys' }, "The name of service 'system' can not be changed."],
    ['PATCH', 'service/1', { type: 'gadget' }, "The type of service 'system' can not be changed."],
  ] as const)('%s %s %j is refused', async (verb, path, payload, text) => {
    const response = await ask(verb, path, payload);
    expect([response.status, response.body.error.message]).toEqual([403, text]);
  });

  test('take their settings, and what a form sends back unchanged', async () => {
    const { body } = await ask('GET', 'service/1');
    const saved = await ask('PUT', 'service/1?fields=config', {
      ...body,
      config: { ...body.config, default_app_id: 1 },
    });
    expect([saved.status, saved.body.config.default_app_id]).toEqual([200, 1]);
    expect((await ask('PATCH', 'service/1', { mutable: true, deletable: true })).status).toBe(200);
    expect((await ask('GET', 'service/1')).body).toMatchObject({ mutable: false, deletable: false });
  });

  test('emptying the list is refused as a whole', async () => {
    await addService();
    expect((await ask('DELETE', 'service?force=true')).status).toBe(400);
    expect((await ask('GET', 'service?as_list=true')).body.resource).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('the definition of a service', () => {
  const related = 'service/8?fields=id&related=service_doc_by_service_id';
  const doc = async () => (await ask('GET', related)).body.service_doc_by_service_id;

  test('is created, changed and deleted with it; a list of one is taken too', async () => {
    await addService({ service_doc_by_service_id: { content: '{"a":1}' } });
    expect(await doc()).toEqual({
      service_id: 8,
      format: 0,
      content: '{"a":1}',
      created_date: expect.any(String),
      last_modified_date: expect.any(String),
    });
    await ask('PATCH', 'service/8', { service_doc_by_service_id: [{ service_id: 1, format: 1, content: 'a: 1' }] });
    expect(await doc()).toMatchObject({ service_id: 8, format: 1, content: 'a: 1' });
    await ask('PATCH', 'service/8', { label: 'untouched' });
    expect(await doc()).not.toBeNull();
    await ask('PATCH', 'service/8', { service_doc_by_service_id: null });
    expect(await doc()).toBeNull();
    await ask('PATCH', 'service/8', { service_doc_by_service_id: { content: 'again' } });
    expect(await doc()).toMatchObject({ content: 'again' });
    await ask('PATCH', 'service/8', { service_doc_by_service_id: [] });
    expect(await doc()).toBeNull();
  });

  test('is text, JSON or YAML', async () => {
    for (const service_doc_by_service_id of [{ content: { a: 1 } }, { format: 2 }, [{}, {}], 'x'])
      expect((await addService({ service_doc_by_service_id })).status).toBe(400);
  });
});

test('deleting a service takes its rows of access along and tells every cache', async () => {
  await addService();
  await ask('POST', 'role', { resource: [{ name: 'r', role_service_access_by_role_id: [{ service_id: 8 }] }] });
  system.takeChanges();
  await ask('DELETE', 'service/8');
  expect(await system.store.db.selectFrom('role_service_access').selectAll().execute()).toEqual([]);
  expect(
    system
      .takeChanges()
      .map((change) => change.table)
      .sort(),
  ).toEqual(['app', 'limit', 'role_service_access', 'service', 'service_doc']);
});
