import type { LimitCacheEntry } from '@sluice/contract';
import { expect, it } from 'vitest';
import { fullestOf, percentOf, sumOf, toneOf, userOf } from './counters.ts';

const entry = (attempts: number, max: number, user?: number): LimitCacheEntry => ({
  id: 3,
  key: user === undefined ? 'instance.minute' : `instance.each_user:${user}.service:5.minute`,
  max,
  attempts,
  remaining: max - attempts,
});

it('computes how full a counter is, and its colour (OPEN-185)', () => {
  expect([0, 12, 74.9, 75, 89.9, 90, 100].map(toneOf)).toEqual([
    'calm',
    'calm',
    'calm',
    'warning',
    'warning',
    'danger',
    'danger',
  ]);
  expect(percentOf(entry(12, 60))).toBe(20);
  expect(percentOf(entry(9, 5))).toBe(100);
  expect(percentOf(entry(0, 0))).toBe(0);
});

it('sums up the counters of people, with the fullest', () => {
  const entries = [entry(1, 60, 7), entry(0, 60, 8), entry(45, 60, 9), entry(3, 60, 10)];
  expect(sumOf(entries)).toEqual({ counters: 4, used: 3, attempts: 49, fullest: entries[2] });
  expect(sumOf([])).toBe(null);
  expect(fullestOf(entries, 2)).toEqual([entries[2], entries[3]]);
  expect(entries.map(userOf)).toEqual([7, 8, 9, 10]);
  expect(userOf(entry(1, 2))).toBe(null);
});
