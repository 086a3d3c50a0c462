// Filters as texts of the filter language (contract/database-tables.md §4), made from a field, an operator and a value. Pure.
import type { FieldDescription, SimpleType } from '@sluice/contract';

/** How a field is compared: numbers and dates in order, booleans for equality, texts by likeness (TBL-020…022). */
export type FilterKind = 'number' | 'boolean' | 'text' | 'date' | 'exact';

const kinds: Partial<Record<SimpleType, FilterKind>> = {
  id: 'number',
  integer: 'number',
  bigint: 'number',
  reference: 'number',
  user_id: 'number',
  user_id_on_create: 'number',
  user_id_on_update: 'number',
  float: 'number',
  double: 'number',
  decimal: 'number',
  money: 'number',
  boolean: 'boolean',
  string: 'text',
  text: 'text',
  date: 'date',
  time: 'date',
  timetz: 'date',
  datetime: 'date',
  datetimetz: 'date',
  timestamp: 'date',
  timestamptz: 'date',
  timestamp_on_create: 'date',
  timestamp_on_update: 'date',
  uuid: 'exact',
};

export const operators: Record<FilterKind, readonly string[]> = {
  number: ['=', '<', '>'],
  date: ['=', '<', '>'],
  boolean: ['='],
  text: ['like'],
  exact: ['='],
};

/** How a field can be filtered; undefined when it can not. */
export const filterKind = (field: FieldDescription): FilterKind | undefined => kinds[field.type];

/** Fields the panel offers, in the table's order. */
export const filterable = (fields: readonly FieldDescription[]): FieldDescription[] =>
  fields.filter((field) => filterKind(field) !== undefined);

/** `name like "%value%"`, `age > 3`, `is_open = TRUE` (OPEN-118). Null when there is nothing to compare with. */
export function filterText(field: FieldDescription, operator: string, value: string): string | null {
  const kind = filterKind(field);
  if (!kind || value.trim() === '') return null;
  const wanted = { text: `%${value}%`, number: value.trim(), boolean: value, date: value.trim(), exact: value.trim() };
  const literal = kind === 'number' || kind === 'boolean' ? wanted[kind] : quoted(wanted[kind]);
  return `${field.name} ${operator} ${literal}`;
}

/** A number as the filter language takes it. */
export const isNumberText = (text: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());

/** What is sent: the one filter as it is, or all of them joined. */
export const joined = (filters: readonly string[]): string | undefined =>
  filters.length > 1 ? filters.map((filter) => `(${filter})`).join(' and ') : filters[0];

/** The filter that finds one record by its key. */
export const keyFilter = (fields: readonly FieldDescription[], key: readonly string[]): string =>
  joined(
    fields.map((field, index) => {
      const value = key[index] ?? '';
      return `${field.name} = ${filterKind(field) === 'number' && isNumberText(value) ? value : quoted(value)}`;
    }),
  ) ?? '';

// Servers of the family know no escape for a quote of the same kind, ours takes it doubled: so the other kind first.
function quoted(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? `"${text.replaceAll('"', '""')}"` : `'${text}'`;
}
