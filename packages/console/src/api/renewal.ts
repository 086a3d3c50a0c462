import type { Session } from '@sluice/contract';
import { createStore } from '../ui/store.ts';
import { ApiError } from './errors.ts';
import { send } from './send.ts';
import { adoptSession, currentSession, lockSession, readSessionCookie, storeSession } from './session-state.ts';

/** Sign-in, renewal and sign-out go to one address, chosen by the kind of person (SES-079). */
export const sessionPath = (isAdmin: boolean): string => (isAdmin ? 'system/admin/session' : 'user/session');

const signedOutPages = new Set([
  '/login',
  '/logout',
  '/setup',
  '/register',
  '/register-complete',
  '/register-confirm',
  '/reset-password',
  '/user-invite',
]);

/** Whether a failed call may be tried again with another session: not the session's own calls, not on signed-out pages (OPEN-006). */
export const isRepeatable = (path: string): boolean =>
  !/(^|\/)session(\/|\?|$)/.test(path) && !signedOutPages.has(window.location.pathname.replace(/(.)\/+$/, '$1'));

/** Whether a session may be renewed without a word: the API docs have the person sign in again (OPEN-006). */
export const isRenewable = (): boolean => !/^\/apidocs(\/|$)/.test(window.location.pathname);

const namesToken = (error: ApiError): boolean =>
  error.original.includes('Token has expired') || error.original.includes('The token has been blacklisted');

/** Whether an error means that the session is over: any 401 (SES-099), or a 403 for a blacklisted token (SES-100). */
export const isSessionOver = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.status === 401 || (error.status === 403 && error.original.includes('The token has been blacklisted')));

/** As `isSessionOver`, but only when the server names the token: a second refusal after a renewal may be about something else. */
export const isTokenRefused = (error: unknown): boolean => isSessionOver(error) && namesToken(error);

let queue: Promise<unknown> = Promise.resolve();

/** Runs jobs one after the other: over all tabs where the browser can lock (it needs https or localhost), else over this tab. */
const sequentially = <T>(job: () => Promise<T>): Promise<T> => {
  if (navigator.locks) return navigator.locks.request('sluice.session', job);
  const result = queue.then(job, job);
  queue = result.catch(() => undefined);
  return result;
};

/**
 * Gets a new token for a call that failed with `failedToken`. The first one asks the server; the others, here and in other tabs,
 * find the new token in the cookie. False when the session cannot be renewed; throws when the server cannot be reached.
 */
export const renew = (failedToken: string): Promise<boolean> =>
  sequentially(async () => {
    const session = currentSession();
    if (!session) return false;
    const stored = readSessionCookie();
    if (stored && stored.session_token !== failedToken) {
      adoptSession(stored);
      return stored.id === session.id;
    }
    if (session.session_token && session.session_token !== failedToken) return true;
    try {
      const renewed = (await send('PUT', sessionPath(session.is_sys_admin), {}, failedToken)) as Session;
      // A renewed session may come without its role (contract/sessions-and-accounts.md §3): the old one's stays.
      storeSession({ ...session, ...renewed });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) return false;
      throw error;
    }
  });

interface Gate {
  resolve: () => void;
  reject: (reason: unknown) => void;
  done: Promise<void>;
}

/** The login overlay: open while this holds something. */
export const gate = createStore<Gate | null>(null);

/** Opens the login overlay and waits until someone has signed in again. Every caller waits for the same sign-in. */
export const waitForSignIn = (): Promise<void> => {
  const open = gate.get();
  if (open) return open.done;
  lockSession();
  let resolve = () => {};
  let reject: Gate['reject'] = () => {};
  const done = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  gate.set({ resolve, reject, done });
  return done;
};

/** Closes the overlay; with an error, what waited for it fails. */
export const closeGate = (error?: unknown): void => {
  const open = gate.get();
  gate.set(null);
  if (error) open?.reject(error);
  else open?.resolve();
};
