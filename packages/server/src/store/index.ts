// The platform's own store: people, apps, roles, services and everything else an instance keeps. Opened and brought up to
// date here; its tables are in tables.ts, the first rows in seed.ts, everything particular to an engine in dialects/.
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '@sluice/contract';
import { acquireSlot, type DatabaseLoad } from '@sluice/sql';
import { type Compilable, type Insertable, Kysely, sql, type Transaction } from 'kysely';
import { StartError } from '../settings/start-error.ts';
import { type Bus, type BusLog, openBus } from './bus/index.ts';
import { type CounterDb, type CounterStoreDb, type CounterTables, createCounterTables } from './counter-tables.ts';
import {
  type AnyDb,
  type Refusal,
  type Search,
  type StoreDialect,
  type StoreSql,
  storeDialect,
} from './dialects/index.ts';
import { sqlite } from './dialects/sqlite.ts';
import { TimeoutError, withTimeout } from './dialects/within.ts';
import { type Migration, migrate } from './migrations/index.ts';
import { searchSlots } from './search-slots.ts';
import { otherKeys, type Tables } from './tables.ts';

/** The store or a transaction of it: whatever takes one works inside and outside. */
export type Db = Kysely<Tables>;

export interface Store {
  db: Db;
  bus: Bus;
  /** The kind of database it lives in. */
  driver: string;
  /** The file it lives in, if it is one: no service may open it. */
  file: string | null;
  /** The parts of SQL that engines spell differently. */
  sql: StoreSql;
  /**
   * Runs `work` in one transaction; thrown errors undo it. Inside, use only the `db` handed in: on SQLite `store.db`
   * waits until the transaction has ended. Where several write at once, one that conflicts with another is undone and
   * run again: what `work` does outside the store must allow for that.
   */
  transaction<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Like `transaction`, while no other process of this store does the same: for what may happen only once. */
  exclusively<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Makes the counted key of a table go on after `last` on engines where inserting an explicit key does not. */
  moveCounter(db: Db, table: keyof Tables, last: number): Promise<void>;
  /** Inserts a row and returns its key, if that is a number. */
  insert<T extends keyof Tables>(db: Db, table: T, values: Insertable<Tables[T]>): Promise<number>;
  /** Describes a write that the database refused because of the data; undefined for any other error. */
  refusal(error: unknown): Refusal | undefined;
  /** Whether a write was refused because a unique index has such a row already. */
  isDuplicate(error: unknown): boolean;
  /**
   * Runs a read whose cost a caller decides, where it can be stopped: at the time limit, and in one of few places, which
   * one caller never has all of; a caller who goes away ends it. Throws `store.timeout`, `store.busy`,
   * `database.cancelled` and, past 4 MiB of rows, `database.tooLarge`.
   */
  search(query: Compilable, options: SearchOptions): Promise<Record<string, unknown>[]>;
  /** Whether a read may run on the main thread by what it costs there, however it goes. Never where a server does the work. */
  isQuick(passes: number): boolean;
  /** Opens the tables of counters, on a connection of their own; nothing where the store is in memory. */
  openCounters(): Promise<CounterStoreDb | undefined>;
  /** Throws when the store does not answer. */
  ping(): Promise<void>;
  /** How busy its connections are, where there is a pool of them. */
  load(): DatabaseLoad | undefined;
  close(): Promise<void>;
}

export interface SearchOptions {
  /** What the rows have. */
  columns: Search['columns'];
  /** How often the query goes over each byte of the store, at most and roughly. */
  passes: number;
  /** Whose it is, among those who share the places. */
  caller: string;
  /** Aborted when the caller goes away. */
  signal?: AbortSignal | undefined;
}

export interface StoreLocation {
  /** SLUICE_DATABASE_URL; empty means SQLite in the data folder. */
  url: string;
  dataFolder: string;
  /** SLUICE_REDIS_URL; empty means that the store itself carries change notices between processes. */
  redisUrl?: string;
  /** The maximum of connections to a database server (SLUICE_DATABASE_POOL). */
  connections?: number;
  /** Milliseconds a statement may take, on a server (SLUICE_QUERY_TIMEOUT). */
  timeLimit?: number;
  /** Milliseconds until a server counts as silent, a pool as exhausted and a SQLite file as locked by another process. */
  busyTimeout?: number;
  log: BusLog;
  /** Only for tests of the migrations themselves. */
  migrations?: Migration[];
}

/** Milliseconds `ping` waits for an answer. */
const pingTimeout = 5_000;
/** Characters of JSON that the rows of a search may have: the keys of 100,000 records are less, and are read in 30 ms. */
const searchLimit = 4 * 1024 * 1024;
/**
 * Bytes that a read on the main thread may go over, in all its passes. One pass takes a nanosecond or two a byte, so this
 * is some 40 ms (docs/adr/0016).
 */
const maxInlineBytes = 20 * 1024 * 1024;
/** How often a transaction is tried that conflicts with others. */
const maxAttempts = 5;

/**
 * Opens the store and runs pending migrations.
 * @throws StartError with one clear line: unknown scheme, unwritable folder, server or database out of reach, not a
 * database, newer store, Redis out of reach.
 */
export async function openStore(place: StoreLocation): Promise<Store> {
  const {
    url,
    dataFolder,
    redisUrl = '',
    connections = 10,
    timeLimit = 30_000,
    busyTimeout = 5_000,
    log,
    migrations,
  } = place;
  const dialect = storeDialect(url);
  const opened = await dialect.open({ url, dataFolder, connections, busyTimeout, timeLimit });
  const db = new Kysely<Tables>({ dialect: opened.dialect });
  let bus: Bus;
  try {
    const applied = await migrate(db as unknown as Kysely<unknown>, dialect, log, migrations).catch(
      (error: unknown) => {
        throw error instanceof StartError ? error : migrationFailed(error);
      },
    );
    if (applied.length > 0) log.info({ steps: applied, file: opened.file }, 'The store was brought up to date.');
    opened.limitStatements?.(timeLimit);
    bus = await openBus({ redisUrl, dialect, opened, place: { url, dataFolder, timeLimit, busyTimeout }, db, log });
  } catch (error) {
    await opened.searcher?.close?.();
    await db.destroy();
    throw error;
  }
  const { searcher } = opened;
  const slots = searchSlots(searcher?.places ?? 1);
  // A store in memory is on this thread only.
  const isQuick = (passes: number) => !searcher || searcher.size() * passes <= maxInlineBytes;
  return {
    db,
    bus,
    driver: dialect.name,
    file: opened.file,
    sql: dialect.sql,
    transaction: (work) => retryConflicts(dialect, transactionPause, () => db.transaction().execute(work)),
    exclusively: (work) => dialect.exclusively(db, work),
    async moveCounter(target, table, last) {
      await dialect.moveCounter?.(target as unknown as AnyDb, table, last);
    },
    // The generic table makes the builder's types too deep to follow; the signature above keeps values to their table.
    async insert(target, table, row) {
      const [anyDb, values] = [target as unknown as AnyDb, row as Record<string, unknown>];
      const key = otherKeys[table];
      if (key === undefined) return dialect.insert(anyDb, table, values);
      await anyDb.insertInto(table).values(values).execute();
      return Number(values[key]);
    },
    refusal: (error) => dialect.refusal(error),
    isDuplicate: (error) => dialect.isDuplicate(error),
    isQuick,
    async search(search, { columns, passes, caller, signal }) {
      const query = search.compile();
      if (!searcher || isQuick(passes)) return (await db.executeQuery<Record<string, unknown>>(query)).rows;
      const release = await acquireSlot(slots, caller, { timeout: timeLimit, signal });
      try {
        return await searcher.read({ query, columns, limit: searchLimit, signal });
      } finally {
        release();
      }
    },
    async openCounters() {
      if (dialect === sqlite && opened.file === null) return undefined;
      return openCounterStore(dialect, opened.file, { url, dataFolder, connections: 2, busyTimeout, timeLimit });
    },
    async ping() {
      const query = db.selectFrom('instance').select('name').limit(1).execute();
      await withTimeout(pingTimeout, query).catch((error: unknown) => {
        throw error instanceof TimeoutError ? fail('store.unavailable', undefined, { cause: error }) : error;
      });
    },
    load: () => opened.load?.(),
    async close() {
      await bus.close();
      await searcher?.close?.();
      await db.destroy();
    },
  };
}

async function openCounterStore(
  dialect: StoreDialect,
  file: string | null,
  place: Parameters<StoreDialect['open']>[0],
): Promise<CounterStoreDb> {
  const url = file === null ? place.url : `sqlite:${encodeURI(`${file}-limits`)}`;
  const opened = await dialect.open({ ...place, url });
  const db: CounterDb = new Kysely<CounterTables>({ dialect: opened.dialect });
  const { now, countHits } = dialect.counting;
  try {
    await createCounterTables(db, dialect);
    // A power cut may take the last counts along, a killed process none (https://sqlite.org/pragma.html#pragma_synchronous).
    if (file !== null) await sql`pragma synchronous = normal`.execute(db);
  } catch (error) {
    await opened.searcher?.close?.();
    await db.destroy();
    throw error instanceof StartError ? error : migrationFailed(error);
  }
  opened.limitStatements?.(place.timeLimit ?? 30_000);
  return {
    db,
    now,
    countHits: (hits) => retryConflicts(dialect, countingPause, () => countHits(db, hits)),
    exclusively: (work) =>
      retryConflicts(dialect, countingPause, () =>
        db.transaction().execute(async (transaction) => {
          await transaction
            .selectFrom('limit_process')
            .select('id')
            .where('id', '=', '')
            .modifyEnd(dialect.sql.forUpdate)
            .execute();
          return work(transaction);
        }),
      ),
    async close() {
      await opened.searcher?.close?.();
      await db.destroy();
    },
  };
}

/** Milliseconds, as for `retryConflicts`. */
const transactionPause = 20;
const countingPause = 5;

/**
 * Runs again what was undone only because another did the same: nothing of it is left. `pause` is the longest before the second
 * attempt, in milliseconds.
 */
async function retryConflicts<T>(dialect: StoreDialect, pause: number, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !dialect.isConflict(error)) throw error;
      // A random time, so that they do not all meet again.
      await sleep(Math.random() * pause * attempt);
    }
  }
}

const migrationFailed = (error: unknown) => {
  const { cause, message } = error as Error;
  return new StartError(
    `The store cannot be brought up to date: ${cause instanceof Error ? cause.message : message}`,
    error,
  );
};

export { affects, type Bus, type Change } from './bus/index.ts';
export type { CounterDb, CounterStoreDb } from './counter-tables.ts';
export type { StoreSql } from './dialects/index.ts';
export { instanceFact } from './facts.ts';
export { skeletonOf, skeletonsLike } from './skeleton.ts';
export { createTableCache, type TableCache } from './table-cache.ts';
export { folded, lookupOwner, type Tables } from './tables.ts';
