import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble, type Slices, slice } from './slices.ts';

/** The pieces of JSON: what is read in one go. */
const piecesOf = (slices: Slices): string[] => {
  if (typeof slices === 'string') return [slices];
  return 'text' in slices
    ? []
    : slices.parts.flatMap((part) => (typeof part === 'string' ? [part] : piecesOf(part.value)));
};

describe('a value cut into slices', () => {
  it('is the same when it is put together, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        expect(await assemble(slice(value))).toEqual(value);
      }),
    );
  });

  it('keeps numbers that JSON cannot write', async () => {
    const numbers = [JSON.parse('1e999'), JSON.parse('-1e999'), -0, 5e-324];
    expect(await assemble(slice(numbers))).toEqual(numbers);
  });

  const long = 'x'.repeat(100_000);
  it.each<[string, unknown]>([
    ['many small items', Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}` }))],
    ['many names', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`name${n}`, n]))],
    ['large items among small ones', ['a', long, 'b', [long, long, 'c'], {}]],
    ['large members', { a: 1, b: long, c: { d: Array(20_000).fill(0) }, e: [] }],
    ['texts that grow in JSON', Array(100).fill('\u0001'.repeat(30_000))],
    ['one text', long],
  ])('abuse: has no large piece, and is the same afterwards: %s', async (_, value) => {
    const slices = slice(value);
    expect(Math.max(0, ...piecesOf(slices).map((piece) => piece.length))).toBeLessThan(200_000);
    expect(await assemble(slices)).toEqual(value);
  });
});
