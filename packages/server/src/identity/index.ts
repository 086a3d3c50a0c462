// Who calls: people, their passwords and session tokens, the apps of API keys, and the role that follows from both.
// What a role then allows is decided in access/; people as records are in resources/.
import { hostname } from 'node:os';
import { fail, type MaybePromise, type Requestor, type Session } from '@sluice/contract';
import { createSignInAudit, type Origin, purgeAudit, whoOf } from '../audit/index.ts';
import { type Call, type Caller, type CallerRole, type CallerUser, type Credentials, nobody } from '../call/call.ts';
import type { RecordEngine } from '../records/index.ts';
import type { Settings } from '../settings/index.ts';
import { folded, type Store } from '../store/index.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { rememberCallers } from './callers.ts';
import { type App, directory as createDirectory, type Directory, type Person } from './directory.ts';
import type { Leaving } from './fair-queue.ts';
import type { Keys } from './keys.ts';
import { revokedTokens } from './revoked.ts';
import { createSessions, type SessionToken } from './sessions.ts';
import { createSetup, type FirstAdmin } from './setup.ts';
import { type AccountKind, createSignIn, type SignInCounts } from './sign-in.ts';
import { createThrottle } from './throttle.ts';

/** What of a call signing in and renewing need to know. */
export type From = Origin & Pick<Call, 'caller' | 'baseUrl'> & Leaving;

export interface IdentifyOptions {
  /** A sign-in: whatever token was sent is not looked at. */
  ignoreToken?: boolean;
  /** A renewal: a token that is no good is no failure here; the handler of PUT says what is wrong with it. */
  allowExpired?: boolean;
  requestor: Requestor;
  /** Where the call came from, for slowing down wrong Basic credentials and for the audit. */
  from?: Origin & Leaving;
}

/** A caller as a question names them. */
export interface Asked {
  userId?: number;
  appId?: number;
  /** Whoever has this role; not together with the others. */
  roleId?: number;
}

/** Whoever has a role that is asked about. */
const somebody: CallerUser = {
  id: 0,
  name: '',
  firstName: null,
  lastName: null,
  username: '',
  email: '',
  phone: null,
  isAdmin: false,
  defaultAppId: null,
  lastLoginDate: null,
};

export interface Identity {
  /** Who calls, by what was sent; throws the failures of contract/http-basics.md §2, in its order. */
  identify(credentials: Credentials, options: IdentifyOptions): MaybePromise<Caller>;
  /** Who would call: as `identify` of the app's key and a good token of the person. Throws what it throws. */
  asked(asked: Asked, options: IdentifyOptions): Promise<Caller>;
  /** People, apps and roles by id, as callers are made of them. */
  people: Pick<Directory, 'person' | 'app' | 'role' | 'roleOf'>;
  signIn(kind: AccountKind, login: string, password: string, remember: boolean, from: From): Promise<Session>;
  /** How many sign-ins by password there were since the start. */
  signIns(): SignInCounts;
  /** A new token for `text`, which ends; throws 401 "Token refresh failed. …". `kind` admin refuses other people. */
  renew(kind: AccountKind, text: string, from: From): Promise<Session>;
  /** Ends a token, the one of the call. */
  signOut(text: string, from: From): Promise<void>;
  /** The session object of a caller with a user (contract/sessions-and-accounts.md §2). */
  sessionOf(caller: Caller): Session;
  /** A fresh token for a person whose tokens just ended, as lasting as the one the call came with. */
  freshToken(userId: number, from: From): Promise<string>;
  accounts: Accounts;
  /** Makes the first administrator and signs them in. */
  setUp(code: string, admin: FirstAdmin, from: From): Promise<Session>;
  /** The code to print at start while there is no administrator. */
  setupCode(): Promise<string | undefined>;
  isSetUp(): Promise<boolean>;
  /** Whether a service of that name is configured, for sign-ins that name one. */
  hasService(name: string): Promise<boolean>;
  /** The API key of the app of that name; null when there is none. */
  appKey(name: string): Promise<string | null>;
  /** Ends what runs by itself; what the audit is still to be told is written. */
  close(): Promise<void>;
}

interface Parts {
  store: Store;
  /** Writes people, of all the identity writes that are changes of records. */
  records: RecordEngine;
  settings: Settings;
  keys: Keys;
  log: { warn(details: object, message: string): void };
}

const purgeEvery = 3_600_000;
/** Of a call that came from nowhere. */
const nowhere: Origin = { id: '', ip: '', userAgent: null };

/**
 * The identity of an instance. Makes the administrator of SLUICE_ADMIN_EMAIL when there is none; throws StartError when
 * that can't be done.
 */
export async function createIdentity({ store, records, settings, keys, log }: Parts): Promise<Identity> {
  const directory = createDirectory(store);
  const callers = rememberCallers(store);
  const throttle = createThrottle();
  const revoked = revokedTokens(store, settings.refreshMinutes);
  const sessions = createSessions({ key: keys.signing, settings, directory, revoked });
  const audit = createSignInAudit(store, log);
  const signIn = createSignIn({ store, settings, directory, throttle, audit });
  const accounts = createAccounts({ store, records, settings, throttle });
  const setup = createSetup({ store, records, settings, secrets: keys.secrets, directory, throttle });
  await setup.fromSettings();

  let isClosed = false;
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, `${what} could not be purged`);
  const purge = async () => {
    await revoked.purge().catch(warn('revoked tokens'));
    await purgeAudit(store, settings.auditDays, () => isClosed).catch(warn('the audit'));
  };
  let purged = purge();
  const purging = setInterval(() => {
    purged = purged.then(purge);
  }, purgeEvery);
  purging.unref();

  /** The one way from a person and an app to a caller: the app has to be active, the role follows from both. */
  async function callerFrom(
    user: CallerUser | undefined,
    app: App | undefined,
    sent: Pick<Caller, 'token' | 'sentKey' | 'sentToken' | 'requestor'>,
    asked?: CallerRole,
  ): Promise<Caller> {
    if (app && !app.isActive) throw fail('session.appInactive');
    const role = asked ?? (await directory.roleOf(user, app?.app))?.role;
    const lookups = await directory.lookupsOf({ user, app: app?.app, role });
    return { ...nobody, ...sent, user, app: app?.app, role, lookups };
  }

  /** The caller that a person with a fresh token is, in the app of the call. */
  async function callerOf(person: Person, token: SessionToken, { caller }: From): Promise<Caller> {
    const { app, requestor, sentKey } = caller;
    const sent = { token, sentKey, sentToken: true, requestor };
    return callerFrom(person.user, app && { app, isActive: true }, sent);
  }

  async function find(
    { apiKey, token, basic }: Credentials,
    { ignoreToken, allowExpired, requestor, from = nowhere }: IdentifyOptions,
  ): Promise<Caller> {
    const app = apiKey === undefined ? undefined : await directory.appOf(apiKey);
    let user: CallerUser | undefined;
    let verified: SessionToken | undefined;
    if (token !== undefined && !ignoreToken) {
      const checked = await sessions.check(token).catch((error: unknown) => {
        if (allowExpired) return undefined;
        throw error;
      });
      user = checked?.person.user;
      verified = checked?.token;
    } else if (basic && token === undefined && !ignoreToken) {
      user = (await signIn.basic(basic, { app: app?.app, origin: from })).user;
    }
    return callerFrom(user, app, {
      token: verified,
      sentKey: apiKey !== undefined,
      sentToken: token !== undefined,
      requestor,
    });
  }

  /** Who `find` would find for the key of an app and a good token of a person. */
  async function findAsked({ userId, appId, roleId }: Asked, options: IdentifyOptions): Promise<Caller> {
    const { requestor } = options;
    if (roleId !== undefined) {
      const role = await directory.role(roleId);
      return callerFrom(somebody, undefined, { sentKey: true, sentToken: true, requestor }, role);
    }
    let user: CallerUser | undefined;
    if (userId !== undefined && !options.ignoreToken) {
      const person = await directory.person(userId);
      if (person?.isActive) user = person.user;
      else if (!options.allowExpired) throw person ? fail('session.userInactive') : fail('session.userGone');
    }
    const app = appId === undefined ? undefined : await directory.app(appId);
    return callerFrom(user, app, {
      sentKey: appId !== undefined,
      sentToken: userId !== undefined,
      requestor,
    });
  }

  const issuerOf = (from: From) => `${from.baseUrl}/api/v2`;

  const identity: Identity = {
    identify(credentials, options) {
      const { apiKey, token, basic } = credentials;
      // Passwords are checked each time, and the session paths look at tokens in their own way.
      const isPlain = !basic && !options.ignoreToken && !options.allowExpired && options.requestor === 'API';
      if (!isPlain) return find(credentials, options);
      return callers.get(token, apiKey) ?? callers.find(token, apiKey, () => find(credentials, options));
    },

    asked: findAsked,
    people: directory,

    async signIn(kind, login, password, remember, from) {
      const person = await signIn.person(kind, login, password, { app: from.caller.app, origin: from });
      const token = sessions.issue(person, { issuer: issuerOf(from), forever: remember });
      return identity.sessionOf(await callerOf(person, token, from));
    },

    signIns: () => signIn.counts(),

    async renew(kind, text, from) {
      const of = { issuer: issuerOf(from), adminOnly: kind === 'admin' };
      const { person, token } = await sessions.renew(text, of);
      return identity.sessionOf(await callerOf(person, token, from));
    },

    async signOut(text, from) {
      await sessions.end(text);
      const { user } = from.caller;
      const about = { record_id: user?.id ?? null, record_name: user?.name ?? null };
      audit.tell({ ...whoOf(from), ...about, action: 'sign_out', resource: user?.isAdmin ? 'admin' : 'user' });
    },

    sessionOf({ user, role, token }) {
      if (!user) throw fail('session.none');
      return {
        session_token: token?.text ?? null,
        session_id: token?.text ?? null,
        id: user.id,
        name: user.name,
        first_name: user.firstName,
        last_name: user.lastName,
        email: user.email,
        is_sys_admin: user.isAdmin,
        last_login_date: user.lastLoginDate,
        host: hostname(),
        token_expiry_date: token ? isoOf(token.expiresAt) : null,
        ...(role && !user.isAdmin ? { role: role.name, role_id: role.id } : {}),
      };
    },

    async freshToken(userId, from) {
      const person = await directory.person(userId);
      if (!person) throw fail('session.userGone');
      const forever = from.caller.token ? sessions.isForever(from.caller.token.text) : false;
      return sessions.issue(person, { issuer: issuerOf(from), forever }).text;
    },

    accounts,

    async setUp(code, admin, from) {
      await setup.run(code, admin, from);
      return identity.signIn('admin', admin.email, admin.password, false, from);
    },

    setupCode: () => setup.code(),
    isSetUp: () => directory.isSetUp(),
    hasService: (name) => hasService(store, name),
    appKey: (name) => directory.appKey(name),
    async close() {
      isClosed = true;
      clearInterval(purging);
      await audit.close();
      await purged;
    },
  };
  return identity;
}

async function hasService({ db }: Store, name: string): Promise<boolean> {
  const row = await db.selectFrom('service').select('id').where('name_folded', '=', folded(name)).executeTakeFirst();
  return row !== undefined;
}

/** `2018-08-01T11:11:12Z` of seconds since 1970. */
const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

export { openKeys } from './keys.ts';
export { nextValidFrom } from './revoked.ts';
export type { AccountKind } from './sign-in.ts';
