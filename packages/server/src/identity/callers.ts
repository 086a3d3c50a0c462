// Callers found before, by what they sent: a call whose key and token were just seen reads and computes nothing. Any
// change of the store's rows forgets them all, which costs little: what they are made of is remembered one by one.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../call/call.ts';
import type { Store } from '../store/index.ts';
import { seconds } from './tokens.ts';

const remembered = 20_000;

export interface Callers {
  /** The caller of a token and a key, both as sent; undefined when it has to be found. Not to be changed. */
  get(token: string | undefined, apiKey: string | undefined): Caller | undefined;
  /** Finds a caller and remembers it, unless something changed meanwhile. */
  find(token: string | undefined, apiKey: string | undefined, load: () => Promise<Caller>): Promise<Caller>;
}

export function rememberCallers({ bus }: Pick<Store, 'bus'>): Callers {
  const kept = new LRUCache<string, Caller>({ max: remembered });
  let changes = 0;
  bus.subscribe(() => {
    changes += 1;
    kept.clear();
  });
  return {
    get(token, apiKey) {
      const caller = kept.get(markOf(token, apiKey));
      return caller?.token && caller.token.expiresAt <= seconds() ? undefined : caller;
    },
    async find(token, apiKey, load) {
      const before = changes;
      const caller = await load();
      if (changes === before && (caller.user || caller.app)) kept.set(markOf(token, apiKey), caller);
      return caller;
    },
  };
}

/** Tokens and keys are kept nowhere as they are. The length tells where the one ends and the other begins. */
const markOf = (token = '', apiKey = ''): string => hash('sha256', `${token.length} ${token}${apiKey}`, 'base64url');
