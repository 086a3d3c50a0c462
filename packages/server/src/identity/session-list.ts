// The sessions of people as they see and end them (contract/sessions-and-accounts.md §13). A list beside the tokens: a token is
// good by its signature and what is revoked, and one that is not listed is as good as any.
import { Failure, type ListedSession } from '@sluice/contract';
import type { Origin } from '../audit/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Store } from '../store/index.ts';
import { nextValidFrom, type RevocableToken, type RevokedTokens } from './revoked.ts';
import { nowInSeconds } from './tokens.ts';

export type SessionOrigin = Pick<Origin, 'ip' | 'userAgent'>;

/** A token as the list keeps it, without its text. */
export interface ListedToken extends RevocableToken {
  userId: number;
  /** Its `iat` (seconds). */
  issuedAt: number;
}

export interface SessionList {
  /** Adds the session of a new token. A store that cannot be written keeps nobody out: the session is not listed then. */
  add(token: ListedToken, origin: SessionOrigin): Promise<void>;
  /** The listed session of a token. */
  find(jti: string): Promise<FoundSession | undefined>;
  /** The session goes on with another token; false when it was ended meanwhile. */
  renew(session: FoundSession, token: ListedToken, origin: SessionOrigin): Promise<boolean>;
  /** Notes that a token is used; costs no wait. */
  noteUse(jti: string): void;
  /** The sessions of a person that may go on, the one used last first; `currentJti` is the token of the call that asks. */
  read(userId: number, currentJti: string | undefined): Promise<ListedSession[]>;
  /** Ends a session of a person for good; false when they have no such session. */
  end(userId: number, id: number): Promise<boolean>;
  /** Ends every session of a person, the unlisted ones too. */
  endAll(userId: number): Promise<void>;
  /** Takes the session of a revoked token off the list. */
  forget(jti: string): Promise<void>;
  /** Deletes what ended. */
  purge(): Promise<void>;
  /** Writes which sessions were used and are not noted yet. */
  close(): Promise<void>;
}

interface FoundSession {
  id: number;
  jti: string;
}

/** Sessions of a person that are listed: the ones used last. Others go on, and come back into the list when renewed. */
const maxSessions = 200;
/** Sessions whose use is noted between two writes. */
const maxNoted = 50_000;
/** Milliseconds between two writes. */
const writeInterval = 60_000;
/** Tokens of one statement. */
const batchSize = 500;
/** How often it is tried to end a session that is being renewed. */
const maxTries = 5;
const maxAgentLength = 255;
const maxAddressLength = 64;

interface SessionListParts {
  store: Store;
  revoked: RevokedTokens;
  jobs: Pick<Jobs, 'repeat'>;
}

export function createSessionList({ store, revoked, jobs }: SessionListParts): SessionList {
  const { db } = store;
  let used = new Set<string>();

  const originColumns = ({ ip, userAgent }: SessionOrigin) => ({
    ip_address: ip === '' ? null : ip.slice(0, maxAddressLength),
    user_agent: userAgent === null || userAgent === '' ? null : userAgent.slice(0, maxAgentLength),
  });
  const tokenColumns = ({ jti, issuedAt, endsAt }: ListedToken) => ({ jti, issued_at: issuedAt, ends_at: endsAt });

  async function writeUses(): Promise<void> {
    const tokens = [...used];
    used = new Set();
    const last_use_date = new Date().toISOString();
    for (let start = 0; start < tokens.length; start += batchSize)
      await db
        .updateTable('session')
        .set({ last_use_date })
        .where('jti', 'in', tokens.slice(start, start + batchSize))
        .execute();
  }

  /** A program that signs in for each of its calls must not fill the store. */
  async function forgetOldest(userId: number): Promise<void> {
    const rows = await db
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('last_use_date', 'desc')
      .orderBy('id', 'desc')
      .limit(batchSize)
      .offset(maxSessions)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await db.deleteFrom('session').where('id', 'in', ids).execute();
  }

  jobs.repeat(writeInterval, 'Noting which sessions are used', writeUses);

  return {
    async add(token, origin) {
      const now = new Date().toISOString();
      const dates = { created_date: now, last_use_date: now };
      try {
        const row = { user_id: token.userId, ...tokenColumns(token), ...dates, ...originColumns(origin) };
        await store.insert(db, 'session', row);
        await forgetOldest(token.userId);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    },

    find: (jti) => db.selectFrom('session').select(['id', 'jti']).where('jti', '=', jti).executeTakeFirst(),

    async renew({ id, jti }, token, origin) {
      const changes = { ...tokenColumns(token), ...originColumns(origin), last_use_date: new Date().toISOString() };
      const { numUpdatedRows } = await db
        .updateTable('session')
        .set(changes)
        .where('id', '=', id)
        .where('jti', '=', jti)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    noteUse(jti) {
      if (used.size < maxNoted) used.add(jti);
    },

    async read(userId, currentJti) {
      await writeUses();
      const rows = await db
        .selectFrom('session')
        .innerJoin('user', 'user.id', 'session.user_id')
        .selectAll('session')
        .where('session.user_id', '=', userId)
        .where('session.ends_at', '>', nowInSeconds())
        .whereRef('session.issued_at', '>=', 'user.tokens_valid_from')
        .orderBy('session.last_use_date', 'desc')
        .orderBy('session.id', 'desc')
        .limit(maxSessions)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        user_agent: row.user_agent,
        ip_address: row.ip_address,
        created_date: row.created_date,
        last_use_date: row.last_use_date,
        expires_date: new Date(Number(row.ends_at) * 1000).toISOString(),
        is_current: row.jti === currentJti,
      }));
    },

    async end(userId, id) {
      for (let tries = 0; tries < maxTries; tries++) {
        const row = await db
          .selectFrom('session')
          .select(['jti', 'ends_at'])
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirst();
        if (!row) return tries > 0;
        // Revoked first: a renewal that comes between the two finds its token gone, or its session.
        await revoked.add({ jti: row.jti, endsAt: Number(row.ends_at) });
        const { numDeletedRows } = await db
          .deleteFrom('session')
          .where('id', '=', id)
          .where('jti', '=', row.jti)
          .executeTakeFirst();
        if (numDeletedRows > 0n) return true;
      }
      return true;
    },

    async endAll(userId) {
      await store.transaction(async (transaction) => {
        // Locked: a token that another call gives out at this moment is ended, or comes after.
        const row = await transaction
          .selectFrom('user')
          .select('tokens_valid_from')
          .where('id', '=', userId)
          .modifyEnd(store.sql.forUpdate)
          .executeTakeFirst();
        // Not a change of the record as others edit it, so its version and dates stay.
        if (row)
          await transaction
            .updateTable('user')
            .set({ tokens_valid_from: nextValidFrom(row.tokens_valid_from) })
            .where('id', '=', userId)
            .execute();
      });
      await store.bus.publish({ table: 'user', ids: [userId] });
    },

    async forget(jti) {
      await db.deleteFrom('session').where('jti', '=', jti).execute();
    },

    async purge() {
      await db.deleteFrom('session').where('ends_at', '<', nowInSeconds()).execute();
      await db
        .deleteFrom('session')
        .where((where) => {
          const person = where
            .selectFrom('user')
            .select('tokens_valid_from')
            .whereRef('user.id', '=', 'session.user_id');
          return where('issued_at', '<', person);
        })
        .execute();
    },

    close: writeUses,
  };
}
