import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPart } from './json-place.ts';

describe('the place of a part of JSON', () => {
  it.each<[string, (string | number)[], number, number]>([
    ['[1, 2]', [], 1, 1],
    ['[1, 2]', [1], 1, 5],
    [' {"a": {"b": [ "x]", {"c": 1} ]}}', ['a', 'b', 1, 'c'], 1, 28],
    ['{\n  "resource": [\n    {},\n    { "name": "a" }\n  ]\n}', ['resource', 1], 4, 5],
    ['{"a": 1, "a": 2}', ['a'], 1, 15],
    ['{"\\u0061": {"\\"": 5}}', ['a', '"'], 1, 19],
  ])('%s, %j: line %i, column %i', (text, path, line, column) => {
    expect(findPart(text, path)).toMatchObject({ line, column });
  });

  it('is found in any list, however it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), fc.constantFrom(0, 2), (list, pick, indent) => {
        const index = pick % list.length;
        const text = JSON.stringify({ list, after: 1 }, null, indent);
        const { offset } = findPart(text, ['list', index]);
        const part = JSON.stringify(list[index], null, indent).replaceAll('\n', `\n${' '.repeat(2 * indent)}`);
        expect(text.slice(offset, offset + part.length)).toBe(part);
      }),
    );
  });
});
