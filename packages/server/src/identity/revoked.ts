// Which tokens were ended before their time. One row a token (sign-out, renewal); a person's tokens all at once by
// `tokens_valid_from` of their row (contract/sessions-and-accounts.md §4).
import { concerns, type Store } from '../store/index.ts';
import { remember } from './cache.ts';
import { type Claims, seconds } from './tokens.ts';

/** Tokens whose state is remembered. */
const remembered = 50_000;
/** Seconds a row outlives the last moment its token could have been renewed. */
const grace = 60;

export interface Revoked {
  has(claims: Claims): Promise<boolean>;
  /** Ends a token; false when it was ended before, so that of two renewals at once only one gets a new token. */
  add(claims: Claims): Promise<boolean>;
  /** Deletes the rows of tokens that are dead anyway. */
  purge(): Promise<void>;
}

/** `refreshMinutes` is how long after its first issue a token may be renewed. */
export function revokedTokens(store: Store, refreshMinutes: number): Revoked {
  const known = remember<string, boolean>(remembered, async (jti) => {
    const row = await store.db.selectFrom('revoked_token').select('jti').where('jti', '=', jti).executeTakeFirst();
    return row !== undefined;
  });
  store.bus.subscribe((change) => {
    if (!concerns(change, 'revoked_token')) return;
    const { keys } = change;
    if (keys) for (const jti of keys) known.drop(jti);
    else known.clear();
  });
  return {
    has: ({ jti }) => known.get(jti),
    async add(claims) {
      const row = { jti: claims.jti, expires_at: Math.max(claims.exp, claims.iat + refreshMinutes * 60) + grace };
      const isNew = await insertOnce(store, row);
      await store.bus.publish({ table: 'revoked_token', keys: [claims.jti] });
      return isNew;
    },
    async purge() {
      await store.db.deleteFrom('revoked_token').where('expires_at', '<', seconds()).execute();
    },
  };
}

/** "Insert or ignore" is spelled differently by every engine; the key decides who was first. */
async function insertOnce({ db }: Store, row: { jti: string; expires_at: number }): Promise<boolean> {
  try {
    await db.insertInto('revoked_token').values(row).execute();
    return true;
  } catch (error) {
    const there = await db.selectFrom('revoked_token').select('jti').where('jti', '=', row.jti).executeTakeFirst();
    if (there) return false;
    throw error;
  }
}

/** Seconds by which the clock of another process's machine may be ahead of this one. */
const skew = 10;

/**
 * The value of `tokens_valid_from` that ends every token of a person issued so far, `current` being the one before. A
 * token of a machine whose clock is ahead bears a later time than now, so the value lies ahead as well; the next token
 * is dated at least this value, wherever it is issued.
 */
export function nextValidFrom(current: number): number {
  return Math.max(seconds() + skew, Number(current)) + 1;
}
