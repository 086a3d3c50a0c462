// What is refused, or fails in the middle, leaves everything as it was; what waits holds nobody up.
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '@sluice/contract';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyOptions, SchemaChange, TableStep } from '../../../change/index.ts';
import type { Database } from '../../../query/index.ts';
import { failureOf } from '../../../suite/failure.fixture.ts';
import { insert } from '../../../suite/insert.fixture.ts';
import { rowsOf } from '../../../suite/rows.fixture.ts';
import { openPgsqlDatabase } from '../connect.ts';
import { aField, alter, anId, aType, columnOf, editorOf, fieldsOf } from './fields.fixture.ts';

/** Everything the catalogues say of our tables, and what is in them. */
const imageSql = `select json_agg(line order by line) from (
  select format('%s %s %s %s', c.relname, c.relkind, c.relfilenode, c.oid) as line from pg_class c
    where c.relnamespace = 'public'::regnamespace
  union all select format('%s %s %s %s %s', a.attrelid, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull)
    from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relnamespace = 'public'::regnamespace
  union all select format('%s %s', d.adrelid, pg_get_expr(d.adbin, d.adrelid)) from pg_attrdef d
  union all select format('%s %s', o.conname, pg_get_constraintdef(o.oid)) from pg_constraint o
    where o.connamespace = 'public'::regnamespace
  union all select format('%s', i) from pg_indexes i where schemaname = 'public'
  union all select format('busy %s', b) from busy b
  union all select format('other %s', o) from other o) as lines`;

describe.skipIf(await engineMissing('pgsql'))('changes that do not come about', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  const sessions: pg.Client[] = [];
  const session = async () => {
    const client = new pg.Client({ ...testDatabase });
    client.on('error', () => {});
    await client.connect();
    sessions.push(client);
    return client;
  };
  const image = async () => JSON.stringify(await testDatabase.run(imageSql));
  beforeAll(async () => {
    testDatabase = await freshDatabase('pgsql');
    database = openPgsqlDatabase({ ...testDatabase, applicationName: 'changing' });
  });
  beforeEach(async () => {
    await testDatabase.run(`drop table if exists busy, other cascade;
      create table other (id serial primary key, name text unique);
      create table busy (id serial primary key, name varchar(40), other_id integer references other, n integer default 5);
      create index own on busy (n);
      insert into other (name) values ('a'), ('b');
      insert into busy (name, other_id) values ('5', 1), ('x', 2), (null, null);
      create view seen as select name from busy`);
    await database.tables({ refresh: true });
  });
  // What they lock comes free, however the test ended.
  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((client) => client.end().catch(() => {})));
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  const alteration = async (...steps: TableStep[]): Promise<SchemaChange> => ({
    kind: 'alterTable',
    table: await database.table('busy'),
    steps,
  });
  const column = (name: string) => columnOf(database, 'busy', name);
  const addOne: TableStep = { kind: 'addField', field: aField('added', 'string', { isUnique: true }) };

  type Case = [string, () => Promise<{ changes: SchemaChange[]; options?: ApplyOptions }>, string];
  it.each<Case>([
    [
      'records that do not fit',
      async () => ({
        changes: [
          await alteration(addOne),
          {
            kind: 'alterTable',
            table: await database.table('other'),
            steps: [
              {
                kind: 'changeField',
                column: await columnOf(database, 'other', 'name'),
                change: { type: aType('integer') },
              },
            ],
          },
        ],
      }),
      'schema.misfit',
    ],
    [
      'a view that depends on the field',
      async () => ({ changes: [await alteration(addOne, { kind: 'dropField', column: await column('name') })] }),
      'record.database',
    ],
    [
      'a view that depends on its type',
      async () => ({
        changes: [
          await alteration(addOne, {
            kind: 'changeField',
            column: await column('name'),
            change: { type: aType('text') },
          }),
        ],
      }),
      'record.database',
    ],
    [
      'another table that references it',
      async () => ({
        changes: [await alteration(addOne), { kind: 'dropTable', table: await database.table('other') }],
      }),
      'record.database',
    ],
    [
      'SQL that is none',
      async () => ({
        changes: [await alteration(addOne, { kind: 'addField', field: aField('y', 'text', { sql: 'no such type' }) })],
      }),
      'record.database',
    ],
    [
      'what runs before the commit',
      async () => ({
        changes: [await alteration(addOne), { kind: 'createTable', name: 'newer', fields: [anId()], references: [] }],
        options: { beforeCommit: () => Promise.reject(fail('schema.noData', { act: 'update' })) },
      }),
      'schema.noData',
    ],
    [
      'a table twice',
      async () => ({ changes: [await alteration(addOne), await alteration({ kind: 'renameTable', newName: 'x' })] }),
      'schema.unsupported',
    ],
  ])('%s: nothing is changed', async (_, make, key) => {
    const { changes, options } = await make();
    const before = await image();
    const failure = await failureOf(editorOf(database).apply(changes, options));
    expect([failure.key, failure.status]).toEqual([key, 400]);
    expect(await image()).toBe(before);
    expect((await fieldsOf(database, 'busy')).added).toBeUndefined();
  });

  it('what runs before the commit sees its own rejection again, whatever it is', async () => {
    const reason = Object.assign(new Error('of somewhere else'), { code: '55P03', severity: 'ERROR' });
    let runs = 0;
    const beforeCommit = () => {
      runs += 1;
      return Promise.reject(reason);
    };
    const before = await image();
    await expect(editorOf(database).apply([await alteration(addOne)], { beforeCommit })).rejects.toBe(reason);
    expect([runs, await image()]).toEqual([1, before]);
  });

  it('what runs before the commit sees the plans, and others see nothing yet', async () => {
    let seen: unknown;
    await editorOf(database).apply([await alteration({ kind: 'dropField', column: await column('n') })], {
      beforeCommit: async ([plan]) => {
        seen = [
          plan?.table,
          (
            await testDatabase.run(
              "select count(*) from pg_attribute where attname = 'n' and attrelid = 'busy'::regclass",
            )
          )[0],
        ];
      },
    });
    expect(seen).toEqual(['busy', ['1']]);
    expect((await fieldsOf(database, 'busy')).n).toBeUndefined();
  });

  it('a plan says what it would lose and what does not fit, and changes nothing', async () => {
    const before = await image();
    const changes = [
      await alteration(
        { kind: 'dropField', column: await column('n') },
        { kind: 'changeField', column: await column('name'), change: { type: aType('integer'), allowNull: false } },
      ),
      { kind: 'dropTable' as const, table: await database.table('other') },
    ];
    expect(await editorOf(database).plan(changes)).toMatchObject([
      {
        table: 'busy',
        undo: 'transaction',
        misfits: [
          { field: 'name', records: 1, problem: 'wrongType' },
          { field: 'name', records: 1, problem: 'noValue' },
        ],
        losses: [{ field: 'n', records: 3 }],
      },
      { table: 'other', misfits: [], losses: [{ field: null, records: 2 }] },
    ]);
    expect(await image()).toBe(before);
  });

  it('a table that stays in use is busy, and its readers are not held up meanwhile', async () => {
    const other = await session();
    await other.query('begin; select * from busy');
    const before = await image();
    const change = await alteration(addOne);
    let isOver = false;
    const waiting = failureOf(editorOf(database).apply([change], { lockTimeout: 2500 })).finally(() => {
      isOver = true;
    });
    let reads = 0;
    const reader = await session();
    // None of them may wait for longer than an attempt, the machine being slow.
    await reader.query("set statement_timeout = '1500ms'");
    while (!isOver) {
      await reader.query('select count(*) from busy');
      reads += 1;
      await sleep(10);
    }
    const failure = await waiting;
    expect([failure.key, failure.status, failure.message]).toEqual([
      'schema.busy',
      503,
      "Table 'busy' was in use for 2.5 s. Nothing was changed.",
    ]);
    expect(reads).toBeGreaterThan(10);
    await other.query('rollback');
    expect(await image()).toBe(before);
    await editorOf(database).apply([change]);
  });

  it('a table that comes free is changed', async () => {
    const other = await session();
    await other.query('begin; lock table other in row exclusive mode');
    const changing = editorOf(database).apply([
      {
        kind: 'createTable',
        name: 'referring',
        fields: [anId(), aField('other_id', 'reference')],
        references: [{ columns: ['other_id'], refTable: 'other', refColumns: ['id'], onUpdate: null, onDelete: null }],
      },
    ]);
    await sleep(1000);
    expect(await testDatabase.run("select to_regclass('referring')")).toEqual([[null]]);
    await other.query('commit');
    await changing;
    expect((await fieldsOf(database, 'referring')).other_id?.ref_table).toBe('other');
    await testDatabase.run('drop table referring');
  });

  it('a connection that is cut off in the middle', async () => {
    await testDatabase.run(
      `create or replace function slowly() returns integer language plpgsql volatile as $$ begin perform pg_sleep(5); return 1; end $$`,
    );
    const before = await image();
    const changing = failureOf(
      editorOf(database).apply([
        await alteration(addOne, {
          kind: 'addField',
          field: aField('slow', 'integer', { default: { expression: 'slowly()' } }),
        }),
      ]),
    );
    await sleep(700);
    await testDatabase.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'changing' and query like 'alter%'",
    );
    expect((await changing).key).toBe('database.lost');
    expect(await image()).toBe(before);
    await editorOf(database).apply([await alteration(addOne)]);
  });

  it('a change whose time is over', async () => {
    const before = await image();
    const change = await alteration(addOne, {
      kind: 'addField',
      field: aField('slow', 'integer', { default: { expression: 'slowly()' } }),
    });
    expect((await failureOf(editorOf(database).apply([change], { timeout: 500 }))).key).toBe('database.timeout');
    expect(await image()).toBe(before);
    const other = await session();
    await other.query('begin; select * from busy');
    expect((await failureOf(editorOf(database).apply([await alteration(addOne)], { timeout: 1000 }))).key).toBe(
      'database.timeout',
    );
    await other.query('rollback');
    expect(await image()).toBe(before);
    expect(database.load().busy).toBe(0);
  });

  it('one connection is enough', async () => {
    const narrow = openPgsqlDatabase({ ...testDatabase, maxConnections: 1, timeout: 3000 });
    await editorOf(narrow).apply([
      {
        kind: 'createTable',
        name: 'narrow',
        fields: [anId(), aField('x', 'reference')],
        references: [{ columns: ['x'], refTable: 'other', refColumns: ['id'], onUpdate: null, onDelete: null }],
      },
    ]);
    expect((await fieldsOf(narrow, 'narrow')).x?.ref_table).toBe('other');
    await narrow.close();
    await testDatabase.run('drop table narrow');
  });

  it('two changes of the same tables at once do not wait for each other for ever', async () => {
    const both = async (table: string, second: string, name: string) =>
      editorOf(database).apply([
        { kind: 'alterTable', table: await database.table(table), steps: [{ kind: 'addField', field: aField(name) }] },
        { kind: 'alterTable', table: await database.table(second), steps: [{ kind: 'addField', field: aField(name) }] },
      ]);
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => (i % 2 ? both('busy', 'other', `f${i}`) : both('other', 'busy', `f${i}`))),
    );
    expect(Object.keys(await fieldsOf(database, 'other')).filter((name) => /^f\d$/.test(name))).toHaveLength(6);
  });

  it('a user who may not change it gets that refusal', async () => {
    const user = `sluice_test_${Math.random().toString(36).slice(2)}`;
    await testDatabase.run(`create role ${user} login password 'p'; grant all on busy, other to ${user}`);
    const poor = openPgsqlDatabase({ ...testDatabase, user, password: 'p' });
    expect((await failureOf(alter(poor, 'busy', addOne))).key).toBe('database.denied');
    await poor.close();
    await testDatabase.run(`drop owned by ${user}; drop role ${user}`);
  });

  it('readers and writers see no wrong answer during 20 changes', async () => {
    await testDatabase.run(
      'create table lively (id serial primary key, v text); insert into lively (v) select n from generate_series(1, 20) n',
    );
    await database.tables({ refresh: true });
    let isOver = false;
    const counts = { reads: 0, writes: 0, changed: 0 };
    /** What the server tries once more with a new description (`retryOnSchemaChange`). */
    const isStale = (error: unknown) => (error as { key?: string }).key === 'database.changed';
    const read = async () => {
      while (!isOver) {
        try {
          const table = await database.table('lively');
          const v = table.column('v')?.description.type;
          const rows = await rowsOf(database, 'lively', undefined, { table, columns: table.columns.slice(0, 2) });
          for (const row of rows) {
            if (Number(row.v) !== Number(row.id) || !['string', 'number'].includes(typeof row.v))
              throw new Error(`${v}: ${JSON.stringify(row)}`);
          }
          expect(rows.length).toBeGreaterThanOrEqual(20);
          counts.reads += 1;
        } catch (error) {
          if (!isStale(error)) throw error;
          counts.changed += 1;
        }
      }
    };
    const write = async () => {
      for (let id = 1000; !isOver; id += 1) {
        try {
          const table = await database.table('lively');
          const [outcome] = await database.write([insert(table, { id, v: String(id) })], 'stop');
          if (outcome?.failure) throw outcome.failure;
          counts.writes += 1;
        } catch (error) {
          if (!isStale(error)) throw error;
          counts.changed += 1;
        }
      }
    };
    const running = [read(), read(), write()];
    const settled = Promise.allSettled(running);
    for (let round = 0; round < 20; round += 1) {
      const type = ['integer', 'string', 'bigint', 'text', 'decimal'][round % 5] ?? 'text';
      await alter(
        database,
        'lively',
        {
          kind: 'changeField',
          column: await columnOf(database, 'lively', 'v'),
          change: { type: aType(type), isIndex: round % 2 === 0 },
        },
        { kind: 'addField', field: aField(`f${round}`) },
      );
      // The very next call sees it.
      expect((await fieldsOf(database, 'lively'))[`f${round}`]).toBeDefined();
      await sleep(20);
    }
    isOver = true;
    expect((await settled).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(counts.reads).toBeGreaterThan(20);
    const [[total]] = (await testDatabase.run('select count(*) from lively')) as [[string]];
    expect(Number(total)).toBe(20 + counts.writes);
  });
});
