import type { Environment, Session } from '@sluice/contract';
import { consoleSettings } from './console-settings.ts';
import { ApiError } from './errors.ts';
import { closeGate, gate, isRenewable, isSessionOver, renew, sessionPath } from './renewal.ts';
import { send } from './send.ts';
import {
  adoptSession,
  clearSession,
  currentSession,
  currentToken,
  onTabMessage,
  readSessionCookie,
  type StoredSession,
  sessionState,
  storeSession,
} from './session-state.ts';

export interface Credentials {
  email?: string;
  username?: string;
  password: string;
  /** Name of a directory service; absent means the instance itself. */
  service?: string;
  remember_me?: boolean;
}

const readEnvironment = (token: string | null): Promise<Environment> =>
  send('GET', 'system/environment', {}, token) as Promise<Environment>;

/** Takes a new session in: first what it may see, then the session itself, so that no guard decides on half of it. */
const openSession = async (session: Session, remember: boolean): Promise<StoredSession> => {
  const environment = await readEnvironment(session.session_token);
  sessionState.set({ ...sessionState.get(), environment });
  return storeSession({ ...session, ...(remember && { remember_me: true }) });
};

/** Makes a call as a user, and after a 401, 404 or 429 as an administrator. Throws the `ApiError` of the last try, or the 429. */
export const userThenAdmin = async <T>(post: (isAdmin: boolean) => Promise<T>): Promise<T> => {
  try {
    return await post(false);
  } catch (error) {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status === 401 || status === 404) return post(true);
    if (status !== 429) throw error;
    // Limits never concern administrators. For all others what refused them is the answer.
    return post(true).catch(() => {
      throw error;
    });
  }
};

/**
 * Signs in: as a user, and without a directory service as an administrator, too (SES-059, SES-060).
 * Throws the `ApiError` of the last try.
 */
export const signIn = async (credentials: Credentials): Promise<StoredSession> => {
  const body = { ...credentials, remember_me: credentials.remember_me ?? false };
  const post = (isAdmin: boolean) => send('POST', sessionPath(isAdmin), { body }, null) as Promise<Session>;
  const session = await (credentials.service ? post(false) : userThenAdmin(post));
  return openSession(session, body.remember_me);
};

export interface FirstAdmin {
  code: string;
  email: string;
  password: string;
  first_name: string;
  last_name: string;
}

/** Makes the first administrator with the one-time code of the terminal and signs in as them. 404 once there is one. */
export const setUp = async (admin: FirstAdmin): Promise<StoredSession> => {
  const session = (await send('POST', 'system/admin/setup', { body: admin }, null)) as Session;
  consoleSettings.set({ ...consoleSettings.get(), setup_needed: false });
  return openSession(session, false);
};

/**
 * Finishes a sign-in that came back from elsewhere: a `session_token` in the address (SES-080), or what an OAuth provider sent along (SES-081).
 * Null when the address holds neither.
 */
export const completeSignIn = async (search: string): Promise<StoredSession | null> => {
  const params = new URLSearchParams(search);
  const token = params.get('session_token');
  if (token)
    return openSession(
      (await send('GET', 'user/session', { query: { session_token: token } }, null)) as Session,
      false,
    );
  if (!isProviderResponse(params)) return null;
  const query = { oauth_callback: true, ...Object.fromEntries(params) };
  const answer = (await send('POST', 'user/session', { query, withCookies: true }, null)) as ProviderSession;
  // What the provider gave is for calls of it, which the console makes none of: no cookie keeps it.
  const { oauth_token: _token, id_token: _idToken, ...session } = answer;
  return openSession(session, false);
};

type ProviderSession = Session & { oauth_token?: string; id_token?: string };

/** What a provider sent along: that somebody signed in there, or that they did not. */
const isProviderResponse = (params: URLSearchParams): boolean =>
  ((params.has('code') || params.has('error')) && params.has('state')) || params.has('oauth_token');

/** Whether an instance knows nothing (any more) of the sign-in that an address brings: it takes it for one without a name. */
export const isForgottenSignIn = (error: unknown, search: string): boolean =>
  error instanceof ApiError && error.status === 400 && isProviderResponse(new URLSearchParams(search));

/** Whether an address brings a sign-in to finish. */
export const hasPendingSignIn = (search: string): boolean => {
  const params = new URLSearchParams(search);
  return params.has('session_token') || isProviderResponse(params);
};

/** Ends the session on the server and here. A session that is over already counts as ended (SES-093); any other failure is thrown. */
export const signOut = async (): Promise<void> => {
  const session = currentSession();
  try {
    if (session?.session_token) await send('DELETE', sessionPath(session.is_sys_admin), {}, session.session_token);
  } catch (error) {
    if (!isSessionOver(error) && !(error instanceof ApiError && Number(error.code) === 401)) throw error;
  }
  await forgetSession();
};

/** Forgets the session on this device, whatever the server thinks. */
export const forgetSession = async (): Promise<void> => {
  const environment = sessionState.get().environment;
  clearSession(await readEnvironment(null).catch(() => environment && { ...environment, apps: [] }));
};

/** Takes over a new token, as a change of password or e-mail answers it (PRO-013), and changed fields of the person. */
export const updateSession = (changes: Partial<StoredSession>): void => {
  const session = currentSession();
  if (session) storeSession({ ...session, ...changes });
};

/** Reads the environment again: apps or settings may have changed. */
export const refreshEnvironment = async (): Promise<void> => {
  const environment = await readEnvironment(currentToken());
  sessionState.set({ ...sessionState.get(), environment });
};

/**
 * Restores the session of the cookie and reads the environment (SES-056). A restored session that can be neither used nor renewed is
 * dropped (SES-057). Throws when the server cannot be reached at all; where a limit refuses, the environment stays unknown.
 */
export const restoreSession = async (): Promise<void> => {
  const stored = readSessionCookie();
  if (stored) adoptSession(stored);
  try {
    await refreshEnvironment();
  } catch (error) {
    // Above a limit: one may still sign in, and administrators are above all limits.
    if (error instanceof ApiError && error.status === 429) return;
    const token = currentToken();
    if (!token || (error instanceof ApiError && error.isUnreachable)) throw error;
    if (isSessionOver(error) && isRenewable() && (await renew(token))) {
      const isUsable = await refreshEnvironment().then(
        () => true,
        () => false,
      );
      if (isUsable) return;
    }
    clearSession(await readEnvironment(null));
  }
};

/** Follows what other tabs do: a sign-out there ends it here, a renewal brings its token, another person brings theirs. */
export const followOtherTabs = (): void =>
  onTabMessage(() => {
    const stored = readSessionCookie();
    const session = currentSession();
    if (!stored) {
      if (session && !sessionState.get().isLocked) void forgetSession();
      return;
    }
    const isSamePerson = stored.id === session?.id;
    adoptSession(stored);
    if (gate.get()) closeGate();
    if (!isSamePerson) void refreshEnvironment().catch(() => undefined);
  });
