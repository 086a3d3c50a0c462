// What Redshift has for itself, tried on PostgreSQL where that knows the words.
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { Database, Write } from '../../query/index.ts';
import type { RunQuery } from '../network/index.ts';
import { openRedshiftDatabase } from './connect.ts';
import { translate } from './errors.ts';
import { redshiftReader } from './introspect.ts';

describe.skipIf(await engineMissing('pgsql'))('on PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await freshDatabase('pgsql');
    await testDatabase.run(`
      create table region (code varchar(8) primary key, name varchar(40) not null, unique (name));
      create table sale (id bigint not null, part integer not null, region varchar(8) references region (code) on delete cascade,
        amount numeric(10,2) default 1.5, note varchar(20) default 'none', made timestamp default now(), primary key (id, part));
      create table badge (region varchar(8) unique references region);
      comment on table region is 'Regions'; comment on column region.name is 'Its name';
      create schema other; create table other.far (id integer);
      create view shown as select code from region`);
    database = openRedshiftDatabase({ ...testDatabase });
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  it('reads the catalogues', async () => {
    expect((await database.tables()).map(({ name, description }) => [name, description])).toEqual([
      ...[
        ['badge', null],
        ['other.far', null],
        ['region', 'Regions'],
        ['sale', null],
        ['shown', null],
      ],
    ]);
    const { description } = await database.table('sale');
    expect(description).toMatchObject({
      primary_key: ['id', 'part'],
      field: [
        { name: 'id', type: 'bigint', db_type: 'bigint', is_primary_key: true, required: true },
        { name: 'part', type: 'integer', is_primary_key: true },
        { name: 'region', db_type: 'character varying(8)', length: 8, is_foreign_key: true, ref_table: 'region' },
        { name: 'amount', db_type: 'numeric(10,2)', default: 1.5 },
        { name: 'note', default: 'none' },
        { name: 'made', type: 'timestamp', default: 'now()', required: false },
      ],
      related: [{ type: 'belongs_to', name: 'region_by_region', ref_on_delete: 'CASCADE' }],
    });
    const region = (await database.table('region')).description;
    expect(region.field[1]).toMatchObject({ name: 'name', description: 'Its name', is_unique: true });
    expect(region.related.map(({ name, type }) => [name, type])).toEqual([
      ['badge_by_region', 'has_one'],
      ['sale_by_region', 'has_many'],
    ]);
  });

  it('writes by known keys, and shows what was written where a key is not known', async () => {
    const [region, far] = [await database.table('region'), await database.table('other.far')];
    const where = bindFilter(parseFilter("code = 'eu'"), region);
    const write = (write: Write) => database.write([write], 'stop');
    const returning = region.columns;
    expect(await write({ kind: 'insert', table: region, values: { code: 'eu', name: 'Europe' }, returning })).toEqual([
      { rows: [{ code: 'eu', name: 'Europe' }] },
    ]);
    expect(await write({ kind: 'update', table: region, values: { name: 'E' }, where, returning })).toEqual([
      { rows: [{ code: 'eu', name: 'E' }] },
    ]);
    expect(await write({ kind: 'delete', table: region, where, returning })).toEqual([
      { rows: [{ code: 'eu', name: 'E' }] },
    ]);
    expect(await write({ kind: 'insert', table: far, values: { id: 4 }, returning: far.columns })).toEqual([
      { rows: [{ id: 4 }] },
    ]);
  });

  it('keeps what others must survive, without savepoints', async () => {
    const region = await database.table('region');
    const insert = (code: string): Write => ({
      kind: 'insert',
      table: region,
      values: { code, name: code },
      returning: [],
    });
    const outcomes = await database.write([insert('a'), insert('a'), insert('b')], 'continue');
    expect(outcomes.map((outcome) => outcome.failure?.key)).toEqual([undefined, 'record.database', undefined]);
    expect((await testDatabase.run('select code from region order by code')).flat()).toEqual(['a', 'b']);
    const undone = await database.write([insert('c'), insert('a')], 'rollback');
    expect(undone.map((outcome) => outcome.failure?.key)).toEqual([undefined, 'record.database']);
    expect((await testDatabase.run("select code from region where code = 'c'")).flat()).toEqual([]);
  });
});

it('knows what Redshift counts up itself, and what takes no value from outside', async () => {
  const runQuery: RunQuery = async (sql) =>
    sql.includes('from pg_constraint')
      ? [['p', '{1}']]
      : [
          ['id', 'bigint', 't', `"identity"(674435, 0, ('1,1'::character varying)::text)`, null, '1'],
          ['no', 'integer', 'f', `default_identity(963861, 1, '1,2'::text)`, null, '2'],
          ['data', 'super', 'f', null, null, '3'],
        ];
  const entry = { name: 'event', native: { schema: 'public', name: 'event' }, comment: null, oid: '7' };
  const table = await redshiftReader('').table(runQuery, entry, []);
  expect(
    table?.columns.map(({ name, autoValue, description }) => [
      name,
      description.type,
      description.auto_increment,
      autoValue,
    ]),
  ).toEqual([
    ['id', 'id', true, 'generated'],
    ['no', 'integer', true, 'default'],
    ['data', 'string', false, undefined],
  ]);
});

it('takes a conflict of transactions for what it is', () => {
  const error = Object.assign(new Error('1023'), { severity: 'ERROR', code: 'XX000' });
  error.message =
    'ERROR: 1023 DETAIL: Serializable isolation violation on table - 123, transactions forming the cycle are: 1, 2';
  expect(translate(error)).toMatchObject({ kind: 'retryable', failure: { key: 'database.conflict' } });
  const other = Object.assign(new Error('relation "x" does not exist'), { severity: 'ERROR', code: '42P01' });
  expect(translate(other)).toMatchObject({ kind: 'stale' });
});
