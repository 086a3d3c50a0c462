// Calls while the store of counters is away: none waits longer than it may, and what becomes of them is as the setting says.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@sluice/contract';
import { expect, test, vi } from 'vitest';
import type { CounterStore, Hit, HitResult } from './counter.ts';
import { guardCounters } from './guard.ts';

const hits: Hit[] = [{ limitId: 1, key: 'a', rate: 1, period: 60_000, count: 1 }];
const result: HitResult = { admitted: 1, isLocked: false, hasLocked: false, endsIn: 1 };

/** A store whose answers the test gives. */
function scripted() {
  const answers: { resolve(results: HitResult[]): void; reject(error: Error): void }[] = [];
  const store = {
    hit: () => new Promise<HitResult[]>((resolve, reject) => answers.push({ resolve, reject })),
  } as unknown as CounterStore & { isWaiting?(): boolean };
  return { answers, store };
}
const logs = () => ({ warn: vi.fn(), info: vi.fn() });
const timeout = 50;

test('a store that does not answer is waited for once, 50 ms, then by nobody until it is back', async () => {
  const { answers, store } = scripted();
  const log = logs();
  const guard = guardCounters({ counters: store, timeout, refuses: false, log });
  const from = performance.now();
  expect(await Promise.all([guard.hit(hits), guard.hit(hits)])).toEqual([undefined, undefined]);
  expect(performance.now() - from).toBeGreaterThanOrEqual(timeout - 1);
  expect(guard.isAway()).toBe(true);
  for (let at = 0; at < 5; at++) expect(guard.hit(hits)).toBe(undefined);
  expect([answers.length, guard.uncounted(), log.warn.mock.calls.length]).toEqual([2, 7, 1]);
  for (const { resolve } of answers) resolve([result]);
  await vi.waitFor(() => expect(guard.isAway()).toBe(false));
  expect(log.info).toHaveBeenCalledTimes(1);
  const counted = guard.hit(hits);
  answers.at(-1)!.resolve([result]);
  expect(await counted).toEqual([result]);
});

test('with `refuse` such calls are a 503', async () => {
  const { answers, store } = scripted();
  const guard = guardCounters({ counters: store, timeout, refuses: true, log: logs() });
  const failed = Promise.resolve(guard.hit(hits)).catch((error: unknown) => error);
  answers[0]!.reject(new Error('gone'));
  expect(await failed).toMatchObject({ key: 'limit.uncounted', status: 503, retryAfter: 1 });
  expect(() => guard.hit(hits)).toThrow(Failure);
  // After a moment a call asks again.
  await sleep(510);
  const again = guard.hit(hits);
  answers[1]!.resolve([result]);
  expect(await again).toEqual([result]);
});

test('a process that hands over is waited for', async () => {
  const { answers, store } = scripted();
  let isWaiting = true;
  const guard = guardCounters({
    counters: { ...store, isWaiting: () => isWaiting },
    timeout,
    refuses: true,
    log: logs(),
  });
  const counted = guard.hit(hits);
  await sleep(3 * timeout);
  answers[0]!.resolve([result]);
  isWaiting = false;
  expect(await counted).toEqual([result]);
});
