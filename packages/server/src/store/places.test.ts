import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPlaces } from './places.ts';

/** Work that goes on until it is ended, and what of it has begun. */
function workbench(size: number, longestWait = 60_000) {
  const places = createPlaces(size, longestWait);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const use = (caller: string, name: string) =>
    places.use(caller, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.set(name, end));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { use, end, begun };
}

describe('places', () => {
  test('abuse: one caller never has all of them', async () => {
    const { use, end, begun } = workbench(2);
    const all = [use('a', 'a1'), use('a', 'a2'), use('b', 'b1'), use('b', 'b2')];
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']);
    await end('a2');
    await end('b2');
    await Promise.all(all);
  });

  test('a single one is used by all in turn, and given back when work fails', async () => {
    const places = createPlaces(1, 60_000);
    const failed = places.use('a', () => Promise.reject(new Error('no')));
    const second = places.use('b', async () => 'done');
    await expect(failed).rejects.toThrow('no');
    expect(await second).toBe('done');
  });

  test('abuse: nobody waits for ever', async () => {
    const { use, end } = workbench(1, 1);
    const first = use('a', 'a1');
    await expect(use('b', 'b1')).rejects.toMatchObject({ key: 'store.busy' });
    await end('a1');
    await first;
  });
});
