import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { aCall } from '@sluice/testkit/call';
import { startSystem } from '@sluice/testkit/system';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryService } from './try.ts';

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await startPlatform();
  folder = await mkdtemp(join(tmpdir(), 'sluice-place-'));
  await writeFile(join(folder, 'text.sqlite'), 'this is no database, only a text that is long enough to have a header');
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const tryConfig = (body: unknown, path = 'system/service/_test') => platform.ask('POST', path, { body });

it('accepts a configuration that opens, and stores nothing of it', async () => {
  const before = (await platform.ask('GET', 'system/service?as_list=true')).text;
  const answer = await tryConfig({ type: 'sqlite', name: 'x', config: { database: 'brand-new' } });
  expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  expect((await platform.ask('GET', 'system/service?as_list=true')).text).toBe(before);
});

it('says in words what is wrong with one that does not', async () => {
  const cases: [unknown, number, RegExp][] = [
    [{ type: 'sqlite', config: { database: '/no/such/file.sqlite' } }, 400, /no\/such\/file\.sqlite/],
    [{ type: 'sqlite', config: { database: join(folder, 'text.sqlite') } }, 503, /is not a SQLite database/],
    [{ type: 'sqlite', config: {} }, 400, /database/],
    [{ type: 'nothing', config: {} }, 400, /nothing/],
  ];
  for (const [body, status, message] of cases) {
    const answer = await tryConfig(body);
    expect([answer.body.error?.message, answer.status]).toEqual([expect.stringMatching(message), status]);
  }
});

it('tries the changes of a saved service', async () => {
  expect((await tryConfig({}, 'system/service/5/_test')).body).toEqual({ success: true });
  expect((await tryConfig({ config: { database: '/no/such.sqlite' } }, 'system/service/5/_test')).status).toBe(400);
  expect((await tryConfig({}, 'system/service/99/_test')).status).toBe(404);
  const get = await platform.ask('GET', 'system/service/_test');
  expect([get.status, get.headers.allow]).toEqual([405, 'POST']);
});

it('tries a saved service without a body, active or not, and ends after a while', async () => {
  expect((await tryConfig(undefined, 'system/service/5/_test')).body).toEqual({ success: true });
  const config = { host: '127.0.0.1', port: 1, database: 'x' };
  const { id } = await platform.create('service', { name: 'asleep', type: 'pgsql', is_active: false, config });
  expect((await tryConfig(undefined, `system/service/${id}/_test`)).body.error.message).toMatch(/takes no connections/);
  const system = await startSystem();
  const services = {
    type: () => system.types[0],
    test: () => new Promise<void>(() => {}),
  };
  const silent = { host: 'h' };
  const call = aCall({
    verb: 'POST',
    path: 'service/_test',
    body: { type: 'everything', name: 'mute', config: silent },
  });
  await expect(tryService({ ...system, services, timeLimit: 20 }, call)).rejects.toThrow(
    "Service 'mute' did not answer within 0.02 seconds.",
  );
  await system.close();
});

it('names the field that decides about a connection, with what to do about it', async () => {
  const cases: [Record<string, unknown>, string, RegExp][] = [
    [{ host: '127.0.0.1', port: 1, database: 'x' }, 'port', /Check host and port/],
    [{ host: 'no-such-host.invalid', database: 'x' }, 'host', /Check the host/],
  ];
  for (const type of ['pgsql', 'mysql']) {
    for (const [config, field, hint] of cases) {
      const { status, body } = await tryConfig({ type, name: 'x', config });
      expect([status, Object.keys(body.error.context)]).toEqual([503, [field, 'connection']]);
      expect(body.error.context[field]).toEqual([expect.stringMatching(hint)]);
    }
  }
});

it('tells administrators where it tried and what the driver said; nobody else, and never a password', async () => {
  const config = { host: '127.0.0.1', port: 1, database: 'x', username: 'u', password: 'Tr1ed-s3cret' };
  for (const type of ['pgsql', 'mysql']) {
    const { body } = await tryConfig({ type, name: 'x', config });
    expect(body.error.context.connection).toMatchObject({
      service_id: null,
      address: '127.0.0.1:1',
      code: 'ECONNREFUSED',
      text: expect.stringContaining('ECONNREFUSED'),
    });
    // Words of the driver that hold a secret are left out whole.
    const telling = await tryConfig({ type, name: 'x', config: { ...config, password: 'ECONNREFUSED' } });
    expect(telling.body.error.context.connection).toMatchObject({ address: '127.0.0.1:1', text: null });
  }
  const { body } = await tryConfig({ type: 'pgsql', name: 'x', config: { host: '::1', port: 1, database: 'x' } });
  expect(body.error.context.connection.address).toBe('[::1]:1');
  const file = join(folder, 'text.sqlite');
  const sqlite = await tryConfig({ type: 'sqlite', config: { database: file } });
  expect(sqlite.body.error.context.connection).toMatchObject({ address: file, code: expect.stringMatching(/^\w+$/) });

  const role = await platform.create('role', {
    name: 'services',
    is_active: true,
    role_service_access_by_role_id: [{ service_id: 1, component: 'service/*', verb_mask: 31, requestor_mask: 1 }],
  });
  const app = await platform.create('app', { name: 'services', is_active: true, role_id: role.id });
  const refused = await platform.ask('POST', 'system/service/_test', {
    token: null,
    key: String(app.api_key),
    body: { type: 'pgsql', name: 'x', config },
  });
  expect([refused.status, Object.keys(refused.body.error.context)]).toEqual([503, ['port']]);
});

it('SRV-003 a call that a database fails tells administrators alone which service, where, and the driver’s words', async () => {
  const config = { host: '127.0.0.1', port: 1, database: 'x', username: 'u', password: 'Tr1ed-s3cret' };
  const { id } = await platform.create('service', {
    name: 'away',
    label: 'Away',
    type: 'pgsql',
    is_active: true,
    config,
  });
  const role = await platform.create('role', {
    name: 'away',
    is_active: true,
    role_service_access_by_role_id: [{ service_id: id, component: '*', verb_mask: 1, requestor_mask: 1 }],
  });
  const app = await platform.create('app', { name: 'away', is_active: true, role_id: role.id });
  const forAdmin = await platform.ask('GET', 'away/_table');
  const connection = { service_id: id, address: '127.0.0.1:1', code: 'ECONNREFUSED', text: expect.any(String) };
  expect([forAdmin.status, forAdmin.body.error.context]).toEqual([503, { connection }]);
  const forUser = await platform.ask('GET', 'away/_table', { token: null, key: String(app.api_key) });
  expect([forUser.status, forUser.body.error.context]).toEqual([503, null]);
  expect(forUser.body.error.message).toBe(forAdmin.body.error.message);
  expect(forAdmin.text + forUser.text).not.toContain('Tr1ed-s3cret');
  expect(forUser.text).not.toContain('127.0.0.1');
});

/** A server that asks for the password in clear, and the passwords it got. */
async function startThief() {
  const stolenPasswords: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      // An SSLRequest, a PasswordMessage, or else the start of a session.
      if (data.length === 8 && data.readInt32BE(4) === 80_877_103) return socket.write('N');
      if (data[0] !== 0x70) return socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      stolenPasswords.push(data.toString('latin1', 5).replaceAll('\0', ''));
      return socket.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return { stolenPasswords, port, close: () => new Promise((done) => server.close(done)) };
}

it('abuse: tries another host or port only with the password sent along', async () => {
  const { stolenPasswords, port, close } = await startThief();
  const config = { host: 'db.internal', database: 'prod', username: 'prod', password: 'Pr0duction' };
  const { id } = await platform.create('service', {
    name: 'prod',
    label: 'Prod',
    type: 'pgsql',
    is_active: true,
    config,
  });
  const elsewhere = { host: '127.0.0.1', port };
  for (const body of [
    { config: elsewhere },
    { config: { ...elsewhere, password: '**********' } },
    { type: 'aws_redshift_db', config: elsewhere },
  ]) {
    const { status, body: answer } = await tryConfig(body, `system/service/${id}/_test`);
    expect([status, answer.error.message]).toEqual([
      400,
      'Invalid data supplied. The password field is required when host changes.',
    ]);
    expect(answer.error.context).toEqual({ password: ['The password field is required when host changes.'] });
    expect((await platform.ask('PATCH', `system/service/${id}`, { body })).status).toBe(400);
  }
  await platform.ask('GET', 'prod/_table');
  expect(stolenPasswords).toEqual([]);
  await tryConfig({ config: { ...elsewhere, password: 'mine' } }, `system/service/${id}/_test`);
  expect(stolenPasswords).toEqual(['mine']);
  await close();
});

it('abuse: every try is audited, without a secret', async () => {
  const config = { host: '127.0.0.1', port: 1, database: 'x', username: 'u', password: 'Tr1ed-s3cret' };
  await tryConfig({ type: 'pgsql', name: 'new', config });
  await tryConfig({}, 'system/service/5/_test');
  const { body } = await platform.ask('GET', "system/audit?filter=action='test'&order=id%20desc&limit=2");
  expect(body.resource).toMatchObject([
    { resource: 'service', record_id: '5', record_name: 'db', outcome: 'ok', after: { type: 'sqlite' } },
    {
      resource: 'service',
      record_id: null,
      record_name: 'new',
      user_id: 1,
      outcome: expect.stringMatching(/127\.0\.0\.1|refused|connect/i),
      after: { type: 'pgsql', config: { host: '127.0.0.1', port: 1, password: '**********' } },
    },
  ]);
  expect(JSON.stringify(body)).not.toContain('Tr1ed-s3cret');
});
