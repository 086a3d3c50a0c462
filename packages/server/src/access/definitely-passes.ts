// Whether a value definitely passes a condition, whichever database stores it. Databases differ in what they find equal
// and how they sort: letter case, accents, blanks at the end, digits they round away. A value that two of them could judge
// differently does not pass. So nobody writes a record that their own filter then hides from them, or moves one out of the
// reach of others' filters (contract/role-access.md §5).
import type { FilterOperator } from '@sluice/contract';

/**
 * A value that can be compared. `number`: in digits; `isSingle` where it may be kept with single precision. `moment`: a
 * date, with or without a time. `token`: it equals itself; only the database knows what else it equals. `opaque`: something
 * that is not null; nothing else is known. Null is null, undefined is anything.
 */
export type Comparable =
  | { kind: 'number'; text: string; isSingle?: boolean }
  | { kind: 'text' | 'moment' | 'boolean' | 'token'; text: string }
  | { kind: 'opaque' }
  | null
  | undefined;

/** A value of JSON, whatever column it is meant for. */
export function comparableOf(value: unknown): Comparable {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: value };
    case 'number':
    case 'bigint':
      return { kind: 'number', text: String(value) };
    case 'boolean':
      return { kind: 'boolean', text: String(value) };
    default:
      return value === null ? null : { kind: 'opaque' };
  }
}

/** Whether a written value definitely passes. `= null` and `!= null` mean the tests of null. */
export function definitelyPasses(
  operator: FilterOperator,
  value: Comparable,
  expected: readonly Comparable[],
): boolean {
  if (value === undefined) return false;
  const [first] = expected;
  switch (operator) {
    case 'is null':
      return value === null;
    case 'is not null':
      return value !== null;
    case '=':
      return first === null ? value === null : isSame(value, first);
    case '!=':
      return first === null ? value !== null : isDifferent(value, first);
    case 'in':
      return expected.some((item) => isSame(value, item));
    case 'not in':
      return expected.every((item) => isDifferent(value, item));
    case '<':
      return compare(value, first) === -1;
    case '>':
      return compare(value, first) === 1;
    case '<=':
      return compare(value, first) === -1 || isSame(value, first);
    case '>=':
      return compare(value, first) === 1 || isSame(value, first);
    case 'starts with':
    case 'ends with':
    case 'contains':
      return matchesPart(operator, value, first);
  }
}

function isSame(a: Comparable, b: Comparable): boolean {
  if (!hasText(a) || !hasText(b)) return false;
  if (a.kind === 'number' && b.kind === 'number') return compare(a, b) === 0;
  if (a.kind === 'moment') return a.text === b.text && momentPattern.test(a.text);
  return a.text === b.text && survivesStorage(a.text);
}

function isDifferent(a: Comparable, b: Comparable): boolean {
  if (!hasText(a) || !hasText(b) || a.kind !== b.kind) return false;
  if (a.kind === 'token') return false;
  if (a.kind === 'boolean') return a.text !== b.text;
  if (a.kind === 'text') return isDifferentText(a.text, b.text);
  return Math.abs(compare(a, b) ?? 0) === 1;
}

/** Every database sorts texts by its own rules, so only moments written alike are compared. */
function compare(a: Comparable, b: Comparable): -1 | 0 | 1 | undefined {
  if (!hasText(a) || !hasText(b) || a.kind !== b.kind || a.kind === 'boolean' || a.kind === 'token') return undefined;
  if (a.kind !== 'number') return compareMoments(a.text, b.text);
  const order = compareNumbers(a.text, b.text);
  if (!a.isSingle) return order;
  return orderOf(Math.fround(Number(a.text)), Math.fround(Number(b.text))) === order ? order : undefined;
}

function matchesPart(
  operator: 'starts with' | 'ends with' | 'contains',
  value: Comparable,
  expected: Comparable,
): boolean {
  if (!hasText(value) || value.kind !== 'text' || !hasText(expected)) return false;
  const [text, part] = [value.text, expected.text];
  if (!survivesStorage(text) || hasHalfCharacter(part)) return false;
  if (operator === 'contains') return text.includes(part);
  return operator === 'starts with' ? text.startsWith(part) : text.endsWith(part);
}

const hasText = (value: Comparable): value is Extract<Comparable, { text: string }> =>
  value !== null && value !== undefined && value.kind !== 'opaque';

/** Whether every database stores the text as it is: blanks at the end may be cut or added, half a character replaced. */
const survivesStorage = (text: string): boolean => !/\s$/.test(text) && !hasHalfCharacter(text);

const hasHalfCharacter = (text: string): boolean => /\p{Surrogate}/u.test(text);

// ---- texts ----

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Letter case and blanks at the end never tell texts apart, nor, as soon as one is more than ASCII, much else. */
function isDifferentText(a: string, b: string): boolean {
  if (isPlain(a) && isPlain(b)) return a.toLowerCase().trimEnd() !== b.toLowerCase().trimEnd();
  const [left, right] = [comparableLetters(a), comparableLetters(b)];
  return left !== undefined && right !== undefined && left !== right;
}

/**
 * A text without everything that some database ignores in a comparison: texts that differ in the rest are equal nowhere.
 * Removed are accents, vowels (`ü` is `u`, `y` or `ue`), doubled letters (`ß` is `s` or `ss`), punctuation and signs (all
 * emoji may be one). Undefined for letters and digits that may stand for several others (`ł`, Arabic digits).
 */
function comparableLetters(text: string): string | undefined {
  const plain = text.normalize('NFKD').toLowerCase().replaceAll('ß', 's');
  const letters = plain.replace(/[^\p{L}\p{Nd}]|[aeiouyæœøı]|[\u{10000}-\u{10ffff}]/gu, '');
  if (/(?![a-z0-9])[\p{Script=Latin}\p{Nd}]/u.test(letters)) return undefined;
  return letters.replace(/[^a-z0-9\p{Script=Cyrillic}\p{Script=Han}]/gu, '').replace(/(.)\1+/gu, '$1');
}

// ---- moments ----

const momentPattern = /^\d{4}-\d\d-\d\d([ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/;

/** By the day; within a day only where both are written alike. */
function compareMoments(a: string, b: string): -1 | 0 | 1 | undefined {
  if (!momentPattern.test(a) || !momentPattern.test(b)) return undefined;
  const [dayA, dayB] = [a.slice(0, 10), b.slice(0, 10)];
  if (dayA !== dayB) return dayA < dayB ? -1 : 1;
  if (a.length !== b.length || a[10] !== b[10]) return undefined;
  return a === b ? 0 : a < b ? -1 : 1;
}

// ---- numbers ----

/** Digit by digit, so that none is lost; undefined for what is not written in digits alone and is no double either. */
function compareNumbers(a: string, b: string): -1 | 0 | 1 | undefined {
  const [left, right] = [parseDigits(a), parseDigits(b)];
  if (!left || !right) return orderOf(Number(a), Number(b));
  const places = Math.max(left.places, right.places);
  return orderOf(scaleDigits(left, places), scaleDigits(right, places));
}

interface Digits {
  digits: bigint;
  /** How many of them stand behind the point. */
  places: number;
}

function parseDigits(text: string): Digits | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!parts || !/\d/.test(text)) return undefined;
  const [, minus = '', whole = '', fraction = ''] = parts;
  const digits = BigInt(whole + fraction);
  return { digits: minus === '-' ? -digits : digits, places: fraction.length };
}

const scaleDigits = ({ digits, places }: Digits, to: number): bigint => digits * 10n ** BigInt(to - places);

function orderOf<T extends number | bigint>(a: T, b: T): -1 | 0 | 1 | undefined {
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined;
}
