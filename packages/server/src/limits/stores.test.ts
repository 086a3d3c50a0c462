// What every store of counters promises (contract/limits.md §5), on each: the memory, databases, Redis.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineMissing, freshDatabase, type TestDatabase, testRedis } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { createSharedCounters } from './alone.ts';
import type { CounterStore, Hit } from './counter.ts';
import { createDatabaseCounters } from './database.ts';
import { createMemoryCounters } from './memory.ts';
import { createHitQueue } from './queue.ts';
import { createRedisCounters } from './redis.ts';

const log = { info() {}, warn() {} };

interface Place {
  name: string;
  missing?: string | undefined;
  database?: 'pgsql' | 'mysql';
  open(store: Store): Promise<CounterStore>;
}

const inDatabase = async (store: Store): Promise<CounterStore> => {
  const opened = (await store.openCounters())!;
  const counters = createDatabaseCounters(opened);
  return { ...counters, hit: createHitQueue(counters.hit), close: opened.close };
};

const places: Place[] = [
  { name: 'memory', open: async () => createMemoryCounters() },
  {
    name: 'a process that is alone',
    open: async (store) => createSharedCounters({ store: (await store.openCounters())!, log }),
  },
  { name: 'SQLite', open: inDatabase },
  { name: 'PostgreSQL', database: 'pgsql', missing: await engineMissing('pgsql'), open: inDatabase },
  { name: 'MariaDB', database: 'mysql', missing: await engineMissing('mysql'), open: inDatabase },
  {
    name: 'Redis',
    open: async () => {
      const redis = await createRedisCounters(await testRedis(), crypto.randomUUID(), async () => [1, 2, 3, 4, 5]);
      return { ...redis, hit: createHitQueue(async (hits) => redis.hit(hits)) };
    },
  },
];

const minute = 60_000;
const hit = (set: Partial<Hit> = {}): Hit => ({ limitId: 1, key: 'a', rate: 3, period: minute, count: 1, ...set });

describe.each(places)('counters in $name', ({ missing, database: engine, open }) => {
  const test = it.skipIf(missing);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-limits-'));
  let database: TestDatabase | undefined;
  let store: Store;
  let counters: CounterStore;
  const one = async (set: Partial<Hit> = {}) => (await counters.hit([hit(set)]))[0]!;

  beforeAll(async () => {
    if (missing) return;
    database = engine && (await freshDatabase(engine));
    store = await openStore({ url: database?.url ?? '', dataFolder: folder, log });
    counters = await open(store);
  });
  afterAll(async () => {
    if (missing) return;
    await counters.close();
    await store.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('let as many hits pass as the rate says; the next one locks, once, and the lock counts nothing', async () => {
    for (let at = 0; at < 3; at++)
      expect(await one()).toMatchObject({ admitted: 1, isLocked: false, hasLocked: false });
    expect(await one()).toMatchObject({ admitted: 0, isLocked: true, hasLocked: true });
    const again = await one();
    expect(again).toMatchObject({ admitted: 0, isLocked: true, hasLocked: false });
    expect(again.endsIn).toBeGreaterThan(minute - 30_000);
    expect(again.endsIn).toBeLessThanOrEqual(minute);
    expect(
      await counters.peek([
        { limitId: 1, key: 'a' },
        { limitId: 1, key: 'b' },
      ]),
    ).toMatchObject([{ hits: 0, isLocked: true }, undefined]);
  });

  test('count each key of each limit by itself', async () => {
    expect(await one({ key: 'A' })).toMatchObject({ admitted: 1 });
    expect(await one({ limitId: 2 })).toMatchObject({ admitted: 1 });
    expect(await one({ key: 'a ' })).toMatchObject({ admitted: 1 });
    expect(await one()).toMatchObject({ admitted: 0 });
  });

  test('pass so many of several hits at once, and lock for the rest', async () => {
    expect(await one({ key: 'many', count: 2 })).toMatchObject({ admitted: 2, hasLocked: false });
    expect(await one({ key: 'many', count: 5 })).toMatchObject({ admitted: 1, isLocked: true, hasLocked: true });
    expect(await one({ key: 'more', count: 9 })).toMatchObject({ admitted: 3, isLocked: true, hasLocked: true });
    expect(await one({ key: 'more', count: 9 })).toMatchObject({ admitted: 0, isLocked: true, hasLocked: false });
  });

  test('a rate that was lowered refuses at once, one that was raised lets more pass', async () => {
    await one({ key: 'rate', rate: 9, count: 5 });
    expect(await one({ key: 'rate', rate: 7, count: 2 })).toMatchObject({ admitted: 2 });
    expect(await one({ key: 'rate', rate: 2 })).toMatchObject({ admitted: 0, hasLocked: true });
  });

  test('a window ends one period after its first hit, and a lock one period after the hit that locked', async () => {
    const short = { key: 'short', period: 1_000 };
    await one(short);
    const from = performance.now();
    await sleep(500);
    await one({ ...short, count: 2 });
    // The window is over: it did not slide with the later hits.
    await sleep(Math.max(0, 1_030 - (performance.now() - from)));
    expect(await one({ ...short, count: 3 })).toMatchObject({ admitted: 3, isLocked: false });
    const { endsIn } = await one(short);
    expect(endsIn).toBeGreaterThan(200);
    await one(short);
    await sleep(endsIn + 20);
    expect(await one(short)).toMatchObject({ admitted: 1, isLocked: false });
  });

  test('are exact when 300 calls of five limits come at once in mixed order', async () => {
    const calls = Array.from({ length: 300 }, (_, call) =>
      [1, 2, 3, 4, 5]
        .map((limitId) => hit({ limitId, key: `burst ${limitId}`, rate: 10 * limitId }))
        .sort((a, b) => ((a.limitId * 7 + call) % 5) - ((b.limitId * 7 + call) % 5)),
    );
    const results = await Promise.all(calls.map(async (hits) => counters.hit(hits)));
    const [admitted, locks] = [new Map<number, number>(), new Map<number, number>()];
    for (const [call, hits] of calls.entries())
      for (const [at, { limitId }] of hits.entries()) {
        const { admitted: own, hasLocked } = results[call]![at]!;
        admitted.set(limitId, (admitted.get(limitId) ?? 0) + own);
        locks.set(limitId, (locks.get(limitId) ?? 0) + Number(hasLocked));
      }
    expect(Object.fromEntries(admitted)).toEqual({ 1: 10, 2: 20, 3: 30, 4: 40, 5: 50 });
    expect(Object.fromEntries(locks)).toEqual({ 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 });
  });

  test('list those of a limit, locked ones first, then by their hits', async () => {
    for (const [key, count] of [
      ['x', 1],
      ['y', 4],
      ['z', 2],
    ] as const)
      await one({ limitId: 3, key, count });
    await counters.clear([3]);
    for (const [key, count] of [
      ['x', 1],
      ['y', 4],
      ['z', 2],
    ] as const)
      await one({ limitId: 3, key, count });
    expect((await counters.top(3, 2)).map(({ key, hits, isLocked }) => [key, hits, isLocked])).toEqual([
      ['y', 0, true],
      ['z', 2, false],
    ]);
    expect(await counters.top(99, 2)).toEqual([]);
  });

  test('are set back: those of a limit, or all', async () => {
    await one({ limitId: 4, key: 'back', count: 4 });
    await one({ limitId: 5, key: 'back', count: 4 });
    await counters.clear([4]);
    const ids = [4, 5].map((limitId) => ({ limitId, key: 'back' }));
    expect(await counters.peek(ids)).toMatchObject([undefined, { isLocked: true }]);
    await counters.clear('all');
    expect(await counters.peek(ids)).toEqual([undefined, undefined]);
    expect(await one({ limitId: 5, key: 'back' })).toMatchObject({ admitted: 1 });
  });
});
