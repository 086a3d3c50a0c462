// Counters as `system/limit_cache` answers them: one for a limit, or one for each active user (contract/limits.md §6). Of many
// limits that count each of many users an answer has a part: first those that have counters, then others.
import type { LimitCacheEntry } from '@sluice/contract';
import type { Db } from '../store/index.ts';
import type { Counter, CounterStore } from './counter.ts';
import { type CountedLimit, countedLimit, type LimitRow } from './matching.ts';

/** Entries of limits that count each user in one answer. */
const maxEntries = 100_000;
/** Entries that each such limit has at least, where there are so many users. */
const minEntries = 100;

/** The entries of each limit, in the order of the rows; none of one that nothing counts. */
export async function readEntries(
  rows: readonly LimitRow[],
  counters: CounterStore,
  db: Db,
): Promise<LimitCacheEntry[][]> {
  const limits = rows.map((row) => countedLimit(row));
  const perUser = limits.filter((limit) => limit?.isPerUser).length;
  const max = Math.max(minEntries, Math.floor(maxEntries / Math.max(1, perUser)));
  const users = perUser > 0 ? await readUsers(db) : [];
  const single = limits.filter((limit) => limit !== undefined).filter(({ isPerUser }) => !isPerUser);
  const found = await counters.peek(single.map(({ id, keyFor }) => ({ limitId: id, key: keyFor(undefined) })));
  const bySingle = new Map(single.map((limit, index) => [limit, found[index]]));
  const entries: LimitCacheEntry[][] = [];
  for (const limit of limits) {
    if (!limit) entries.push([]);
    else if (limit.isPerUser) entries.push(userEntries(limit, users, await counters.top(limit.id, max), max));
    else entries.push([entryOf(limit, limit.keyFor(undefined), bySingle.get(limit))]);
  }
  return entries;
}

async function readUsers(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where('is_active', '=', 1)
    .where('is_sys_admin', '=', 0)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

function userEntries(limit: CountedLimit, users: number[], counters: Counter[], max: number): LimitCacheEntry[] {
  const byKey = new Map(counters.map((counter) => [counter.key, counter]));
  const keys = users.map((id) => limit.keyFor(id));
  const shown = keys.length <= max ? keys : firstKeys(keys, counters, max);
  return shown.map((key) => entryOf(limit, key, byKey.get(key)));
}

/** Those with the highest counters, then the first of the others. */
function firstKeys(keys: string[], counters: Counter[], max: number): string[] {
  const isUser = new Set(keys);
  const shown = new Set(counters.map(({ key }) => key).filter((key) => isUser.has(key)));
  for (const key of keys) {
    if (shown.size >= max) break;
    shown.add(key);
  }
  return [...shown];
}

function entryOf({ id, rate }: CountedLimit, key: string, counter: Counter | undefined): LimitCacheEntry {
  const attempts = counter?.isLocked ? rate : Math.min(rate, counter?.hits ?? 0);
  return { id, key, max: rate, attempts, remaining: rate - attempts };
}
