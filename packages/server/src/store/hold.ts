// One process a store: while the bus is local, another process would not hear what changed and go by what it cached.
import { closeSync, openSync } from 'node:fs';
import { openSqlite, sqliteCode } from '@sluice/sql';
import { StartError } from '../start-error.ts';

/** How long the process before this one may take to end, as when an instance is restarted, in milliseconds. */
const patience = 2_000;
const busy = 5;

/**
 * Claims the store in `file` for this process until the returned function is called or the process ends, however it
 * ends: the operating system keeps the lock, so that no stale file can stand in the way.
 * @throws StartError when another process has it.
 */
export function holdStore(file: string, wait = patience): () => void {
  const path = `${file}.lock`;
  closeSync(openSync(path, 'a', 0o600));
  const lock = openSqlite(path, { create: true, busyTimeout: wait });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (((sqliteCode(error) ?? 0) & 0xff) !== busy) throw error;
    throw new StartError(
      `Another Sluice is running on ${file}. Stop that one, or give this one a folder of its own with --data or SLUICE_DATA.`,
      error,
    );
  }
  return () => lock.close();
}
