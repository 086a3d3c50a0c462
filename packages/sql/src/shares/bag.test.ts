import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bag, type Placed } from './bag.ts';

const items = Array.from({ length: 20 }, (): Placed => ({ place: 0 }));

it('holds what was put in and not taken out, as a set does', () => {
  const events = fc.array(fc.tuple(fc.boolean(), fc.nat(items.length - 1)), { maxLength: 200 });
  const property = fc.property(events, (list) => {
    const bag = new Bag<Placed>();
    const expected = new Set<Placed>();
    for (const [isAdded, index] of list) {
      const item = items[index]!;
      if (!isAdded) expect(bag.delete(item)).toBe(expected.delete(item));
      else if (!expected.has(item)) {
        bag.add(item);
        expected.add(item);
      }
      expect(bag.size).toBe(expected.size);
      expect(new Set(bag)).toEqual(expected);
    }
  });
  fc.assert(property);
});

it('gives those that were there when it was asked, although one takes others out', () => {
  const bag = new Bag<Placed>();
  for (const item of items) bag.add(item);
  let count = 0;
  for (const _ of bag) {
    for (const item of items) bag.delete(item);
    count += 1;
  }
  expect([count, bag.size]).toEqual([items.length, 0]);
});
