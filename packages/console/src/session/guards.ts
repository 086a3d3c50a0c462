// The person in front of the console: what they may see (guards), what that depends on (viewer), and the way in (login-form,
// login-overlay). api/ talks to the instance about it. Signed-out pages import the single files, so there is no index.
import type { Environment } from '@sluice/contract';

/**
 * Who may see a screen:
 * `signedOut` only people who are not signed in · `registration` also only with open registration · `signedIn` anyone signed in ·
 * `user` signed in, and the app `admin` is among theirs · `admin` also a system administrator · `launchpad`, `logout`, `setup` as their names say.
 */
export type Guard = 'signedOut' | 'registration' | 'signedIn' | 'user' | 'admin' | 'launchpad' | 'logout' | 'setup';

/** Whether a screen may be there for people who are not signed in. */
export const isForSignedOut = (guard: Guard): boolean => guard === 'signedOut' || guard === 'registration';

/** The person in front of the console, as far as a guard needs to know. */
export interface Viewer {
  session: { is_sys_admin: boolean; email: string } | null;
  environment: Pick<Environment, 'apps' | 'platform'> & {
    authentication: Pick<Environment['authentication'], 'allow_open_registration' | 'login_attribute'>;
  };
  isSetupNeeded: boolean;
}

/** The address of the account every demo begins with (OPEN-001). */
const demoEmail = 'user@example.com';

export const mayUseAdminApp = (environment: Viewer['environment']): boolean =>
  (environment.apps ?? []).some((app) => app.name === 'admin');

/** Whether someone still uses the default account on an instance that says it is no demo (SES-010). */
export const isDefaultAccount = ({ session, environment }: Viewer): boolean =>
  session?.email === demoEmail && environment.platform?.bitnami_demo === false;

/** Where a person belongs (SES-009…011, SES-020). */
export const landingPage = (viewer: Viewer): string => {
  if (viewer.isSetupNeeded) return '/setup';
  if (!viewer.session) return '/login';
  if (!viewer.session.is_sys_admin) return '/launchpad';
  return isDefaultAccount(viewer) ? '/profile' : '/home';
};

/** Where to go instead of a screen, or null to show it. `search` is the address's query string. */
export const redirectFrom = (guard: Guard, viewer: Viewer, search = ''): string | null => {
  if (viewer.isSetupNeeded) return guard === 'setup' ? null : '/setup';
  const rules: Record<Guard, () => string | null> = {
    setup: () => landingPage(viewer),
    signedOut: () => (viewer.session ? landingPage(viewer) : null),
    registration: () => {
      // SES-016: here the demo account gets no detour.
      if (viewer.session) return viewer.session.is_sys_admin ? '/home' : '/launchpad';
      return viewer.environment.authentication.allow_open_registration ? null : '/login';
    },
    logout: () => (viewer.session ? null : '/login'),
    signedIn: () => (viewer.session ? null : '/login'),
    user: () => {
      if (!viewer.session) return '/login';
      return mayUseAdminApp(viewer.environment) ? null : '/launchpad';
    },
    admin: () => {
      if (!viewer.session) return '/login';
      return viewer.session.is_sys_admin && mayUseAdminApp(viewer.environment) ? null : '/launchpad';
    },
    launchpad: () => {
      // LPD-001: a query here is a sign-in on its way back; the login page finishes it.
      if (search.length > 1) return `/login${search}`;
      // LPD-002, LPD-005: no apps is one thing, an answer without the key is shown as an error.
      return viewer.session || viewer.environment.apps?.length !== 0 ? null : '/login';
    },
  };
  return rules[guard]();
};

/** What the way to the login page carries along: the address that was opened without being signed in. */
export interface SignInState {
  returnTo: string;
}

/** The state of a redirect: the address to come back to after the sign-in, when the page is one for people who are signed in. */
export const signInStateOf = (guard: Guard, target: string, address: string): SignInState | undefined =>
  target === '/login' && guard !== 'logout' && guard !== 'registration' ? { returnTo: address } : undefined;

/** The address a sign-in leads back to, as the history kept it; null when it holds none of this console. */
export const returnAddressOf = (state: unknown): string | null => {
  const address = (state as Partial<SignInState> | null)?.returnTo;
  // Two slashes, or a backslash, would begin another host.
  return typeof address === 'string' && /^\/(?![/\\])[^\\]*$/.test(address) ? address : null;
};
