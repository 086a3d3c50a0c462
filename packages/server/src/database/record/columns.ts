// Which columns an answer shows, and answers that are plain lists (contract/database-tables.md §2).
import { fail } from '@sluice/contract';
import { type Column, parseFields, type Row, type Table } from '@sluice/sql';
import type { TableCall } from '../table/table-call.ts';
import { keyColumns, requireKey } from './identify.ts';

export interface SelectedColumns {
  columns: Column[];
  /** Set when the answer is a list of these columns' values instead of records. */
  valueColumns?: Column[];
}

/**
 * The columns a call asks for; without `fields` all of them on reads, the identifying ones on writes. `as_list` is for
 * lists: a single record stays one. Aggregates are for lists alone, see `checkAggregates`.
 */
export function selectColumns(tableCall: TableCall, defaultColumns: 'all' | 'key', isSingle = false): SelectedColumns {
  const selectedColumns = selectListColumns(tableCall, defaultColumns, isSingle);
  const aggregate = selectedColumns.columns.find(isAggregate);
  if (aggregate) throw fail('filter.requestedField', { field: aggregate.name });
  return selectedColumns;
}

/** Tells when or by whom a record was made or changed: set by the server, whatever is sent. */
export const isAutomatic = ({ description }: Column): boolean => /^(timestamp|user_id)_on_/.test(description.type);

export const isAggregate = ({ description }: Column) => description.is_aggregate;

/**
 * Whether columns of a list are aggregates, of the rows of each group or of all. Beside them only fields of the group may
 * stand: others have no one value there.
 */
export function checkAggregates(columns: Column[], group: Column[] = []): boolean {
  if (!columns.some(isAggregate)) return false;
  const other = columns.find((column) => !isAggregate(column) && !group.includes(column));
  if (other) throw fail('filter.ungrouped', { field: other.name });
  return true;
}

/** As `selectColumns`, for a list. */
export function selectListColumns(
  { query, table }: TableCall,
  defaultColumns: 'all' | 'key',
  isSingle = false,
): SelectedColumns {
  if (query.asList && !isSingle) {
    const columns = plainListColumns(table, query.idField);
    return { columns, valueColumns: columns };
  }
  const { fields } = query;
  if (fields === undefined) {
    if (defaultColumns === 'key') return { columns: keyColumns(table, query.idField) };
    return { columns: parseFields('*', table) };
  }
  const identifyingColumns = defaultColumns === 'key' ? keyColumns : requireKey;
  const isEmpty = typeof fields === 'string' ? fields.trim() === '' : fields.length === 0;
  return { columns: isEmpty ? identifyingColumns(table, query.idField) : parseFields(fields, table) };
}

/** What stands for a record in a plain list: the columns of `id_field`, else the field `name`, else the key. */
function plainListColumns(table: Table, idField: string[] | undefined): Column[] {
  if (idField?.length) return keyColumns(table, idField);
  const name = table.column('name');
  if (name) return [name];
  if (table.key.length === 0) throw fail('filter.requestedField', { field: 'name' });
  return table.key;
}

/** Rows as a list of one column's values; several columns give texts such as `"(1,2)"`. */
export function toValueList(rows: Row[], columns: Column[]): unknown[] {
  const [first, ...others] = columns;
  if (!first) return [];
  if (others.length === 0) return rows.map((row) => row[first.name]);
  return rows.map((row) => `(${columns.map(({ name }) => String(row[name])).join(',')})`);
}

/** A row with just these columns. */
export const pickColumns = (row: Row, columns: Column[]): Row =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name]]));
