// The sample database `world`: countries, cities, companies, people, orders and their items, 100,000 rows, the same on
// every machine.
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { sampleIndexes, sampleTables } from './rows.ts';

const fileName = 'world.sqlite';

/**
 * Makes the sample database unless it exists, and returns the bare name for the configuration of a service. It is made
 * under another name and renamed at the end, so that a stop in between leaves no unfinished database.
 */
export async function ensureWorld(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, 'db');
  const file = join(folder, fileName);
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (exists) return fileName;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${process.pid}.tmp`;
  await rm(temporaryFile, { force: true });
  try {
    await makeWorld(temporaryFile);
    await rename(temporaryFile, file);
  } finally {
    await rm(temporaryFile, { force: true });
  }
  return fileName;
}

/** Writes the sample database into a new file. */
export async function makeWorld(file: string): Promise<void> {
  const database = openSqlite(file, { create: true });
  try {
    // Nothing to protect while it is being made: an unfinished file is removed.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    for (const { name, create, rows } of sampleTables) {
      database.exec(`CREATE TABLE ${name} (${create})`);
      let insert = '';
      for (const row of rows()) {
        insert ||= `INSERT INTO ${name} VALUES (${row.map(() => '?').join(', ')})`;
        database.run(insert, row);
      }
    }
    for (const columns of sampleIndexes)
      database.exec(`CREATE INDEX ndx_${columns.replace(/\W+/g, '_').replace(/_$/, '')} ON ${columns}`);
    database.exec('COMMIT; ANALYZE; PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}
