// Which tokens ended before their time: single tokens have a row each (sign-out, renewal); all tokens of a person end by
// `tokens_valid_from` in their row (contract/sessions-and-accounts.md §4).
import { affects, type Store } from '../store/index.ts';
import { createLoadingCache } from './cache.ts';
import { type Claims, nowInSeconds } from './tokens.ts';

/** Tokens whose state is remembered. */
const maxTokens = 50_000;
/** Seconds for which a row outlives the last moment its token could have been renewed. */
const graceSeconds = 60;

export interface RevocableToken {
  jti: string;
  /** When it can be neither used nor renewed any more (seconds). */
  endsAt: number;
}

export interface RevokedTokens {
  has(claims: Pick<Claims, 'jti'>): Promise<boolean>;
  /** Ends a token; false when it had ended before, so that of two renewals at once only one gets a new token. */
  add(token: RevocableToken): Promise<boolean>;
  /** Deletes the rows of tokens that could not be used anyway. */
  purge(): Promise<void>;
}

export function createRevokedTokens(store: Store): RevokedTokens {
  const cache = createLoadingCache<string, boolean>(maxTokens, async (jti) => {
    const row = await store.db.selectFrom('revoked_token').select('jti').where('jti', '=', jti).executeTakeFirst();
    return row !== undefined;
  });
  store.bus.subscribe((change) => {
    if (!affects(change, 'revoked_token')) return;
    const { keys } = change;
    if (keys) for (const jti of keys) cache.drop(jti);
    else cache.clear();
  });
  return {
    has: ({ jti }) => cache.get(jti),
    async add({ jti, endsAt }) {
      const isNew = await insertOnce(store, { jti, expires_at: endsAt + graceSeconds });
      await store.bus.publish({ table: 'revoked_token', keys: [jti] });
      return isNew;
    },
    async purge() {
      await store.db.deleteFrom('revoked_token').where('expires_at', '<', nowInSeconds()).execute();
    },
  };
}

/** Every engine spells "insert or ignore" differently; the primary key decides who was first. */
async function insertOnce({ db }: Store, row: { jti: string; expires_at: number }): Promise<boolean> {
  try {
    await db.insertInto('revoked_token').values(row).execute();
    return true;
  } catch (error) {
    const existing = await db.selectFrom('revoked_token').select('jti').where('jti', '=', row.jti).executeTakeFirst();
    if (existing) return false;
    throw error;
  }
}

/** Seconds by which the clock of another process's machine may be ahead of this one. */
const maxClockSkew = 10;

/**
 * The value of `tokens_valid_from` that ends every token of a person issued so far; `current` is the value before. A
 * token of a machine whose clock is ahead has a later time than now, so the value lies ahead as well; the next token
 * is dated at least this value, wherever it is issued.
 */
export function nextValidFrom(current: number): number {
  return Math.max(nowInSeconds() + maxClockSkew, Number(current)) + 1;
}
