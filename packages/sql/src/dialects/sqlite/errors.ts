import { existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Failure, fail } from '@sluice/contract';
import type { Problem } from './driver/index.ts';

/** SQLITE_IOERR_SHMSIZE: the shared memory beside a write-ahead file could not be made larger, as on a full disk. */
const noSpaceForIndex = 4874;

/**
 * The catalogued failure of a SQLite error. Values the database refuses are 400 with its own code and text; a database
 * that cannot work is 503 (a full disk 507) in words a person can act on. The folder is not named: the message
 * may reach any caller.
 */
export function translate(problem: Problem, path: string, cause?: unknown): Failure {
  const { code, text } = problem;
  const file = basename(path);
  const options = { cause: cause ?? text };
  if (code === noSpaceForIndex) return fail('database.full', { file }, options);
  switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return fail('database.locked', { file }, options);
    case 8: // SQLITE_READONLY
      return fail('database.readOnly', { file }, options);
    case 11: // SQLITE_CORRUPT
      return fail('database.corrupt', { file, text }, options);
    case 13: // SQLITE_FULL
      return fail('database.full', { file }, options);
    case 14: // SQLITE_CANTOPEN
      return cannotOpen(path, text, options);
    case 26: // SQLITE_NOTADB
      return fail('database.notADatabase', { file }, options);
    case 7: // SQLITE_NOMEM
    case 9: // SQLITE_INTERRUPT
    case 10: // SQLITE_IOERR
    case 15: // SQLITE_PROTOCOL
    case 17: // SQLITE_SCHEMA
    case 23: // SQLITE_AUTH
      return fail('database.unreachable', { text }, options);
    default:
      return fail('record.database', { text }, { ...options, code });
  }
}

/**
 * True for the errors of a statement whose tables or columns are gone: its description is stale. The driver loses the message of
 * some that SQLite met while it prepared a statement again, and says `not an error` in its place.
 */
export const isStale = (problem: Problem): boolean =>
  problem.code === 1 && /^(no such (table|column)|table .* has no column|not an error$)/.test(problem.text);

function cannotOpen(path: string, text: string, options: { cause: unknown }): Failure {
  const file = basename(path);
  if (!existsSync(dirname(path))) return fail('database.folderMissing', { file }, options);
  if (!existsSync(path)) return fail('database.missing', { file }, options);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return fail('database.cannotOpen', { file, text: 'it is a folder' }, options);
  return fail('database.cannotOpen', { file, text: text.replace(/^Failed to open database: /, '') }, options);
}
