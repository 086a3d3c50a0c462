// What someone tries who wants more than they were given, over the wire (the "attacks as tests").
import { startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let platform: TestPlatform;
let key: string;
let token: string;
let ids: { role: number; app: number; me: number; other: number };
let count = 0;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

/** A role that may do everything on people, and somebody who has it. */
beforeEach(async () => {
  count += 1;
  const role = await platform.create('role', {
    name: `people${count}`,
    is_active: true,
    role_service_access_by_role_id: [
      { service_id: 1, component: 'user/*', verb_mask: 31, requestor_mask: 1 },
      { service_id: 1, component: 'role/*', verb_mask: 1, requestor_mask: 1 },
      { service_id: 1, component: 'app/*', verb_mask: 1, requestor_mask: 1 },
    ],
  });
  const app = await platform.create('app', { name: `app${count}`, is_active: true });
  key = String(app.api_key);
  const person = (name: string) => ({ email: `${name}${count}@example.com`, password: 'pass word' });
  const me = await platform.create('user', {
    ...person('me'),
    user_to_app_to_role_by_user_id: [{ app_id: app.id, role_id: role.id }],
  });
  const other = await platform.create('user', {
    ...person('other'),
    lookup_by_user_id: [{ name: 'secret', value: 'theirs', private: true }],
  });
  ids = { role: role.id, app: app.id, me: me.id, other: other.id };
  token = await signIn(`me${count}@example.com`);
});

async function signIn(email: string, password = 'pass word'): Promise<string> {
  const { body } = await platform.ask('POST', 'user/session', { body: { email, password }, token: null });
  return body.session_token;
}
const asMe = (verb: string, path: string, body?: unknown) => platform.ask(verb, path, { token, key, body });
const messageOf = (answer: { body: { error?: { message: string } } }) => answer.body?.error?.message;

describe('the flag of administrators', () => {
  const flags = { is_sys_admin: true, isSysAdmin: 1, 'user.is_sys_admin': true };

  test('is in no body: not of a new user, a change, one’s own profile or a sign-in', async () => {
    const created = await asMe('POST', 'system/user?fields=*', {
      resource: [{ email: `new${count}@example.com`, password: 'pass word', ...flags }],
    });
    expect(created.status).toBe(201);
    await asMe('PATCH', `system/user/${ids.me}`, { ...flags, phone: '1' });
    await asMe('PUT', 'user/profile', { ...flags, phone: '2' });
    await platform.ask('POST', 'user/session', {
      body: { email: `me${count}@example.com`, password: 'pass word', ...flags },
      token: null,
    });
    const admins = await platform.ask('GET', 'system/admin?fields=id');
    expect(admins.body.resource).toHaveLength(1);
    expect((await asMe('GET', 'user/session')).body.is_sys_admin).toBe(false);
    expect(created.text).not.toContain('sys_admin');
  });

  test('cannot be queried, and neither can anything else that is hidden', async () => {
    for (const hidden of [
      'is_sys_admin',
      'password',
      'security_answer',
      'confirm_code',
      'tokens_valid_from',
      'version',
    ])
      for (const ask of [`filter=${hidden} is not null`, `order=${hidden}`, `group=${hidden}`]) {
        const { status, text } = await platform.ask('GET', `system/user?${encodeURI(ask)}`);
        expect([ask, status]).toEqual([ask, 400]);
        expect(text).not.toContain('argon2');
      }
    const { body } = await platform.ask('GET', 'system/user?fields=id,password,is_sys_admin,confirm_code,version');
    expect(Object.keys(body.resource[0]).sort()).toEqual(['confirmed', 'expired', 'id']);
    for (const filter of ['config like "%"', 'config.password = 1'])
      expect((await platform.ask('GET', `system/service?filter=${encodeURIComponent(filter)}`)).status).toBe(400);
  });
});

describe('ids that are another’s', () => {
  test('a record does not choose its id, its maker or its dates', async () => {
    const { body } = await platform.ask('POST', 'system/role?fields=*', {
      body: { resource: [{ id: 900, name: `r${count}`, created_by_id: 99, created_date: '2000-01-01', version: 7 }] },
    });
    const [made] = body.resource;
    expect([made.id === 900, made.created_by_id, made.created_date.slice(0, 4) === '2000']).toEqual([false, 1, false]);
    await platform.ask('PATCH', `system/role/${made.id}`, {
      body: { id: ids.role, created_by_id: 99, name: `x${count}` },
    });
    expect((await platform.ask('GET', `system/role/${made.id}`)).body).toMatchObject({
      created_by_id: 1,
      name: `x${count}`,
    });
    expect((await platform.ask('GET', `system/role/${ids.role}`)).body.name).toBe(`people${count}`);
  });

  test("a nested row of somebody else's is neither read, changed, moved nor deleted by its id", async () => {
    const related = 'related=lookup_by_user_id';
    const [theirs] = (await platform.ask('GET', `system/user/${ids.other}?${related}`)).body.lookup_by_user_id;
    for (const change of [
      { id: theirs.id, value: 'mine', private: false },
      { id: theirs.id, user_id: ids.me, name: 'secret', private: false },
      { id: theirs.id, user_id: null },
    ])
      await asMe('PATCH', `system/user/${ids.me}?${related}`, { lookup_by_user_id: [change] });
    expect((await platform.ask('GET', `system/user/${ids.other}?${related}`)).body.lookup_by_user_id).toEqual([theirs]);
    const mine = (await asMe('GET', `system/user/${ids.me}?${related}`)).text;
    expect(mine).not.toContain('theirs');
  });

  test('a user of this door is no administrator of the other', async () => {
    for (const verb of ['GET', 'PUT', 'PATCH', 'DELETE'])
      expect((await asMe(verb, 'system/user/1', { name: 'x', email: 'x@example.com' })).status).toBeGreaterThanOrEqual(
        400,
      );
    const { text } = await asMe('GET', 'system/user?related=user_by_created_by_id,role_by_user_to_app_to_role');
    expect(text).not.toContain('ada@example.com');
  });
});

describe('a token', () => {
  const state = async (used: string) => {
    const answer = await platform.ask('GET', 'system/user?limit=1', { token: used, key });
    return answer.status === 200 ? 200 : `${answer.status} ${messageOf(answer)}`;
  };
  const dead = '403 The token has been blacklisted: Session terminated. Please re-login.';

  test('of other times, keys and algorithms is refused wherever it stands', async () => {
    const [head, payload, signature] = token.split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const forged = [`${none}.${payload}.${signature}`, `${none}.${payload}.`, `${head}.${payload}.${'A'.repeat(43)}`];
    for (const bad of forged)
      for (const ask of [
        { token: null, key, headers: { authorization: `Bearer ${bad}` } },
        { token: bad, key },
        { token: null, body: { session_token: bad } },
      ]) {
        const answer = await platform.ask('GET', 'system/environment', ask);
        expect([answer.status, messageOf(answer)?.startsWith('Invalid token: ')]).toEqual([401, true]);
      }
  });

  test('is dead after a new password, and after its person was put out', async () => {
    const second = await signIn(`me${count}@example.com`);
    expect(await state(second)).toBe(200);
    await platform.ask('PATCH', `system/user/${ids.me}`, { body: { password: 'another one' } });
    expect([await state(token), await state(second)]).toEqual([dead, dead]);
    const third = await signIn(`me${count}@example.com`, 'another one');
    await platform.ask('PATCH', `system/user/${ids.me}`, { body: { is_active: false } });
    expect(await state(third)).toMatch(/^403 (User is not active\.|The token has been blacklisted)/);
    await platform.ask('DELETE', `system/user/${ids.me}`);
    expect(await state(third)).toBe('404 User not found.');
  });

  test('means what its role means now: emptied, put to sleep, taken away, deleted', async () => {
    const read = () => state(token);
    const denied =
      "403 Access Forbidden. GET access to component 'user' of service 'system' is not allowed by this user's role.";
    const [row] = (await platform.ask('GET', `system/role/${ids.role}?related=role_service_access_by_role_id`)).body
      .role_service_access_by_role_id;
    const setRow = (verb_mask: number) =>
      platform.ask('PATCH', `system/role/${ids.role}`, {
        body: { role_service_access_by_role_id: [{ id: row.id, verb_mask }] },
      });
    expect(await read()).toBe(200);
    await setRow(2);
    expect(await read()).toBe(denied);
    await setRow(31);
    expect(await read()).toBe(200);
    await platform.ask('PATCH', `system/role/${ids.role}`, { body: { is_active: false } });
    expect(await read()).toMatch(/^403 Access Forbidden\. The role assigned .* is not active\.$/);
    await platform.ask('PATCH', `system/role/${ids.role}`, { body: { is_active: true } });
    expect(await read()).toBe(200);
    await platform.ask('PATCH', `system/app/${ids.app}`, { body: { is_active: false } });
    expect(await read()).toBe('403 App is not active.');
    await platform.ask('PATCH', `system/app/${ids.app}`, { body: { is_active: true } });
    expect(await read()).toBe(200);
    await platform.ask('DELETE', `system/role/${ids.role}`);
    expect(await read()).toBe('403 Role not found. A role may not be assigned to you or your application.');
  });

  test('and key say who: those of another app give its role, not this one’s', async () => {
    const other = await platform.create('app', { name: `other${count}`, is_active: true });
    const answer = await platform.ask('GET', 'system/user', { token, key: String(other.api_key) });
    expect([answer.status, messageOf(answer)]).toEqual([
      403,
      'Role not found. A role may not be assigned to you or your application.',
    ]);
    await platform.ask('PATCH', `system/app/${ids.app}?regenerate=true`, { body: {} });
    expect(await state(token)).toBe('403 Role not found. A role may not be assigned to you or your application.');
  });
});

describe('addresses', () => {
  test.each([
    'system/user/../role/1',
    'system/%2e%2e/db/_table',
    'system/user%2f..%2fservice',
    'SYSTEM/SERVICE',
    'system//service',
    'system/service/',
    'system/service%00',
    'system/Service',
    'system/{x}',
    'system/service?method=GET&x=system/user',
  ])('%s leads nowhere its words do not', async (path) => {
    const { status, body } = await asMe('GET', path);
    expect([400, 403, 404]).toContain(status);
    expect(body?.resource).toBeUndefined();
  });

  test('a tunnelled verb is judged as what it does', async () => {
    await platform.ask('PATCH', `system/role/${ids.role}`, {
      body: {
        role_service_access_by_role_id: [{ service_id: 1, component: 'role/1', verb_mask: 2, requestor_mask: 1 }],
      },
    });
    for (const [header, verb] of [
      ['x-http-method', 'DELETE'],
      ['x-method-override', 'PATCH'],
      ['x-http-method-override', 'PUT'],
    ] as const) {
      const tunnelled = { token, key, headers: { [header]: verb }, body: { name: 'x' } };
      expect((await platform.ask('POST', 'system/role/1', tunnelled)).status).toBe(403);
    }
    expect((await platform.ask('POST', 'system/role/1?method=delete', { token, key })).status).toBe(403);
  });
});

test('abuse: a virtual relation does not tell which services there are', async () => {
  const role = await platform.create('role', {
    name: `schema${count}`,
    is_active: true,
    role_service_access_by_role_id: [{ service_id: 5, component: '*', verb_mask: 31, requestor_mask: 1 }],
  });
  const { api_key } = await platform.create('app', { name: `schema${count}`, is_active: true, role_id: role.id });
  const fields = [{ name: 'id', type: 'id' }];
  await platform.ask('POST', 'db/_schema', { body: { resource: [{ name: `known${count}`, field: fields }] } });
  const relation = { type: 'belongs_to', is_virtual: true, field: 'id', ref_table: 'x', ref_field: 'id' };
  const relate = (end: object, options = {}) =>
    platform.ask('POST', `db/_schema/known${count}/_related`, {
      body: { resource: [{ ...relation, ...end }] },
      ...options,
    });
  const role1 = { key: String(api_key), token: null };
  const messageOf = async (end: object) => {
    const { status, text } = await relate(end, role1);
    return [status, text.replace(/"request_id":"[^"]*"/, '').replaceAll(String(Object.values(end)[0]), 'x')];
  };
  const absent = await messageOf({ ref_service: 'absent' });
  expect(absent).toEqual([400, expect.stringContaining("no service 'x' for virtual relationship")]);
  expect(await messageOf({ ref_service: 'system' })).toEqual(absent);
  expect(await messageOf({ ref_service_id: 98765 })).toEqual(absent);
  expect((await messageOf({ ref_service_id: 1 }))[0]).toBe(400);
  expect((await relate({ ref_service: 'db' }, role1)).status).toBe(200);
  expect((await relate({ ref_service: 'system' })).status).toBe(200);
  // What the schema shows can be written back.
  expect((await relate({ ref_service: 'system' }, role1)).status).toBe(200);
});

test.each(['POST', 'PUT', 'PATCH'])('abuse: %s of a profile with a wrong password changes nothing', async (verb) => {
  const before = (await platform.ask('GET', 'user/profile', { token, key })).body;
  const change = (path: string, body: object, as: object) => platform.ask(verb, path, { body, ...as });
  for (const field of ['old_password', 'current_password'])
    expect(
      (await change('user/profile', { email: `new${count}@example.com`, [field]: 'wrong' }, { token, key })).body,
    ).toMatchObject({
      error: { code: 400, message: 'The password supplied does not match.' },
    });
  expect((await platform.ask('GET', 'user/profile', { token, key })).body).toEqual(before);
  expect((await change('system/admin/profile', { phone: '1', old_password: 'wrong' }, {})).status).toBe(400);
  expect((await change('user/profile', { phone: '2', old_password: 'pass word' }, { token, key })).status).toBe(200);
});
