// `POST system/app/_key`: a key is made whole or not at all, opens what was asked for, and gives nobody more than they hold.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let platform: TestPlatform;
let ids: Record<string, number>;
let count = 0;
let name: string;

beforeAll(async () => {
  platform = await startPlatform();
  const field = [
    { name: 'id', type: 'id' },
    { name: 'name', type: 'string' },
  ];
  const tables = ['contact', 'contact_info', 'secret'].map((table) => ({ name: table, field }));
  const made = await platform.ask('POST', 'db/_schema', { body: { resource: tables } });
  if (made.status >= 300) throw new Error(made.text);
  await platform.create('service', {
    name: 'spare',
    type: 'sqlite',
    is_active: true,
    config: { database: 'spare.sqlite' },
  });
  await platform.create('service', {
    name: 'asleep',
    type: 'sqlite',
    is_active: false,
    config: { database: 'a.sqlite' },
  });
  const services: { id: number; name: string }[] = (await platform.ask('GET', 'system/service')).body.resource;
  ids = Object.fromEntries(services.map((service) => [service.name, service.id]));
});
afterAll(() => platform.stop());
beforeEach(() => {
  count += 1;
  name = `key ${count}`;
});

const createKey = (body: unknown, as: object = {}) => platform.ask('POST', 'system/app/_key', { body, ...as });

async function keyFor(request: object): Promise<string> {
  const { status, body, text } = await createKey({ name, ...request });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return body.api_key;
}

/** The statuses of calls with a key alone: `GET db/_table/contact`. */
async function statuses(key: string, calls: string[]): Promise<Record<string, number>> {
  const result: Record<string, number> = {};
  for (const call of calls) {
    const [verb = '', path = ''] = call.split(' ');
    const body = verb === 'GET' ? undefined : { resource: [{ id: 4711, name: 'x' }] };
    result[call] = (await platform.ask(verb, path, { key, token: null, body })).status;
  }
  return result;
}

const recordsOf = async (resource: string, filter: string) =>
  (await platform.ask('GET', `system/${resource}?filter=${encodeURIComponent(filter)}`)).body.resource;

describe('a key', () => {
  test('is a role and an app, both active, that the audit tells of', async () => {
    const { status, body } = await createKey({ name, access: 'read', service: 'db', table: 'contact' });
    expect([status, Object.keys(body)]).toEqual([201, ['app_id', 'role_id', 'name', 'api_key']]);
    expect((await platform.ask('GET', `system/app/${body.app_id}`)).body).toMatchObject({
      name,
      api_key: body.api_key,
      is_active: true,
      type: 0,
      role_id: body.role_id,
    });
    const role = await platform.ask('GET', `system/role/${body.role_id}?related=role_service_access_by_role_id`);
    expect(role.body).toMatchObject({
      name,
      is_active: true,
      role_service_access_by_role_id: [
        { service_id: ids.db, component: '_table/contact/*', verb_mask: 1, requestor_mask: 1 },
      ],
    });
    const entries = await recordsOf('audit', `record_name = ${name}`);
    expect(entries.map((entry: { resource: string }) => entry.resource).sort()).toEqual(['app', 'role']);
    expect(JSON.stringify(entries)).not.toContain(body.api_key);
  });

  test('to read a table opens the records of that table and nothing else', async () => {
    const key = await keyFor({ access: 'read', service: 'DB', table: 'Contact' });
    expect(
      await statuses(key, [
        'GET db/_table/contact',
        'POST db/_table/contact',
        'DELETE db/_table/contact/4711',
        'GET db/_table/contact_info',
        'GET db/_table/secret',
        'GET db/_table',
        'GET db/_schema/contact',
        'GET spare/_table',
        'GET system/app',
        'POST system/app/_key',
      ]),
    ).toEqual({
      'GET db/_table/contact': 200,
      'POST db/_table/contact': 401,
      'DELETE db/_table/contact/4711': 401,
      'GET db/_table/contact_info': 401,
      'GET db/_table/secret': 401,
      'GET db/_table': 401,
      'GET db/_schema/contact': 401,
      'GET spare/_table': 401,
      'GET system/app': 401,
      'POST system/app/_key': 401,
    });
  });

  test('for several tables opens their records, each named once, and nothing else', async () => {
    const tables = ['contact', 'Secret', 'CONTACT'];
    const { status, body } = await createKey({ name, access: 'read', service: 'db', tables });
    expect([status, Object.keys(body)]).toEqual([201, ['app_id', 'role_id', 'name', 'api_key']]);
    const role = await platform.ask('GET', `system/role/${body.role_id}?related=role_service_access_by_role_id`);
    const rows: { component: string }[] = role.body.role_service_access_by_role_id;
    expect(rows.map(({ component }) => component)).toEqual(['_table/contact/*', '_table/secret/*']);
    expect(
      await statuses(body.api_key, [
        'GET db/_table/contact',
        'GET db/_table/secret',
        'POST db/_table/contact',
        'DELETE db/_table/secret/4711',
        'GET db/_table/contact_info',
        'GET db/_table',
        'GET db/_schema/contact',
      ]),
    ).toEqual({
      'GET db/_table/contact': 200,
      'GET db/_table/secret': 200,
      'POST db/_table/contact': 401,
      'DELETE db/_table/secret/4711': 401,
      'GET db/_table/contact_info': 401,
      'GET db/_table': 401,
      'GET db/_schema/contact': 401,
    });
  });

  test('with a limit has so many calls in a period, counted together; another key has its own', async () => {
    const limit = { rate: 2, period: 'hour' };
    const { status, body } = await createKey({ name, access: 'read', service: 'db', tables: ['contact'], limit });
    expect([status, body]).toEqual([201, expect.objectContaining({ limit_id: expect.any(Number) })]);
    expect((await platform.ask('GET', `system/limit/${body.limit_id}`)).body).toMatchObject({
      ...{ ...limit, name, type: 'instance.role', role_id: body.role_id, is_active: true },
      ...{ user_id: null, service_id: null, endpoint: null, verb: null },
    });
    const other = await createKey({ name: `${name} too`, access: 'read', service: 'db', tables: ['contact'], limit });
    const get = async (key: string, path: string) => (await platform.ask('GET', path, { key, token: null })).status;
    // A refused call is not counted.
    expect(await get(body.api_key, 'db/_table/secret')).toBe(401);
    expect(await get(body.api_key, 'db/_table/contact')).toBe(200);
    expect(await get(body.api_key, 'db/_table/contact?limit=1')).toBe(200);
    expect(await get(body.api_key, 'db/_table/contact')).toBe(429);
    expect(await get(other.body.api_key, 'db/_table/contact')).toBe(200);
    const entries = await recordsOf('audit', `record_name = ${name}`);
    expect(entries.map((entry: { resource: string }) => entry.resource).sort()).toEqual(['app', 'limit', 'role']);
    // Deleted with the role.
    expect((await platform.ask('DELETE', `system/app/${body.app_id}`)).status).toBe(200);
    expect((await platform.ask('DELETE', `system/role/${body.role_id}`)).status).toBe(200);
    expect((await platform.ask('GET', `system/limit/${body.limit_id}`)).status).toBe(404);
  });

  test('to write a table opens its records to every verb', async () => {
    const key = await keyFor({ access: 'write', service: 'db', table: 'contact' });
    expect(
      await statuses(key, [
        'POST db/_table/contact',
        'PATCH db/_table/contact/4711',
        'PUT db/_table/contact/4711',
        'GET db/_table/contact/4711',
        'DELETE db/_table/contact/4711',
        'DELETE db/_schema/contact',
      ]),
    ).toEqual({
      'POST db/_table/contact': 200,
      'PATCH db/_table/contact/4711': 200,
      'PUT db/_table/contact/4711': 200,
      'GET db/_table/contact/4711': 200,
      'DELETE db/_table/contact/4711': 200,
      'DELETE db/_schema/contact': 401,
    });
  });

  test('for a service opens its tables and what describes them, not its schema', async () => {
    const key = await keyFor({ access: 'write', service: 'db' });
    expect(
      await statuses(key, [
        'GET db',
        'GET db/_table',
        'POST db/_table/secret',
        'DELETE db/_table/secret/4711',
        'GET db/_schema/secret',
        'POST db/_schema',
        'DELETE db/_schema/secret',
        'GET spare/_table',
      ]),
    ).toEqual({
      'GET db': 200,
      'GET db/_table': 200,
      'POST db/_table/secret': 200,
      'DELETE db/_table/secret/4711': 200,
      'GET db/_schema/secret': 200,
      'POST db/_schema': 401,
      'DELETE db/_schema/secret': 401,
      'GET spare/_table': 401,
    });
  });

  test('for everything opens every service that holds data, and no administration', async () => {
    const key = await keyFor({ access: 'write' });
    expect(
      await statuses(key, [
        'GET db/_table',
        'GET spare/_table',
        'POST db/_schema',
        'GET system',
        'GET system/app',
        'POST system/role',
        'GET user',
        'GET user/profile',
      ]),
    ).toEqual({
      'GET db/_table': 200,
      'GET spare/_table': 200,
      'POST db/_schema': 401,
      'GET system': 401,
      'GET system/app': 401,
      'POST system/role': 401,
      'GET user': 401,
      'GET user/profile': 401,
    });
    expect((await platform.ask('PATCH', `system/service/${ids.asleep}`, { body: { is_active: true } })).status).toBe(
      200,
    );
    expect(await statuses(key, ['GET asleep/_table'])).toEqual({ 'GET asleep/_table': 200 });
    await platform.ask('PATCH', `system/service/${ids.asleep}`, { body: { is_active: false } });
  });
});

describe('a 400 names the field, and leaves nothing:', () => {
  const taken = 'The name has already been taken.';
  test.each([
    ['no body', undefined, 'name', 'The name field is required.'],
    ['a list', [], 'name', 'The name field is required.'],
    ['no name', { access: 'read' }, 'name', 'The name field is required.'],
    ['a name that is no text', { name: 7, access: 'read' }, 'name', 'The name must be a string.'],
    [
      'a long name',
      { name: 'x'.repeat(65), access: 'read' },
      'name',
      'The name may not be greater than 64 characters.',
    ],
    ['no access', { name: 'new' }, 'access', 'The access must be read or write.'],
    ['another access', { name: 'new', access: 'all' }, 'access', 'The access must be read or write.'],
    [
      'a table alone',
      { name: 'new', access: 'read', table: 'contact' },
      'service',
      'The service field is required with a table.',
    ],
    [
      'an unknown service',
      { name: 'new', access: 'read', service: 'constructor' },
      'service',
      "There is no service 'constructor'.",
    ],
    [
      'an inactive service',
      { name: 'new', access: 'read', service: 'asleep' },
      'service',
      "The service 'asleep' is not active.",
    ],
    [
      'a service without data',
      { name: 'new', access: 'read', service: 'system' },
      'service',
      "The service 'system' holds no data.",
    ],
    [
      'a table of a service without',
      { name: 'new', access: 'read', service: 'user', table: 'x' },
      'table',
      "The service 'user' has no tables.",
    ],
    [
      'an unknown table',
      { name: 'new', access: 'read', service: 'db', table: 'gone' },
      'table',
      'Table "gone" does not exist in the database.',
    ],
    [
      'a long table',
      { name: 'new', access: 'read', service: 'db', table: 'x'.repeat(247) },
      'table',
      'The table may not be greater than 246 characters.',
    ],
    ...(
      [
        ['tables alone', { tables: ['contact'] }, 'service', 'The service field is required with tables.'],
        [
          'a table and tables',
          { service: 'db', table: 'secret', tables: ['contact'] },
          'tables',
          'Send a table or tables, not both.',
        ],
        ['no tables', { service: 'db', tables: [] }, 'tables', 'The tables must be a list of names.'],
        [
          'tables that are a text',
          { service: 'db', tables: 'contact' },
          'tables',
          'The tables must be a list of names.',
        ],
        [
          'a table that is no text',
          { service: 'db', tables: ['contact', 7] },
          'tables',
          'The tables must be a list of names.',
        ],
        ['a table without a name', { service: 'db', tables: [''] }, 'tables', 'The tables must be a list of names.'],
        [
          'too many tables',
          { service: 'db', tables: Array(101).fill('contact') },
          'tables',
          'The tables may not be more than 100.',
        ],
        [
          'a long name among tables',
          { service: 'db', tables: ['x'.repeat(247)] },
          'tables',
          'A table may not be greater than 246 characters.',
        ],
        [
          'an unknown one among tables',
          { service: 'db', tables: ['contact', 'gone'] },
          'tables',
          'Table "gone" does not exist in the database.',
        ],
        [
          'tables of a service without',
          { service: 'user', tables: ['x'] },
          'tables',
          "The service 'user' has no tables.",
        ],
        ['a limit that is none', { limit: 60 }, 'limit', 'The limit must have a rate and a period.'],
        [
          'a limit without a rate',
          { limit: { period: 'hour' } },
          'limit.rate',
          'The rate must be a whole number from 1 to 2147483647.',
        ],
        [
          'a rate of nothing',
          { limit: { rate: 0, period: 'hour' } },
          'limit.rate',
          'The rate must be a whole number from 1 to 2147483647.',
        ],
        [
          'a rate in part',
          { limit: { rate: 1.5, period: 'hour' } },
          'limit.rate',
          'The rate must be a whole number from 1 to 2147483647.',
        ],
        [
          'a rate in quotes',
          { limit: { rate: '60', period: 'hour' } },
          'limit.rate',
          'The rate must be a whole number from 1 to 2147483647.',
        ],
        [
          'a rate no store has room for',
          { limit: { rate: 2 ** 31, period: 'hour' } },
          'limit.rate',
          'The rate must be a whole number from 1 to 2147483647.',
        ],
        ['a limit without a period', { limit: { rate: 60 } }, 'limit.period', 'The selected period is invalid.'],
        [
          'an unknown period',
          { limit: { rate: 60, period: 'constructor' } },
          'limit.period',
          'The selected period is invalid.',
        ],
      ] as [string, object, string, string][]
    ).map(([title, more, field, message]): [string, object, string, string] => [
      ...([title, { name: 'new', access: 'read', ...more }, field, message] as [string, object, string, string]),
    ]),
    ['the name of a role', { name: 'Role Only', access: 'read' }, 'name', taken],
    ['the name of an app', { name: 'App Only', access: 'read' }, 'name', taken],
  ])('%s', async (_, body, field, message) => {
    if (message === taken && (await recordsOf('role', 'name = role only')).length === 0) {
      await platform.create('role', { name: 'role only' });
      await platform.create('app', { name: 'app only' });
    }
    const everything = () => Promise.all(['role', 'app', 'limit'].map((resource) => recordsOf(resource, 'id > 0')));
    const before = await everything();
    const answer = await createKey(body);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.objectContaining({ message: `Invalid data supplied. ${message}`, context: { [field]: [message] } }),
    ]);
    expect(await everything()).toEqual(before);
  });

  test('a limit that the store refuses takes role and app along', async () => {
    const everything = () => Promise.all(['role', 'app', 'limit'].map((resource) => recordsOf(resource, 'id > 0')));
    const before = await everything();
    await platform.store.db.schema.alterTable('limit').renameTo('limit_away').execute();
    const answer = await createKey({ name, access: 'read', service: 'db', limit: { rate: 1, period: 'day' } }).finally(
      () => platform.store.db.schema.alterTable('limit_away').renameTo('limit').execute(),
    );
    expect(answer.status).toBe(500);
    expect(await everything()).toEqual(before);
  });

  test('of several who take a name at once one has it', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => createKey({ name, access: 'read', service: 'db' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await recordsOf('role', `name = ${name}`)).toHaveLength(1);
  });
});

describe('who is no administrator', () => {
  const rows = (...components: [string, string, number, object?][]) =>
    components.map(([service, component, verb_mask, more]) => ({
      service_id: ids[service],
      component,
      verb_mask,
      requestor_mask: 1,
      ...more,
    }));
  /** Somebody signed in by a role with these rows. */
  async function personWith(access: object[]): Promise<{ token: string; key: string }> {
    const role = await platform.create('role', {
      name: `role of ${name}`,
      is_active: true,
      role_service_access_by_role_id: access,
    });
    const app = await platform.create('app', { name: `app of ${name}`, is_active: true, role_id: role.id });
    const person = { email: `person${count}@example.com`, password: 'pass word' };
    await platform.create('user', {
      ...person,
      user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
    });
    const session = await platform.ask('POST', 'user/session', { body: person, token: null });
    return { token: session.body.session_token, key: String(app.api_key) };
  }
  const exceeds = /^Nobody can give more than their own role gives/;

  test.each([
    [
      'without _key',
      [
        ['system', 'app', 31],
        ['system', 'role', 31],
      ],
      /app\/_key/,
    ],
    [
      'without POST on roles',
      [
        ['system', 'app/*', 31],
        ['system', 'role/*', 13],
      ],
      /^POST access to component 'role'/,
    ],
    [
      'without POST on apps',
      [
        ['system', 'app/_key', 31],
        ['system', 'app', 13],
        ['system', 'role/*', 31],
      ],
      /^POST access to component 'app'/,
    ],
    [
      'with a limit, but without POST on limits',
      [
        ['system', 'app/*', 31],
        ['system', 'role/*', 31],
        ['system', 'limit/*', 13],
      ],
      /^POST access to component 'limit'/,
      { limit: { rate: 60, period: 'minute' } },
    ],
  ] as [string, [string, string, number][], RegExp, object?][])('%s makes no key', async (_, access, message, more) => {
    const person = await personWith(rows(...access, ['db', '*', 31]));
    const answer = await createKey({ name, access: 'read', service: 'db', ...more }, person);
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringMatching(message)]);
  });

  test('gives no more than they hold, and learns nothing of what they may not see', async () => {
    const person = await personWith(
      rows(
        ['system', 'app/*', 31],
        ['system', 'role/*', 31],
        ['db', '_table/contact/*', 1],
        ['db', '_table/contact_info/*', 31, { filters: [{ name: 'name', operator: '=', value: 'x' }] }],
      ),
    );
    const refusal = async (request: object) => {
      const { status, body } = await createKey({ name, ...request }, person);
      return [status, body.error?.message];
    };
    expect(await refusal({ access: 'write', service: 'db', table: 'contact' })).toEqual([
      403,
      expect.stringMatching(exceeds),
    ]);
    expect(await refusal({ access: 'read', service: 'db', table: 'contact_info' })).toEqual([
      403,
      expect.stringMatching(/record filter/),
    ]);
    expect(await refusal({ access: 'read', service: 'db' })).toEqual([403, expect.stringMatching(exceeds)]);
    expect(await refusal({ access: 'read' })).toEqual([403, expect.stringMatching(exceeds)]);
    const hidden = await refusal({ access: 'read', service: 'db', table: 'secret' });
    const missing = await refusal({ access: 'read', service: 'db', table: 'nothing' });
    expect([hidden[0], missing[0], String(missing[1]).replace('nothing', 'secret')]).toEqual([403, 403, hidden[1]]);
    expect(await refusal({ access: 'read', service: 'spare' })).toEqual([
      400,
      "Invalid data supplied. There is no service 'spare'.",
    ]);
    const together = await refusal({ access: 'read', service: 'db', tables: ['contact', 'secret'] });
    expect(together).toEqual(hidden);
    expect(await refusal({ access: 'read', service: 'db', tables: ['contact', 'contact_info'] })).toEqual([
      403,
      expect.stringMatching(/record filter/),
    ]);
    expect(await recordsOf('role', `name = ${name}`)).toEqual([]);
    const own = await createKey({ name, access: 'read', service: 'db', table: 'contact' }, person);
    expect(own.status).toBe(201);
    expect(await statuses(own.body.api_key, ['GET db/_table/contact'])).toEqual({ 'GET db/_table/contact': 200 });
  });
});
