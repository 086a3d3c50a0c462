import { startSystem, type TestSystem } from '@sluice/testkit/system';
import { afterEach, beforeEach, expect, test } from 'vitest';

let system: TestSystem;
let ask: TestSystem['ask'];

beforeEach(async () => {
  system = await startSystem();
  ask = system.ask;
  await ask('POST', 'role', { resource: [{ name: 'r', lookup_by_role_id: [{ name: 'region', value: 'role' }] }] });
});
afterEach(() => system.close());

const post = (...keys: object[]) => ask('POST', 'lookup?fields=*', { resource: keys });
const taken = 'Lookup name can not be modified to one that already exists.';

test('keys of the instance are those without an owner, in the list, its count and by id', async () => {
  const { body } = await post({ name: 'region', value: 'eu', description: 'where', app_id: 1 });
  const [key] = body.resource;
  expect(key).toMatchObject({ id: 2, name: 'region', value: 'eu', private: false, description: 'where' });
  for (const owner of ['app_id', 'role_id', 'user_id']) expect(key).not.toHaveProperty(owner);
  expect((await ask('GET', 'lookup?include_count=true&fields=id')).body).toEqual({
    resource: [{ id: 2 }],
    meta: { count: 1 },
  });
  for (const verb of ['GET', 'PATCH', 'DELETE'] as const) expect((await ask(verb, 'lookup/1', {})).status).toBe(404);
  expect((await ask('GET', 'lookup?ids=2,1')).body.error.context.error).toEqual([1]);
  await ask('DELETE', 'lookup?force=true');
  expect(await system.store.db.selectFrom('lookup').select('id').execute()).toEqual([{ id: 1 }]);
});

test('a name is there once, on create and when renamed', async () => {
  await post({ name: 'a', value: '1' }, { name: 'b', value: '2' });
  expect((await post({ name: 'a' })).body.error.context.resource[0].message).toBe(taken);
  expect((await ask('PATCH', 'lookup/3', { name: 'a' })).body.error.message).toBe(taken);
  expect((await ask('PATCH', 'lookup/3', { name: 'b', value: '3' })).status).toBe(200);
  expect((await post({ value: 'x' })).body.error.context.resource[0].message).toBe(
    'Invalid data supplied. The name field is required.',
  );
});

test('a private value is encrypted, masked everywhere, and kept when the mask comes back', async () => {
  await post({ name: 'key', value: 's3cret', private: true });
  const stored = () => system.store.db.selectFrom('lookup').select('value').where('id', '=', 2).executeTakeFirst();
  const before = await stored();
  expect(before?.value).not.toContain('s3cret');
  expect(system.secrets.decrypt(String(before?.value))).toBe('s3cret');
  expect((await ask('GET', 'lookup/2')).body.value).toBe('**********');
  const { body } = await ask('PUT', 'lookup/2?fields=*', { name: 'key', value: '**********', private: true });
  expect(body.value).toBe('**********');
  expect(await stored()).toEqual(before);
  // Hidden from those who guess at it, too.
  expect((await ask('GET', 'lookup?filter=value like "s3%"')).body.resource).toEqual([]);
});

const megabyte = 'x'.repeat(1_000_000);
const boundMessage = (count: number, sum: number) =>
  `One person, role, app or the instance may have 1000 public lookup keys with 4194304 bytes of names and values; these would be ${count} with ${sum} bytes.`;

test('abuse: the public keys of one owner have a bound, of all their bytes', async () => {
  const values = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `k${at}`, value: megabyte }));
  for (const key of values(4)) expect((await post(key)).status).toBe(201);
  const fifth = await post({ name: 'k4', value: megabyte });
  expect(fifth.body.error.context.resource[0].message).toBe(boundMessage(5, 5_000_010));
  // Nobody reads private ones for a caller; other owners have bounds of their own.
  const hidden = await post({ name: 'k4', value: megabyte, private: true });
  expect(
    (await ask('PATCH', `lookup/${hidden.body.resource[0].id}`, { private: false, value: megabyte })).body.error
      .message,
  ).toBe(boundMessage(5, 5_000_010));
  const role = (count: number) => ask('PATCH', 'role/1', { lookup_by_role_id: values(count) });
  expect((await role(4)).status).toBe(200);
  expect((await role(5)).body.error.message).toBe(boundMessage(6, 5_000_020));
  expect((await ask('PATCH', 'lookup/2', { value: `${megabyte}${'x'.repeat(40_000)}` })).status).toBe(200);
});

test('abuse: and of their number; what was stored before there was one is read, changed and deleted', async () => {
  const keys = Array.from({ length: 1001 }, (_, at) => ({ name: `k${at}` }));
  const role = await ask('POST', 'role', { resource: [{ name: 's', lookup_by_role_id: keys }] });
  expect(role.body.error.context.resource[0].message).toBe(boundMessage(1001, 3895));
  const stored = { private: 0, app_id: null, role_id: null, user_id: null, owner: '', description: null };
  for (const { name } of keys) {
    const row = { ...stored, name, value: 'a' };
    await system.store.db
      .insertInto('lookup')
      .values(row as never)
      .execute();
  }
  expect((await ask('GET', 'lookup?as_list=true&include_count=true')).body.meta.count).toBe(1001);
  const { id } = (await ask('GET', 'lookup?filter=name="k7"&fields=id')).body.resource[0];
  expect((await ask('PATCH', `lookup/${id}`, { value: 'b' })).status).toBe(200);
  expect((await ask('PATCH', `lookup/${id}`, { value: 'bb' })).body.error.message).toBe(boundMessage(1001, 4897));
  expect((await ask('DELETE', `lookup/${id}`)).status).toBe(200);
});

test('abuse: two writers cannot pass the bound together', async () => {
  const three = (name: string) => [0, 1, 2].map((at) => ({ name: `${name}${at}`, value: megabyte }));
  const write = (name: string) => ask('POST', 'lookup?rollback=true', { resource: three(name) });
  const statuses = (await Promise.all([write('a'), write('b'), write('c')])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 400, 400]);
  expect((await ask('GET', 'lookup?as_list=true')).body.resource).toHaveLength(3);
});
