// A queue in which one who comes often does not make others wait: networks take turns, and in each its accounts.
// When it is full, the newest of whoever has the most in it is turned away.
import { fail } from '@sluice/contract';

/** Whose turn it is: the network address and, in it, the account. */
export type Lane = readonly [network: string, account: string];

/** Where an attempt comes from, as far as a queue asks: its place is free again when the caller goes away. */
export interface Leaving {
  readonly signal?: AbortSignal | undefined;
}

export interface FairQueue {
  readonly size: number;
  /** Waits for its turn; throws the 429 when turned away, and `session.gone` when the caller went away. */
  wait(lane: Lane, from?: Leaving): Promise<void>;
  /** Lets the next one go; false when nobody waits. */
  next(): boolean;
}

interface Place {
  lane: Lane;
  go(): void;
  refuse(error: Error): void;
}

/** `most` places; `retryAfter` are the seconds a 429 tells to wait. */
export function createFairQueue({ most, retryAfter }: { most: number; retryAfter: number }): FairQueue {
  /** Both maps in the order of turns: who had one goes to the end. */
  const networks = new Map<string, Map<string, Place[]>>();
  let size = 0;

  function remove(place: Place): void {
    const [network, account] = place.lane;
    const accounts = networks.get(network);
    const places = accounts?.get(account);
    if (!accounts || !places) return;
    places.splice(places.indexOf(place), 1);
    if (places.length === 0) accounts.delete(account);
    if (accounts.size === 0) networks.delete(network);
    size -= 1;
  }

  function add(place: Place): void {
    const [network, account] = place.lane;
    const accounts = networks.get(network) ?? new Map<string, Place[]>();
    const places = accounts.get(account) ?? [];
    networks.set(network, accounts.set(account, [...places, place]));
    size += 1;
  }

  /** The place that has to go; of equals the one of who came last. */
  function surplus([network, account]: Lane): Place | undefined {
    const fullest = longest(networks, network, (accounts) => sum(accounts));
    return longest(fullest, account, (places) => places.length)?.at(-1);
  }

  return {
    get size() {
      return size;
    },
    async wait(lane, from) {
      const signal = from?.signal;
      if (signal?.aborted) throw fail('session.gone');
      let leave: (() => void) | undefined;
      try {
        await new Promise<void>((go, refuse) => {
          const place: Place = { lane, go, refuse };
          add(place);
          leave = () => {
            remove(place);
            refuse(fail('session.gone'));
          };
          signal?.addEventListener('abort', leave, { once: true });
          const turnedAway = size > most ? surplus(lane) : undefined;
          if (!turnedAway) return;
          remove(turnedAway);
          turnedAway.refuse(fail('session.tooMany', undefined, { retryAfter }));
        });
      } finally {
        if (leave) signal?.removeEventListener('abort', leave);
      }
    },
    next() {
      const [network, accounts] = networks.entries().next().value ?? [];
      const [account, places] = accounts?.entries().next().value ?? [];
      const place = places?.[0];
      if (network === undefined || account === undefined || !accounts || !places || !place) return false;
      networks.delete(network);
      accounts.delete(account);
      if (places.length > 1) accounts.set(account, places.slice(1));
      if (accounts.size > 0) networks.set(network, accounts);
      size -= 1;
      place.go();
      return true;
    },
  };
}

const sum = (accounts: Map<string, Place[]>): number =>
  [...accounts.values()].reduce((total, places) => total + places.length, 0);

/** The longest of some lanes; `preferred` where none is longer than it. */
function longest<T>(lanes: Map<string, T> | undefined, preferred: string, length: (lane: T) => number): T | undefined {
  if (!lanes) return undefined;
  let found = lanes.get(preferred);
  for (const lane of lanes.values()) if (found === undefined || length(lane) > length(found)) found = lane;
  return found;
}
