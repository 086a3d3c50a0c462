// The record filter of a row of service access: what was stored, read into conditions whose values have the caller's
// lookups filled in, and whether a record passes them (contract/role-access.md §5). Pure; database/record-filter/ puts
// the same conditions into queries.
import { type FilterOperator, fail, filterOperators } from '@sluice/contract';
import { certainly, ofJson } from './certain.ts';
import type { AccessRow } from './decide.ts';
import type { Lookup } from './lookups.ts';

/** A value of a condition: what is compared with, and how it was typed. */
export interface FilterValue {
  value: string | number | boolean | null;
  /** It stood in quotes. */
  isQuoted: boolean;
  /** `(NOW())` or `(other_field)`, without its parentheses. */
  isFunction: boolean;
  /** It asks for a lookup that the caller does not have, and so matches nothing. */
  isUnresolved: boolean;
  /** As LIKE takes it with `|` as its escape: a `%` or `_` counts where the filter's author wrote it, none of a lookup. */
  pattern: string;
}

/** One condition, ready to be put to a record. */
export interface FilterCondition {
  /** The field's API name, as stored. */
  name: string;
  operator: FilterOperator;
  /** As stored. */
  value: unknown;
  /** Interpreted, lookups filled in: one value, a list for `in` and `not in`, null for the tests of null. */
  filled: unknown;
  /** What `filled` is made of: one for most operators, several for lists, none for the tests of null. */
  values: FilterValue[];
}

export interface FilterConditions {
  op: 'AND' | 'OR';
  conditions: FilterCondition[];
  /** No lookup is in them: they are the same, and the same object, for everybody. */
  isForAll: boolean;
}

/** A value as it was typed, before lookups. */
interface Typed {
  value: FilterValue['value'];
  isQuoted: boolean;
  isFunction: boolean;
  hasLookups: boolean;
}

interface TypedCondition extends Pick<FilterCondition, 'name' | 'operator' | 'value'> {
  typed: Typed[];
}

interface Known {
  op: FilterConditions['op'];
  typed: TypedCondition[];
  /** What it is for everybody, where nothing depends on who asks. */
  same?: FilterConditions;
}

const known = new WeakMap<AccessRow, Known>();

/**
 * The conditions of a row for the caller whose lookups `lookup` knows. Rows are read once; what is answered is shared and
 * not to be changed. Throws `access.filterInvalid` for what was stored and is no list of conditions.
 */
export function conditionsOf(row: AccessRow, lookup: Lookup): FilterConditions {
  const it = known.get(row) ?? read(row);
  if (it.same) return it.same;
  const conditions = it.typed.map(({ typed, ...condition }) => filledIn(condition, typed, lookup));
  return { op: it.op, conditions, isForAll: false };
}

/**
 * Whether a record, as JSON has it, certainly passes. `create`: a field it lacks counts as null. `change`: only the
 * fields it has are tested.
 */
export function passesFilter(
  conditions: Pick<FilterConditions, 'op' | 'conditions'>,
  record: Record<string, unknown>,
  which: 'create' | 'change',
): boolean {
  const sent = new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value]));
  return passes(conditions, ({ name, operator, values }) => {
    const written = sent.get(name.toLowerCase());
    if (written === undefined && which === 'change') return undefined;
    // A number is compared with a number, though what a lookup holds is a text.
    const asWritten = (value: FilterValue['value']) =>
      typeof written === 'number' && typeof value === 'string' ? interpreted(value) : value;
    const wanted = values.map((it) =>
      it.isFunction || isNothing(operator, it) ? undefined : ofJson(asWritten(it.value)),
    );
    return certainly(operator, ofJson(written ?? null), wanted);
  });
}

const literal = new Set<FilterOperator>(['=', 'in', 'starts with', 'ends with', 'contains']);

/**
 * Whether a value makes its condition match no record at all: one with an unresolved lookup, where the text that is left
 * of it would match records. Those that equal or hold that very text may well be seen.
 */
export const isNothing = (operator: FilterOperator, { isUnresolved }: FilterValue): boolean =>
  isUnresolved && !literal.has(operator);

/** Puts every condition to `test`, which answers undefined where a condition says nothing of the record. */
export function passes(
  { op, conditions }: Pick<FilterConditions, 'op' | 'conditions'>,
  test: (condition: FilterCondition) => boolean | undefined,
): boolean {
  const outcomes = conditions.map(test).filter((it) => it !== undefined);
  if (outcomes.length === 0) return true;
  return op === 'OR' ? outcomes.includes(true) : !outcomes.includes(false);
}

// ---- what was stored ----

function read(row: AccessRow): Known {
  const typed = (row.filters ?? []).map(conditionOf);
  const made: Known = { op: /^\s*or\s*$/i.test(row.filterOp) ? 'OR' : 'AND', typed };
  if (!typed.some((it) => it.typed.some(({ hasLookups }) => hasLookups))) {
    const conditions = typed.map(({ typed: values, ...condition }) => filledIn(condition, values, () => undefined));
    made.same = { op: made.op, conditions, isForAll: true };
  }
  known.set(row, made);
  return made;
}

const operators = new Map<string, FilterOperator>(filterOperators.map((it) => [it, it]));

/** Any JSON may be stored: what is no condition is the fault of the role, and nobody may read around it. */
function conditionOf(stored: unknown): TypedCondition {
  if (typeof stored !== 'object' || stored === null) throw fail('access.filterInvalid');
  const { name, operator: word, value } = stored as Record<string, unknown>;
  const operator = typeof word === 'string' ? operators.get(word.trim().toLowerCase().replace(/\s+/g, ' ')) : undefined;
  if (typeof name !== 'string' || name.trim() === '' || !operator) throw fail('access.filterInvalid');
  return { name: name.trim(), operator, value, typed: typedValues(operator, value) };
}

function typedValues(operator: FilterOperator, value: unknown): Typed[] {
  switch (operator) {
    case 'is null':
    case 'is not null':
      return [];
    case 'in':
    case 'not in': {
      const items = Array.isArray(value) ? value : typeof value === 'string' ? itemsOf(value) : [value];
      if (items.length === 0) throw fail('access.filterInvalid');
      return items.map((it) => typedValue(it, 'item'));
    }
    case 'starts with':
    case 'ends with':
    case 'contains':
      return [typedValue(value, 'pattern')];
    default:
      return [typedValue(value, 'value')];
  }
}

const lookupMark = /\{([^{}]{1,255})\}/;

function typedValue(value: unknown, as: 'value' | 'item' | 'pattern'): Typed {
  const plain = { isQuoted: false, isFunction: false, hasLookups: false };
  if (value === undefined) return { ...plain, value: '' };
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return { ...plain, value };
  if (typeof value !== 'string') throw fail('access.filterInvalid');
  const text = value.trim();
  const inner = quoted(text);
  // Before anything is interpreted: what a lookup holds is one value, whatever it looks like.
  if (lookupMark.test(text)) return { ...plain, value: inner ?? text, isQuoted: inner !== undefined, hasLookups: true };
  if (inner !== undefined) return { ...plain, value: inner, isQuoted: true };
  if (as === 'value' && text.startsWith('(') && text.endsWith(')'))
    return { ...plain, value: text.slice(1, -1).trim(), isFunction: true };
  return { ...plain, value: as === 'pattern' ? text : interpreted(text) };
}

/** The text inside a pair of quotes around the whole; a quote inside may be doubled. */
function quoted(text: string): string | undefined {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || !text.endsWith(quote)) return undefined;
  return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** Only where the text is the one the value is written as: `007` stays a text, which a column of numbers still reads. */
function interpreted(text: string): FilterValue['value'] {
  if (text.toLowerCase() === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) && String(Number(text)) === text ? Number(text) : text;
}

/** `(1, 'a,b', {x})` and `1, 'a,b', {x}`: split at commas that stand in no quotes. */
function itemsOf(text: string): string[] {
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
  return [...items, item].filter((it) => it.trim() !== '');
}

// ---- filling lookups in ----

function filledIn(
  condition: Pick<FilterCondition, 'name' | 'operator' | 'value'>,
  typed: Typed[],
  lookup: Lookup,
): FilterCondition {
  const values = typed.map((it) => fill(it, lookup));
  const { operator } = condition;
  const all = values.map(({ value, isFunction }) => (isFunction ? `(${value})` : value));
  return { ...condition, values, filled: operator === 'in' || operator === 'not in' ? all : (all[0] ?? null) };
}

/** A name nobody knows stays as it is written, and is a text like any other. */
function fill({ value, hasLookups, isQuoted, isFunction }: Typed, lookup: Lookup): FilterValue {
  const written = String(value).replaceAll('|', '||');
  if (!hasLookups) return { value, isQuoted, isFunction, isUnresolved: false, pattern: written };
  let isUnresolved = false;
  const found = (name: string) => {
    const it = lookup(name);
    isUnresolved ||= it === undefined;
    return it ?? `{${name}}`;
  };
  // Every second part is a name.
  const parts = String(value)
    .split(lookupMark)
    .map((part, index) => (index % 2 === 0 ? part : found(part)));
  const pattern = parts.map((part, index) => part.replace(index % 2 === 0 ? /\|/g : /[|%_]/g, '|$&')).join('');
  return { value: parts.join(''), isQuoted, isFunction, isUnresolved, pattern };
}
