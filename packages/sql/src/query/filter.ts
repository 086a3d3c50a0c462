// The filter tree: text → parseFilter → FilterNode → bindFilter → BoundFilter → SQL.
import type { Column } from '../schema/index.ts';

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
      isJoin?: true;
      /** That parameter, once it was made; for compiling only. */
      parameter?: unknown;
    }
  | {
      /** The columns together hold one of these tuples: values of other records, as with `isJoin`. A null equals nothing. */
      kind: 'tuples';
      columns: readonly Column[];
      tuples: readonly (readonly unknown[])[];
      /** What carries the tuples, once it was made; for compiling only. */
      parameters?: readonly unknown[];
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
