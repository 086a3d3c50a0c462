import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldChange, TableStep } from '../../../change/index.ts';
import type { Database } from '../../../query/index.ts';
import { failureOf } from '../../../suite/failure.fixture.ts';
import { rowsOf } from '../../../suite/rows.fixture.ts';
import { openPgsqlDatabase } from '../connect.ts';
import { aField, alter, anId, aType, columnOf, create, editorOf, fieldsOf } from './fields.fixture.ts';

describe.skipIf(await engineMissing('pgsql'))('altering tables in PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await freshDatabase('pgsql');
    database = openPgsqlDatabase(testDatabase);
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  /** Makes a table by SQL, the next call seeing it. */
  const given = async (sql: string) => {
    await testDatabase.run(sql);
    await database.tables({ refresh: true });
  };
  const change = async (table: string, column: string, fieldChange: FieldChange) =>
    alter(database, table, {
      kind: 'changeField',
      column: await columnOf(database, table, column),
      change: fieldChange,
    });
  const problemsOf = async (action: Promise<unknown>) => {
    const { key, message } = await failureOf(action);
    return `${key}: ${message}`;
  };

  // from, values, to, what they become
  it.each<[string, string[], string, unknown[]]>([
    ['text', ["'5'", "' -7 '", 'null'], 'integer', [5, -7, null]],
    ['varchar(30)', ["'5'", "'9223372036854775807'"], 'bigint', [5, '9223372036854775807']],
    ['char(9)', ["'1.50'", "'1e2'"], 'decimal', [1.5, 100]],
    ['text', ["'1.5'", "'NaN'"], 'double', [1.5, 'NaN']],
    ['text', ["'yes'", "'F'", "' 1 '"], 'boolean', [true, false, true]],
    ['text', ["'2024-02-29'", "'infinity'"], 'date', ['2024-02-29', 'infinity']],
    ['text', ["'2024-02-29 10:00'"], 'timestamp', ['2024-02-29 10:00:00']],
    ['text', ["'10:00'"], 'time', ['10:00:00']],
    ['text', ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"], 'uuid', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
    ['text', [`'{"a":1}'`], 'json', ['{"a":1}']],
    ['text', [`'{"a":1}'`], 'jsonb', ['{"a": 1}']],
    ['text', ["'a\\b'"], 'binary', [Buffer.from('a\\b').toString('base64')]],
    ['text', ["'{a,b}'"], 'text[]', ['{a,b}']],
    ['bytea', ["'abc'"], 'text', ['abc']],
    ['integer', ['0', '5', 'null'], 'boolean', [false, true, null]],
    ['numeric', ['0', '0.5'], 'boolean', [false, true]],
    ['bit(1)', ["B'1'", "B'0'"], 'boolean', [true, false]],
    ['boolean', ['true', 'false', 'null'], 'integer', [1, 0, null]],
    ['boolean', ['true', 'false'], 'bigint', [1, 0]],
    ['boolean', ['true', 'false'], 'decimal', [1, 0]],
    ['boolean', ['true', 'false'], 'string', ['true', 'false']],
    ['boolean', ['true'], 'bit(1)', [true]],
    ['integer', ['5'], 'smallint', [5]],
    ['integer', ['5'], 'bigint', [5]],
    ['integer', ['5'], 'text', ['5']],
    ['integer', ['5'], 'money', [5]],
    ['double precision', ['5', '1.5'], 'money', [5, 1.5]],
    ['money', ['5'], 'integer', [5]],
    ['numeric(6,2)', ['5.00', '7'], 'integer', [5, 7]],
    ['double precision', ['5'], 'integer', [5]],
    ['numeric(6,2)', ['5.50'], 'numeric(3,1)', [5.5]],
    ['timestamp', ["'2024-02-29 10:00'"], 'date', ['2024-02-29']],
    ['date', ["'2024-02-29'"], 'timestamp', ['2024-02-29 00:00:00']],
    ['timestamp', ["'2024-02-29 10:00'"], 'timestamptz', ['2024-02-29 10:00:00+00']],
    ['timestamptz', ["'2024-02-29 10:00+02'"], 'timestamp', ['2024-02-29 08:00:00']],
    ['timestamp', ["'2024-02-29 10:00'"], 'time', ['10:00:00']],
    ['uuid', ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"], 'string', ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']],
    ['json', [`'{"b":1}'`], 'text', ['{"b":1}']],
    ['json', [`'{"b":1}'`], 'jsonb', ['{"b": 1}']],
    ['text[]', ["'{a,b}'"], 'text', ['{a,b}']],
    ['inet', ["'10.0.0.1'"], 'text', ['10.0.0.1/32']],
    ['varchar(9)', ["'abc'", "'abc   '"], 'varchar(3)', ['abc', 'abc']],
    ['char(3)', ["'ab'"], 'varchar(2)', ['ab']],
  ])('a field of type %s with %j becomes %s', async (from, values, to, expected) => {
    await given(`drop table if exists turning; create table turning (id serial primary key, v ${from});
      insert into turning (v) values ${values.map((value) => `(${value})`).join(', ')}`);
    await rowsOf(database, 'turning');
    const [plan] = await editorOf(database).plan([
      {
        kind: 'alterTable',
        table: await database.table('turning'),
        steps: [{ kind: 'changeField', column: await columnOf(database, 'turning', 'v'), change: { type: aType(to) } }],
      },
    ]);
    expect(plan).toMatchObject({ table: 'turning', undo: 'transaction', misfits: [], losses: [] });
    expect(await change('turning', 'v', { type: aType(to) })).toEqual([plan]);
    const rows = await rowsOf(database, 'turning');
    expect(rows.sort((a, b) => Number(a.id) - Number(b.id)).map((row) => row.v)).toEqual(expected);
  });

  // from, values, to, misfit
  it.each<[string, string[], string, string]>([
    ['text', ["'5'", "'x'", "''"], 'integer', "'v' would not be able to hold the value of 2 records"],
    ['text', ["'5.5'"], 'integer', "'v' would not be able to hold the value of 1 record"],
    ['text', ["'99999999999'"], 'integer', "'v' would be too small for 1 record"],
    ['bigint', ['99999999999', '1'], 'integer', "'v' would be too small for 1 record"],
    ['numeric', ['1.5'], 'integer', "'v' would be too small for 1 record"],
    ['numeric', ["'NaN'"], 'integer', "'v' would not be able to hold the value of 1 record"],
    ['double precision', ["'Infinity'", '1e300'], 'integer', 'too small for 1 record'],
    ['text', ["'one'"], 'decimal', "'v' would not be able to hold the value of 1 record"],
    ['numeric', ['123.4', '1'], 'numeric(3,1)', "'v' would be too small for 1 record"],
    ['numeric', ['1.25'], 'numeric(3,1)', "'v' would be too small for 1 record"],
    ['text', ["'123'"], 'numeric(2)', "'v' would be too small for 1 record"],
    ['text', ["'maybe'", "'t'"], 'boolean', "'v' would not be able to hold the value of 1 record"],
    ['text', ["'soon'"], 'date', "'v' would not be able to hold the value of 1 record"],
    ['text', ["'12-34'"], 'uuid', "'v' would not be able to hold the value of 1 record"],
    ['text', ["'abcd'", "'abc  '"], 'varchar(3)', "'v' would be too small for 1 record"],
    ['integer', ['1234'], 'varchar(3)', "'v' would be too small for 1 record"],
    ['boolean', ['false'], 'varchar(4)', "'v' would be too small for 1 record"],
  ])('a field of type %s with %j cannot become %s', async (from, values, to, expected) => {
    await given(`drop table if exists turning; create table turning (id serial primary key, v ${from});
      insert into turning (v) values ${values.map((value) => `(${value})`).join(', ')}`);
    const before = [await testDatabase.run('table turning'), await fieldsOf(database, 'turning')];
    expect(await problemsOf(change('turning', 'v', { type: aType(to) }))).toContain(expected);
    expect([await testDatabase.run('table turning'), await fieldsOf(database, 'turning')]).toEqual(before);
  });

  // type and default, new type, the default afterwards
  it.each([
    ['integer default 5', 'string', '5'],
    ["varchar default '5'", 'integer', 5],
    ["text default 'yes'", 'boolean', true],
    ['boolean default true', 'integer', 1],
    ['integer default 0', 'boolean', false],
    ['numeric default -1.5', 'double', -1.5],
    ["text default '2024-02-29'", 'date', '2024-02-29'],
    ['timestamp default now()', 'date', 'now()'],
    ["text default 'it''s'", 'varchar(20)', "it's"],
    ['integer', 'text', null],
  ])('the default of a field, %s, is kept as one of type %s', async (from, to, expected) => {
    await given(`drop table if exists turning; create table turning (id serial primary key, v ${from})`);
    await change('turning', 'v', { type: aType(to) });
    expect((await fieldsOf(database, 'turning')).v?.default).toEqual(expected);
  });

  it('refuses a default that cannot be kept', async () => {
    await given("drop table if exists turning; create table turning (id serial primary key, v text default 'none')");
    expect(await problemsOf(change('turning', 'v', { type: aType('integer') }))).toMatch(
      /record.database: .*invalid input syntax for type integer: "none"/,
    );
    await change('turning', 'v', { type: aType('integer'), default: { value: 7 } });
    expect((await fieldsOf(database, 'turning')).v).toMatchObject({ type: 'integer', default: 7 });
  });

  it('changes only what differs', async () => {
    await given(
      "drop table if exists turning; create table turning (id serial primary key, v varchar(40) not null default 'x')",
    );
    const [plan] = await change('turning', 'v', {
      type: aType('string', { length: 40 }),
      allowNull: false,
      isUnique: false,
      isIndex: false,
      isAutoIncrement: false,
    });
    expect(plan?.statements).toEqual([]);
    expect((await change('turning', 'v', { default: { value: 'x' } }))[0]?.statements).toEqual([]);
    expect((await change('turning', 'v', { default: { value: 'y' } }))[0]?.statements).toEqual([
      `alter table "public"."turning" alter column "v" set default 'y'`,
    ]);
    await change('turning', 'v', { default: null, allowNull: true });
    expect((await fieldsOf(database, 'turning')).v).toMatchObject({ default: null, allow_null: true });
    expect((await change('turning', 'id', { default: null }))[0]?.statements).toEqual([]);
  });

  it('requires values', async () => {
    await given(
      'drop table if exists turning; create table turning (id serial primary key, v integer); insert into turning (v) values (1), (null)',
    );
    expect(await problemsOf(change('turning', 'v', { allowNull: false }))).toContain(
      "'v' needs a value, which 1 record would not have",
    );
    await testDatabase.run('update turning set v = 2 where v is null');
    await change('turning', 'v', { allowNull: false });
    expect((await fieldsOf(database, 'turning')).v).toMatchObject({ allow_null: false, required: true });
    const add = (more: Parameters<typeof aField>[2]) =>
      alter(database, 'turning', { kind: 'addField', field: aField('w', 'integer', { allowNull: false, ...more }) });
    expect(await problemsOf(add({}))).toContain("'w' needs a value, which 2 records would not have");
    expect(await problemsOf(add({ default: { value: 1 }, isUnique: true }))).toContain(
      "'w' has 1 value more than once",
    );
    await add({ default: { value: 1 } });
    expect((await rowsOf(database, 'turning')).map((row) => row.w)).toEqual([1, 1]);
    await alter(database, 'turning', { kind: 'addField', field: anId('n') }).catch(() => {});
    await alter(database, 'turning', {
      kind: 'addField',
      field: aField('n', 'integer', { isAutoIncrement: true, allowNull: false, isUnique: true }),
    });
    expect((await rowsOf(database, 'turning')).map((row) => row.n)).toEqual([1, 2]);
  });

  it.each(['serial', 'integer generated always as identity', 'integer generated by default as identity'])(
    'counting up, as %s, ends and begins',
    async (type) => {
      await given(`drop table if exists counted; create table counted (id ${type} primary key, v integer);
        insert into counted (v) values (1), (2)`);
      await change('counted', 'id', { isAutoIncrement: false });
      expect((await fieldsOf(database, 'counted')).id).toMatchObject({ type: 'integer', auto_increment: false });
      expect(
        await testDatabase.run("select relname from pg_class where relkind = 'S' and relname like '%counted%'"),
      ).toEqual([]);
      await testDatabase.run('insert into counted values (41, 3)');
      await change('counted', 'id', { isAutoIncrement: true, type: aType('bigint') });
      expect((await fieldsOf(database, 'counted')).id).toMatchObject({
        type: 'id',
        db_type: 'bigint',
        auto_increment: true,
      });
      expect(await testDatabase.run('insert into counted (v) values (4) returning id')).toEqual([['42']]);
    },
  );

  it('a counted field that gets another size counts that far', async () => {
    await given('drop table if exists counted; create table counted (id serial primary key)');
    await change('counted', 'id', { type: aType('bigid') });
    await testDatabase.run("select setval('counted_id_seq', 3000000000)");
    expect(await testDatabase.run('insert into counted default values returning id')).toEqual([['3000000001']]);
    expect(
      await problemsOf(
        alter(database, 'counted', { kind: 'addField', field: aField('t', 'text', { isAutoIncrement: true }) }),
      ),
    ).toContain("only whole numbers can be counted up, and 't' is of another type");
  });

  it('makes and drops indexes of a field', async () => {
    await given(`create table indexed (id serial primary key, a integer constraint own unique, b integer, c integer, d integer);
      create index "of b" on indexed (b); create index of_c_d on indexed (c, d);
      insert into indexed (a, b, c) values (1, 1, 1), (2, 1, 1)`);
    await change('indexed', 'a', { isUnique: false });
    await change('indexed', 'b', { isIndex: false });
    expect(await problemsOf(change('indexed', 'c', { isIndex: false }))).toContain(
      "an index of 'c' covers more than this field",
    );
    expect(await problemsOf(change('indexed', 'b', { isUnique: true }))).toContain("'b' has 1 value more than once");
    await change('indexed', 'a', { isUnique: true, isIndex: true });
    const fields = await fieldsOf(database, 'indexed');
    expect([fields.a?.is_unique, fields.a?.is_index, fields.b?.is_index]).toEqual([true, true, false]);
    const names = await testDatabase.run("select indexname from pg_indexes where tablename = 'indexed' order by 1");
    expect(names.flat()).toEqual(['indexed_pkey', 'ndx_indexed_a', 'of_c_d', 'undx_indexed_a']);
    // The names are taken: those of the other table get a number.
    await given('create table other (x integer); alter index ndx_indexed_a rename to "ndx_other_x"');
    await change('other', 'x', { isIndex: true });
    expect(await testDatabase.run("select indexname from pg_indexes where tablename = 'other'")).toEqual([
      ['ndx_other_x_2'],
    ]);
  });

  it('sets primary keys', async () => {
    await given(
      'create table keyed (a integer, b integer, c serial constraint "the key" primary key); insert into keyed values (1, 1), (1, 2), (null, 3)',
    );
    const setKey = (...columns: string[]) => alter(database, 'keyed', { kind: 'setPrimaryKey', columns });
    expect(await problemsOf(setKey('a'))).toMatch(
      /'a' needs a value, which 1 record.*; 'a' has 1 value more than once/,
    );
    await testDatabase.run('update keyed set a = 3 where a is null');
    await setKey('b', 'a');
    expect((await database.table('keyed')).description.primary_key).toEqual(['b', 'a']);
    await setKey();
    expect((await database.table('keyed')).description.primary_key).toEqual([]);
    await alter(
      database,
      'keyed',
      { kind: 'renameField', column: await columnOf(database, 'keyed', 'c'), newName: 'd' },
      { kind: 'addField', field: aField('e', 'integer', { allowNull: false, default: { value: 1 } }) },
      { kind: 'setPrimaryKey', columns: ['e', 'c'] },
    );
    expect((await database.table('keyed')).description.primary_key).toEqual(['e', 'd']);
  });

  it('adds references', async () => {
    await given(`create table target (a integer, b integer, primary key (a, b)); insert into target values (1, 1);
      create table source (id serial primary key, x integer, y integer); insert into source (x, y) values (1, 1), (1, null), (1, 2)`);
    const refer = (more: object = {}) =>
      alter(database, 'source', {
        kind: 'addReference',
        reference: {
          columns: ['x', 'y'],
          refTable: 'target',
          refColumns: ['a', 'b'],
          onUpdate: null,
          onDelete: 'CASCADE',
          ...more,
        },
      });
    expect(await problemsOf(refer())).toContain("'x,y' references nothing that exists in 1 record");
    expect(await problemsOf(refer({ onDelete: 'NOTHING; drop table source' }))).toContain('schema.unsupported');
    expect(await problemsOf(refer({ refTable: 'nowhere' }))).toMatch(
      /record.database: .*"public.nowhere" does not exist/,
    );
    await testDatabase.run('delete from source where y = 2');
    await refer();
    expect((await database.table('source')).description.related).toMatchObject([
      { name: 'target_by_x_y', type: 'belongs_to', field: 'x,y', ref_field: 'a,b', ref_on_delete: 'CASCADE' },
    ]);
    await editorOf(database).apply([
      { kind: 'createTable', name: 'newer', fields: [anId()], references: [] },
      {
        kind: 'alterTable',
        table: await database.table('target'),
        steps: [
          { kind: 'addField', field: aField('newer_id', 'reference') },
          {
            kind: 'addReference',
            reference: { columns: ['newer_id'], refTable: 'newer', refColumns: ['id'], onUpdate: null, onDelete: null },
          },
        ],
      },
    ]);
    expect((await fieldsOf(database, 'target')).newer_id).toMatchObject({ type: 'reference', ref_table: 'newer' });
  });

  it('renames fields and tables', async () => {
    await given(
      'create schema crm; create table crm.client (id serial primary key, "old name" text); create table local (id integer)',
    );
    const rename = (name: string, newName: string) => alter(database, name, { kind: 'renameTable', newName });
    await alter(
      database,
      'crm.client',
      { kind: 'renameField', column: await columnOf(database, 'crm.client', 'old name'), newName: 'new"name' },
      { kind: 'changeField', column: await columnOf(database, 'crm.client', 'old name'), change: { isIndex: true } },
      { kind: 'renameTable', newName: 'crm.customer' },
      { kind: 'addField', field: aField('more') },
    );
    expect((await fieldsOf(database, 'crm.customer'))['new"name']?.is_index).toBe(true);
    await rename('crm.customer', 'person');
    expect((await database.tables()).map((entry) => entry.name)).toContain('crm.person');
    expect(await problemsOf(rename('local', 'crm.local'))).toContain('it can not be moved to another schema');
    await rename('local', 'no_schema.local');
    expect((await database.table('no_schema.local')).native).toEqual({ schema: 'public', name: 'no_schema.local' });
    await given('create table taken (id integer)');
    expect(await problemsOf(rename('taken', 'target'))).toMatch(/record.database: .*already exists/);
  });

  it('keeps to schemas', async () => {
    await testDatabase.run('create schema "a b"; create schema "a b.c"');
    await create(database, 'a b.todo', [anId(), aField('name', 'string', { isUnique: true })]);
    await create(database, 'todo', [anId(), aField('name', 'string', { isUnique: true })]);
    await create(database, 'not_there.todo', [anId()]);
    const native = async (name: string) => (await database.table(name)).native;
    expect(await native('a b.todo')).toEqual({ schema: 'a b', name: 'todo' });
    expect(await native('not_there.todo')).toEqual({ schema: 'public', name: 'not_there.todo' });
    const one = openPgsqlDatabase({ ...testDatabase, schema: 'a b' });
    await create(one, 'mine', [anId()]);
    await create(one, 'crm.mine', [anId()]);
    expect((await one.table('mine')).native).toEqual({ schema: 'a b', name: 'mine' });
    expect((await one.table('crm.mine')).native).toEqual({ schema: 'a b', name: 'crm.mine' });
    await one.close();
  });

  it('drops views of all kinds as what they are', async () => {
    await given(`create table seen (id integer primary key); create view seen_v as select * from seen;
      create materialized view seen_m as select * from seen; insert into seen values (1);
      create foreign data wrapper nothing; create server nowhere foreign data wrapper nothing;
      create foreign table seen_f (id integer) server nowhere`);
    const isView = async (name: string) => (await database.table(name)).description.is_view;
    expect(await Promise.all(['seen', 'seen_v', 'seen_m', 'seen_f'].map(isView))).toEqual([false, true, true, false]);
    for (const name of ['seen_v', 'seen_m', 'seen_f']) {
      const column = await columnOf(database, name, 'id');
      await alter(
        database,
        name,
        { kind: 'renameField', column, newName: 'number' },
        { kind: 'renameTable', newName: `${name}2` },
      );
    }
    const drop = async (name: string) =>
      editorOf(database).apply([{ kind: 'dropTable', table: await database.table(name) }]);
    const planned = await editorOf(database).plan([{ kind: 'dropTable', table: await database.table('seen') }]);
    expect(planned).toEqual([
      {
        table: 'seen',
        statements: ['drop table "public"."seen"'],
        undo: 'transaction',
        misfits: [],
        losses: [{ field: null, records: 1 }],
      },
    ]);
    expect(await problemsOf(drop('seen'))).toMatch(/record.database: .*other objects depend on it/);
    expect((await drop('seen_v2'))[0]?.statements).toEqual(['drop view "public"."seen_v2"']);
    expect((await drop('seen_m2'))[0]?.statements).toEqual(['drop materialized view "public"."seen_m2"']);
    expect((await drop('seen_f2'))[0]?.statements).toEqual(['drop foreign table "public"."seen_f2"']);
    await drop('seen');
  });

  it.each([
    'say "hi"',
    "it's",
    'two words',
    ' leading',
    'select',
    'UPPER',
    'Größe 日本 😀',
    '$1',
    'a;b',
    '%s',
    '\\x',
    'a--b',
    '/*',
    'a.b',
    'x'.repeat(63),
    'ä'.repeat(31),
  ])('names may be nasty: %j', async (name) => {
    await editorOf(database).apply([
      {
        kind: 'createTable',
        name,
        fields: [
          anId(name),
          aField(`${name}2`.slice(-30), 'string', { isUnique: true, isIndex: true }),
          aField('parent', 'integer'),
        ],
        references: [{ columns: ['parent'], refTable: name, refColumns: [name], onUpdate: null, onDelete: null }],
      },
    ]);
    const first = await database.table(name);
    const column = await columnOf(database, name, `${name}2`.slice(-30));
    await alter(
      database,
      name,
      { kind: 'changeField', column, change: { type: aType('integer'), isIndex: false, default: { value: 5 } } },
      { kind: 'changeField', column: first.column(name) as never, change: { isAutoIncrement: false } },
      { kind: 'addField', field: aField('other') },
    );
    const altered = await fieldsOf(database, name);
    expect(altered[column.name]).toMatchObject({ type: 'integer', is_unique: true, is_index: false, default: 5 });
    await alter(database, name, {
      kind: 'changeField',
      column: await columnOf(database, name, name),
      change: { isAutoIncrement: true },
    });
    expect((await fieldsOf(database, name))[name]).toMatchObject({ type: 'id' });
    await editorOf(database).apply([{ kind: 'dropTable', table: await database.table(name) }]);
  });

  it.each<[string, TableStep]>([
    ['a name with more than 63 bytes', { kind: 'addField', field: aField('x'.repeat(64)) }],
    ['a name of many bytes', { kind: 'renameTable', newName: 'ä'.repeat(32) }],
    ['NUL in a name', { kind: 'addField', field: aField('a\0b') }],
    ['NUL in a default', { kind: 'addField', field: aField('a', 'text', { default: { value: 'a\0' } }) }],
    ['NUL in raw SQL', { kind: 'addField', field: aField('a', 'text', { sql: 'integer\0' }) }],
    ['an empty name', { kind: 'addField', field: aField('') }],
    ['a type nobody knows', { kind: 'addField', field: aField('a', 'nonsense') }],
    ['a second statement', { kind: 'addField', field: aField('a', 'integer; drop table guarded') }],
    ['another one in raw SQL', { kind: 'addField', field: aField('a', 'text', { sql: 'integer; commit' }) }],
    ['raw SQL that is none', { kind: 'addField', field: aField('a', 'text', { sql: 'integer default (' }) }],
    ['a field that is there', { kind: 'addField', field: aField('id') }],
    ['a column nobody has', { kind: 'setPrimaryKey', columns: ['nobody'] }],
    [
      'an expression that is none',
      { kind: 'addField', field: aField('a', 'text', { default: { expression: 'no_such()' } }) },
    ],
  ])('refuses %s in words of a 400', async (_, step) => {
    await given('drop table if exists guarded; create table guarded (id serial primary key)');
    const failure = await failureOf(alter(database, 'guarded', { kind: 'addField', field: aField('first') }, step));
    expect([failure.status, failure.key]).toEqual([
      400,
      expect.stringMatching(/^(record.database|schema.unsupported)$/),
    ]);
    expect(Object.keys(await fieldsOf(database, 'guarded'))).toEqual(['id']);
  });

  it('takes SQL of administrators', async () => {
    await create(database, 'raw', [
      anId(),
      aField('a', "varchar(40) not null default 'x'", { allowNull: false }),
      aField('b', 'text', { sql: 'integer check (b > 1) default 5', isIndex: true }),
    ]);
    expect(await fieldsOf(database, 'raw')).toMatchObject({
      a: { db_type: 'character varying(40)', allow_null: false, default: 'x' },
      b: { db_type: 'integer', default: 5, is_index: true },
    });
    await change('raw', 'b', { sql: 'set default 7' });
    await change('raw', 'b', { sql: 'bigint' });
    expect((await fieldsOf(database, 'raw')).b).toMatchObject({ db_type: 'bigint', default: 7 });
  });

  it('says of a table that is gone that it is unknown', async () => {
    await given('create table going (id integer)');
    const table = await database.table('going');
    await testDatabase.run('drop table going');
    for (const action of ['plan', 'apply'] as const)
      expect((await failureOf(editorOf(database)[action]([{ kind: 'dropTable', table }]))).key).toBe('table.unknown');
  });
});

it.each([
  ['varchar(40)', true],
  ['CHARACTER VARYING (40)', true],
  ['numeric(10,2)', true],
  ['numeric(10, -2)', true],
  ['timestamp with time zone', true],
  ['timestamp(3) without time zone', true],
  ['double precision', true],
  ['text[]', true],
  ['integer[3][]', true],
  ['bit(3)', true],
  ['bit varying(3)', true],
  ['inet', true],
  ['"char"', true],
  ['int8', true],
  ['timetz(3)', true],
  ['float(24)', true],
  ['String', true],
  ['serial', true],
  ['interval', true],
  ['national character varying(9)', true],
  ['citext', false],
  ['serial[]', false],
  ['varchar(40,2)', false],
  ['text(5)', false],
  ['date with time zone', false],
  ['constructor', false],
  ['varchar(40) not null', false],
  ['integer; drop table x', false],
  ['', false],
  ['timestamptz with time zone', false],
  ['text default 1', false],
  ['varchar()', false],
  ['numeric(1,2,3)', false],
  ['int eger', false],
  ['mood', false],
  ['__proto__', false],
  ['varchar(40)--', false],
])('whether %j is a type that is known: %s', async (type, isKnown) => {
  const { isKnownType } = await import('./types.ts');
  expect(isKnownType(type)).toBe(isKnown);
});
