import { renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { soakRounds } from '@sluice/testkit/soak';
import { describe, expect, it } from 'vitest';
import type { SchemaChange } from '../../../change/index.ts';
import { failureOf } from '../../../suite/failure.fixture.ts';
import { rowsOf } from '../../../suite/rows.fixture.ts';
import { Pool } from '../children/pool.ts';
import { openSqlite } from '../driver/index.ts';
import { sqliteFiles } from '../files.fixture.ts';
import {
  aField,
  anAlteration,
  anId,
  aReference,
  aType,
  contentOf,
  creation,
  editorOf,
  read,
} from './change.fixture.ts';
import { type ChangeTask, changeData } from './task.ts';

const { aFile, aDatabase } = sqliteFiles();

const manyRows = `pragma journal_mode = wal; create table t (id integer primary key autoincrement, a text, b text);
  create index i on t (a); create view v as select a from t; create table u (t_id integer references t (id));
  with n as (select 1 as i union all select i + 1 from n where i < 4000) insert into t (a, b) select i, hex(randomblob(20)) from n`;

describe('the end of a change', () => {
  it('waits for beforeCommit, while others read what was', async () => {
    const path = aFile(manyRows);
    const database = aDatabase({ path });
    const old = await database.table('t');
    const change = await anAlteration(database, 't', (on) => [
      on.drop('b'),
      on.add(aField('c', 'integer', { default: { value: 1 } })),
    ]);
    const seen: unknown[] = [];
    await editorOf(database).apply([change], {
      beforeCommit: async (plans) => {
        seen.push(plans[0]?.table, await database.count({ table: old }), (await database.table('t')).columns.length);
        const rows = await database.select({ table: old, columns: old.columns, limit: 1 });
        seen.push(Object.keys(rows.list()[0] ?? {}));
      },
    });
    expect(seen).toEqual(['t', 4000, 3, ['id', 'a', 'b']]);
    expect((await database.table('t')).columns.map(({ name }) => name)).toEqual(['id', 'a', 'c']);
    expect((await rowsOf(database, 't'))[0]).toEqual({ id: 1, a: '1', c: 1 });
  });

  it('undoes all when beforeCommit rejects, and the file can be changed at once', async () => {
    const path = aFile(manyRows);
    const database = aDatabase({ path });
    const before = contentOf(path);
    const change = await anAlteration(database, 't', (on) => [on.drop('b')]);
    const failure = new Error('not after all');
    await expect(editorOf(database).apply([change], { beforeCommit: () => Promise.reject(failure) })).rejects.toBe(
      failure,
    );
    expect(contentOf(path)).toEqual(before);
    const writer = openSqlite(path);
    writer.exec('begin immediate; rollback');
    writer.close();
    await editorOf(database).apply([change]);
    expect((await database.table('t')).columns).toHaveLength(2);
  });

  it('leaves connections as they were', async () => {
    const path = aFile(
      'create table t (id integer primary key, a text); create table u (t_id integer references t (id))',
    );
    const pool = new Pool({ file: { path, create: false, busyTimeout: 1234 }, size: 1 });
    const database = aDatabase({ path });
    const change = changeData(await anAlteration(database, 't', (on) => [on.drop('a')]));
    const pragmas = async () => {
      const values = [];
      for (const name of ['foreign_keys', 'legacy_alter_table', 'busy_timeout']) {
        const { rows } = await pool.run({ kind: 'raw', statement: { sql: `pragma ${name}`, parameters: [] } });
        values.push(Number(rows[0]?.[0]));
      }
      return values;
    };
    const before = await pragmas();
    const children = pool.load().open;
    for await (const _ of pool.stream({ kind: 'change', changes: [change], isApplied: true, lockTimeout: 50 }));
    expect(await pragmas()).toEqual(before);
    expect(before).toEqual([1, 0, 1234]);
    expect(pool.load().open).toBe(children);
    await pool.close();
  });
});

describe('a file in use', () => {
  it('is waited for, up to a limit', async () => {
    const path = aFile(manyRows);
    const database = aDatabase({ path });
    const change = await anAlteration(database, 't', (on) => [on.drop('b')]);
    const before = contentOf(path);
    const writer = openSqlite(path);
    writer.exec('begin immediate');
    const failure = await failureOf(editorOf(database).apply([change], { lockTimeout: 100 }));
    expect([failure.status, failure.key]).toEqual([503, 'schema.busy']);
    expect(contentOf(path)).toEqual(before);
    // A plan waits for nobody.
    expect((await editorOf(database).plan([change]))[0]?.losses).toEqual([{ field: 'b', records: 4000 }]);
    const waiting = editorOf(database).apply([change], { lockTimeout: 10_000 });
    await sleep(50);
    writer.exec('rollback');
    writer.close();
    await waiting;
    expect((await database.table('t')).columns).toHaveLength(2);
  });

  it('without write-ahead logging it waits for readers, too', async () => {
    const path = aFile('create table t (id integer primary key, a text); insert into t values (1, 2)');
    const database = aDatabase({ path });
    const change = await anAlteration(database, 't', (on) => [on.drop('a')]);
    const before = contentOf(path);
    const reader = openSqlite(path);
    reader.exec('begin; select * from t');
    reader.run('select * from t');
    const failure = await failureOf(editorOf(database).apply([change], { lockTimeout: 100 }));
    expect([failure.status, failure.key]).toEqual([503, 'schema.busy']);
    reader.exec('commit');
    reader.close();
    expect(contentOf(path)).toEqual(before);
    await editorOf(database).apply([change]);
  });

  it('changes come one after the other, each on what those before it left', async () => {
    const path = aFile('create table t (id integer primary key)');
    const database = aDatabase({ path });
    const names = Array.from({ length: 8 }, (_, index) => `c${index}`);
    const changes = await Promise.all(
      names.map((name) => anAlteration(database, 't', (on) => [on.add(aField(name, 'text'))])),
    );
    await Promise.all(changes.map((change) => editorOf(database).apply([change])));
    expect((await database.table('t')).columns.map(({ name }) => name)).toEqual(['id', ...names]);
    const slow = editorOf(database).apply([creation('x', [anId()])], { beforeCommit: () => sleep(400) });
    const failure = await failureOf(editorOf(database).apply([creation('y', [anId()])], { lockTimeout: 50 }));
    expect(failure.key).toBe('schema.busy');
    await slow;
    await editorOf(database).apply([creation('y', [anId()])]);
  });
});

it('a killed child leaves the old table or the new one, and nothing between', async () => {
  const path = aFile(manyRows);
  const database = aDatabase({ path });
  const steps: SchemaChange = await anAlteration(database, 't', (on) => [
    on.drop('b'),
    on.change('a', { type: aType('integer') }),
  ]);
  const before = contentOf(path);
  const task: ChangeTask = { kind: 'change', changes: [changeData(steps)], isApplied: true, lockTimeout: 5000 };
  const rounds = soakRounds(12, 200);
  for (let round = 0; round < rounds; round += 1) {
    const pool = new Pool({ file: { path, create: false, busyTimeout: 1000 } });
    const abort = new AbortController();
    // The last ones are killed when all is done but the commit.
    const isReady = round > rounds / 2;
    const run = async () => {
      for await (const _ of pool.stream(task, { signal: abort.signal })) if (isReady) abort.abort();
    };
    const failing = failureOf(run()).catch(() => undefined);
    if (!isReady) {
      await sleep(60 + round * 12);
      abort.abort();
    }
    expect((await failing)?.key ?? 'database.cancelled').toBe('database.cancelled');
    await pool.close();
    expect(read(path, 'pragma integrity_check')).toEqual([['ok']]);
    if (contentOf(path).schema.join() !== before.schema.join()) break;
    expect(contentOf(path)).toEqual(before);
  }
  await editorOf(database).apply([await anAlteration(database, 't', (on) => [on.add(aField('z', 'text'))])]);
});

describe('a file that cannot be changed', () => {
  it('in memory', async () => {
    const database = aDatabase({ path: ':memory:' });
    const failure = await failureOf(editorOf(database).apply([creation('t', [anId()])]));
    expect([failure.key, failure.message]).toEqual(['schema.unsupported', expect.stringMatching(/in memory/)]);
  });

  it('missing, and one that was replaced', async () => {
    const path = aFile('create table t (id integer primary key)');
    const database = aDatabase({ path });
    await database.table('t');
    renameSync(path, `${path}.away`);
    expect((await failureOf(editorOf(database).apply([creation('u', [anId()])]))).key).toBe('database.missing');
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe('several changes', () => {
  it('make tables that reference each other, and drop them', async () => {
    const path = aFile('create table other (id integer primary key)');
    const database = aDatabase({ path });
    const changes = [
      creation('a', [anId(), aField('b_id', 'reference')], [aReference('b_id', 'B')]),
      creation('b', [anId(), aField('a_id', 'reference')], [aReference('a_id', 'a')]),
    ];
    expect(await editorOf(database).plan(changes)).toHaveLength(2);
    await editorOf(database).apply(changes);
    const drops = await Promise.all(
      ['a', 'b'].map(async (name): Promise<SchemaChange> => ({ kind: 'dropTable', table: await database.table(name) })),
    );
    const failure = await failureOf(editorOf(database).apply(drops.slice(0, 1)));
    expect([failure.key, failure.message]).toEqual(['schema.unsupported', expect.stringMatching(/'b' references it/)]);
    await editorOf(database).apply(drops);
    expect((await database.tables()).map(({ name }) => name)).toEqual(['other']);
  });

  it('drop views, and refuse what views and triggers need', async () => {
    const path = aFile(`create table t (id integer primary key); create view v as select id from t; create table u (a);
      create trigger x after insert on u begin delete from t; end`);
    const database = aDatabase({ path });
    const drop = async (name: string): Promise<SchemaChange> => ({
      kind: 'dropTable',
      table: await database.table(name),
    });
    expect((await failureOf(editorOf(database).apply([await drop('t')]))).message).toMatch(/view 'v' would not work/);
    expect((await failureOf(editorOf(database).apply([await drop('t'), await drop('v')]))).message).toMatch(
      /trigger of 'u'/,
    );
    const plans = await editorOf(database).apply([await drop('t'), await drop('v'), await drop('u')]);
    expect(plans.map(({ statements }) => statements)).toEqual([
      ['DROP TABLE "t"'],
      ['DROP VIEW "v"'],
      ['DROP TABLE "u"'],
    ]);
  });
});
