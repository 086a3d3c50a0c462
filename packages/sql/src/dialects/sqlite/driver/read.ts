import { wireRowWriter } from '../../../convert/wire.ts';
import { isStopped, isTooLargeInteger, lacksIndex, type Sqlite, type SqliteValue } from './sqlite.ts';
import type { Batch, Results, RowsTask, Statement, StreamTask } from './task.ts';

/** An answer with more than `limit` characters. */
export class TooLargeError extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super();
    this.limit = limit;
  }
}

/** Reads with plain numbers first, which is faster, and again with bigints if a number does not fit. */
function withBigintFallback<T>(read: (bigints: boolean) => T): T {
  try {
    return read(false);
  } catch (error) {
    if (!isTooLargeInteger(error)) throw error;
    return read(true);
  }
}

/** The values of all rows, in the order of the columns. */
export const readValues = (database: Sqlite, { sql, parameters }: Statement): SqliteValue[][] =>
  withBigintFallback((bigints) => database.run(sql, parameters, bigints).rows);

/** The values of the one row there is at most. */
export const readOne = (database: Sqlite, { sql, parameters }: Statement): SqliteValue[][] => {
  const row = withBigintFallback((bigints) => database.first(sql, parameters, bigints));
  return row ? [row] : [];
};

/** How many rows a statement gives, and how many there may be. */
export interface RowCount {
  statement: Statement;
  max: number;
}

/**
 * The values of all rows of a statement that may end itself (`stopFunction`); undefined when it does, or when `count` says
 * there are too many. Both are of one state of the database.
 */
export function readPage(database: Sqlite, statement: Statement, count?: RowCount): SqliteValue[][] | undefined {
  if (count) database.run('begin');
  try {
    if (count) {
      const { sql, parameters } = count.statement;
      const [rows] = database.first(`select count(*) from (${sql})`, parameters) ?? [];
      if (Number(rows) > count.max) return undefined;
    }
    return readValues(database, statement);
  } catch (error) {
    if (isStopped(error) || lacksIndex(error)) return undefined;
    throw error;
  } finally {
    if (count && database.inTransaction) database.run('commit');
  }
}

export function readRows(database: Sqlite, task: RowsTask): Results['rows'] {
  return withBigintFallback((bigints) => readText(database, task, bigints));
}

function readText(database: Sqlite, task: RowsTask, bigints: boolean): Batch {
  const { statement, columns, layout, limit } = task;
  const rows = database.iterate(statement.sql, statement.parameters, bigints);
  const write = wireRowWriter(columns, layout);
  const parts: string[] = [];
  let length = 0;
  for (const values of rows) {
    const text = write(values);
    length += text.length;
    if (length > limit) throw new TooLargeError(limit);
    parts.push(text);
  }
  return { json: `[${parts.join(',')}]`, count: parts.length };
}

/** Characters of JSON text in one batch of a stream. */
const batchLength = 64 * 1024;

/**
 * Reads rows batch by batch. Batches that were handed out are not kept. An integer past 2^53 is met in the middle of it: then the
 * same rows are read again as bigints and those handed out are skipped, which the read transaction makes the same ones.
 * Without write-ahead logging nobody could write for as long as a reader dawdles: there a copy of the rows is read.
 */
export function* readBatches(
  database: Sqlite,
  { statement: originalStatement, columns, layout }: StreamTask,
): Generator<Batch> {
  const [mode] = database.run('pragma journal_mode').rows;
  const copy = mode?.[0] === 'wal' ? undefined : copyRows(database, originalStatement);
  const statement = copy?.statement ?? originalStatement;
  const write = wireRowWriter(columns, layout);
  let yieldedRows = 0;
  function* readFrom(bigints: boolean): Generator<Batch> {
    let [parts, length, skip]: [string[], number, number] = [[], 0, yieldedRows];
    for (const values of database.iterate(statement.sql, statement.parameters, bigints)) {
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      const text = write(values);
      parts.push(text);
      length += text.length;
      if (length < batchLength) continue;
      yieldedRows += parts.length;
      yield { json: `[${parts.join(',')}]`, count: parts.length };
      [parts, length] = [[], 0];
    }
    yieldedRows += parts.length;
    if (parts.length > 0) yield { json: `[${parts.join(',')}]`, count: parts.length };
  }
  if (!copy) database.exec('begin');
  try {
    try {
      yield* readFrom(false);
    } catch (error) {
      if (!isTooLargeInteger(error)) throw error;
      yield* readFrom(true);
    }
  } finally {
    if (database.inTransaction) database.exec('rollback');
    copy?.drop();
  }
}

let copies = 0;

/** The rows of a statement in a temporary table, in their order, and how to read and drop it. */
function copyRows(database: Sqlite, { sql, parameters }: Statement) {
  copies += 1;
  const name = `temp.sluice_copy_${copies}`;
  database.run(`create temp table sluice_copy_${copies} as ${sql}`, parameters);
  // A name that is there twice gets a number in the copy.
  const names = database.columns(`select * from ${name}`).map((name) => `"${name.replaceAll('"', '""')}"`);
  return {
    statement: { sql: `select ${names} from ${name}`, parameters: [] },
    drop: () => database.exec(`drop table ${name}`),
  };
}
