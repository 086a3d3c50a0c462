// The counters of limits: one each, or one per user, and what of many is shown. Pure.
import type { LimitCacheEntry } from '@sluice/contract';

export interface CounterSum {
  /** How many counters there are: one, or one for each user. */
  counters: number;
  /** How many of them have counted something. */
  used: number;
  /** Calls of all of them. */
  attempts: number;
  /** The one nearest to its rate. */
  fullest: LimitCacheEntry;
}

/** Counters as one; null where there are none, as for a limit of each user while there is no user. */
export function sumOf(entries: readonly LimitCacheEntry[]): CounterSum | null {
  const [first] = entries;
  if (!first) return null;
  let fullest = first;
  let used = 0;
  let attempts = 0;
  for (const entry of entries) {
    if (percentOf(entry) > percentOf(fullest)) fullest = entry;
    if (entry.attempts > 0) used++;
    attempts += entry.attempts;
  }
  return { counters: entries.length, used, attempts, fullest };
}

/** How full a counter is, 0 to 100 (OPEN-185). */
export const percentOf = ({ attempts, max }: Pick<LimitCacheEntry, 'attempts' | 'max'>): number =>
  max > 0 ? Math.min(100, (attempts / max) * 100) : 0;

export type Tone = 'calm' | 'warning' | 'danger';

/** Green under 75 %, yellow up to 90, red from there on (OPEN-185). */
export const toneOf = (percent: number): Tone => (percent >= 90 ? 'danger' : percent >= 75 ? 'warning' : 'calm');

/** Counters by the id of their limit. */
export function byLimit(entries: readonly LimitCacheEntry[]): Map<number, LimitCacheEntry[]> {
  const counters = new Map<number, LimitCacheEntry[]>();
  for (const entry of entries) {
    const known = counters.get(entry.id);
    if (known) known.push(entry);
    else counters.set(entry.id, [entry]);
  }
  return counters;
}

/** The person a counter of a limit of each user is of; null for the counter of everybody. */
export function userOf({ key }: LimitCacheEntry): number | null {
  const id = /\.each_user:(\d+)/.exec(key)?.[1];
  return id === undefined ? null : Number(id);
}

/** The counters that have counted most of their rate, the fullest first. */
export const fullestOf = (entries: readonly LimitCacheEntry[], count: number): LimitCacheEntry[] =>
  entries
    .filter(({ attempts }) => attempts > 0)
    .sort((one, other) => percentOf(other) - percentOf(one))
    .slice(0, count);
