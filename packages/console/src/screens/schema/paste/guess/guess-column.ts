// What a column is, from all its values. Pure.
import type { JsonKind } from '../read/json-records.ts';
import type { Cell } from '../read/read-data.ts';
import type { Work } from '../read/slices.ts';
import {
  type ColumnType,
  type DecimalMark,
  digitsOf,
  hasZone,
  isBooleanWord,
  isCommaNumber,
  isDecimalNumber,
  isGroupedNumber,
  isNullWord,
  isNumber,
  isUuid,
  isWholeNumber,
  parseAs,
} from './shapes.ts';

/** Why a type was guessed: a key of `paste.reasons`, and what its text names. */
export interface Reason {
  key:
    | ('empty' | 'whole' | 'big' | 'decimal' | 'double' | 'boolean' | 'date' | 'time' | 'datetime' | 'zoned')
    | (
        | 'uuid'
        | 'object'
        | 'leadingZeros'
        | 'comma'
        | 'commaDecimal'
        | 'mostlyNumbers'
        | 'quoted'
        | 'short'
        | 'long'
        | 'countedKey'
      );
  count: number;
  /** How many of `count` are numbers. */
  numbers?: number;
  /** A value that decided. */
  example?: string;
  /** The longest value, in characters. */
  longest?: number;
}

export interface Guess {
  type: ColumnType;
  /** Characters of a string, digits of a decimal; null for other types. */
  length: number | null;
  /** Digits of a decimal behind its mark. */
  scale: number | null;
  allowNull: boolean;
  isPrimaryKey: boolean;
  /** How numbers of the column are written, should it become one of numbers. */
  mark: DecimalMark;
  reason: Reason;
}

interface ColumnSource {
  /** The name it is to have: `id` and `uuid` may be keys. */
  name: string;
  /** Of JSON: a number in quotes is meant as text. Null: every value is a text. */
  kinds: ReadonlySet<JsonKind> | null;
  /** Whether the database has a type for JSON. */
  canStoreJson: boolean;
}

/** Lengths a string is given: room for half as much again as its longest value. */
const textLengths = [32, 64, 128, 255];
const longestString = 255;
const minPrecision = 10;
const maxPrecision = 38;
const maxScale = 10;
const rowsPerStep = 500;
const keyName = /^(id|uuid|guid)$/;

/** The types that all values of a column may have; the first that is left is the guess. */
const typeOrder = ['boolean', 'integer', 'bigint', 'decimal', 'double', 'date', 'time', 'datetime', 'json'] as const;
type TypeWord = (typeof typeOrder)[number];

/** What a text looks like at first sight, before its value is read. */
const looksLike: Record<TypeWord, (text: string) => boolean> = {
  boolean: isBooleanWord,
  integer: isWholeNumber,
  bigint: isWholeNumber,
  decimal: (text) => isDecimalNumber(text) || isWholeNumber(text),
  double: isNumber,
  date: (text) => /^\d/.test(text) && text.length <= 10,
  time: (text) => text.includes(':') && text.length <= 15,
  datetime: (text) => /^\d/.test(text) && text.includes(':') && text.length >= 14,
  json: (text) => /^[[{]/.test(text),
};

const typesOfKind: Record<JsonKind, readonly TypeWord[]> = {
  text: ['date', 'time', 'datetime'],
  number: ['integer', 'bigint', 'decimal', 'double'],
  boolean: ['boolean'],
  object: ['json'],
};

/** What is seen of a column, value by value. */
interface Profile {
  values: number;
  nulls: number;
  nullWords: number;
  longest: number;
  hasLineBreak: boolean;
  numbers: number;
  commaNumbers: number;
  /** Of these, those that cannot be whole numbers grouped by commas: `1,5` and `1.234,567`, not `1,234`. */
  surelyComma: number;
  /** Numbers with a point before the fraction, or with an exponent. */
  pointNumbers: number;
  zeroLed: number;
  uuids: number;
  zoned: number;
  firstText: string | null;
  whole: number;
  fraction: number;
  /** Digits of numbers that are read with a comma before the fraction. */
  commaWhole: number;
  commaFraction: number;
  possible: Set<TypeWord>;
}

function* profileColumn(rows: readonly Cell[][], column: number, { kinds }: ColumnSource): Work<Profile> {
  const possible = new Set<TypeWord>(typeOrder);
  for (const kind of kinds ?? [])
    for (const type of typeOrder) if (!typesOfKind[kind].includes(type)) possible.delete(type);
  const profile: Profile = {
    ...{ values: 0, nulls: 0, nullWords: 0, longest: 0, hasLineBreak: false, numbers: 0, commaNumbers: 0 },
    ...{ surelyComma: 0, pointNumbers: 0, zeroLed: 0, uuids: 0, zoned: 0, firstText: null },
    ...{ whole: 0, fraction: 0, commaWhole: 0, commaFraction: 0, possible },
  };
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerStep === 0) yield;
    const cell = row[column] ?? null;
    if (cell === null) profile.nulls += 1;
    else look(cell, profile, kinds === null);
  }
  return profile;
}

function look(cell: string, profile: Profile, isDelimited: boolean): void {
  const { possible } = profile;
  profile.longest = Math.max(profile.longest, cell.length);
  profile.hasLineBreak ||= cell.includes('\n');
  if (isDelimited && isNullWord(cell)) {
    profile.nullWords += 1;
    return;
  }
  profile.values += 1;
  const text = cell.trim();
  for (const type of possible) if (!looksLike[type](text) || parseAs(text, type) === null) possible.delete(type);
  if (isNumber(text) || isCommaNumber(text)) lookAtComma(text, profile);
  if (isNumber(text)) {
    profile.numbers += 1;
    if (!possible.has('decimal')) return;
    const { whole, fraction } = digitsOf(text, '.');
    profile.whole = Math.max(profile.whole, whole);
    profile.fraction = Math.max(profile.fraction, fraction);
    return;
  }
  if (/^0\d+$/.test(text)) profile.zeroLed += 1;
  else if (isCommaNumber(text)) profile.commaNumbers += 1;
  else if (isUuid(text)) profile.uuids += 1;
  else if (hasZone(text)) profile.zoned += 1;
  else profile.firstText ??= cell;
}

/** The number as it would be in a column whose numbers have a comma before the fraction. */
function lookAtComma(text: string, profile: Profile): void {
  const { whole, fraction } = digitsOf(text, ',');
  profile.commaWhole = Math.max(profile.commaWhole, whole);
  profile.commaFraction = Math.max(profile.commaFraction, fraction);
  if (!text.includes(',')) profile.pointNumbers += isWholeNumber(text) || isGroupedNumber(text) ? 0 : 1;
  else if (text.includes('.') || fraction !== 3) profile.surelyComma += 1;
}

/** Guesses what a column of a sheet is. Every value of it fits the guess. */
export function* guessColumn(rows: readonly Cell[][], column: number, source: ColumnSource): Work<Guess> {
  const profile = yield* profileColumn(rows, column, source);
  const guess = guessType(profile, source);
  const isKey =
    keyName.test(source.name) &&
    ['integer', 'bigint', 'string'].includes(guess.type) &&
    !guess.allowNull &&
    (yield* isDistinct(rows, column));
  if (!isKey) return guess;
  if (guess.type !== 'integer') return { ...guess, isPrimaryKey: true };
  return { ...guess, type: 'id', isPrimaryKey: true, reason: { key: 'countedKey', count: profile.values } };
}

function* isDistinct(rows: readonly Cell[][], column: number): Work<boolean> {
  const seen = new Set<Cell>();
  for (const [index, row] of rows.entries()) {
    const value = row[column]?.trim().toLowerCase() ?? null;
    if (seen.has(value)) return false;
    seen.add(value);
    if (index % rowsPerStep === 0) yield;
  }
  return true;
}

function guessType(profile: Profile, { kinds, canStoreJson }: ColumnSource): Guess {
  const { values: count, nulls, nullWords, longest, possible, numbers, zeroLed, commaNumbers, uuids, zoned } = profile;
  const isComma = commaNumbers > 0 && commaNumbers + numbers === count;
  const guess = (type: ColumnType, reason: Omit<Reason, 'count'>, sizes: Partial<Guess> = {}): Guess => ({
    ...{ type, length: null, scale: null, isPrimaryKey: false, mark: isComma ? ',' : '.' },
    // In a column of texts `NULL` may be one.
    allowNull: nulls > 0 || (nullWords > 0 && type !== 'string' && type !== 'text'),
    reason: { ...reason, count },
    ...sizes,
  });
  const text = (reason: Omit<Reason, 'count'>): Guess =>
    profile.hasLineBreak || longest > longestString
      ? guess('text', reason)
      : guess('string', reason, { length: textLengths.find((length) => length >= longest * 1.5) ?? longestString });

  if (count === 0)
    return nullWords > 0 ? text({ key: 'short', longest }) : guess('string', { key: 'empty' }, { length: 255 });
  const [first] = typeOrder.filter((type) => possible.has(type));
  if (first === 'boolean') return guess('boolean', { key: 'boolean' });
  if (first === 'integer') return guess('integer', { key: 'whole' });
  if (first === 'bigint') return guess('bigint', { key: 'big' });
  if (first === 'decimal' && profile.fraction > 0 && profile.fraction <= maxScale) {
    const precision = Math.max(minPrecision, profile.whole + profile.fraction);
    if (precision <= maxPrecision)
      return guess('decimal', { key: 'decimal' }, { length: precision, scale: profile.fraction });
  }
  // A whole number beyond all types would lose digits as a fraction.
  if (possible.has('double') && profile.whole <= 15 && (first === 'double' || profile.fraction > 0))
    return guess('double', { key: 'double' });
  if (first === 'date') return guess('date', { key: 'date' });
  if (first === 'time') return guess('time', { key: 'time' });
  if (first === 'datetime') return guess('datetime', { key: zoned > 0 ? 'zoned' : 'datetime' });
  if (uuids === count) return guess('string', { key: 'uuid' }, { length: 36 });
  if (first === 'json') return guess(canStoreJson ? 'json' : 'text', { key: 'object' });
  if (kinds?.has('text') && numbers === count && nullWords === 0) return text({ key: 'quoted', longest });
  if (zeroLed > 0 && zeroLed + numbers === count) return text({ key: 'leadingZeros', longest });
  if (isComma) {
    const { surelyComma, pointNumbers, commaWhole, commaFraction } = profile;
    const precision = Math.max(minPrecision, commaWhole + commaFraction);
    const isSure = kinds === null && surelyComma > 0 && pointNumbers === 0;
    if (isSure && commaFraction <= maxScale && precision <= maxPrecision)
      return guess('decimal', { key: 'commaDecimal' }, { length: precision, scale: commaFraction });
    return text({ key: 'comma', longest });
  }
  if (numbers > count / 2 && profile.firstText !== null)
    return text({ key: 'mostlyNumbers', numbers, example: profile.firstText, longest });
  return text({ key: profile.hasLineBreak || longest > longestString ? 'long' : 'short', longest });
}
