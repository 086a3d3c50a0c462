// Attacks by people who may write system resources and want more than their role gives. Each is refused, whatever way it
// takes, and leaves everything as it was; what stays within their own role is done.
import { secretMask, type Verb } from '@sluice/contract';
import { aCall, aPerson } from '@sluice/testkit/call';
import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadAccessRows } from '../../identity/directory.ts';

let system: TestSystem;
let ids: { db: number; hr: number; own: number; small: number; big: number; app: number; me: number; other: number };

const filter = { name: 'region', operator: '=', value: '{region}' };
type Row = Record<string, unknown>;

/** The rows the attacker's role has: all of the administration, and a part of two databases. */
const ownRows = (): Row[] => [
  ...['user', 'role', 'app', 'admin', 'service', 'lookup'].map((name) => ({
    service_id: 1,
    component: `${name}/*`,
    verb_mask: 31,
  })),
  { service_id: ids.db, component: '*', verb_mask: 3 },
  { service_id: ids.db, component: '_table/secret', verb_mask: 0 },
  { service_id: ids.db, component: '_table/sale/*', verb_mask: 1, filters: [filter] },
];

async function create(resource: string, record: Row): Promise<number> {
  const { status, body } = await system.ask('POST', resource, { resource: [record] });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.resource[0].id;
}

beforeEach(async () => {
  system = await startSystem();
  ids = {} as typeof ids;
  const { id: db } = (await system.ask('GET', 'service?filter=name = db')).body.resource[0];
  ids.db = db;
  ids.hr = await create('service', { name: 'hr', type: 'gadget', is_active: true });
  const role = (name: string, rows: Row[]) =>
    create('role', { name, is_active: true, role_service_access_by_role_id: rows });
  ids.own = await role('own', ownRows());
  ids.small = await role('small', [{ service_id: ids.db, component: '_table/contact/*', verb_mask: 1 }]);
  ids.big = await role('big', [{ service_id: ids.hr, component: '*', verb_mask: 31 }]);
  ids.app = await create('app', { name: 'shop', is_active: true });
  const person = (name: string, role_id: number) =>
    create('user', {
      email: `${name}@example.com`,
      password: 'pass word',
      user_to_app_to_role_by_user_id: [{ app_id: ids.app, role_id }],
    });
  ids.me = await person('me', ids.own);
  ids.other = await person('other', ids.big);
});
afterEach(() => system.close());

/** Calls as the attacker, whose role was cached before the call. */
async function askAsMe(verb: Verb, path: string, body?: unknown) {
  const access = await loadAccessRows(system.store.db, ids.own);
  const caller = {
    user: aPerson({ id: ids.me, isAdmin: false }),
    app: { id: ids.app, name: 'shop', apiKey: 'k', roleId: null },
    role: { id: ids.own, name: 'own', isActive: true, access },
    hasSentKey: true,
    hasSentToken: true,
  };
  return system.ask(verb, path, body, { caller });
}

/** All that could be won, as the store has it. */
async function readEverything(): Promise<unknown> {
  const { db } = system.store;
  const tables = ['role', 'role_service_access', 'user_to_app_to_role', 'user', 'app', 'lookup', 'service'] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute()));
  return Object.fromEntries(tables.map((table, index) => [table, rows[index]]));
}

const messageOf = ({ body }: { body: Row }): string => {
  const error = body.error as { message: string; context?: { resource?: { message?: string }[] } } | undefined;
  return error?.context?.resource?.at(-1)?.message ?? error?.message ?? '';
};

/** A call that is refused, in a batch as alone, and changes nothing. */
async function expectRefused(verb: Verb, path: string, body: unknown, text: RegExp | string): Promise<void> {
  const before = await readEverything();
  const response = await askAsMe(verb, path, body);
  expect([response.status >= 400 && response.status < 500, messageOf(response)]).toEqual([
    true,
    typeof text === 'string' ? text : expect.stringMatching(text),
  ]);
  expect(await readEverything()).toEqual(before);
}

async function expectAllowed(verb: Verb, path: string, body: unknown): Promise<void> {
  const response = await askAsMe(verb, path, body);
  expect([response.status < 300, messageOf(response)]).toEqual([true, '']);
}

const escalationRefusal = /^Nobody can give more than their own role gives: /;
const rowsOf = async (role: number) =>
  (await system.ask('GET', `role/${role}?related=role_service_access_by_role_id`)).body.role_service_access_by_role_id;
const withRows = (...rows: Row[]) => ({ role_service_access_by_role_id: rows });

describe('a row of service access', () => {
  const cases: [string, () => Row, RegExp][] = [
    ['of a service they have nothing on', () => ({ service_id: ids.hr, component: '*', verb_mask: 1 }), /GET .*'hr'/],
    ['of all services', () => ({ service_id: null, component: '*', verb_mask: 1 }), /GET .* of all services/],
    [
      'with a verb more',
      () => ({ service_id: ids.db, component: '_table/x', verb_mask: 4 }),
      /PUT on component '_table\/x' of service 'db' is missing/,
    ],
    ['over what is denied them', () => ({ service_id: ids.db, component: '*', verb_mask: 1 }), /_table\/secret/],
    ['of just that', () => ({ service_id: ids.db, component: '_Table/Secret/', verb_mask: 1 }), /_table\/secret/],
    [
      'for scripts',
      () => ({ service_id: ids.db, component: '_table/x', verb_mask: 1, requestor_mask: 3 }),
      escalationRefusal,
    ],
    ['without their filter', () => ({ service_id: ids.db, component: '_table/sale', verb_mask: 1 }), /record filter/],
    [
      'with another filter',
      () => ({ service_id: ids.db, component: '_table/sale', verb_mask: 1, filters: [{ ...filter, value: 'eu' }] }),
      /record filter/,
    ],
    [
      'with their filter or another',
      () => ({
        service_id: ids.db,
        component: '_table/sale',
        verb_mask: 1,
        filters: [filter, { ...filter, value: 'eu' }],
        filter_op: 'OR',
      }),
      /record filter/,
    ],
  ];

  test.each(cases)('%s is refused to every role, their own first', async (_title, row, text) => {
    for (const role of [ids.own, ids.small]) {
      await expectRefused('PATCH', `role/${role}`, withRows(row()), text);
      await expectRefused('PATCH', `role?ids=${role}&rollback=true`, { resource: [withRows(row())] }, text);
      await expectRefused(
        'PATCH',
        'service/1',
        {
          role_service_access_by_service_id: [
            { ...row(), service_id: 1, role_id: role, component: '*', verb_mask: 31 },
          ],
        },
        escalationRefusal,
      );
    }
    await expectRefused('POST', 'role', { resource: [{ name: 'new', ...withRows(row()) }] }, text);
    await expectRefused(
      'POST',
      'role?continue=true',
      { resource: [{ name: 'new', is_active: false, ...withRows(row()) }] },
      text,
    );
  });

  test.each<[string, () => Row]>([
    ['within their own', () => ({ service_id: ids.db, component: '_table/contact/*', verb_mask: 3 })],
    [
      'with their filter and one more',
      () => ({
        service_id: ids.db,
        component: '_table/sale',
        verb_mask: 1,
        filters: [{ name: 'x', operator: '=', value: 1 }, filter],
      }),
    ],
    ['of no verb', () => ({ service_id: ids.hr, component: '*', verb_mask: 0 })],
  ])('%s is given', async (_title, row) => {
    await expectAllowed('POST', 'role', { resource: [{ name: 'new', is_active: true, ...withRows(row()) }] });
    await expectAllowed('PATCH', `role/${ids.small}`, withRows(row()));
  });

  test('changed to give more is refused: verbs, component, service, filters, requestor, role', async () => {
    await expectAllowed(
      'PATCH',
      `role/${ids.small}`,
      withRows({ service_id: ids.db, component: '_table/sale', verb_mask: 1, filters: [filter] }),
    );
    const [contact, sale] = await rowsOf(ids.small);
    for (const change of [
      { verb_mask: 31 },
      { verb_mask: 17 },
      { component: '*' },
      { service_id: ids.hr },
      { service_id: null, component: '*' },
      { requestor_mask: 3 },
    ])
      await expectRefused('PATCH', `role/${ids.small}`, withRows({ id: contact.id, ...change }), escalationRefusal);
    for (const change of [
      { filters: [] },
      { filters: null },
      { filters: 'x' },
      { filters: { a: 1 } },
      { filters: [{ ...filter, operator: '!=' }] },
    ])
      await expectRefused('PATCH', `role/${ids.small}`, withRows({ id: sale.id, ...change }), escalationRefusal);
    await expectAllowed('PATCH', `role/${ids.small}`, withRows({ ...contact, verb_mask: 3 }, sale));
  });

  test('of a bigger role is sent back, taken away or made less, never moved to another', async () => {
    await system.ask(
      'PATCH',
      `role/${ids.big}`,
      withRows({ service_id: ids.hr, component: '_table/x', verb_mask: 31 }),
    );
    const [row, second] = await rowsOf(ids.big);
    // What it still gives is more than the caller holds, and was so before.
    await expectAllowed('PATCH', `role/${ids.big}`, withRows({ id: second.id, role_id: null }));
    await expectAllowed('PATCH', `role/${ids.big}`, { description: 'x', ...withRows(row) });
    for (const role of [ids.own, ids.small])
      await expectRefused('PATCH', `role/${ids.big}`, withRows({ id: row.id, role_id: role }), escalationRefusal);
    await expectRefused('PATCH', `role/${ids.big}`, withRows({ id: row.id, verb_mask: 3 }), escalationRefusal);
    await expectAllowed('PATCH', `role/${ids.big}`, withRows({ id: row.id, verb_mask: 0 }));
    await expectAllowed('PATCH', `role/${ids.big}`, withRows({ id: row.id, role_id: null }));
  });

  test('that denies stays: not deleted, changed, moved, renamed away or undone by another', async () => {
    const rows: Row[] = await rowsOf(ids.own);
    const denial = rows.find((row) => row.component === '_table/secret') as Row;
    const sale = rows.find((row) => row.component === '_table/sale/*') as Row;
    await expectRefused('PATCH', `role/${ids.own}`, withRows({ id: denial.id, role_id: null }), /_table\/secret/);
    await expectRefused('PATCH', `role/${ids.own}`, withRows({ id: denial.id, role_id: ids.small }), /_table\/secret/);
    for (const change of [
      { component: '_table/other' },
      { service_id: ids.hr },
      { requestor_mask: 2 },
      { verb_mask: 1 },
    ])
      await expectRefused('PATCH', `role/${ids.own}`, withRows({ id: denial.id, ...change }), /_table\/secret/);
    await expectRefused('PATCH', `role/${ids.own}`, withRows({ id: sale.id, role_id: null }), /_table\/sale/);
    await expectRefused(
      'PATCH',
      `role/${ids.own}`,
      withRows({ id: sale.id, verb_mask: 0 }, { service_id: ids.db, component: '_table/sale', verb_mask: 1 }),
      escalationRefusal,
    );
    // The service's other name is no other service.
    await expectRefused(
      'PATCH',
      `service/${ids.db}`,
      {
        name: 'db2',
        role_service_access_by_service_id: [{ role_id: ids.small, component: '_table/secret', verb_mask: 1 }],
      },
      /_table\/secret/,
    );
  });

  test('may be replaced by one that says the same, in one call', async () => {
    const rows: Row[] = await rowsOf(ids.own);
    const denial = rows.find((row) => row.component === '_table/secret') as Row;
    await expectAllowed(
      'PATCH',
      `role/${ids.own}`,
      withRows({ id: denial.id, role_id: null }, { service_id: ids.db, component: '_table/secret', verb_mask: 0 }),
    );
  });

  test('is not judged when an administrator writes it', async () => {
    const row = { service_id: null, component: '*', verb_mask: 31, requestor_mask: 3 };
    expect((await system.ask('PATCH', `role/${ids.small}`, withRows(row))).status).toBe(200);
  });

  test('counts as it is now, not as the caller was found', async () => {
    const caller = {
      user: aPerson({ id: ids.me, isAdmin: false }),
      role: { id: ids.own, name: 'own', isActive: true, access: await loadAccessRows(system.store.db, ids.own) },
    };
    const give = () =>
      system.ask('PATCH', `role/${ids.small}`, withRows({ service_id: ids.db, component: '_table/x', verb_mask: 1 }), {
        caller,
      });
    await system.ask('PATCH', `role/${ids.own}`, { is_active: false });
    expect(messageOf(await give())).toMatch(escalationRefusal);
    await system.ask('PATCH', `role/${ids.own}`, { is_active: true });
    expect((await give()).status).toBe(200);
  });
});

describe('a role that gives more', () => {
  test('is assigned to nobody, through people, apps or roles, new ones and old', async () => {
    const path = 'user_to_app_to_role_by';
    const assignment = { app_id: ids.app, role_id: ids.big };
    const [mine] = (await system.ask('GET', `user/${ids.me}?related=${path}_user_id`)).body[`${path}_user_id`];
    await expectRefused(
      'PATCH',
      `user/${ids.me}`,
      { [`${path}_user_id`]: [{ id: mine.id, role_id: ids.big }] },
      /'hr'/,
    );
    await expectRefused(
      'POST',
      'user',
      { resource: [{ email: 'new@example.com', [`${path}_user_id`]: [assignment] }] },
      /'hr'/,
    );
    await expectRefused('PATCH', `app/${ids.app}`, { [`${path}_app_id`]: [{ id: mine.id, role_id: ids.big }] }, /'hr'/);
    await expectRefused(
      'POST',
      'app',
      { resource: [{ name: 'new', [`${path}_app_id`]: [{ user_id: ids.me, role_id: ids.big }] }] },
      /'hr'/,
    );
    await expectRefused('PATCH', `role/${ids.big}`, { [`${path}_role_id`]: [{ user_id: ids.me, app_id: 1 }] }, /'hr'/);
    await expectRefused(
      'PATCH',
      `role/${ids.own}`,
      { [`${path}_role_id`]: [{ id: mine.id, role_id: ids.big }] },
      /'hr'/,
    );
    const [theirs] = (await system.ask('GET', `user/${ids.other}?related=${path}_user_id`)).body[`${path}_user_id`];
    await expectRefused(
      'PATCH',
      `user/${ids.other}`,
      { [`${path}_user_id`]: [{ id: theirs.id, user_id: ids.me, app_id: 1 }] },
      /'hr'/,
    );
    await expectRefused('PATCH', `user/${ids.other}`, { [`${path}_user_id`]: [{ id: theirs.id, app_id: 1 }] }, /'hr'/);
    await expectAllowed('PATCH', `user/${ids.other}`, { [`${path}_user_id`]: [theirs] });
    await expectAllowed('PATCH', `user/${ids.other}`, { [`${path}_user_id`]: [{ id: theirs.id, role_id: ids.small }] });
  });

  test('is not filled after it was given, all in one call', async () => {
    const row = { service_id: ids.hr, component: '*', verb_mask: 31 };
    const assignment = { user_to_app_to_role_by_role_id: [{ user_id: ids.me, app_id: 1 }] };
    await expectRefused(
      'POST',
      'role',
      { resource: [{ name: 'new', is_active: true, ...assignment, ...withRows(row) }] },
      /'hr'/,
    );
    await expectRefused(
      'POST',
      'role?rollback=true',
      {
        resource: [
          { name: 'new', ...assignment },
          { name: 'second', ...withRows(row) },
        ],
      },
      /'hr'/,
    );
  });

  test('becomes the default of no app, by its field or by the role', async () => {
    await expectRefused('PATCH', `app/${ids.app}`, { role_id: ids.big }, /'hr'/);
    await expectRefused('POST', 'app', { resource: [{ name: 'new', role_id: ids.big }] }, /'hr'/);
    await expectRefused('PATCH', `role/${ids.big}`, { app_by_role_id: [{ name: 'new' }] }, /'hr'/);
    await expectRefused('PATCH', `role/${ids.big}`, { app_by_role_id: [{ id: ids.app, role_id: ids.big }] }, /'hr'/);
    await expectAllowed('PATCH', `app/${ids.app}`, { role_id: ids.small });
  });

  test('gives its app no key of their choice, and the app is not switched on', async () => {
    await system.ask('PATCH', `app/${ids.app}`, { role_id: ids.big, is_active: false });
    await expectRefused('PATCH', `app/${ids.app}`, { api_key: 'k'.repeat(64) }, /'hr'/);
    await expectRefused('PATCH', `app/${ids.app}?regenerate=true`, {}, /'hr'/);
    await expectRefused('PATCH', `app/${ids.app}`, { is_active: true }, /'hr'/);
    await expectAllowed('PATCH', `app/${ids.app}`, { description: 'x', role_id: ids.big, is_active: false });
    await expectRefused(
      'PATCH',
      `app/${ids.app}`,
      { role_id: null },
      /only an administrator may take it from its apps/,
    );
  });

  test('is not switched on', async () => {
    await system.ask('PATCH', `role/${ids.big}`, { is_active: false });
    await expectRefused('PATCH', `role/${ids.big}`, { is_active: true }, /'hr'/);
    await expectRefused('PATCH', `role/${ids.big}`, { is_active: 1 }, /'hr'/);
    await expectAllowed('PATCH', `role/${ids.small}`, { is_active: false });
    await expectAllowed('PATCH', `role/${ids.small}`, { is_active: true });
  });
});

describe('people', () => {
  test('administrators are neither made nor changed nor deleted', async () => {
    const text = 'Only administrators may create, change or delete administrators.';
    await expectRefused('POST', 'admin', { resource: [{ email: 'new@example.com', password: 'pass word' }] }, text);
    await expectRefused('PATCH', 'admin/1', { password: 'pass word' }, text);
    await expectRefused('PUT', 'admin?ids=1', { resource: [{ email: 'me2@example.com' }] }, text);
    await expectRefused('PATCH', 'admin/1', { lookup_by_user_id: [{ name: 'x', value: 'y' }] }, text);
    await expectRefused('DELETE', 'admin/1', undefined, text);
    await expectRefused('DELETE', 'admin?force=true', undefined, text);
    await expectRefused('PATCH', 'user/1', { password: 'pass word' }, /admin/);
  });

  test.each(['password', 'security_question', 'security_answer'])(
    '%s of another is not theirs to set',
    async (field) => {
      const small = await create('user', { email: 'small@example.com' });
      for (const id of [ids.other, small]) {
        await expectRefused(
          'PATCH',
          `user/${id}`,
          { [field]: 'something' },
          /^Only administrators may set the password/,
        );
        await expectRefused(
          'PUT',
          'user',
          { resource: [{ id, [field]: 'something' }] },
          /^Only administrators may set/,
        );
      }
      await expectRefused('PATCH', `user/${ids.me}`, { [field]: 'something' }, /^Your own password/);
      await expectAllowed('POST', 'user', { resource: [{ email: 'new@example.com', [field]: 'something' }] });
    },
  );

  test('nobody with more rights is signed in as by another address or provider, or let in again', async () => {
    for (const field of ['email', 'username', 'ldap_username', 'adldap', 'oauth_provider', 'saml'])
      await expectRefused('PATCH', `user/${ids.other}`, { [field]: 'mine@example.com' }, /'hr'/);
    await expectAllowed('PATCH', `user/${ids.other}`, { phone: '1', email: 'other@example.com' });
    await expectAllowed('PATCH', `user/${ids.other}`, { is_active: false });
    await expectRefused('PATCH', `user/${ids.other}`, { is_active: true }, /'hr'/);
    const peer = await create('user', {
      email: 'peer@example.com',
      user_to_app_to_role_by_user_id: [{ app_id: ids.app, role_id: ids.own }],
    });
    // Their filter goes by a key of their own: being them is more than having their role.
    await expectRefused('PATCH', `user/${peer}`, { email: 'mine@example.com' }, /record filter/);
    const small = await create('user', {
      email: 'small@example.com',
      user_to_app_to_role_by_user_id: [{ app_id: ids.app, role_id: ids.small }],
    });
    await expectAllowed('PATCH', `user/${small}`, { email: 'smaller@example.com' });
    await expectAllowed('PATCH', `user/${ids.me}`, { email: 'me2@example.com', is_sys_admin: true });
    const admins = await system.store.db.selectFrom('user').select('id').where('is_sys_admin', '=', 1).execute();
    expect(admins).toEqual([{ id: 1 }]);
  });
});

describe('abuse: what many ask at once', () => {
  const text = 'Only an administrator may change or give a role of more than 2000 rows of access.';
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ service_id: ids.db, component: `_table/t${index}`, verb_mask: 1 }));

  test('a role has no more than 2,000 rows, in one call or one after the other', async () => {
    const [one, more] = [rows(2000), rows(2001)];
    await expectRefused('POST', 'role', { resource: [{ name: 'new', ...withRows(...more) }] }, text);
    await expectAllowed('POST', 'role', { resource: [{ name: 'new', ...withRows(...one) }] });
    const { id } = (await system.ask('GET', 'role?filter=name = new')).body.resource[0];
    const added = { service_id: ids.db, component: '_table/last', verb_mask: 1 };
    await expectRefused('PATCH', `role/${id}`, withRows(added), text);
    expect((await system.ask('PATCH', `role/${id}`, withRows(added))).status).toBe(200);
    const assignment = { user_to_app_to_role_by_user_id: [{ app_id: ids.app, role_id: id }] };
    await expectRefused('POST', 'user', { resource: [{ email: 'new@example.com', ...assignment }] }, text);
    await system.ask('PATCH', `app/${ids.app}`, { role_id: id });
    const app = await askAsMe('GET', `app/${ids.app}`);
    expect([app.status, app.body.api_key]).toEqual([200, secretMask]);
  });

  test('what many records ask is read once, until rows are written', async () => {
    const queries = vi.spyOn(Object.getPrototypeOf(DefaultQueryExecutor.prototype), 'executeQuery');
    // One more reads what the caller holds as the call begins.
    const countReads = async (call: () => Promise<void>) => {
      queries.mockClear();
      await call();
      const texts = queries.mock.calls.map(([query]) => (query as CompiledQuery).sql);
      return texts.filter((text) => text.startsWith('select') && text.includes('role_service_access')).length;
    };
    const keys = Array.from({ length: 100 }, (_, index) => ({ name: `key${index}`, value: 'x' }));
    expect(await countReads(() => expectAllowed('POST', 'lookup', { resource: keys }))).toBe(3);
    const assignment = { user_to_app_to_role_by_user_id: [{ app_id: ids.app, role_id: ids.small }] };
    const people = keys.map(({ name }) => ({ email: `${name}@example.com`, ...assignment }));
    expect(await countReads(() => expectAllowed('POST', 'user', { resource: people }))).toBe(3);
    const changes = (await system.ask('GET', 'user?fields=id&filter=email like key%')).body.resource.map(
      ({ id }: { id: number }) => ({ id, username: `changed${id}` }),
    );
    expect(changes).toHaveLength(100);
    expect(await countReads(() => expectAllowed('PATCH', 'user', { resource: changes }))).toBe(3);
  });

  test('what is found about rows that are written and undone is not remembered', async () => {
    await system.ask('PATCH', `role/${ids.small}`, withRows({ service_id: ids.hr, component: '*', verb_mask: 31 }));
    await system.ask('PATCH', `app/${ids.app}`, { role_id: ids.small });
    const rowsBefore = await rowsOf(ids.small);
    await system.ask('PATCH', `role/${ids.small}`, { is_active: false });
    const given = { id: ids.small, is_active: true };
    // The role becomes small enough to be given, which is undone, as it is the role of an app.
    const undone = { ...given, ...withRows({ id: rowsBefore.at(-1).id, verb_mask: 0 }) };
    await expectRefused('PATCH', 'role?continue=true', { resource: [undone, given] }, escalationRefusal);
    await expectRefused('PATCH', 'role', { resource: [undone] }, /may take it from its apps/);
    expect(await rowsOf(ids.small)).toEqual(rowsBefore);
  });

  test('no call compares more than 100,000 rows', async () => {
    const rowsOfNew = withRows(...rows(1000));
    await expectAllowed('POST', 'role', { resource: [{ name: 'new', ...rowsOfNew }] });
    const { id } = (await system.ask('GET', 'role?filter=name = new')).body.resource[0];
    const { status, body } = await askAsMe('PATCH', 'role?continue=true', {
      resource: Array.from({ length: 110 }, (_, index) => ({
        id,
        ...withRows({ service_id: ids.db, component: `_table/more${index}`, verb_mask: 1 }),
      })),
    });
    expect([status, body.error.context.resource.at(-1).message]).toEqual([
      400,
      'Only an administrator may give so many rows of access in one call: each is compared with all that its giver holds.',
    ]);
  });
});

describe('a lookup key that a record filter goes by', () => {
  const text = /^A record filter goes by \{region\}/;
  const key = { name: 'region', value: 'all' };

  test('is not made, for anybody', async () => {
    await expectRefused('POST', 'lookup', { resource: [key] }, text);
    await expectRefused('PATCH', `user/${ids.me}`, { lookup_by_user_id: [key] }, text);
    await expectRefused('PATCH', `role/${ids.own}`, { lookup_by_role_id: [key] }, text);
    await expectRefused('PATCH', `app/${ids.app}`, { lookup_by_app_id: [key] }, text);
    await expectRefused('POST', 'user', { resource: [{ email: 'new@example.com', lookup_by_user_id: [key] }] }, text);
    await expectRefused('POST', 'role', { resource: [{ name: 'new', lookup_by_role_id: [key] }] }, text);
    await expectAllowed('POST', 'lookup', { resource: [{ name: 'colour', value: 'red' }] });
  });

  test('is not changed, renamed, moved or deleted', async () => {
    const global = await create('lookup', { name: 'region', value: 'eu' });
    const colour = await create('lookup', { name: 'colour', value: 'red' });
    await system.ask('PATCH', `user/${ids.me}`, { lookup_by_user_id: [{ name: 'region', value: 'eu' }] });
    const [ownKey] = (await system.ask('GET', `user/${ids.me}?related=lookup_by_user_id`)).body.lookup_by_user_id;
    for (const change of [{ value: 'us' }, { name: 'x' }, { private: true }]) {
      await expectRefused('PATCH', `lookup/${global}`, change, text);
      await expectRefused('PATCH', `user/${ids.me}`, { lookup_by_user_id: [{ id: ownKey.id, ...change }] }, text);
    }
    await expectRefused('PATCH', `lookup/${colour}`, { name: 'region' }, text);
    await expectRefused(
      'PATCH',
      `user/${ids.me}`,
      { lookup_by_user_id: [{ id: ownKey.id, user_id: ids.other }] },
      text,
    );
    await expectRefused('PATCH', `user/${ids.me}`, { lookup_by_user_id: [{ id: ownKey.id, user_id: null }] }, text);
    await expectRefused('PATCH', `user/${ids.me}`, { lookup_by_user_id: [{ name: 'region', value: 'us' }] }, text);
    await expectRefused('DELETE', `lookup/${global}`, undefined, text);
    await expectRefused('DELETE', 'lookup?force=true', undefined, text);
    await expectAllowed('PATCH', `lookup/${global}`, { ...key, value: 'eu', description: 'x' });
    await expectAllowed('PATCH', `lookup/${colour}`, { value: 'blue' });
  });

  test.each([
    ['role', () => `role/${ids.own}`],
    ['app', () => `app/${ids.app}`],
  ])('does not stand for the same where the %s has its own', async (kind, owner) => {
    await create('lookup', { name: 'region', value: 'us' });
    const newRole = (name: string) => ({ name, is_active: true, ...withRows({ ...ownRows().at(-1) }) });
    await expectAllowed('POST', 'role', { resource: [newRole('before')] });
    await system.ask('PATCH', owner(), { [`lookup_by_${kind}_id`]: [{ name: 'region', value: 'eu' }] });
    // Under a new role, or through another app, `{region}` would be what it is for everybody.
    await expectRefused('POST', 'role', { resource: [newRole('after')] }, /record filter/);
    const app = await create('app', { name: 'other', is_active: true });
    const assignment = { user_to_app_to_role_by_user_id: [{ app_id: app, role_id: ids.own }] };
    await expectRefused('PATCH', `user/${ids.me}`, assignment, /record filter/);
  });

  test('nor are the names of roles and apps that filters go by', async () => {
    const rowFilteredBy = (value: string) => ({
      service_id: ids.hr,
      component: '_table/x',
      verb_mask: 1,
      filters: [{ ...filter, value }],
    });
    await system.ask('PATCH', `role/${ids.own}`, withRows(rowFilteredBy('{role.name}')));
    await expectRefused('PATCH', `role/${ids.own}`, { name: 'hr' }, /^A record filter goes by \{role\.name\}/);
    await expectAllowed('PATCH', `role/${ids.small}`, { name: 'smaller' });
    await system.ask('PATCH', `role/${ids.small}`, withRows(rowFilteredBy('x{app.name}')));
    await expectRefused('PATCH', `app/${ids.app}`, { name: 'hr' }, /^A record filter goes by \{app\.name\}/);
    // Nor is the row given to a role of another name.
    await expectRefused(
      'POST',
      'role',
      { resource: [{ name: 'hr', ...withRows(rowFilteredBy('{role.name}')) }] },
      /record filter/,
    );
  });
});

test('a key alone, without anybody signed in, gives no more than its role either', async () => {
  const access = await loadAccessRows(system.store.db, ids.own);
  const caller = { user: undefined, role: { id: ids.own, name: 'own', isActive: true, access }, hasSentKey: true };
  const call = aCall({ caller: caller as never });
  expect(call.caller.user).toBeUndefined();
  const row = { service_id: ids.hr, component: '*', verb_mask: 1 };
  for (const [path, body] of [
    [`role/${ids.own}`, withRows(row)],
    ['admin/1', { password: 'pass word' }],
    [`user/${ids.other}`, { password: 'pass word' }],
  ] as const)
    expect((await system.ask('PATCH', path, body, { caller: caller as never })).status).toBe(403);
});
