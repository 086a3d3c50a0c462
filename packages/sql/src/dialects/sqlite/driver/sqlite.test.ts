import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite, type Sqlite, sqliteCode } from './sqlite.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-driver-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function codeOf(action: () => unknown): number | undefined {
  try {
    action();
  } catch (error) {
    return sqliteCode(error);
  }
  return 0;
}

function aTable(): Sqlite {
  const database = openSqlite(':memory:');
  database.exec(`create table t (id integer primary key, s text unique not null check (length(s) < 9), n, r real);
    create table c (id integer primary key, t integer references t(id)); create table x (i int) strict`);
  return database;
}

it('opens files of any name, and makes none unless told to', () => {
  for (const name of ['a b.db', 'ü?#%41.db', 'mode=memory&cache=shared.db', 'file:x.db']) {
    const path = join(folder, name);
    expect(codeOf(() => openSqlite(path))).toBe(14);
    expect(existsSync(path)).toBe(false);
    const database = openSqlite(path, { create: true });
    database.exec('create table t (id integer)');
    database.close();
    expect(existsSync(path)).toBe(true);
    const readOnly = openSqlite(path, { readOnly: true });
    expect((codeOf(() => readOnly.run('insert into t values (1)')) ?? 0) & 0xff).toBe(8);
    readOnly.close();
  }
});

it('leaves the whole database in its file when the last connection closes, and never waits for the others', () => {
  const path = join(folder, 'whole.db');
  const [one, other] = [openSqlite(path, { create: true }), openSqlite(path, { busyTimeout: 60_000 })];
  one.exec('pragma journal_mode = wal; create table t (id integer primary key)');
  const reading = other.iterate('select id from t union all select 1');
  reading.next();
  for (let id = 1; id <= 50; id++) one.run('insert into t values (?)', [id]);
  const before = statSync(`${path}-wal`).size;
  expect(before).toBeGreaterThan(50_000);
  // The reader still needs what was there when it began: the log stays as it is.
  one.close();
  expect(statSync(`${path}-wal`).size).toBe(before);
  reading.return(undefined);
  other.close();
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);

  // The file alone is all there is.
  const copy = join(folder, 'copy.db');
  copyFileSync(path, copy);
  const copied = openSqlite(copy, { readOnly: true });
  expect(copied.first('select count(*) from t', [], false)).toEqual([50]);
  copied.close();
});

it('closes a file that is gone, damaged, locked or only read', () => {
  const path = join(folder, 'closing.db');
  const [one, two] = [openSqlite(path, { create: true }), openSqlite(path)];
  one.exec(
    'pragma journal_mode = wal; create table t (id integer primary key); begin immediate; insert into t values (1)',
  );
  two.close();
  one.exec('commit');
  const readOnly = openSqlite(path, { readOnly: true });
  expect(readOnly.run('select id from t').rows).toEqual([[1n]]);
  const log = statSync(`${path}-wal`).size;
  readOnly.close();
  expect(statSync(`${path}-wal`).size).toBe(log);
  rmSync(path);
  one.close();
  expect(existsSync(path)).toBe(false);

  const unlogged = openSqlite(join(folder, 'unlogged.db'), { create: true });
  unlogged.exec('create table t (id integer primary key); pragma journal_mode = wal');
  unlogged.close();
  expect(existsSync(join(folder, 'unlogged.db-wal'))).toBe(false);

  const text = join(folder, 'text.db');
  writeFileSync(text, 'no database, whatever its name says'.repeat(100));
  const damaged = openSqlite(text);
  damaged.close();
  expect(readFileSync(text, 'utf8')).toContain('no database');
});

it('binds and reads every kind of value without loss', () => {
  const database = aTable();
  const insert = 'insert into t (s, n, r) values (?, ?, ?) returning s, n, typeof(n), r';
  expect(database.run(insert, [5, 5, 5]).rows).toEqual([['5', 5n, 'integer', 5]]);
  expect(database.run(insert, ['b', true, 0.1]).rows).toEqual([['b', 1n, 'integer', 0.1]]);
  expect(database.run(insert, ['c', 2n ** 63n - 1n, 1e300]).rows).toEqual([['c', 2n ** 63n - 1n, 'integer', 1e300]]);
  expect(database.run(insert, ['d', new Uint8Array([0, 255]), undefined]).rows).toEqual([
    ['d', new Uint8Array([0, 255]), 'blob', null],
  ]);
  expect(database.run(insert, ['e', 1.5, null]).rows).toEqual([['e', 1.5, 'real', null]]);
  expect(database.run('update t set n = 1').changes).toBe(5);
  expect([...database.iterate('select id from t where id < ?', [3], false)]).toEqual([[1], [2]]);
});

it('names the code of every error, whichever way the statement was run', () => {
  const database = aTable();
  database.run("insert into t (s) values ('a')");
  for (const returning of ['', ' returning id']) {
    expect(codeOf(() => database.run(`insert into t (s) values ('a')${returning}`))).toBe(2067);
    expect(codeOf(() => database.run(`insert into t (s) values (null)${returning}`))).toBe(1299);
    expect(codeOf(() => database.run(`insert into t (s) values ('far too long')${returning}`))).toBe(275);
    expect(codeOf(() => database.run(`insert into c (t) values (99)${returning}`))).toBe(787);
    expect(codeOf(() => database.run(`insert into t (id, s) values ('x', 'y')${returning}`))).toBe(20);
  }
  expect(codeOf(() => database.run("insert into x values ('x') returning i"))).toBe(3091);
  expect(codeOf(() => database.run('selec'))).toBe(1);
  expect(codeOf(() => database.run('select "no such column" from t'))).toBe(1);
  expect(sqliteCode(new Error('UNIQUE constraint failed'))).toBeUndefined();
});

describe('statements', () => {
  it('are kept, but not all of them', () => {
    const database = aTable();
    for (let i = 0; i < 1000; i += 1) expect(database.run(`select ${i}`).rows).toEqual([[BigInt(i)]]);
    expect(database.run('select 1').rows).toEqual([[1n]]);
  });
  it('follow the schema', () => {
    const database = aTable();
    expect(database.run('select id, t from c').rows).toEqual([]);
    database.exec('alter table c rename column t to u; alter table c add column t text; insert into c (t) values (1)');
    expect(database.run('select id, t from c').rows).toEqual([[1n, '1']]);
    database.exec('drop table c');
    expect(codeOf(() => database.run('select id, t from c'))).toBe(1);
  });
});
