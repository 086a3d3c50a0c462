// The calls of the last hour, in memory of this process alone: what a new limit would have refused is read from them. Of each
// its address, its caller and its time, nothing of what it carried.
import { cutText } from '../call/cut-text.ts';
import type { Subject } from './matching.ts';

/** What is kept: calls, milliseconds, characters of a path. */
const bounds = { calls: 20_000, age: 3_600_000, path: 200 };

export interface RecentCall extends Subject {
  /** By the clock. */
  at: number;
}

export interface RecentCalls {
  add(subject: Subject): void;
  /** Oldest first. */
  all(): RecentCall[];
  /** For how many milliseconds all calls are here. */
  covered(): number;
}

export function createRecentCalls(clock: () => number = () => performance.now()): RecentCalls {
  const startedAt = clock();
  /** A ring, once it is full: the next place is the oldest. */
  const calls: RecentCall[] = [];
  let next = 0;

  return {
    add({ userId, roleId, serviceId, path, verb }) {
      calls[next] = { userId, roleId, serviceId, path: cutText(path, bounds.path), verb, at: clock() };
      next = (next + 1) % bounds.calls;
    },
    all() {
      const oldest = clock() - bounds.age;
      return [...calls.slice(next), ...calls.slice(0, next)].filter(({ at }) => at >= oldest);
    },
    covered() {
      const first = calls.length === bounds.calls ? calls[next]!.at : startedAt;
      return Math.min(bounds.age, clock() - first);
    },
  };
}
