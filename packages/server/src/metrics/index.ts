// What an instance counts about itself, for GET /metrics. Counting is here and in calls.ts, in plain numbers; page.ts
// renders them, with what the parts know anyway, on request. http/metrics.ts decides who may read it.
import { Failure, type MaybePromise } from '@sluice/contract';
import { type CallCounts, countCalls } from './calls.ts';

export interface Metrics {
  calls: CallCounts;
  /** Counts a call that was refused or failed: a failure of the catalogue, or a bug of ours. */
  countFailure(error: unknown): void;
  /** How often, by key of the catalogue. */
  failures: ReadonlyMap<string, number>;
}

/** Keys that start at 0, so that the first failure shows as a rise. */
const presetKeys = [
  'database.busy',
  'database.cancelled',
  'database.overloaded',
  'database.timeout',
  'http.answersUnread',
  'http.internal',
  'http.noMemory',
  'limit.exceeded',
  'limit.uncounted',
  'store.timeout',
  'store.unavailable',
];

export function createMetrics(findService: (service: string) => MaybePromise<object | undefined>): Metrics {
  const failures = new Map(presetKeys.map((key) => [key, 0]));
  return {
    calls: countCalls(findService),
    countFailure(error) {
      const key = error instanceof Failure ? error.key : 'http.internal';
      failures.set(key, (failures.get(key) ?? 0) + 1);
    },
    failures,
  };
}
