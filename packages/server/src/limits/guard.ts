// The bound of waiting for counters: a call waits for the store of them for so long, then it goes on uncounted or is refused, as
// a setting says. While the store is away nobody waits.
import { fail, type MaybePromise } from '@sluice/contract';
import type { CounterStore, Hit, HitResult } from './counter.ts';

export interface GuardParts {
  counters: CounterStore & { isWaiting?(): boolean };
  /** Milliseconds a call waits at most. */
  timeout: number;
  /** Whether calls are refused that cannot be counted. */
  refuses: boolean;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
}

export interface Guard {
  /** Undefined where the call goes on uncounted; throws `limit.uncounted` where it does not. */
  hit(hits: readonly Hit[]): MaybePromise<HitResult[] | undefined>;
  isAway(): boolean;
  /** Calls that were not counted. */
  uncounted(): number;
}

/** Milliseconds after a failure until the store is asked again. */
const retryPause = 500;

export function guardCounters({ counters, timeout, refuses, log }: GuardParts): Guard {
  let isAway = false;
  let retryAt = 0;
  let uncounted = 0;
  /** Calls whose hits are under way. */
  let pending = 0;

  function giveUp(): undefined {
    uncounted += 1;
    if (refuses) throw fail('limit.uncounted', undefined, { retryAfter: 1 });
    return undefined;
  }

  function lose(error: unknown): void {
    retryAt = performance.now() + retryPause;
    if (isAway) return;
    isAway = true;
    const outcome = refuses ? 'are refused' : 'go on uncounted';
    log.warn({ err: error }, `The store of counters is away; calls that limits concern ${outcome} until it is back.`);
  }

  function comeBack(): void {
    if (!isAway) return;
    isAway = false;
    log.info({ uncounted }, 'The store of counters is back.');
  }

  async function withinTimeout(counting: Promise<HitResult[]>): Promise<HitResult[] | undefined> {
    pending += 1;
    const done = counting.then(
      (results) => {
        comeBack();
        return results;
      },
      (error: unknown) => {
        lose(error);
        return undefined;
      },
    );
    void done.finally(() => {
      pending -= 1;
    });
    const results = await Promise.race([done, timedOut(done)]);
    if (results) return results;
    if (results === timeoutMark) lose(new Error(`no answer within ${timeout} ms`));
    return giveUp();
  }

  /** Resolves when the time is over; a process that hands over needs its own, and is not away. */
  function timedOut(done: Promise<unknown>): Promise<typeof timeoutMark> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout;
      const check = () => {
        // After a pause of this process the answer is here, but not read yet.
        setImmediate(() => setImmediate(() => (counters.isWaiting?.() ? start() : resolve(timeoutMark))));
      };
      const start = () => {
        timer = setTimeout(check, timeout);
      };
      start();
      void done.finally(() => clearTimeout(timer));
    });
  }

  return {
    hit(hits) {
      // One call at a time finds out whether it is back.
      if (isAway && (pending > 0 || performance.now() < retryAt)) return giveUp();
      const counting = counters.hit(hits);
      return counting instanceof Promise ? withinTimeout(counting) : counting;
    },
    isAway: () => isAway,
    uncounted: () => uncounted,
  };
}

const timeoutMark = null;
