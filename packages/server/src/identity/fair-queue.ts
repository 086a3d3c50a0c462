// A fair queue: round robin over networks, and over the accounts in each. When it is full, it refuses the newest entry of
// the key with the most entries.
import { fail } from '@sluice/contract';
import { TurnQueue, type Waiter, waitInTurn } from '@sluice/sql';

/** Whose turns an entry uses: those of a network address and, in it, of an account. */
export type QueueKey = readonly [network: string, account: string];

/** A call as far as a queue needs it: its entry is free again when the caller goes away. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

export interface FairQueue {
  readonly size: number;
  /** Waits for its turn; throws the 429 when refused, and `session.gone` when the caller went away. */
  wait(key: QueueKey, call?: Abortable): Promise<void>;
  /** Admits the next entry; false when nobody waits. */
  admitNext(): boolean;
}

/** At most `maxWaiting` entries; `retryAfter` is the number of seconds a 429 says to wait. */
export function createFairQueue({ maxWaiting, retryAfter }: { maxWaiting: number; retryAfter: number }): FairQueue {
  const queue = new TurnQueue<Waiter>();
  const refusal = () => fail('session.tooMany', undefined, { retryAfter });

  function join(key: QueueKey, waiter: Waiter): void {
    queue.add(key, waiter);
    if (queue.size > maxWaiting) queue.takeNewestOfFullest(key)?.reject(refusal());
  }

  return {
    get size() {
      return queue.size;
    },
    wait: (key, call) =>
      waitInTurn(
        {
          join: (waiter) => join(key, waiter),
          leave: (waiter) => queue.remove(key, waiter),
          goneFailure: () => fail('session.gone'),
        },
        { signal: call?.signal },
      ),
    admitNext() {
      const next = queue.next();
      next?.admit();
      return next !== undefined;
    },
  };
}
