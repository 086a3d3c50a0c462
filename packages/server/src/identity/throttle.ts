// Failed sign-ins slow down whoever fails: per account and per address, in memory. There is no lockout
// (contract/sessions-and-accounts.md §3): the answer comes later and stays what it is.
import { setTimeout as realSleep } from 'node:timers/promises';
import { fail } from '@sluice/contract';
import { LRUCache } from 'lru-cache';

/** Failures without a delay; an address may be that of many people. */
const free = { account: 3, address: 20 };
/** Milliseconds: the first delay, doubled by each failure, up to the last. */
const delays = { first: 250, last: 4000 };
/** Milliseconds after which one failure is forgotten. */
const forgetting = 30_000;
/** Attempts that may be waiting at once: from one address, and in all. */
const waiting = { address: 10, all: 500 };
const remembered = 10_000;

export interface Throttle {
  /**
   * Waits as long as earlier failures of the account and the address ask for. Whether this attempt is right has no
   * part in it, so the time tells nothing. Throws the 401 of a wrong password when one address piles up attempts.
   */
  wait(account: string, address: string): Promise<void>;
  failed(account: string, address: string): void;
  /** Forgets the failures of the account; those of the address only fade, or one good account would pay for guesses. */
  succeeded(account: string): void;
}

interface Count {
  failures: number;
  at: number;
}

/** `sleep` waits some milliseconds; a test may only take note of them. */
export function createThrottle(sleep: (milliseconds: number) => Promise<unknown> = realSleep): Throttle {
  const accounts = new LRUCache<string, Count>({ max: remembered });
  const addresses = new LRUCache<string, Count>({ max: remembered });
  const waitingFrom = new Map<string, number>();
  let waitingInAll = 0;

  return {
    async wait(account, address) {
      const from = networkOf(address);
      const delay = Math.max(
        delayOf(current(accounts, accountKey(account)), free.account),
        delayOf(current(addresses, from), free.address),
      );
      if (delay === 0) return;
      const already = waitingFrom.get(from) ?? 0;
      if (already >= waiting.address) throw fail('session.credentials');
      if (waitingInAll >= waiting.all) throw fail('http.overloaded');
      waitingFrom.set(from, already + 1);
      waitingInAll += 1;
      try {
        await sleep(delay);
      } finally {
        waitingInAll -= 1;
        const left = (waitingFrom.get(from) ?? 1) - 1;
        if (left === 0) waitingFrom.delete(from);
        else waitingFrom.set(from, left);
      }
    },
    failed(account, address) {
      count(accounts, accountKey(account));
      count(addresses, networkOf(address));
    },
    succeeded(account) {
      accounts.delete(accountKey(account));
    },
  };
}

/** The delay in milliseconds after so many failures. */
export function delayOf(failures: number, free: number): number {
  const beyond = failures - free;
  return beyond < 0 ? 0 : Math.min(delays.last, delays.first * 2 ** Math.min(beyond, 10));
}

function current(counts: LRUCache<string, Count>, key: string): number {
  const known = counts.get(key);
  return known ? Math.max(0, known.failures - Math.floor((Date.now() - known.at) / forgetting)) : 0;
}

function count(counts: LRUCache<string, Count>, key: string): void {
  counts.set(key, { failures: Math.min(50, current(counts, key)) + 1, at: Date.now() });
}

const accountKey = (account: string) => account.trim().toLowerCase().slice(0, 255);

/** One caller of IPv6 has a whole /64 of addresses to fail from. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail === undefined) return groups.slice(0, 4).join(':');
  const rest = tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
