// Who calls: people, their passwords and session tokens, the apps of API keys, and the role that follows from both.
// What a role then allows is decided in access/; people as records are in resources/.
import { hostname } from 'node:os';
import { fail, type ListedSession, type MaybePromise, type Requestor, type Session } from '@sluice/contract';
import { auditActorOf, createSignInAudit, type Origin, purgeAudit } from '../audit/index.ts';
import {
  anonymousCaller,
  type Call,
  type Caller,
  type CallerRole,
  type CallerUser,
  type Credentials,
} from '../call/call.ts';
import type { Jobs } from '../jobs/index.ts';
import type { RecordEngine } from '../records/index.ts';
import type { Services } from '../service/registry.ts';
import type { Settings } from '../settings/index.ts';
import { folded, type Store } from '../store/index.ts';
import { isNoFailure } from '../use/index.ts';
import type { AccountMails } from './account-mails.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { createCallerCache } from './callers.ts';
import { type App, createDirectory, type Directory, type Person } from './directory.ts';
import { createExternalSignIn, type ExternalSignIn } from './external/index.ts';
import type { Abortable } from './fair-queue.ts';
import type { Keys } from './keys.ts';
import { createRecovery, type Recovery } from './recovery.ts';
import { createRegistration, type Registration } from './registration.ts';
import { createRevokedTokens } from './revoked.ts';
import { createSessionList } from './session-list.ts';
import { createSessions, type SessionToken } from './sessions.ts';
import { createSetup, type FirstAdmin } from './setup.ts';
import { type AccountKind, createSignIn, type SignInCounts } from './sign-in.ts';
import { createThrottle } from './throttle.ts';

/** A call as far as signing in and renewing need it. */
export type SessionCall = Origin & Pick<Call, 'caller' | 'baseUrl'> & Abortable;

/** A call that signs somebody in. */
export type SignInCall = SessionCall & Pick<Call, 'state'>;

export interface IdentifyOptions {
  /** A sign-in: the token that was sent, if any, is ignored. */
  ignoreToken?: boolean;
  /** A renewal: a bad token does not fail here; the handler of PUT says what is wrong with it. */
  allowExpired?: boolean;
  requestor: Requestor;
  /** Where the call came from, for slowing down wrong Basic credentials and for the audit. */
  origin?: Origin & Abortable;
}

/** A caller named by ids, as in a question about access. */
export interface CallerReference {
  userId?: number;
  appId?: number;
  /** Anyone with this role; not together with the others. */
  roleId?: number;
}

/** Stands for anyone with the role of a question. */
const anyoneWithRole: CallerUser = {
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
  /** The caller of these credentials; throws the failures of contract/http-basics.md §2, in its order. */
  identify(credentials: Credentials, options: IdentifyOptions): MaybePromise<Caller>;
  /** The caller that `identify` would find for the app's key and a good token of the person; throws as it does. */
  findCaller(reference: CallerReference, options: IdentifyOptions): Promise<Caller>;
  /** People, apps and roles by id, as callers consist of them. */
  directory: Pick<Directory, 'person' | 'app' | 'role' | 'roleOf'>;
  signIn(kind: AccountKind, login: string, password: string, remember: boolean, call: SignInCall): Promise<Session>;
  /** How many sign-ins by password there were since the start. */
  signInCounts(): SignInCounts;
  /** A new token for `text`, which ends; throws 401 "Token refresh failed. …". `kind` admin refuses other people. */
  renew(kind: AccountKind, text: string, call: SessionCall): Promise<Session>;
  /** Ends a token, the one of the call. */
  signOut(text: string, call: SessionCall): Promise<void>;
  /** The session object of a caller with a user (contract/sessions-and-accounts.md §2). */
  sessionOf(caller: Caller): Session;
  /** The sessions of a person, the one used last first. */
  listSessions(userId: number, call: SessionCall): Promise<ListedSession[]>;
  /** Ends a session of a person; throws the 404 of a record where they have no such session. */
  endSession(userId: number, sessionId: number, call: SessionCall): Promise<void>;
  /** Ends all sessions of a person. The call of that person goes on by the token that is answered. */
  endSessions(userId: number, call: SessionCall): Promise<string | undefined>;
  /** Notes that the session of a token is used. */
  noteSessionUse(tokenId: string): void;
  /** A fresh token for a person whose tokens just ended; it is a "remember me" token when the one of the call is. */
  issueToken(userId: number, call: SessionCall): Promise<string>;
  accounts: Accounts;
  /** New passwords for those who do not know the old one. */
  recovery: Recovery;
  registration: Registration;
  /** Sign-in by providers elsewhere. */
  external: ExternalSignIn;
  /** Makes the first administrator and signs them in. */
  setUp(code: string, admin: FirstAdmin, call: SignInCall): Promise<Session>;
  /** The code to print at start while there is no administrator. */
  setupCode(): Promise<string | undefined>;
  isSetUp(): Promise<boolean>;
  /** Whether there is a service of that name, for sign-ins that name one. */
  hasService(name: string): Promise<boolean>;
  /** The API key of the app with that name; null when there is none. */
  appKey(name: string): Promise<string | null>;
  /** Stops the timers and writes the pending audit entries. */
  close(): Promise<void>;
}

interface IdentityParts {
  store: Store;
  /** Writes people where a write of the identity is a change of a record. */
  records: RecordEngine;
  jobs: Jobs;
  mails: AccountMails;
  services: () => Pick<Services, 'rows' | 'find' | 'open' | 'openById'>;
  settings: Settings;
  keys: Keys;
  log: { warn(details: object, message: string): void };
}

/** Where a call without an origin came from. */
const unknownOrigin: Origin = { id: '', ip: '', userAgent: null };

/**
 * The identity of an instance. Makes the administrator of SLUICE_ADMIN_EMAIL when there is none; throws StartError when
 * that cannot be done.
 */
export async function createIdentity(parts: IdentityParts): Promise<Identity> {
  const { store, records, jobs, mails, services, settings, keys, log } = parts;
  const directory = createDirectory(store);
  const callerCache = createCallerCache(store);
  const throttle = createThrottle();
  const revoked = createRevokedTokens(store);
  const list = createSessionList({ store, revoked, jobs });
  const sessions = createSessions({ key: keys.signing, settings, directory, revoked, list });
  const audit = createSignInAudit({ store, jobs, log });
  const signIn = createSignIn({ store, settings, directory, throttle, audit });
  const accounts = createAccounts({ store, records, settings, throttle });
  const recovery = createRecovery({ store, records, jobs, mails, settings, throttle });
  const registration = createRegistration({ store, records, jobs, mails, services, settings, throttle });
  const setup = createSetup({ store, records, settings, secrets: keys.secrets, directory, throttle });
  await setup.createFromSettings();

  jobs.schedule('purge sessions', '23 * * * *', async () => {
    await revoked.purge();
    await list.purge();
  });
  jobs.schedule('purge audit', '37 * * * *', (signal) => purgeAudit(store, settings.auditDays, () => signal.aborted));

  /** Every caller is made here, of a person and an app: the app has to be active, the role follows from both. */
  async function buildCaller(
    user: CallerUser | undefined,
    app: App | undefined,
    callParts: Pick<Caller, 'token' | 'hasSentKey' | 'hasSentToken' | 'requestor'>,
    fixedRole?: CallerRole,
  ): Promise<Caller> {
    if (app && !app.isActive) throw fail('session.appInactive');
    const role = fixedRole ?? (await directory.roleOf(user, app?.app))?.role;
    const lookups = await directory.lookupsOf({ user, app: app?.app, role });
    return { ...anonymousCaller, ...callParts, user, app: app?.app, role, lookups };
  }

  /** The caller that a person with a fresh token becomes, in the app of the call. */
  async function buildSignedInCaller(person: Person, token: SessionToken, { caller }: SessionCall): Promise<Caller> {
    const { app, requestor, hasSentKey } = caller;
    return buildCaller(person.user, app && { app, isActive: true }, {
      token,
      hasSentKey,
      hasSentToken: true,
      requestor,
    });
  }

  async function identifyUncached({ apiKey, token, basic }: Credentials, options: IdentifyOptions): Promise<Caller> {
    const { ignoreToken, allowExpired, requestor } = options;
    const app = apiKey === undefined ? undefined : await directory.appByKey(apiKey);
    let user: CallerUser | undefined;
    let sessionToken: SessionToken | undefined;
    if (token !== undefined && !ignoreToken) {
      const session = await sessions.check(token).catch((error: unknown) => {
        if (allowExpired) return undefined;
        throw error;
      });
      user = session?.person.user;
      sessionToken = session?.token;
    } else if (basic && token === undefined && !ignoreToken) {
      user = (await signIn.verifyBasic(basic, { app: app?.app, origin: options.origin ?? unknownOrigin })).user;
    }
    return buildCaller(user, app, {
      token: sessionToken,
      hasSentKey: apiKey !== undefined,
      hasSentToken: token !== undefined,
      requestor,
    });
  }

  /** The caller that `identifyUncached` would find for the key of an app and a good token of a person. */
  async function findReferencedCaller(
    { userId, appId, roleId }: CallerReference,
    options: IdentifyOptions,
  ): Promise<Caller> {
    const { requestor } = options;
    if (roleId !== undefined) {
      const role = await directory.role(roleId);
      return buildCaller(anyoneWithRole, undefined, { hasSentKey: true, hasSentToken: true, requestor }, role);
    }
    let user: CallerUser | undefined;
    if (userId !== undefined && !options.ignoreToken) {
      const person = await directory.person(userId);
      if (person?.isActive) user = person.user;
      else if (!options.allowExpired) throw person ? fail('session.userInactive') : fail('session.userGone');
    }
    const app = appId === undefined ? undefined : await directory.app(appId);
    return buildCaller(user, app, {
      hasSentKey: appId !== undefined,
      hasSentToken: userId !== undefined,
      requestor,
    });
  }

  /** Whose session ended, and by whom. */
  function auditSignOut(user: CallerUser | undefined, call: SessionCall): void {
    const record = { record_id: user?.id ?? null, record_name: user?.name ?? null };
    audit.queue({ ...auditActorOf(call), ...record, action: 'sign_out', resource: user?.isAdmin ? 'admin' : 'user' });
  }

  const auditEnd = async (userId: number, call: SessionCall) =>
    auditSignOut((await directory.person(userId))?.user, call);

  const issuerOf = (call: SessionCall) => `${call.baseUrl}/api/v2`;

  const external = createExternalSignIn({
    ...{ store, records, secrets: keys.secrets, services, directory, throttle, audit },
    async openSession(person, call, forever) {
      const token = await sessions.issue(person, { issuer: issuerOf(call), forever, origin: call });
      return identity.sessionOf(await buildSignedInCaller(person, token, call));
    },
  });

  const identity: Identity = {
    identify(credentials, options) {
      // Passwords are checked each time, and the session paths treat tokens in their own way.
      const isCacheable =
        !credentials.basic && !options.ignoreToken && !options.allowExpired && options.requestor === 'API';
      if (!isCacheable) return identifyUncached(credentials, options);
      return (
        callerCache.get(credentials) ?? callerCache.load(credentials, () => identifyUncached(credentials, options))
      );
    },

    findCaller: findReferencedCaller,
    directory,

    async signIn(kind, login, password, remember, call) {
      const person = await signIn.verifyLogin(kind, login, password, {
        app: call.caller.app,
        origin: call,
        onOtherDoor: () => call.state.set(isNoFailure, true),
      });
      const token = await sessions.issue(person, { issuer: issuerOf(call), forever: remember, origin: call });
      return identity.sessionOf(await buildSignedInCaller(person, token, call));
    },

    signInCounts: () => signIn.counts(),

    async renew(kind, text, call) {
      const options = { issuer: issuerOf(call), adminOnly: kind === 'admin', origin: call };
      const { person, token } = await sessions.renew(text, options);
      return identity.sessionOf(await buildSignedInCaller(person, token, call));
    },

    async signOut(text, call) {
      await sessions.end(text);
      auditSignOut(call.caller.user, call);
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
        token_expiry_date: token ? toIsoTime(token.expiresAt) : null,
        ...(role && !user.isAdmin ? { role: role.name, role_id: role.id } : {}),
      };
    },

    listSessions: (userId, call) => list.read(userId, call.caller.token?.id),

    async endSession(userId, sessionId, call) {
      if (!(await list.end(userId, sessionId))) throw fail('record.notFound', { id: String(sessionId) });
      await auditEnd(userId, call);
    },

    async endSessions(userId, call) {
      await list.endAll(userId);
      await auditEnd(userId, call);
      const { user, token } = call.caller;
      return user?.id === userId && token ? identity.issueToken(userId, call) : undefined;
    },

    noteSessionUse: (tokenId) => list.noteUse(tokenId),

    async issueToken(userId, call) {
      const person = await directory.person(userId);
      if (!person) throw fail('session.userGone');
      const forever = call.caller.token ? sessions.isForever(call.caller.token.text) : false;
      return (await sessions.issue(person, { issuer: issuerOf(call), forever, origin: call })).text;
    },

    accounts,
    recovery,
    registration,
    external,

    async setUp(code, admin, call) {
      await setup.createFirstAdmin(code, admin, call);
      return identity.signIn('admin', admin.email, admin.password, false, call);
    },

    setupCode: () => setup.readCode(),
    isSetUp: () => directory.isSetUp(),
    hasService: (name) => hasService(store, name),
    appKey: (name) => directory.appKey(name),
    async close() {
      await audit.close();
      await list.close().catch((error: unknown) => log.warn({ err: error }, 'Which sessions were used is lost.'));
    },
  };
  return identity;
}

async function hasService({ db }: Store, name: string): Promise<boolean> {
  const row = await db.selectFrom('service').select('id').where('name_folded', '=', folded(name)).executeTakeFirst();
  return row !== undefined;
}

/** `2018-08-01T11:11:12Z` of seconds since 1970. */
const toIsoTime = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

export { openKeys } from './keys.ts';
export { nextValidFrom } from './revoked.ts';
export type { AccountKind } from './sign-in.ts';
