import type { Failure } from '@sluice/contract';
import type { Column, Table } from '../schema/index.ts';
import type { BoundFilter } from './filter.ts';
import type { Row } from './rows.ts';

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
      /** Records with the same fields that are inserted with it; made by the databases themselves (compile/bundle.ts). */
      moreValues?: readonly Row[];
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
  /** What has to be so when its first step is done, and stays so until the last one is. */
  check?: Check;
}

/**
 * Rows that are still as somebody read them: each that `where` finds has the `expected` values, as the wire shows them, in the
 * columns. Else the unit fails with `changed`, or with `missing` where no row is found, and nothing of it was done. The rows
 * are kept from other writers until the unit is done, where the engine can do that.
 */
export interface Check {
  table: Table;
  columns: Column[];
  where: BoundFilter;
  expected: Row;
  changed: Failure;
  missing: Failure;
}

export interface UnitStep {
  write: Write;
  /** What the whole unit fails with when this step does. */
  mapFailure?(failure: Failure): Failure;
}

/** What one write did: the rows it touched with the `returning` columns (`{}` each without any), or why it did not. */
export type WriteOutcome = { rows: Row[]; failure?: undefined } | { rows?: undefined; failure: Failure };
