// Reads a SQLite file directly, without the platform.
import { openSqlite, type Sqlite } from '@sluice/sql';

/** Opens the file (an absent one is made), works on it and closes it. */
export function withFile<T>(path: string, work: (database: Sqlite) => T): T {
  const database = openSqlite(path, { create: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The damage that SQLite itself finds in a file. */
export const findDamage = (path: string): string[] =>
  withFile(path, (database) =>
    ['pragma integrity_check', 'pragma foreign_key_check']
      .flatMap((check) => database.run(check).rows)
      .map((row) => row.join(' '))
      .filter((line) => line !== 'ok'),
  );
