// A queue in which somebody who comes often does not make others wait: networks take turns, and the accounts in each do.
// When it is full, it refuses the newest entry of whoever has the most entries.
import { fail } from '@sluice/contract';

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

interface QueueEntry {
  key: QueueKey;
  admit(): void;
  reject(error: Error): void;
}

/** At most `maxWaiting` entries; `retryAfter` is the number of seconds a 429 says to wait. */
export function createFairQueue({ maxWaiting, retryAfter }: { maxWaiting: number; retryAfter: number }): FairQueue {
  /** Both maps are in the order of turns: whoever had one goes to the end. */
  const networks = new Map<string, Map<string, QueueEntry[]>>();
  let size = 0;

  function remove(entry: QueueEntry): void {
    const [network, account] = entry.key;
    const accounts = networks.get(network);
    const entries = accounts?.get(account);
    if (!accounts || !entries) return;
    entries.splice(entries.indexOf(entry), 1);
    if (entries.length === 0) accounts.delete(account);
    if (accounts.size === 0) networks.delete(network);
    size -= 1;
  }

  function add(entry: QueueEntry): void {
    const [network, account] = entry.key;
    const accounts = networks.get(network) ?? new Map<string, QueueEntry[]>();
    const entries = accounts.get(account) ?? [];
    networks.set(network, accounts.set(account, [...entries, entry]));
    size += 1;
  }

  /** The entry that has to go: of the fullest, and among equals of whoever came last. */
  function findEntryToEvict([network, account]: QueueKey): QueueEntry | undefined {
    const fullest = findLongest(networks, network, (accounts) => countEntries(accounts));
    return findLongest(fullest, account, (entries) => entries.length)?.at(-1);
  }

  return {
    get size() {
      return size;
    },
    async wait(key, call) {
      const signal = call?.signal;
      if (signal?.aborted) throw fail('session.gone');
      let onAbort: (() => void) | undefined;
      try {
        await new Promise<void>((admit, reject) => {
          const entry: QueueEntry = { key, admit, reject };
          add(entry);
          onAbort = () => {
            remove(entry);
            reject(fail('session.gone'));
          };
          signal?.addEventListener('abort', onAbort, { once: true });
          const evicted = size > maxWaiting ? findEntryToEvict(key) : undefined;
          if (!evicted) return;
          remove(evicted);
          evicted.reject(fail('session.tooMany', undefined, { retryAfter }));
        });
      } finally {
        if (onAbort) signal?.removeEventListener('abort', onAbort);
      }
    },
    admitNext() {
      const [network, accounts] = networks.entries().next().value ?? [];
      const [account, entries] = accounts?.entries().next().value ?? [];
      const entry = entries?.[0];
      if (network === undefined || account === undefined || !accounts || !entries || !entry) return false;
      networks.delete(network);
      accounts.delete(account);
      if (entries.length > 1) accounts.set(account, entries.slice(1));
      if (accounts.size > 0) networks.set(network, accounts);
      size -= 1;
      entry.admit();
      return true;
    },
  };
}

const countEntries = (accounts: Map<string, QueueEntry[]>): number =>
  [...accounts.values()].reduce((total, entries) => total + entries.length, 0);

/** The longest of some lists; that of `preferred` where none is longer. */
function findLongest<T>(
  lists: Map<string, T> | undefined,
  preferred: string,
  lengthOf: (list: T) => number,
): T | undefined {
  if (!lists) return undefined;
  let longest = lists.get(preferred);
  for (const list of lists.values()) if (longest === undefined || lengthOf(list) > lengthOf(longest)) longest = list;
  return longest;
}
