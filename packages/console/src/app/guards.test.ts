import { describe, expect, it } from 'vitest';
import { anApp, anEnvironment } from '../api/testing.ts';
import { type Guard, landing, redirectFrom, type Who } from './guards.ts';
import { newAddress } from './old-address.ts';
import { topLinks } from './top-links.tsx';

const who = (session: Who['session'], environment = anEnvironment(), isSetupNeeded = false): Who => ({
  session,
  environment,
  isSetupNeeded,
});
const admin = { is_sys_admin: true, email: 'ada@example.com' };
const user = { is_sys_admin: false, email: 'jo@example.com' };
const demo = { is_sys_admin: true, email: 'user@example.com' };
const noApps = anEnvironment({ apps: [] });
const otherApps = anEnvironment({ apps: [anApp('crm')] });
const registering = anEnvironment({
  authentication: { ...anEnvironment().authentication, allow_open_registration: true },
});
const isDemo = anEnvironment({ platform: { license: '', bitnami_demo: true, is_hosted: false } });
const { platform: _unknown, ...withoutPlatform } = anEnvironment();

const people = {
  nobody: who(null),
  nobodyNoApps: who(null, noApps),
  nobodyMayRegister: who(null, registering),
  user: who(user),
  userOtherApps: who(user, otherApps),
  admin: who(admin),
  adminNoAdminApp: who(admin, otherApps),
  demoAdmin: who(demo),
  setup: who(null, anEnvironment(), true),
};

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
    expect(landing(people.demoAdmin)).toBe('/profile');
    expect(landing(who(demo, isDemo))).toBe('/home');
    expect(landing(who(demo, withoutPlatform))).toBe('/home');
    expect(landing(who({ ...demo, is_sys_admin: false }))).toBe('/launchpad');
  });
});

describe('top links', () => {
  const links = { upgrade: 'https://example.com/up', support: 'https://example.com/help' };
  const names = (person: Who, path = '/home', set: Record<string, string | null> = links, exists = () => true) =>
    topLinks(person, path, set, exists).map(({ name, isActive }) => (isActive ? `[${name}]` : name));

  it('come in order, each by its rule, the active one marked (NAV-004, NAV-006, NAV-007, NAV-011…016, SES-047)', () => {
    expect(names(people.admin)).toEqual(['upgrade', 'support', 'launchpad', '[admin]']);
    expect(names(people.userOtherApps, '/launchpad')).toEqual(['upgrade', 'support', '[launchpad]']);
    expect(names(people.nobodyMayRegister, '/login')).toEqual([
      'upgrade',
      'support',
      'launchpad',
      '[login]',
      'register',
    ]);
    expect(names(people.nobodyNoApps, '/register-confirm')).toEqual(['upgrade', 'support', 'login']);
    expect(
      names(who(admin, anEnvironment({ platform: { license: 'GOLD', bitnami_demo: false, is_hosted: false } }))),
    ).not.toContain('upgrade');
  });

  it('leave out what nobody set and what does not exist', () => {
    expect(names(people.admin, '/home', {})).toEqual(['launchpad', '[admin]']);
    expect(names(people.nobodyMayRegister, '/login', {}, () => false)).toEqual([]);
  });

  it.each(['/home', '/apps', '/file-manager', '/package-manager', '/apidocs', '/limits', '/services/7'])(
    'mark Admin at %s (NAV-003)',
    (path) => expect(names(people.admin, path)).toContain('[admin]'),
  );
});

describe('an address of the old console', () => {
  it.each([
    ['', '#/services', '/services'],
    ['', '#/users?filter=a%20b', '/users?filter=a%20b'],
    ['?session_token=x', '#/login', '/login?session_token=x'],
    ['?code=1&state=2', '#/login?z=3', '/login?code=1&state=2&z=3'],
    ['', '#//evil.example', '/evil.example'],
    ['', '#content', null],
    ['?a=1', '', null],
  ])('%s%s moves to %s', (search, hash, target) => expect(newAddress(search, hash)).toBe(target));
});
