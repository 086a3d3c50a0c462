import { expect, it } from 'vitest';
import { createValueCaches } from './value-cache.ts';

it('keeps a value for its seconds, for the service that set it', async () => {
  const open = createValueCaches();
  const [one, other] = [open(), open()];
  one.set('key', 'value', 10);
  expect([one.get('key'), other.get('key')]).toEqual(['value', undefined]);
  one.set('short', 'value', 0.02);
  await expect.poll(() => one.get('short')).toBeUndefined();
  expect(one.get('key')).toBe('value');
});

it('forgets what it had when it is cleared, and nothing of another service', () => {
  const open = createValueCaches();
  const [one, other] = [open(), open()];
  for (const cache of [one, other]) cache.set('key', 'value', 10);
  one.clear();
  expect([one.get('key'), other.get('key')]).toEqual([undefined, 'value']);
  one.set('key', 'new', 10);
  expect(one.get('key')).toBe('new');
});

it('has one budget for all services: the longest unused value goes, and one that is too large is not kept', () => {
  const open = createValueCaches(2_000);
  const [one, other] = [open(), open()];
  one.set('a', 'x'.repeat(400), 10);
  other.set('a', 'x'.repeat(400), 10);
  expect(one.get('a')).toBeDefined();
  other.set('b', 'x'.repeat(400), 10);
  other.set('large', 'x'.repeat(2_000), 10);
  expect([one.get('a'), other.get('a'), other.get('b'), other.get('large')].map(Boolean)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
