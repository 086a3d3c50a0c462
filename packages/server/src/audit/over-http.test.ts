// The audit of a whole platform: what a call leaves in it, and how it is read.
import { administrator, startPlatform, type TestPlatform } from '@sluice/testkit';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

const read = async (query: string) => (await platform.ask('GET', encodeURI(`system/audit?${query}`))).body.resource;

it('begins with the first administrator, made by the platform itself', async () => {
  expect(await read('filter=id=1')).toMatchObject([
    {
      action: 'create',
      resource: 'admin',
      record_name: 'ada',
      user_id: null,
      ip_address: null,
      after: { email: administrator.email, password: '**********' },
    },
  ]);
});

it('tells of a call what the log tells: address, program, request', async () => {
  const headers = { 'user-agent': 'the tests/1.0' };
  const { headers: answered } = await platform.ask('POST', 'system/role', {
    body: { resource: [{ name: 'reader' }] },
    headers,
  });
  expect(await read('filter=resource=role')).toMatchObject([
    {
      record_name: 'reader',
      user_email: administrator.email,
      ip_address: '127.0.0.1',
      user_agent: 'the tests/1.0',
      request_id: answered['x-request-id'],
    },
  ]);
});

it('tells of sign-ins by form and by Basic credentials, and of sign-outs', async () => {
  const body = { ...administrator, password: 'not that one' };
  await platform.ask('POST', 'user/session', { body, token: null });
  const { body: session } = await platform.ask('POST', 'system/admin/session', { body: administrator, token: null });
  await platform.ask('DELETE', 'system/admin/session', { token: session.session_token });
  const basic = Buffer.from(`Ada@Example.com:${administrator.password}`).toString('base64');
  for (const _ of [1, 2])
    expect(
      (await platform.ask('GET', 'system/role', { token: null, headers: { authorization: `Basic ${basic}` } })).status,
    ).toBe(200);
  await vi.waitFor(
    async () =>
      expect(
        (await read('filter=action like sign%&order=id')).map((entry: Record<string, unknown>) => [
          entry.action,
          entry.resource,
          entry.record_id,
          entry.user_id,
          entry.user_email,
          entry.outcome,
        ]),
      ).toEqual([
        ['sign_in', 'admin', '1', 1, 'ada@example.com', 'ok'],
        ['sign_in', 'user', '1', null, 'ada@example.com', 'Invalid credentials supplied.'],
        ['sign_out', 'admin', '1', 1, 'ada@example.com', 'ok'],
        ['sign_in', 'admin', '1', 1, 'Ada@Example.com', 'ok'],
      ]),
    10_000,
  );
});

it('is exported as CSV', async () => {
  const { status, headers, text } = await platform.ask('GET', 'system/audit?file=audit.csv&order=id%20desc&limit=2');
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/csv');
  expect(headers['content-disposition']).toContain('audit.csv');
  expect(text.split('\n')[0]).toContain('created_date');
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is written by no %s, tunnelled neither', async (verb) => {
  const entry = { body: { resource: [{ id: 1, outcome: 'ok' }] } };
  for (const path of ['system/audit', 'system/audit/1', 'system/audit?ids=1&force=true']) {
    const plain = await platform.ask(verb, path, entry);
    expect([plain.status, plain.headers.allow]).toEqual([405, 'GET, HEAD']);
    const headers = { 'x-http-method': verb };
    expect((await platform.ask('POST', path, { ...entry, headers })).status).toBe(405);
  }
});

it("is nobody else's to read: a role needs GET on it", async () => {
  const { id: role } = await platform.create('role', { name: 'auditor', is_active: true });
  const { id: app } = await platform.create('app', { name: 'audits', is_active: true, role_id: role });
  const { api_key: key } = (await platform.ask('GET', `system/app/${app}`)).body;
  const status = async (verb = 'GET') => (await platform.ask(verb, 'system/audit', { token: null, key })).status;
  expect(await status()).toBe(401);
  const row = { service_id: 1, component: 'audit/*', verb_mask: 31 };
  await platform.ask('PATCH', `system/role/${role}`, { body: { role_service_access_by_role_id: [row] } });
  expect(await status()).toBe(200);
  expect(await status('DELETE')).toBe(405);
});
