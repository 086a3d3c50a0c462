// JSON out in pieces, and in: position of a mistake, depth, and numbers that a double cannot carry (docs/design.md, differences 3 and 11).
import { fail, nestingLimit } from '@sluice/contract';
import type { RowStream } from '../reply.ts';
import { bodyBounds } from './bounds.ts';
import { markLongNumbers, unmarkNumbers } from './exact-numbers.ts';
import { endOfText, findJsonPlace, skipSpace } from './json-place.ts';
import { describePlace } from './place.ts';
import { hasParts, isShort } from './short.ts';

/** `{"resource":[…],"meta":{…}}` from batches that are JSON texts already. */
export async function* streamJson({ batches, meta }: RowStream): AsyncGenerator<string> {
  let count = 0;
  yield '{"resource":[';
  for await (const rows of batches) {
    if (rows.count === 0) continue;
    yield `${count > 0 ? ',' : ''}${rows.json().slice(1, -1)}`;
    count += rows.count;
  }
  yield `]${await meta(count)}}`;
}

/** The text of `JSON.stringify` in pieces, where it is long one for each item or member. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (isShort(value) || !hasParts(value)) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) {
    let mark = '[';
    for (const item of value) {
      yield mark;
      yield* jsonPieces(item);
      mark = ',';
    }
    yield value.length > 0 ? ']' : '[]';
  } else {
    let mark = '{';
    for (const [name, member] of Object.entries(value)) {
      if (['undefined', 'function', 'symbol'].includes(typeof member)) continue;
      yield `${mark}${JSON.stringify(name)}:`;
      yield* jsonPieces(member);
      mark = ',';
    }
    yield mark === '{' ? '{}' : '}';
  }
}

interface JsonLimits {
  depth: number;
  /** Of names, wherever they are nested. */
  names: number;
  /** Of objects, lists and what they hold. */
  values: number;
}

const defaultLimits: JsonLimits = { depth: nestingLimit, names: Number.POSITIVE_INFINITY, values: bodyBounds.values };

/**
 * Parses a JSON body; malformed text is a 400 naming line and column, an unsafe integer a 400 naming the field. Other numbers
 * with more digits than a double carries are an `ExactNumber`.
 */
export function parseJson(text: string, limits: JsonLimits = defaultLimits): unknown {
  const scanned = scan(text);
  if (scanned.depth > limits.depth) throw fail('http.tooDeep', { format: 'JSON', limit: limits.depth });
  if (scanned.names > limits.names) throw fail('http.tooManyNames', { limit: limits.names });
  if (scanned.values > limits.values) throw fail('http.tooManyValues', { limit: limits.values });
  if (scanned.names > bodyBounds.names) refuseManyNames(text);
  const value = parse(text);
  const marked = scanned.hasLongNumber ? markLongNumbers(text) : text;
  return marked === text ? value : unmarkNumbers(parse(marked));
}

/** Names written in different ways count as different ones. */
function refuseManyNames(text: string): void {
  const names = new Set<string>();
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', start)) {
    const end = endOfText(text, start);
    if (text[skipSpace(text, end)] === ':') names.add(text.slice(start, end));
    if (names.size > bodyBounds.names) throw fail('http.tooManyDifferentNames', { limit: bodyBounds.names });
    start = end;
  }
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw fail('http.malformed', { format: 'JSON', ...locateSyntaxError(text, cause as Error) }, { cause });
  }
  if (text.includes('__proto__') || text.includes('\\u')) dropPrototypes(value);
  return value;
}

/** Takes out members named `__proto__`, which would become the prototype of an object they are copied to. */
function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const item of value) dropPrototypes(item);
  else {
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const member of Object.values(value)) dropPrototypes(member);
  }
}

interface Scanned {
  depth: number;
  names: number;
  values: number;
  /** Whether a number may have more digits than a double carries, or is beyond what it reaches. */
  hasLongNumber: boolean;
}

/** One pass without recursion, before anything is made of the text. */
function scan(text: string): Scanned {
  let depth = 0;
  let names = 0;
  let values = 1;
  let deepest = 0;
  let digits = 0;
  let hasLongNumber = false;
  for (let index = 0; index <= text.length; index++) {
    const code = text.charCodeAt(index);
    if ((code >= 48 && code <= 57) || code === 46) {
      digits++;
      continue;
    }
    if (digits >= 3 && !hasLongNumber) hasLongNumber = mayLoseDigits(text, index - digits, index);
    digits = 0;
    if (code === 34) {
      for (index++; index < text.length && text.charCodeAt(index) !== 34; index++)
        if (text.charCodeAt(index) === 92) index++;
    } else if (code === 123 || code === 91) {
      deepest = Math.max(deepest, ++depth);
      values++;
    } else if (code === 44) values++;
    else if (code === 125 || code === 93) depth--;
    else if (code === 58) names++;
  }
  return { depth: deepest, names, values, hasLongNumber };
}

const maxDigits = 400;

/** Whether digits, with a point or without, may be those of a number that a double does not print as it stands. */
function mayLoseDigits(text: string, start: number, end: number): boolean {
  if (isExponent(text, start)) return true;
  if (end - start < 16) return false;
  // No double has so many before its point: it costs less to mark it than to read it.
  if (end - start > maxDigits) return true;
  const digits = text.slice(start, end);
  const number = Number(digits);
  const isUnsafe = Number.isInteger(number) && !Number.isSafeInteger(number);
  return isUnsafe || /[eE]/.test(text[end] ?? '') || String(number) !== digits;
}

/** Whether the digits that begin here are an exponent: three of them may be beyond what a double reaches. */
function isExponent(text: string, start: number): boolean {
  const code = text.charCodeAt(start - 1);
  const letter = code === 43 || code === 45 ? text.charCodeAt(start - 2) : code;
  return letter === 101 || letter === 69;
}

/** Line and column of the first mistake, which V8 does not always tell. */
function locateSyntaxError(text: string, { message }: Error): { where: string; problem: string } {
  const told = /position (\d+)/.exec(message)?.[1];
  const position = told ? Number(told) : /end of JSON/.test(message) ? text.length : findJsonPlace(text).position;
  const problem = message.replace(/ (in JSON )?at position \d+.*$|, .* is not valid JSON$/s, '').slice(0, 200);
  return { where: describePlace(text, position), problem: `${problem}.` };
}
