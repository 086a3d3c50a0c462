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
