// Whether a value passes a condition for certain, whichever database will keep it. Databases differ in what they find
// equal and how they sort: letter case, accents, blanks at the end, digits they round away. What two of them could judge
// differently does not pass, so that nobody writes a record that their own filter then hides from them, or moves one out
// of the reach of others' filters (contract/role-access.md §5).
import type { FilterOperator } from '@sluice/contract';

/**
 * A value that can be compared. `number`: in digits; `isSingle` where it may be kept with single precision. `moment`: a
 * date, with or without a time. `token`: it equals itself, and the database alone knows what else. `opaque`: something
 * that is not null, no more is known. Null is null, undefined is anything.
 */
export type Comparable =
  | { kind: 'number'; text: string; isSingle?: boolean }
  | { kind: 'text' | 'moment' | 'boolean' | 'token'; text: string }
  | { kind: 'opaque' }
  | null
  | undefined;

/** A value of JSON, whatever column it is meant for. */
export function ofJson(value: unknown): Comparable {
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

/** Whether a written value passes for certain. `= null` and `!= null` mean the tests of null. */
export function certainly(operator: FilterOperator, written: Comparable, wanted: readonly Comparable[]): boolean {
  if (written === undefined) return false;
  const [first] = wanted;
  switch (operator) {
    case 'is null':
      return written === null;
    case 'is not null':
      return written !== null;
    case '=':
      return first === null ? written === null : isSame(written, first);
    case '!=':
      return first === null ? written !== null : isOther(written, first);
    case 'in':
      return wanted.some((it) => isSame(written, it));
    case 'not in':
      return wanted.every((it) => isOther(written, it));
    case '<':
      return orderOf(written, first) === -1;
    case '>':
      return orderOf(written, first) === 1;
    case '<=':
      return orderOf(written, first) === -1 || isSame(written, first);
    case '>=':
      return orderOf(written, first) === 1 || isSame(written, first);
    case 'starts with':
    case 'ends with':
    case 'contains':
      return isLike(operator, written, first);
  }
}

function isSame(a: Comparable, b: Comparable): boolean {
  if (!isKnown(a) || !isKnown(b)) return false;
  if (a.kind === 'number' && b.kind === 'number') return orderOf(a, b) === 0;
  if (a.kind === 'moment') return a.text === b.text && momentShape.test(a.text);
  return a.text === b.text && isKept(a.text);
}

function isOther(a: Comparable, b: Comparable): boolean {
  if (!isKnown(a) || !isKnown(b) || a.kind !== b.kind) return false;
  if (a.kind === 'token') return false;
  if (a.kind === 'boolean') return a.text !== b.text;
  if (a.kind === 'text') return isOtherText(a.text, b.text);
  return Math.abs(orderOf(a, b) ?? 0) === 1;
}

/** Texts sort by rules of their own in every database, but for moments written alike. */
function orderOf(a: Comparable, b: Comparable): -1 | 0 | 1 | undefined {
  if (!isKnown(a) || !isKnown(b) || a.kind !== b.kind || a.kind === 'boolean' || a.kind === 'token') return undefined;
  if (a.kind !== 'number') return orderOfMoments(a.text, b.text);
  const order = orderOfNumbers(a.text, b.text);
  if (!a.isSingle) return order;
  return sign(Math.fround(Number(a.text)), Math.fround(Number(b.text))) === order ? order : undefined;
}

function isLike(operator: 'starts with' | 'ends with' | 'contains', written: Comparable, wanted: Comparable): boolean {
  if (!isKnown(written) || written.kind !== 'text' || !isKnown(wanted)) return false;
  const [text, part] = [written.text, wanted.text];
  if (!isKept(text) || isBroken(part)) return false;
  if (operator === 'contains') return text.includes(part);
  return operator === 'starts with' ? text.startsWith(part) : text.endsWith(part);
}

const isKnown = (it: Comparable): it is Extract<Comparable, { text: string }> =>
  it !== null && it !== undefined && it.kind !== 'opaque';

/** Blanks at the end may be cut or added, and half a character is stored as another one. */
const isKept = (text: string): boolean => !/\s$/.test(text) && !isBroken(text);

const isBroken = (text: string): boolean => /\p{Surrogate}/u.test(text);

// ---- texts ----

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** Letter case and blanks at the end never tell texts apart, nor, as soon as one is more than ASCII, much else. */
function isOtherText(a: string, b: string): boolean {
  if (isPlain(a) && isPlain(b)) return a.toLowerCase().trimEnd() !== b.toLowerCase().trimEnd();
  const [left, right] = [skeleton(a), skeleton(b)];
  return left !== undefined && right !== undefined && left !== right;
}

/**
 * What is left of a text without all that some database does not look at: texts whose rest differs are equal nowhere.
 * Gone are accents, vowels (`ü` is `u`, `y` or `ue`), doubled letters (`ß` is `s` or `ss`), punctuation and signs (all
 * emoji may be one). Undefined for letters and digits that may stand for several others (`ł`, Arabic digits).
 */
function skeleton(text: string): string | undefined {
  const plain = text.normalize('NFKD').toLowerCase().replaceAll('ß', 's');
  const letters = plain.replace(/[^\p{L}\p{Nd}]|[aeiouyæœøı]|[\u{10000}-\u{10ffff}]/gu, '');
  if (/(?![a-z0-9])[\p{Script=Latin}\p{Nd}]/u.test(letters)) return undefined;
  return letters.replace(/[^a-z0-9\p{Script=Cyrillic}\p{Script=Han}]/gu, '').replace(/(.)\1+/gu, '$1');
}

// ---- moments ----

const momentShape = /^\d{4}-\d\d-\d\d([ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/;

/** By the day; within a day only where both are written alike. */
function orderOfMoments(a: string, b: string): -1 | 0 | 1 | undefined {
  if (!momentShape.test(a) || !momentShape.test(b)) return undefined;
  const [dayA, dayB] = [a.slice(0, 10), b.slice(0, 10)];
  if (dayA !== dayB) return dayA < dayB ? -1 : 1;
  if (a.length !== b.length || a[10] !== b[10]) return undefined;
  return a === b ? 0 : a < b ? -1 : 1;
}

// ---- numbers ----

/** Digit by digit, so that none is lost; undefined for what is not written in digits alone and is no double either. */
function orderOfNumbers(a: string, b: string): -1 | 0 | 1 | undefined {
  const [left, right] = [digitsOf(a), digitsOf(b)];
  if (!left || !right) return sign(Number(a), Number(b));
  const places = Math.max(left.places, right.places);
  return sign(scaled(left, places), scaled(right, places));
}

interface Digits {
  digits: bigint;
  /** How many of them stand behind the point. */
  places: number;
}

function digitsOf(text: string): Digits | undefined {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!parts || !/\d/.test(text)) return undefined;
  const [, minus = '', whole = '', fraction = ''] = parts;
  const digits = BigInt(whole + fraction);
  return { digits: minus === '-' ? -digits : digits, places: fraction.length };
}

const scaled = ({ digits, places }: Digits, to: number): bigint => digits * 10n ** BigInt(to - places);

function sign<T extends number | bigint>(a: T, b: T): -1 | 0 | 1 | undefined {
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined;
}
