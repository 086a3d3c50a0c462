// Limits: how many calls may be made in a period. The gateway has each call counted here; which limits concern it is in
// matching.ts, who counts in counter.ts and beside it. What a limit is, is in contract/src/limits.ts.
import { chain, type LimitCacheEntry, type MaybePromise } from '@sluice/contract';
import type { Call } from '../call/call.ts';
import { affects, type Db, type Store } from '../store/index.ts';
import type { CounterStore } from './counter.ts';
import { readEntries } from './entries.ts';
import { type CountedLimit, indexLimits, type LimitIndex, type LimitRow, type Subject } from './matching.ts';
import { createMemoryCounters } from './memory.ts';
import { type Exceeded, refusalOf } from './refusal.ts';

/** A limit that was exceeded: told once for each lock. */
export interface ExceededEvent {
  limit: CountedLimit;
  /** The counter that was locked. */
  cacheKey: string;
  /** The call that did it. */
  call: Call;
}

export interface Limits {
  /** Counts a call under every limit that concerns it; throws `limit.exceeded` where one refuses it. */
  count(call: Call): MaybePromise<undefined>;
  /** Has a function told of each lock. It must not throw. */
  onExceeded(listener: (event: ExceededEvent) => void): void;
  /** The counters of limits, as `system/limit_cache` answers them, in the order of the rows. */
  entries(rows: readonly LimitRow[], db: Db): Promise<LimitCacheEntry[][]>;
  /** Sets counters back: those of these limits, or all. */
  reset(limitIds: readonly number[] | 'all'): Promise<void>;
  /** Sets the counters of a limit back if one of them is locked: its rate was changed. */
  resetIfLocked(limitId: number): Promise<void>;
  close(): Promise<void>;
}

export interface LimitParts {
  store: Pick<Store, 'db' | 'bus'>;
  log: { info(details: object, message: string): void };
}

export function createLimits({ store, log }: LimitParts): Limits {
  const counters: CounterStore = createMemoryCounters();
  const listeners: ((event: ExceededEvent) => void)[] = [];
  const current = cacheIndex(store);

  listeners.push(({ limit, cacheKey, call }) =>
    log.info({ limit: limit.id, key: cacheKey, reqId: call.id }, 'A limit was exceeded.'),
  );

  function countMatching(call: Call, subject: Subject, index: LimitIndex): MaybePromise<undefined> {
    const matching = index.matching(subject);
    if (matching.length === 0) return undefined;
    const hits = matching.map(({ id, rate, length, keyFor }) => ({
      ...{ limitId: id, key: keyFor(subject.userId), rate, period: length, count: 1 },
    }));
    return chain(counters.hit(hits), (results) => {
      let exceeded: Exceeded[] | undefined;
      for (const [at, { admitted, hasLocked, endsIn }] of results.entries()) {
        const limit = matching[at]!;
        if (hasLocked) for (const tell of listeners) tell({ limit, cacheKey: hits[at]!.key, call });
        if (admitted === 1 || limit.isOverridden(subject)) continue;
        exceeded ??= [];
        exceeded.push({ limit, endsIn });
      }
      if (!exceeded) return undefined;
      const { failure, headers } = refusalOf(exceeded, Date.now());
      for (const [name, value] of headers) call.replyHeaders.set(name, value);
      throw failure;
    });
  }

  return {
    count(call) {
      const { caller } = call;
      // Neither administrators nor scripts are ever limited or counted.
      if (caller.user?.isAdmin || caller.requestor === 'SCRIPT') return undefined;
      return chain(current(), (index) => (index.isEmpty ? undefined : countMatching(call, subjectOf(call), index)));
    },
    onExceeded: (listener) => void listeners.push(listener),
    entries: (rows, db) => readEntries(rows, counters, db),
    async reset(limitIds) {
      await counters.clear(limitIds);
    },
    async resetIfLocked(limitId) {
      const [highest] = await counters.top(limitId, 1);
      if (highest?.isLocked) await counters.clear([limitId]);
    },
    close: () => counters.close(),
  };
}

const subjectOf = ({ caller, serviceId, path, verb }: Call): Subject => ({
  userId: caller.user?.id,
  roleId: caller.role?.id,
  serviceId,
  path,
  verb,
});

/** The maps of limits, made again once one has changed. */
function cacheIndex({ db, bus }: LimitParts['store']): () => MaybePromise<LimitIndex> {
  let index: LimitIndex | undefined;
  let loading: Promise<LimitIndex> | undefined;
  bus.subscribe((change) => {
    if (!affects(change, 'limit')) return;
    index = undefined;
    loading = undefined;
  });
  return () => {
    if (index) return index;
    if (!loading) {
      const load = readLimits(db).then(indexLimits);
      loading = load;
      load.then(
        (loaded) => {
          if (loading === load) index = loaded;
        },
        () => {
          if (loading === load) loading = undefined;
        },
      );
    }
    return loading;
  };
}

const readLimits = (db: Db): Promise<LimitRow[]> => db.selectFrom('limit').selectAll().orderBy('id').execute();

export type { LimitRow } from './matching.ts';
