import { isUnchanged } from '../../../convert/unchanged.ts';
import { wireRow } from '../../../convert/wire.ts';
import { type Problem, problemOf } from './problem.ts';
import type { Sqlite, SqliteValue } from './sqlite.ts';
import type { StepReference, WriteCheck, WriteResult, WriteStatement, WriteStep, WriteUnit } from './task.ts';

/**
 * Many writes share one transaction, which spares a disk flush for each. `stop` and `continue` keep what was done; when
 * the shared transaction is lost (a trigger rolled it back, a foreign key checked at its end failed), the writes are
 * done again, each alone.
 */
export function writeAll(
  database: Sqlite,
  writes: WriteStatement[],
  mode: 'stop' | 'continue' | 'rollback',
): WriteResult[] {
  const [first] = writes;
  if (writes.length === 1 && first && !needsTransaction(first)) return [writeOne(database, first)];
  database.exec('begin immediate');
  try {
    const results = writeEach(database, writes, mode, () => database.inTransaction);
    if (mode === 'rollback' && results.some((result) => result.problem)) return results;
    const problem = commit(database);
    if (!problem) return results;
    if (mode === 'rollback') return [...results.slice(0, -1), { problem }];
  } finally {
    if (database.inTransaction) database.exec('rollback');
  }
  return writeEach(database, writes, mode);
}

const rolledBack = 'the transaction was rolled back';

const needsTransaction = (write: WriteStatement): boolean =>
  typeof write === 'object' && 'moreParameters' in write && write.moreParameters !== undefined;

function commit(database: Sqlite): Problem | undefined {
  // SQLITE_ABORT: a statement that did not fail cannot have ended the transaction.
  if (!database.inTransaction) return { code: 4, text: rolledBack };
  try {
    database.exec('commit');
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Goes on while `mayContinue`: outside of the lost transaction the next write would be kept. */
function writeEach(
  database: Sqlite,
  writes: WriteStatement[],
  mode: 'stop' | 'continue' | 'rollback',
  mayContinue: () => boolean = () => true,
): WriteResult[] {
  const results: WriteResult[] = [];
  for (const write of writes) {
    const result = writeOne(database, write);
    results.push(result);
    if ((result.problem && mode !== 'continue') || !mayContinue()) break;
  }
  return results;
}

function writeOne(database: Sqlite, write: WriteStatement): WriteResult {
  if (write === 'refused') return { problem: 'refused' };
  if ('steps' in write) return writeUnit(database, write);
  const { sql, parameters, moreParameters, readBefore, readUntouched, missing } = write;
  try {
    if (moreParameters) return runEach(database, sql, [parameters, ...moreParameters]);
    const rowsBefore = readBefore && database.run(readBefore.sql, readBefore.parameters).rows;
    const { rows, changes } = database.run(sql, parameters);
    if (changes > 0 || !missing) return { rows: rowsBefore ?? rows, changes };
    const untouched = readUntouched ? database.run(readUntouched.sql, readUntouched.parameters).rows : [];
    if (untouched.length > 0) return { rows: untouched, changes: untouched.length };
  } catch (error) {
    return { problem: problemOf(error) };
  }
  if (missing === 'fail') return { problem: 'missing' };
  const result = writeOne(database, missing);
  return result.problem ? result : { ...result, isFallback: true };
}

/** Where a rule of the table passes over a record (`on conflict ignore`), nobody could tell which row is whose. */
function runEach(database: Sqlite, sql: string, parameterLists: (readonly unknown[])[]): WriteResult {
  const rows: SqliteValue[][] = [];
  let changes = 0;
  for (const parameters of parameterLists) {
    const result = database.run(sql, parameters);
    rows.push(...result.rows);
    changes += result.changes;
  }
  if (changes !== parameterLists.length)
    return { problem: { code: 4, text: 'the records have to be written one by one' } };
  return { rows, changes };
}

/** Within a transaction that others share, or in one of its own. */
function writeUnit(database: Sqlite, unit: WriteUnit): WriteResult {
  const isShared = database.inTransaction;
  database.exec(isShared ? 'savepoint unit' : 'begin immediate');
  const result = writeSteps(database, unit);
  // A trigger may have ended the transaction.
  if (!database.inTransaction) return result.problem ? result : { problem: { code: 4, text: rolledBack } };
  if (isShared) {
    database.exec(result.problem ? 'rollback to unit; release unit' : 'release unit');
    return result;
  }
  const problem = result.problem ? undefined : commit(database);
  if (database.inTransaction) database.exec('rollback');
  return problem ? { problem } : result;
}

function writeSteps(database: Sqlite, { steps, main, check }: WriteUnit): WriteResult {
  const checkProblem = check && runCheck(database, check);
  if (checkProblem) return { problem: checkProblem };
  const results: Extract<WriteResult, { rows: unknown }>[] = [];
  for (const [step, write] of steps.entries()) {
    const resolvedWrite = write === 'refused' ? write : resolveReferences(write, results);
    const result: WriteResult = resolvedWrite ? writeOne(database, resolvedWrite) : { problem: 'untold' };
    if (result.problem) return { ...result, step };
    results.push(result);
  }
  return results[main]!;
}

/** Within the transaction of the writes: nobody else writes until it ends. */
function runCheck(database: Sqlite, { sql, parameters, columns, expected }: WriteCheck) {
  try {
    const { rows } = database.run(sql, parameters);
    if (rows.length === 0) return 'gone';
    return rows.every((row) => isUnchanged(columns, expected, wireRow(columns, row))) ? undefined : 'changed';
  } catch (error) {
    return problemOf(error);
  }
}

/** The step with the values of earlier steps among its parameters; undefined where an earlier step returned no value. */
function resolveReferences(write: WriteStep, results: { rows: SqliteValue[][] }[]): WriteStep | undefined {
  const resolve = ({ step, columnIndex }: StepReference) => results[step]?.rows[0]?.[columnIndex] ?? undefined;
  const parameters = write.parameters.map((value) => (isStepReference(value) ? resolve(value) : value));
  const missing = typeof write.missing === 'object' ? resolveReferences(write.missing, results) : write.missing;
  const isUnresolved = parameters.includes(undefined) || (write.missing !== undefined && missing === undefined);
  return isUnresolved ? undefined : { ...write, parameters, ...(missing === undefined ? {} : { missing }) };
}

const isStepReference = (value: unknown): value is StepReference =>
  typeof value === 'object' && value !== null && 'step' in value;
