// What is done with an open SQLite file, wherever it is open: on the main thread or in the child process. It knows no
// Kysely and no catalogue of errors, so that the child starts fast.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Frame, rowWriter, type WireColumn } from '../../convert/wire.ts';
import { isTooLargeInteger, openSqlite, type Sqlite, type SqliteValue, sqliteCode } from './driver.ts';

/** Which file, and how it is opened. */
export interface FileOptions {
  /** Absolute. */
  path: string;
  /** Make the file, and its folder, when they are absent. */
  create: boolean;
  /** Milliseconds to wait for a lock. */
  busyTimeout: number;
  /** Bytes SQLite may use for one query; without it all there are. */
  memory?: number;
  /** Run whenever a connection opens; the caller answers for their being harmless. */
  statements?: readonly string[];
}

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** A write as the process does it. */
export type WriteStatement = WriteStep | WriteUnit | 'refused';

/** Steps that are done all or not at all; the answer is that of `main`. */
export interface WriteUnit {
  steps: (WriteStep | 'refused')[];
  main: number;
}

/** In the place of a parameter: what a step before answered in its first row, at this place. */
export interface Answered {
  step: number;
  place: number;
}

export interface WriteStep extends Statement {
  /** Run once more with each of these. */
  more?: (readonly unknown[])[];
  /** For tables that can not say what they wrote: reads it before. */
  before?: Statement;
  /** When no row was touched: a failure, or what to do instead. */
  missing?: 'fail' | WriteStep;
}

/** What a process is asked to do; what a stream reads is handed out in batches, see `readBatches`. */
export type Task =
  | { kind: 'rows'; statement: Statement; columns: WireColumn[]; frame?: Frame; limit: number }
  | StreamTask
  | { kind: 'raw'; statement: Statement }
  | WriteTask;

export interface StreamTask {
  kind: 'stream';
  statement: Statement;
  columns: WireColumn[];
  frame?: Frame;
}

export interface WriteTask {
  kind: 'writes';
  writes: WriteStatement[];
  mode: 'stop' | 'continue' | 'rollback';
}

/** JSON text of some rows. */
export interface Batch {
  json: string;
  count: number;
}

export interface Problem {
  code: number;
  text: string;
}

/** One write: the rows it returned (or read before) and how many it touched; or why it did not. */
export type WriteResult =
  | { rows: SqliteValue[][]; changes: number; instead?: boolean; problem?: undefined }
  | { problem: Problem | 'missing' | 'refused' | 'untold'; step?: number };

export interface Results {
  /** `ms` is how long the database took. */
  rows: Batch & { ms: number };
  raw: { rows: SqliteValue[][] };
  writes: { results: WriteResult[] };
}

/** An answer with more than `limit` characters. */
export class TooLarge extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super();
    this.limit = limit;
  }
}

/** The problem behind an error of the driver or of the file system; other errors are bugs and go on. */
export function problemOf(error: unknown): Problem {
  const code = sqliteCode(error);
  if (code !== undefined) return { code, text: (error as Error).message };
  const { syscall, code: word } = error as { syscall?: unknown; code?: unknown };
  // The text of such an error holds the whole path.
  if (typeof syscall === 'string') return { code: 14, text: `${syscall} answered ${word}` };
  throw error;
}

/**
 * Opens a file so that its first read is done: what is wrong with it is known now. Files we make use write-ahead
 * logging. Throws the driver's error.
 */
export function openFile({ path, create, busyTimeout, memory, statements = [] }: FileOptions): Sqlite {
  const isNew = create && !existsSync(path);
  if (isNew) mkdirSync(dirname(path), { recursive: true });
  const database = openSqlite(path, { create, busyTimeout });
  try {
    if (isNew) database.exec('pragma journal_mode = wal');
    database.run('pragma schema_version');
    for (const statement of statements) database.exec(statement);
    if (memory) database.exec(`pragma hard_heap_limit = ${memory}`);
    return database;
  } catch (error) {
    database.close();
    const immutable = isOutOfReach(error, path) ? openSqlite(path, { readOnly: true, immutable: true }) : undefined;
    if (!immutable) throw error;
    immutable.run('pragma schema_version');
    return immutable;
  }
}

/**
 * Reading a file in write-ahead mode needs files beside it. Where they can not be made and there is nothing left to
 * read in them, the file is opened as one that nobody writes (https://sqlite.org/wal.html#readonly).
 */
function isOutOfReach(error: unknown, path: string): boolean {
  const code = sqliteCode(error) ?? 0;
  if (code === 0 || ![8, 14].includes(code & 0xff) || !existsSync(path)) return false;
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return !existsSync(`${path}-wal`) || statSync(`${path}-wal`).size === 0;
  }
}

/** Any task that is done in one go. */
export type WholeTask = Exclude<Task, StreamTask>;

/** Does a task. Throws driver errors and `TooLarge`. */
export function perform<T extends WholeTask>(database: Sqlite, task: T): Results[T['kind']];
export function perform(database: Sqlite, task: WholeTask): Results[WholeTask['kind']] {
  switch (task.kind) {
    case 'rows':
      return readRows(database, task);
    case 'raw':
      return { rows: readValues(database, task.statement) };
    case 'writes':
      return { results: writeAll(database, task.writes, task.mode) };
  }
}

/** Reads with plain numbers first, which is faster; should one not fit, once more with bigints. */
function twice<T>(read: (bigints: boolean) => T): T {
  try {
    return read(false);
  } catch (error) {
    if (!isTooLargeInteger(error)) throw error;
    return read(true);
  }
}

/** The values of all rows, in the order of the columns. */
export const readValues = (database: Sqlite, { sql, parameters }: Statement): SqliteValue[][] =>
  twice((bigints) => database.run(sql, parameters, bigints).rows);

/** The values of the one row there is at most. */
export const readOne = (database: Sqlite, { sql, parameters }: Statement): SqliteValue[][] => {
  const row = twice((bigints) => database.first(sql, parameters, bigints));
  return row ? [row] : [];
};

function readRows(database: Sqlite, task: Extract<Task, { kind: 'rows' }>): Results['rows'] {
  const from = performance.now();
  return { ...twice((bigints) => readText(database, task, bigints)), ms: performance.now() - from };
}

function readText(database: Sqlite, task: Extract<Task, { kind: 'rows' }>, bigints: boolean): Batch {
  const { statement, columns, frame, limit } = task;
  const write = rowWriter(columns, frame);
  const parts: string[] = [];
  let length = 0;
  for (const values of database.iterate(statement.sql, statement.parameters, bigints)) {
    const text = write(values);
    length += text.length;
    if (length > limit) throw new TooLarge(limit);
    parts.push(text);
  }
  return { json: `[${parts.join(',')}]`, count: parts.length };
}

/** Characters of JSON text after which a batch of a stream is handed out. */
const batchText = 64 * 1024;

/**
 * Reads rows batch by batch. What was handed out is not kept. An integer past 2^53 is met in the middle of it: then the
 * same rows are read again as bigints and those handed out are skipped, which the read transaction makes the same ones.
 * Without write-ahead logging nobody could write for as long as a reader dawdles: there a copy of the rows is read.
 */
export function* readBatches(database: Sqlite, { statement: asked, columns, frame }: StreamTask): Generator<Batch> {
  const [mode] = database.run('pragma journal_mode').rows;
  const copy = mode?.[0] === 'wal' ? undefined : copyOf(database, asked);
  const statement = copy?.statement ?? asked;
  const write = rowWriter(columns, frame);
  let done = 0;
  function* from(bigints: boolean): Generator<Batch> {
    let [parts, length, skip]: [string[], number, number] = [[], 0, done];
    for (const values of database.iterate(statement.sql, statement.parameters, bigints)) {
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      const text = write(values);
      parts.push(text);
      length += text.length;
      if (length < batchText) continue;
      done += parts.length;
      yield { json: `[${parts.join(',')}]`, count: parts.length };
      [parts, length] = [[], 0];
    }
    done += parts.length;
    if (parts.length > 0) yield { json: `[${parts.join(',')}]`, count: parts.length };
  }
  if (!copy) database.exec('begin');
  try {
    try {
      yield* from(false);
    } catch (error) {
      if (!isTooLargeInteger(error)) throw error;
      yield* from(true);
    }
  } finally {
    if (database.inTransaction) database.exec('rollback');
    copy?.drop();
  }
}

let copies = 0;

/** The rows of a statement in a temporary table, in their order, and how to read and drop it. */
function copyOf(database: Sqlite, { sql, parameters }: Statement) {
  copies += 1;
  const name = `temp.sluice_copy_${copies}`;
  database.run(`create temp table sluice_copy_${copies} as ${sql}`, parameters);
  // A name that is there twice gets a number in the copy.
  const names = database.columns(`select * from ${name}`).map((it) => `"${it.replaceAll('"', '""')}"`);
  return {
    statement: { sql: `select ${names} from ${name}`, parameters: [] },
    drop: () => database.exec(`drop table ${name}`),
  };
}

/**
 * Many writes share one transaction, which spares a disk flush for each. `stop` and `continue` keep what was done; when
 * the shared transaction is lost (a trigger rolled it back, a foreign key checked at its end failed), the writes are
 * done again, each alone.
 */
function writeAll(database: Sqlite, writes: WriteStatement[], mode: 'stop' | 'continue' | 'rollback'): WriteResult[] {
  const [first] = writes;
  if (writes.length === 1 && first && !isSeveral(first)) return [writeOne(database, first)];
  database.exec('begin immediate');
  try {
    const results = writeEach(database, writes, mode, () => database.inTransaction);
    if (mode === 'rollback' && results.some((it) => it.problem)) return results;
    const problem = commit(database);
    if (!problem) return results;
    if (mode === 'rollback') return [...results.slice(0, -1), { problem }];
  } finally {
    if (database.inTransaction) database.exec('rollback');
  }
  return writeEach(database, writes, mode);
}

const rolledBack = 'the transaction was rolled back';

const isSeveral = (write: WriteStatement): boolean =>
  typeof write === 'object' && 'more' in write && write.more !== undefined;

function commit(database: Sqlite): Problem | undefined {
  // SQLITE_ABORT: a statement that did not fail can not have ended the transaction.
  if (!database.inTransaction) return { code: 4, text: rolledBack };
  try {
    database.exec('commit');
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Goes on while `holds`: outside of the lost transaction the next write would be kept. */
function writeEach(
  database: Sqlite,
  writes: WriteStatement[],
  mode: 'stop' | 'continue' | 'rollback',
  holds: () => boolean = () => true,
): WriteResult[] {
  const results: WriteResult[] = [];
  for (const write of writes) {
    const result = writeOne(database, write);
    results.push(result);
    if ((result.problem && mode !== 'continue') || !holds()) break;
  }
  return results;
}

function writeOne(database: Sqlite, write: WriteStatement): WriteResult {
  if (write === 'refused') return { problem: 'refused' };
  if ('steps' in write) return writeUnit(database, write);
  const { sql, parameters, more, before, missing } = write;
  try {
    if (more) return runEach(database, sql, [parameters, ...more]);
    const read = before && database.run(before.sql, before.parameters).rows;
    const { rows, changes } = database.run(sql, parameters);
    if (changes > 0 || !missing) return { rows: read ?? rows, changes };
  } catch (error) {
    return { problem: problemOf(error) };
  }
  if (missing === 'fail') return { problem: 'missing' };
  const result = writeOne(database, missing);
  return result.problem ? result : { ...result, instead: true };
}

/** Where a rule of the table passes over a record (`on conflict ignore`), nobody could tell which row is whose. */
function runEach(database: Sqlite, sql: string, each: (readonly unknown[])[]): WriteResult {
  const rows: SqliteValue[][] = [];
  let changes = 0;
  for (const parameters of each) {
    const result = database.run(sql, parameters);
    rows.push(...result.rows);
    changes += result.changes;
  }
  if (changes !== each.length) return { problem: { code: 4, text: 'the records have to be written one by one' } };
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

function writeSteps(database: Sqlite, { steps, main }: WriteUnit): WriteResult {
  const results: Extract<WriteResult, { rows: unknown }>[] = [];
  for (const [step, write] of steps.entries()) {
    const told = write === 'refused' ? write : withAnswers(write, results);
    const result: WriteResult = told ? writeOne(database, told) : { problem: 'untold' };
    if (result.problem) return { ...result, step };
    results.push(result);
  }
  return results[main]!;
}

/** The statement with what the steps before it answered among its parameters; undefined where one answered nothing. */
function withAnswers(write: WriteStep, results: { rows: SqliteValue[][] }[]): WriteStep | undefined {
  const answer = ({ step, place }: Answered) => results[step]?.rows[0]?.[place] ?? undefined;
  const parameters = write.parameters.map((it) => (isAnswered(it) ? answer(it) : it));
  const missing = typeof write.missing === 'object' ? withAnswers(write.missing, results) : write.missing;
  const isUntold = parameters.includes(undefined) || (write.missing !== undefined && missing === undefined);
  return isUntold ? undefined : { ...write, parameters, ...(missing === undefined ? {} : { missing }) };
}

const isAnswered = (value: unknown): value is Answered =>
  typeof value === 'object' && value !== null && 'step' in value;
