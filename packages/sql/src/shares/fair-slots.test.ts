import { type Failure, fail } from '@sluice/contract';
import { expect, it } from 'vitest';
import { acquireSlot, FairSlots, type SlotFailures } from './fair-slots.ts';
import type { Waiter } from './wait.ts';

const failures: SlotFailures = {
  full: () => fail('database.overloaded'),
  ownFull: (limit) => fail('database.ownWaiting', { limit }),
  gone: () => fail('database.cancelled'),
  late: ({ milliseconds, reason, held }) =>
    reason === 'own'
      ? fail('database.ownQueries', { seconds: milliseconds / 1000, held })
      : fail(reason ? 'database.busy' : 'database.timeout', { seconds: milliseconds / 1000 }),
};

const someSlots = (total: number, kept = 0, ofOne = total) =>
  new FairSlots<string>({ total, kept, ofOne, maxWaiting: 10, maxWaitingOfOne: 6, failures });

it('abuse: callers that wait are served by round robin, however much one of them has sent before', () => {
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
  // A caller that holds as many as one may waits for its own, also while all are taken.
  expect(['a', 'b', 'd'].map((caller) => slots.lateFailure(caller, 1).key)).toEqual([
    'database.ownQueries',
    'database.busy',
    'database.busy',
  ]);
  slots.enqueue('a', 'a');
  slots.enqueue('d', 'd');
  slots.release('c');
  expect(['a', 'b', 'd'].map((caller) => slots.lateFailure(caller, 1).key)).toEqual([
    'database.ownQueries',
    'database.ownQueries',
    'database.timeout',
  ]);
  expect([slots.next(), slots.next(), slots.waiting]).toEqual(['d', undefined, 1]);
});

it('abuse: one caller leaves others room to wait, and learns that its own calls filled it', () => {
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
  const slots = new FairSlots<Waiter>({ total: 1, maxWaiting: 3, maxWaitingOfOne: 3, failures });
  const release = await acquireSlot(slots, 'one');
  const gone = new AbortController();
  const leaving = acquireSlot(slots, 'two', { signal: gone.signal });
  const next = acquireSlot(slots, 'two');
  gone.abort();
  await expect(leaving).rejects.toMatchObject({ key: 'database.cancelled' });
  await expect(acquireSlot(slots, 'two', { signal: gone.signal })).rejects.toMatchObject({ key: 'database.cancelled' });
  await expect(acquireSlot(slots, 'one', { timeout: 1 })).rejects.toMatchObject({ key: 'database.ownQueries' });
  await expect(acquireSlot(slots, 'two', { timeout: 1 })).rejects.toMatchObject({ key: 'database.busy' });
  release();
  await next;
  expect([slots.waiting, slots.held('two'), slots.isFreeFor('one')]).toEqual([0, 1, false]);
});
