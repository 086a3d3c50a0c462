import type { Failure } from '@sluice/contract';
import { expect, it } from 'vitest';
import { acquireSlot, admitNext, FairSlots, type SlotWaiter } from './fair-slots.ts';

const someSlots = (total: number, kept = 0, ofOne = total) =>
  new FairSlots<string>({ total, kept, ofOne, maxWaiting: 10, maxWaitingOfOne: 6 });

it('abuse: callers who wait take turns, however much one of them has sent before', () => {
  const slots = someSlots(1);
  slots.take('many');
  for (const n of [1, 2, 3, 4]) slots.enqueue('many', `many ${n}`);
  slots.enqueue('some', 'some 1');
  slots.enqueue('some', 'some 2');
  slots.enqueue('one', 'one 1');
  const order = [];
  for (let caller = 'many', next = ''; ; order.push(next)) {
    slots.release(caller);
    const waiter = slots.next();
    if (!waiter) break;
    next = waiter;
    caller = waiter.slice(0, -2);
  }
  expect(order).toEqual(['some 1', 'one 1', 'many 1', 'some 2', 'many 2', 'many 3', 'many 4']);
});

it('abuse: the last slot is for a caller who holds none, and nobody holds more than a share', () => {
  const slots = someSlots(4, 1, 2);
  expect(['a', 'a', 'a'].map((caller) => slots.take(caller))).toEqual([true, true, false]);
  expect(['b', 'b', 'c', 'd'].map((caller) => slots.take(caller))).toEqual([true, false, true, false]);
  expect(['a', 'b', 'd'].map((caller) => slots.reasonToWait(caller))).toEqual(['all', 'all', 'all']);
  slots.enqueue('a', 'a');
  slots.enqueue('d', 'd');
  slots.release('c');
  expect(['a', 'b', 'd'].map((caller) => slots.reasonToWait(caller))).toEqual(['own', 'own', undefined]);
  expect([slots.next(), slots.next(), slots.waiting]).toEqual(['d', undefined, 1]);
});

it('abuse: one caller leaves room to wait to others, and is told that it was its own calls', () => {
  const slots = someSlots(1);
  slots.take('many');
  for (let n = 0; n < 6; n += 1) slots.enqueue('many', `many ${n}`);
  const keyOf = (caller: string | undefined) => {
    try {
      slots.enqueue(caller, 'more');
      return 'waits';
    } catch (error) {
      return (error as Failure).key;
    }
  };
  expect(['many', 'other', undefined].map(keyOf)).toEqual(['database.ownWaiting', 'waits', 'waits']);
  for (let n = 0; n < 2; n += 1) keyOf('other');
  expect(['other', 'third'].map(keyOf)).toEqual(['database.overloaded', 'database.overloaded']);
});

it('the platform itself may have every slot, in turn', () => {
  const slots = someSlots(3, 1, 1);
  expect([undefined, undefined, undefined, undefined].map((caller) => slots.take(caller))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('who waits for a slot gets it in turn, or goes when its caller does', async () => {
  const slots = new FairSlots<SlotWaiter>({ total: 1, maxWaiting: 3, maxWaitingOfOne: 3 });
  await acquireSlot(slots, 'one');
  const gone = new AbortController();
  const leaving = acquireSlot(slots, 'two', { signal: gone.signal });
  const next = acquireSlot(slots, 'two');
  gone.abort();
  await expect(leaving).rejects.toMatchObject({ key: 'database.cancelled' });
  await expect(acquireSlot(slots, 'two', { signal: gone.signal })).rejects.toMatchObject({ key: 'database.cancelled' });
  await expect(acquireSlot(slots, 'one', { timeout: 1 })).rejects.toMatchObject({ key: 'database.exportsBusy' });
  slots.release('one');
  admitNext(slots);
  await next;
  expect([slots.waiting, slots.held('two'), slots.isFreeFor('one')]).toEqual([0, 1, false]);
});
