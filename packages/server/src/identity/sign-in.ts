// Checks a login and a password, for sign-in and for Basic credentials (contract/sessions-and-accounts.md §3).
import { createHmac, randomBytes } from 'node:crypto';
import { Failure, fail } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import { actorFromOrigin, type Origin, type SignInAudit } from '../audit/index.ts';
import type { Caller } from '../call/call.ts';
import { networkOf } from '../call/caller-key.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { confirmed } from './codes.ts';
import { type Directory, findUserByLogin, type Person, personOf, type UserRow } from './directory.ts';
import type { Abortable } from './fair-queue.ts';
import { type HashSlot, hashPassword, verifyPassword } from './passwords.ts';
import { queueKeyOf, type Throttle } from './throttle.ts';

/** Which of the two doors an account belongs to: `user/*` or `system/admin/*`. */
export type AccountKind = 'admin' | 'user';

export interface SignIn {
  /**
   * The person of a login and password. Unknown account, wrong password, wrong kind and inactive give the same answer, in
   * the same time. Marks the account as confirmed and stores the time of the sign-in.
   */
  verifyLogin(kind: AccountKind, login: string, password: string, source: SignInSource): Promise<Person>;
  /** The person of Basic credentials, of either kind; remembered for a minute, since every call carries them. */
  verifyBasic(credentials: { login: string; password: string }, source: SignInSource): Promise<Person>;
  /** How many sign-ins there were; remembered credentials are not counted again. */
  counts(): SignInCounts;
}

/** Where an attempt came from. */
export interface SignInSource {
  app: Caller['app'];
  origin: Origin & Abortable;
  /** Runs before the refusal of an administrator's right password at the users' door: no attempt, since clients go on to the other. */
  onOtherDoor?: () => void;
}

export interface SignInCounts {
  succeeded: number;
  failed: number;
}

interface SignInParts {
  store: Store;
  settings: Pick<Settings, 'loginAttribute'>;
  directory: Directory;
  throttle: Throttle;
  audit: SignInAudit;
}

interface Attempt extends SignInSource {
  /** The door; Basic credentials may be used at either. */
  kind?: AccountKind;
  login: string;
  password: string;
  /** The person whose login it is, once that is known. */
  row?: UserRow;
  /** An administrator's right password at the users' door: clients try that door first, and the other next. */
  isAdminAtUserDoor?: boolean;
}

interface LoginCheck {
  /** The person whose login it is, if it is anybody's. */
  row: UserRow | undefined;
  /** The password is theirs, and they are active. */
  isRight: boolean;
}

/** Characters of a login that the audit stores. */
const maxLoginLength = 255;

export function createSignIn({ store, settings, directory, throttle, audit }: SignInParts): SignIn {
  const attribute = settings.loginAttribute === 'username' ? 'username' : 'email';
  const fingerprintKey = randomBytes(32);
  /** Stands for a password where it is remembered. */
  const fingerprint = (...texts: string[]) =>
    createHmac('sha256', fingerprintKey).update(JSON.stringify(texts)).digest('base64url');
  const basicCache = new LRUCache<string, { id: number; passwordFingerprint: string }>({ max: 1000, ttl: 60_000 });

  const pendingChecks = new Map<string, Promise<LoginCheck>>();
  const counts: SignInCounts = { succeeded: 0, failed: 0 };

  /** Counts an attempt and audits it, however it ends. */
  async function recordOutcome(attempt: Attempt, check: (attempt: Attempt) => Promise<Person>): Promise<Person> {
    try {
      const person = await check(attempt);
      counts.succeeded += 1;
      audit.queue(auditEntryOf(attempt, 'ok'));
      return person;
    } catch (error) {
      // A store that cannot be reached says nothing about the password.
      if (error instanceof Failure && error.status < 500) {
        if (attempt.isAdminAtUserDoor) attempt.onOtherDoor?.();
        else {
          counts.failed += 1;
          audit.queue(auditEntryOf(attempt, error.message));
        }
      }
      throw error;
    }
  }

  /** Attempts with one login and password from one network address are one guess, however many come at once. */
  async function checkLoginOnce(attempt: Attempt): Promise<LoginCheck> {
    const { login, password, origin } = attempt;
    const key = fingerprint(login, password, networkOf(origin.ip));
    for (let pending = pendingChecks.get(key); pending; pending = pendingChecks.get(key)) {
      try {
        return await pending;
      } catch (error) {
        // The caller it was done for went away: the next one does it.
        if (!(error instanceof Failure) || error.key !== 'session.gone') throw error;
      }
    }
    const check = checkLogin(attempt).finally(() => pendingChecks.delete(key));
    pendingChecks.set(key, check);
    return check;
  }

  async function checkLogin({ login, password, origin }: Attempt): Promise<LoginCheck> {
    const slot = { queueKey: queueKeyOf(origin.ip, login), call: origin };
    let row: UserRow | undefined;
    let needsRehash = false;
    const isRight = await throttle.judge({ account: login, address: origin.ip, call: origin }, async () => {
      row = await findUserByLogin(store, attribute, login.trim());
      const check = await verifyPassword(password, row?.password, slot);
      needsRehash = check.needsRehash;
      // At whichever door: the other one may be tried next. An inactive person does not sign in at any.
      return check.matches && row?.is_active === 1;
    });
    if (isRight && needsRehash && row) row = await rehashPassword(row, password, slot);
    return { row, isRight };
  }

  async function rehashPassword(row: UserRow, password: string, slot: HashSlot): Promise<UserRow> {
    const hash = await hashPassword(password, slot);
    // Only replaces the hash that was compared: the password may have been changed in the meantime.
    await store.db
      .updateTable('user')
      .set({ password: hash })
      .where('id', '=', row.id)
      .where('password', '=', row.password)
      .execute();
    await store.bus.publish({ table: 'user', ids: [row.id] });
    return { ...row, password: hash };
  }

  /** A store that can be read but not written (its disk is full) locks nobody out: the person may sign in to fix it. */
  async function storeLastLogin(id: number, last_login_date: string): Promise<void> {
    try {
      // Not a change of the record as others edit it, so its version and dates stay.
      await store.db
        .updateTable('user')
        .set({ last_login_date, confirm_code: confirmed })
        .where('id', '=', id)
        .execute();
      await store.bus.publish({ table: 'user', ids: [id] });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  const signInByForm = async (attempt: Attempt): Promise<Person> => {
    const { row, isRight } = await checkLoginOnce(attempt);
    attempt.row = row;
    attempt.isAdminAtUserDoor = isRight && row?.is_sys_admin === 1 && attempt.kind === 'user';
    if (!row || !isRight || (row.is_sys_admin === 1) !== (attempt.kind === 'admin')) throw fail('session.credentials');
    const resolved = await directory.roleOf(personOf(row).user, attempt.app);
    if (resolved?.isOwn && !resolved.role.isActive) throw fail('session.roleInactive');
    const last_login_date = new Date().toISOString();
    await storeLastLogin(row.id, last_login_date);
    return personOf({ ...row, last_login_date });
  };

  const signInByBasic = async (attempt: Attempt): Promise<Person> => {
    const { row, isRight } = await checkLoginOnce(attempt);
    attempt.row = row;
    if (!row || !isRight) throw fail('session.basicWrong');
    return personOf(row);
  };

  return {
    verifyLogin: (kind, login, password, source) => recordOutcome({ kind, login, password, ...source }, signInByForm),

    async verifyBasic({ login, password }, source) {
      const key = fingerprint(login, password);
      const cached = basicCache.get(key);
      const cachedPerson = cached && (await directory.person(cached.id));
      if (cachedPerson?.isActive && cachedPerson.passwordFingerprint === cached?.passwordFingerprint)
        return cachedPerson;
      const person = await recordOutcome({ login, password, ...source }, signInByBasic);
      basicCache.set(key, { id: person.user.id, passwordFingerprint: person.passwordFingerprint });
      return person;
    },

    counts: () => counts,
  };
}

/** The actor is known only when the attempt succeeded; the record whose login was tried, whenever there is one. */
const auditEntryOf = ({ kind, login, app, origin, row }: Attempt, outcome: string) => ({
  ...actorFromOrigin(origin),
  action: 'sign_in' as const,
  resource: kind ?? (row?.is_sys_admin === 1 ? 'admin' : 'user'),
  record_id: row?.id ?? null,
  record_name: row?.name ?? null,
  user_id: outcome === 'ok' ? (row?.id ?? null) : null,
  user_email: login.trim().slice(0, maxLoginLength),
  app_id: app?.id ?? null,
  outcome,
});
