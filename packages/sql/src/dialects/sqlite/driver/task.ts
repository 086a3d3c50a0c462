// What a process is asked to do with its open file, and what it answers.
import type { RowLayout, WireColumn } from '../../../convert/wire.ts';
import type { Problem } from './problem.ts';
import type { SqliteValue } from './sqlite.ts';

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
  | { kind: 'rows'; statement: Statement; columns: WireColumn[]; frame?: RowLayout; limit: number }
  | StreamTask
  | { kind: 'raw'; statement: Statement }
  | WriteTask;

export interface StreamTask {
  kind: 'stream';
  statement: Statement;
  columns: WireColumn[];
  frame?: RowLayout;
}

export interface WriteTask {
  kind: 'writes';
  writes: WriteStatement[];
  mode: 'stop' | 'continue' | 'rollback';
}

/** Any task that is done in one go. */
export type WholeTask = Exclude<Task, StreamTask>;

/** JSON text of some rows. */
export interface Batch {
  json: string;
  count: number;
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
