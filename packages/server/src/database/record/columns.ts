// Which columns an answer shows, and answers that are plain lists (contract/database-tables.md §2).
import { fail } from '@sluice/contract';
import { type Column, parseFields, type Row, type Table } from '@sluice/sql';
import type { TableCall } from '../table/table-call.ts';
import { keyColumns, requireKey } from './identify.ts';

export interface AskedColumns {
  columns: Column[];
  /** Set when the answer is a list of these columns' values instead of records. */
  asList?: Column[];
}

/**
 * The columns a call asks for; without `fields` all of them on reads, the identifying ones on writes. `as_list` is for
 * lists: a single record stays one. Aggregates are for lists alone, see `aggregated`.
 */
export function askedColumns(it: TableCall, usual: 'all' | 'key', isOne = false): AskedColumns {
  const asked = listColumns(it, usual, isOne);
  const aggregate = asked.columns.find(isAggregate);
  if (aggregate) throw fail('filter.requestedField', { field: aggregate.name });
  return asked;
}

/** Tells when or by whom a record was made or changed: set by the server, whatever is sent. */
export const isAutomatic = ({ description }: Column): boolean => /^(timestamp|user_id)_on_/.test(description.type);

export const isAggregate = ({ description }: Column) => description.is_aggregate;

/**
 * Whether columns of a list are aggregates, of the rows of each group or of all. Beside them stand fields of the group:
 * others have no one value there.
 */
export function areAggregated(columns: Column[], group: Column[] = []): boolean {
  if (!columns.some(isAggregate)) return false;
  const other = columns.find((it) => !isAggregate(it) && !group.includes(it));
  if (other) throw fail('filter.ungrouped', { field: other.name });
  return true;
}

/** As `askedColumns`, for a list. */
export function listColumns({ query, table }: TableCall, usual: 'all' | 'key', isOne = false): AskedColumns {
  if (query.asList && !isOne) {
    const columns = valueColumns(table, query.idField);
    return { columns, asList: columns };
  }
  const { fields } = query;
  if (fields === undefined) {
    if (usual === 'key') return { columns: keyColumns(table, query.idField) };
    return { columns: parseFields('*', table) };
  }
  const identifying = usual === 'key' ? keyColumns : requireKey;
  const isEmpty = typeof fields === 'string' ? fields.trim() === '' : fields.length === 0;
  return { columns: isEmpty ? identifying(table, query.idField) : parseFields(fields, table) };
}

/** What stands for a record in a plain list: the columns of `id_field`, else the field `name`, else the key. */
function valueColumns(table: Table, idField: string[] | undefined): Column[] {
  if (idField?.length) return keyColumns(table, idField);
  const name = table.column('name');
  if (name) return [name];
  if (table.key.length === 0) throw fail('filter.requestedField', { field: 'name' });
  return table.key;
}

/** Rows as a list of one column's values; several columns give texts such as `"(1,2)"`. */
export function listed(rows: Row[], columns: Column[]): unknown[] {
  const [first, ...others] = columns;
  if (!first) return [];
  if (others.length === 0) return rows.map((row) => row[first.name]);
  return rows.map((row) => `(${columns.map(({ name }) => String(row[name])).join(',')})`);
}

/** A row with just these columns. */
export const pick = (row: Row, columns: Column[]): Row =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name]]));
