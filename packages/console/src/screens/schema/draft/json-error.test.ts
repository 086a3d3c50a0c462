import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError } from './json-error.ts';

describe('the place of a mistake in JSON', () => {
  it.each([
    ['', 1, 1],
    ['{"a":}', 1, 6],
    ['{"a":1,}', 1, 8],
    ['[1,2', 1, 5],
    ['[1 2]', 1, 4],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{\n  a: 1\n}', 2, 3],
    ["{'a': 1}", 1, 2],
    ['[01]', 1, 3],
    ['["a\tb"]', 1, 2],
    ['["\\x"]', 1, 2],
    ['{"a" 1}', 1, 6],
    ['[] []', 1, 4],
    ['[tru]', 1, 2],
    ['{"a":[1,2}', 1, 10],
  ])('%j: line %i, column %i', (text, line, column) => {
    expect(findJsonError(text)).toMatchObject({ line, column });
  });

  it('finds none in what is JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => findJsonError(text) === null));
  });

  it('finds one in every text that is cut, within the text', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, cut) => {
        const text = `[${json}]`.slice(0, cut % (json.length + 2));
        const place = findJsonError(text)!;
        expect(place.line).toBeLessThanOrEqual(text.split('\n').length);
        expect(place.column).toBeLessThanOrEqual(text.length + 1);
      }),
    );
  });
});
