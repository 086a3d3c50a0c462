import type { Column, Table } from '../schema/index.ts';
import type { BoundFilter } from './filter.ts';

export interface OrderTerm {
  column: Column;
  direction: 'asc' | 'desc';
  /** Where nulls come; the database's own habit without it. */
  nulls?: 'first' | 'last';
}

export interface Select {
  table: Table;
  columns: Column[];
  /** Columns whose values `Rows.withKeys` returns with each row, whether the row shows them or not. */
  sideColumns?: Column[];
  where?: BoundFilter;
  order?: readonly OrderTerm[];
  group?: Column[];
  limit?: number;
  offset?: number;
}
