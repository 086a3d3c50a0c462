// What an instance counts of itself, for GET /metrics. Counting is here and in calls.ts, in plain numbers; page.ts makes
// text of them, and of what the parts know anyway, when someone asks. Who may ask is decided in http/metrics.ts.
import { Failure, type MaybePromise } from '@sluice/contract';
import { type CallCounts, countCalls } from './calls.ts';

export interface Metrics {
  calls: CallCounts;
  /** A call was refused or failed: with a failure of the catalogue, or a bug of ours. */
  failed(error: unknown): void;
  /** How often, by key of the catalogue. */
  failures: ReadonlyMap<string, number>;
}

/** There from the start, so that the first one is seen as a rise. */
const watched = [
  'database.cancelled',
  'database.overloaded',
  'database.timeout',
  'http.internal',
  'store.timeout',
  'store.unavailable',
];

export function createMetrics(lookUp: (service: string) => MaybePromise<object | undefined>): Metrics {
  const failures = new Map(watched.map((key) => [key, 0]));
  return {
    calls: countCalls(lookUp),
    failed(error) {
      const key = error instanceof Failure ? error.key : 'http.internal';
      failures.set(key, (failures.get(key) ?? 0) + 1);
    },
    failures,
  };
}
