// Counters of a store's database: in the memory of the one process there is, in the database where there are several
// (docs/adr/0024). A process counts by a lease, sole or shared. It renews it while it counts, writing down what a restart must
// not forget; it is good for less time than others wait before they take it for dead. So there is never one that counts in its
// memory beside another that counts.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { chain } from '@sluice/contract';
import type { CounterDb, CounterStoreDb } from '../store/index.ts';
import type { CounterStore, Hit } from './counter.ts';
import { createDatabaseCounters } from './database.ts';
import { createMemoryCounters } from './memory.ts';
import { createHitQueue } from './queue.ts';

/** Milliseconds. No clocks of two machines are compared: each measures what it sees of the others. */
export const leaseTimes = {
  /** Between two looks for others, and renewals of a shared lease. */
  beat: 400,
  /**
   * The least between two renewals while it counts in memory: with the second beat after the last. With the beats they make up the
   * time whose hits are lost when the process is killed, which is under a second.
   */
  renew: 500,
  /** For which a lease is good, from before it was asked for. */
  valid: 2_000,
  /** After which a process that shows no sign is taken for dead. */
  dead: 3_000,
  /** Between two looks while another hands over. */
  look: 25,
};

/** Windows that survive a killed process; those that are shorter survive an orderly stop. */
const minDurablePeriod = 3_600_000;

type Mode = 'out' | 'sole' | 'shared' | 'waiting';

export interface SharedCounters extends CounterStore {
  /** Takes part before the first call; returns when counting can begin. */
  join(): Promise<void>;
  /** Whether it waits for another process to hand over, which ends by itself. */
  isWaiting(): boolean;
  /** Where it counts. */
  mode(): Mode;
}

export interface SharedParts {
  store: CounterStoreDb;
  log: { warn(details: object, message: string): void };
  clock?: () => number;
  times?: typeof leaseTimes;
}

export function createSharedCounters({
  store,
  log,
  clock = () => performance.now(),
  times = leaseTimes,
}: SharedParts): SharedCounters {
  const id = randomUUID();
  const memory = createMemoryCounters(clock);
  const database = createDatabaseCounters(store);
  /** When a change of the other processes was last seen, by their id. */
  const others = new Map<string, { beat: number; seenAt: number }>();
  let mode: Mode = 'out';
  let metAt = Number.NEGATIVE_INFINITY;
  let validUntil = Number.NEGATIVE_INFINITY;
  /** The memory has all counters: they were loaded, and nobody else has counted since. */
  let hasAll = false;
  let hasHits = false;
  let lastPurge = clock();
  let isClosed = false;

  /** Meetings and statements of this process, one at a time. */
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  }

  /** Looks who else counts, and takes or renews the lease. */
  async function meet(): Promise<void> {
    const startedAt = clock();
    hasHits = false;
    const isHandingOver = { value: false };
    try {
      const next = await store.exclusively((db) => meetOthers(db, startedAt, isHandingOver));
      if (next !== 'sole') forget();
      mode = next;
      metAt = startedAt;
      validUntil = startedAt + times.valid;
    } catch (error) {
      // Whether it was handed over shows at the next meeting.
      if (isHandingOver.value) mode = 'out';
      hasHits = true;
      throw error;
    }
  }

  function forget(): void {
    hasAll = false;
    memory.clear('all');
  }

  async function meetOthers(db: CounterDb, now: number, isHandingOver: { value: boolean }): Promise<Mode> {
    const rows = await db.selectFrom('limit_process').selectAll().where('id', '!=', '').execute();
    const mine = rows.find((row) => row.id === id);
    const living = rows.filter((row) => row.id !== id && !isDead(row, now));
    const dead = rows.filter((row) => row.id !== id && !living.includes(row)).map((row) => row.id);
    if (dead.length > 0) await db.deleteFrom('limit_process').where('id', 'in', dead).execute();
    // Another took this one for dead, and may have counted since.
    const isSole = hasAll && mine?.is_sole === 1;
    if (hasAll && !isSole) forget();
    const next: Mode =
      living.length === 0 ? 'sole' : living.some(({ is_sole }) => is_sole === 1) ? 'waiting' : 'shared';
    if (isSole && next === 'sole') await saveChanged(db);
    if (isSole && next !== 'sole') {
      // From here on nothing is counted in memory.
      isHandingOver.value = true;
      mode = 'out';
      await database.save(db, memory.all());
    }
    if (!isSole && next === 'sole') {
      memory.clear('all');
      memory.load(await database.readAll(db));
      hasAll = true;
    }
    const own = { beat: (mine?.beat ?? 0) + 1, is_sole: next === 'sole' ? 1 : 0 };
    if (mine) await db.updateTable('limit_process').set(own).where('id', '=', id).execute();
    else
      await db
        .insertInto('limit_process')
        .values({ id, ...own })
        .execute();
    return next;
  }

  async function saveChanged(db: CounterDb): Promise<void> {
    const changed = memory.takeChanged(minDurablePeriod);
    try {
      await database.save(db, changed);
    } catch (error) {
      memory.putBack(changed);
      throw error;
    }
  }

  function isDead({ id, beat }: { id: string; beat: number }, now: number): boolean {
    const seen = others.get(id);
    if (seen?.beat === beat) return now - seen.seenAt > times.dead;
    others.set(id, { beat, seenAt: now });
    return false;
  }

  /** Counts under a lease, which it takes where there is none. */
  const count = (hits: Hit[]) =>
    inTurn(async () => {
      for (;;) {
        if (clock() >= validUntil || mode === 'out' || mode === 'waiting') await meet();
        if (mode === 'sole' && clock() < validUntil) {
          hasHits = true;
          return memory.hit(hits);
        }
        if (mode === 'shared' && clock() < validUntil) {
          const leaseEnd = validUntil - times.valid + times.dead;
          const results = await database.hit(hits);
          // Too late: another may have been alone meanwhile, and not know of these.
          if (clock() < leaseEnd) return results;
        } else if (mode === 'waiting') await sleep(times.look);
      }
    });
  const countInTurn = createHitQueue(count);

  async function beat(): Promise<void> {
    if (mode === 'out' || mode === 'waiting' || isClosed) return;
    await inTurn(async () => {
      if (mode === 'shared' || (hasHits && clock() - metAt >= times.renew)) return meet();
      const row = await store.db
        .selectFrom('limit_process')
        .select('id')
        .where('id', 'not in', ['', id])
        .executeTakeFirst();
      if (row) await meet();
    });
    if (clock() - lastPurge < purgeInterval) return;
    lastPurge = clock();
    if (mode === 'sole') await memory.sweep();
    await database.purge();
  }

  const isSoleNow = () => mode === 'sole' && clock() < validUntil;
  let beating: Promise<void> | undefined;
  const timer = setInterval(() => {
    beating ??= beat()
      // Its lease ends; the call that needs one tells.
      .catch(() => {})
      .finally(() => {
        beating = undefined;
      });
  }, times.beat).unref();

  return {
    async join() {
      await inTurn(async () => {
        await meet();
        while (mode === 'waiting') {
          await sleep(times.look);
          await meet();
        }
      });
    },
    isWaiting: () => mode === 'waiting',
    mode: () => mode,
    hit(hits) {
      if (!isSoleNow()) return countInTurn(hits);
      hasHits = true;
      return memory.hit(hits);
    },
    peek: (ids) => (isSoleNow() ? memory.peek(ids) : chain(settled(), () => current().peek(ids))),
    top: (limitId, max) =>
      isSoleNow() ? memory.top(limitId, max) : chain(settled(), () => current().top(limitId, max)),
    async clear(limitIds) {
      await inTurn(async () => {
        memory.clear(limitIds);
        await database.clear(limitIds);
      });
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await beating;
      try {
        await inTurn(leave);
      } catch (error) {
        log.warn({ err: error }, 'The counters of limits of the last moment are lost.');
      }
      await store.close();
    },
  };

  /** What counts now, for readers. */
  function current(): CounterStore {
    return hasAll ? memory : database;
  }

  /** Before anything is read, a lease: what another has in its memory is nowhere else. */
  async function settled(): Promise<void> {
    if (clock() >= validUntil || mode === 'out') await inTurn(meet);
  }

  async function leave(): Promise<void> {
    if (mode === 'out') return;
    await store.exclusively(async (db) => {
      const mine = await db.selectFrom('limit_process').select('is_sole').where('id', '=', id).executeTakeFirst();
      mode = 'out';
      if (hasAll && mine?.is_sole === 1) await database.save(db, memory.all());
      await db.deleteFrom('limit_process').where('id', '=', id).execute();
    });
  }
}

/** Milliseconds between two clearings of what is over. */
const purgeInterval = 60_000;
