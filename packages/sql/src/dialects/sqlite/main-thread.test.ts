// What nothing can stop must be short: the nastiest calls leave the main thread alone and end at the time limit.

import type { Failure } from '@sluice/contract';
import { expect, it } from 'vitest';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { Database, RunOptions, Write } from '../../query/index.ts';
import { rowsOf } from '../../suite/rows.fixture.ts';
import { sqliteFiles } from './files.fixture.ts';

const { aFile, aDatabase } = sqliteFiles();

const slowPattern = `%${'a'.repeat(46)}b%`;
const timeout = 1000;
/** Milliseconds of CPU of this process that a call may take; here, each would take it several times its limit. */
const maxCpuMs = timeout / 2;

/** A text of `megabytes`, in SQL. */
const long = (megabytes: number) => `replace(hex(zeroblob(${megabytes * 500_000})), '0', 'a')`;

/** Runs a call; it takes next to nothing of this thread and ends by itself or at the time limit. */
async function expectShort(call: (options: RunOptions) => Promise<unknown>, outcome: 'done' | 'database.timeout') {
  const before = process.cpuUsage();
  const end = await call({ timeout }).then(
    () => 'done',
    (failure: Failure) => failure.key,
  );
  const { user, system } = process.cpuUsage(before);
  expect(end).toBe(outcome);
  expect((user + system) / 1000).toBeLessThan(maxCpuMs);
}

async function write(database: Database, table: string, options: RunOptions, filter: string, values?: object) {
  const described = await database.table(table);
  const where = bindFilter(parseFilter(filter), described);
  const change: Write = values
    ? { kind: 'update', table: described, values: { ...values }, where, returning: [] }
    : { kind: 'delete', table: described, where, returning: [] };
  return await database.write([change], 'stop', options);
}

it('abuse: a pattern that was quick with other values runs in a child, and no longer than the time limit', async () => {
  const path = aFile(`create table note (id integer primary key, t text); insert into note values (1, ${long(3)})`);
  const database = aDatabase({ path });
  const ask = (pattern: string, options?: RunOptions) => {
    const filter = Array.from({ length: 80 }, () => `(t like '${pattern}')`).join(' or ');
    return rowsOf(database, 'note', filter, { limit: 10 }, options);
  };
  for (let run = 0; run < 7; run += 1) await ask('b%');
  await expectShort((options) => ask(slowPattern, options), 'database.timeout');
});

it('abuse: conditions beside the key run in a child, and no longer than the time limit', async () => {
  const path = aFile(`create table wide (id integer primary key, t text); insert into wide values (1, ${long(9)})`);
  const database = aDatabase({ path });
  const table = await database.table('wide');
  const terms = Array.from({ length: 50 }, () => `(t like '${slowPattern}')`).join(' or ');
  const filter = `id = 1 and (${terms})`;
  const columns = [table.column('id')!];
  await expectShort((options) => rowsOf(database, 'wide', filter, { limit: 1, columns }, options), 'database.timeout');
  await expectShort((options) => write(database, 'wide', options, filter, { t: 'x' }), 'database.timeout');
  await expectShort((options) => write(database, 'wide', options, filter), 'database.timeout');
});

it('abuse: what a table computes runs in a child, and no longer than the time limit', async () => {
  const matches = Array(100).fill(`(t like '${slowPattern}')`).join(' + ');
  const count = 'with recursive n(i) as (select 1 union all select i + 1 from n)';
  const path = aFile(`pragma ignore_check_constraints = 1;
    create table seen (id integer primary key, t text); insert into seen values (1, ${long(1)});
    alter table seen add column hit generated always as (${matches});
    create table checked (id integer primary key, t text, n integer check (n = 0 or not (${matches})));
    insert into checked values (1, ${long(1)}, 0);
    create table indexed (id integer primary key, t text, n integer);
    insert into indexed values (1, ${long(1)}, 0);
    create index partly on indexed (n) where n > 0 and ${matches};
    create table fired (id integer primary key, n integer); insert into fired values (1, 0);
    create trigger endless before update on fired begin insert into fired ${count} select i + 10, i from n; end;`);
  const database = aDatabase({ path });
  await expectShort((options) => rowsOf(database, 'seen', 'id = 1', { limit: 1 }, options), 'database.timeout');
  for (const table of ['checked', 'indexed', 'fired'])
    await expectShort((options) => write(database, table, options, 'id = 1', { n: 1 }), 'database.timeout');
});

it('abuse: a hundred long rows are read by a child, and so is what follows a long row', async () => {
  const path = aFile(`create table fat (id integer primary key, t text, n integer);
    with recursive i(i) as (select 1 union all select i + 1 from i where i < 40) insert into fat select i, ${long(2)}, i from i`);
  const database = aDatabase({ path });
  const table = await database.table('fat');
  const ids = Array.from({ length: 40 }, (_, id) => id + 1);
  const columns = [table.column('n')!];
  // The number stands behind two megabytes in each row.
  await expectShort((options) => rowsOf(database, 'fat', `id in (${ids})`, { columns }, options), 'done');
  await expectShort((options) => rowsOf(database, 'fat', undefined, { columns, limit: 40 }, options), 'done');
  await rowsOf(database, 'fat', 'id = 1', { limit: 1 });
  const where = bindFilter(parseFilter('id = 2'), table);
  const reading = database.select({ table, columns: table.columns, where, limit: 1 });
  expect(database.load().busy).toBe(1);
  expect((await reading).count).toBe(1);
});

/** A table by the number of its rows, beside others that make the file so many megabytes larger. */
const people = (rows: number, megabytes: number) => `create table filler (t text);
  with recursive i(i) as (select 1 union all select i + 1 from i where i < ${megabytes}) insert into filler select ${long(1)} from i;
  create table person (id integer primary key, city integer, name text, age integer, note text);
  create index person_city on person (city);
  with recursive i(i) as (select 1 union all select i + 1 from i where i < ${rows})
    insert into person select i, i % 10, 'n' || (i % 100), i % 90, 'note' from i`;

/** Whether a list is read on this thread, and how many records it has. */
async function readPeople(database: Database, filter: string, order: string, limit = 50) {
  const table = await database.table('person');
  const where = bindFilter(parseFilter(filter), table);
  const terms = [{ column: table.column(order)!, direction: 'asc' as const }];
  const rows = database.select({ table, columns: table.columns, where, order: terms, limit });
  return { isInline: !(rows instanceof Promise), count: (await rows).count };
}

it.each([1, 40])('a page costs the same in a file of %i MB: it stays on the main thread', async (megabytes) => {
  const database = aDatabase({ path: aFile(people(9000, megabytes)) });
  for (const [filter, order, limit] of [
    ['city = 7', 'id', 50],
    ['city = 7', 'name', 50],
    ['city = 7', 'name', 1000],
    ['(city = 7) and (age < 30)', 'name', 50],
    ['city in (7)', 'id', 50],
    ['id > 5', 'id', 50],
  ] as const)
    expect([filter, order, (await readPeople(database, filter, order, limit)).isInline]).toEqual([filter, order, true]);
  expect(await readPeople(database, "name like 'n1%'", 'id')).toEqual({ isInline: false, count: 50 });
});

it('pages of a table without rowid, whose key is one of several indexes, stay on the main thread', async () => {
  const path =
    aFile(`create table person (city integer, name text, nick text unique, primary key (city, name)) without rowid;
    insert into person values (1, 'a', 'x'), (1, 'b', 'y'), (2, 'c', 'z')`);
  const database = aDatabase({ path });
  expect(await readPeople(database, 'city = 1', 'name')).toEqual({ isInline: true, count: 2 });
  expect(await readPeople(database, 'city = 1', 'nick')).toEqual({ isInline: true, count: 2 });
  expect(await readPeople(database, 'nick > x', 'nick')).toEqual({ isInline: true, count: 2 });
});

it('abuse: rows that an index finds and another condition refuses are met by a child, past a thousand of them', async () => {
  const database = aDatabase({ path: aFile(people(10_001, 1)) });
  // The city of number 1 has one more than the others.
  expect(await readPeople(database, '(city = 2) and (age = 1000)', 'id', 1)).toEqual({ isInline: true, count: 0 });
  expect(await readPeople(database, '(city = 1) and (age = 1000)', 'id', 1)).toEqual({ isInline: false, count: 0 });
  expect(await readPeople(database, 'city = 1', 'name', 1)).toEqual({ isInline: false, count: 1 });
  expect(await readPeople(database, '(id > 0) and (age = 1000)', 'id', 1)).toEqual({ isInline: false, count: 0 });
});

it('abuse: a page that meets a long row is read by a child, whatever it shows or sorts by', async () => {
  const database = aDatabase({ path: aFile(people(900, 1)) });
  expect(await readPeople(database, 'city = 3', 'name')).toEqual({ isInline: true, count: 50 });
  await write(database, 'person', {}, 'id = 803', { note: 'x'.repeat(9000) });
  // The sort meets the long one, which is none of the first fifty by their key.
  expect(await readPeople(database, 'city = 3', 'name')).toEqual({ isInline: false, count: 50 });
  expect(await readPeople(database, 'city = 3', 'id')).toEqual({ isInline: true, count: 50 });
});

it.each(['age', 'id', 'note'])('abuse: long entries of an index are met by a child, ordered by %s', async (order) => {
  const path = aFile(`create table person (id integer primary key, city integer, age integer, note text);
    create index city_note on person (city, note);
    with recursive i(i) as (select 1 union all select i + 1 from i where i < 100)
      insert into person select i, i % 2, i, iif(i < 50, 'a', ${long(1)}) from i`);
  const database = aDatabase({ path });
  // SQLite refuses each entry by itself, without a look at its row.
  const refused = "not (note between '0' and 'z')";
  expect(await readPeople(database, `(city = 1) and ${refused}`, order)).toEqual({ isInline: false, count: 0 });
  expect(await readPeople(database, `(city = 1) and (note = 'a')`, order)).toEqual({ isInline: true, count: 25 });
});
