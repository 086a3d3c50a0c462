// Counters in the memory of this process, by a clock that nobody sets. Only people of the store and limits have any, so their
// number is bounded by both; what is over goes.
import { pause } from '@sluice/sql';
import type { Counter, CounterId, CounterStore, Hit, HitResult } from './counter.ts';

interface MemoryCounter {
  hits: number;
  isLocked: boolean;
  /** By the clock: the moment is not part of the window. */
  endsAt: number;
  period: number;
}

/** A counter with its place, as it is kept elsewhere meanwhile. */
export interface CounterState extends Counter {
  period: number;
}

export interface MemoryCounters extends CounterStore {
  hit(hits: readonly Hit[]): HitResult[];
  peek(ids: readonly CounterId[]): (Counter | undefined)[];
  top(limitId: number, max: number): Counter[];
  clear(limitIds: readonly number[] | 'all'): void;
  /** Takes what another store kept; what is here already stays. */
  load(counters: readonly CounterState[]): void;
  /** The counters that changed since the last time, of windows this long at least. */
  takeChanged(minPeriod: number): CounterState[];
  /** Has these count as changed again. */
  putBack(counters: readonly CounterId[]): void;
  /** Every counter that is not over. */
  all(): CounterState[];
  /** Lets go of what is over. */
  sweep(): Promise<void>;
}

/** Counters that a sweep looks at between two pauses. */
const sweepPiece = 5_000;

/** `clock` counts milliseconds and never goes back; a test may have its own. */
export function createMemoryCounters(clock: () => number = () => performance.now()): MemoryCounters {
  /** By limit, then by key. A counter moves to the end when its end is set, so those over first come first. */
  const limits = new Map<number, Map<string, MemoryCounter>>();
  let changed = new Map<MemoryCounter, CounterId>();

  const countersOf = (limitId: number): Map<string, MemoryCounter> => {
    const existing = limits.get(limitId);
    if (existing) return existing;
    const made = new Map<string, MemoryCounter>();
    limits.set(limitId, made);
    return made;
  };

  const living = (counter: MemoryCounter | undefined, now: number): counter is MemoryCounter =>
    counter !== undefined && now < counter.endsAt;

  function hitOne({ limitId, key, rate, period, count }: Hit, now: number): HitResult {
    const counters = countersOf(limitId);
    let counter = counters.get(key);
    if (!living(counter, now)) {
      counter = { hits: 0, isLocked: false, endsAt: now + period, period };
      place(counters, key, counter);
      dropOver(counters, now, 2);
    } else if (counter.isLocked) {
      return { admitted: 0, isLocked: true, hasLocked: false, endsIn: counter.endsAt - now };
    }
    const admitted = Math.min(count, Math.max(0, rate - counter.hits));
    counter.hits += admitted;
    const hasLocked = admitted < count;
    if (hasLocked) {
      Object.assign(counter, { hits: 0, isLocked: true, endsAt: now + period, period });
      place(counters, key, counter);
    }
    if (!changed.has(counter)) changed.set(counter, { limitId, key });
    return { admitted, isLocked: hasLocked, hasLocked, endsIn: counter.endsAt - now };
  }

  const counterAt = ({ limitId, key }: CounterId, now: number): Counter | undefined => {
    const counter = limits.get(limitId)?.get(key);
    if (!living(counter, now)) return undefined;
    return { limitId, key, hits: counter.hits, isLocked: counter.isLocked, endsIn: counter.endsAt - now };
  };

  return {
    hit(hits) {
      const now = clock();
      return hits.map((hit) => hitOne(hit, now));
    },
    peek(ids) {
      const now = clock();
      return ids.map((id) => counterAt(id, now));
    },
    top(limitId, max) {
      const now = clock();
      const counters = [...(limits.get(limitId)?.keys() ?? [])].map((key) => counterAt({ limitId, key }, now));
      return highestFirst(counters.filter((counter) => counter !== undefined)).slice(0, max);
    },
    clear(limitIds) {
      for (const id of limitIds === 'all' ? [...limits.keys()] : limitIds) {
        for (const counter of limits.get(id)?.values() ?? []) changed.delete(counter);
        limits.delete(id);
      }
    },
    load(counters) {
      const now = clock();
      for (const { limitId, key, hits, isLocked, endsIn, period } of counters.toSorted((a, b) => a.endsIn - b.endsIn)) {
        const existing = countersOf(limitId);
        if (!existing.has(key)) existing.set(key, { hits, isLocked, endsAt: now + Math.min(endsIn, period), period });
      }
    },
    takeChanged(minPeriod) {
      const now = clock();
      const taken: CounterState[] = [];
      const left: typeof changed = new Map();
      for (const [counter, id] of changed) {
        if (counter.period < minPeriod) left.set(counter, id);
        else if (living(counter, now)) taken.push(stateOf(id, counter, now));
      }
      changed = left;
      return taken;
    },
    putBack(counters) {
      for (const { limitId, key } of counters) {
        const counter = limits.get(limitId)?.get(key);
        if (counter) changed.set(counter, { limitId, key });
      }
    },
    all() {
      const now = clock();
      return [...limits].flatMap(([limitId, counters]) =>
        [...counters].flatMap(([key, counter]) =>
          living(counter, now) ? [stateOf({ limitId, key }, counter, now)] : [],
        ),
      );
    },
    async sweep() {
      let looked = 0;
      for (const [id, counters] of limits) {
        while (dropOver(counters, clock(), sweepPiece) === sweepPiece) await pause();
        if (counters.size === 0) limits.delete(id);
        looked += 1;
        if (looked % sweepPiece === 0) await pause();
      }
      for (const [counter] of changed) if (clock() >= counter.endsAt) changed.delete(counter);
    },
    async close() {},
  };
}

const stateOf = (id: CounterId, { hits, isLocked, endsAt, period }: MemoryCounter, now: number): CounterState => ({
  ...{ ...id, hits, isLocked, endsIn: endsAt - now, period },
});

function place(counters: Map<string, MemoryCounter>, key: string, counter: MemoryCounter): void {
  counters.delete(key);
  counters.set(key, counter);
}

/** Drops counters that are over, `max` at most, and answers how many. */
function dropOver(counters: Map<string, MemoryCounter>, now: number, max: number): number {
  let dropped = 0;
  for (const [key, { endsAt }] of counters) {
    if (now < endsAt || dropped === max) break;
    counters.delete(key);
    dropped += 1;
  }
  return dropped;
}

/** Locked counters first, then those with the most hits; by key where they have as many. */
export const highestFirst = (counters: Counter[]): Counter[] =>
  counters.sort(
    (a, b) =>
      Number(b.isLocked) - Number(a.isLocked) || b.hits - a.hits || (a.key < b.key ? -1 : Number(a.key > b.key)),
  );
