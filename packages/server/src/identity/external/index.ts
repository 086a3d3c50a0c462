// Sign-in by providers elsewhere: begun and completed here, alike for all of them (contract/sessions-and-accounts.md §9). What knows
// a provider is its service type (provider.ts); whose account it is here is decided in people.ts (ADR 0032).
import { Failure, fail, type Session, truthy } from '@sluice/contract';
import { actorFromOrigin, type SignInAudit } from '../../audit/index.ts';
import type { Call, CallerUser } from '../../call/call.ts';
import type { RecordEngine } from '../../records/index.ts';
import type { Services } from '../../service/registry.ts';
import type { Store } from '../../store/index.ts';
import { type Directory, type Person, personOf, type UserRow } from '../directory.ts';
import type { Secrets } from '../keys.ts';
import type { Throttle } from '../throttle.ts';
import { type AssertionSignIn, createAssertionSignIn } from './assertions.ts';
import { createPasswordCheck, type DirectoryCredentials, withRoleOfGroups } from './by-password.ts';
import { passwordProvider } from './password-provider.ts';
import { createPendingSignIns } from './pending.ts';
import { findExternalPerson } from './people.ts';
import {
  type BrowserProvider,
  browserProvider,
  type ExternalService,
  type ProviderPerson,
  type ProviderSignIn,
  type ProviderTokens,
} from './provider.ts';

export type ExternalCall = Pick<
  Call,
  'id' | 'caller' | 'query' | 'header' | 'replyHeaders' | 'baseUrl' | 'ip' | 'userAgent' | 'signal'
>;

/** A session, with what the provider gave for calls of its own. */
export type ExternalSession = Session & { oauth_token: string; id_token?: string };

export interface ExternalSignIn {
  /** Where a browser is sent to sign in by a service; throws where it is no service for that. */
  begin(service: string, call: ExternalCall): Promise<string>;
  /** Completes the sign-in that a browser came back from; undefined where the call is of none that is under way there. */
  complete(call: ExternalCall): Promise<ExternalSession | undefined>;
  /** Signs in by tokens that a native client got for this instance. */
  byTokens(offer: BrowserOffer, tokens: ProviderTokens, call: ExternalCall): Promise<ExternalSession>;
  /** Sign-ins that a provider confirms by what it has the browser send here. */
  assertions: AssertionSignIn;
  /** Signs in by a name and a password of a directory; undefined where the service is none. */
  byPassword(
    service: string,
    credentials: DirectoryCredentials & { remember: boolean },
    call: ExternalCall,
  ): Promise<Session | undefined>;
}

/** What services provide that people sign in by with a browser. */
export interface BrowserOffer {
  provider: BrowserProvider;
  service: ExternalService;
}

interface ExternalParts {
  store: Store;
  records: RecordEngine;
  secrets: Secrets;
  services: () => Pick<Services, 'find' | 'open' | 'openById'>;
  directory: Pick<Directory, 'roleOf'>;
  throttle: Throttle;
  audit: SignInAudit;
  /** A new session of a person, which can be renewed without end where `forever` says so. */
  openSession(person: Person, call: ExternalCall, forever: boolean): Promise<Session>;
}

/** Seconds that a provider may take for a sign-in. */
const timeLimit = 30;
/** More characters than parameters of a provider have. */
const maxParameter = 8_000;
/** Characters of a name that the audit stores. */
const maxLogin = 255;

export function createExternalSignIn(parts: ExternalParts): ExternalSignIn {
  const { store, records, secrets, services, directory, throttle, audit, openSession } = parts;
  const pending = createPendingSignIns(store, secrets);
  const checkPassword = createPasswordCheck(throttle);

  /** Lets the person of a confirmed sign-in in, and audits it. */
  async function admit(
    service: ExternalService,
    account: ProviderPerson,
    call: ExternalCall,
    forever = false,
  ): Promise<Session> {
    const origin = { id: call.id, ip: call.ip, userAgent: call.userAgent };
    const row = await findExternalPerson({ store, records }, service, account, origin);
    const { user } = personOf(row);
    const resolved = await directory.roleOf(user, call.caller.app);
    if (resolved?.isOwn && !resolved.role.isActive) throw fail('session.roleInactive');
    const person = await noteSignIn(row);
    const session = await openSession(person, call, forever);
    queueEntry(call, service, 'ok', user);
    return session;
  }

  /** Not a change of the record as others edit it, so its version and dates stay. */
  async function noteSignIn(row: UserRow): Promise<Person> {
    const columns = { last_login_date: new Date().toISOString(), confirm_code: null };
    await store.db.updateTable('user').set(columns).where('id', '=', row.id).execute();
    await store.bus.publish({ table: 'user', ids: [row.id] });
    return personOf({ ...row, ...columns });
  }

  function queueEntry(
    call: ExternalCall,
    service: ExternalService,
    outcome: string,
    user?: CallerUser,
    login?: string,
  ): void {
    audit.queue({
      ...actorFromOrigin(call),
      ...{ action: 'sign_in', resource: 'user', record_id: user?.id ?? null, record_name: user?.name ?? null },
      ...{
        user_id: user?.id ?? null,
        user_email: user?.email ?? login?.trim().slice(0, maxLogin) ?? service.name,
        app_id: call.caller.app?.id ?? null,
      },
      outcome,
    });
  }

  /** Signs in by what a provider confirms. */
  const signIn = (
    { service }: BrowserOffer,
    call: ExternalCall,
    confirm: (signal: AbortSignal) => Promise<ProviderSignIn>,
  ): Promise<ExternalSession> =>
    auditRefusal(service, call, async () => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(timeLimit * 1000)]);
      const { person, accessToken, idToken } = await confirm(signal);
      const session = await admit(service, person, call);
      return { ...session, oauth_token: accessToken, ...(idToken === undefined ? {} : { id_token: idToken }) };
    });

  /** A refusal is audited; a provider that is away says nothing of anybody. */
  async function auditRefusal<T>(
    service: ExternalService,
    call: ExternalCall,
    run: () => Promise<T>,
    login?: string,
  ): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Failure && error.status < 500) queueEntry(call, service, error.message, undefined, login);
      throw error;
    }
  }

  return {
    async begin(name, call) {
      const addressed = await services().find(name.toLowerCase());
      if (!addressed) throw fail('service.unknown', { service: name });
      if (addressed.type?.can.signIn !== 'oauth') throw fail('session.badOauthService');
      const offer = (await services().open(addressed.row.key)).provided(browserProvider);
      if (!offer) throw fail('session.badOauthService');
      return offer.provider.begin(await pending.add(offer.service.id, call));
    },

    async complete(call) {
      const state = call.query.get('state');
      if (!truthy(call.query.get('oauth_callback')) || !state) return undefined;
      const started = await pending.take(state, call);
      if (!started) return undefined;
      const offer = (await services().openById(started.serviceId)).provided(browserProvider);
      if (!offer) return undefined;
      const parameters = new URLSearchParams();
      for (const name of call.query.names()) {
        const value = call.query.get(name) ?? '';
        if (name !== 'oauth_callback' && value.length <= maxParameter) parameters.set(name, value);
      }
      return signIn(offer, call, (signal) => offer.provider.finish(parameters, started.proof, signal));
    },

    async byTokens(offer, tokens, call) {
      let session: ExternalSession | undefined;
      let refusal: unknown;
      const guess = { account: `sso ${offer.service.name}`, address: call.ip, call };
      await throttle.judge(guess, async () => {
        try {
          session = await signIn(offer, call, (signal) => offer.provider.verify(tokens, signal));
          return true;
        } catch (error) {
          // Each refusal counts as a wrong password does, and so does a provider that is away.
          refusal = error;
          return false;
        }
      });
      if (!session) throw refusal;
      return session;
    },

    assertions: createAssertionSignIn({ pending, admit, auditRefusal }),
    async byPassword(name, { remember, ...credentials }, call) {
      const addressed = await services().find(name.toLowerCase());
      if (addressed?.type?.can.signIn !== 'ldap') return undefined;
      const offer = (await services().open(addressed.row.key)).provided(passwordProvider);
      if (!offer) return undefined;
      const check = async () => {
        const { person, groups } = await checkPassword(offer, credentials, call);
        return admit(await withRoleOfGroups(store, offer, groups), person, call, remember);
      };
      return auditRefusal(offer.service, call, check, credentials.username);
    },
  };
}
