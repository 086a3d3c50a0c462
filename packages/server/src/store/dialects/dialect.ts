// What a database must be able to do to hold the platform's own store. Everything particular to one is in its file.

import type { DatabaseLoad, Grammar } from '@sluice/sql';
import type {
  ColumnDefinitionBuilder,
  CompiledQuery,
  CreateTableBuilder,
  Dialect,
  Expression,
  Kysely,
  RawBuilder,
} from 'kysely';
import type { Client } from 'pg';
import type { CountedHits, CounterDb, CounterHits } from '../counter-tables.ts';

export type ColumnType = Parameters<CreateTableBuilder<string>['addColumn']>[1];

/** A database by table names known only at run time. */
export type AnyDb = Kysely<Record<string, Record<string, unknown>>>;

export interface OpenOptions {
  url: string;
  dataFolder: string;
  /** The maximum of connections in a server's pool. */
  connections: number;
  /** Milliseconds to wait for a server that does not answer, a connection that is not free, a file that is locked. */
  busyTimeout: number;
  /** Milliseconds a search of a file may take; servers get theirs by `limitStatements`. */
  timeLimit?: number;
}

/** A query as it is run, whose rows have these columns. */
export interface Search {
  query: CompiledQuery;
  columns: Record<string, 'text' | 'integer'>;
  /** Characters of JSON that the rows may have, where they are read beside the main thread. */
  limit: number;
  /** Aborted when the caller goes away; the query is then stopped. */
  signal?: AbortSignal | undefined;
}

/** Runs queries whose cost a caller decides, where they can be stopped. */
export interface Searcher {
  /** Bytes that a query on the main thread would go over in each pass; infinite where it runs on a server anyway. */
  size(): number;
  /** Queries that may run at once. */
  places: number;
  /** Throws failures of the store, `database.tooLarge`, and `database.cancelled` when the caller went away. */
  read(search: Search): Promise<Record<string, unknown>[]>;
  close?(): Promise<void>;
}

/** What the store needs of an opened database. */
export interface OpenedStore {
  dialect: Dialect;
  /** The file the store lives in, where it is one: no service may open it. */
  file: string | null;
  /** Stops statements that take longer from now on; migrations before it may take their time. */
  limitStatements?(milliseconds: number): void;
  /** Absent for a store in memory, which is on the main thread alone. */
  searcher?: Searcher;
  /** How busy the pool of connections is, where there is one. */
  load?(): DatabaseLoad;
  /** Where the engine carries messages (LISTEN and NOTIFY): a new client of the same database, not yet connected. */
  messenger?(): Client;
  /** A number that changes when another process committed something, on engines that tell it at no cost. */
  dataVersion?(): number;
}

/** A write the database refused because of the data, in its own words and with its own code. */
export interface Refusal {
  code: number | string;
  text: string;
}

/** A unique index, that of a key or constraint included: rows differ in these columns taken together. */
export interface UniqueIndex {
  table: string;
  columns: string[];
}

/**
 * A value as it is bound. One engine refuses a NUL in a text and another ends the text there, so a value that is looked
 * up gets a character in its place that no row has; writes refuse it earlier.
 */
export const bindableValue = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;

/** Unique indexes from rows of one column each, in the order of the columns. */
export function groupUniqueIndexes(rows: readonly { table: string; index: string; column: string }[]): UniqueIndex[] {
  const indexes = new Map<string, UniqueIndex>();
  for (const { table, index, column } of rows) {
    const name = `${table} ${index}`;
    const uniqueIndex = indexes.get(name) ?? { table, columns: [] };
    uniqueIndex.columns.push(column);
    indexes.set(name, uniqueIndex);
  }
  return [...indexes.values()];
}

/** The types of columns, chosen so that on every engine texts compare by bytes, sort alike and keep every value. */
export interface ColumnTypes {
  /** A counted key. */
  id: ColumnType;
  /** Whole numbers to 2^53, references and flags. */
  integer: ColumnType;
  /** A text of so many characters that can have an index. */
  text(length: number): ColumnType;
  longText: ColumnType;
}

/** The parts of the store's queries that engines spell differently. */
export interface StoreSql {
  /** How conditions and orders are written; its LIKE ignores the case of A–Z and takes numbers as text. */
  grammar: Grammar;
  /** A value as text, to compare it with one. */
  asText(value: Expression<unknown>): RawBuilder<string>;
  /** Where nulls come when an ascending order says nothing of them. */
  sortsNullsLast: boolean;
  /** The end of a SELECT that reads a row in order to change it; empty where transactions run one at a time. */
  forUpdate: RawBuilder<unknown>;
}

/** `StoreDialect.insert` where the engine knows RETURNING. */
export async function insertReturning(db: AnyDb, table: string, values: Record<string, unknown>): Promise<number> {
  const query = db.insertInto(table).values(values).returning('id');
  return Number((await query.executeTakeFirstOrThrow()).id);
}

/** `StoreDialect.createIndex` where the engine knows IF NOT EXISTS. */
export async function createMissingIndex(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_${column}`).ifNotExists().on(table).column(column).execute();
}

export interface StoreDialect {
  name: string;
  /** The schemes of SLUICE_DATABASE_URL that lead here. */
  schemes: string[];
  types: ColumnTypes;
  /** What follows the closing bracket of CREATE TABLE. */
  tableSuffix?: RawBuilder<unknown>;
  sql: StoreSql;
  /** Opens or creates the database; throws StartError with one clear line. */
  open(place: OpenOptions): Promise<OpenedStore>;
  /**
   * Runs `work` while no other process does the same on this store, in one transaction; where the engine commits at every
   * change of the schema, `work` must allow for being cut off anywhere and run again.
   */
  exclusively<T, D>(db: Kysely<D>, work: (db: Kysely<D>) => Promise<T>): Promise<T>;
  /** Makes a column a key that counts up and is never reused. */
  countedKey(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /**
   * On engines where inserting an explicit key does not move the counter of a table: moves it past `last` and all keys.
   */
  moveCounter?(db: AnyDb, table: string, last: number): Promise<void>;
  /** The value of a column with A–Z in lower case, as `folded` of tables.ts has it. */
  folded(column: string): RawBuilder<string>;
  /** Texts and numbers joined to one text; null when one of them is null. */
  concat(...parts: Expression<unknown>[]): RawBuilder<string>;
  /** Names of the columns a table has. */
  columnsOf(db: Kysely<unknown>, table: string): Promise<string[]>;
  /** The unique indexes of all tables of the store. */
  uniqueIndexes(db: Kysely<unknown>): Promise<UniqueIndex[]>;
  /** Makes an index unless it is there. */
  createIndex(db: Kysely<unknown>, table: string, column: string): Promise<void>;
  /** Inserts a row into a table with a counted key and returns the key. */
  insert(db: AnyDb, table: string, values: Record<string, unknown>): Promise<number>;
  /** Describes a refusal because of the data (unique, foreign key, not null, too long); undefined for anything else. */
  refusal(error: unknown): Refusal | undefined;
  /** Whether a write was refused because a unique index has such a row already. */
  isDuplicate(error: unknown): boolean;
  /** What counts limits: the clock, and one statement for hits on different counters (store/counter-tables.ts). */
  counting: {
    /** Milliseconds since 1970. */
    now: RawBuilder<number>;
    countHits(db: CounterDb, hits: readonly CounterHits[]): Promise<CountedHits[]>;
  };
  /** Whether a transaction was aborted only because of another one, and may be run again. */
  isConflict(error: unknown): boolean;
}
