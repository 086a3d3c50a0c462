// Filters of directories (RFC 4515): those of callers, read whole before they stand beside ours, and those that are made here. Values
// never are part of a text: the library gets each as bytes.
import { fail } from '@sluice/contract';
import type { Filter } from 'ldapts';
import { baseName, secretAttributes } from './entry.ts';

type Library = typeof import('ldapts');

export interface Filters {
  equals(attribute: string, value: string | Buffer): Filter;
  and(...filters: Filter[]): Filter;
  or(...filters: Filter[]): Filter;
  not(filter: Filter): Filter;
  /** A filter as a caller wrote it. Throws `directory.badFilter`. */
  parse(text: string): Filter;
}

/** Bounds of a filter of a caller: characters, parts, and how deep they lie in each other. */
const maxLength = 8_000;
const maxParts = 200;
const maxDepth = 20;

/** What makes filters; the library is loaded with the first. */
export async function loadFilters(): Promise<Filters> {
  const library = await import('ldapts');
  return {
    equals: (attribute, value) => new library.EqualityFilter({ attribute, value }),
    and: (...filters) => new library.AndFilter({ filters }),
    or: (...filters) => new library.OrFilter({ filters }),
    not: (filter) => new library.NotFilter({ filter }),
    parse: (text) => parse(text, library),
  };
}

const refuse = (problem: string) => fail('directory.badFilter', { problem });

function parse(text: string, library: Library): Filter {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) throw refuse(`it has more than ${maxLength} characters`);
  const whole = trimmed.startsWith('(') ? trimmed : `(${trimmed})`;
  let at = 0;
  let parts = 0;

  const take = (character: string) => {
    if (whole[at] !== character) throw refuse(`"${character}" is missing at character ${at + 1}`);
    at += 1;
  };

  function readFilter(depth: number): Filter {
    parts += 1;
    if (depth > maxDepth || parts > maxParts) throw refuse(`it has more than ${maxParts} parts, or they lie too deep`);
    take('(');
    const filter = readInner(depth);
    take(')');
    return filter;
  }

  function readInner(depth: number): Filter {
    const operator = whole[at];
    if (operator !== '&' && operator !== '|' && operator !== '!') return readComparison();
    at += 1;
    if (operator === '!') return new library.NotFilter({ filter: readFilter(depth + 1) });
    const filters: Filter[] = [];
    while (whole[at] === '(') filters.push(readFilter(depth + 1));
    if (filters.length === 0) throw refuse(`nothing stands after "${operator}"`);
    return operator === '&' ? new library.AndFilter({ filters }) : new library.OrFilter({ filters });
  }

  function readComparison(): Filter {
    const end = whole.indexOf(')', at);
    const expression = whole.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? whole.length : end;
    return comparisonOf(expression, library);
  }

  const filter = readFilter(1);
  if (at !== whole.length) throw refuse(`it goes on after its end at character ${at + 1}`);
  return filter;
}

function comparisonOf(expression: string, library: Library): Filter {
  const match = /^([a-z][\w-]*(?:;[\w-]+)*)(?::([\w.-]+):|:(?==)|)([<>~]?=)(.*)$/is.exec(expression);
  const [, attribute = '', rule, operator, text = ''] = match ?? [];
  // Names only: by its number a secret attribute would not be known.
  if (!match || text.includes('(')) throw refuse(`"${expression.slice(0, 60)}" is no comparison`);
  if (secretAttributes.has(baseName(attribute))) throw refuse(`nothing is found by ${attribute}`);
  const isExtensible = rule !== undefined || expression[attribute.length] === ':';
  if (isExtensible) {
    if (operator !== '=') throw refuse(`"${expression.slice(0, 60)}" is no comparison`);
    return new library.ExtensibleFilter({ matchType: attribute, ...(rule ? { rule } : {}), value: plainText(text) });
  }
  if (operator === '>=') return new library.GreaterThanEqualsFilter({ attribute, value: plainText(text) });
  if (operator === '<=') return new library.LessThanEqualsFilter({ attribute, value: plainText(text) });
  if (operator === '~=') return new library.ApproximateFilter({ attribute, value: plainText(text) });
  if (text === '*') return new library.PresenceFilter({ attribute });
  if (!text.includes('*')) return new library.EqualityFilter({ attribute, value: unescapeBytes(text) });
  const pieces = text.split('*').map(plainText);
  const [initial = '', final = ''] = [pieces.shift(), pieces.pop()];
  return new library.SubstringFilter({ attribute, initial, any: pieces.filter((piece) => piece !== ''), final });
}

/** The bytes of a value, in which a byte may be written as \ and two hexadecimal digits. */
function unescapeBytes(text: string): Buffer {
  const bytes: Buffer[] = [];
  for (const [found, hex, other] of text.matchAll(/\\([0-9a-f]{2})|([^\\]+)|\\/gi)) {
    if (hex === undefined && other === undefined) throw refuse('a "\\" has to be followed by two hexadecimal digits');
    bytes.push(hex === undefined ? Buffer.from(found) : Buffer.from([Number.parseInt(hex, 16)]));
  }
  return Buffer.concat(bytes);
}

function plainText(text: string): string {
  const bytes = unescapeBytes(text);
  const plain = bytes.toString('utf8');
  if (!Buffer.from(plain).equals(bytes)) throw refuse('bytes that are no text are compared by "=" alone');
  return plain;
}
