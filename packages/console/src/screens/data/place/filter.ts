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

const ordered = ['=', '!=', '<', '<=', '>', '>=', 'between', 'in', 'is null', 'is not null'] as const;

/** The operators offered, the usual one first. */
export const operators = {
  number: ordered,
  date: ordered,
  boolean: ['=', 'is null', 'is not null'],
  text: ['like', 'not like', '=', '!=', 'starts with', 'ends with', 'in', 'is null', 'is not null'],
  exact: ['=', '!=', 'in', 'is null', 'is not null'],
} as const satisfies Record<FilterKind, readonly string[]>;
export type Operator = (typeof operators)[FilterKind][number];

/** How many values an operator wants. */
export type Operands = 'none' | 'one' | 'two' | 'list';

const operandsOf: Partial<Record<Operator, Operands>> = {
  'is null': 'none',
  'is not null': 'none',
  between: 'two',
  in: 'list',
};
export const operandsFor = (operator: Operator): Operands => operandsOf[operator] ?? 'one';

/** How a field can be filtered; undefined when it can not. */
export const filterKind = (field: FieldDescription): FilterKind | undefined => kinds[field.type];

/** Fields the panel offers, in the table's order. */
export const filterable = (fields: readonly FieldDescription[]): FieldDescription[] =>
  fields.filter((field) => filterKind(field) !== undefined);

/** The values typed for an operator: those of a list are apart by commas, and quoted where they hold one. */
export function operandsIn(operator: Operator, value: string, second = ''): string[] {
  const operands = operandsFor(operator);
  if (operands === 'none') return [];
  if (operands === 'one') return [value];
  if (operands === 'two') return [value.trim(), second.trim()];
  const typed = value.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g);
  const values = Array.from(typed, ([, inQuotes, plain = '']) => inQuotes?.replaceAll('""', '"') ?? plain.trim());
  return values.filter((each) => each !== '');
}

/** `name like "%value%"`, `age > 3`, `is_open = TRUE` (OPEN-118), `age between 3 and 5`. Null when there is nothing to compare with. */
export function filterText(field: FieldDescription, operator: Operator, value: string, second = ''): string | null {
  const kind = filterKind(field);
  const values = operandsIn(operator, value, second);
  const isMissing = values.some((each) => each.trim() === '') || (operandsFor(operator) === 'list' && !values.length);
  if (!kind || isMissing) return null;
  const [first = '', last = ''] = values.map((each) => literal(kind, operator, each));
  const start = `${field.name} ${operator}`;
  if (operator === 'is null' || operator === 'is not null') return start;
  if (operator === 'between') return `${start} ${first} and ${last}`;
  return `${start} ${operator === 'in' ? `(${values.map((each) => literal(kind, operator, each)).join(', ')})` : first}`;
}

function literal(kind: FilterKind, operator: Operator, value: string): string {
  if (kind === 'number' || kind === 'boolean') return value.trim();
  const isLike = operator === 'like' || operator === 'not like';
  return quoted(isLike ? `%${value}%` : kind === 'text' ? value : value.trim());
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
