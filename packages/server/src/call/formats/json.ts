// JSON out in pieces, and in: position of a mistake, depth, and integers that a double cannot carry (docs/design.md, differences 3 and 11).
import { fail, nestingLimit } from '@sluice/contract';
import { LosslessNumber, parse as parseLossless } from 'lossless-json';
import type { RowStream } from '../reply.ts';

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

/** Parses a JSON body; malformed text is a 400 naming line and column, an unsafe integer a 400 naming the field. */
export function parseJson(text: string, limits: { depth: number; names: number } = defaultLimits): unknown {
  const scanned = scan(text);
  if (scanned.depth > limits.depth) throw fail('http.tooDeep', { format: 'JSON', limit: limits.depth });
  if (scanned.names > limits.names) throw fail('http.tooManyNames', { limit: limits.names });
  const value = parse(text);
  if (scanned.hasLongNumber) refuseUnsafeIntegers(text);
  return value;
}

function parse(text: string): unknown {
  try {
    return text.includes('__proto__') || text.includes('\\u')
      ? JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value))
      : JSON.parse(text);
  } catch (cause) {
    throw fail('http.malformed', { format: 'JSON', ...locateSyntaxError(text, cause as Error) }, { cause });
  }
}

const defaultLimits = { depth: nestingLimit, names: Number.POSITIVE_INFINITY };

/** Depth of brackets, how many names, and whether a run of 16 digits stands outside a text: one pass, no recursion. */
function scan(text: string): { depth: number; names: number; hasLongNumber: boolean } {
  let depth = 0;
  let names = 0;
  let deepest = 0;
  let digits = 0;
  let hasLongNumber = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 34) {
      for (index++; index < text.length && text.charCodeAt(index) !== 34; index++)
        if (text.charCodeAt(index) === 92) index++;
      digits = 0;
    } else if (code >= 48 && code <= 57) {
      if (++digits >= 16) hasLongNumber = true;
    } else {
      digits = 0;
      if (code === 123 || code === 91) deepest = Math.max(deepest, ++depth);
      else if (code === 125 || code === 93) depth--;
      else if (code === 58) names++;
    }
  }
  return { depth: deepest, names, hasLongNumber };
}

/** Line and column of the first mistake. V8 does not always report it, so the text is read again by a parser that does. */
function locateSyntaxError(text: string, error: Error): { where: string; problem: string } {
  const message = /position \d+/.test(error.message) ? error.message : losslessMessage(text, error);
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const problem = message.replace(/ (in JSON )?at position \d+.*$/s, '').slice(0, 200);
  return { where: `line ${line}, column ${column}`, problem: `${problem}.` };
}

function losslessMessage(text: string, error: Error): string {
  try {
    parseLossless(text);
    return error.message;
  } catch (lossless) {
    return (lossless as Error).message;
  }
}

function refuseUnsafeIntegers(text: string): void {
  const visit = (value: unknown, path: string): void => {
    if (value instanceof LosslessNumber) {
      if (/^-?\d+$/.test(value.value) && !Number.isSafeInteger(Number(value.value)))
        throw fail('http.unsafeInteger', { field: path, value: value.value.slice(0, 40) });
    } else if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) visit(item, path === '' ? key : `${path}.${key}`);
  };
  visit(parseLossless(text), '');
}
