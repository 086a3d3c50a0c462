// The store on SQLite, through the node:sqlite API: WAL, full sync on commit, one connection on the main thread.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, fail } from '@sluice/contract';
import { openSqlite, type Sqlite, sqliteCode, sqliteGrammar } from '@sluice/sql';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { StartError } from '../../settings/start-error.ts';
import { countOnConflict } from '../counter-tables.ts';
import {
  bindableValue,
  createMissingIndex,
  groupUniqueIndexes,
  insertReturning,
  type StoreDialect,
} from './dialect.ts';
import { sqliteSearcher } from './sqlite-searcher.ts';

/** How long another process may keep the store to itself, in milliseconds: it may be migrating. */
const exclusiveTimeout = 300_000;
/** The primary result code of "a constraint was violated"; the lower byte of the extended codes. */
const constraintCode = 19;
/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY (https://sqlite.org/rescode.html). */
const duplicateCodes = [2067, 1555];

/** Not `unixepoch('subsec')`, which older versions do not know. */
const now = sql<number>`cast(round((julianday('now') - 2440587.5) * 86400000) as integer)`;

export const sqlite: StoreDialect = {
  name: 'sqlite',
  schemes: ['sqlite', 'file'],
  // Texts compare to the byte and `lower` knows A–Z alone, unless a column says otherwise.
  types: {
    id: 'integer',
    integer: 'bigint',
    text: (length) => `varchar(${length})`,
    longText: 'text',
  },

  sql: {
    grammar: { ...sqliteGrammar, like: (text, pattern) => sql`lower(${text}) like lower(${pattern})` },
    asText: (value) => sql`cast(${value} as text)`,
    sortsNullsLast: false,
    forUpdate: sql``,
  },

  async open({ url, dataFolder, busyTimeout, timeLimit = 30_000 }) {
    const file = parseFile(url, dataFolder);
    if (file !== null) prepareFolder(dirname(file));
    const database = await openDatabase(file ?? ':memory:', busyTimeout);
    // https://sqlite.org/pragma.html#pragma_data_version: what this connection itself commits does not count.
    const pragma = (name: string) =>
      translateErrors(() => Number(database.run(`pragma ${name}`, [], false).rows[0]?.[0]));
    const dataVersion = () => pragma('data_version');
    const dialect = sqliteDialect(kyselyDatabase(database), busyTimeout);
    if (file === null) return { dialect, file, dataVersion };
    const searcher = sqliteSearcher(file, pragma, { timeout: timeLimit, busyTimeout });
    return { dialect, file, dataVersion, searcher };
  },

  exclusively: (db, work) =>
    db.connection().execute(async (connection) => {
      await retryWhileBusy(exclusiveTimeout, () => sql`begin immediate`.execute(connection));
      try {
        const result = await work(connection);
        await sql`commit`.execute(connection);
        return result;
      } catch (error) {
        await sql`rollback`.execute(connection).catch(() => {});
        throw error;
      }
    }),

  countedKey: (column) => column.primaryKey().autoIncrement(),

  folded: (column) => sql`lower(${sql.ref(column)})`,

  concat: (...parts) => sql`(${sql.join(parts, sql` || `)})`,

  async columnsOf(db, table) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
    return rows.map(({ name }) => name);
  },

  async uniqueIndexes(db) {
    const { rows } = await sql<{ table: string; index: string; column: string }>`
      select m.name as "table", i.name as "index", c.name as "column"
      from sqlite_master as m, pragma_index_list(m.name) as i, pragma_index_info(i.name) as c
      where m.type = 'table' and i."unique" = 1 and i.partial = 0 order by m.name, i.name, c.seqno`.execute(db);
    return groupUniqueIndexes(rows);
  },

  counting: {
    now,
    countHits: async (db, hits) => (await countOnConflict(hits, now, 'min').execute(db)).rows,
  },

  createIndex: createMissingIndex,
  insert: insertReturning,

  refusal(error) {
    const code = sqliteCode(error);
    if (code === undefined || (code & 0xff) !== constraintCode) return undefined;
    return { code, text: (error as Error).message };
  },

  isDuplicate: (error) => duplicateCodes.includes(sqliteCode(error) ?? 0),

  // Transactions run one at a time here.
  isConflict: () => false,
};

/** The failures of result codes that say the store itself is at fault (https://sqlite.org/rescode.html). */
const outages: Record<number, 'store.busy' | 'store.unavailable' | 'store.full'> = {
  5: 'store.busy', // SQLITE_BUSY
  6: 'store.busy', // SQLITE_LOCKED
  7: 'store.unavailable', // SQLITE_NOMEM
  8: 'store.unavailable', // SQLITE_READONLY
  10: 'store.unavailable', // SQLITE_IOERR
  11: 'store.unavailable', // SQLITE_CORRUPT
  13: 'store.full', // SQLITE_FULL
  14: 'store.unavailable', // SQLITE_CANTOPEN
  26: 'store.unavailable', // SQLITE_NOTADB
};
/** The shared memory beside the file could not be made larger: what a full disk is to a reader. */
const noSpaceForIndex = 4874;

/** Runs `work`; errors of the store itself become failures of the catalogue. */
function translateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = sqliteCode(error) ?? 0;
    const key = code === noSpaceForIndex ? 'store.full' : outages[code & 0xff];
    throw key ? fail(key, undefined, { cause: error }) : error;
  }
}

/** `''` → the data folder's own file; `sqlite::memory:` → null; `sqlite:///a/b` and `sqlite:a/b` → that file. */
function parseFile(url: string, dataFolder: string): string | null {
  if (url === '') return join(resolve(dataFolder), 'sluice.sqlite');
  const place = url.replace(/^[a-z]+:(\/\/(?=\/|\.))?/i, '');
  if (place === ':memory:') return null;
  if (place === '') throw new StartError(`SLUICE_DATABASE_URL names no file: ${url}`);
  return resolve(decodeURIComponent(place));
}

function prepareFolder(folder: string): void {
  try {
    makeMissing(folder);
    if (!statSync(folder).isDirectory()) throw new Error('it is a file.');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The folder ${folder} cannot be written: ${(error as Error).message}`, error);
  }
}

/** Not mkdir's own `recursive`: it never comes back from a file system that takes no folders, such as /proc. */
function makeMissing(folder: string): void {
  if (existsSync(folder)) return;
  makeMissing(dirname(folder));
  try {
    // Nobody else on the machine may read what is kept here.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process of the same store may start at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function openDatabase(location: string, busyTimeout: number): Promise<Sqlite> {
  let database: Sqlite | undefined;
  try {
    const opened = openSqlite(location, { create: true, busyTimeout });
    database = opened;
    // SQLite does not wait for who is about to write a new file: another process may start at the same moment.
    await retryWhileBusy(busyTimeout, async () => opened.exec('pragma journal_mode = wal'));
    database.exec('pragma synchronous = full; pragma foreign_keys = on');
    // Reads the header and takes the write lock once: finds a foreign or read-only file now, not at the first call.
    database.exec('begin immediate; rollback');
    // From now on no statement may block this process while it waits.
    database.exec('pragma busy_timeout = 0');
  } catch (error) {
    database?.close();
    throw new StartError(`The store ${location} cannot be opened: ${(error as Error).message}`, error);
  }
  return database;
}

/** Kysely's view of an open file. */
const kyselyDatabase = (database: Sqlite): SqliteDatabase => ({
  close: () => database.close(),
  prepare(text) {
    const names = translateErrors(() => database.columns(text));
    const object = (row: unknown[]) => Object.fromEntries(names.map((name, index) => [name, row[index]]));
    const run = (values: readonly unknown[]) =>
      translateErrors(() => database.run(text, values.map(bindableValue), false));
    return {
      reader: names.length > 0,
      all: (values) => run(values).rows.map(object),
      run: (values) => ({ changes: run(values).changes, lastInsertRowid: 0 }),
      *iterate(values) {
        for (const row of database.iterate(text, values.map(bindableValue), false)) yield object(row);
      },
    };
  },
});

const isBusy = (error: unknown): boolean =>
  (error instanceof Failure ? error.key : outages[(sqliteCode(error) ?? 0) & 0xff]) === 'store.busy';

/** Tries again while another process holds the lock: a statement refused for that has done nothing. */
async function retryWhileBusy<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + milliseconds;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await sleep(5 + Math.random() * 10);
    }
  }
}

/**
 * Takes the write lock at the start, so that a transaction that reads before it writes cannot fail half-way as busy.
 * SQLite's own waiting would block every call of this process.
 */
class ImmediateDriver extends SqliteDriver {
  private readonly busyTimeout: number;

  constructor(database: SqliteDatabase, busyTimeout: number) {
    super({ database });
    this.busyTimeout = busyTimeout;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => retryWhileBusy(this.busyTimeout, async () => connection.executeQuery(query)),
      streamQuery: (query, chunk) => connection.streamQuery(query, chunk),
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      // A full disk among others has ended it already (https://sqlite.org/lang_transaction.html); what failed is thrown.
      if (!/no transaction is active/.test((error as Error).message)) throw error;
    }
  }
}

const sqliteDialect = (database: SqliteDatabase, busyTimeout: number): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new ImmediateDriver(database, busyTimeout),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
