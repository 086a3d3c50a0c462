// The record filter of a row of service access: the stored JSON is parsed into conditions, the caller's lookups are filled
// in, and records are tested (contract/role-access.md §5). Pure; database/record-filter/ puts
// the same conditions into queries.
import { ExactNumber, type FilterOperator, fail, filterOperators } from '@sluice/contract';
import type { AccessRow } from './decide.ts';
import { comparableOf, definitelyPasses } from './definitely-passes.ts';
import type { Lookup } from './lookups.ts';

/** A value of a condition, and how it was written. */
export interface FilterValue {
  value: string | number | boolean | null;
  /** It stood in quotes. */
  isQuoted: boolean;
  /** `(NOW())` or `(other_field)`, without its parentheses. */
  isFunction: boolean;
  /** It has a lookup for which the caller has no value, and so matches nothing. */
  isUnresolved: boolean;
  /** The value as a LIKE pattern with `|` as escape: `%` and `_` of the filter's author are wildcards, those of a lookup are not. */
  pattern: string;
}

/** One condition, ready to test a record with. */
export interface FilterCondition {
  /** The field's API name, as stored. */
  name: string;
  operator: FilterOperator;
  /** As stored. */
  value: unknown;
  /** Interpreted, lookups filled in: one value, a list for `in` and `not in`, null for the tests of null. */
  filledValue: unknown;
  /** What `filled` is made of: one for most operators, several for lists, none for the tests of null. */
  values: FilterValue[];
}

export interface FilterConditions {
  op: 'AND' | 'OR';
  conditions: FilterCondition[];
  /** There are no lookups in them: they are the same, and the same object, for everybody. */
  isForAll: boolean;
}

/** A value as it was written, before lookups are filled in. */
interface TypedValue {
  value: FilterValue['value'];
  isQuoted: boolean;
  isFunction: boolean;
  hasLookups: boolean;
}

interface TypedCondition extends Pick<FilterCondition, 'name' | 'operator' | 'value'> {
  typed: TypedValue[];
}

interface ParsedFilter {
  op: FilterConditions['op'];
  conditions: TypedCondition[];
  /** The conditions for everybody, where none depends on the caller. */
  shared?: FilterConditions;
}

const parsedFilters = new WeakMap<AccessRow, ParsedFilter>();

/**
 * The conditions of a row for the caller of `lookup`. A row is parsed once; the result is shared and must not be changed.
 * Throws `access.filterInvalid` when the stored JSON is no list of conditions.
 */
export function conditionsOf(row: AccessRow, lookup: Lookup): FilterConditions {
  const filter = parsedFilters.get(row) ?? parseFilter(row);
  if (filter.shared) return filter.shared;
  const conditions = filter.conditions.map(({ typed, ...condition }) => fillCondition(condition, typed, lookup));
  return { op: filter.op, conditions, isForAll: false };
}

/**
 * Whether a record, as JSON has it, definitely passes. `create`: a field it lacks counts as null. `change`: only the
 * fields it has are tested.
 */
export function passesFilter(
  conditions: Pick<FilterConditions, 'op' | 'conditions'>,
  record: Record<string, unknown>,
  mode: 'create' | 'change',
): boolean {
  const fields = new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase(), doubleOf(value)]));
  return passes(conditions, ({ name, operator, values }) => {
    const recordValue = fields.get(name.toLowerCase());
    if (recordValue === undefined && mode === 'change') return undefined;
    // A number is compared with a number, though what a lookup holds is a text.
    const likeRecord = (value: FilterValue['value']) =>
      typeof recordValue === 'number' && typeof value === 'string' ? interpret(value) : value;
    const expected = values.map((value) =>
      value.isFunction || matchesNothing(operator, value) ? undefined : comparableOf(likeRecord(value.value)),
    );
    return definitelyPasses(operator, comparableOf(recordValue ?? null), expected);
  });
}

const doubleOf = (value: unknown): unknown => (value instanceof ExactNumber ? value.valueOf() : value);

const literalOperators = new Set<FilterOperator>(['=', 'in', 'starts with', 'ends with', 'contains']);

/**
 * Whether a value makes its condition match no record at all: one with an unresolved lookup, where the text `{name}` itself
 * would match records. Operators that find records with that very text are excepted.
 */
export const matchesNothing = (operator: FilterOperator, { isUnresolved }: FilterValue): boolean =>
  isUnresolved && !literalOperators.has(operator);

/** Runs `test` on every condition; it returns undefined where a condition does not concern the record. */
export function passes(
  { op, conditions }: Pick<FilterConditions, 'op' | 'conditions'>,
  test: (condition: FilterCondition) => boolean | undefined,
): boolean {
  const outcomes = conditions.map(test).filter((outcome) => outcome !== undefined);
  if (outcomes.length === 0) return true;
  return op === 'OR' ? outcomes.includes(true) : !outcomes.includes(false);
}

// ---- parsing the stored filter ----

function parseFilter(row: AccessRow): ParsedFilter {
  const typed = (row.filters ?? []).map(parseCondition);
  const filter: ParsedFilter = { op: /^\s*or\s*$/i.test(row.filterOp) ? 'OR' : 'AND', conditions: typed };
  if (!typed.some((condition) => condition.typed.some(({ hasLookups }) => hasLookups))) {
    const conditions = typed.map(({ typed: values, ...condition }) =>
      fillCondition(condition, values, () => undefined),
    );
    filter.shared = { op: filter.op, conditions, isForAll: true };
  }
  parsedFilters.set(row, filter);
  return filter;
}

const operators = new Map<string, FilterOperator>(filterOperators.map((operator) => [operator, operator]));

/** Any JSON may be stored: an invalid condition is a fault of the role, and nobody may read past it. */
function parseCondition(stored: unknown): TypedCondition {
  if (typeof stored !== 'object' || stored === null) throw fail('access.filterInvalid');
  const { name, operator: word, value } = stored as Record<string, unknown>;
  const operator = typeof word === 'string' ? operators.get(word.trim().toLowerCase().replace(/\s+/g, ' ')) : undefined;
  if (typeof name !== 'string' || name.trim() === '' || !operator) throw fail('access.filterInvalid');
  return { name: name.trim(), operator, value, typed: parseValues(operator, value) };
}

function parseValues(operator: FilterOperator, value: unknown): TypedValue[] {
  switch (operator) {
    case 'is null':
    case 'is not null':
      return [];
    case 'in':
    case 'not in': {
      const items = Array.isArray(value) ? value : typeof value === 'string' ? splitItems(value) : [value];
      if (items.length === 0) throw fail('access.filterInvalid');
      return items.map((item) => parseValue(item, 'item'));
    }
    case 'starts with':
    case 'ends with':
    case 'contains':
      return [parseValue(value, 'pattern')];
    default:
      return [parseValue(value, 'value')];
  }
}

const lookupPattern = /\{([^{}]{1,255})\}/;

function parseValue(value: unknown, usage: 'value' | 'item' | 'pattern'): TypedValue {
  const unmarked = { isQuoted: false, isFunction: false, hasLookups: false };
  if (value === undefined) return { ...unmarked, value: '' };
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return { ...unmarked, value };
  if (typeof value !== 'string') throw fail('access.filterInvalid');
  const text = value.trim();
  const inner = unquote(text);
  // Before anything is interpreted: the value of a lookup is one value, whatever it looks like.
  if (lookupPattern.test(text))
    return { ...unmarked, value: inner ?? text, isQuoted: inner !== undefined, hasLookups: true };
  if (inner !== undefined) return { ...unmarked, value: inner, isQuoted: true };
  if (usage === 'value' && text.startsWith('(') && text.endsWith(')'))
    return { ...unmarked, value: text.slice(1, -1).trim(), isFunction: true };
  return { ...unmarked, value: usage === 'pattern' ? text : interpret(text) };
}

/** The text inside a pair of quotes around the whole; a quote inside may be doubled. */
function unquote(text: string): string | undefined {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || !text.endsWith(quote)) return undefined;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Interprets only the canonical text of a value: `007` stays a text, which a column of numbers still reads. */
function interpret(text: string): FilterValue['value'] {
  if (text.toLowerCase() === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** `(1, 'a,b', {x})` and `1, 'a,b', {x}`: split at commas that stand in no quotes. */
function splitItems(text: string): string[] {
  const trimmed = text.trim();
  const list = trimmed.startsWith('(') && trimmed.endsWith(')') ? trimmed.slice(1, -1) : trimmed;
  const items: string[] = [];
  let item = '';
  let quote = '';
  for (const char of list) {
    if (quote === '' && char === ',') {
      items.push(item);
      item = '';
      continue;
    }
    if (quote === '' && (char === "'" || char === '"') && item.trim() === '') quote = char;
    else if (char === quote) quote = '';
    item += char;
  }
  return [...items, item].filter((text) => text.trim() !== '');
}

// ---- filling lookups in ----

function fillCondition(
  condition: Pick<FilterCondition, 'name' | 'operator' | 'value'>,
  typed: TypedValue[],
  lookup: Lookup,
): FilterCondition {
  const values = typed.map((value) => fillValue(value, lookup));
  const { operator } = condition;
  const all = values.map(({ value, isFunction }) => (isFunction ? `(${value})` : value));
  return { ...condition, values, filledValue: operator === 'in' || operator === 'not in' ? all : (all[0] ?? null) };
}

/** An unknown name stays as it is written, as plain text. */
function fillValue({ value, hasLookups, isQuoted, isFunction }: TypedValue, lookup: Lookup): FilterValue {
  const escaped = String(value).replaceAll('|', '||');
  if (!hasLookups) return { value, isQuoted, isFunction, isUnresolved: false, pattern: escaped };
  let isUnresolved = false;
  const resolve = (name: string) => {
    const value = lookup(name);
    isUnresolved ||= value === undefined;
    return value ?? `{${name}}`;
  };
  // Every second part is a name.
  const parts = String(value)
    .split(lookupPattern)
    .map((part, index) => (index % 2 === 0 ? part : resolve(part)));
  const pattern = parts.map((part, index) => part.replace(index % 2 === 0 ? /\|/g : /[|%_]/g, '|$&')).join('');
  return { value: parts.join(''), isQuoted, isFunction, isUnresolved, pattern };
}
