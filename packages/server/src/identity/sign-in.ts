// Checking a name and a password, for sign-in and for Basic credentials (contract/sessions-and-accounts.md §3).
import { createHmac, randomBytes } from 'node:crypto';
import { Failure, fail } from '@sluice/contract';
import type { Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Origin, originOf, type SignInAudit } from '../audit/index.ts';
import type { Caller } from '../call/call.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import type { UserTable } from '../store/tables.ts';
import { type Directory, type Person, personOf, rowByLogin } from './directory.ts';
import type { Leaving } from './fair-queue.ts';
import { hashPassword, type Turn, verifyPassword } from './passwords.ts';
import { laneOf, networkOf, type Throttle } from './throttle.ts';

/** Which of the two doors an account belongs to: `user/*` or `system/admin/*`. */
export type AccountKind = 'admin' | 'user';

export interface SignIn {
  /**
   * The person of a login and password. Unknown account, wrong password, wrong kind and inactive are one answer, in
   * the same time. Marks the account as confirmed and seen now.
   */
  person(kind: AccountKind, login: string, password: string, from: SignInFrom): Promise<Person>;
  /** The person of Basic credentials, of either kind; remembered for a minute, since every call carries them. */
  basic(credentials: { login: string; password: string }, from: SignInFrom): Promise<Person>;
  /** How many there were; credentials that were remembered are no new ones. */
  counts(): SignInCounts;
}

/** Where an attempt came from. */
export interface SignInFrom {
  app: Caller['app'];
  origin: Origin & Leaving;
}

export interface SignInCounts {
  succeeded: number;
  failed: number;
}

interface Parts {
  store: Store;
  settings: Pick<Settings, 'loginAttribute'>;
  directory: Directory;
  throttle: Throttle;
  audit: SignInAudit;
}

type UserRow = Selectable<UserTable>;

interface Attempt extends SignInFrom {
  /** The door; Basic credentials come by either. */
  kind?: AccountKind;
  login: string;
  password: string;
  /** Whose login it is, once that is known. */
  row?: UserRow;
  /** An administrator's right password at the users' door: clients try that one first, and the other next. */
  isDoorBefore?: boolean;
}

interface Verdict {
  /** Whose login it is, if it is anybody's. */
  row: UserRow | undefined;
  /** The password is theirs, and they are active. */
  isRight: boolean;
}

/** Characters of a login that the audit is told. */
const loginLimit = 255;

export function createSignIn({ store, settings, directory, throttle, audit }: Parts): SignIn {
  const attribute = settings.loginAttribute === 'username' ? 'username' : 'email';
  const markKey = randomBytes(32);
  /** What stands for a password where it is remembered. */
  const markOf = (...texts: string[]) =>
    createHmac('sha256', markKey).update(JSON.stringify(texts)).digest('base64url');
  const basicKnown = new LRUCache<string, { id: number; passwordMark: string }>({ max: 1000, ttl: 60_000 });

  const underWay = new Map<string, Promise<Verdict>>();
  const counts: SignInCounts = { succeeded: 0, failed: 0 };

  /** Counts an attempt and tells the audit of it, however it ends. */
  async function judged(attempt: Attempt, check: (attempt: Attempt) => Promise<Person>): Promise<Person> {
    try {
      const person = await check(attempt);
      counts.succeeded += 1;
      audit.tell(entryOf(attempt, 'ok'));
      return person;
    } catch (error) {
      // A store that is away says nothing of the password.
      if (error instanceof Failure && error.status < 500) {
        counts.failed += 1;
        if (!attempt.isDoorBefore) audit.tell(entryOf(attempt, error.message));
      }
      throw error;
    }
  }

  /** Tries with one login and password from one network address are one guess, however many come at once. */
  async function verdictOf(attempt: Attempt): Promise<Verdict> {
    const { login, password, origin } = attempt;
    const key = markOf(login, password, networkOf(origin.ip));
    for (let known = underWay.get(key); known; known = underWay.get(key)) {
      try {
        return await known;
      } catch (error) {
        // Whoever it was done for has left: the next one sees to it.
        if (!(error instanceof Failure) || error.key !== 'session.gone') throw error;
      }
    }
    const verdict = judge(attempt).finally(() => underWay.delete(key));
    underWay.set(key, verdict);
    return verdict;
  }

  async function judge({ login, password, origin }: Attempt): Promise<Verdict> {
    const turn = { lane: laneOf(origin.ip, login), from: origin };
    let row: UserRow | undefined;
    let needsRehash = false;
    const isRight = await throttle.judge({ account: login, address: origin.ip, from: origin }, async () => {
      row = await rowByLogin(store, attribute, login.trim());
      const verdict = await verifyPassword(password, row?.password, turn);
      needsRehash = verdict.needsRehash;
      // At whichever door: the other one may be tried next. Who is not active does not sign in at any.
      return verdict.matches && row?.is_active === 1;
    });
    if (isRight && needsRehash && row) row = await rehashed(row, password, turn);
    return { row, isRight };
  }

  async function rehashed(row: UserRow, password: string, turn: Turn): Promise<UserRow> {
    const hash = await hashPassword(password, turn);
    // Only over the hash that was compared: the password may have been changed in the meantime.
    await store.db
      .updateTable('user')
      .set({ password: hash })
      .where('id', '=', row.id)
      .where('password', '=', row.password)
      .execute();
    await store.bus.publish({ table: 'user', ids: [row.id] });
    return { ...row, password: hash };
  }

  /** A store that can be read but not written, its disk full, locks nobody out: who signs in may be the one to mend it. */
  async function markSeen(id: number, last_login_date: string): Promise<void> {
    try {
      // Not a change of the record as others edit it, so its version and dates stay.
      await store.db.updateTable('user').set({ last_login_date, confirm_code: 'y' }).where('id', '=', id).execute();
      await store.bus.publish({ table: 'user', ids: [id] });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  const byForm = async (attempt: Attempt): Promise<Person> => {
    const { row, isRight } = await verdictOf(attempt);
    attempt.row = row;
    attempt.isDoorBefore = isRight && row?.is_sys_admin === 1 && attempt.kind === 'user';
    if (!row || !isRight || (row.is_sys_admin === 1) !== (attempt.kind === 'admin')) throw fail('session.credentials');
    const found = await directory.roleOf(personOf(row).user, attempt.app);
    if (found?.isOwn && !found.role.isActive) throw fail('session.roleInactive');
    const last_login_date = new Date().toISOString();
    await markSeen(row.id, last_login_date);
    return personOf({ ...row, last_login_date });
  };

  const byBasic = async (attempt: Attempt): Promise<Person> => {
    const { row, isRight } = await verdictOf(attempt);
    attempt.row = row;
    if (!row || !isRight) throw fail('session.basicWrong');
    return personOf(row);
  };

  return {
    person: (kind, login, password, from) => judged({ kind, login, password, ...from }, byForm),

    async basic({ login, password }, from) {
      const mark = markOf(login, password);
      const known = basicKnown.get(mark);
      const person = known && (await directory.person(known.id));
      if (person?.isActive && person.passwordMark === known?.passwordMark) return person;
      const found = await judged({ login, password, ...from }, byBasic);
      basicKnown.set(mark, { id: found.user.id, passwordMark: found.passwordMark });
      return found;
    },

    counts: () => counts,
  };
}

/** Who it was is known only when it went well; whose login was tried, whenever there is one. */
const entryOf = ({ kind, login, app, origin, row }: Attempt, outcome: string) => ({
  ...originOf(origin),
  action: 'sign_in' as const,
  resource: kind ?? (row?.is_sys_admin === 1 ? 'admin' : 'user'),
  record_id: row?.id ?? null,
  record_name: row?.name ?? null,
  user_id: outcome === 'ok' ? (row?.id ?? null) : null,
  user_email: login.trim().slice(0, loginLimit),
  app_id: app?.id ?? null,
  outcome,
});
