// Limits: how many calls may be made in a period. The gateway has each call counted here; which limits concern it is in
// matching.ts, who counts in counter.ts and beside it. What a limit is, is in contract/src/limits.ts.
import {
  chain,
  type ExplainedLimit,
  type LimitCacheEntry,
  type LimitPreview,
  type MaybePromise,
} from '@sluice/contract';
import type { Call, Caller } from '../call/call.ts';
import type { Settings } from '../settings/index.ts';
import { affects, createTableCache, type Db, instanceFact, type Store } from '../store/index.ts';
import { createSharedCounters, type SharedCounters } from './alone.ts';
import type { CounterStore } from './counter.ts';
import { readEntries } from './entries.ts';
import { guardCounters } from './guard.ts';
import { type CountedLimit, indexLimits, type LimitIndex, type LimitRow, type Subject } from './matching.ts';
import { createMemoryCounters } from './memory.ts';
import { previewLimit } from './preview.ts';
import { createHitQueue } from './queue.ts';
import { createRecentCalls } from './recent-calls.ts';
import { createRedisCounters } from './redis.ts';
import { type Exceeded, refusalOf } from './refusal.ts';

/** A limit that was exceeded: told once for each lock. */
export interface ExceededEvent {
  limit: CountedLimit;
  /** The counter that was locked. */
  cacheKey: string;
  /** The call that did it. */
  call: Call;
}

/** What /metrics shows of limits. */
export interface LimitFigures {
  /** `memory`, `store` or `redis`. */
  where: string;
  isAway: boolean;
  /** Calls that went on, or were refused, since they could not be counted. */
  uncounted: number;
  /** Calls that were refused, and locks, by the id of the limit. */
  refused: ReadonlyMap<number, number>;
  exceeded: ReadonlyMap<number, number>;
}

export interface Limits {
  /** Counts a call under every limit that concerns it; throws `limit.exceeded` where one refuses it. */
  count(call: Call): MaybePromise<undefined>;
  /** Has a function told of each lock. It must not throw. */
  onExceeded(listener: (event: ExceededEvent) => void): void;
  /** The counters of limits, as `system/limit_cache` answers them, in the order of the rows. */
  entries(rows: readonly LimitRow[], db: Db): Promise<LimitCacheEntry[][]>;
  /** The limits that a call would count under; nothing is counted. */
  explain(caller: Caller, call: Pick<Call, 'serviceId' | 'path' | 'verb'>): Promise<ExplainedLimit[]>;
  /** What a limit would have refused of the calls that are remembered. */
  preview(row: LimitRow): Promise<LimitPreview>;
  /** Sets counters back: those of these limits, or all. */
  reset(limitIds: readonly number[] | 'all'): Promise<void>;
  /** Sets the counters of a limit back if one of them is locked: its rate was changed. */
  resetIfLocked(limitId: number): Promise<void>;
  figures(): LimitFigures;
  close(): Promise<void>;
}

export interface LimitParts {
  store: Pick<Store, 'db' | 'bus' | 'openCounters'>;
  settings: Pick<Settings, 'redisUrl' | 'limitsAway' | 'limitsTimeout'>;
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Counts milliseconds for the memory; a test may have its own. */
  clock?: () => number;
}

/** Opens what counts; where limits are in force, it takes part before the first call. */
export async function createLimits({ store, settings, log, clock }: LimitParts): Promise<Limits> {
  const { counters, shared, where } = await openCounters(store, settings, log, clock);
  const guard = guardCounters({
    counters,
    timeout: settings.limitsTimeout,
    refuses: settings.limitsAway === 'refuse',
    log,
  });
  const recent = createRecentCalls(clock);
  const listeners: ((event: ExceededEvent) => void)[] = [];
  const [refused, exceededCounts] = [new Map<number, number>(), new Map<number, number>()];
  const index = createTableCache(store.bus, 'limit', async () => indexLimits(await readLimits(store.db)));
  if (shared) {
    // With the first limit the process begins to take part in counting.
    const joinWithLimits = async () => ((await index.get()).isEmpty ? undefined : shared.join());
    store.bus.subscribe((change) =>
      affects(change, 'limit') && shared.mode() === 'out' ? joinWithLimits() : undefined,
    );
    await joinWithLimits();
  }

  listeners.push(({ limit, cacheKey, call }) => {
    addOne(exceededCounts, limit.id);
    log.info({ limit: limit.id, key: cacheKey, reqId: call.id }, 'A limit was exceeded.');
  });

  function countMatching(call: Call, subject: Subject, { matching }: LimitIndex): MaybePromise<undefined> {
    const limits = matching(subject);
    if (limits.length === 0) return undefined;
    const { userId } = subject;
    const hits = limits.map((limit) => ({
      limitId: limit.id,
      key: limit.keyFor(userId),
      rate: limit.rate,
      period: limit.length,
      count: 1,
    }));
    return chain(guard.hit(hits), (results) => {
      if (!results) return undefined;
      let exceeded: Exceeded[] | undefined;
      for (let at = 0; at < results.length; at++) {
        const { admitted, hasLocked, endsIn } = results[at]!;
        if (admitted === 1) continue;
        const limit = limits[at]!;
        if (hasLocked) for (const tell of listeners) tell({ limit, cacheKey: hits[at]!.key, call });
        if (limit.isOverridden(subject)) continue;
        addOne(refused, limit.id);
        exceeded ??= [];
        exceeded.push({ limit, endsIn });
      }
      if (!exceeded) return undefined;
      const { failure, headers } = refusalOf(exceeded, Date.now());
      for (const [name, value] of headers) call.replyHeaders.set(name, value);
      // Refused before its service: it is no use of that, and no failure.
      call.serviceId = undefined;
      throw failure;
    });
  }

  return {
    count(call) {
      const { caller } = call;
      if (!isCounted(caller)) return undefined;
      const subject = subjectOf(caller, call);
      recent.add(subject);
      return chain(index.get(), (current) => (current.isEmpty ? undefined : countMatching(call, subject, current)));
    },
    onExceeded: (listener) => void listeners.push(listener),
    entries: (rows, db) => readEntries(rows, counters, db),
    async explain(caller, call) {
      if (!isCounted(caller)) return [];
      const subject = subjectOf(caller, call);
      const limits = (await index.get()).matching(subject).sort((a, b) => a.id - b.id);
      const keys = limits.map(({ id, keyFor }) => ({ limitId: id, key: keyFor(subject.userId) }));
      const found = limits.length === 0 ? [] : await counters.peek(keys);
      return limits.map((limit, at) => {
        const { hits = 0, isLocked = false, endsIn = 0 } = found[at] ?? {};
        const remaining = isLocked ? 0 : Math.max(0, limit.rate - hits);
        const isOverridden = limit.isOverridden(subject);
        return {
          ...{ id: limit.id, name: limit.name, key: keys[at]!.key, period: limit.period, max: limit.rate, remaining },
          locked_for: isLocked ? Math.max(1, Math.ceil(endsIn / 1000)) : null,
          refuses: remaining === 0 && !isOverridden,
          is_overridden: isOverridden,
        };
      });
    },
    preview: (row) => previewLimit(row, recent, Date.now()),
    async reset(limitIds) {
      await counters.clear(limitIds);
    },
    async resetIfLocked(limitId) {
      const [highest] = await counters.top(limitId, 1);
      if (highest?.isLocked) await counters.clear([limitId]);
    },
    figures: () => ({
      ...{ where: where(), isAway: guard.isAway(), uncounted: guard.uncounted(), refused, exceeded: exceededCounts },
    }),
    close: () => counters.close(),
  };
}

/** Redis where there is one; the store's database, which one process alone need not ask; else memory. */
async function openCounters(
  store: LimitParts['store'],
  { redisUrl }: LimitParts['settings'],
  log: LimitParts['log'],
  clock: LimitParts['clock'],
): Promise<{ counters: CounterStore; shared?: SharedCounters; where: () => string }> {
  if (redisUrl !== '') {
    const allIds = async () => (await store.db.selectFrom('limit').select('id').execute()).map(({ id }) => id);
    const instance = await instanceFact(store.db, 'instance_id', () => crypto.randomUUID());
    const redis = await createRedisCounters(redisUrl, instance, allIds);
    const hit = createHitQueue(async (hits) => redis.hit(hits));
    return { counters: { ...redis, hit }, where: () => 'redis' };
  }
  const database = await store.openCounters();
  if (!database) return { counters: createMemoryCounters(clock), where: () => 'memory' };
  const shared = createSharedCounters({ store: database, log, ...(clock ? { clock } : {}) });
  return { counters: shared, shared, where: () => (shared.mode() === 'sole' ? 'memory' : 'store') };
}

/** Neither administrators nor scripts are ever limited or counted. */
const isCounted = ({ user, requestor }: Caller) => !user?.isAdmin && requestor !== 'SCRIPT';

const subjectOf = ({ user, role }: Caller, { serviceId, path, verb }: Pick<Call, 'serviceId' | 'path' | 'verb'>) =>
  ({ userId: user?.id, roleId: role?.id, serviceId, path, verb }) satisfies Subject;

function addOne(counts: Map<number, number>, id: number): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

const readLimits = (db: Db): Promise<LimitRow[]> => db.selectFrom('limit').selectAll().orderBy('id').execute();

export type { LimitRow } from './matching.ts';
