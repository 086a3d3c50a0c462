// Fields that record filters of roles go by stay as they are for everybody but administrators.
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, fixture, serviceOver } from '../fixture/index.ts';

let db: Fixture;
let platform: TestPlatform;
let person: { token: string; key: string };
const filter = (name: string, value = 'x') => [{ name, operator: '=', value }];

beforeAll(async () => {
  db = await fixture('sqlite');
  platform = await startPlatform();
  const service = (await platform.create('service', serviceOver(db, 'shop'))).id;
  const roleOf = (name: string, rows: object[]) =>
    platform.create('role', {
      name,
      is_active: true,
      role_service_access_by_role_id: rows.map((row) => ({
        ...{ service_id: service, verb_mask: 31, requestor_mask: 1 },
        ...row,
      })),
    });
  await roleOf('secret-role', [
    { component: '_table/contact/*', filters: filter('status', '(note)') },
    { component: '_table/TEAM', filters: filter('Title') },
    { component: '_table/*', filters: filter('nick') },
  ]);
  await platform.ask('PATCH', 'shop/_schema/team', { body: { field: [{ name: 'name', alias: 'title' }] } });
  const role = await roleOf('designer', [{ component: '_schema' }, { component: '_schema/*' }, { component: '_plan' }]);
  const app = await platform.create('app', { name: 'design', is_active: true });
  const login = { email: 'dora@example.com', password: 'pass word' };
  await platform.create('user', { ...login, user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }] });
  const key = String(app.api_key);
  const { body } = await platform.ask('POST', 'user/session', { body: login, token: null, key });
  person = { token: String(body.session_token), key };
});
afterAll(async () => {
  await platform?.stop();
  await db?.stop();
});

const change = async (verb: string, path: string, body?: unknown, as: object = person) => {
  const { status, text } = await platform.ask(verb, `shop/_schema${path}`, { body, ...as });
  return { status, text };
};
const columns = () => db.sql("select group_concat(name) from pragma_table_info('contact')");

it('abuse: a field that a record filter goes by is neither dropped nor given another type by others', async () => {
  const before = await columns();
  const field = { name: 'status', type: 'integer', allow_null: true };
  const rest = { field: [{ name: 'id', type: 'id' }] };
  for (const [verb, path, body] of [
    ['DELETE', '/contact/_field/status'],
    ['DELETE', '/contact/STATUS'],
    ['DELETE', '/contact/_field?ids=age,status'],
    ['DELETE', '/contact/_field/note'],
    ['DELETE', '/team/_field/name'],
    ['DELETE', '/member/_field/nick'],
    ['DELETE', '/contact'],
    ['DELETE', '?ids=contact&rollback=true'],
    ['PATCH', '/contact/_field/status', field],
    ['PATCH', '/contact', { field: [field] }],
    ['PATCH', '', { resource: [{ name: 'contact', field: [field] }] }],
    ['PUT', '/contact', rest],
    ['PUT', '', { resource: [{ name: 'contact', ...rest }] }],
  ] as const) {
    const { status, text } = await change(verb, path, body);
    // Of several the answer is one of a batch.
    expect([verb, path, [400, 403].includes(status), text]).toEqual([
      ...[verb, path, true],
      expect.stringContaining('decides which records'),
    ]);
    expect(text).not.toContain('secret-role');
  }
  expect(await columns()).toEqual(before);
  const plan = { verb: 'DELETE', path: '_schema/contact/_field/status' };
  expect((await platform.ask('POST', 'shop/_plan', { body: plan, ...person })).status).toBe(403);
});

it('abuse: nor is it filled with who writes, or a virtual one compared otherwise, by others', async () => {
  const virtual = {
    name: 'worth',
    type: 'string',
    is_virtual: true,
    db_function: [{ use: ['SELECT'], function: 'age' }],
  };
  const asAdmin = async (body: object) => expect((await change('PATCH', '/contact', body, {})).status).toBe(200);
  await asAdmin({ field: [virtual] });
  const { id } = (await platform.ask('GET', 'system/service?filter=name=shop')).body.resource[0];
  await platform.create('role', {
    name: 'hidden-role',
    is_active: true,
    role_service_access_by_role_id: [
      {
        service_id: id,
        component: '_table/contact/*',
        verb_mask: 31,
        filters: [...filter('age', '1'), ...filter('worth')],
      },
    ],
  });
  const types = async () =>
    (await platform.ask('GET', 'shop/_schema/contact')).body.field
      .filter(({ name }: { name: string }) => ['age', 'worth'].includes(name))
      .map(({ type }: { type: string }) => type);
  const before = await types();
  for (const field of [
    { name: 'age', type: 'user_id_on_update' },
    { name: 'AGE', type: 'user_id' },
    { name: 'worth', type: 'integer' },
    { name: 'WORTH', type: 'integer', is_virtual: true },
  ]) {
    const { text } = await change('PATCH', '/contact', { field: [field] });
    expect([field, text]).toEqual([field, expect.stringContaining('decides which records')]);
    expect(text).not.toContain('hidden-role');
  }
  expect(await types()).toEqual(before);
  await asAdmin({ field: [{ name: 'age', type: 'user_id_on_update' }] });
  const back = await change('PATCH', '/contact', { field: [{ name: 'age', type: 'integer' }] });
  expect(back.text).toContain('decides which records');
  expect((await change('PATCH', '/contact/_field/age', { type: 'user_id_on_update', label: 'Age' })).status).toBe(200);
  await asAdmin({ field: [{ name: 'age', type: 'integer' }] });
});

it('other fields of the table, and what leaves its values as they are, is theirs', async () => {
  expect((await change('PATCH', '/contact/_field/status', { label: 'State', default: 'new' })).status).toBe(200);
  expect((await change('DELETE', '/contact/_field/ratio')).status).toBe(200);
});

it('an administrator hears whose filter it is, and may', async () => {
  const plan = { verb: 'DELETE', path: '_schema/contact/_field/status' };
  const { text } = await platform.ask('POST', 'shop/_plan', { body: plan });
  expect(text).toContain('secret-role');
  expect((await change('DELETE', '/contact/_field/status', undefined, {})).status).toBe(200);
});
