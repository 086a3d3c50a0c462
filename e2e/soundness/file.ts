// A SQLite file looked at past the platform.
import { openSqlite, type Sqlite } from '@sluice/sql';

/** Opens the file (an absent one is made), works on it and closes it. */
export function inFile<T>(path: string, work: (database: Sqlite) => T): T {
  const database = openSqlite(path, { create: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** What SQLite itself finds wrong with a file. */
export const notSound = (path: string): string[] =>
  inFile(path, (database) =>
    ['pragma integrity_check', 'pragma foreign_key_check']
      .flatMap((check) => database.run(check).rows)
      .map((row) => row.join(' '))
      .filter((line) => line !== 'ok'),
  );
