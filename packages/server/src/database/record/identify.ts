// Which record is meant: identifying columns, ids as they are sent, and the conditions that find their rows
// (contract/database-tables.md §3.5).
import { ExactNumber, fail } from '@sluice/contract';
import {
  type BoundFilter,
  type Column,
  columnNamed,
  isComparable,
  isReadable,
  type Row,
  type Table,
  toNative,
} from '@sluice/sql';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { columnValues } from './column-values.ts';

/** The values of the identifying columns of one record, in their order, converted to the columns' types. */
export type Key = unknown[];

/** Columns that may identify records together: each is compared for each of ten thousand records. */
const maxKeyColumns = 32;

/** The columns that identify records in a call: those of `id_field`, each once, else the primary key; there may be none. */
export function keyColumns(table: Table, idField: string[] | undefined): Column[] {
  if (!idField || idField.length === 0) return table.key;
  const columns = new Set<Column>();
  for (const name of idField) {
    const column = columnNamed(table, name);
    if (!column || !isReadable(column) || !isComparable(column)) throw fail('filter.requestedField', { field: name });
    columns.add(column);
    if (columns.size > maxKeyColumns)
      throw fail('filter.tooManyNames', { parameter: 'id_field', limit: maxKeyColumns });
  }
  return [...columns];
}

/** As `keyColumns`, but a table without any is a 400. */
export function requireKey(table: Table, idField: string[] | undefined): Column[] {
  const columns = keyColumns(table, idField);
  if (columns.length === 0) throw fail('table.noKey');
  return columns;
}

/** The key an id stands for: a scalar for one column, an object of parts for any number. */
export function keyOfId(table: Table, columns: Column[], id: unknown, index: number): Key {
  if (isRecord(id)) return keyOfRecord(table, columns, id, index);
  const isScalar = id !== null && id !== undefined && (typeof id !== 'object' || id instanceof ExactNumber);
  const isUsable = columns.length === 1 && isScalar;
  if (!isUsable) throw fail('table.idInvalid', { index, text: idText([id]) });
  return [toNative(columns[0]!, id, 'filter')];
}

/** The key inside a record; a missing part is a 400, and an empty one unless the column holds text. */
export function keyOfRecord(table: Table, columns: Column[], record: RecordInput, index: number): Key {
  const parts = columnValues(table, record);
  return columns.map((column) => {
    const part = parts.get(column);
    const isEmpty = part === '' && column.description.type !== 'string' && column.description.type !== 'text';
    if (part === undefined || part === null || isEmpty) throw fail('table.idMissing', { index });
    return toNative(column, part, 'filter');
  });
}

/** The condition that finds the row of a key. */
export function whereKey(columns: readonly Column[], key: Key): BoundFilter {
  return columns
    .map((column, index): BoundFilter => {
      const value = { kind: 'value', value: key[index] } as const;
      return { kind: 'compare', column, operator: '=', negated: false, value };
    })
    .reduce((left, right) => ({ kind: 'and', left, right }));
}

/** The condition that finds the rows of several keys. */
export function whereKeys(columns: Column[], keys: Key[]): BoundFilter {
  if (columns.length === 1) {
    const values = keys.map(([value]) => ({ kind: 'value', value }) as const);
    return { kind: 'in', column: columns[0]!, negated: false, values };
  }
  return anyOf(keys.map((key) => whereKey(columns, key)));
}

/** Joined in halves: databases limit how deep an expression may nest, not how wide it is. */
function anyOf(filters: BoundFilter[]): BoundFilter {
  if (filters.length === 1) return filters[0]!;
  const middle = filters.length >> 1;
  return { kind: 'or', left: anyOf(filters.slice(0, middle)), right: anyOf(filters.slice(middle)) };
}

/** A key as text, to find the row that answers it; equal keys of one column type give equal texts. */
export const keyText = (key: Key): string => JSON.stringify(key.map((part) => String(part)));

export const rowKeyText = (columns: Column[], row: Row): string => keyText(columns.map(({ name }) => row[name]));

/** An id as messages show it. */
export const idText = (parts: unknown[]): string =>
  parts
    .map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part)))
    .join(',')
    .slice(0, 200);

export const recordNotFound = (parts: unknown[]) => fail('record.notFound', { id: idText(parts) });
