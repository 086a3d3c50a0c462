// `system/limit` and `system/limit_cache`, row by row of contract/limits.md §1–3 and §6. Counting is tested in limits/.
import { aPerson } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];
let service: number;
let role: number;
let user: number;
const create = async (resource: string, record: object): Promise<number> =>
  (await ask('POST', resource, { resource: [record] })).body.resource[0].id;

beforeAll(async () => {
  system = await startSystem();
  ask = system.ask;
  service = await create('service', { name: 'shop', label: 'Shop', type: 'gadget', is_active: true });
  role = await create('role', { name: 'reader', is_active: true });
  user = await create('user', { name: 'Jo', email: 'jo@example.com', is_active: true });
});
afterEach(async () => {
  await ask('DELETE', 'limit?force=true');
});
afterAll(() => system.close());

const basic = { name: 'A', type: 'instance', rate: 5, period: 'minute' };
const post = (set: object, query = 'fields=*') => ask('POST', `limit?${query}`, { resource: [{ ...basic, ...set }] });
const add = async (set: object) => (await post(set)).body.resource[0];

const keys = [
  ...['id', 'type', 'key_text', 'rate', 'period', 'user_id', 'role_id', 'service_id', 'name', 'description'],
  ...['is_active', 'created_date', 'last_modified_date', 'endpoint', 'verb'],
];

describe('a record', () => {
  test('has exactly fifteen keys in their order, and a create answers 200', async () => {
    const { status, body } = await post({ created_by_id: 1, key_text: 'mine', junk: 1 });
    expect(status).toBe(200);
    expect(Object.keys(body.resource[0])).toEqual(keys);
    expect(body.resource[0]).toMatchObject({
      ...{ type: 'instance', key_text: 'instance.minute', rate: 5, period: 'minute', is_active: true },
      ...{ user_id: null, role_id: null, service_id: null, endpoint: null, verb: null, description: null },
    });
    expect((await ask('POST', 'limit', { resource: [{ ...basic, period: 'hour' }] })).body).toEqual({
      resource: [{ id: body.resource[0].id + 1 }],
    });
  });

  test.each([
    ['instance', {}, 'instance'],
    ['instance.user', { user_id: true }, 'instance.user:{user}'],
    ['instance.each_user', {}, 'instance.each_user:'],
    ['instance.role', { role_id: true }, 'instance.role:{role}'],
    ['instance.service', { service_id: true }, 'instance.service:{service}'],
    ['instance.user.service', { user_id: true, service_id: true }, 'instance.user:{user}.service:{service}'],
    ['instance.each_user.service', { service_id: true }, 'instance.each_user:.service:{service}'],
    [
      'instance.service.endpoint',
      { service_id: true, endpoint: true },
      'instance.service:{service}.endpoint:_table/contact',
    ],
    [
      'instance.user.service.endpoint',
      { user_id: true, service_id: true, endpoint: true },
      'instance.user:{user}.service:{service}.endpoint:_table/contact',
    ],
    [
      'instance.each_user.service.endpoint',
      { service_id: true, endpoint: true },
      'instance.each_user:.service:{service}.endpoint:_table/contact',
    ],
  ])('of type %s keeps what it names and has its key, verb and period behind it', async (type, keeps, template) => {
    const all = { user_id: user, role_id: role, service_id: service, endpoint: '/_table/contact/' };
    const expected = { ...all, endpoint: '_table/contact' };
    const kept = Object.fromEntries(
      Object.entries(expected).map(([field, value]) => [field, field in keeps ? value : null]),
    );
    const text = template
      .replace('{user}', String(user))
      .replace('{role}', String(role))
      .replace('{service}', String(service));
    expect(await add({ type, ...all })).toMatchObject({ ...kept, type, key_text: `${text}.minute` });
    expect(await add({ type, ...all, verb: 'GET', period: '7-day' })).toMatchObject({
      ...{ ...kept, key_text: `${text}.verb:GET.7-day` },
    });
  });

  test('takes a period by name or number, and answers its name', async () => {
    const names = ['minute', 'hour', 'day', '7-day', '30-day'];
    for (const [number, name] of names.entries()) {
      const { id } = await add({ period: number });
      expect((await ask('GET', `limit/${id}`)).body.period).toBe(name);
      expect((await ask('PATCH', `limit/${id}?fields=*`, { period: name })).body.period).toBe(name);
    }
  });

  test.each([[5], [-1], ['3'], ['Minute'], ['week'], [true]])('takes no period %j', async (period) => {
    const { status, body } = await post({ period });
    expect([status, body.error.code]).toEqual([400, 1000]);
    expect(body.error.context.resource[0]).toMatchObject({
      message: 'Invalid data supplied. The selected period is invalid.',
      context: { period: ['The selected period is invalid.'] },
    });
  });

  test.each([[0], [-3], ['5.5'], [1.5], ['many'], [true], [[]]])(
    'has a rate that is a whole number: not %j',
    async (rate) => {
      expect(await post({ rate })).toMatchObject({
        ...{ status: 400, body: { error: { code: 400, message: 'Limit rate must be an integer. Limit not saved.' } } },
      });
    },
  );

  test('takes a rate in quotes', async () => expect((await add({ rate: '12' })).rate).toBe(12));

  test('a type nobody knows is refused as invalid', async () => {
    const { status, body } = await post({ type: 'instance.app' });
    expect(status).toBe(400);
    expect(body.error.context.resource[0]).toMatchObject({ context: { type: ['The selected type is invalid.'] } });
  });

  test.each([['name'], ['rate'], ['period'], ['type']])('needs its %s, said by the batch', async (field) => {
    await add({});
    const { status, body } = await post({ [field]: undefined });
    expect([status, body.error.code]).toEqual([400, 1000]);
    expect(body.error.context.resource[0].context).toEqual({ [field]: [`The ${field} field is required.`] });
  });

  test('a name may be used again, and a relation that is sent back is not written', async () => {
    await add({});
    const entry = { id: 1, key: 'x', max: 1, attempts: 1, remaining: 0 };
    expect(await add({ period: 'hour', limit_cache_by_limit_id: [entry] })).toMatchObject({ name: 'A' });
  });
});

describe('refused before anything is written, as a plain 400', () => {
  const plain = (message: string, context: unknown = null) => ({
    ...{ status: 400, body: { error: { code: 400, context, message } } },
  });

  test.each([
    ['instance.user', { user_id: null }, 'user_id must be specified with this limit type. Limit: A'],
    ['instance.user.service', { user_id: null }, 'user_id must be specified with this limit type. Limit: A'],
    ['instance.user.service.endpoint', { user_id: '' }, 'user_id must be specified with this limit type. Limit: A'],
    ['instance.role', { role_id: null }, 'role_id must be specified with this limit type. Limit: A'],
    ['instance.service', { service_id: null }, 'service_id must be specified with this limit type.'],
    ['instance.user.service', { service_id: null }, 'service_id must be specified with this limit type.'],
    ['instance.each_user.service', { service_id: null }, 'service_id must be specified with this limit type.'],
    ['instance.service.endpoint', { service_id: null }, 'service_id must be specified with this limit type.'],
    ['instance.user.service.endpoint', { endpoint: '' }, 'endpoint must be specified with this limit type.'],
    ['instance.user', { user_id: 999 }, 'user_id does not exist for A limit.'],
    ['instance.user.service', { user_id: 999 }, 'No user_id exists for A limit.'],
    ['instance.role', { role_id: 999 }, 'No role_id exists for A limit.'],
    ['instance.service', { service_id: 999 }, 'No service exists for A limit.'],
  ])('%s with %j', async (type, set, message) => {
    const all = { user_id: user, role_id: role, service_id: service, endpoint: 'x' };
    const good = { ...basic, period: 'day' };
    const bad = { ...basic, type, ...all, ...set };
    expect(await ask('POST', 'limit', { resource: [good, bad] })).toMatchObject(plain(message));
    expect((await ask('GET', 'limit')).body.resource).toEqual([]);
  });

  test('an endpoint of a service may be empty: its root', async () => {
    for (const type of ['instance.service.endpoint', 'instance.each_user.service.endpoint'])
      expect(await add({ type, service_id: service, endpoint: '' })).toMatchObject({ endpoint: null });
  });

  test.each([
    ['instance.service.endpoint', 'FETCH'],
    ['instance', 'HEAD'],
    ['instance', {}],
  ])('%s with the verb %j', async (type, verb) => {
    expect(await post({ type, service_id: service, verb })).toMatchObject(plain('Verb is invalid or not allowed.'));
  });

  test('a second one of the same key, whatever its name and rate', async () => {
    await add({});
    const again = { ...basic, name: 'B', rate: 9, user_id: user };
    const message = 'A limit already exists with those parameters. No records added.';
    expect((await ask('POST', 'limit', { resource: [{ ...basic, period: 'day' }, again] })).body.error).toEqual({
      code: 400,
      context: {
        ...again,
        user_id: null,
        role_id: null,
        service_id: null,
        endpoint: null,
        key_text: 'instance.minute',
      },
      message,
      status_code: 400,
    });
    const other = await add({ period: 'hour' });
    expect(await ask('PATCH', `limit/${other.id}`, { period: 'minute' })).toMatchObject({
      ...{ status: 400, body: { error: { code: 400, message } } },
    });
    // What it is already it may stay.
    expect((await ask('PATCH', `limit/${other.id}`, { period: 'hour', rate: 7 })).status).toBe(200);
  });

  test('with rollback the store refuses a second one', async () => {
    await add({});
    const { status, body } = await ask('POST', 'limit?rollback=true', { resource: [{ ...basic, name: 'B' }] });
    expect([status, body.error.code]).toEqual([400, 1000]);
    expect((await ask('GET', 'limit')).body.resource).toHaveLength(1);
  });

  test('keys differ in the case of an endpoint', async () => {
    const endpoint = { type: 'instance.service.endpoint', service_id: service };
    await add({ ...endpoint, endpoint: '_table/Contact' });
    expect(await add({ ...endpoint, endpoint: '_table/contact' })).toMatchObject({ endpoint: '_table/contact' });
  });

  test.each([[{}], [{ resource: [] }], [undefined], [basic]])('no records: %j', async (body) => {
    expect(await ask('POST', 'limit', body)).toMatchObject({
      ...{ status: 400, body: { error: { message: expect.stringMatching(/^No record\(s\) detected in request\. /) } } },
    });
  });
});

describe('a change', () => {
  test.each(['PUT', 'PATCH'] as const)('%s merges, checks the whole record and makes a new key', async (verb) => {
    const { id } = await add({ type: 'instance.user.service', user_id: user, service_id: service });
    const { status, body } = await ask(verb, `limit/${id}?fields=*`, { type: 'instance.service', verb: 'get' });
    expect([status, body]).toEqual([200, expect.objectContaining({ user_id: null, service_id: service, verb: 'GET' })]);
    expect(body.key_text).toBe(`instance.service:${service}.verb:GET.minute`);
    expect(await ask(verb, `limit/${id}`, { type: 'instance.role' })).toMatchObject({
      ...{ status: 400, body: { error: { message: 'role_id must be specified with this limit type. Limit: A' } } },
    });
    expect((await ask(verb, `limit/${id}`, { rate: 6 })).body).toEqual({ id });
    expect(await ask(verb, 'limit/9999', { rate: 6 })).toMatchObject({
      ...{ status: 404, body: { error: { message: "Record with identifier '9999' not found." } } },
    });
  });

  test('of several by ids and by records', async () => {
    const ids = [(await add({})).id, (await add({ period: 'day' })).id];
    expect((await ask('PATCH', `limit?ids=${ids.join(',')}&fields=rate`, { resource: [{ rate: 8 }] })).body).toEqual({
      resource: [{ rate: 8 }, { rate: 8 }],
    });
    const records = ids.map((id, index) => ({ id, rate: index + 1 }));
    expect((await ask('PUT', 'limit?fields=rate', { resource: records })).body.resource).toEqual([
      { rate: 1 },
      { rate: 2 },
    ]);
    expect((await ask('PATCH', 'limit', { resource: [{ id: 9999, rate: 1 }] })).body.error.code).toBe(1000);
  });
});

describe('deleting', () => {
  const deletions = async (): Promise<unknown[]> =>
    (await ask('GET', 'audit?filter=(resource="limit") and (action="delete")&fields=record_id')).body.resource;

  test('one, several, none, one that is not there', async () => {
    const ids = [(await add({})).id, (await add({ period: 'day' })).id, (await add({ period: 'hour' })).id];
    expect((await ask('DELETE', `limit/${ids[0]}`)).body).toEqual({ id: ids[0] });
    expect((await ask('DELETE', `limit?ids=${ids[1]},${ids[2]}&rollback=true`)).body).toEqual({
      resource: [{ id: ids[1] }, { id: ids[2] }],
    });
    expect((await ask('DELETE', `limit/${ids[0]}`)).body.error.message).toBe(
      `Record with identifier '${ids[0]}' not found.`,
    );
    expect(await ask('DELETE', 'limit')).toMatchObject({
      ...{ status: 400, body: { error: { message: expect.stringMatching(/^No record\(s\) detected in request\. /) } } },
    });
  });

  test('the person, role or service that limits name takes them along, and the audit says so', async () => {
    const user = await create('user', { name: 'Al', email: 'al@example.com', is_active: true });
    const role = await create('role', { name: 'gone', is_active: true });
    const service = await create('service', { name: 'gone', label: 'Gone', type: 'gadget' });
    const service2 = await create('service', { name: 'b', label: 'B', type: 'gadget' });
    await add({ type: 'instance.user', user_id: user });
    await add({ type: 'instance.user.service', user_id: user, service_id: service2 });
    await add({ type: 'instance.role', role_id: role });
    await add({ type: 'instance.service', service_id: service });
    const before = (await deletions()).length;
    const kept = await add({});
    system.takeChanges();
    const left = async () =>
      (await ask('GET', 'limit?fields=type')).body.resource.map((row: { type: string }) => row.type);
    await ask('DELETE', `user/${user}`);
    expect(await left()).toEqual(['instance.role', 'instance.service', 'instance']);
    expect(system.takeChanges()).toContainEqual({ table: 'limit' });
    await ask('DELETE', `role/${role}`);
    expect(await left()).toEqual(['instance.service', 'instance']);
    await ask('DELETE', `service/${service}`);
    expect(await left()).toEqual(['instance']);
    expect((await deletions()).length - before).toBe(4);
    expect((await ask('GET', `limit/${kept.id}`)).status).toBe(200);
  });
});

describe('counters', () => {
  const related = 'related=service_by_service_id,role_by_role_id,user_by_user_id,limit_cache_by_limit_id';

  test('stand in the record, in lists and in what writes answer', async () => {
    const { body } = await post({}, `fields=*&${related}`);
    const [made] = body.resource;
    const entry = { id: made.id, key: 'instance.minute', max: 5, attempts: 0, remaining: 5 };
    expect(made).toMatchObject({ limit_cache_by_limit_id: [entry], service_by_service_id: null });
    expect((await ask('GET', `limit?include_count=true&limit=100&${related}`)).body).toMatchObject({
      ...{ meta: { count: 1 }, resource: [{ limit_cache_by_limit_id: [entry] }] },
    });
    expect((await ask('GET', `limit/${made.id}?${related}`)).body.limit_cache_by_limit_id).toEqual([entry]);
    expect((await ask('PUT', `limit/${made.id}?fields=*&${related}`, { ...made, rate: 7 })).body).toMatchObject({
      ...{ rate: 7, limit_cache_by_limit_id: [{ ...entry, max: 7, remaining: 7 }] },
    });
  });

  test('the service, the role and the person come as objects', async () => {
    const made = (
      await post({ type: 'instance.user.service', user_id: user, service_id: service }, `fields=*&${related}`)
    ).body.resource[0];
    expect(made).toMatchObject({
      ...{ service_by_service_id: { id: service, name: 'shop' }, user_by_user_id: { id: user }, role_by_role_id: null },
    });
  });

  test('of each user: one for every active user who is no administrator', async () => {
    const other = await create('user', { name: 'Kim', email: 'kim@example.com', is_active: true });
    await ask('POST', 'user', { resource: [{ name: 'Off', email: 'off@example.com', is_active: false }] });
    const { id } = await add({ type: 'instance.each_user', verb: 'GET' });
    await add({ period: 'day' });
    const keys = [user, other].map((user) => `instance.each_user:${user}.verb:GET.minute`);
    const { resource } = (await ask('GET', 'limit_cache')).body;
    expect(resource.map(({ key }: { key: string }) => key)).toEqual([...keys, 'instance.day']);
    expect((await ask('GET', `limit_cache/${id}`)).body).toEqual({
      ...{ id, key: keys[0], max: 5, attempts: 0, remaining: 5 },
    });
    expect((await ask('GET', `limit_cache?ids=${id}`)).body.resource).toHaveLength(2);
  });

  test('are read and set back by id, by ids and by records; bad ids are a batch error', async () => {
    const ids = [(await add({})).id, (await add({ period: 'day' })).id];
    const key = (list: { key: string }[]) => list.map(({ key }) => key);
    expect(key((await ask('GET', `limit_cache?ids=${ids.toReversed().join(',')}`)).body.resource)).toEqual([
      'instance.day',
      'instance.minute',
    ]);
    const records = { resource: [{ id: ids[1] }] };
    expect(key((await ask('GET', 'limit_cache', records)).body.resource)).toEqual(['instance.day']);
    expect((await ask('GET', 'limit_cache?as_list=true')).body).toEqual({ resource: ids });
    expect((await ask('GET', `limit_cache?ids=9999,${ids[0]}`)).body.error).toMatchObject({
      ...{ code: 1000, message: 'Batch Error: Not all requested records could be retrieved.' },
      context: { error: [0], resource: [{ message: "Record with identifier '9999' not found." }] },
    });
    expect((await ask('GET', `limit_cache?ids=9999,${ids[0]}&continue=true`)).body.error.context).toMatchObject({
      ...{ error: [0], resource: [{ code: 404 }, { id: ids[0], attempts: 0 }] },
    });
    expect((await ask('DELETE', `limit_cache/${ids[0]}`)).body).toEqual({ id: ids[0] });
    expect((await ask('DELETE', `limit_cache?ids=${ids.join(',')}`)).body).toEqual({
      resource: ids.map((id) => ({ id })),
    });
    expect((await ask('DELETE', 'limit_cache', records)).body).toEqual({ resource: [{ id: ids[1] }] });
    expect((await ask('DELETE', `limit_cache?ids=${ids[0]},9999`)).body.error).toMatchObject({
      ...{ code: 1000, message: 'Batch Error: Not all requested records could be deleted.' },
      context: { error: [1], resource: [{ id: ids[0] }, { code: 404 }] },
    });
    for (const verb of ['GET', 'DELETE'] as const)
      expect(await ask(verb, 'limit_cache/9999')).toMatchObject({
        ...{ status: 404, body: { error: { message: "Record with identifier '9999' not found." } } },
      });
  });

  test('are all set back with force or allow_delete, never without', async () => {
    for (const flag of ['force', 'allow_delete'])
      expect((await ask('DELETE', `limit_cache?${flag}=true`)).body).toEqual({ success: true });
    expect(await ask('DELETE', 'limit_cache')).toMatchObject({
      ...{ status: 400, body: { error: { message: expect.stringMatching(/^No record\(s\) detected in request\. /) } } },
    });
  });

  test.each(['POST', 'PUT', 'PATCH'] as const)('%s is not supported', async (verb) => {
    for (const path of ['limit_cache', 'limit_cache/1']) {
      const { status, body } = await ask(verb, path, { resource: [{ id: 1 }] });
      expect([status, body.error.message]).toEqual([405, expect.stringContaining('not currently supported')]);
    }
  });

  test('of a relation need the right to read counters', async () => {
    await add({});
    const caller = {
      user: aPerson({ id: 2, isAdmin: false }),
      role: {
        ...{ id: 1, name: 'r', isActive: true },
        access: [
          {
            ...{ id: 1, service: 'system', component: 'limit/*', verbMask: 1, requestorMask: 1 },
            ...{ filters: null, filterOp: 'and' },
          },
        ],
      },
    };
    expect((await ask('GET', 'limit', undefined, { caller })).status).toBe(200);
    expect((await ask('GET', `limit?${related}`, undefined, { caller })).status).toBe(403);
  });
});

test('both are resources of the system', async () => {
  const names = (await ask('GET', '')).body.resource.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['limit', 'limit_cache']));
});
