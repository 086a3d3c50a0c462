import { expect, it } from 'vitest';
import { createFairQueue, type QueueKey } from './fair-queue.ts';

/** A queue, and who was admitted and who was refused, in order. */
function createObservedQueue(maxWaiting: number) {
  const queue = createFairQueue({ maxWaiting, retryAfter: 7 });
  const events: string[] = [];
  const enter = async (name: string, key: QueueKey, signal?: AbortSignal) => {
    await queue.wait(key, { signal }).then(
      () => events.push(name),
      (error) => events.push(`${name}: ${error.key}`),
    );
  };
  /** Admits everybody, one after the other. */
  const drain = async () => {
    while (queue.admitNext());
    await new Promise(setImmediate);
    return events.splice(0);
  };
  return { queue, enter, drain };
}

it('gives networks their turns, and the accounts in each theirs', async () => {
  const { enter, drain } = createObservedQueue(100);
  for (const name of ['a1', 'a2', 'a3']) void enter(name, ['a', 'x']);
  void enter('a4', ['a', 'y']);
  void enter('b1', ['b', 'x']);
  void enter('b2', ['b', 'x']);
  void enter('c1', ['c', 'x']);
  expect(await drain()).toEqual(['a1', 'b1', 'c1', 'a4', 'b2', 'a2', 'a3']);
});

it('abuse: a full queue refuses the newest entry of the key that fills it, not the next entry', async () => {
  const { queue, enter, drain } = createObservedQueue(4);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(name, ['a', 'x']);
  void enter('b1', ['b', 'x']);
  void enter('a5', ['a', 'y']);
  expect(queue.size).toBe(4);
  expect(await drain()).toEqual(['a4: session.tooMany', 'a3: session.tooMany', 'a1', 'b1', 'a5', 'a2']);
  for (const name of ['a', 'b', 'c', 'd', 'e']) void enter(name, [name, 'x']);
  expect(await drain()).toEqual(['e: session.tooMany', 'a', 'b', 'c', 'd']);
});

it('tells a refused caller when to try again', async () => {
  const queue = createFairQueue({ maxWaiting: 0, retryAfter: 7 });
  await expect(queue.wait(['a', 'x'])).rejects.toMatchObject({ status: 429, retryAfter: 7 });
});

it('abuse: gives the place of a caller who went away to others', async () => {
  const { queue, enter, drain } = createObservedQueue(2);
  const controller = new AbortController();
  void enter('a1', ['a', 'x'], controller.signal);
  void enter('a2', ['a', 'x']);
  controller.abort();
  void enter('b1', ['b', 'x']);
  expect(queue.size).toBe(2);
  expect(await drain()).toEqual(['a1: session.gone', 'a2', 'b1']);
  await enter('late', ['a', 'x'], controller.signal);
  expect(await drain()).toEqual(['late: session.gone']);
});
