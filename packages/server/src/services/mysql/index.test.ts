// MariaDB as a service, from the form to the records.
import { nastySql, nastyTables } from '@sluice/sql/dialects/mysql/nasty.fixture';
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mysql } from './index.ts';

describe('the configuration', () => {
  it('has the fields of the contract in their order, then ours', () => {
    expect(Object.keys(mysql.config!)).toEqual([
      ...['host', 'port', 'database', 'username', 'password', 'schema'],
      ...['charset', 'collation', 'timezone', 'modes', 'strict', 'unix_socket'],
      ...['options', 'attributes', 'statements'],
      ...['allow_upsert', 'max_records', 'query_timeout', 'cache_enabled', 'cache_ttl'],
      'max_connections',
    ]);
    expect(mysql.config!.password).toMatchObject({ type: 'password', secret: true });
  });

  type Config = Parameters<NonNullable<typeof mysql.check>>[0];
  const none = Object.fromEntries(Object.keys(mysql.config!).map((field) => [field, null])) as Config;
  const check = (config: Partial<Config>) => () => mysql.check!({ ...none, ...config });

  it.each<Partial<Config>>([{}, { host: 'h' }, { database: 'd' }, { host: ' ', database: 'd' }])(
    'needs host and database: %o',
    (config) => {
      expect(check(config)).toThrow('Database connection information must contain at least host and database name.');
    },
  );

  it('takes a socket in place of a host, and the ways of TLS alone', () => {
    expect(check({ unix_socket: '/run/mysqld/mysqld.sock', database: 'd' })).not.toThrow();
    expect(check({ host: 'h', database: 'd', options: { ssl_mode: 'VERIFY_IDENTITY', other: 'x' } })).not.toThrow();
    expect(check({ host: 'h', database: 'd', options: { ssl_mode: 'sometimes' } })).toThrow(
      'The ssl_mode must be one of DISABLED, PREFERRED',
    );
  });
});

describe.skipIf(await engineMissing('mysql'))('a service', () => {
  let platform: TestPlatform;
  let place: TestDatabase;
  let other: TestDatabase;
  const config = () => ({
    host: place.host,
    port: place.port,
    database: place.database,
    username: place.user,
    password: place.password,
  });

  beforeAll(async () => {
    [place, other] = await Promise.all([freshDatabase('mysql'), freshDatabase('mysql')]);
    await place.run(nastySql(place.database, other.database));
    await place.run(`create table contact (id int auto_increment primary key, name varchar(40) not null, big bigint unsigned,
      made timestamp not null default current_timestamp, touched timestamp not null default current_timestamp on update current_timestamp)`);
    platform = await startPlatform();
    const created = await platform.ask('POST', 'system/service?fields=*', {
      body: {
        resource: [
          { name: 'my', label: 'My', type: 'mysql', is_active: true, config: { ...config(), allow_upsert: true } },
        ],
      },
    });
    expect(created.status).toBe(201);
    expect(created.body.resource[0].config).toMatchObject({ host: place.host, max_connections: 10, strict: true });
  }, 60_000);
  afterAll(async () => {
    await platform?.stop();
    await place?.run('set foreign_key_checks = 0; drop table if exists outward');
    await other?.drop();
    await place?.drop();
  });

  it('writes and reads', async () => {
    const { ask } = platform;
    const created = await ask('POST', 'my/_table/contact', {
      body: { resource: [{ name: 'Ann', big: '18446744073709551615', made: '1999-01-01' }, { name: 'Bob' }] },
    });
    expect([created.status, created.body]).toEqual([200, { resource: [{ id: 1 }, { id: 2 }] }]);
    const { body: ann } = await ask('GET', 'my/_table/contact/1');
    expect(ann).toMatchObject({ id: 1, name: 'Ann', big: '18446744073709551615' });
    // Automatic fields are the server's.
    expect(ann.made > '2020').toBe(true);
    expect(
      (await ask('GET', 'my/_table/contact?filter=name%20like%20B%25&fields=name&include_count=true')).body,
    ).toEqual({ resource: [{ name: 'Bob' }], meta: { count: 1 } });
    expect((await ask('PATCH', 'my/_table/contact/2', { body: { name: 'Bob' } })).body).toEqual({ id: 2 });
    expect((await ask('PATCH', 'my/_table/contact/7?fields=*', { body: { name: 'New' } })).body).toMatchObject({
      id: 7,
      name: 'New',
    });
    expect((await ask('DELETE', 'my/_table/contact/7')).body).toEqual({ id: 7 });
    const by = await ask('PATCH', 'my/_table/contact?filter=id%20%3C%205&fields=name', {
      body: { resource: [{ name: 'X' }] },
    });
    expect(by.body).toEqual({ resource: [{ name: 'X' }, { name: 'X' }] });
  });

  it('lists, describes, reads, filters and orders a nasty database', async () => {
    const { ask } = platform;
    const path = (table: string) => encodeURIComponent(table);
    for (const name of nastyTables(other.database)) {
      if (name === 'broken_view') continue;
      const schema = await ask('GET', `my/_schema/${path(name)}`);
      expect([name, schema.status, schema.body.name]).toEqual([name, 200, name]);
      const { status, body } = await ask('GET', `my/_table/${path(name)}?include_count=true`);
      expect([name, status, body.meta.count]).toEqual([name, 200, body.resource.length]);
      const fields = schema.body.field.map((field: { name: string }) => field.name) as string[];
      for (const field of fields) {
        const order = field.includes(';') ? '' : `&order=${encodeURIComponent(`${field} desc`)}`;
        const found = await ask(
          'GET',
          `my/_table/${path(name)}?filter=${encodeURIComponent(`(${field} is not null)`)}${order}`,
        );
        expect([name, field, found.status]).toEqual([name, field, 200]);
      }
    }
    expect((await ask('GET', 'my/_table/broken_view')).status).toBe(500);
    expect((await ask('GET', 'my/_table/tag/1')).body).toEqual({ id: 1, name: 'red' });
  });

  it('says what the database refuses', async () => {
    const { ask } = platform;
    const refused = await ask('POST', 'my/_table/node_tag', { body: { resource: [{ node_id: 99, tag_id: 1 }] } });
    expect([refused.status, refused.body.error.code]).toEqual([400, 1000]);
    expect(refused.body.error.context.resource[0]).toMatchObject({
      code: 1452,
      message: expect.stringContaining('a foreign key constraint fails'),
    });
    expect((await ask('GET', 'my/_table/contact?filter=zz%20%3D%201')).status).toBe(400);
    expect((await ask('GET', 'my/_table/nothing')).status).toBe(404);
  });

  it('is tried before it is saved', async () => {
    const tried = (changes: object) =>
      platform.ask('POST', 'system/service/_test', { body: { type: 'mysql', config: { ...config(), ...changes } } });
    expect((await tried({})).body).toEqual({ success: true });
    const missing = await tried({ database: 'no_such_database' });
    expect([missing.status, missing.body.error.message]).toEqual([
      503,
      'The database server has no database of that name.',
    ]);
    expect((await tried({ host: '' })).status).toBe(400);
    const refused = await tried({ host: '127.0.0.1', port: 1, password: 'very secret' });
    expect(refused.body.error.message).toBe('The host of the database takes no connections there.');
    expect(refused.body.error.context.connection).toMatchObject({ address: '127.0.0.1:1', code: 'ECONNREFUSED' });
    expect(refused.text).not.toContain('very secret');
  });

  it('can be read and written at once by many', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => platform.ask('GET', 'my/_table/tag/1')));
    expect(answers.every((answer) => answer.status === 200 && answer.body.name === 'red')).toBe(true);
  });
});
