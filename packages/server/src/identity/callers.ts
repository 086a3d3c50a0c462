// Remembers callers by what they sent: a call whose key and token were seen recently reads and computes nothing. Any
// change of the store's rows clears the cache, which costs little: what callers are made of is remembered piece by piece.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller, Credentials } from '../call/call.ts';
import type { Store } from '../store/index.ts';
import { nowInSeconds } from './tokens.ts';

const maxCallers = 20_000;
/** Bytes of lookup keys that callers hold; a caller with more than the second is not cached. */
const lookupBytes = { all: 64 * 1024 * 1024, one: 1024 * 1024 };

type TokenAndKey = Pick<Credentials, 'token' | 'apiKey'>;

export interface CallerCache {
  /** The caller of a token and a key; undefined when it has to be loaded. Not to be changed. */
  get(credentials: TokenAndKey): Caller | undefined;
  /** Loads a caller and remembers it, unless something changed meanwhile. */
  load(credentials: TokenAndKey, load: () => Promise<Caller>): Promise<Caller>;
}

export function createCallerCache({ bus }: Pick<Store, 'bus'>): CallerCache {
  const cache = new LRUCache<string, Caller>({
    max: maxCallers,
    maxSize: lookupBytes.all,
    maxEntrySize: lookupBytes.one,
    sizeCalculation: ({ lookups }) => 1 + (lookups.bytes ?? 0),
  });
  let changeCount = 0;
  bus.subscribe(() => {
    changeCount += 1;
    cache.clear();
  });
  return {
    get(credentials) {
      const caller = cache.get(fingerprintOf(credentials));
      return caller?.token && caller.token.expiresAt <= nowInSeconds() ? undefined : caller;
    },
    async load(credentials, load) {
      const countBefore = changeCount;
      const caller = await load();
      if (changeCount === countBefore && (caller.user || caller.app)) cache.set(fingerprintOf(credentials), caller);
      return caller;
    },
  };
}

/** Of credentials that a connection sends again and again (`http/credentials.ts`). */
const fingerprints = new WeakMap<TokenAndKey, string>();

/** No key of the cache is a token or a key itself. The length tells where one ends and the other begins. */
function fingerprintOf(credentials: TokenAndKey): string {
  let fingerprint = fingerprints.get(credentials);
  if (fingerprint === undefined) {
    const { token = '', apiKey = '' } = credentials;
    fingerprint = hash('sha256', `${token.length} ${token}${apiKey}`, 'base64url');
    fingerprints.set(credentials, fingerprint);
  }
  return fingerprint;
}
