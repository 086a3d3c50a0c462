import { expect, it } from 'vitest';
import { maxCachedText, SizedCache } from './sized-cache.ts';

it('abuse: holds no more than its size, whatever it is given; the oldest go first', () => {
  const evicted: string[] = [];
  const cache = new SizedCache<number>(1000, 3 * maxCachedText, (key) => evicted.push(key));
  for (const [index, key] of [...'abcde'].entries()) cache.set(key, index, maxCachedText);
  expect([cache.count, evicted]).toEqual([3, ['a', 'b']]);
  expect([...'abcde'].map((key) => cache.get(key))).toEqual([undefined, undefined, 2, 3, 4]);
  expect(cache.set('x'.repeat(maxCachedText + 1), 1)).toBe(false);
  cache.delete('c');
  cache.set('f', 5, maxCachedText);
  expect([cache.count, evicted]).toEqual([3, ['a', 'b']]);
});

it('holds no more entries than it may; one that is set again is the newest', () => {
  const cache = new SizedCache<number>(2, 1000);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 1);
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
});
