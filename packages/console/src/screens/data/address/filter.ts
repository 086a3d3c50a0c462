// Filters as texts of the filter language (contract/database-tables.md §4), built from a field, an operator and a value. Pure.
import { type FieldDescription, parameterName, type SimpleType } from '@sluice/contract';

/** How a field is compared: numbers and dates in order, booleans for equality, texts by pattern (TBL-020…022). */
export type FilterKind = 'number' | 'boolean' | 'text' | 'date' | 'exact';

const kindByType: Partial<Record<SimpleType, FilterKind>> = {
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

const comparisonOperators = ['=', '!=', '<', '<=', '>', '>=', 'between', 'in', 'is null', 'is not null'] as const;

/** The operators offered, the usual one first. */
export const operators = {
  number: comparisonOperators,
  date: comparisonOperators,
  boolean: ['=', 'is null', 'is not null'],
  text: ['like', 'not like', '=', '!=', 'starts with', 'ends with', 'in', 'is null', 'is not null'],
  exact: ['=', '!=', 'in', 'is null', 'is not null'],
} as const satisfies Record<FilterKind, readonly string[]>;
export type Operator = (typeof operators)[FilterKind][number];

/** How many values an operator needs. */
export type OperandShape = 'none' | 'one' | 'two' | 'list';

const shapeByOperator: Partial<Record<Operator, OperandShape>> = {
  'is null': 'none',
  'is not null': 'none',
  between: 'two',
  in: 'list',
};
export const operandShape = (operator: Operator): OperandShape => shapeByOperator[operator] ?? 'one';

/** How a field can be filtered; undefined when it cannot. */
export const filterKind = (field: FieldDescription): FilterKind | undefined => kindByType[field.type];

/** Fields the panel offers, in the table's order. */
export const filterableFields = (fields: readonly FieldDescription[]): FieldDescription[] =>
  fields.filter((field) => filterKind(field) !== undefined);

/** The values typed for an operator: those of a list are separated by commas, and quoted where they contain one. */
export function parseOperands(operator: Operator, value: string, upper = ''): string[] {
  const shape = operandShape(operator);
  if (shape === 'none') return [];
  if (shape === 'one') return [value];
  if (shape === 'two') return [value.trim(), upper.trim()];
  const matches = value.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g);
  const values = Array.from(matches, ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim());
  return values.filter((operand) => operand !== '');
}

/** `name like "%value%"`, `age > 3`, `is_open = TRUE` (OPEN-118), `age between 3 and 5`. Null when a value is missing. */
export function filterText(field: FieldDescription, operator: Operator, value: string, upper = ''): string | null {
  const kind = filterKind(field);
  const values = parseOperands(operator, value, upper);
  const isMissing =
    values.some((operand) => operand.trim() === '') || (operandShape(operator) === 'list' && !values.length);
  if (!kind || isMissing) return null;
  const [first = '', last = ''] = values.map((operand) => literal(kind, operator, operand));
  const start = `${parameterName(field.name)} ${operator}`;
  if (operator === 'is null' || operator === 'is not null') return start;
  if (operator === 'between') return `${start} ${first} and ${last}`;
  return `${start} ${operator === 'in' ? `(${values.map((operand) => literal(kind, operator, operand)).join(', ')})` : first}`;
}

function literal(kind: FilterKind, operator: Operator, value: string): string {
  if (kind === 'number' || kind === 'boolean') return value.trim();
  const isLike = operator === 'like' || operator === 'not like';
  return quoteText(isLike ? `%${value}%` : kind === 'text' ? value : value.trim());
}

/** Whether a text is a number of the filter language. */
export const isNumberText = (text: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());

/** The filter to send: a single one as it is, several joined by `and`. */
export const joinFilters = (filters: readonly string[]): string | undefined =>
  filters.length > 1 ? filters.map((filter) => `(${filter})`).join(' and ') : filters[0];

/** The filter for one record by its key. */
export const keyFilter = (fields: readonly FieldDescription[], key: readonly string[]): string =>
  joinFilters(
    fields.map((field, index) => {
      const value = key[index] ?? '';
      return `${parameterName(field.name)} = ${filterKind(field) === 'number' && isNumberText(value) ? value : quoteText(value)}`;
    }),
  ) ?? '';

// Other servers of the family cannot escape a quote of the same kind; ours accepts it doubled. So the other kind of quote comes first.
function quoteText(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  return text.includes("'") ? `"${text.replaceAll('"', '""')}"` : `'${text}'`;
}
