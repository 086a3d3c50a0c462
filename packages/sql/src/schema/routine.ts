// Stored routines: the procedures and functions of a database, and calling them.
import type { SimpleType } from '@sluice/contract';
import type { Row, RunOptions } from '../query/index.ts';
import { fieldDescription } from './field.ts';
import type { Column } from './table.ts';

export type RoutineKind = 'procedure' | 'function';

/** An entry of the cheap list of names; routines of one name have one together. */
export interface RoutineEntry {
  name: string;
  label: string;
  description: string | null;
}

export interface RoutineParameter {
  /** Its own name, or `p1` for a first one without a name. */
  name: string;
  /** Counted from 1, those that go out included. */
  position: number;
  direction: 'IN' | 'OUT' | 'INOUT';
  /** What values it takes and returns, described like a column. */
  column: Column;
  /** A call may leave it out. */
  hasDefault: boolean;
}

export interface Routine {
  kind: RoutineKind;
  /** API name: `schema.name` outside of the naming schema. */
  name: string;
  native: { schema: string; name: string };
  label: string;
  description: string | null;
  /** The type of the one value a function answers; null for procedures, and for functions that answer rows. */
  returns: SimpleType | null;
  parameters: RoutineParameter[];
}

/**
 * What a call answered: the value of a function that has one, else the rows of each result set and, by name, what the
 * parameters that go out were left with.
 */
export type RoutineResult = { value: unknown } | { sets: Row[][]; out: Row };

/** The part of a `Database` whose engine has stored routines. */
export interface Routines {
  /** The cheap list of names, in natural order without regard to case. */
  list(kind: RoutineKind, options?: { refresh?: boolean }): Promise<RoutineEntry[]>;
  /** All routines of an API name in any case, the oldest first: one, but where the engine knows overloads. `routine.unknown`. */
  findAll(kind: RoutineKind, name: string): Promise<[Routine, ...Routine[]]>;
  /**
   * Calls a routine. `values` are wire values; a parameter without one is left out if it has a default, else it is null.
   * What the database refuses is `routine.failed`. Nothing is done a second time.
   */
  call(routine: Routine, values: ReadonlyMap<RoutineParameter, unknown>, options?: RunOptions): Promise<RoutineResult>;
}

/** A column that belongs to no table: a parameter, or a column of a statement's result. */
export const columnWithoutTable = (
  name: string,
  type: SimpleType,
  db_type: string,
  sizes: { length?: number | null; precision?: number | null; scale?: number | null } = {},
): Column => ({ name, native: name, description: fieldDescription({ name, type, db_type, ...sizes }) });
