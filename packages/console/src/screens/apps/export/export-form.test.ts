import { describe, expect, it } from 'vitest';
import { type ExportForm, exportQuery, isTooLong, withDatabases } from './export-form.ts';

const nothing: ExportForm = { withFiles: false, services: [], databases: [], withRecords: false };
const tablesOf = (database: string) => [`${database}_1`, `${database}_2`];

describe('the query of an export', () => {
  it.each<[Partial<ExportForm>, object]>([
    [{}, { pkg: true }],
    [{ withFiles: true }, { pkg: true, include_files: true }],
    [{ services: ['mail', 'shop'] }, { pkg: true, service: 'mail,shop' }],
    [{ databases: [{ database: 'db', isAll: false, tables: ['todo'] }] }, { pkg: true, schema: '{"db":["todo"]}' }],
    [
      { databases: [{ database: 'db', isAll: true, tables: ['todo'] }], withRecords: true },
      { pkg: true, include_data: true, schema: '{"db":["db_1","db_2"]}' },
    ],
    // A database of which no table is chosen does not go along, nor records of none.
    [{ databases: [{ database: 'db', isAll: false, tables: [] }], withRecords: true }, { pkg: true }],
  ])('of %j is %j', (form, query) => expect(exportQuery({ ...nothing, ...form }, tablesOf)).toEqual(query));

  it('may be too long for an address', () => {
    const tables = Array.from({ length: 2000 }, (_, index) => `table_${index}`);
    const query = (count: number) =>
      exportQuery(
        { ...nothing, databases: [{ database: 'db', isAll: false, tables: tables.slice(0, count) }] },
        tablesOf,
      );
    expect([isTooLong(query(100)), isTooLong(query(2000))]).toEqual([false, true]);
  });
});

it('a database that stays keeps its tables', () => {
  const kept = { database: 'db', isAll: false, tables: ['todo'] };
  expect(withDatabases({ ...nothing, databases: [kept] }, ['shop', 'db']).databases).toEqual([
    { database: 'shop', isAll: false, tables: [] },
    kept,
  ]);
  expect(withDatabases({ ...nothing, databases: [kept] }, []).databases).toEqual([]);
});
