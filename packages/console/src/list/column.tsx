import type { ReactNode } from 'react';
import { IdText } from '../ui/index.ts';

/** A record as lists and editors see it. */
export type Row = Record<string, unknown>;

export interface Column {
  name: string;
  label: string;
  /** How the value is shown; text when absent. */
  cell: (row: Row) => ReactNode;
  /** The cell whose link opens the row's editor; it also names the row for those who do not see it. */
  opens: boolean;
  /** Width in pixels; the columns without one share what is left. */
  width: number | null;
  sortable: boolean;
  /** What it sorts by where the server does not know the order: the rows of the page are then sorted here. */
  sortBy: ((row: Row) => string | number | null) | null;
  /** Where a phone's card shows it: its title, beneath it, or at its edge. */
  card: 'title' | 'line' | 'edge' | null;
}

type ColumnOptions = Partial<Omit<Column, 'name'>> & { label: string };

/** One column of a list: the field it shows and sorts by, and what is particular to it. */
export const column = (name: string, options: ColumnOptions): Column => ({
  name,
  cell: (row) => cellText(row[name]),
  opens: false,
  width: null,
  sortable: true,
  sortBy: null,
  card: options.opens ? 'title' : null,
  ...options,
});

/** The column `id`. */
export const idColumn = (label: string, width = 72): Column =>
  column('id', { label, width, cell: (row) => <IdText>{Number(row.id)}</IdText> });

/** A value as text; nothing for null. */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
