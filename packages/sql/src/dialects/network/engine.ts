// What an engine that is reached over a network brings along, so that connect.ts makes a `Database` of it.
import type { Failure, MaybePromise } from '@sluice/contract';
import type { Grammar } from '../../compile/index.ts';
import type { Planner } from '../../compile/plan.ts';
import type { RowLayout } from '../../convert/wire.ts';
import type { RunOptions, Write } from '../../query/index.ts';
import type { Column, ForeignKey, Routine, RoutineParameter, RoutineResult, Table } from '../../schema/index.ts';
import type { SchemaChanges } from './schema-editor.ts';

/** What a statement answered: its rows as the text of a JSON array, and how many; without rows, how many it touched. */
export interface Answer {
  count: number;
  json: string;
}

/** The values of a row as the database prints them. */
export type TextRow = readonly (string | null)[];

/** Rows of a statement, batch by batch. */
export interface BatchReader {
  /** The next rows; undefined after the last ones. */
  next(): Promise<Answer | undefined>;
  /** Ends the reading wherever it is; never rejects. */
  close(): Promise<void>;
}

/** How far an answer is collected. */
export interface Reading {
  whole: number;
  limit: number;
  mayGoOn(): boolean;
  options: RunOptions;
}

/**
 * One connection; it does one thing at a time. Its methods reject with the driver's errors, which `Engine.translate`
 * knows. `P` is what the engine makes of a plan.
 */
export interface Connection<P> {
  /** Throws `database.tooLarge` when the text has more than `limit` characters, and what `options.onText` throws. */
  run(plan: P, parameters: readonly unknown[], limit: number, options?: RunOptions): Promise<Answer>;
  /**
   * As `run`; but an answer longer than `reading.whole` characters is handed out as it is then, if `reading.mayGoOn` allows it
   * when asked then: `rest` reads on, or is `rerun` where the engine has to run the statement again, by `stream`.
   */
  read(plan: P, parameters: readonly unknown[], reading: Reading): Promise<Answer & { rest?: BatchReader | 'rerun' }>;
  /** The bare values. */
  values(plan: P, parameters: readonly unknown[]): Promise<TextRow[]>;
  stream(plan: P, parameters: readonly unknown[]): BatchReader;
  /** Runs `begin`, `commit`, `savepoint x` and their like. */
  command(sql: string): Promise<void>;
  /**
   * Stops in the database what runs now: that then rejects. Does not wait and never throws. The connection is usable
   * afterwards only if it is certain that nothing that comes later is stopped in its place.
   */
  cancel(): void;
  /** Puts it back in the state it was opened in, whatever a routine did to it. */
  reset(): Promise<void>;
  /** Open, idle and clean: fit for the next call. */
  readonly isUsable: boolean;
  /** Set by the pool: called once when the connection breaks, at whatever moment. */
  onLost?: () => void;
  /** Says good-bye; never rejects. */
  end(): Promise<void>;
  /** Cuts it off: what runs rejects as lost. */
  destroy(): void;
}

/** What an error of the driver means. */
export interface Problem {
  failure: Failure;
  /**
   * `refused`: the database said no, the connection is fine. `lost`: the connection is gone, or could not be made.
   * `stale`: a table or column is not what its description says. `retryable`: a deadlock or its like, the transaction may be
   * tried once more. `stopped`: stopped on request.
   */
  kind: 'refused' | 'lost' | 'stale' | 'retryable' | 'stopped';
}

/** Runs a statement of the introspection. */
export type RunQuery = (sql: string, parameters?: readonly unknown[]) => Promise<TextRow[]>;

/** A table or view of the cheap list. */
export interface NamedTable {
  /** API name: `schema.table` outside of the naming schema. */
  name: string;
  native: Table['native'];
  comment: string | null;
  /** A view, also one that keeps its rows; absent where it is none. */
  isView?: boolean;
}

/** Reads what the database says about itself, in a handful of queries. */
export interface SchemaReader<T extends NamedTable> {
  /** The real name behind the API name of a table that does not exist yet: `schema.table` outside of the naming schema. */
  nativeName?(apiName: string, runQuery: RunQuery): MaybePromise<Table['native']>;
  /** Everything that can be read like a table, in any order. */
  list(runQuery: RunQuery): Promise<T[]>;
  /** All foreign keys between listed tables; `table` and `refTable` are API names. */
  keys(runQuery: RunQuery, list: ReadonlyMap<string, T>): Promise<ForeignKey[]>;
  /** One table; `keys` are the foreign keys its relations need. Undefined when it is gone. */
  table(runQuery: RunQuery, entry: T, keys: readonly ForeignKey[]): Promise<Table | undefined>;
}

/** A routine of the cheap list, or all routines of one name where there may be several. */
export interface NamedRoutine extends Pick<Routine, 'kind' | 'name' | 'native'> {
  /** What the database tells them apart by, the oldest first. */
  ids: string[];
  comment: string | null;
}

/** Reads and calls the stored routines of a database. */
export interface RoutineReader<P> {
  /** All that may be called, in any order. */
  list(runQuery: RunQuery): Promise<NamedRoutine[]>;
  /** Those of an entry, in the order of its ids; without those that are gone. */
  describe(runQuery: RunQuery, entry: NamedRoutine): Promise<Routine[]>;
  /**
   * What calls a routine on a connection and rejects with the driver's errors, or with `database.tooLarge` where the
   * answer has more than `limit` characters. Throws what is wrong with the values.
   */
  call(
    routine: Routine,
    values: ReadonlyMap<RoutineParameter, unknown>,
  ): (connection: Connection<P>, limit: number) => Promise<RoutineResult>;
}

/** What is particular to an engine. `P` is its plan, `T` what its list knows of a table. */
export interface Engine<P, T extends NamedTable> {
  grammar: Grammar;
  /** Makes a plan: SQL and the columns it answers, in their order (none for counts and the introspection). */
  makePlan(sql: string, columns: Column[], layout?: RowLayout): P;
  /** Opens a connection, set up for use, within the connect timeout. Rejects with errors that `translate` knows. */
  connect(): Promise<Connection<P>>;
  translate(error: unknown): Problem;
  schema: SchemaReader<T>;
  /** Absent where stored routines are not offered. */
  routines?: RoutineReader<P>;
  /** Absent where changing the schema is not offered. */
  schemaChanges?: SchemaChanges;
  /**
   * Does a write whose rows the grammar cannot return (`Grammar.returning`), and answers its `returning` columns; inside
   * of a transaction if it `needsTransaction`. Absent where the grammar returns all.
   */
  write?(connection: Connection<P>, planner: Planner<P>, write: Exclude<Write, { kind: 'refuse' }>): Promise<Answer>;
  needsTransaction?(write: Exclude<Write, { kind: 'refuse' }>): boolean;
  /** True for the error of a write that is refused as it is, but may be allowed if it returns less of its rows. */
  refusesReturning?(error: unknown): boolean;
  /**
   * Why a write touched no row although there is one: `handled` by triggers or rules of the table, `denied` by a policy.
   * Undefined where there is neither: the row came later. Absent where an engine has nothing of the kind.
   */
  whyUntouched?(
    connection: Connection<P>,
    write: Exclude<Write, { kind: 'refuse' | 'insert' }>,
  ): Promise<'handled' | 'denied' | undefined>;
  /** A query that keeps its rows from other writers until the transaction ends; absent where the engine knows none. */
  locking?(plan: P): P;
  /** The engine has no savepoints: where one write of several fails that others must survive, each is done alone. */
  withoutSavepoints?: boolean;
  /** A statement that fails is undone alone, and leaves its transaction as it was: no savepoint is needed around it. */
  outlivesFailure?: boolean;
}
