import type { Environment, Session } from '@sluice/contract';
import { createStore, useStore } from '../ui/store.ts';

/** The session as it is kept: without `session_id` (SES-040), with the wish to stay signed in on this device. */
export type StoredSession = Omit<Session, 'session_id'> & { remember_me?: boolean };

interface SessionState {
  session: StoredSession | null;
  /** What the instance tells about itself and about this person's apps; null until the start has read it. */
  environment: Environment | null;
  /** The session ended while a page was open: the page stays, its calls wait for the login overlay. */
  isLocked: boolean;
}

export const sessionState = createStore<SessionState>({ session: null, environment: null, isLocked: false });

const cookieName = 'CurrentUserObj';
const cookieLifetime = 400 * 24 * 3600;

/** The session of the cookie, or null; another tab may have written it. */
export const readSessionCookie = (): StoredSession | null => {
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith(`${cookieName}=`));
  if (!cookie) return null;
  try {
    const value = JSON.parse(decodeURIComponent(cookie.slice(cookieName.length + 1)));
    return typeof value === 'object' && value !== null && typeof value.session_token === 'string' ? value : null;
  } catch {
    return null;
  }
};

const writeSessionCookie = (value: string, seconds: number | null) => {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  const age = seconds === null ? '' : `; Max-Age=${seconds}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is missing in plain http and in some browsers we support.
  document.cookie = `${cookieName}=${value}; Path=/; SameSite=Strict${secure}${age}`;
};

const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('sluice.session');

/** Keeps a session in the cookie and in memory, and tells the other tabs. */
export const storeSession = (session: Session | StoredSession): StoredSession => {
  const { session_id: _dropped, ...stored } = session as Session & StoredSession;
  writeSessionCookie(encodeURIComponent(JSON.stringify(stored)), stored.remember_me ? cookieLifetime : null);
  sessionState.set({ ...sessionState.get(), session: stored, isLocked: false });
  tabs?.postMessage('changed');
  return stored;
};

/** Takes over a session another tab has kept. */
export const adoptSession = (session: StoredSession): void => {
  sessionState.set({ ...sessionState.get(), session, isLocked: false });
};

/** The session is over but its page stays open: no token any more, here or in the cookie (SES-101). */
export const lockSession = (): void => {
  const { session } = sessionState.get();
  if (!session) return;
  writeSessionCookie('', 0);
  sessionState.set({ ...sessionState.get(), session: { ...session, session_token: null }, isLocked: true });
};

/** Forgets the person on this device. */
export const clearSession = (environment: Environment | null): void => {
  writeSessionCookie('', 0);
  sessionState.set({ session: null, environment, isLocked: false });
  tabs?.postMessage('changed');
};

/** Runs when another tab signed in, out or renewed. */
export const onTabMessage = (listener: () => void): void => tabs?.addEventListener('message', listener);

export const currentSession = (): StoredSession | null => sessionState.get().session;
export const currentToken = (): string | null => currentSession()?.session_token ?? null;

/** The signed-in person, or null. */
export const useSession = (): StoredSession | null => useStore(sessionState).session;

/** What stands for the environment until it was read. */
export const unknownEnvironment: Environment = {
  authentication: {
    admin: { path: 'system/admin/session', verb: 'POST', payload: {} },
    user: { path: 'user/session', verb: 'POST', payload: {} },
    oauth: [],
    adldap: [],
    saml: [],
    allow_open_registration: false,
    open_reg_email_service_id: null,
    allow_forever_sessions: false,
    login_attribute: 'email',
  },
  apps: [],
};

/** `GET system/environment` of the current person (contract/system-resources.md §18). */
export const useEnvironment = (): Environment => useStore(sessionState).environment ?? unknownEnvironment;
