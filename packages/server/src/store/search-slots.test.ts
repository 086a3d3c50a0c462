import { setImmediate } from 'node:timers/promises';
import { acquireSlot } from '@sluice/sql';
import { describe, expect, test } from 'vitest';
import { searchSlots } from './search-slots.ts';

/** Searches that go on until they are ended, and which of them have begun. */
function workbench(total: number) {
  const slots = searchSlots(total);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const search = async (caller: string, name: string) => {
    ends.set(name, await acquireSlot(slots, caller));
    begun.push(name);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { slots, search, end, begun };
}

describe('searches of the store', () => {
  test('abuse: one caller never has all slots, and another is not behind what it sent before', async () => {
    const { search, end, begun } = workbench(2);
    const all = [search('a', 'a1'), search('a', 'a2'), search('b', 'b1'), search('b', 'b2')];
    await setImmediate();
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'b2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']);
    await Promise.all(all);
  });

  test('a single slot is used by all in turn', async () => {
    const { search, end, begun } = workbench(1);
    const all = [search('a', 'a1'), search('a', 'a2'), search('b', 'b1')];
    for (const name of ['a1', 'b1']) {
      await setImmediate();
      await end(name);
    }
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  test('abuse: as many as may wait of one caller leave others room', async () => {
    const { slots, search } = workbench(1);
    await search('a', 'running');
    const waiter = () => ({ admit() {}, reject() {} });
    for (let n = 0; n < 500; n += 1) slots.enqueue('a', waiter());
    expect(() => slots.enqueue('a', waiter())).toThrow(expect.objectContaining({ key: 'store.busy', status: 503 }));
    for (let n = 0; n < 500; n += 1) slots.enqueue('b', waiter());
    expect(() => slots.enqueue('c', waiter())).toThrow(expect.objectContaining({ key: 'store.busy' }));
  });

  test('abuse: nobody waits for ever', async () => {
    const { slots, search } = workbench(1);
    await search('a', 'a1');
    await expect(acquireSlot(slots, 'b', { timeout: 1 })).rejects.toMatchObject({ key: 'store.busy' });
    expect(slots.waiting).toBe(0);
  });
});
