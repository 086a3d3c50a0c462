import { describe, expect, it } from 'vitest';
import { anEnvironment } from '../api/testing.ts';
import { type Guard, landingPage, redirectFrom, returnAddressOf, signInStateOf } from './guards.ts';
import { demo, isDemo, people, who, withoutPlatform } from './people.fixture.ts';

/** Where each person lands instead; null means the screen is shown. */
const table: [string, Guard, Partial<Record<keyof typeof people, string | null>>][] = [
  // SES-008…011
  ['/login', 'signedOut', { nobody: null, user: '/launchpad', admin: '/home', demoAdmin: '/profile', setup: '/setup' }],
  // SES-012
  ['/logout', 'logout', { nobody: '/login', user: null, admin: null }],
  // SES-013…016
  [
    '/register',
    'registration',
    { nobody: '/login', nobodyMayRegister: null, user: '/launchpad', admin: '/home', demoAdmin: '/home' },
  ],
  // SES-017, SES-018
  ['/user-invite', 'signedOut', { nobody: null, user: '/launchpad', admin: '/home' }],
  // NAV-018, NAV-019, NAV-021…036, OPEN-002
  [
    '/services',
    'user',
    { nobody: '/login', user: null, userOtherApps: '/launchpad', admin: null, adminNoAdminApp: '/launchpad' },
  ],
  [
    '/roles',
    'admin',
    { nobody: '/login', user: '/launchpad', userOtherApps: '/launchpad', admin: null, adminNoAdminApp: '/launchpad' },
  ],
  // NAV-031
  ['/profile', 'signedIn', { nobody: '/login', user: null, admin: null, demoAdmin: null }],
  // LPD-002, OPEN-205
  ['/launchpad', 'launchpad', { nobody: null, nobodyNoApps: '/login', user: null, adminNoAdminApp: null }],
  // Set-up: only there while nobody is.
  ['/setup', 'setup', { setup: null, nobody: '/login', user: '/launchpad', admin: '/home' }],
];

describe('guards', () => {
  const rows = table.flatMap(([path, guard, targets]) =>
    Object.entries(targets).map(([name, target]) => [path, name, target, guard] as const),
  );
  it.each(rows)('%s for %s leads to %s', (_path, name, target, guard) => {
    expect(redirectFrom(guard, people[name as keyof typeof people])).toBe(target);
  });

  it('needs the app admin in the config besides the person (NAV-018, NAV-019)', () => {
    for (const guard of ['user', 'admin'] as const) {
      expect(redirectFrom(guard, people.admin)).toBeNull();
      expect(redirectFrom(guard, people.adminNoAdminApp)).toBe('/launchpad');
    }
    expect(redirectFrom('admin', people.user)).toBe('/launchpad');
  });

  it('sends everything to set-up while there is no administrator', () => {
    for (const guard of table.map(([, guard]) => guard).filter((guard) => guard !== 'setup'))
      expect(redirectFrom(guard, people.setup)).toBe('/setup');
  });

  it('never redirects in a circle', () => {
    const guardOf = Object.fromEntries(table.map(([path, guard]) => [path, guard]));
    guardOf['/home'] = 'user';
    for (const person of Object.values(people)) {
      for (const start of Object.keys(guardOf)) {
        let path = start;
        const seen = new Set<string>();
        for (;;) {
          expect(seen).not.toContain(path);
          seen.add(path);
          const next = redirectFrom(guardOf[path]!, person);
          if (next === null) break;
          path = next;
        }
      }
    }
  });

  it('takes a query at the launchpad for a sign-in on its way back (LPD-001)', () => {
    expect(redirectFrom('launchpad', people.admin, '?session_token=x')).toBe('/login?session_token=x');
    expect(redirectFrom('launchpad', people.admin, '')).toBeNull();
  });

  it('shows the launchpad when the config has no apps key (LPD-005)', () => {
    const { apps: _none, ...rest } = anEnvironment();
    expect(redirectFrom('launchpad', who(null, rest as never))).toBeNull();
  });

  it('knows the default account only on an instance that says it is no demo (SES-010, SES-049, OPEN-001)', () => {
    expect(landingPage(people.demoAdmin)).toBe('/profile');
    expect(landingPage(who(demo, isDemo))).toBe('/home');
    expect(landingPage(who(demo, withoutPlatform))).toBe('/home');
    expect(landingPage(who({ ...demo, is_sys_admin: false }))).toBe('/launchpad');
  });
});

describe('the way back after a sign-in', () => {
  it('is kept for pages of people who are signed in', () => {
    const guards: Guard[] = ['user', 'admin', 'signedIn', 'launchpad'];
    for (const guard of guards)
      expect(signInStateOf(guard, '/login', '/roles/5?a=b#c')).toEqual({ returnTo: '/roles/5?a=b#c' });
  });

  it('is none after a sign-out, from a closed registration, and where nobody is sent to sign in', () => {
    expect(signInStateOf('logout', '/login', '/logout')).toBeUndefined();
    expect(signInStateOf('registration', '/login', '/register')).toBeUndefined();
    expect(signInStateOf('user', '/launchpad', '/users')).toBeUndefined();
    expect(signInStateOf('user', '/setup', '/users')).toBeUndefined();
  });

  it('leads to no other host', () => {
    expect(returnAddressOf({ returnTo: '/roles/5?a=//b#c' })).toBe('/roles/5?a=//b#c');
    for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example', '', 7, null, undefined])
      expect(returnAddressOf({ returnTo })).toBeNull();
    expect(returnAddressOf(null)).toBeNull();
  });
});
