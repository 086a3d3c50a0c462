import { afterAll, beforeAll, it } from 'vitest';
import type { Database, Row, RunOptions, Select } from '../query/index.ts';
import type { SuiteDatabase, SuiteDialect, SuiteWords } from './dialect.fixture.ts';
import { insert } from './insert.fixture.ts';
import { rowsOf } from './rows.fixture.ts';

/** What all parts of the suite work with: the dialect, and a database with tables that it holds while tests run. */
export interface Suite {
  readonly name: string;
  readonly dialect: SuiteDialect;
  readonly handle: SuiteDatabase;
  readonly database: Database;
  table(name: string): ReturnType<Database['table']>;
  /** All columns of the rows that a filter finds. */
  read(name: string, filter?: string, more?: Partial<Select>, options?: RunOptions): Promise<Row[]>;
  /** Inserts records and answers their keys. */
  insertRecords(name: string, ...records: Row[]): Promise<Row[]>;
  /** Takes all items away, with their parts. */
  deleteItems(): Promise<void>;
  /** A test where the engine tells the keys it counted up; what it lacks is no test that was left out. */
  withGeneratedKeys(title: string, test: () => Promise<void>): void;
  /** A test where the engine has columns that are computed. */
  withGeneratedColumns(title: string, test: () => Promise<void>): void;
}

/** The tables of the suite. */
const tablesOf = (words: SuiteWords): string[] => [
  `create table item (id ${words.id}, name ${words.text} unique, kind ${words.text} not null default 'plain', n integer,
    price ${words.decimal}, weight ${words.double}, is_on ${words.boolean}, data ${words.bytes}, big bigint, made ${words.moment},
    check (n < 1000))`,
  `create table part (item_id integer not null, no integer not null, name ${words.text}, primary key (item_id, no),
    foreign key (item_id) references item (id) on delete cascade)`,
  `create table summed (id ${words.id}, a integer, b integer, total integer generated always as (a + b) stored)`,
  `create table bag (n integer, t ${words.text})`,
  `create table ${words.quoted('Order Items')} (${words.quoted('Item No')} ${words.id}, ${words.quoted('select')} ${words.text}, ${words.quoted('say "hi"')} integer, ${words.quoted('per cent %')} integer, ${words.quoted('naïve ☃')} integer)`,
  `create view endless as ${words.endless}`,
  ...manyRows(words),
];

/** A table `many` with more rows than one batch has. */
export const manyRows = (words: SuiteWords): string[] => [
  `create table many (id integer primary key, t ${words.text})`,
  `insert into many select n, 'row' from (${words.numbers(20_000)}) as numbers`,
];

/** Opens the database of a suite before its tests, and closes it after them. */
export function makeSuite(name: string, dialect: SuiteDialect): Suite {
  const { lacks = [] } = dialect;
  let handle: SuiteDatabase | undefined;
  const openHandle = () => {
    if (!handle) throw new Error('The database of a suite is open while tests run.');
    return handle;
  };
  beforeAll(async () => {
    handle = await dialect.open(tablesOf(dialect.words));
  });
  afterAll(() => handle?.close());

  const suite: Suite = {
    name,
    dialect,
    get handle() {
      return openHandle();
    },
    get database() {
      return openHandle().database;
    },
    table: (tableName) => suite.database.table(tableName),
    read: (...query) => rowsOf(suite.database, ...query),
    async insertRecords(tableName, ...records) {
      const described = await suite.table(tableName);
      const writes = records.map((record) => insert(described, record));
      const outcomes = await suite.database.write(writes, 'rollback');
      return outcomes.map((outcome) => {
        if (outcome.failure) throw outcome.failure;
        return outcome.rows[0] as Row;
      });
    },
    async deleteItems() {
      await suite.database.write([{ kind: 'delete', table: await suite.table('item'), returning: [] }], 'stop');
    },
    withGeneratedKeys: (title, test) => lacks.includes('generated keys') || it(title, test),
    withGeneratedColumns: (title, test) => lacks.includes('generated columns') || it(title, test),
  };
  return suite;
}
