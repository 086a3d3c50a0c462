// Where a SQLite service's file lies. A bare name lives in the folder `db` of the data folder; an absolute path must
// be there already; the instance's own files are refused whatever way leads to them.
import { lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { fail } from '@sluice/contract';

export interface Location {
  file: string;
  /** There is no file yet and a new database is to be made. */
  isNew: boolean;
}

/** Refuses what is neither a bare name nor an absolute path; does not touch the disk. */
export function checkDatabaseName(database: string): void {
  if (database.trim() === '')
    throw fail('service.databaseName', undefined, { context: { database: ['The database field is required.'] } });
  const refuse = (problem: string) => fail('service.databaseLocation', { database: printableName(database), problem });
  if (database.includes('\0')) throw refuse('it holds a NUL character.');
  // SQLite keeps files of these names beside a database; used as a database they would damage the other one.
  if (/-(wal|shm|journal)$/i.test(database)) throw refuse('such a name belongs to the journal of another database.');
  if (isAbsolute(database)) return;
  if (/[/\\]/.test(database)) throw refuse('it is neither a name alone nor a path from the root.');
  if (database.startsWith('.') || database.includes(':')) throw refuse('it is not a plain file name.');
  if (Buffer.byteLength(database) > 200) throw refuse('it is too long for a file name.');
}

/**
 * The file of a configured database, links followed. Throws `service.databaseLocation` for files that may not be used
 * and for absolute paths where nothing is, calling the database `displayName`.
 */
export async function locateDatabase(database: string, dataFolder: string, displayName = database): Promise<Location> {
  checkDatabaseName(database);
  const refuse = (problem: string) =>
    fail('service.databaseLocation', { database: printableName(displayName), problem });
  const folder = join(dataFolder, 'db');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = isAbsolute(database) ? database : join(folder, database);
  // A dangling link counts as existing: no file is made under its name.
  const existing = await lstat(path).catch(() => undefined);
  if (!existing) {
    if (isAbsolute(database)) throw refuse('there is no file at this path.');
    return { file: path, isNew: true };
  }
  const file = await realpath(path).catch((error: Error) => {
    throw refuse(`it can not be reached (${(error as NodeJS.ErrnoException).code}).`);
  });
  const stats = await stat(file, { bigint: true });
  if (!stats.isFile()) throw refuse('it is not a file.');
  if (/-(wal|shm|journal)$/i.test(file)) throw refuse('it is the journal of another database.');
  if (await isOwnFile(file, stats, dataFolder)) throw refuse('it belongs to the platform itself.');
  return { file, isNew: false };
}

/** Everything in the data folder outside `db` is the platform's; a file of it keeps its inode under any other name. */
async function isOwnFile(file: string, stats: { dev: bigint; ino: bigint }, dataFolder: string): Promise<boolean> {
  const data = await realpath(dataFolder);
  const databases = await realpath(join(dataFolder, 'db'));
  const isInside = (folder: string) => file.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  if (isInside(data) && !isInside(databases)) return true;
  const platformFiles = (await readdir(data, { withFileTypes: true })).filter((entry) => entry.isFile());
  const isSameFile = await Promise.all(
    platformFiles.map(async ({ name }) => {
      const other = await stat(join(data, basename(name)), { bigint: true }).catch(() => undefined);
      return other !== undefined && other.dev === stats.dev && other.ino === stats.ino;
    }),
  );
  return isSameFile.includes(true);
}

const printableName = (database: string) => database.replaceAll('\0', '').slice(0, 200);
