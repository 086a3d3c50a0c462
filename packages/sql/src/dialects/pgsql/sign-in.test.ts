// What a server may have against a connection, in words a person can act on.
import { type OwnServer, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../suite/failure.fixture.ts';
import { openPgsqlDatabase, type PgsqlDatabaseOptions } from './connect.ts';

describe.skipIf(ownServerMissing('pgsql'))('signing in', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await ownServer('pgsql');
    await server.run(`create role poor login password 'right'; create role nobody nologin password 'right';
      create role busy login password 'right' connection limit 0`);
    await server.run('create database closed');
    await server.run('revoke connect on database closed from public');
  });
  afterAll(() => server?.remove());

  async function test(options: Partial<PgsqlDatabaseOptions>): Promise<void> {
    const database = openPgsqlDatabase({ ...server, database: 'postgres', ...options });
    try {
      await database.test();
    } finally {
      await database.close();
    }
  }

  it.each<[string, Partial<PgsqlDatabaseOptions>, string]>([
    ['a wrong password', { user: 'poor', password: 'wrong' }, 'database.login'],
    ['no password', { user: 'poor', password: '' }, 'database.login'],
    ['an unknown user', { user: 'stranger', password: 'right' }, 'database.login'],
    ['a role that may not sign in', { user: 'nobody', password: 'right' }, 'database.login'],
    ['a user with too many connections', { user: 'busy', password: 'right' }, 'database.noConnectionLeft'],
    [
      'a database the user may not use',
      { user: 'poor', password: 'right', database: 'closed' },
      'database.notAdmitted',
    ],
    ['TLS of a server without', { sslMode: 'require' }, 'database.noTls'],
  ])('%s', async (_, options, key) => {
    const failure = await failureOf(test(options));
    expect([failure.key, failure.status]).toEqual([key, 503]);
    expect(`${failure.message} ${failure.hint}`).not.toMatch(/right|wrong|127\.0|poor|stranger/);
  });

  it('works with the right password, and by the socket', async () => {
    await test({ user: 'poor', password: 'right' });
    await test({ host: server.socketPath, password: undefined });
  });

  it('speaks TLS as the mode says', async () => {
    await server.run(
      `copy (select 1) to program 'openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout server.key -out server.crt 2>&1'`,
    );
    await server.run('alter system set ssl = on');
    await server.run('select pg_reload_conf()');
    const [[certificate] = []] = await server.run("select pg_read_file('server.crt')");
    const sslRootCert = String(certificate);
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const sslMode of ['disable', 'allow', 'prefer', 'require', undefined] as const) await test({ sslMode });
    const refused = async (options: Partial<PgsqlDatabaseOptions>) => (await failureOf(test(options))).key;
    expect(await refused({ sslMode: 'verify-ca' })).toBe('database.certificate');
    expect(await refused({ sslMode: 'verify-full', sslRootCert })).toBe('database.certificate');
    expect(await refused({ sslMode: 'verify-ca', sslRootCert: '/no/such.pem' })).toBe('database.certificate');
    await test({ sslMode: 'verify-ca', sslRootCert });
    await test({ sslMode: 'verify-full', sslRootCert, host: 'localhost' });
  });
});
