// How many calls there were, of which service and verb, how they ended and how long they took. Counting one is three
// look-ups and some additions: it stands in the path of every call.
import type { MaybePromise } from '@sluice/contract';

/** Upper limits of the duration's buckets in seconds. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Services with figures of their own. */
const mostServices = 1_000;

/** The calls of one service and verb. */
export interface CallCount {
  /** By status; `aborted` where the caller went away, or the answer was broken off. */
  ended: Map<number | 'aborted', number>;
  seconds: number;
  /** How many took no longer than the bound at the same place and longer than the one before; the last took longer still. */
  buckets: number[];
}

export interface CallCounts {
  began(): void;
  /**
   * One call is over. The name of a service that is none makes no figures of its own, or a stranger could fill the memory
   * with them: it counts as service '', together with the list of services and what comes after the first thousand.
   */
  ended(service: string, verb: string, status: number | 'aborted', milliseconds: number): void;
  inFlight(): number;
  /** By service and verb. */
  all(): ReadonlyMap<string, ReadonlyMap<string, CallCount>>;
}

/** `lookUp` finds the service of a lower-cased name. */
export function countCalls(lookUp: (name: string) => MaybePromise<object | undefined>): CallCounts {
  const counts = new Map<string, Map<string, CallCount>>([['', new Map()]]);
  let running = 0;

  const verbsOf = (service: string): Map<string, CallCount> => {
    const known = counts.get(service);
    if (known) return known;
    const found = counts.size > mostServices ? undefined : lookUp(service);
    if (found instanceof Promise) {
      // The list of services was dropped a moment ago, or the store is away: nobody waits for a figure.
      found.catch(() => {});
      return counts.get('')!;
    }
    if (!found) return counts.get('')!;
    const verbs = new Map<string, CallCount>();
    counts.set(service, verbs);
    return verbs;
  };

  return {
    began() {
      running += 1;
    },
    ended(service, verb, status, milliseconds) {
      running -= 1;
      const verbs = verbsOf(service);
      let count = verbs.get(verb);
      if (!count) {
        count = { ended: new Map(), seconds: 0, buckets: Array<number>(bounds.length + 1).fill(0) };
        verbs.set(verb, count);
      }
      count.ended.set(status, (count.ended.get(status) ?? 0) + 1);
      const seconds = milliseconds / 1000;
      count.seconds += seconds;
      let bucket = 0;
      while (bucket < bounds.length && seconds > bounds[bucket]!) bucket += 1;
      count.buckets[bucket]! += 1;
    },
    inFlight: () => running,
    all: () => counts,
  };
}
