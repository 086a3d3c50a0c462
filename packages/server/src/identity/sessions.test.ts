import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type CallOptions,
  closedKey,
  ids,
  insertPeople,
  openTestInstance,
  password,
  portalKey,
  type TestInstance,
} from './instance.fixture.ts';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openTestInstance();
  await insertPeople(instance);
});
afterAll(() => instance.close());
afterEach(() => vi.useRealTimers());

const ask = (options: CallOptions) => instance.ask('session', options);
const jo = { email: 'jo@example.com', password };
const ada = { email: 'ada@example.com', password };
const signIn = async (body: object = jo, kind: 'user' | 'admin' = 'user', options: CallOptions = {}) =>
  String((await ask({ verb: 'POST', kind, body, ...options })).body.session_token);
/** A token's state as the next call sees it. */
const stateOf = async (token: string) => {
  const { status, message } = await ask({ token });
  return message ? `${status} ${message}` : status;
};
const revoked = '403 The token has been blacklisted: Session terminated. Please re-login.';
const expired =
  '401 Token has expired: Session expired. Please refresh your token (if still within refresh window) or re-login.';
const advanceClock = (minutes: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
};

describe('sign-in', () => {
  const cases: [string, CallOptions, number, string][] = [
    ['no e-mail', { body: { password } }, 400, 'Login request is missing required email.'],
    ['only a username', { body: { username: jo.email, password } }, 400, 'Login request is missing required email.'],
    ['no password', { body: { email: jo.email } }, 400, 'Login request is missing required password.'],
    ['no body', {}, 400, 'Login request is missing required email.'],
    ['credentials in the query', { query: jo }, 400, 'Login request is missing required email.'],
    ['wrong password', { body: { ...jo, password: 'x' } }, 401, 'Invalid credentials supplied.'],
    ['unknown account', { body: { ...jo, email: 'x@y.z' } }, 401, 'Invalid credentials supplied.'],
    ['inactive user', { body: { email: 'ivan@example.com', password } }, 401, 'Invalid credentials supplied.'],
    ['an endless password', { body: { ...jo, password: 'x'.repeat(9000) } }, 401, 'Invalid credentials supplied.'],
    ['an admin at user/session', { body: ada }, 401, 'Invalid credentials supplied.'],
    ['a user at system/admin/session', { kind: 'admin', body: jo }, 401, 'Invalid credentials supplied.'],
    [
      'an inactive role',
      { body: { email: 'nina@example.com', password }, apiKey: portalKey },
      403,
      'Role is not active.',
    ],
    ['an inactive app', { body: jo, apiKey: closedKey }, 403, 'App is not active.'],
    ['an unknown service', { body: { service: 'nope' } }, 404, 'Could not find a service for nope'],
    [
      'an unknown service in the query',
      { body: jo, query: { service: 'nope' } },
      404,
      'Could not find a service for nope',
    ],
    [
      'a service that is no sign-in service',
      { body: { ...jo, service: 'db' } },
      400,
      'Invalid login service provided. Please use an OAuth or AD/Ldap service.',
    ],
  ];
  it.each(cases)('refuses %s', async (_name, options, status, message) => {
    expect(await ask({ verb: 'POST', ip: '198.51.100.7', ...options })).toMatchObject({ status, message });
  });

  it('answers the session object, of the role in the app of the key', async () => {
    const { status, body } = await ask({ verb: 'POST', body: { ...jo, remember_me: true }, apiKey: portalKey });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ids.jo,
      name: 'Jo Doe',
      first_name: 'Jo',
      last_name: 'Doe',
      email: jo.email,
      is_sys_admin: false,
      role: 'reader',
      role_id: ids.reader,
    });
    expect(body.session_id).toBe(body.session_token);
    expect(body.last_login_date).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(Date.parse(String(body.token_expiry_date)) - Date.now()).toBeGreaterThan(3_590_000);
    expect(claimsOf(String(body.session_token))).toMatchObject({ user_id: ids.jo, forever: false });
  });

  it('works without a key, has no role then, and takes the name in any case', async () => {
    const { status, body } = await ask({ verb: 'POST', body: { ...jo, email: ' JO@Example.com ' } });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('role');
  });

  it('finds names with letters beyond ASCII as they are written', async () => {
    const email = 'ÉVA@exämple.com';
    const { db } = instance.store;
    await db.updateTable('user').set({ email }).where('id', '=', ids.jo).execute();
    expect(await ask({ verb: 'POST', body: { email, password } })).toMatchObject({ status: 200 });
    await db.updateTable('user').set({ email: jo.email }).where('id', '=', ids.jo).execute();
    await instance.store.bus.publish({ table: 'user', ids: [ids.jo] });
  });

  it('gives administrators their session without a role', async () => {
    const { body } = await ask({ verb: 'POST', kind: 'admin', body: ada, apiKey: portalKey });
    expect(body).toMatchObject({ is_sys_admin: true });
    expect(body).not.toHaveProperty('role_id');
  });

  it('ignores a stale token that came along', async () => {
    expect(await ask({ verb: 'POST', body: jo, token: 'a.b.c' })).toMatchObject({ status: 200 });
  });

  it('notes the sign-in and confirms the account', async () => {
    await instance.store.db
      .updateTable('user')
      .set({ confirm_code: 'ABC', last_login_date: null })
      .where('id', '=', ids.jo)
      .execute();
    await signIn();
    const row = await instance.store.db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', ids.jo)
      .executeTakeFirstOrThrow();
    expect(row.confirm_code).toBe('y');
    expect(Date.now() - Date.parse(row.last_login_date ?? '')).toBeLessThan(5000);
  });

  it('works by username where the setting says so', async () => {
    await instance.restart({ loginAttribute: 'username' });
    expect(await ask({ verb: 'POST', body: { username: jo.email, password } })).toMatchObject({ status: 200 });
    expect(await ask({ verb: 'POST', body: jo })).toMatchObject({
      status: 400,
      message: 'Login request is missing required username.',
    });
    await instance.restart({ loginAttribute: 'email' });
  });
});

describe('looking at the session', () => {
  it.each([
    ['nobody', {}, 401, 'There is no valid session for the current request.'],
    ['nobody at the admin door', { kind: 'admin' }, 404, 'No user session found.'],
    ['an unknown sign-in service', { query: { service: 'nope' } }, 404, 'Could not find a service for nope'],
    [
      'another service',
      { query: { service: 'Db' } },
      400,
      'Invalid login service provided. Please use an OAuth service.',
    ],
  ] as [string, CallOptions, number, string][])('refuses %s', async (_name, options, status, message) => {
    expect(await ask(options)).toMatchObject({ status, message });
  });

  it('answers an administrator at both doors and a user at one', async () => {
    const [admin, user] = [await signIn(ada, 'admin'), await signIn()];
    expect(await ask({ token: admin })).toMatchObject({ status: 200, body: { id: ids.ada, session_token: admin } });
    expect(await ask({ token: admin, kind: 'admin' })).toMatchObject({ status: 200, body: { is_sys_admin: true } });
    expect(await ask({ token: user, apiKey: portalKey })).toMatchObject({ status: 200, body: { role: 'reader' } });
    expect(await ask({ token: user, kind: 'admin' })).toMatchObject({
      status: 401,
      message: 'You are not authorized to perform this action.',
    });
  });

  it('refuses PATCH by name and says what there is', async () => {
    expect(await ask({ verb: 'PATCH' })).toMatchObject({
      status: 405,
      message: "PATCH requests without a resource are not currently supported by the 'session' service.",
      allow: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    });
  });
});

describe('Basic credentials', () => {
  const basic = { login: jo.email, password };
  it('authenticate one call and make no token', async () => {
    expect(await ask({ basic })).toMatchObject({
      status: 200,
      body: { id: ids.jo, session_token: null, session_id: null },
    });
    expect(await ask({ basic, verb: 'DELETE' })).toMatchObject({ status: 200, body: { success: true } });
  });
  it('are refused when wrong, also after they were right', async () => {
    await ask({ basic });
    const wrong = { status: 401, message: 'Unauthorized. User credentials did not match.' };
    expect(await ask({ basic: { ...basic, password: 'x' } })).toMatchObject(wrong);
    expect(await ask({ basic: { login: 'ivan@example.com', password } })).toMatchObject(wrong);
    await instance.store.db.updateTable('user').set({ is_active: 0 }).where('id', '=', ids.jo).execute();
    await instance.store.bus.publish({ table: 'user', ids: [ids.jo] });
    expect(await ask({ basic })).toMatchObject(wrong);
    await instance.store.db.updateTable('user').set({ is_active: 1 }).where('id', '=', ids.jo).execute();
    await instance.store.bus.publish({ table: 'user', ids: [ids.jo] });
  });
});

describe('renewal', () => {
  it('gives a new token with the first date and ends the old one', async () => {
    const first = await signIn();
    advanceClock(30);
    const { status, body } = await ask({ verb: 'PUT', token: first, apiKey: portalKey });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: ids.jo, email: jo.email, role: 'reader' });
    const second = String(body.session_token);
    expect(claimsOf(second).iat).toBe(claimsOf(first).iat);
    expect(claimsOf(second).exp).toBeGreaterThan(Number(claimsOf(first).exp));
    expect(await stateOf(first)).toBe(revoked);
    expect(await stateOf(second)).toBe(200);
  });

  it('renews an expired token at both doors', async () => {
    const [user, admin] = [await signIn(), await signIn(ada, 'admin')];
    advanceClock(61);
    expect(await stateOf(user)).toBe(expired);
    expect(await ask({ verb: 'PUT', token: user })).toMatchObject({ status: 200 });
    expect(await ask({ verb: 'PUT', token: admin, kind: 'admin' })).toMatchObject({
      status: 200,
      body: { is_sys_admin: true },
    });
  });

  it('lets one of several renewals at once win', async () => {
    const token = await signIn();
    const answers = await Promise.all([1, 2, 3].map(() => ask({ verb: 'PUT', token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it.each([
    ['nothing', async () => undefined, 'A token is required'],
    ['rubbish', async () => 'rubbish', 'Wrong number of segments'],
    ['an ended token', async () => createEndedToken(), 'The token has been blacklisted'],
  ] as [string, () => Promise<string | undefined>, string][])('refuses %s', async (_name, token, reason) => {
    expect(await ask({ verb: 'PUT', token: await token() })).toMatchObject({
      status: 401,
      message: `Token refresh failed. ${reason}`,
    });
  });

  it('ends with the refresh window, however often renewed', async () => {
    let token = await signIn();
    advanceClock(20_000);
    token = String((await ask({ verb: 'PUT', token })).body.session_token);
    expect(await stateOf(token)).toBe(200);
    advanceClock(161);
    expect(await ask({ verb: 'PUT', token })).toMatchObject({
      status: 401,
      message: 'Token refresh failed. Token has expired and can no longer be refreshed',
    });
  });

  it('renews a forever token without end while it is used', async () => {
    await instance.restart({ foreverSessions: true });
    let token = await signIn({ ...jo, remember_me: true });
    expect(claimsOf(token).forever).toBe(true);
    for (const minutes of [20_000, 20_000]) {
      advanceClock(minutes);
      token = String((await ask({ verb: 'PUT', token })).body.session_token);
      expect(await stateOf(token)).toBe(200);
    }
    advanceClock(20_161);
    expect(await ask({ verb: 'PUT', token })).toMatchObject({ status: 401 });
    // What a start purges depends on the clock, and it may be purged after the next test has begun.
    vi.useRealTimers();
    await instance.restart({ foreverSessions: false });
  });

  it('refuses people at the door of administrators and leaves their token alone', async () => {
    const token = await signIn();
    expect(await ask({ verb: 'PUT', kind: 'admin', token })).toMatchObject({ status: 401 });
    expect(await stateOf(token)).toBe(200);
  });
});

const createEndedToken = async () => {
  const token = await signIn();
  await ask({ verb: 'DELETE', token });
  return token;
};

describe('sign-out', () => {
  it('ends the token for good', async () => {
    const token = await signIn();
    expect(await stateOf(token)).toBe(200);
    expect(await ask({ verb: 'DELETE', token })).toMatchObject({ status: 200, body: { success: true } });
    expect(await stateOf(token)).toBe(revoked);
    expect(await ask({ verb: 'DELETE', token })).toMatchObject({ status: 403 });
    await instance.restart();
    expect(await stateOf(token)).toBe(revoked);
  });
  it('is a success without a token', async () => {
    expect(await ask({ verb: 'DELETE' })).toMatchObject({ status: 200, body: { success: true } });
    expect(await ask({ verb: 'DELETE', kind: 'admin' })).toMatchObject({ status: 200, body: { success: true } });
  });
  it('keeps the row until the token could not be renewed any more, then purges it', async () => {
    const token = await createEndedToken();
    const row = () =>
      instance.store.db
        .selectFrom('revoked_token')
        .selectAll()
        .where('jti', '=', String(claimsOf(token).jti))
        .executeTakeFirst();
    expect((await row())?.expires_at).toBe(Number(claimsOf(token).iat) + 20_160 * 60 + 60);
    advanceClock(20_162);
    await instance.restart();
    await instance.jobs.start();
    await vi.waitFor(async () => expect(await row()).toBeUndefined(), 10_000);
  });
});

describe('tokens that are not ours', () => {
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const parts = (token: string) => token.split('.') as [string, string, string];
  const notVerified = '401 Invalid token: Token Signature could not be verified.';
  const cases: [string, (token: string) => string, string][] = [
    ['no token at all', () => 'x', '401 Invalid token: Wrong number of segments'],
    ['four segments', (token) => `${token}.x`, '401 Invalid token: Wrong number of segments'],
    ['odd characters', (token) => token.replace('.', '.%'), '401 Invalid token: Malformed token'],
    ['a megabyte', (token) => token + 'x'.repeat(1_000_000), '401 Invalid token: Malformed token'],
    [
      'a header that is no JSON',
      (token) => `x${token}`,
      '401 Invalid token: Could not decode token: the header is not JSON.',
    ],
    ['alg none', (token) => `${base64({ alg: 'none', typ: 'JWT' })}.${parts(token)[1]}.x`, notVerified],
    [
      'alg none without a signature',
      (token) => `${base64({ alg: 'none' })}.${parts(token)[1]}.`,
      '401 Invalid token: Malformed token',
    ],
    [
      'another algorithm',
      (token) => `${base64({ alg: 'RS256', typ: 'JWT' })}.${parts(token)[1]}.${parts(token)[2]}`,
      notVerified,
    ],
    ['another key', (token) => signWith('another key', parts(token)[0], parts(token)[1]), notVerified],
    ['an empty key', (token) => signWith('', parts(token)[0], parts(token)[1]), notVerified],
    ['a cut signature', (token) => token.slice(0, -1), notVerified],
    ['a signature with its spare bits changed', (token) => respellSignature(token), notVerified],
    [
      'an edited payload',
      (token) => `${parts(token)[0]}.${base64({ ...claimsOf(token), user_id: ids.ada })}.${parts(token)[2]}`,
      notVerified,
    ],
  ];
  it.each(cases)('refuses %s', async (_name, forge, expected) => {
    const token = await signIn();
    expect(await stateOf(token)).toBe(200);
    const forged = forge(token);
    expect(forged).not.toBe(token);
    expect(await stateOf(forged)).toBe(expected);
  });

  it('refuses tokens made with an old key', async () => {
    const token = await signIn();
    await instance.store.db.deleteFrom('instance').where('name', '=', 'key_check').execute();
    const { secret } = instance.settings;
    await instance.restart({ secret: 'another secret of the tests, long enough' });
    expect(await stateOf(token)).toBe(notVerified);
    await instance.store.db.deleteFrom('instance').where('name', '=', 'key_check').execute();
    await instance.restart({ secret });
    expect(await stateOf(token)).toBe(200);
  });
});

describe('changes to the person', () => {
  const change = async (values: object, id: number = ids.jo) => {
    await instance.store.db.updateTable('user').set(values).where('id', '=', id).execute();
    await instance.store.bus.publish({ table: 'user', ids: [id] });
  };
  it('act on the very next call', async () => {
    const token = await signIn();
    expect(await stateOf(token)).toBe(200);
    await change({ is_active: 0 });
    expect(await stateOf(token)).toBe('403 User is not active.');
    expect(await ask({ verb: 'PUT', token })).toMatchObject({ message: 'Token refresh failed. User is not active.' });
    await change({ is_active: 1, email: 'joe@example.com' });
    expect(await stateOf(token)).toBe('401 Invalid token: User verification failed.');
    expect(await ask({ verb: 'PUT', token })).toMatchObject({
      message: 'Token refresh failed. User verification failed.',
    });
    await change({ email: jo.email });
    expect(await stateOf(token)).toBe(200);
  });
  it('refuse the token of someone who is gone', async () => {
    const token = await signIn();
    const row = await instance.store.db
      .selectFrom('user')
      .select(['id', 'name', 'username', 'email', 'password', 'is_active', 'is_sys_admin'])
      .where('id', '=', ids.jo)
      .executeTakeFirstOrThrow();
    const roles = await instance.store.db
      .selectFrom('user_to_app_to_role')
      .selectAll()
      .where('user_id', '=', ids.jo)
      .execute();
    await instance.store.db.deleteFrom('user').where('id', '=', ids.jo).execute();
    await instance.store.bus.publish({ table: 'user', ids: [ids.jo] });
    expect(await stateOf(token)).toBe('404 User not found.');
    expect(await ask({ verb: 'PUT', token })).toMatchObject({ message: 'Token refresh failed. User not found.' });
    await instance.store.db
      .insertInto('user')
      .values(row as never)
      .execute();
    await instance.store.db.insertInto('user_to_app_to_role').values(roles).execute();
    await instance.store.bus.publish({ table: 'user', ids: [ids.jo] });
  });
});

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

function signWith(key: string, header: string, payload: string): string {
  const signedPart = `${header}.${payload}`;
  return `${signedPart}.${createHmac('sha256', key).update(signedPart).digest('base64url')}`;
}

/** Another spelling of the same signature bytes: the last of 43 characters holds four bits that count. */
function respellSignature(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) ?? '');
  return token.slice(0, -1) + alphabet[last ^ 1];
}
