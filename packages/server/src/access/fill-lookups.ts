// Puts in what `{user.id}` and other lookups stand for, in values that were sent: long ones in turns with other calls.
import { Failure, fillBraces, type MaybePromise } from '@sluice/contract';
import { takeTurn } from '@sluice/sql';
import { RecordTurns } from '../call/payload.ts';
import type { Lookup } from './lookups.ts';

/** Replaces `{name}` in every text of a value, lists and objects included; unknown names stay as written. */
export function replaceLookups(value: unknown, lookup: Lookup): unknown {
  if (typeof value === 'string')
    return (value.length > maxAtOnce ? longFilled(value, lookup) : undefined) ?? fillBraces(value, lookup);
  if (typeof value !== 'object' || value === null) return value;
  const filled = longFilled(value, lookup);
  if (filled !== undefined) return filled;
  if (Array.isArray(value)) return value.map((item) => replaceLookups(item, lookup));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceLookups(item, lookup)]));
}

function longFilled<T extends string | object>(value: T, lookup: Lookup): T | undefined {
  const filled = filledValues.get(lookup)?.get(value);
  if (filled instanceof Failure) throw filled;
  return filled as T | undefined;
}

/** Characters that are filled in one go, of which each value counts for some itself: 20,000 names take a millisecond or two. */
const maxAtOnce = 64 * 1024;
const charactersOfValue = 16;

/** Long values as they are when they are filled. Texts are compared with those as long: in a body of 10 MB some 40 ms. */
const filledValues = new WeakMap<Lookup, Map<unknown, unknown>>();

/**
 * Fills the long columns of some records, and the long texts of records in them, during which others have their turn;
 * `replaceLookups` with the same lookup takes them from here. Throws what the lookup does.
 */
export function fillLongFields(
  records: readonly unknown[],
  lookup: () => Lookup,
  isColumn: (field: string) => boolean = () => true,
): MaybePromise<void> {
  const [record] = records;
  const long: unknown[] = [];
  const fill = () => (long.length > 0 ? fillInTurns(long, lookup()) : undefined);
  if (records.length > 1) return collectInTurns(records, isColumn, long).then(fill);
  collectLong(record, isColumn, long);
  return fill();
}

async function collectInTurns(records: readonly unknown[], isColumn: (field: string) => boolean, long: unknown[]) {
  const turns = new RecordTurns();
  for (const record of records) {
    if (turns.isDueBefore(record)) await takeTurn();
    collectLong(record, isColumn, long);
  }
}

function collectLong(record: unknown, isColumn: (field: string) => boolean, long: unknown[]): void {
  if (typeof record !== 'object' || record === null) return;
  for (const field of namesOf(record)) {
    const value = (record as Record<string, unknown>)[field];
    if (!isLong(value)) continue;
    if (isColumn(field)) long.push(value);
    else if (typeof value === 'object') collectLongTexts(value as object, long);
  }
}

/** Of related records it is not known yet which of their fields are columns: lists and objects are no values of theirs. */
function collectLongTexts(related: object, texts: unknown[]): void {
  for (const name of namesOf(related)) {
    const member = (related as Record<string, unknown>)[name];
    if (!isLong(member)) continue;
    if (typeof member === 'object') collectLongTexts(member as object, texts);
    else texts.push(member);
  }
}

const ownProperty = { configurable: true, enumerable: true, writable: true };

async function fillInTurns(values: unknown[], lookup: Lookup): Promise<void> {
  const filled = filledValues.get(lookup) ?? new Map<unknown, unknown>();
  filledValues.set(lookup, filled);
  let sinceTurn = 0;
  const yieldTurn = () => {
    sinceTurn = 0;
    return takeTurn();
  };
  const fillLong = async (value: unknown): Promise<unknown> => {
    if (!filled.has(value))
      filled.set(
        value,
        typeof value === 'string' ? await fillText(value) : await fillMembers(value as Record<string, unknown>),
      );
    return filled.get(value);
  };
  const fillText = async (text: string): Promise<string> => {
    const pieces: string[] = [];
    for (let start = 0; start < text.length; ) {
      // No name goes past a brace that opens another one.
      const brace = text.indexOf('{', start + maxAtOnce);
      const end = brace === -1 ? text.length : brace;
      pieces.push(fillBraces(text.slice(start, end), lookup));
      sinceTurn += end - start;
      if (sinceTurn >= maxAtOnce) await yieldTurn();
      start = end;
    }
    return pieces.join('');
  };
  const fillMembers = async (members: Record<string, unknown>): Promise<unknown> => {
    const copy: Record<string, unknown> = Array.isArray(members) ? ([] as never) : {};
    for (const name of namesOf(members)) {
      const member = members[name];
      const length = lengthOf(member, maxAtOnce);
      const isShort = length <= maxAtOnce;
      const value = isShort ? replaceLookups(member, lookup) : await fillLong(member);
      if (name === '__proto__') Object.defineProperty(copy, name, { ...ownProperty, value });
      else copy[name] = value;
      if (isShort) sinceTurn += length;
      if (sinceTurn >= maxAtOnce) await yieldTurn();
    }
    return copy;
  };
  for (const value of values)
    try {
      await fillLong(value);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // It is that of the record that has it, and of no other.
      filled.set(value, error);
    }
}

const isLong = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length > maxAtOnce
    : typeof value === 'object' && value !== null && lengthOf(value, maxAtOnce) > maxAtOnce;

/** The characters of a value as they count, or more than `limit`. */
function lengthOf(value: unknown, limit: number): number {
  let length = charactersOfValue;
  if (typeof value === 'string') length += value.length;
  else if (typeof value === 'object' && value !== null)
    for (const name of namesOf(value)) {
      length += lengthOf((value as Record<string, unknown>)[name], limit - length);
      if (length > limit) break;
    }
  return length;
}

/** The names of an object, the numbers of a list: as text they would be hundreds of thousands of values of their own. */
const namesOf = (value: object): Iterable<string> =>
  Array.isArray(value) ? (value.keys() as Iterable<never>) : Object.keys(value);
