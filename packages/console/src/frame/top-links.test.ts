import { describe, expect, it } from 'vitest';
import { anEnvironment } from '../api/testing.ts';
import type { Viewer } from '../session/guards.ts';
import { admin, people, who } from '../session/people.fixture.ts';
import { topLinks } from './top-links.tsx';

describe('top links', () => {
  const links = { upgrade: 'https://example.com/up', support: 'https://example.com/help' };
  const names = (person: Viewer, path = '/home', set: Record<string, string | null> = links, exists = () => true) =>
    topLinks(person, path, set, exists).map(({ name, isActive }) => (isActive ? `[${name}]` : name));

  it('come in order, each by its rule, the active one marked (NAV-004, NAV-006, NAV-011…016, SES-047)', () => {
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

  it.each(['/register', '/register-complete', '/register-confirm'])('mark Register at %s (NAV-007)', (path) =>
    expect(names(people.nobodyMayRegister, path)).toEqual(['upgrade', 'support', 'launchpad', 'login', '[register]']),
  );

  it.each([
    '/home',
    '/apps',
    '/admins',
    '/users',
    '/roles',
    '/services',
    '/schema',
    '/data',
    '/file-manager',
    '/scripts',
    '/config',
    '/package-manager',
    '/apidocs',
    '/downloads',
    '/limits',
  ])('mark Admin at %s and below it (NAV-003)', (path) => {
    for (const each of [path, `${path}/7`])
      expect(names(people.admin, each)).toEqual(['upgrade', 'support', 'launchpad', '[admin]']);
  });

  it.each(['/profile', '/launchpad', '/homestead', '/'])('do not mark Admin at %s', (path) => {
    expect(names(people.admin, path)).toContain('admin');
  });
});
