// Which stored lookup keys a caller has, and that a change of any acts on the next call; runs on each engine
// (vitest.config.ts lists the files that do).
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionLookup } from '../access/lookups.ts';
import { lookupOwner } from '../store/index.ts';
import { closedKey, ids, insertPeople, openTestInstance, portalKey, type TestInstance } from './instance.fixture.ts';

let instance: TestInstance;
beforeEach(async () => {
  instance = await openTestInstance();
  await insertPeople(instance);
});
afterEach(() => instance.close());

const unowned = { app_id: null, role_id: null, user_id: null, private: 0, description: null };

async function add(...keys: ({ name: string; value: string | null } & Record<string, unknown>)[]): Promise<void> {
  const rows = keys.map((key) => ({ ...unowned, ...key, owner: lookupOwner(key) }));
  await instance.store.db
    .insertInto('lookup')
    .values(rows as never)
    .execute();
  await instance.store.bus.publish({ table: 'lookup' });
}

async function tokenOf(name: 'jo' | 'nina' | 'ada'): Promise<string> {
  const { body } = await instance.ask('session', {
    verb: 'POST',
    kind: name === 'ada' ? 'admin' : 'user',
    body: { email: `${name}@example.com`, password: 'correct horse' },
  });
  return String(body.session_token);
}

const lookupsOf = async (credentials: { token?: string; apiKey?: string }) =>
  Object.fromEntries((await instance.identity.identify(credentials, { requestor: 'API' })).lookups);

it('overrides the instance by the app, the app by the role, the role by the person', async () => {
  const owners = [{}, { app_id: ids.portal }, { role_id: ids.reader }, { user_id: ids.jo }];
  for (const [index, owner] of owners.entries())
    await add(
      ...owners.slice(index).map((_, offset) => ({ ...owner, name: `${index + offset}`, value: `owner ${index}` })),
    );
  await add({ name: 'empty', value: null }, { name: 'Case', value: 'kept' });

  const jo = { token: await tokenOf('jo'), apiKey: portalKey };
  const joValues = { empty: '', Case: 'kept', 0: 'owner 0', 1: 'owner 1', 2: 'owner 2', 3: 'owner 3' };
  expect(await lookupsOf(jo)).toEqual(joValues);
  expect(await lookupsOf({ apiKey: portalKey })).toEqual({ ...joValues, 2: 'owner 1', 3: 'owner 1' });
  expect(await lookupsOf({ token: jo.token })).toEqual({ ...joValues, 1: 'owner 0', 2: 'owner 0' });
});

it('answers no private key, no key of others and none of an inactive role', async () => {
  await add(
    { name: 'open', value: 'the instance' },
    { name: 'open', value: 'hidden', private: 1, user_id: ids.jo },
    { name: 'secret', value: 'hidden', private: 1 },
    { name: 'other', value: 'hidden', user_id: ids.ivan },
    { name: 'other', value: 'hidden', app_id: ids.closed },
    { name: 'idle', value: 'hidden', role_id: ids.idle },
  );
  expect(await lookupsOf({ token: await tokenOf('jo'), apiKey: portalKey })).toEqual({
    open: 'the instance',
  });
  expect(await lookupsOf({ token: await tokenOf('nina'), apiKey: portalKey })).toEqual({
    open: 'the instance',
  });
  await expect(lookupsOf({ apiKey: closedKey })).rejects.toThrow();
});

it('answers an administrator, who has no role, no keys of roles', async () => {
  await add({ name: 'a', value: 'role', role_id: ids.reader }, { name: 'b', value: 'ada', user_id: ids.ada });
  expect(await lookupsOf({ token: await tokenOf('ada'), apiKey: portalKey })).toEqual({ b: 'ada' });
});

it('follows the store on the next call', async () => {
  const { db, bus } = instance.store;
  const jo = { token: await tokenOf('jo'), apiKey: portalKey };
  expect(await lookupsOf(jo)).toEqual({});
  await add({ name: 'a', value: 'role', role_id: ids.reader }, { name: 'a', value: 'jo', user_id: ids.jo });
  expect(await lookupsOf(jo)).toEqual({ a: 'jo' });

  await db.deleteFrom('lookup').where('user_id', '=', ids.jo).execute();
  await bus.publish({ table: 'user', ids: [ids.jo] });
  expect(await lookupsOf(jo)).toEqual({ a: 'role' });

  await db.updateTable('role').set({ is_active: 0 }).where('id', '=', ids.reader).execute();
  await bus.publish({ table: 'role', ids: [ids.reader] });
  expect(await lookupsOf(jo)).toEqual({});
});

it('lets no stored key replace a value of the platform', async () => {
  const names = ['user.id', 'User.Id', ' user.id ', 'session.token', 'df.host_url', 'role.nothing'];
  await add(...names.map((name) => ({ name, value: 'forged' })), { name: '__proto__', value: 'plain' });
  const caller = await instance.identity.identify({ apiKey: portalKey }, { requestor: 'API' });
  const lookup = sessionLookup({ caller, baseUrl: 'https://here' });
  expect([...names, '__proto__'].map(lookup)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'https://here',
    undefined,
    'plain',
  ]);
});

it('abuse: reads no more of an owner for a caller than may be written today, and says what it did not read', async () => {
  const long = 'x'.repeat(1_000_000);
  const many = (owner: object) => Array.from({ length: 6 }, (_, at) => ({ ...owner, name: `long ${at}`, value: long }));
  await add({ name: 'team', value: 'all' }, { name: 'place', value: 'here' }, ...many({ role_id: ids.reader }));
  await add({ role_id: ids.reader, name: 'team', value: 'red' }, { user_id: ids.jo, name: 'desk', value: '7' });
  const credentials = { token: await tokenOf('jo'), apiKey: portalKey };
  const caller = await instance.identity.identify(credentials, { requestor: 'API' });
  expect(caller.lookups.bytes).toBeLessThan(5_000_000);
  const lookup = sessionLookup({ caller, baseUrl: '' });
  expect(['team', 'desk', 'long 3'].map((name) => lookup(name)?.length)).toEqual([3, 1, 1_000_000]);
  // A key of the role that was not read may have overridden the instance's.
  for (const name of ['long 5', 'place']) expect(() => lookup(name)).toThrow(`What {${name}} stands for was not read`);

  await instance.store.db.deleteFrom('lookup').where('name', '=', 'long 0').execute();
  await instance.store.db.deleteFrom('lookup').where('name', '=', 'long 1').execute();
  await instance.store.bus.publish({ table: 'lookup' });
  expect((await lookupsOf(credentials)).place).toBe('here');
});
