// Described tables.
import { type FieldDescription, quotedStart, type TableDescription } from '@sluice/contract';
import { nameIndex } from './names.ts';

/** A column of a described table. `name` is the API name (alias or real), `native` the name in the database. */
export interface Column {
  name: string;
  native: string;
  description: FieldDescription;
  /**
   * Values the database makes itself: a `generated` column is computed and never written, one with a `default` may be
   * left out of a new record even where its description shows no default.
   */
  autoValue?: 'generated' | 'default';
  /** Its integers go up to 2^64 - 1, where others end at 2^63 - 1. */
  isUnsigned?: true;
  /** The words it takes in place of a number: `NaN` and the infinities, as far as the database stores them. */
  nonFinite?: readonly string[];
  /** It holds arrays, whose elements stand in a text with this between them: a list may be written into it. */
  listDelimiter?: ',' | ';';
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
  /** The column of an API name, as written or in any case; undefined when there is none, or no single one. */
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

/** What a table is made of. `made` and `native` of a column are its engine's to say. */
export interface TableParts {
  name: string;
  native: Table['native'];
  description: TableDescription;
  columns: Column[];
}

/** A table whose columns are found by their API name, as `nameIndex` says. */
export function makeTable({ name, native, description, columns }: TableParts): Table {
  const key = description.primary_key.flatMap((part) => columns.find((column) => column.native === part) ?? []);
  return {
    name,
    native,
    description,
    columns,
    key,
    column: nameIndex(columns, (column) => column.name),
    hasExpressions: columns.some((column) => column.expression !== undefined),
  };
}

/** The column that a name in a text means: it may be quoted. A name that has the quotes itself may stand as it is. */
export function columnNamed(table: Table, text: string): Column | undefined {
  const quoted = quotedStart(text);
  const column = quoted?.rest === '' ? table.column(quoted.name) : undefined;
  return column ?? table.column(text);
}

/** A virtual field without a SELECT function has nothing to read. */
export const isReadable = ({ description, expression }: Column): boolean =>
  !description.is_virtual || expression?.select !== undefined;

/** Whether a condition may name the column: one row has no aggregate. */
export const isComparable = ({ description, expression }: Column): boolean =>
  !description.is_aggregate &&
  (!description.is_virtual || expression?.filter !== undefined || expression?.select !== undefined);
