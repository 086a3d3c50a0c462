// The sample database `world`: countries, cities, companies, people, orders and their items, 100,000 rows, alike on
// every machine.
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite } from '@sluice/sql';
import { sampleIndexes, sampleTables } from './rows.ts';

const fileName = 'world.sqlite';

/**
 * Makes the sample database if it is not there yet and answers the bare name a service is configured with. Made beside
 * its place and moved there whole, so that a stop in between leaves nothing half made.
 */
export async function ensureWorld(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, 'db');
  const file = join(folder, fileName);
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere) return fileName;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}.tmp`;
  await rm(unfinished, { force: true });
  try {
    await makeWorld(unfinished);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  return fileName;
}

/** Writes the sample database into a new file. */
export async function makeWorld(file: string): Promise<void> {
  const database = openSqlite(file, { create: true });
  try {
    // Nothing to protect while it is being made: an unfinished file is thrown away.
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
