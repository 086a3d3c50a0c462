// The store on SQLite, through the node:sqlite API: WAL, full sync on commit, one connection on the main thread.
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openSqlite, type Sqlite, sqliteCode } from '@sluice/sql';
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
import { StartError } from '../../start-error.ts';
import type { StoreDialect } from './dialect.ts';

/** How long a statement waits for another process that writes, in milliseconds. */
const busyTimeout = 5_000;
/** The primary result code of "a constraint was violated"; the lower byte of the extended codes. */
const constraint = 19;

export const sqlite: StoreDialect = {
  name: 'sqlite',
  schemes: ['sqlite', 'file'],

  async open({ url, dataFolder }) {
    const file = fileOf(url, dataFolder);
    if (file !== null) makeFolder(dirname(file));
    const database = openFile(file ?? ':memory:');
    return { dialect: sqliteDialect(database), file };
  },

  exclusively: (db, work) =>
    db.connection().execute(async (connection) => {
      await sql`begin immediate`.execute(connection);
      try {
        const result = await work(connection);
        await sql`commit`.execute(connection);
        return result;
      } catch (error) {
        await sql`rollback`.execute(connection);
        throw error;
      }
    }),

  countedKey: (column) => column.primaryKey().autoIncrement(),

  async insert(db, table, values) {
    // An integer primary key is the row id, whatever its name (https://sqlite.org/lang_createtable.html#rowid).
    const query = db.insertInto(table).values(values).returning(sql<number>`rowid`.as('id'));
    return Number((await query.executeTakeFirstOrThrow()).id);
  },

  refusal(error) {
    const code = sqliteCode(error);
    if (code === undefined || (code & 0xff) !== constraint) return undefined;
    return { code, text: (error as Error).message };
  },
};

/** `''` → the data folder's own file; `sqlite::memory:` → null; `sqlite:///a/b` and `sqlite:a/b` → that file. */
function fileOf(url: string, dataFolder: string): string | null {
  if (url === '') return join(resolve(dataFolder), 'sluice.sqlite');
  const place = url.replace(/^[a-z]+:(\/\/(?=\/|\.))?/i, '');
  if (place === ':memory:') return null;
  if (place === '') throw new StartError(`SLUICE_DATABASE_URL names no file: ${url}`);
  return resolve(decodeURIComponent(place));
}

function makeFolder(folder: string): void {
  try {
    makeMissing(folder);
    if (!statSync(folder).isDirectory()) throw new Error('it is a file.');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The folder ${folder} can not be written: ${(error as Error).message}`, error);
  }
}

/** Not mkdir's own `recursive`: it never comes back from a file system that takes no folders, such as /proc. */
function makeMissing(folder: string): void {
  if (existsSync(folder)) return;
  makeMissing(dirname(folder));
  try {
    // What is kept here is for nobody else on the machine.
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process of the same store may start at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function openFile(location: string): SqliteDatabase {
  let database: Sqlite | undefined;
  try {
    // SQLite would make it readable by all, and gives its journals the mode it has.
    if (location !== ':memory:') closeSync(openSync(location, 'a', 0o600));
    database = openSqlite(location, { create: true, busyTimeout });
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
    // Reads the header and takes the write lock once: tells a foreign file or a read-only one now, not at the first call.
    database.exec('begin immediate; rollback');
  } catch (error) {
    database?.close();
    throw new StartError(`The store ${location} can not be opened: ${(error as Error).message}`, error);
  }
  return asKysely(database);
}

/** Kysely's view of an open file. */
const asKysely = (database: Sqlite): SqliteDatabase => ({
  close: () => database.close(),
  prepare(text) {
    const names = database.columns(text);
    const object = (row: unknown[]) => Object.fromEntries(names.map((name, index) => [name, row[index]]));
    return {
      reader: names.length > 0,
      all: (values) => database.run(text, values, false).rows.map(object),
      run: (values) => ({ changes: database.run(text, values, false).changes, lastInsertRowid: 0 }),
      *iterate(values) {
        for (const row of database.iterate(text, values, false)) yield object(row);
      },
    };
  },
});

/** Takes the write lock at the start, so that a transaction that reads before it writes can not fail half-way as busy. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

const sqliteDialect = (database: SqliteDatabase): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new ImmediateDriver({ database }),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
