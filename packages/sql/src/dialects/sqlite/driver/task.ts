// What a process is asked to do with its open file, and its results.
import type { RowLayout, WireColumn } from '../../../convert/wire.ts';
import type { Row } from '../../../query/index.ts';
import type { ChangeReport, ChangeTask } from '../change/task.ts';
import type { Problem } from './problem.ts';
import type { SqliteValue } from './sqlite.ts';

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** A write as the process does it. */
export type WriteStatement = WriteStep | WriteUnit | 'refused';

/** Steps of which all are done or none; the result is that of `main`. */
export interface WriteUnit {
  steps: (WriteStep | 'refused')[];
  main: number;
  /** Before the first step: the rows of the statement have these values. */
  check?: WriteCheck;
}

export interface WriteCheck extends Statement {
  columns: WireColumn[];
  expected: Row;
}

/** In place of a parameter: a value of the first row that an earlier step returned. */
export interface StepReference {
  step: number;
  columnIndex: number;
}

export interface WriteStep extends Statement {
  /** The statement is run once more with each of these. */
  moreParameters?: (readonly unknown[])[];
  /** For tables that cannot return what they wrote: reads it before. */
  readBefore?: Statement;
  /** Reads the rows that triggers passed over, or wrote in place of the database. */
  readUntouched?: Statement;
  /** When no row was touched: a failure, or what to do instead. */
  missing?: 'fail' | WriteStep;
}

/**
 * What a process is asked to do; what a stream reads is handed out in batches, see `readBatches`, and a change of the
 * schema is one, see `changeSchema`.
 */
export type Task = RowsTask | StreamTask | ChangeTask | { kind: 'raw'; statement: Statement } | WriteTask;

/** Reads an answer of at most `limit` characters of JSON. */
export interface RowsTask {
  kind: 'rows';
  statement: Statement;
  columns: WireColumn[];
  layout?: RowLayout;
  limit: number;
}

export interface StreamTask {
  kind: 'stream';
  statement: Statement;
  columns: WireColumn[];
  layout?: RowLayout;
}

export interface WriteTask {
  kind: 'writes';
  writes: WriteStatement[];
  mode: 'stop' | 'continue' | 'rollback';
}

/** Any task that is done in one go. */
export type WholeTask = Exclude<Task, StreamTask | ChangeTask>;

/** What is handed out on the way by a task that is done step by step. */
export interface Batches {
  stream: Batch;
  change: ChangeReport;
}

/** JSON text of some rows. */
export interface Batch {
  json: string;
  count: number;
}

/**
 * One write: the rows it returned (or read before) and how many it touched; or why it did not. `changed` and `gone` are of the
 * check of a unit.
 */
export type WriteResult =
  | { rows: SqliteValue[][]; changes: number; isFallback?: boolean; problem?: undefined }
  | { problem: Problem | 'missing' | 'refused' | 'untold' | 'changed' | 'gone'; step?: number };

export interface Results {
  rows: Batch;
  raw: { rows: SqliteValue[][] };
  writes: { results: WriteResult[] };
}
