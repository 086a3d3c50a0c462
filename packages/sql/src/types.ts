// The words of this package: what a live database looks like to the rest of the platform, and what can be asked of it.
import type { Failure, FieldDescription, Soon, TableDescription } from '@sluice/contract';
import type { Routines } from './routine.ts';

/** A row as the driver gave it or as the wire gets it: API field name → value. */
export type Row = Record<string, unknown>;

/** A column of a described table. `name` is the API name (alias or real), `native` the name in the database. */
export interface Column {
  name: string;
  native: string;
  description: FieldDescription;
  /**
   * Values the database makes itself: a `generated` column is computed and never written, one with a `default` may be
   * left out of a new record even where its description shows no default.
   */
  made?: 'generated' | 'default';
  /** Its integers go up to 2^64 - 1, where others end at 2^63 - 1. */
  isUnsigned?: true;
  /**
   * SQL of an administrator that stands in the column's place (contract/database-tables.md §9, db_function). Written
   * into statements as it is, never made of anything a caller sent. A virtual field has no column, only this.
   */
  expression?: ColumnExpressions;
}

export interface ColumnExpressions {
  /** What is read, and what is ordered and grouped by. */
  select?: string;
  /** What conditions compare. */
  filter?: string;
  /** What is written; `{value}` in it stands for the bound value. */
  insert?: string;
  update?: string;
}

/** A described table: the wire's description and what compiling needs. */
export interface Table {
  /** API name: what the address says. */
  name: string;
  /** Real name and, where the engine has them, its schema; one object for every description of the table. */
  native: { schema: string | null; name: string };
  description: TableDescription;
  columns: Column[];
  /** Identifying columns; empty for views and tables without a key. */
  key: Column[];
  /** The column of an API name in any case; undefined when there is none. */
  column(name: string): Column | undefined;
  /** Some column has an expression: what a query of it costs nobody knows beforehand. */
  hasExpressions: boolean;
}

/** An entry of the cheap list of names. */
export interface TableEntry {
  name: string;
  label: string;
  plural: string;
  description: string | null;
  is_view: boolean;
}

// ---- the filter tree: text → parseFilter → FilterNode → bindFilter → BoundFilter → SQL ----

export type CompareOperator = '=' | '!=' | '>' | '>=' | '<' | '<=' | 'like' | 'contains' | 'starts with' | 'ends with';

/** A value as written: text with its quotes taken off, a named parameter, or one of the allowed functions. */
export type FilterValue =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'param'; name: string }
  | { kind: 'function'; text: string };

export type FilterNode =
  | { kind: 'and' | 'or' | 'xor' | 'nor'; left: FilterNode; right: FilterNode }
  | { kind: 'not'; node: FilterNode }
  | {
      kind: 'compare';
      field: string;
      operator: CompareOperator;
      negated: boolean;
      value: FilterValue;
      /** Only for `like`: in the pattern a `|` takes their meaning from `%`, `_` and itself. No filter text says so. */
      escaped?: true;
    }
  | { kind: 'in'; field: string; negated: boolean; values: FilterValue[] }
  | { kind: 'between'; field: string; negated: boolean; low: FilterValue; high: FilterValue }
  | { kind: 'null'; field: string; negated: boolean };

/** A filter whose names are columns of the table and whose values are of the column's type. */
export type BoundValue =
  | { kind: 'value'; value: unknown }
  | { kind: 'column'; column: Column }
  | { kind: 'now' | 'today' };
export type BoundFilter =
  | { kind: 'and' | 'or' | 'xor' | 'nor'; left: BoundFilter; right: BoundFilter }
  | { kind: 'not'; node: BoundFilter }
  | {
      kind: 'compare';
      column: Column;
      operator: CompareOperator;
      negated: boolean;
      value: BoundValue;
      escaped?: true;
    }
  | {
      kind: 'in';
      column: Column;
      negated: boolean;
      values: BoundValue[];
      /** Values of other records: as many as there happen to be, so they go as one parameter where the engine can. */
      joins?: true;
      /** That parameter, once it was made; for compiling only. */
      parameter?: unknown;
    }
  | { kind: 'between'; column: Column; negated: boolean; low: BoundValue; high: BoundValue }
  | { kind: 'null'; column: Column; negated: boolean };

/** What binding a filter may draw on. */
export interface FilterContext {
  /** `{":n": value}`, keys with their colon. */
  params?: Record<string, unknown>;
  /** Answers `{name}`: the value to bind, or undefined to leave the text as written. */
  lookup?: (name: string) => string | undefined;
}

export interface OrderTerm {
  column: Column;
  direction: 'asc' | 'desc';
  /** Where nulls come; the database's own habit without it. */
  nulls?: 'first' | 'last';
}

// ---- what can be asked ----

export interface Select {
  table: Table;
  columns: Column[];
  /** Columns whose values `Rows.pieces` tells beside each row, shown in it or not. */
  beside?: Column[];
  where?: BoundFilter;
  order?: OrderTerm[];
  group?: Column[];
  limit?: number;
  offset?: number;
}

/**
 * Values are API names → wire values already checked and converted by `toNative`. An update without values changes
 * nothing and answers the rows it matches. `missing` says what it means when no row was touched: a failure like any
 * other, or the write to do instead (an upsert); without it touching nothing is fine. A `refuse` stands in its place
 * in a batch for a record that was found wrong before: it fails without touching the database.
 */
export type Write =
  | {
      kind: 'insert';
      table: Table;
      values: Row;
      /** Records with the same fields that are inserted with it; made by the databases themselves (bundle.ts). */
      more?: readonly Row[];
      returning: Column[];
    }
  | {
      kind: 'update';
      table: Table;
      values: Row;
      where: BoundFilter;
      returning: Column[];
      missing?: Failure | Extract<Write, { kind: 'insert' }>;
    }
  | { kind: 'delete'; table: Table; where?: BoundFilter; returning: Column[]; missing?: Failure }
  | { kind: 'refuse'; failure: Failure };

/**
 * Writes that belong together, as those of a record and of the records inside it: they are done one after the other, all
 * or none. A value of a step may be a `FromStep`. It counts as one write, which answers the rows of its `main` step.
 */
export interface Unit {
  kind: 'unit';
  steps: UnitStep[];
  main: number;
}

export interface UnitStep {
  write: Write;
  /** What the whole unit fails with when this step does. */
  refused?(failure: Failure): Failure;
}

/** What one write did: the rows it touched with the `returning` columns (`{}` each without any), or why it did not. */
export type WriteOutcome = { rows: Row[]; failure?: undefined } | { rows?: undefined; failure: Failure };

export interface RunOptions {
  /** Aborted when the caller goes away; the query is then cancelled. May be asked for late, or not at all. */
  signal?: AbortSignal;
  /** Milliseconds; a query that takes longer is stopped and answers 503. */
  timeout?: number;
}

/** Rows ready for the wire. The text is what the database process made; rows are parsed from it only when needed. */
export interface Rows {
  count: number;
  /** A JSON array. */
  json(): string;
  list(): Row[];
  /** The rows of a query with `beside`, one by one; the whole text of such a query is not to be used. */
  pieces(): Piece[];
}

/** A row as JSON text, and beside it JSON texts of values that were asked for so: what joins it to other rows. */
export interface Piece {
  json: string;
  beside: string[];
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
   * reads the whole schema anew, `recheck` has a look whether this description still holds, once a second at most: the
   * same table comes back if it does.
   */
  table(name: string, options?: { refresh?: boolean; recheck?: boolean }): Soon<Table>;
  select(query: Select, options?: RunOptions): Soon<Rows>;
  /**
   * Rows as they come, some hundred at a time, however many there are: what was handed out is not kept. The first batch
   * may be empty; leaving the loop early stops the query. The time limit is for the database, batch by batch: a reader
   * may take its time.
   */
  stream(query: Select, options?: RunOptions): AsyncIterable<Rows>;
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
  /** Its stored routines; absent where the engine has none. */
  readonly routines?: Routines;
  /** Connects and says in the driver's words what is wrong, if anything. */
  test(): Promise<void>;
  /** How busy it is, for the metrics. */
  load(): DatabaseLoad;
  close(): Promise<void>;
}
