// What guessing costs: each try is counted before anything is compared, and refunded when it was right. Attempts
// beyond a budget wait in its queue; a full queue is a 429 (contract/sessions-and-accounts.md §3). Counted in
// memory, by each process; the budget of all hashing is in passwords.ts.
import { hash } from 'node:crypto';
import { fail } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../call/caller-key.ts';
import { type Abortable, createFairQueue, type FairQueue, type QueueKey } from './fair-queue.ts';

interface Budget {
  /** Tries at once. */
  burst: number;
  /** Milliseconds after which there is one more. */
  interval: number;
  /** Tries that may wait. */
  maxWaiting: number;
  /** Buckets of it that are remembered. */
  maxBuckets: number;
}

/**
 * For an account from one network address, and for a network address, which many people may share. A right password is
 * refunded at once, so people meet these budgets by mistyping only.
 */
const pairBudget: Budget = { burst: 5, interval: 6_000, maxWaiting: 2, maxBuckets: 100_000 };
const networkBudget: Budget = { burst: 40, interval: 500, maxWaiting: 20, maxBuckets: 20_000 };
/**
 * Milliseconds for which an account isWrong as one that a network address has failed for. Refused tries are remembered, too:
 * pushing another's bucket out takes `pairBudget.remembered` of them, minutes of all that this process answers.
 */
const failureWindow = 5 * 60_000;
/** Tries that may wait in all queues together: each holds a connection. */
const maxWaitingTotal = 500;
/** Characters of an account's name that are looked at; no account has a longer one. */
const maxAccountLength = 255;

/** A try of somebody who says they are `account`. */
export interface Guess {
  account: string;
  address: string;
  call?: Abortable;
}

export interface Throttle {
  /**
   * Runs `check` as soon as the budgets allow it and answers what it answers: whether the guess was right. A `check` that
   * throws does not count as a try. Throws the 429 where a queue is full, and `session.gone` when the caller went away.
   */
  judge(guess: Guess, check: () => Promise<boolean>): Promise<boolean>;
}

interface Bucket {
  /** Tries spent at the moment `updatedAt`; they come back with time. */
  spent: number;
  updatedAt: number;
  /** When a try was last wrong. */
  failedAt: number;
  queue?: FairQueue;
  timer?: NodeJS.Timeout;
}

/** `now` tells milliseconds that only go forward. */
export function createThrottle(now: () => number = () => performance.now()): Throttle {
  const pairs = new LRUCache<string, Bucket>({ max: pairBudget.maxBuckets });
  const networks = new LRUCache<string, Bucket>({ max: networkBudget.maxBuckets });
  let waitingCount = 0;

  const currentlySpent = ({ spent, updatedAt }: Bucket, { interval }: Budget) =>
    Math.max(0, spent - (now() - updatedAt) / interval);

  /** Counts a try, or refunds one. Nobody gets deeper into debt than a second burst. */
  function addTries(bucket: Bucket, budget: Budget, tries: 1 | -1): void {
    bucket.spent = Math.min(Math.max(0, currentlySpent(bucket, budget) + tries), 2 * budget.burst);
    bucket.updatedAt = now();
  }

  const hasRoom = (bucket: Bucket, budget: Budget) => currentlySpent(bucket, budget) + 1 <= budget.burst;

  /** Admits as many as the budget allows, and looks again when it allows the next. */
  function admitWaiting(bucket: Bucket, budget: Budget): void {
    clearTimeout(bucket.timer);
    while (bucket.queue && hasRoom(bucket, budget) && bucket.queue.admitNext()) addTries(bucket, budget, 1);
    if (!bucket.queue?.size) return;
    const missing = currentlySpent(bucket, budget) + 1 - budget.burst;
    bucket.timer = setTimeout(() => admitWaiting(bucket, budget), Math.ceil(missing * budget.interval));
  }

  function refund(bucket: Bucket, budget: Budget): void {
    addTries(bucket, budget, -1);
    admitWaiting(bucket, budget);
  }

  /** Counts a try as soon as the budget has room for it. */
  async function spend(bucket: Bucket, budget: Budget, key: QueueKey, call?: Abortable): Promise<void> {
    if (hasRoom(bucket, budget) && !bucket.queue?.size) return addTries(bucket, budget, 1);
    const retryAfter = Math.ceil(budget.interval / 1000);
    if (waitingCount >= maxWaitingTotal) throw fail('session.tooMany', undefined, { retryAfter });
    bucket.queue ??= createFairQueue({ maxWaiting: budget.maxWaiting, retryAfter });
    waitingCount += 1;
    try {
      const admission = bucket.queue.wait(key, call);
      admitWaiting(bucket, budget);
      await admission;
    } finally {
      waitingCount -= 1;
    }
  }

  return {
    async judge({ account, address, call }, check) {
      const key = queueKeyOf(address, account);
      const pair = getBucket(pairs, hash('sha256', JSON.stringify(key), 'base64url'));
      const network = getBucket(networks, key[0]);
      // A guess at an account that did not fail from this address is not held back by what others did at other accounts.
      const hasFailedBefore = pair.failedAt > now() - failureWindow || currentlySpent(pair, pairBudget) > 0;
      await spend(pair, pairBudget, key, call);
      try {
        if (hasFailedBefore) await spend(network, networkBudget, key, call);
        else addTries(network, networkBudget, 1);
      } catch (error) {
        refund(pair, pairBudget);
        throw error;
      }
      let isWrong = false;
      try {
        const isRight = await check();
        isWrong = !isRight;
        return isRight;
      } finally {
        if (isWrong) {
          pair.failedAt = now();
        } else {
          refund(pair, pairBudget);
          refund(network, networkBudget);
        }
      }
    },
  };
}

function getBucket(buckets: LRUCache<string, Bucket>, key: string): Bucket {
  const existing = buckets.get(key);
  if (existing) return existing;
  const bucket: Bucket = { spent: 0, updatedAt: 0, failedAt: Number.NEGATIVE_INFINITY };
  buckets.set(key, bucket);
  return bucket;
}

/** However the name of an account is written, it is one account, and all addresses of a network are one. */
export const queueKeyOf = (address: string, account: string): QueueKey => [
  networkOf(address),
  account.trim().slice(0, maxAccountLength).normalize('NFKC').toLowerCase(),
];
