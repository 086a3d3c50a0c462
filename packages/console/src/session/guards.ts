// Who is here: what they may see (guards), all that depends on (who), and the way in (login-form, login-overlay). Talking to the
// instance about it is api/'s. Signed-out pages import the single files, so there is no index.
import type { Environment } from '@sluice/contract';

/**
 * Who may see a screen:
 * `signedOut` only people who are not signed in · `registration` also only with open registration · `signedIn` anyone signed in ·
 * `user` signed in, and the app `admin` is among theirs · `admin` also a system administrator · `launchpad`, `logout`, `setup` as their names say.
 */
export type Guard = 'signedOut' | 'registration' | 'signedIn' | 'user' | 'admin' | 'launchpad' | 'logout' | 'setup';

/** All that a decision depends on. */
export interface Who {
  session: { is_sys_admin: boolean; email: string } | null;
  environment: Pick<Environment, 'apps' | 'platform'> & {
    authentication: Pick<Environment['authentication'], 'allow_open_registration'>;
  };
  isSetupNeeded: boolean;
}

/** The address of the account every demo begins with (OPEN-001). */
const demoEmail = 'user@example.com';

export const mayUseAdminApp = (environment: Who['environment']): boolean =>
  (environment.apps ?? []).some((app) => app.name === 'admin');

/** Whether someone still uses the default account on an instance that says it is no demo (SES-010). */
export const isDefaultAccount = ({ session, environment }: Who): boolean =>
  session?.email === demoEmail && environment.platform?.bitnami_demo === false;

/** Where a person belongs (SES-009…011, SES-020). */
export const landing = (who: Who): string => {
  if (who.isSetupNeeded) return '/setup';
  if (!who.session) return '/login';
  if (!who.session.is_sys_admin) return '/launchpad';
  return isDefaultAccount(who) ? '/profile' : '/home';
};

/** Where to go instead of a screen, or null to show it. `search` is the address's query string. */
export const redirectFrom = (guard: Guard, who: Who, search = ''): string | null => {
  if (who.isSetupNeeded) return guard === 'setup' ? null : '/setup';
  const rule: Record<Guard, () => string | null> = {
    setup: () => landing(who),
    signedOut: () => (who.session ? landing(who) : null),
    registration: () => {
      // SES-016: here the demo account gets no detour.
      if (who.session) return who.session.is_sys_admin ? '/home' : '/launchpad';
      return who.environment.authentication.allow_open_registration ? null : '/login';
    },
    logout: () => (who.session ? null : '/login'),
    signedIn: () => (who.session ? null : '/login'),
    user: () => {
      if (!who.session) return '/login';
      return mayUseAdminApp(who.environment) ? null : '/launchpad';
    },
    admin: () => {
      if (!who.session) return '/login';
      return who.session.is_sys_admin && mayUseAdminApp(who.environment) ? null : '/launchpad';
    },
    launchpad: () => {
      // LPD-001: a query here is a sign-in on its way back; the login page finishes it.
      if (search.length > 1) return `/login${search}`;
      // LPD-002, LPD-005: no apps is one thing, an answer without the key is shown as an error.
      return who.session || who.environment.apps?.length !== 0 ? null : '/login';
    },
  };
  return rule[guard]();
};
