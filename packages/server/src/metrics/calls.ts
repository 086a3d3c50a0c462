// Counts calls by service and verb, how they ended and how long they took. Counting one is three look-ups and some
// additions: it is on the path of every call.
import type { MaybePromise } from '@sluice/contract';

/** Upper limits of the duration's buckets in seconds. */
export const bucketBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Services that are counted separately. */
const maxServices = 1_000;

/** The calls of one service and verb. */
export interface CallCount {
  /** By status; `aborted` where the caller went away, or the answer broke off. */
  endedByStatus: Map<number | 'aborted', number>;
  seconds: number;
  /** At each index: calls that took no longer than the bound there and longer than the one before. The last has all longer ones. */
  buckets: number[];
}

export interface CallCounts {
  begin(): void;
  /**
   * Counts a call that is over. An unknown service name is counted as service '', or a stranger could fill the memory with
   * names; so are the list of services and everything after the first thousand.
   */
  end(service: string, verb: string, status: number | 'aborted', milliseconds: number): void;
  inFlight(): number;
  /** By service and verb. */
  all(): ReadonlyMap<string, ReadonlyMap<string, CallCount>>;
}

/** `lookUp` finds the service of a lower-cased name. */
export function countCalls(findService: (name: string) => MaybePromise<object | undefined>): CallCounts {
  const counts = new Map<string, Map<string, CallCount>>([['', new Map()]]);
  let inFlight = 0;

  const verbsOf = (name: string): Map<string, CallCount> => {
    const existing = counts.get(name);
    if (existing) return existing;
    const service = counts.size > maxServices ? undefined : findService(name);
    if (service instanceof Promise) {
      // The list of services was dropped a moment ago, or the store is away: no call waits for a figure.
      service.catch(() => {});
      return counts.get('')!;
    }
    if (!service) return counts.get('')!;
    const verbs = new Map<string, CallCount>();
    counts.set(name, verbs);
    return verbs;
  };

  return {
    begin() {
      inFlight += 1;
    },
    end(service, verb, status, milliseconds) {
      inFlight -= 1;
      const verbs = verbsOf(service);
      let count = verbs.get(verb);
      if (!count) {
        count = { endedByStatus: new Map(), seconds: 0, buckets: Array<number>(bucketBounds.length + 1).fill(0) };
        verbs.set(verb, count);
      }
      count.endedByStatus.set(status, (count.endedByStatus.get(status) ?? 0) + 1);
      const seconds = milliseconds / 1000;
      count.seconds += seconds;
      let bucket = 0;
      while (bucket < bucketBounds.length && seconds > bucketBounds[bucket]!) bucket += 1;
      count.buckets[bucket]! += 1;
    },
    inFlight: () => inFlight,
    all: () => counts,
  };
}
