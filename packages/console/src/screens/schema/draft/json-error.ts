// Where a text stops being JSON. Engines word it differently, and not all of them tell the place.
import { type JsonPlace, placeOf } from './json-place.ts';

/** A string, a number or a word, whole. */
const scalar =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const blanks = /[ \t\n\r]*/y;

/** The place of the first mistake; null for a text that is JSON. */
export function findJsonError(text: string): JsonPlace | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    return placeOf(text, offsetOfError(text));
  }
}

/** What may come next: a value, also the end of an empty list or object, a name, a colon, or what stands behind a value. */
type Expected = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'afterValue';

function offsetOfError(text: string): number {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (;;) {
    offset += match(blanks)!.length;
    const sign = text[offset];
    const container = open.at(-1);
    const isEnd = (sign === ']' && container === '[') || (sign === '}' && container === '{');
    if (expected === 'colon') {
      if (sign !== ':') return offset;
      expected = 'value';
      offset += 1;
    } else if (expected === 'afterValue' ? isEnd : isEnd && expected.endsWith('OrEnd')) {
      open.pop();
      expected = 'afterValue';
      offset += 1;
    } else if (expected === 'afterValue') {
      if (sign !== ',' || !container) return offset;
      expected = container === '[' ? 'value' : 'name';
      offset += 1;
    } else if (expected.startsWith('value') && (sign === '[' || sign === '{')) {
      open.push(sign);
      expected = sign === '[' ? 'valueOrEnd' : 'nameOrEnd';
      offset += 1;
    } else {
      const isName = expected.startsWith('name');
      const token = isName && sign !== '"' ? null : match(scalar);
      if (!token) return offset;
      expected = isName ? 'colon' : 'afterValue';
      offset += token.length;
    }
  }
}
