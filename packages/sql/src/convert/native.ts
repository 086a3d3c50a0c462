// From the wire to the database: what a value of a record or a filter becomes (contract/database-tables.md §9).
import { ExactNumber, fail, toExactJson, truthy } from '@sluice/contract';
import type { Column } from '../schema/index.ts';
import { arrayText } from './array.ts';

/** A moment the database itself knows, in place of a value. */
export interface Expression {
  expression: 'now' | 'today';
}

export const isExpression = (value: unknown): value is Expression =>
  typeof value === 'object' && value !== null && 'expression' in value;

/** `write`: a value to store. `filter`: a value to compare with, an id of a path included; null needs no permission. */
export type ValueUse = 'write' | 'filter';

/** The functions a value may be, by their text in lower case without blanks (contract/database-tables.md §4.2, §9). */
const moments = new Map<string, Expression['expression']>([
  ['now()', 'now'],
  ['current_timestamp', 'now'],
  ['current_timestamp()', 'now'],
  ['current_date', 'today'],
  ['curdate()', 'today'],
]);

/** The moment a text names; undefined for any other text. */
export const momentOf = (text: string): Expression['expression'] | undefined =>
  moments.get(text.toLowerCase().replace(/\s+/g, ''));

/** A column without a declared type, as SQLite and its views have them: it takes and gives any kind of value. */
export const isTypeless = (column: Column): boolean => column.description.db_type === '';

/**
 * Converts a wire value to what is bound. Integers come out as number or, past 2^53, as bigint; decimals as text;
 * binary as bytes; allowed expressions as `Expression`.
 * Throws the failures of contract/src/errors/field.ts, all 400, naming the field by its API name.
 */
export function toNative(column: Column, value: unknown, use: ValueUse): unknown {
  const field = column.name;
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return toNull(column, use);
  if (use === 'write' && isObject(value) && 'expression' in value) return toExpression(column, value.expression);
  if (value instanceof ExactNumber) return toNative(column, exactOrDouble(column, value), use);
  if (isTypeless(column)) return toTypeless(field, value, use);
  switch (column.description.type) {
    case 'boolean':
      return toBoolean(column, value);
    case 'id':
    case 'integer':
    case 'reference':
    case 'user_id':
    case 'user_id_on_create':
    case 'user_id_on_update':
      return value === '' ? toNull(column, use) : toInteger(field, value, column.isUnsigned);
    case 'bigint':
      return toBigint(column, value, use);
    case 'decimal':
      if (isNonFinite(column, value)) return value;
      return value === '' ? toNull(column, use) : toDecimal(field, value);
    case 'float':
    case 'double':
      if (isNonFinite(column, value)) return Number(value);
      return value === '' ? toNull(column, use) : Number(toDecimal(field, value));
    case 'binary':
      return toBytes(field, value);
    default:
      return toText(
        field,
        Array.isArray(value) && column.listDelimiter ? arrayText(value, column.listDelimiter) : value,
      );
  }
}

/** `NaN` and the infinities, as they are read (contract/database-tables.md §9). */
const isNonFinite = ({ nonFinite }: Column, value: unknown): boolean =>
  nonFinite !== undefined && typeof value === 'string' && nonFinite.includes(value);

/**
 * Whether the empty text is a value of a column: there it is another thing than null. Of the types that go out as texts those
 * of names that a database prints an empty text for.
 */
export const takesEmptyText = ({ description: { type, db_type } }: Column): boolean =>
  type === 'text' || type === 'binary' || (type === 'string' && emptyTextTypes.test(db_type ?? ''));
const emptyTextTypes =
  /^(?!.*\[\]$)("char"|name$|xml|set\b|bit varying|(\w+\.)?(citext|hstore|ltree|lquery)$|ts(vector|query)$|[^(]*(char|text|clob|string)|$)/i;

/** Only decimals and money keep more digits than a double. */
const exactOrDouble = ({ description: { type } }: Column, number: ExactNumber): string | number =>
  type === 'decimal' || type === 'money' ? number.text : number.valueOf();

function toNull(column: Column, use: ValueUse): null {
  const { allow_null, auto_increment } = column.description;
  if (use === 'write' && !allow_null && !auto_increment) throw fail('field.null', { field: column.name });
  return null;
}

function toBoolean(column: Column, value: unknown): boolean | number {
  if (typeof value === 'object') throw fail('field.boolean', { field: column.name });
  const isTrue = truthy(value);
  return /int|num|bit/i.test(column.description.db_type ?? '') ? Number(isTrue) : isTrue;
}

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

function toInteger(field: string, value: unknown, isUnsigned = false): number | bigint {
  if (typeof value === 'bigint') return checkRange(field, value, isUnsigned);
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw fail('field.integer', { field });
    if (!Number.isSafeInteger(value)) throw fail('field.unsafeInteger', { field, value: String(value) });
    return value;
  }
  // `5.0` is five; the digits after the point of a longer number would be lost, so it is none.
  const digits = typeof value === 'string' ? /^\s*([+-]?)(\d{1,40})(?:\.0{1,40})?\s*$/.exec(value) : null;
  if (!digits) throw fail('field.integer', { field });
  return checkRange(field, BigInt(`${digits[1] === '-' ? '-' : ''}${digits[2]}`), isUnsigned);
}

function checkRange(field: string, value: bigint, isUnsigned: boolean): number | bigint {
  if (value < minInteger || value > (isUnsigned ? 2n * maxInteger + 1n : maxInteger))
    throw fail('field.integer', { field });
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The contract passes text through to a bigint; what is no integer then is the database's to refuse, or a pattern. */
function toBigint(column: Column, value: unknown, use: ValueUse): unknown {
  if (value === '') return toNull(column, use);
  if (use === 'write' || typeof value !== 'string' || /^\s*[+-]?\d/.test(value)) {
    return toInteger(column.name, value, column.isUnsigned);
  }
  return value;
}

/** Numbers as text with all their digits. */
function toDecimal(field: string, value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw fail('field.number', { field });
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
      throw fail('field.unsafeInteger', { field, value: String(value) });
    }
    return String(value);
  }
  if (typeof value !== 'string' || value.length > 1000) throw fail('field.number', { field });
  const trimmed = value.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?$/i.test(trimmed)) throw fail('field.number', { field });
  return trimmed;
}

/** Base64 in its usual or its URL alphabet, padded or not. */
function toBytes(field: string, value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') throw fail('field.base64', { field });
  const plain = value.replace(/\s+/g, '');
  const padding = plain.endsWith('==') ? 2 : plain.endsWith('=') ? 1 : 0;
  const digits = plain.length - padding;
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(plain) || digits % 4 === 1) throw fail('field.base64', { field });
  return new Uint8Array(Buffer.from(plain, 'base64'));
}

function toText(field: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      // Not every driver carries U+0000: some cut the text there without a word.
      if (value.includes('\0')) throw fail('field.nul', { field });
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return toExactJson(value);
    default:
      throw fail('field.text', { field });
  }
}

function toTypeless(field: string, value: unknown, use: ValueUse): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return toInteger(field, value);
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  // Text that is a number as a number would be written compares as one.
  if (use === 'filter' && typeof value === 'string') {
    if (/^-?(0|[1-9]\d{0,17})$/.test(value)) return toInteger(field, value);
    if (/^-?(0|[1-9]\d{0,14})\.\d{1,15}$/.test(value)) return Number(value);
  }
  return toText(field, value);
}

function toExpression(column: Column, input: unknown): Expression {
  const field = column.name;
  const inner = isObject(input) ? input.value : input;
  const text = safeText(inner).slice(0, 200);
  const moment = typeof inner === 'string' ? momentOf(inner) : undefined;
  if (!moment) throw fail('field.expression', { field, text });
  if (!takesMoment(column)) throw fail('field.moment', { field, text });
  return { expression: moment };
}

/**
 * Whether a column may be given a moment: where PostgreSQL refuses one, it says no more than that types do not go together,
 * which after a change of the schema they do not either. A function of the column may make something else of it.
 */
const takesMoment = (column: Column): boolean => {
  const { type, db_type } = column.description;
  if (column.expression || isTypeless(column)) return true;
  return !typesWithoutMoments.has(type) && !nativeTypesWithoutMoments.test(db_type ?? '');
};

const typesWithoutMoments = new Set<string>([
  ...['boolean', 'id', 'integer', 'bigint', 'decimal', 'float', 'double', 'money', 'binary'],
  ...['reference', 'user_id', 'user_id_on_create', 'user_id_on_update'],
]);
const nativeTypesWithoutMoments = /json|uuid|xml|inet|cidr|macaddr|interval|range|^bit|vector|\[\]$/i;

/** An object is never asked for its text: it may have a `toString` of its own, that is none. */
export const safeText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
