// How a caller is known and told: keys, tokens, the envelope of errors, and sessions from their first call to their end.
import { Agent, get as getOver, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const get = (path: string, options?: Parameters<TestPlatform['ask']>[2]) => platform.ask('GET', path, options);
const account = { email: 'own@example.com', password: 'own password' };
const signIn = (kind: 'user' | 'system/admin', body: object, on = platform) =>
  on.ask('POST', `${kind}/session`, { token: null, body });

describe('callers', () => {
  it('SRV-001 an app is known by its key, in the header or the query', async () => {
    const { id } = await platform.create('role', {
      name: 'readers',
      is_active: true,
      role_service_access_by_role_id: [{ service_id: 5, component: '*', verb_mask: 1, requestor_mask: 1 }],
    });
    const { api_key } = await platform.create('app', { name: 'reading', is_active: true, role_id: id });
    const key = String(api_key);
    expect((await get('db/_table', { token: null, key })).status).toBe(200);
    expect((await get(`db/_table?api_key=${key}`, { token: null })).status).toBe(200);
    expect((await get('db/_table', { token: null })).status).toBe(400);
  });

  it('SRV-002 a person is known by their token, in the header or the query', async () => {
    expect((await get('system/role')).status).toBe(200);
    expect((await get(`system/role?session_token=${platform.adminToken}`, { token: null })).status).toBe(200);
    expect((await get('system/role?session_token=junk', { token: null })).status).toBe(401);
  });

  it('SRV-003 an error has code, message and context; its code is the status', async () => {
    await platform.create('user', { ...account, email: 'none@example.com' });
    const { session_token } = (await signIn('user', { ...account, email: 'none@example.com' })).body;
    const { api_key } = await platform.create('app', { name: 'closed', is_active: true });
    for (const [status, path, options] of [
      [400, 'system/role?filter=nope%20nope', {}],
      [401, 'user/session', { token: null }],
      [403, 'db/_table', { token: session_token, key: String(api_key) }],
      [404, 'nowhere', {}],
    ] as const) {
      const answer = await get(path, options);
      expect([path, answer.status, answer.headers['content-type']]).toEqual([
        path,
        status,
        expect.stringContaining('application/json'),
      ]);
      expect(answer.body.error).toMatchObject({ code: status, message: expect.stringMatching(/./), context: null });
    }
  });

  it('SES-006 who is no administrator needs a role, which opens an app and what of its services it names', async () => {
    const person = { email: 'roles@example.com', password: 'own password' };
    const { id } = await platform.create('user', person);
    const { api_key, id: app_id } = await platform.create('app', {
      name: 'open',
      is_active: true,
      type: 2,
      url: 'https://open.example.com',
    });
    const key = String(api_key);
    const { session_token: token } = (await signIn('user', person)).body;
    const appNames = async () =>
      (await get('system/environment', { token })).body.apps.map(({ name }: { name: string }) => name);
    const statuses = () =>
      Promise.all(['db/_table', 'files/', 'system/role'].map(async (path) => (await get(path, { token, key })).status));
    expect([await statuses(), await appNames()]).toEqual([[403, 403, 403], []]);
    const role = await platform.create('role', {
      name: 'reads db',
      is_active: true,
      role_service_access_by_role_id: [{ service_id: 5, component: '*', verb_mask: 1, requestor_mask: 1 }],
    });
    const rows = { user_to_app_to_role_by_user_id: [{ app_id, role_id: role.id }] };
    expect((await platform.ask('PATCH', `system/user/${id}`, { body: rows })).status).toBe(200);
    expect([await statuses(), await appNames()]).toEqual([[200, 403, 403], ['open']]);
    // Nor may it do there what it does not name.
    expect((await platform.ask('POST', 'db/_schema', { token, key, body: { resource: [] } })).status).toBe(403);
    // And no role is one for other apps.
    const { api_key: other } = await platform.create('app', { name: 'another', is_active: true });
    expect((await get('db/_table', { token, key: String(other) })).status).toBe(403);
  });

  it('SES-007 the default role of an app is that of guests and of callers without a session', async () => {
    const guest = { email: 'guest@example.com', password: 'own password' };
    await platform.create('user', guest);
    const { session_token } = (await signIn('user', guest)).body;
    const role = await platform.create('role', {
      name: 'for everybody',
      is_active: true,
      role_service_access_by_role_id: [{ service_id: 5, component: '*', verb_mask: 1, requestor_mask: 1 }],
    });
    const { api_key, id } = await platform.create('app', { name: 'public', is_active: true });
    const key = String(api_key);
    const statuses = () =>
      Promise.all(
        [null, session_token].flatMap((token) =>
          ['db/_table', 'files/'].map(async (path) => (await get(path, { token, key })).status),
        ),
      );
    expect(await statuses()).toEqual([400, 400, 403, 403]);
    const { status } = await platform.ask('PATCH', `system/app/${id}`, { body: { role_id: role.id } });
    expect([status, await statuses()]).toEqual([200, [200, 401, 200, 403]]);
  });

  it('SRV-046 a POST with the header X-HTTP-METHOD DELETE deletes', async () => {
    const { id } = await platform.create('role', { name: 'gone', is_active: true });
    const headers = { 'X-HTTP-METHOD': 'DELETE' };
    expect((await platform.ask('POST', `system/role/${id}`, { headers })).body).toEqual({ id });
    expect((await get(`system/role/${id}`)).status).toBe(404);
  });

  it('abuse: each call of a connection has its own caller, after any other', async () => {
    const people = ['first', 'second'].map((name) => ({
      email: `${name}.shared@example.com`,
      password: 'own password',
    }));
    for (const person of people) await platform.create('user', person);
    const [first, second] = await Promise.all(people.map(async (it) => (await signIn('user', it)).body.session_token));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const callerOver = async (headers: Record<string, string>) => {
      const url = `${platform.url}/api/v2/user/session`;
      const response = await new Promise<IncomingMessage>((resolve) => getOver(url, { agent, headers }, resolve));
      const body = (await json(response)) as { email?: string };
      return body.email ?? response.statusCode;
    };
    const withToken = (token: string) => callerOver({ 'x-dreamfactory-session-token': token });
    const password = `Basic ${Buffer.from('ada@example.com:correct horse').toString('base64')}`;
    try {
      const seen: unknown[] = [];
      for (const token of [first, first, second, first, second]) seen.push(await withToken(token));
      seen.push(await callerOver({}), await callerOver({ authorization: password }), await callerOver({}));
      seen.push(await withToken(second));
      expect(seen).toEqual([
        ...[people[0], people[0], people[1], people[0], people[1]].map((it) => it?.email),
        401,
        'ada@example.com',
        401,
        people[1]?.email,
      ]);
      await platform.ask('DELETE', 'user/session', { token: second });
      expect(await withToken(second)).toBe(403);
    } finally {
      agent.destroy();
    }
  });
});

describe('sessions', () => {
  it('SRV-008 administrators sign in at a door of their own, and are remembered when they wish', async () => {
    const lasting = await startPlatform({ foreverSessions: true });
    try {
      const admin = { email: 'ada@example.com', password: 'correct horse' };
      const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
      for (const remember_me of [false, true]) {
        const { status, body } = await signIn('system/admin', { ...admin, remember_me }, lasting);
        expect([status, body.is_sys_admin, body.email]).toEqual([200, true, admin.email]);
        expect(claims(body.session_token).forever).toBe(remember_me);
      }
      await lasting.create('user', account);
      for (const wrong of [{ ...admin, password: 'x' }, account])
        expect((await signIn('system/admin', wrong, lasting)).status).toBe(401);
      expect((await signIn('user', admin, lasting)).status).toBe(401);
      const { body } = await signIn('user', account, lasting);
      expect([body.is_sys_admin, body.email]).toEqual([false, account.email]);
    } finally {
      await lasting.stop();
    }
  });

  it('SRV-009 a session is looked at by a token of the query', async () => {
    const look = (token: string) => get(`user/session?session_token=${token}`, { token: null });
    await platform.create('user', { ...account, name: 'Own' });
    const { session_token } = (await signIn('user', account)).body;
    expect((await look(session_token)).body).toMatchObject({ session_token, email: account.email, name: 'Own' });
    expect((await look('junk')).status).toBe(401);
  });

  it('SRV-012 a session that was ended is refused from then on, at either door', async () => {
    const admin = { email: 'ada@example.com', password: 'correct horse' };
    for (const [kind, body] of [
      ['user', account],
      ['system/admin', admin],
    ] as const) {
      const token = (await signIn(kind, body)).body.session_token;
      expect((await get(`${kind}/session`, { token })).status).toBe(200);
      expect((await platform.ask('DELETE', `${kind}/session`, { token })).body).toEqual({ success: true });
      const later = await get(`${kind}/session`, { token });
      expect([later.status, later.body.error.message]).toEqual([
        403,
        expect.stringContaining('The token has been blacklisted'),
      ]);
    }
  });

  it('SRV-018 SES-098 the own password is changed, five characters at least, and a new token answered', async () => {
    for (const kind of ['user', 'admin'] as const) {
      const person = { email: `${kind}.change@example.com`, password: 'first' };
      await platform.create(kind, person);
      const door = kind === 'admin' ? 'system/admin' : 'user';
      const token = (await signIn(door, person)).body.session_token;
      const change = (new_password: string) =>
        platform.ask('POST', `${door}/password?reset=false&login=true`, {
          token,
          body: { old_password: 'first', new_password },
        });
      expect((await change('four')).status).toBe(400);
      const { body } = await change('fiver');
      expect((await get(`${door}/session`, { token: body.session_token })).body.email).toBe(person.email);
      expect((await get(`${door}/session`, { token })).status).toBe(403);
      expect((await signIn(door, person)).status).toBe(401);
      expect((await signIn(door, { ...person, password: 'fiver' })).status).toBe(200);
    }
  });
});
