// SingleStore as a service, with MariaDB in its place.
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, testContext } from '../../database/fixture/call.fixture.ts';
import type { Service } from '../../service/service.ts';
import { mysql } from '../mysql/index.ts';
import { memsql } from './index.ts';

it('is configured as MySQL is (contract/service-types.md §3)', () => {
  expect([memsql.name, memsql.label, memsql.group]).toEqual(['memsql', 'MemSQL', 'Database']);
  expect(Object.keys(memsql.config!)).toEqual(Object.keys(mysql.config!));
  expect(() => memsql.check!({ host: 'h' } as never)).toThrow(
    'Database connection information must contain at least host and database name.',
  );
});

describe.skipIf(await engineMissing('mysql'))('a service', () => {
  let place: TestDatabase;
  let service: Service;
  const none = Object.fromEntries(Object.keys(memsql.config!).map((field) => [field, null]));
  beforeAll(async () => {
    place = await freshDatabase('mysql');
    await place.run('create table region (id bigint auto_increment primary key, name varchar(300))');
    const { host, port, database, user: username, password } = place;
    const config = { ...none, host, port, database, username, password, schema: 'default' } as never;
    await memsql.test!(config, testContext(''));
    service = await memsql.open(config, testContext(''));
  });
  afterAll(async () => {
    await service?.close?.();
    await place?.drop();
  });

  it('reads and writes records', async () => {
    const created = await ask(service, 'POST _table/region', {
      body: { resource: [{ name: 'a\\b%' }, { name: 'ab' }] },
    });
    expect(created.body).toEqual({ resource: [{ id: 1 }, { id: 2 }] });
    const query = { filter: "name contains 'a\\'", fields: 'name' };
    expect((await ask(service, 'GET _table/region', { query })).body).toEqual({ resource: [{ name: 'a\\b%' }] });
    const changed = await ask(service, 'PATCH _table/region/2', { body: { name: 'c' }, query: { fields: '*' } });
    expect(changed.body).toEqual({ id: 2, name: 'c' });
    expect((await ask(service, 'DELETE _table/region/1', { query: { fields: 'name' } })).body).toEqual({
      name: 'a\\b%',
    });
  });

  it('offers no stored routines', async () => {
    expect((await ask(service, 'GET _func/x')).body.error.message).toBe("Resource '_func' not found for service 'db'.");
  });
});
