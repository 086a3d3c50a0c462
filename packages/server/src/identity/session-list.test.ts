// Where people are signed in: lists of sessions and their ends, over HTTP (contract/sessions-and-accounts.md §13).
import type { ListedSession } from '@sluice/contract';
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const password = 'jo pass word';
let platform: TestPlatform;
let jo: { id: number; email: string };
beforeAll(async () => {
  platform = await startPlatform({ trustProxy: true });
});
afterAll(() => platform.stop());

let count = 0;
const addPerson = async (kind: 'user' | 'admin' = 'user') => {
  count += 1;
  const email = `person${count}@example.com`;
  const { id } = await platform.create(kind, { email, password, is_active: true });
  return { id, email };
};
const addRole = async (verb_mask: number) => {
  count += 1;
  const access = [{ service_id: 1, component: 'user/*', verb_mask, requestor_mask: 1 }];
  const record = { name: `role ${count}`, is_active: true, role_service_access_by_role_id: access };
  const { id: role_id } = await platform.create('role', record);
  const app = await platform.create('app', { name: `app ${count}`, type: 0, is_active: true, role_id });
  return String(app.api_key);
};

interface Device {
  ip?: string;
  agent?: string;
}
const signIn = async (email: string, { ip = '198.51.100.1', agent = 'Tests/1' }: Device = {}, kind = 'user') => {
  const path = kind === 'admin' ? 'system/admin/session' : 'user/session';
  const headers = { 'x-forwarded-for': ip, 'user-agent': agent };
  const { status, body } = await platform.ask('POST', path, { body: { email, password }, token: null, headers });
  expect(status).toBe(200);
  return body.session_token as string;
};
const statusOf = async (token: string) => (await platform.ask('GET', 'user/session', { token })).status;
const listOf = async (token: string): Promise<ListedSession[]> =>
  (await platform.ask('GET', 'user/_sessions', { token })).body.resource;
const day = 24 * 3_600_000;

describe('own sessions', () => {
  it('are listed with device, address and times, the one used last first, and no token', async () => {
    jo = await addPerson();
    const phone = await signIn(jo.email, { ip: '2001:db8::7', agent: 'Phone/2' });
    const laptop = await signIn(jo.email, { ip: '198.51.100.9', agent: `Laptop/1 ${'x'.repeat(300)}` });
    const answer = await platform.ask('GET', 'user/_sessions', { token: phone });
    expect(
      answer.body.resource.map(({ user_agent: agent, ip_address, is_current }: Record<string, string>) => [
        agent?.slice(0, 8),
        ip_address,
        is_current,
      ]),
    ).toEqual([
      ['Phone/2', '2001:db8::7', true],
      ['Laptop/1', '198.51.100.9', false],
    ]);
    const [{ created_date, last_use_date, expires_date }] = answer.body.resource;
    expect(Date.now() - Date.parse(created_date)).toBeLessThan(60_000);
    expect(Date.parse(last_use_date)).toBeGreaterThanOrEqual(Date.parse(created_date));
    expect(Date.parse(expires_date) - Date.parse(created_date)).toBeGreaterThan(13.99 * day);
    for (const token of [phone, laptop]) for (const part of token.split('.')) expect(answer.text).not.toContain(part);
    // Who used it last comes first.
    expect((await listOf(laptop))[0]).toMatchObject({ is_current: true, ip_address: '198.51.100.9' });
  });

  it('are no one else’s, and need somebody', async () => {
    const other = await signIn((await addPerson()).email);
    expect(await listOf(other)).toHaveLength(1);
    const mine = await listOf(await signIn(jo.email));
    for (const { id } of mine) {
      const { status, body } = await platform.ask('DELETE', `user/_sessions/${id}`, { token: other });
      expect([status, body.error.message]).toEqual([404, `Record with identifier '${id}' not found.`]);
    }
    for (const id of ['0', '-1', 'x', '1e3', '9'.repeat(30)])
      expect((await platform.ask('DELETE', `user/_sessions/${id}`, { token: other })).status).toBe(404);
    for (const [verb, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['DELETE', `/${mine[0]?.id}`],
    ] as const)
      expect((await platform.ask(verb, `user/_sessions${path}`, { token: null })).status).toBe(401);
    expect(await listOf(await signIn(jo.email))).toHaveLength(mine.length + 1);
  });

  it('end one by one: neither used nor renewed any more', async () => {
    const { email } = await addPerson();
    const [here, there] = [await signIn(email), await signIn(email, { agent: 'There/1' })];
    const { id } = (await listOf(here)).find(({ is_current }) => !is_current)!;
    expect((await platform.ask('DELETE', `user/_sessions/${id}`, { token: here })).body).toEqual({ id });
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 403]);
    expect((await platform.ask('PUT', 'user/session', { token: there })).status).toBe(401);
    expect(await listOf(here)).toHaveLength(1);
    expect((await platform.ask('DELETE', `user/_sessions/${id}`, { token: here })).status).toBe(404);
  });

  it('end all but the one of the call, which goes on by a new token; unlisted ones end too', async () => {
    const { id, email } = await addPerson();
    const [here, there, unlisted] = [await signIn(email), await signIn(email), await signIn(email)];
    const newest = await platform.store.db
      .selectFrom('session')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('id')
      .execute();
    await platform.store.db.deleteFrom('session').where('id', '=', newest[2]!.id).execute();
    const { status, body } = await platform.ask('DELETE', 'user/_sessions', { token: here });
    expect([status, body.success]).toEqual([200, true]);
    expect(await Promise.all([here, there, unlisted, body.session_token].map(statusOf))).toEqual([403, 403, 403, 200]);
    expect(await listOf(body.session_token)).toMatchObject([{ is_current: true }]);
    // With a password instead of a token there is nothing to go on by.
    const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
    const basic = await platform.ask('DELETE', 'user/_sessions', { token: null, headers: { authorization } });
    expect(basic.body).toEqual({ success: true });
    expect(await statusOf(body.session_token)).toBe(403);
  });

  it('stay one session when renewed, and leave the list when signed out', async () => {
    const { email } = await addPerson();
    const first = await signIn(email, { agent: 'Old/1' });
    const [before] = await listOf(first);
    const headers = { 'user-agent': 'New/2', 'x-forwarded-for': '203.0.113.5' };
    const { body } = await platform.ask('PUT', 'user/session', { token: first, headers });
    const after = await listOf(body.session_token);
    expect(after).toMatchObject([
      {
        ...before,
        user_agent: 'New/2',
        ip_address: '203.0.113.5',
        last_use_date: expect.any(String),
        is_current: true,
      },
    ]);
    const other = await signIn(email);
    expect((await platform.ask('DELETE', 'user/session', { token: body.session_token })).status).toBe(200);
    expect(await listOf(other)).toHaveLength(1);
  });

  it('abuse: a session that is ended while it is renewed does not go on', async () => {
    const { email } = await addPerson();
    for (let round = 0; round < 8; round++) {
      const [here, there] = [await signIn(email), await signIn(email)];
      const { id } = (await listOf(here)).find(({ is_current }) => !is_current)!;
      const [renewal] = await Promise.all([
        platform.ask('PUT', 'user/session', { token: there }),
        platform.ask('DELETE', `user/_sessions/${id}`, { token: here }),
      ]);
      expect(await statusOf(there)).toBe(403);
      if (renewal.status === 200) expect(await statusOf(renewal.body.session_token)).toBe(403);
      expect(await listOf(here)).toHaveLength(1);
      await platform.ask('DELETE', 'user/session', { token: here });
    }
  });

  it('are bounded: of a person who signs in again and again the last ones are listed', async () => {
    const { id, email } = await addPerson();
    const row = (index: number) => ({
      ...{
        user_id: id,
        jti: `made up ${id} ${index}`,
        issued_at: 2e9,
        ends_at: 4e9,
        ip_address: null,
        user_agent: null,
      },
      ...{ created_date: '2026-01-01T00:00:00.000Z', last_use_date: '2026-01-01T00:00:00.000Z' },
    });
    await platform.store.db
      .insertInto('session')
      .values(Array.from({ length: 250 }, (_, at) => row(at)))
      .execute();
    const sessions = await listOf(await signIn(email));
    expect(sessions).toHaveLength(200);
    expect(sessions[0]?.is_current).toBe(true);
    const rows = await platform.store.db.selectFrom('session').select('id').where('user_id', '=', id).execute();
    expect(rows).toHaveLength(200);
  });

  it('are in no list that clients read', async () => {
    for (const path of ['user', 'user?as_access_list=true', 'system', 'system?as_access_list=true'])
      expect((await platform.ask('GET', path)).text).not.toContain('_sessions');
  });
});

describe.each(['user', 'admin'] as const)('the sessions of a person as administrators see them: %s', (kind) => {
  it('are listed and end one by one, or all, and the audit tells by whom', async () => {
    const { id, email } = await addPerson(kind);
    const tokens = [await signIn(email, { agent: 'A/1' }, kind), await signIn(email, { agent: 'B/1' }, kind)];
    const path = `system/${kind}/${id}/_sessions`;
    const list = async () => (await platform.ask('GET', path)).body.resource;
    const [first] = await list();
    expect(first).toMatchObject({ user_agent: 'B/1', is_current: false });
    expect((await platform.ask('DELETE', `${path}/${first.id}`)).body).toEqual({ id: first.id });
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 403]);
    expect(await list()).toHaveLength(1);
    expect((await platform.ask('DELETE', path)).body).toEqual({ success: true });
    expect(await Promise.all(tokens.map(statusOf))).toEqual([403, 403]);
    expect(await list()).toEqual([]);
    await expect
      .poll(async () => {
        const filter = `(action='sign_out') and (record_id=${id})`;
        const { body } = await platform.ask('GET', `system/audit?filter=${encodeURIComponent(filter)}`);
        return body.resource.map(({ resource, user_email }: Record<string, unknown>) => [resource, user_email]);
      })
      .toContainEqual([kind, administrator.email]);
  });

  it('end with a new password, a new address and when the person is switched off or deleted', async () => {
    for (const change of [{ password: 'another one' }, { email: 'E' }, { is_active: false }]) {
      const { id, email } = await addPerson(kind);
      const token = await signIn(email, {}, kind);
      const record = 'email' in change ? { email: `new.${email}` } : change;
      expect((await platform.ask('PATCH', `system/${kind}/${id}`, { body: record })).status).toBe(200);
      expect(await statusOf(token)).not.toBe(200);
      expect((await platform.ask('PUT', 'user/session', { token })).status).toBe(401);
      expect((await platform.ask('GET', `system/${kind}/${id}/_sessions`)).body.resource).toEqual([]);
      // What was undone does not bring them back.
      await platform.ask('PATCH', `system/${kind}/${id}`, { body: { email, is_active: true } });
      expect(await statusOf(token)).toBe(403);
      await platform.ask('DELETE', `system/${kind}/${id}`);
      expect(await statusOf(token)).toBe(404);
      expect(await platform.store.db.selectFrom('session').select('id').where('user_id', '=', id).execute()).toEqual(
        [],
      );
    }
  });

  it('end with the person’s own change of password or address', async () => {
    const { email } = await addPerson(kind);
    const door = kind === 'admin' ? 'system/admin' : 'user';
    const [here, there] = [await signIn(email, {}, kind), await signIn(email, {}, kind)];
    const passwords = { old_password: password, new_password: 'another one' };
    const changed = await platform.ask('POST', `${door}/password?login=true`, { token: here, body: passwords });
    expect(await Promise.all([here, there].map(statusOf))).toEqual([403, 403]);
    const moved = await platform.ask('PUT', `${door}/profile`, {
      ...{ token: changed.body.session_token, body: { email: `moved.${email}` } },
    });
    expect(await statusOf(changed.body.session_token)).not.toBe(200);
    expect(await listOf(moved.body.session_token)).toMatchObject([{ is_current: true }]);
  });

  it('are not those of the other kind', async () => {
    const { id } = await addPerson(kind);
    const other = kind === 'user' ? 'admin' : 'user';
    for (const [verb, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['DELETE', '/1'],
    ] as const)
      expect((await platform.ask(verb, `system/${other}/${id}/_sessions${path}`)).status).toBe(404);
    expect((await platform.ask('GET', `system/${kind}/x/_sessions`)).status).toBe(404);
  });
});

it('has the rights of the person’s record: who reads it sees them, who may delete it ends them', async () => {
  const { id, email } = await addPerson();
  const token = await signIn(email);
  const session = (await listOf(token))[0]?.id;
  const caller = await signIn((await addPerson()).email);
  const path = `system/user/${id}/_sessions`;
  const [none, reads, ends] = [await addRole(0), await addRole(1), await addRole(17)];
  const outcomes = async (key: string) => {
    const ask = (verb: string, address: string) => platform.ask(verb, address, { token: caller, key });
    return [(await ask('GET', path)).status, (await ask('DELETE', `${path}/${session}`)).status];
  };
  expect(await outcomes(none)).toEqual([403, 403]);
  expect(await outcomes(reads)).toEqual([200, 403]);
  expect(await statusOf(token)).toBe(200);
  expect(await outcomes(ends)).toEqual([200, 200]);
  expect(await statusOf(token)).toBe(403);
  // Administrators are beyond the reach of roles.
  const admin = (await platform.ask('GET', 'user/session')).body.id;
  expect((await platform.ask('DELETE', `system/admin/${admin}/_sessions`, { token: caller, key: ends })).status).toBe(
    403,
  );
  expect((await platform.ask('GET', 'user/session')).status).toBe(200);
});
