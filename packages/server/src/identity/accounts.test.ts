import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { skeletonOf } from '../store/index.ts';
import {
  type CallOptions,
  ids,
  insertPeople,
  openTestInstance,
  password,
  type TestInstance,
} from './instance.fixture.ts';

let instance: TestInstance;
let jo: string;
let ada: string;
beforeEach(async () => {
  instance = await openTestInstance();
  await insertPeople(instance);
  jo = await signIn('jo@example.com');
  ada = await signIn('ada@example.com', password, 'admin');
});
afterEach(async () => {
  vi.useRealTimers();
  await instance.close();
});

const signIn = async (email: string, secret = password, kind: 'user' | 'admin' = 'user', remember_me = false) => {
  const body = { email, password: secret, remember_me };
  return String((await instance.ask('session', { verb: 'POST', kind, body })).body.session_token);
};
const statusOf = async (token: string) => (await instance.ask('session', { token })).status;
const readUser = (id: number) =>
  instance.store.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('changing the password', () => {
  const validBody = { old_password: password, new_password: 'new one' };
  const cases: [string, () => CallOptions, number, string][] = [
    ['nobody', () => ({ body: validBody }), 400, 'Not enough information provided to change password.'],
    ['an empty body', () => ({ token: jo }), 400, 'Not enough information provided to change password.'],
    [
      'no new password',
      () => ({ token: jo, body: { old_password: password } }),
      400,
      'Both old and new password are required to change the password.',
    ],
    [
      'an empty old password',
      () => ({ token: jo, body: { ...validBody, old_password: '' } }),
      400,
      'Both old and new password are required to change the password.',
    ],
    [
      'a wrong old password',
      () => ({ token: jo, body: { ...validBody, old_password: 'x' } }),
      400,
      'The password supplied does not match.',
    ],
    [
      'a short password',
      () => ({ token: jo, body: { ...validBody, new_password: 'four' } }),
      400,
      'Invalid data supplied. The password must be at least 5 characters.',
    ],
    [
      'an endless password',
      () => ({ token: jo, body: { ...validBody, new_password: 'x'.repeat(1025) } }),
      400,
      'Invalid data supplied. The password may not be greater than 1024 characters.',
    ],
    [
      'an admin at user/password',
      () => ({ token: ada, body: validBody }),
      401,
      'You are not authorized to reset/change password for the account ada@example.com',
    ],
    [
      'a user at system/admin/password',
      () => ({ token: jo, kind: 'admin', body: validBody }),
      401,
      'You are not authorized to reset/change password for the account jo@example.com',
    ],
  ];
  it.each(cases)('refuses %s', async (_name, options, status, message) => {
    for (const verb of ['POST', 'PUT', 'PATCH'] as const)
      expect(await instance.ask('password', { verb, ...options() })).toMatchObject({ status, message });
    expect(await statusOf(jo)).toBe(200);
  });

  it('refuses GET and says what there is', async () => {
    expect(await instance.ask('password', { verb: 'GET', token: jo })).toMatchObject({
      status: 405,
      message: "GET requests without a resource are not currently supported by the 'password' service.",
      allow: ['POST', 'PUT', 'PATCH'],
    });
  });

  it('ends every token and takes the new password only', async () => {
    const other = await signIn('jo@example.com');
    expect(await instance.ask('password', { verb: 'POST', token: jo, body: validBody })).toEqual({
      status: 200,
      body: { success: true },
    });
    expect([await statusOf(jo), await statusOf(other), await statusOf(ada)]).toEqual([403, 403, 200]);
    expect(await instance.ask('session', { verb: 'PUT', token: jo })).toMatchObject({
      message: 'Token refresh failed. The token has been blacklisted',
    });
    await instance.restart();
    expect(await statusOf(jo)).toBe(403);
    expect(await signIn('jo@example.com')).toBe('undefined');
    expect(await statusOf(await signIn('jo@example.com', 'new one'))).toBe(200);
    expect(await readUser(ids.jo)).toMatchObject({ version: 2, last_modified_by_id: ids.jo });
  });

  it('gives a token that works at once, several times within a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00.900Z') });
    let token = await signIn('jo@example.com');
    let oldPassword = password;
    for (const newPassword of ['second', 'third one', 'fourth']) {
      const { body } = await instance.ask('password', {
        verb: 'POST',
        token,
        query: { login: 'true' },
        body: { old_password: oldPassword, new_password: newPassword },
      });
      expect(await statusOf(token)).toBe(403);
      token = String(body.session_token);
      oldPassword = newPassword;
      expect(await statusOf(token)).toBe(200);
      expect(await statusOf(await signIn('jo@example.com', newPassword))).toBe(200);
    }
    expect((await instance.ask('session', { verb: 'PUT', token })).status).toBe(200);
  });

  it('also ends a token of a machine whose clock is some seconds ahead, or behind', async () => {
    const now = Date.now();
    const tokens: string[] = [];
    for (const seconds of [9, -9]) {
      vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 });
      tokens.push(await signIn('jo@example.com'));
    }
    vi.useFakeTimers({ toFake: ['Date'], now });
    for (const token of tokens) expect(await statusOf(token)).toBe(200);
    const change = { old_password: password, new_password: 'new one' };
    expect((await instance.ask('password', { verb: 'POST', token: jo, body: change })).status).toBe(200);
    for (const token of [jo, ...tokens]) expect(await statusOf(token)).toBe(403);
    for (const seconds of [9, 0, -9]) {
      vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 });
      const token = await signIn('jo@example.com', 'new one');
      vi.useFakeTimers({ toFake: ['Date'], now });
      expect(await statusOf(token)).toBe(200);
    }
  });

  it('works for administrators at their door, and keeps "remember me"', async () => {
    await instance.restart({ foreverSessions: true });
    const token = await signIn('ada@example.com', password, 'admin', true);
    const { body } = await instance.ask('password', {
      verb: 'POST',
      kind: 'admin',
      token,
      query: { login: '1' },
      body: validBody,
    });
    expect(body.success).toBe(true);
    expect(Buffer.from(String(body.session_token).split('.')[1] ?? '', 'base64url').toString()).toContain(
      '"forever":true',
    );
  });
});

describe('the profile', () => {
  it('is answered with its ten keys, at either door for administrators', async () => {
    expect(await instance.ask('profile', { token: jo })).toEqual({
      status: 200,
      body: {
        username: 'jo@example.com',
        first_name: 'Jo',
        last_name: 'Doe',
        name: 'Jo Doe',
        email: 'jo@example.com',
        phone: null,
        security_question: null,
        default_app_id: null,
        oauth_provider: '',
        adldap: '',
      },
    });
    expect(await instance.ask('profile', { token: ada })).toMatchObject({ body: { email: 'ada@example.com' } });
    expect(await instance.ask('profile', { token: ada, kind: 'admin' })).toMatchObject({ status: 200 });
  });

  const cases: [string, () => CallOptions, number, string][] = [
    ['nobody looking', () => ({}), 401, 'There is no valid session for the current request.'],
    ['nobody saving', () => ({ verb: 'PUT', body: { name: 'x' } }), 404, 'No user session found.'],
    [
      'a user at the admin door',
      () => ({ token: jo, kind: 'admin' }),
      401,
      'You are not authorized to perform this action.',
    ],
    ['an empty body', () => ({ verb: 'PATCH', token: jo, body: {} }), 400, 'No data supplied for operation.'],
    ['no body', () => ({ verb: 'POST', token: jo }), 400, 'No data supplied for operation.'],
    [
      'an empty name',
      () => ({ verb: 'PUT', token: jo, body: { name: '' } }),
      400,
      'Invalid data supplied. The name field is required.',
    ],
    [
      'a long name',
      () => ({ verb: 'PUT', token: jo, body: { name: 'x'.repeat(256) } }),
      400,
      'Invalid data supplied. The name may not be greater than 255 characters.',
    ],
    [
      'a bad e-mail',
      () => ({ verb: 'PUT', token: jo, body: { email: 'jo@' } }),
      400,
      'Invalid data supplied. The email must be a valid email address.',
    ],
    [
      'an e-mail that breaks a header',
      () => ({ verb: 'PUT', token: jo, body: { email: 'jo@example.com\nBcc: x@y.z' } }),
      400,
      'Invalid data supplied. The email must be a valid email address.',
    ],
    [
      "another's e-mail",
      () => ({ verb: 'PUT', token: jo, body: { email: 'ADA@example.com' } }),
      400,
      'Invalid data supplied. The email has already been taken.',
    ],
    [
      'a short username',
      () => ({ verb: 'PUT', token: jo, body: { username: 'jo' } }),
      400,
      'Invalid data supplied. The username must be at least 6 characters.',
    ],
    [
      'a username with a blank',
      () => ({ verb: 'PUT', token: jo, body: { username: 'jo the first' } }),
      400,
      'Invalid data supplied. The username format is invalid.',
    ],
    [
      "another's username",
      () => ({ verb: 'PUT', token: jo, body: { username: 'ada@example.com' } }),
      400,
      'Invalid data supplied. The username has already been taken.',
    ],
    [
      'a long phone',
      () => ({ verb: 'PUT', token: jo, body: { phone: '1'.repeat(33) } }),
      400,
      'Invalid data supplied. The phone may not be greater than 32 characters.',
    ],
    [
      'an unknown app',
      () => ({ verb: 'PUT', token: jo, body: { default_app_id: 99 } }),
      400,
      'Invalid data supplied. The selected default app id is invalid.',
    ],
    [
      'an object for a name',
      () => ({ verb: 'PUT', token: jo, body: { name: { a: 1 } } }),
      400,
      'Invalid data supplied. The name must be a string.',
    ],
    [
      'two mistakes',
      () => ({ verb: 'PUT', token: jo, body: { name: '', email: 'x' } }),
      400,
      'Invalid data supplied. The name field is required. The email must be a valid email address.',
    ],
  ];
  it.each(cases)('refuses %s', async (_name, options, status, message) => {
    expect(await instance.ask('profile', options())).toMatchObject({ status, message });
    expect(await readUser(ids.jo)).toMatchObject({ name: 'Jo Doe', version: 1 });
  });

  it('writes fields that are present, ignores null and unknown fields', async () => {
    const body = {
      first_name: 'Joanna',
      last_name: null,
      phone: '',
      security_question: 'Colour?',
      security_answer: 'blue',
      default_app_id: ids.portal,
      is_sys_admin: true,
      password: 'sneaky',
      id: 1,
    };
    expect(await instance.ask('profile', { verb: 'PUT', token: jo, body })).toEqual({
      status: 200,
      body: { success: true },
    });
    const stored = await readUser(ids.jo);
    expect(stored).toMatchObject({
      first_name: 'Joanna',
      last_name: 'Doe',
      phone: '',
      is_sys_admin: 0,
      default_app_id: ids.portal,
    });
    expect(stored.security_answer).toMatch(/^\$argon2id\$/);
    expect(await statusOf(jo)).toBe(200);
    expect((await instance.ask('session', { token: jo })).body.first_name).toBe('Joanna');
  });

  it('answers a body of unknown fields with success', async () => {
    expect(await instance.ask('profile', { verb: 'POST', token: jo, body: { colour: 'blue' } })).toMatchObject({
      body: { success: true },
    });
  });

  it('gives a new token for a new e-mail; the old ones stay revoked when the old e-mail comes back', async () => {
    const { body } = await instance.ask('profile', { verb: 'PATCH', token: jo, body: { email: 'joe@example.com' } });
    const token = String(body.session_token);
    expect(await instance.ask('session', { token: jo })).toMatchObject({
      status: 401,
      message: 'Invalid token: User verification failed.',
    });
    expect(await instance.ask('session', { token })).toMatchObject({ body: { email: 'joe@example.com' } });
    await instance.ask('profile', { verb: 'PATCH', token, body: { email: 'jo@example.com' } });
    expect([await statusOf(jo), await statusOf(token)]).toEqual([403, 401]);
  });

  it('abuse: an address that looks like another is refused for an administrator, and audited for a user', async () => {
    const { db } = instance.store;
    await db
      .updateTable('user')
      .set({ email_skeleton: skeletonOf('jo@example.com') })
      .where('id', '=', ids.jo)
      .execute();
    await db
      .updateTable('user')
      .set({ email_skeleton: skeletonOf('ada@example.com') })
      .where('id', '=', ids.ada)
      .execute();
    const change = (token: string, email: string) => instance.ask('profile', { verb: 'PATCH', token, body: { email } });
    expect(await change(ada, 'jо@example.com')).toMatchObject({
      status: 400,
      message: 'Invalid data supplied. The email looks like the address of another person.',
    });
    expect(await change(jo, 'jo\u200b@example.com')).toMatchObject({
      message: 'Invalid data supplied. The email must be a valid email address.',
    });
    expect(await change(jo, 'аda@example.com')).toMatchObject({ status: 200 });
    const entries = await db.selectFrom('audit').select('after').where('action', '=', 'update').execute();
    expect(entries.map(({ after }) => JSON.parse(String(after)))).toEqual([
      { email: 'аda@example.com', resembles: 'ada@example.com' },
    ]);
  });
});
