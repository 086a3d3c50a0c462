// Redshift as a service, with PostgreSQL in its place.
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, testContext } from '../../database/fixture/call.fixture.ts';
import type { Service } from '../../service/service.ts';
import { pgsql } from '../pgsql/index.ts';
import { redshift } from './index.ts';

it('is configured as PostgreSQL is (contract/service-types.md §3)', () => {
  expect([redshift.name, redshift.label, redshift.group]).toEqual(['aws_redshift_db', 'AWS Redshift DB', 'Database']);
  expect(Object.keys(redshift.config!)).toEqual(Object.keys(pgsql.config!));
  expect(redshift.config!.port.description).toBe('Blank: 5439, the usual one.');
  expect(() => redshift.check!({ host: 'h' } as never)).toThrow(
    'Database connection information must contain at least host and database name.',
  );
});

describe.skipIf(await engineMissing('pgsql'))('a service', () => {
  let place: TestDatabase;
  let service: Service;
  const none = Object.fromEntries(Object.keys(redshift.config!).map((field) => [field, null]));
  beforeAll(async () => {
    place = await freshDatabase('pgsql');
    await place.run('create table region (code varchar(8) primary key, name varchar(300))');
    const { host, port, database, user: username, password } = place;
    const config = { ...none, host, port, database, username, password } as never;
    await redshift.test!(config, testContext(''));
    service = await redshift.open(config, testContext(''));
  });
  afterAll(async () => {
    await service?.close?.();
    await place?.drop();
  });

  it('reads and writes records', async () => {
    const created = await ask(service, 'POST _table/region', { body: { resource: [{ code: 'eu', name: 'Europe' }] } });
    expect(created.body).toEqual({ resource: [{ code: 'eu' }] });
    const query = { filter: "name contains 'rop' and code like 'e%'" };
    expect((await ask(service, 'GET _table/region', { query })).body).toEqual({
      resource: [{ code: 'eu', name: 'Europe' }],
    });
    const changed = await ask(service, 'PATCH _table/region/eu', { body: { name: 'E' }, query: { fields: '*' } });
    expect(changed.body).toEqual({ code: 'eu', name: 'E' });
    expect((await ask(service, 'DELETE _table/region/eu')).body).toEqual({ code: 'eu' });
  });

  it('offers no stored routines', async () => {
    expect((await ask(service, 'GET ', { query: { as_list: 'true' } })).body).toEqual({
      resource: ['_schema', '_table'],
    });
    expect((await ask(service, 'GET _proc')).body.error.message).toBe("Resource '_proc' not found for service 'db'.");
  });
});
