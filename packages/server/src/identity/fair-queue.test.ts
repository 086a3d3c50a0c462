import { expect, it } from 'vitest';
import { createFairQueue, type Lane } from './fair-queue.ts';

/** A queue and who went on and who was turned away, in order. */
function observed(most: number) {
  const queue = createFairQueue({ most, retryAfter: 7 });
  const seen: string[] = [];
  const come = async (name: string, lane: Lane, signal?: AbortSignal) => {
    await queue.wait(lane, { signal }).then(
      () => seen.push(name),
      (error) => seen.push(`${name}: ${error.key}`),
    );
  };
  /** Lets everybody go, one after the other. */
  const drain = async () => {
    while (queue.next());
    await new Promise(setImmediate);
    return seen.splice(0);
  };
  return { queue, come, drain };
}

it('gives networks their turns, and in each its accounts', async () => {
  const { come, drain } = observed(100);
  for (const name of ['a1', 'a2', 'a3']) void come(name, ['a', 'x']);
  void come('a4', ['a', 'y']);
  void come('b1', ['b', 'x']);
  void come('b2', ['b', 'x']);
  void come('c1', ['c', 'x']);
  expect(await drain()).toEqual(['a1', 'b1', 'c1', 'a4', 'b2', 'a2', 'a3']);
});

it('abuse: a full queue turns away the newest of whoever fills it, not who comes next', async () => {
  const { queue, come, drain } = observed(4);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void come(name, ['a', 'x']);
  void come('b1', ['b', 'x']);
  void come('a5', ['a', 'y']);
  expect(queue.size).toBe(4);
  expect(await drain()).toEqual(['a4: session.tooMany', 'a3: session.tooMany', 'a1', 'b1', 'a5', 'a2']);
  for (const name of ['a', 'b', 'c', 'd', 'e']) void come(name, [name, 'x']);
  expect(await drain()).toEqual(['e: session.tooMany', 'a', 'b', 'c', 'd']);
});

it('tells who is turned away when to come again', async () => {
  const queue = createFairQueue({ most: 0, retryAfter: 7 });
  await expect(queue.wait(['a', 'x'])).rejects.toMatchObject({ status: 429, retryAfter: 7 });
});

it('abuse: gives the place of a caller who went away to others', async () => {
  const { queue, come, drain } = observed(2);
  const leaving = new AbortController();
  void come('a1', ['a', 'x'], leaving.signal);
  void come('a2', ['a', 'x']);
  leaving.abort();
  void come('b1', ['b', 'x']);
  expect(queue.size).toBe(2);
  expect(await drain()).toEqual(['a1: session.gone', 'a2', 'b1']);
  await come('late', ['a', 'x'], leaving.signal);
  expect(await drain()).toEqual(['late: session.gone']);
});
