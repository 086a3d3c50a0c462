// PostgreSQL as a service, from the form to the records.
import { startPlatform, type TestPlatform } from '@sluice/testkit';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pgsql } from './index.ts';

describe('the configuration', () => {
  it('has the fields of the contract in their order, then ours', () => {
    expect(Object.keys(pgsql.config!)).toEqual([
      'host',
      'port',
      'database',
      'username',
      'password',
      'schema',
      'charset',
      'sslmode',
      'timezone',
      'application_name',
      'options',
      'attributes',
      'statements',
      'allow_upsert',
      'max_records',
      'query_timeout',
      'cache_enabled',
      'cache_ttl',
      'max_connections',
    ]);
    expect(pgsql.config!.password).toMatchObject({ type: 'password', secret: true });
  });

  type Config = Parameters<NonNullable<typeof pgsql.check>>[0];
  const none = Object.fromEntries(Object.keys(pgsql.config!).map((field) => [field, null])) as Config;
  const check = (config: Partial<Config>) => () => pgsql.check!({ ...none, ...config });

  it.each<Partial<Config>>([{}, { host: 'h' }, { database: 'd' }, { host: ' ', database: 'd' }])(
    'needs host and database: %o',
    (config) => {
      expect(check(config)).toThrow('Database connection information must contain at least host and database name.');
    },
  );

  it('takes the modes of libpq alone', () => {
    expect(check({ host: 'h', database: 'd', sslmode: 'verify-full' })).not.toThrow();
    expect(check({ host: 'h', database: 'd', sslmode: 'sometimes' })).toThrow(
      'The sslmode must be one of disable, allow',
    );
  });
});

describe.skipIf(await engineMissing('pgsql'))('a service', () => {
  let platform: TestPlatform;
  let place: TestDatabase;
  const config = () => ({
    host: place.host,
    port: place.port,
    database: place.database,
    username: place.user,
    password: place.password,
  });

  beforeAll(async () => {
    place = await freshDatabase('pgsql');
    await place.run(`create table contact (id serial primary key, name varchar(40) not null, big bigint, tags text[]);
      create schema sales; create table sales.order_line (id bigserial primary key, contact_id integer references contact, total numeric(38,10))`);
    platform = await startPlatform();
    const created = await platform.ask('POST', 'system/service?fields=*', {
      body: {
        resource: [
          { name: 'pg', label: 'PG', type: 'pgsql', is_active: true, config: { ...config(), allow_upsert: true } },
        ],
      },
    });
    expect(created.status).toBe(201);
    expect(created.body.resource[0].config).toMatchObject({ host: place.host, max_connections: 10, max_records: 1000 });
  }, 60_000);
  afterAll(async () => {
    await platform?.stop();
    await place?.drop();
  });

  it('lists, describes, writes and reads', async () => {
    const { ask } = platform;
    expect((await ask('GET', 'pg/_table?as_list=true')).body).toEqual({ resource: ['contact', 'sales.order_line'] });
    expect((await ask('GET', 'pg/_schema/contact')).body).toMatchObject({
      name: 'contact',
      primary_key: ['id'],
      related: [{ name: 'sales.order_line_by_contact_id', type: 'has_many', ref_table: 'sales.order_line' }],
    });
    const created = await ask('POST', 'pg/_table/contact', {
      body: { resource: [{ name: 'Ann', big: '9007199254740993', tags: '{a,b}' }, { name: 'Bob' }] },
    });
    expect([created.status, created.body]).toEqual([200, { resource: [{ id: 1 }, { id: 2 }] }]);
    expect((await ask('GET', 'pg/_table/contact/1')).body).toEqual({
      id: 1,
      name: 'Ann',
      big: '9007199254740993',
      tags: '{a,b}',
    });
    expect(
      (await ask('GET', 'pg/_table/contact?filter=name%20like%20B%25&fields=name&include_count=true')).body,
    ).toEqual({
      resource: [{ name: 'Bob' }],
      meta: { count: 1 },
    });
    const line = { contact_id: 1, total: '12345678901234567890.5' };
    expect((await ask('POST', 'pg/_table/sales.order_line?fields=*', { body: { resource: [line] } })).body).toEqual({
      resource: [{ id: 1, contact_id: 1, total: '12345678901234567890.5000000000' }],
    });
    expect((await ask('PATCH', 'pg/_table/contact/7?fields=*', { body: { name: 'New' } })).body).toMatchObject({
      id: 7,
      name: 'New',
    });
    expect((await ask('DELETE', 'pg/_table/contact/7')).body).toEqual({ id: 7 });
  });

  it('says what the database refuses', async () => {
    const refused = await platform.ask('POST', 'pg/_table/sales.order_line', {
      body: { resource: [{ contact_id: 99 }] },
    });
    expect([refused.status, refused.body.error.code]).toEqual([400, 1000]);
    expect(refused.body.error.context.resource[0]).toMatchObject({
      code: '23503',
      message: 'insert or update on table "order_line" violates foreign key constraint "order_line_contact_id_fkey"',
    });
    const unknown = await platform.ask('GET', 'pg/_table/contact?filter=zz%20%3D%201');
    expect(unknown.status).toBe(400);
    expect((await platform.ask('GET', 'pg/_table/nothing')).status).toBe(404);
  });

  it('is tried before it is saved', async () => {
    const tried = (changes: object, path = 'system/service/_test') =>
      platform.ask('POST', path, { body: { type: 'pgsql', config: { ...config(), ...changes } } });
    expect((await tried({})).body).toEqual({ success: true });
    const missing = await tried({ database: 'sluice_test_none' });
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
    const answers = await Promise.all(Array.from({ length: 100 }, () => platform.ask('GET', 'pg/_table/contact/1')));
    expect(answers.every((answer) => answer.status === 200 && answer.body.name === 'Ann')).toBe(true);
  });
});
