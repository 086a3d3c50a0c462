import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Database } from '../../query/index.ts';
import { openSqliteDatabase, type SqliteDatabaseOptions } from './connect.ts';
import { openSqlite } from './driver/index.ts';
import { nastySql } from './nasty.fixture.ts';

/** A folder for the files of the tests beside it, and databases on them, which are closed after each test. */
export function sqliteFiles() {
  let folder: string;
  let count = 0;
  const open: Database[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-sqlite-'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A file of its own with the nasty database, or with other SQL. */
  function aFile(sql = nastySql): string {
    count += 1;
    const path = join(folder, `file-${count}.db`);
    const file = openSqlite(path, { create: true });
    // Hundreds of statements need not each be on the disk before the next one.
    file.exec(`pragma synchronous = off; pragma foreign_keys = 0; ${sql}`);
    file.close();
    return path;
  }

  function aDatabase(options: Partial<SqliteDatabaseOptions> = {}): Database {
    const database = openSqliteDatabase({
      path: options.path ?? aFile(),
      create: false,
      ...options,
    });
    open.push(database);
    return database;
  }

  return { aFile, aDatabase, inFolder: (...names: string[]) => join(folder, ...names) };
}
