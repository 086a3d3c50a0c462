// Long steps of a call on the thread of all calls: others have their turn between them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, openSqliteDatabase, rowsFromJson, type Table } from '@sluice/sql';
import { countRounds } from '@sluice/testkit/rounds';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordReader } from '../record-filter/scoped-database.ts';
import { findByKeys } from './find.ts';
import { clientFilter } from './read.ts';
import type { TableCall } from './table-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-turns-'));
const path = join(folder, 'yard.sqlite');
let table: Table;
beforeAll(async () => {
  const file = openSqlite(path, { create: true });
  file.exec('CREATE TABLE parcel (id integer PRIMARY KEY, name text)');
  file.close();
  const database = openSqliteDatabase({ path, create: false });
  table = await database.table('parcel');
  await database.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function roundsDuring(work: () => Promise<unknown>): Promise<number> {
  const rounds = countRounds();
  await work();
  rounds.stop();
  return rounds.current;
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it.each([
  ['of 100,000 values, twice', 100_000, 2],
  ['of 10 values, never', 10, 0],
])('abuse: others have their turn while a filter is read: one %s', async (_, count, turns) => {
  const query = { filter: `id in (${numbers(count).join(', ')})` };
  const tableCall = { query, table, filterContext: {} } as unknown as TableCall;
  expect(await roundsDuring(() => clientFilter(tableCall))).toBe(turns);
});

it.each([
  ['of 10,000, three times', 10_000, 3],
  ['of 10, never', 10, 0],
])('abuse: others have their turn while records are found by their ids: one %s', async (_, count, turns) => {
  const ids = numbers(count);
  const reader = {
    select: async () => rowsFromJson({ json: JSON.stringify(ids.map((id) => ({ id }))), count }),
  } as unknown as RecordReader;
  const tableCall = { table, related: [], runOptions: {} } as unknown as TableCall;
  const keys = ids.map((id) => [id]);
  expect(await roundsDuring(() => findByKeys(tableCall, table.key, keys, table.key, reader))).toBe(turns);
});
