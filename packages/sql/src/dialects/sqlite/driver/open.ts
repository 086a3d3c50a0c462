import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBusy, problemOf } from './problem.ts';
import { openSqlite, type Sqlite, sqliteCode } from './sqlite.ts';

/** Which file, and how it is opened. */
export interface FileOptions {
  /** Absolute. */
  path: string;
  /** Make the file, and its folder, when they are absent. */
  create: boolean;
  /** Milliseconds to wait for a lock. */
  busyTimeout: number;
  /** Bytes SQLite may use for one query; without it all there are. */
  memory?: number;
  /** Run whenever a connection opens; the caller answers for their being harmless. */
  statements?: readonly string[];
}

/**
 * Opens a file so that its first read is done: what is wrong with it is known now. Files we make use write-ahead
 * logging; a lock on them is waited for. Throws the driver's error.
 */
export function openFile({ path, create, busyTimeout, memory, statements = [] }: FileOptions): Sqlite {
  // An empty file may be one that another process is making.
  const isNew = create && !statSync(path, { throwIfNoEntry: false })?.size;
  if (isNew) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = openSqlite(path, { create, busyTimeout });
  try {
    if (isNew) useWriteAheadLog(database, busyTimeout);
    database.run('pragma schema_version');
    for (const statement of statements) database.exec(statement);
    if (memory) database.exec(`pragma hard_heap_limit = ${memory}`);
    return database;
  } catch (error) {
    database.close();
    const immutable = isOutOfReach(error, path) ? openSqlite(path, { readOnly: true, immutable: true }) : undefined;
    if (!immutable) throw error;
    immutable.run('pragma schema_version');
    return immutable;
  }
}

/**
 * SQLite waits for the locks of statements, but not for who is about to write a new file when it changes to write-ahead
 * logging: another process may make the same file at this moment.
 */
function useWriteAheadLog(database: Sqlite, busyTimeout: number): void {
  const until = performance.now() + busyTimeout;
  for (;;)
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(problemOf(error)) || performance.now() >= until) throw error;
      Atomics.wait(neverChanged, 0, 0, pause);
    }
}

/** Milliseconds between two tries. */
const pause = 10;
const neverChanged = new Int32Array(new SharedArrayBuffer(4));

/**
 * Reading a file in write-ahead mode needs files beside it. Where they cannot be made and there is nothing left to
 * read in them, the file is opened as one that nobody writes (https://sqlite.org/wal.html#readonly).
 */
function isOutOfReach(error: unknown, path: string): boolean {
  const code = sqliteCode(error) ?? 0;
  if (code === 0 || ![8, 14].includes(code & 0xff) || !existsSync(path)) return false;
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return !existsSync(`${path}-wal`) || statSync(`${path}-wal`).size === 0;
  }
}
