import type { MaybePromise } from '@sluice/contract';
import type { SchemaEditor } from '../change/index.ts';
import type { Routines, Table, TableEntry } from '../schema/index.ts';
import type { RowBatches, Rows } from './rows.ts';
import type { Select } from './select.ts';
import type { Unit, Write, WriteOutcome } from './write.ts';

export interface RunOptions {
  /** Aborted when the caller goes away; the query is then cancelled. May be asked for late, or not at all. */
  signal?: AbortSignal;
  /** Milliseconds; a query that takes longer is stopped and answers 503. */
  timeout?: number;
  /** Who calls, opaque: callers have equal shares of a busy database. The platform itself when absent. */
  caller?: string;
  /**
   * Told how many characters of the answer came into memory, in steps, while it is collected. What it throws ends the query,
   * and is its failure.
   */
  onText?(length: number): void;
}

/** Connections, or processes, that work on a database. */
export interface DatabaseLoad {
  /** Open ones, busy or not. */
  open: number;
  busy: number;
  /** Queries that wait for one. */
  waiting: number;
}

/**
 * An open database. Every method fails with catalogued failures: 503 with the driver's words when it is out of reach.
 * What is answered without waiting is answered at once; what fails always does so as a promise.
 */
export interface Database {
  /** The cheap list of names, in natural order without regard to case. */
  tables(options?: { refresh?: boolean }): Promise<TableEntry[]>;
  /**
   * One table described, by its API name in any case; `table.unknown` otherwise. Read when first asked for. `refresh`
   * re-reads the whole schema, `recheck` checks whether this description still holds, once a second at most: the
   * same table comes back if it does.
   */
  table(name: string, options?: { refresh?: boolean; recheck?: boolean }): MaybePromise<Table>;
  select(query: Select, options?: RunOptions): MaybePromise<Rows>;
  /**
   * Rows as they come, some hundred at a time, however many there are: what was handed out is not kept. The first batch
   * may be empty; leaving the loop early stops the query. The time limit is for the database, batch by batch: a reader
   * may take its time.
   */
  stream(query: Select, options?: RunOptions): AsyncIterable<Rows>;
  /**
   * Rows at once where their text is no longer than a megabyte; else batches as `stream` has them, the first ones read
   * already. Where no connection can be spared for a reader who takes their time, all rows at once up to four megabytes; a
   * longer answer waits for a connection, as `stream` does.
   */
  selectOrStream(query: Select, options?: RunOptions): MaybePromise<Rows | RowBatches>;
  count(query: Pick<Select, 'table' | 'where' | 'group'>, options?: RunOptions): Promise<number>;
  /**
   * Runs writes in order. `stop` ends at the first failure and keeps what was done, `continue` goes on, `rollback`
   * runs all in one transaction and undoes it at the first failure. The answer holds one outcome per write tried;
   * a single write that fails for the database's sake (503, 507) throws.
   */
  write(
    writes: readonly (Write | Unit)[],
    mode: 'stop' | 'continue' | 'rollback',
    options?: RunOptions,
  ): Promise<WriteOutcome[]>;
  /** Drops what was read of the schema: it was changed by someone else. */
  dropDescriptions(): void;
  /** Its stored routines; absent where the engine has none. */
  readonly routines?: Routines;
  /** Changes its schema; absent where that is not offered. */
  readonly schemaEditor?: SchemaEditor;
  /** Connects and says in the driver's words what is wrong, if anything. */
  test(): Promise<void>;
  /** How busy it is, for the metrics. */
  load(): DatabaseLoad;
  close(): Promise<void>;
}
