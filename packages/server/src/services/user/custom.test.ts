// `user/custom` over HTTP: what people keep for themselves.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let platform: TestPlatform;
let key: string;
beforeAll(async () => {
  platform = await startPlatform();
  const access = [{ service_id: 7, component: 'custom/*', verb_mask: 31, requestor_mask: 1 }];
  const role = { name: 'keeps values', is_active: true, role_service_access_by_role_id: access };
  const { id: role_id } = await platform.create('role', role);
  key = String((await platform.create('app', { name: 'keeper', type: 0, is_active: true, role_id })).api_key);
});
afterAll(() => platform.stop());

let count = 0;
let token: string;
const newPerson = async () => {
  count += 1;
  const { id } = await platform.create('user', { email: `person${count}@example.com`, is_active: true });
  return { id, token: await platform.tokenOf(id) };
};
beforeEach(async () => {
  ({ token } = await newPerson());
});

const ask = async (verb: string, path: string, body?: unknown) => {
  const answer = await platform.ask(verb, `user/custom${path}`, { token, key, body });
  return [answer.status, answer.body?.error?.message ?? answer.body];
};
const post = (values: Record<string, unknown>) =>
  ask('POST', '', { resource: Object.entries(values).map(([name, value]) => ({ name, value })) });

it('keeps any JSON by name, answers it bare, and lists exactly four keys', async () => {
  const values = { prefs: { a: 1, deep: [{ er: 'ä' }] }, text: 'dark', number: 2.5, no: false, none: null, 'a b': [] };
  expect(await post(values)).toEqual([201, { resource: Object.keys(values).map((name) => ({ name })) }]);
  for (const [name, value] of Object.entries(values)) {
    const { status, text } = await platform.ask('GET', `user/custom/${encodeURIComponent(name)}`, { token, key });
    expect([status, JSON.parse(text)]).toEqual([200, value]);
  }
  const [, { resource }] = await ask('GET', '');
  expect(resource.map(({ name }: { name: string }) => name)).toEqual(Object.keys(values).sort());
  const dates = { created_date: expect.any(String), last_modified_date: expect.any(String) };
  expect(resource.find(({ name }: { name: string }) => name === 'prefs')).toEqual({
    ...{ name: 'prefs', value: values.prefs, ...dates },
  });
  // What a list of records would be narrowed by is ignored.
  for (const query of ['?limit=1', '?filter=name=x', '?fields=name', '?offset=3'])
    expect((await ask('GET', query))[1]).toEqual({ resource });
});

it('takes a text that is JSON for what it says', async () => {
  await post({ object: '{"a":1}', flag: 'true', plain: '{no json' });
  expect(await Promise.all(['object', 'flag', 'plain'].map((name) => ask('GET', `/${name}`)))).toEqual([
    [200, { a: 1 }],
    [200, true],
    [200, '{no json'],
  ]);
});

it('is written again by POST, and changed by PUT and PATCH where it is there', async () => {
  await post({ a: 1, b: 2 });
  expect((await post({ a: 3 }))[0]).toBe(201);
  expect(await ask('PUT', '/a', { value: 4 })).toEqual([200, { name: 'a' }]);
  expect(await ask('PATCH', '', { resource: [{ name: 'b', value: 5 }] })).toEqual([200, { resource: [{ name: 'b' }] }]);
  expect([await ask('GET', '/a'), await ask('GET', '/b')]).toEqual([
    [200, 4],
    [200, 5],
  ]);
  const missing = "Record with identifier 'x' not found.";
  expect(await ask('PUT', '/x', { value: 1 })).toEqual([404, missing]);
  // All of a call or nothing.
  expect(
    await ask('PUT', '', {
      resource: [
        { name: 'a', value: 9 },
        { name: 'x', value: 9 },
      ],
    }),
  ).toEqual([404, missing]);
  expect(await ask('GET', '/a')).toEqual([200, 4]);
  expect(await ask('POST', '/a', { value: 1 })).toEqual([400, 'Create record by identifier not currently supported.']);
});

it('is read and deleted by names', async () => {
  await post({ a: 1, b: 2, c: 3, d: 4 });
  const names = async (query = '') => (await ask('GET', query))[1].resource.map(({ name }: { name: string }) => name);
  expect(await names('?ids=c,a,x')).toEqual(['a', 'c']);
  expect(await ask('DELETE', '/a')).toEqual([200, { name: 'a' }]);
  expect(await ask('DELETE', '?ids=b')).toEqual([200, { resource: [{ name: 'b' }] }]);
  expect(await ask('DELETE', '', { resource: [{ name: 'c' }] })).toEqual([200, { resource: [{ name: 'c' }] }]);
  expect((await ask('DELETE', '?ids=d,a'))[0]).toBe(404);
  expect((await ask('DELETE', '/a'))[0]).toBe(404);
  expect((await ask('DELETE', ''))[0]).toBe(400);
  expect(await names()).toEqual(['d']);
});

it('abuse: is nobody else’s, and needs a session and a role', async () => {
  await post({ mine: 1 });
  const other = await newPerson();
  const asOther = (verb: string, path: string, body?: unknown) =>
    platform.ask(verb, `user/custom${path}`, { token: other.token, key, body });
  expect((await asOther('GET', '')).body).toEqual({ resource: [] });
  for (const [verb, body] of [['GET'], ['PUT', { value: 2 }], ['DELETE']] as const)
    expect((await asOther(verb, '/mine', body)).status).toBe(404);
  await asOther('POST', '', { resource: [{ name: 'mine', value: 'theirs', user_id: 1, id: 1 }] });
  expect(await ask('GET', '/mine')).toEqual([200, 1]);
  expect((await platform.ask('GET', 'user/custom', { token, key: '' })).status).toBe(400);
  expect((await platform.ask('GET', 'user/custom', { token: null, key })).status).toBe(401);
  expect((await platform.ask('GET', 'user/custom', { token: null })).status).toBe(400);
  expect((await platform.ask('GET', 'user/custom')).body).toEqual({ resource: [] });
});

it('abuse: somebody who gets the id of a deleted person has none of their values', async () => {
  const gone = await newPerson();
  await platform.ask('POST', 'user/custom', { token: gone.token, key, body: { resource: [{ name: 'a', value: 1 }] } });
  await platform.ask('DELETE', `system/user/${gone.id}`);
  const rows = platform.store.db.selectFrom('user_custom').select('id').where('user_id', '=', gone.id);
  expect(await rows.execute()).toEqual([]);
});

it.each([
  [{ name: '', value: 1 }, 'The name field is required.'],
  [{ value: 1 }, 'The name field is required.'],
  [{ name: 'a/b', value: 1 }, 'The name format is invalid.'],
  [{ name: 'n'.repeat(256), value: 1 }, 'The name may not be greater than 255 characters.'],
  [{ name: 'a' }, 'The value field is required.'],
])('refuses %o', async (record, message) => {
  expect(await ask('POST', '', { resource: [{ name: 'good', value: 1 }, record] })).toEqual([
    ...[400, `Invalid data supplied. ${message}`],
  ]);
  expect((await ask('GET', ''))[1]).toEqual({ resource: [] });
});

it('abuse: has a bound, of all values of a person together', async () => {
  const tooMuch = 'A person may keep 1000 values with 4194304 characters of JSON together.';
  const half = 'x'.repeat(2_200_000);
  expect((await post({ a: half }))[0]).toBe(201);
  expect(await post({ b: half })).toEqual([400, `Invalid data supplied. ${tooMuch}`]);
  const many = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`n${from + at}`, at]));
  expect((await post(many(0, 999)))[0]).toBe(201);
  expect((await post(many(999, 1000)))[0]).toBe(400);
});
