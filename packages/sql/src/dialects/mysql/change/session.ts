// The session that changes a schema: what it is set to, its locks, and how far it got. It is reset afterwards.
import { createHash } from 'node:crypto';
import type { PlannedStatement, RunQuery } from '../../network/index.ts';
import type { ServerFacts } from '../driver.ts';
import { readCreateSql } from './table-text.ts';

/**
 * Values that do not fit are refused, whatever the service is set to: the server would cut them. Zeros in a column that begins
 * to count stay zeros. Dates of zeros, which are in many a table, stay too: the modes that refuse them are left out.
 */
const mode =
  'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO';

export const sessionSql = ({ isMariaDb }: ServerFacts): string[] => [
  `set session sql_mode = '${mode}', lock_wait_timeout = 10, innodb_lock_wait_timeout = 1${isMariaDb ? ', max_statement_time = 0' : ''}`,
];

/** Whole seconds; 0, where the server has it, does not wait at all. */
export const lockTimeoutSql = (ms: number, { waitsNot }: ServerFacts): string =>
  `set session lock_wait_timeout = ${Math.max(waitsNot ? 0 : 1, Math.ceil(ms / 1000))}`;

const lockWaitTimeout = 1205;

/** ER_LOCK_WAIT_TIMEOUT, and ER_LOCK_DEADLOCK, which table locks meet too. */
export const isLockTimeout = (error: unknown): boolean =>
  [lockWaitTimeout, 1213].includes((error as { errno?: number } | null)?.errno ?? 0);

/**
 * One session at a time changes the schema of a database. A session that ends gives its turn back, but not before the statement
 * it runs is over: who has the turn next sees what became of that.
 */
export async function takeTurn(database: string, runQuery: RunQuery): Promise<void> {
  const name = `sluice.schema.${createHash('sha256').update(database).digest('hex').slice(0, 16)}`;
  const [row] = await runQuery('select get_lock(?, 0)', [name]);
  if (row?.[0] === '0')
    throw Object.assign(new Error('another session changes the schema'), { errno: lockWaitTimeout });
}

/** What there is of the tables a statement touches. The counter goes on while others write. */
export async function stateOf({ touches = [] }: PlannedStatement, runQuery: RunQuery): Promise<string> {
  const texts: string[] = [];
  for (const native of touches) texts.push((await readCreateSql(runQuery, native)) ?? '');
  return texts.map((text) => text.replace(/ AUTO_INCREMENT=\d+/, '')).join('\n');
}

/** ER_DBACCESS_DENIED_ERROR and ER_BAD_DB_ERROR of a statement are about the database that it names. */
export const isRefusal = (error: unknown): boolean =>
  [1044, 1049].includes((error as { errno?: number } | null)?.errno ?? 0);
