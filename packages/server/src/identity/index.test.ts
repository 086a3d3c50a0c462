import { hash } from '@node-rs/bcrypt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  closedKey,
  ids,
  insertPeople,
  openTestInstance,
  password,
  portalKey,
  type TestInstance,
} from './instance.fixture.ts';

let instance: TestInstance;
let jo: string;
let ada: string;
beforeAll(async () => {
  instance = await openTestInstance();
  await insertPeople(instance);
  const signIn = async (email: string, kind: 'user' | 'admin') =>
    String((await instance.ask('session', { verb: 'POST', kind, body: { email, password } })).body.session_token);
  [jo, ada] = [await signIn('jo@example.com', 'user'), await signIn('ada@example.com', 'admin')];
});
afterAll(() => instance.close());

const identify = (credentials: object, options: object = {}) =>
  instance.identity.identify(credentials, { requestor: 'API', ...options });
const publishChange = (table: string, rows?: number[]) =>
  instance.store.bus.publish({ table, ...(rows ? { ids: rows } : {}) });

describe('who calls', () => {
  it.each([
    ['nobody', () => ({}), { hasSentKey: false, hasSentToken: false }],
    ['a key nobody has', () => ({ apiKey: 'x'.repeat(64) }), { hasSentKey: true, hasSentToken: false }],
    ['a key in another case', () => ({ apiKey: portalKey.toUpperCase() }), { hasSentKey: true }],
    ['an endless key', () => ({ apiKey: 'x'.repeat(100_000) }), { hasSentKey: true }],
    ['a key', () => ({ apiKey: portalKey }), { app: { id: ids.portal, name: 'portal' } }],
    ['a person', () => ({ token: jo }), { user: { id: ids.jo, isAdmin: false }, hasSentToken: true }],
    [
      'a person in an app',
      () => ({ token: jo, apiKey: portalKey }),
      { user: { id: ids.jo }, role: { name: 'reader' } },
    ],
    ['an administrator in an app', () => ({ token: ada, apiKey: portalKey }), { user: { isAdmin: true } }],
  ] as [string, () => object, object][])('%s', async (_name, credentials, expected) => {
    const caller = await identify(credentials());
    expect(caller).toMatchObject(expected);
    for (const part of ['user', 'role'] as const) if (!(part in expected)) expect(caller[part], part).toBeUndefined();
  });

  it('refuses the key of an inactive app, after problems of the token', async () => {
    await expect(identify({ apiKey: closedKey })).rejects.toMatchObject({ status: 403, message: 'App is not active.' });
    await expect(identify({ apiKey: closedKey, token: 'x' })).rejects.toMatchObject({ status: 401 });
  });

  it('ignores a bad token when signing in, and accepts one when renewing', async () => {
    expect((await identify({ token: 'x' }, { ignoreToken: true })).user).toBeUndefined();
    expect(await identify({ token: 'x' }, { allowExpired: true })).toMatchObject({ hasSentToken: true });
    expect((await identify({ token: jo }, { allowExpired: true })).user?.id).toBe(ids.jo);
  });

  it('has the rows of the role, service names in lower case, none for all services', async () => {
    const { role } = await identify({ token: jo, apiKey: portalKey });
    expect(role?.access).toMatchObject([
      {
        service: 'db',
        component: '_table/*',
        verbMask: 1,
        requestorMask: 1,
        filters: [{ name: 'a' }],
        filterOp: 'and',
      },
      { service: null, component: '*', filters: null },
    ]);
  });
});

describe('what is remembered', () => {
  it('makes a warm call read nothing from the store', async () => {
    const credentials = { token: jo, apiKey: portalKey };
    await identify(credentials);
    const reads = vi.spyOn(instance.store.db.getExecutor(), 'executeQuery');
    await identify(credentials);
    await identify({ apiKey: portalKey });
    expect(reads).not.toHaveBeenCalled();
    await instance.store.db.selectFrom('role').select('id').execute();
    expect(reads).toHaveBeenCalledTimes(1);
    reads.mockRestore();
  });

  it('acts on the next call: roles, their rows, people’s roles, services, apps', async () => {
    const { db } = instance.store;
    const role = async () => (await identify({ token: jo, apiKey: portalKey })).role;
    const access = async () => (await role())?.access.map((row) => `${row.service}:${row.component}:${row.verbMask}`);
    expect(await access()).toEqual(['db:_table/*:1', 'null:*:1']);

    await db.updateTable('role_service_access').set({ verb_mask: 31 }).where('component', '=', '_table/*').execute();
    await publishChange('role_service_access');
    expect(await access()).toEqual(['db:_table/*:31', 'null:*:1']);

    await db.updateTable('service').set({ name: 'Crm' }).where('id', '=', 7).execute();
    await publishChange('service', [7]);
    expect(await access()).toEqual(['crm:_table/*:31', 'null:*:1']);

    await db.updateTable('role').set({ is_active: 0 }).where('id', '=', ids.reader).execute();
    await publishChange('role', [ids.reader]);
    expect((await role())?.isActive).toBe(false);

    await db.updateTable('user_to_app_to_role').set({ role_id: ids.idle }).where('user_id', '=', ids.jo).execute();
    await publishChange('user_to_app_to_role');
    expect((await role())?.name).toBe('idle');

    await db.deleteFrom('user_to_app_to_role').where('user_id', '=', ids.jo).execute();
    await publishChange('user_to_app_to_role');
    expect(await role()).toBeUndefined();

    await db.updateTable('app').set({ role_id: ids.reader }).where('id', '=', ids.portal).execute();
    await publishChange('app', [ids.portal]);
    expect((await role())?.name).toBe('reader');
    expect((await identify({ apiKey: portalKey })).role?.name).toBe('reader');
    expect((await identify({ token: ada, apiKey: portalKey })).role).toBeUndefined();

    await db.updateTable('app').set({ is_active: 0 }).where('id', '=', ids.portal).execute();
    await publishChange('app', [ids.portal]);
    await expect(identify({ apiKey: portalKey })).rejects.toMatchObject({ message: 'App is not active.' });
  });

  it('drops all of it when anything may have changed', async () => {
    const { db } = instance.store;
    const token = jo;
    await db.updateTable('app').set({ is_active: 1 }).where('id', '=', ids.portal).execute();
    await publishChange('*');
    expect((await identify({ token, apiKey: portalKey })).role).toMatchObject({ name: 'reader', isActive: false });
    await db.updateTable('role').set({ is_active: 1, name: 'author' }).where('id', '=', ids.reader).execute();
    await db.updateTable('app').set({ name: 'gate' }).where('id', '=', ids.portal).execute();
    await db.updateTable('user').set({ name: 'Josephine' }).where('id', '=', ids.jo).execute();
    expect(await identify({ token, apiKey: portalKey })).toMatchObject({
      role: { name: 'reader' },
      app: { name: 'portal' },
    });
    await publishChange('*');
    expect(await identify({ token, apiKey: portalKey })).toMatchObject({
      role: { name: 'author', isActive: true },
      app: { name: 'gate' },
      user: { name: 'Josephine' },
    });
    await db.updateTable('app').set({ name: 'portal' }).where('id', '=', ids.portal).execute();
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
    await db.insertInto('revoked_token').values({ jti, expires_at: 4_000_000_000 }).execute();
    await publishChange('*');
    await expect(identify({ token })).rejects.toMatchObject({ status: 403 });
    await db.deleteFrom('revoked_token').execute();
    await publishChange('*');
  });

  it('never turns a row of a deleted service into one for all services', async () => {
    const { db } = instance.store;
    await db.updateTable('app').set({ is_active: 1 }).where('id', '=', ids.portal).execute();
    await publishChange('app', [ids.portal]);
    await db.deleteFrom('service').where('id', '=', 7).execute();
    await publishChange('service', [7]);
    const { role } = await identify({ apiKey: portalKey });
    expect(role?.access.map((row) => row.component)).toEqual(['*']);
  });
});

it('accepts an imported hash and stores a better one', async () => {
  const stored = (await hash(password, { cost: 4 })).replace('$2b$', '$2y$');
  await instance.store.db.updateTable('user').set({ password: stored }).where('id', '=', ids.jo).execute();
  await publishChange('user', [ids.jo]);
  const body = { email: 'jo@example.com', password };
  expect(await instance.ask('session', { verb: 'POST', body })).toMatchObject({ status: 200 });
  const row = await instance.store.db.selectFrom('user').select('password').where('id', '=', ids.jo).executeTakeFirst();
  expect(row?.password).toMatch(/^\$argon2id\$/);
  expect(await instance.ask('session', { verb: 'POST', body })).toMatchObject({ status: 200 });
  expect(await instance.ask('session', { token: jo })).toMatchObject({ status: 200 });
});

it('answers the keys of apps by name', async () => {
  expect(await instance.identity.appKey('portal')).toBe(portalKey);
  expect(await instance.identity.appKey('nope')).toBeNull();
});
