// What guessing costs: each try is counted before anything is compared and taken back when it was right. Who tries faster
// than a budget fills up waits in its queue; a full queue is a 429 (contract/sessions-and-accounts.md §3). In memory, of
// this process; the budget of all hashing is in passwords.ts.
import { hash } from 'node:crypto';
import { fail } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { createFairQueue, type FairQueue, type Lane, type Leaving } from './fair-queue.ts';

interface Budget {
  /** Tries at once. */
  burst: number;
  /** Milliseconds after which there is one more. */
  every: number;
  /** Tries that may wait. */
  waiting: number;
  /** How many of its buckets are remembered. */
  remembered: number;
}

/**
 * An account from one network address, and a network address, which may be that of many people. A right password is taken
 * back at once, so people meet these by mistyping only.
 */
const pairBudget: Budget = { burst: 5, every: 6_000, waiting: 2, remembered: 100_000 };
const networkBudget: Budget = { burst: 40, every: 500, waiting: 20, remembered: 20_000 };
/**
 * Milliseconds an account counts as one that a network address has failed for. Tries that are turned away are remembered,
 * too: driving another's count out takes `pairBudget.remembered` of them, minutes of all that this process answers.
 */
const failureSpan = 5 * 60_000;
/** Tries that may wait in all: each holds a connection. */
const mostWaiting = 500;
/** Characters of an account's name that are looked at; there is no longer one. */
const accountLength = 255;

/** A try of somebody who says they are `account`. */
export interface Guess {
  account: string;
  address: string;
  from?: Leaving;
}

export interface Throttle {
  /**
   * Runs `check` as soon as the budgets allow it and answers what it answers: whether the guess was right. What `check`
   * throws counts as no try. Throws the 429 where a queue is full, and `session.gone` when the caller went away.
   */
  judge(guess: Guess, check: () => Promise<boolean>): Promise<boolean>;
}

interface Bucket {
  /** Tries spent at the moment `at`; they are given back with time. */
  spent: number;
  at: number;
  /** When a try was wrong last. */
  failedAt: number;
  queue?: FairQueue;
  timer?: NodeJS.Timeout;
}

/** `now` tells milliseconds that only go forward. */
export function createThrottle(now: () => number = () => performance.now()): Throttle {
  const pairs = new LRUCache<string, Bucket>({ max: pairBudget.remembered });
  const networks = new LRUCache<string, Bucket>({ max: networkBudget.remembered });
  let waiting = 0;

  const spentNow = ({ spent, at }: Bucket, { every }: Budget) => Math.max(0, spent - (now() - at) / every);

  /** Counts a try, or takes one back. Nobody gets deeper into debt than a second burst. */
  function count(bucket: Bucket, budget: Budget, tries: 1 | -1): void {
    bucket.spent = Math.min(Math.max(0, spentNow(bucket, budget) + tries), 2 * budget.burst);
    bucket.at = now();
  }

  const hasRoom = (bucket: Bucket, budget: Budget) => spentNow(bucket, budget) + 1 <= budget.burst;

  /** Lets go whom the budget allows, and looks again when it allows the next. */
  function letGo(bucket: Bucket, budget: Budget): void {
    clearTimeout(bucket.timer);
    while (bucket.queue && hasRoom(bucket, budget) && bucket.queue.next()) count(bucket, budget, 1);
    if (!bucket.queue?.size) return;
    const missing = spentNow(bucket, budget) + 1 - budget.burst;
    bucket.timer = setTimeout(() => letGo(bucket, budget), Math.ceil(missing * budget.every));
  }

  function takeBack(bucket: Bucket, budget: Budget): void {
    count(bucket, budget, -1);
    letGo(bucket, budget);
  }

  /** Counts a try as soon as the budget has room for it. */
  async function spend(bucket: Bucket, budget: Budget, lane: Lane, from?: Leaving): Promise<void> {
    if (hasRoom(bucket, budget) && !bucket.queue?.size) return count(bucket, budget, 1);
    const retryAfter = Math.ceil(budget.every / 1000);
    if (waiting >= mostWaiting) throw fail('session.tooMany', undefined, { retryAfter });
    bucket.queue ??= createFairQueue({ most: budget.waiting, retryAfter });
    waiting += 1;
    try {
      const turn = bucket.queue.wait(lane, from);
      letGo(bucket, budget);
      await turn;
    } finally {
      waiting -= 1;
    }
  }

  return {
    async judge({ account, address, from }, check) {
      const lane = laneOf(address, account);
      const pair = bucketOf(pairs, hash('sha256', JSON.stringify(lane), 'base64url'));
      const network = bucketOf(networks, lane[0]);
      // What others did at this network address, at other accounts, is nothing to somebody who did not fail.
      const hasFailed = pair.failedAt > now() - failureSpan || spentNow(pair, pairBudget) > 0;
      await spend(pair, pairBudget, lane, from);
      try {
        if (hasFailed) await spend(network, networkBudget, lane, from);
        else count(network, networkBudget, 1);
      } catch (error) {
        takeBack(pair, pairBudget);
        throw error;
      }
      let counts = false;
      try {
        const isRight = await check();
        counts = !isRight;
        return isRight;
      } finally {
        if (counts) {
          pair.failedAt = now();
        } else {
          takeBack(pair, pairBudget);
          takeBack(network, networkBudget);
        }
      }
    },
  };
}

function bucketOf(buckets: LRUCache<string, Bucket>, key: string): Bucket {
  const known = buckets.get(key);
  if (known) return known;
  const bucket: Bucket = { spent: 0, at: 0, failedAt: Number.NEGATIVE_INFINITY };
  buckets.set(key, bucket);
  return bucket;
}

/** All ways to write the name of one account are one account, and all addresses of a network are one. */
export const laneOf = (address: string, account: string): Lane => [
  networkOf(address),
  account.trim().slice(0, accountLength).normalize('NFKC').toLowerCase(),
];

/** One caller of IPv6 has a whole /64 of addresses to fail from; an IPv4 address written as IPv6 is that address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const [head = '', tail] = plain.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').flatMap(hexGroups));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const all = [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ''));
  const isMapped = all.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? dotted(all.slice(6)) : all.slice(0, 4).join(':');
}

/** The groups of a piece of an address, whose last may be written like IPv4. */
function hexGroups(piece: string): string[] {
  if (!piece.includes('.')) return [piece];
  const [a = 0, b = 0, c = 0, d = 0] = piece.split('.').map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}

const dotted = (groups: string[]): string =>
  groups
    .flatMap((group) => {
      const number = Number.parseInt(group, 16);
      return [number >> 8, number & 255];
    })
    .join('.');
