// Values on their way into a column, as access/definitely-passes.ts compares them. A value is opaque where the database may store it
// otherwise than it is written, or may compare it by rules of its own: then only the tests of null are certain.
import { type Column, FromStep, isExpression, isTypeless } from '@sluice/sql';
import type { Comparable } from '../../access/definitely-passes.ts';

const opaque: Comparable = { kind: 'opaque' };

/** A converted value of a filter. */
export function toComparable(column: Column, native: unknown): Comparable {
  if (native === null) return null;
  if (native === undefined || native instanceof FromStep || isExpression(native) || isTypeless(column)) return opaque;
  switch (column.description.type) {
    case 'boolean':
      return { kind: 'boolean', text: String(Boolean(Number(native))) };
    case 'id':
    case 'integer':
    case 'bigint':
    case 'reference':
    case 'user_id':
    case 'user_id_on_create':
    case 'user_id_on_update':
    case 'double':
    case 'float':
    case 'decimal':
      // To a database NaN equals itself, and is more than anything.
      if (!Number.isFinite(Number(native))) return opaque;
      return {
        kind: 'number',
        text: String(native),
        isSingle: /^(real|float)/i.test(column.description.db_type ?? ''),
      };
    case 'date':
    case 'datetime':
    case 'datetimetz':
    case 'timestamp':
    case 'timestamptz':
    case 'timestamp_on_create':
    case 'timestamp_on_update':
      return { kind: 'moment', text: String(native) };
    case 'string':
    case 'text':
      return textComparable(column, String(native));
    case 'uuid':
      return { kind: 'token', text: String(native) };
    default:
      return opaque;
  }
}

/** A converted value that is about to be written. */
export function toWrittenComparable(column: Column, native: unknown): Comparable {
  const converted = toComparable(column, native);
  switch (converted && converted.kind !== 'opaque' ? column.description.type : undefined) {
    case 'decimal':
    case 'double':
    case 'float':
      return isStoredExactly(column, String(native)) ? converted : opaque;
    case 'date':
      return String(native).length === 10 ? converted : opaque;
    case 'string':
      // MySQL takes a number for the position of an enum's value where no value is written like it.
      return /^enum/i.test(column.description.db_type ?? '') && /^\s*\d/.test(String(native)) ? opaque : converted;
    default:
      return converted;
  }
}

/** Digits beyond the scale of the column are rounded away, and SQLite stores decimals as doubles. */
function isStoredExactly({ description }: Column, text: string): boolean {
  if (description.type !== 'decimal' && description.scale === null) return true;
  const digits = /^[+-]?(\d*)\.?(\d*)$/.exec(text);
  const [, whole = '', fraction = ''] = digits ?? [];
  const fits = fraction.length <= (description.scale ?? fraction.length) && whole.length + fraction.length <= 15;
  return digits !== null && fits;
}

/**
 * Types of texts that are stored and compared letter by letter. Others pass for texts, but may be written in several ways
 * (network addresses, sets) or be numbers after all (a column `string` of SQLite): a word equals itself in all of them.
 */
function textComparable({ description }: Column, text: string): Comparable {
  const type = description.db_type ?? '';
  const isText = /^enum\(/i.test(type) || (/char|text|clob/i.test(type) && !/^"|^set\b|int|\[/i.test(type));
  if (isText) return { kind: 'text', text };
  return /^\p{L}/u.test(text) ? { kind: 'token', text } : opaque;
}
