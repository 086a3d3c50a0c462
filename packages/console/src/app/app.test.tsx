import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { currentSession, sessionState, storeSession } from '../api/session-state.ts';
import {
  anApp,
  anEnvironment,
  aSession,
  type FakeResponse,
  fakeInstance,
  freshConsole,
  type RecordedCall,
  refusal,
} from '../api/testing.ts';
import { railLinks } from '../frame/frame.tsx';
import { matchRows } from '../frame/palette.tsx';
import { screens } from '../screens/index.ts';
import { notify } from '../ui/notify.ts';
import { showConsole } from './testing.tsx';

const services = {
  services: [{ id: 6, name: 'db', label: 'Local Database', description: '', type: 'sqlite' }],
  service_types: [{ name: 'sqlite', label: 'SQLite', group: 'Database' }],
};
const instance = (special: (call: RecordedCall) => FakeResponse | null = () => null) =>
  fakeInstance((call) => {
    const own = special(call);
    if (own) return own;
    if (call.path === 'system/environment') return { body: anEnvironment() };
    if (call.path === '') return { body: services };
    if (call.path.startsWith('system/service?')) return { body: { resource: services.services } };
    if (/^system\/\w+\?/.test(call.path)) return { body: { resource: [] } };
    return { body: { success: true } };
  });
const as = (isAdmin: boolean, apps = anEnvironment().apps) => {
  storeSession(aSession({ is_sys_admin: isAdmin }));
  sessionState.set({ ...sessionState.get(), environment: anEnvironment({ apps }) });
};

beforeEach(() => freshConsole());

describe('the list of screens', () => {
  it('names every folder of screens/, and nothing else', () => {
    const folders = Object.keys(import.meta.glob('../screens/*/index.tsx')).map((file) => file.split('/')[2]);
    // One folder may serve two addresses, as that of people does; the sign-in page comes with the start.
    const loaded = new Set(
      screens.map(({ load, path }) => /([\w-]+)\/index\.tsx/.exec(String(load))?.[1] ?? path.slice(1)),
    );
    expect([...loaded].sort()).toEqual(folders.sort());
  });

  // Those of the documents, in their order; ours come after theirs.
  it('has the component links in order (NAV-008)', () => {
    const names = screens.flatMap(({ nav }) => (nav ? [nav.name] : []));
    const documented = [
      ...['home', 'apps', 'admins', 'users', 'roles', 'services', 'apidocs'],
      ...['schema', 'data', 'files', 'scripts', 'config', 'packages', 'limits'],
    ];
    expect(names.slice(0, documented.length)).toEqual(documented);
  });

  it('gives other people fewer links (NAV-010)', () => {
    const environment = anEnvironment();
    const links = (isAdmin: boolean) =>
      railLinks(screens, { session: { is_sys_admin: isAdmin, email: '' }, environment, isSetupNeeded: false }).map(
        ({ path }) => path,
      );
    expect(links(true)).toContain('/home');
    expect(links(false).filter((path) => ['/admins', '/roles', '/limits'].includes(path))).toEqual([]);
    expect(railLinks(screens, { session: null, environment, isSetupNeeded: false })).toEqual([]);
  });
});

describe('the frame', () => {
  it('shows where one is, with the links of the section (NAV-002, NAV-009, NAV-017)', async () => {
    as(true);
    instance();
    showConsole('/home');
    const rail = await screen.findByRole('navigation', { name: 'Sections' });
    expect(within(rail).getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('page');
    expect(await screen.findByText('Local Database')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Account of Ada Lovelace' }));
    expect((await screen.findByRole('menuitem', { name: 'Profile' })).getAttribute('href')).toBe('/profile');
    expect(screen.getByRole('menuitem', { name: 'Logout' }).getAttribute('href')).toBe('/logout');
  });

  it.each([
    ['/no/such/page', true, '/home'],
    ['/', false, '/launchpad'],
  ])('leads from %s to where one belongs (SES-020)', async (at, isAdmin, target) => {
    as(isAdmin);
    instance();
    const { router } = showConsole(at);
    await waitFor(() => expect(router.state.location.pathname).toBe(target));
  });

  it('leads a stranger from everywhere to the login page, with a sign-in to finish', async () => {
    sessionState.set({ ...sessionState.get(), environment: anEnvironment({ apps: [] }) });
    instance();
    const { router } = showConsole('/services/7?tab=x');
    expect(await screen.findByRole('heading', { name: 'Login' })).toBeTruthy();
    expect(router.state.location.search).toBe('');
  });

  it('finishes a sign-in of the address and drops the query (SES-021, SES-080)', async () => {
    instance((call) => (call.path === 'user/session?session_token=abc' ? { body: aSession() } : null));
    const { router } = showConsole('/?session_token=abc');
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/home', search: '' }));
    expect(currentSession()?.session_token).toBe('token-1');
  });

  it('says why such a sign-in failed, and forgets its token', async () => {
    instance((call) => (call.path.startsWith('user/session') ? refusal(401, 'Invalid token: x') : null));
    const { router } = showConsole('/login?session_token=bad');
    expect((await screen.findByRole('alert')).textContent).toContain('Invalid token: x');
    expect(router.state.location.search).toBe('');
  });

  it('goes on when the session of another tab ends', async () => {
    as(true);
    instance();
    const { router } = showConsole('/home');
    await screen.findByText('Local Database');
    sessionState.set({ session: null, environment: anEnvironment({ apps: [] }), isLocked: false });
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });
});

describe('signing out', () => {
  it('ends at the login page (SES-012)', async () => {
    as(true);
    const calls = instance();
    const { router } = showConsole('/logout');
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('that fails says so, keeps the person, and can be left (SES-093)', async () => {
    as(true);
    instance((call) => (call.method === 'DELETE' ? refusal(500, 'The store does not answer.') : null));
    const { router } = showConsole('/logout');
    expect(await screen.findByRole('heading', { name: 'You are still signed in' })).toBeTruthy();
    expect(currentSession()).not.toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Forget it on this device' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(currentSession()).toBeNull();
  });
});

describe('the palette', () => {
  it('opens by keyboard, finds screens, services and actions, and goes there', async () => {
    as(true);
    instance();
    const { router } = showConsole('/home');
    await screen.findByText('Local Database');
    await userEvent.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox');
    await userEvent.type(field, 'local');
    expect(await screen.findByRole('option', { name: /^Local Database/ })).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.type(field, 'prof');
    await waitFor(() =>
      expect(
        screen.getAllByRole('option').map((row) => [row.textContent, row.getAttribute('aria-selected')])[0],
      ).toEqual(['Profile', 'true']),
    );
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'));
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('says when a part of it cannot be searched', async () => {
    as(true);
    instance((call) => (call.path.startsWith('system/service') ? refusal(500, 'The store does not answer.') : null));
    showConsole('/home');
    await screen.findByRole('heading', { level: 1 });
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(
      await screen.findByText(/Some results are missing: The store does not answer/, {}, { timeout: 3000 }),
    ).toBeTruthy();
  });

  it('matches every word, without regard to case and accents; beginnings first', () => {
    const rows = [{ label: 'My roles' }, { label: 'Rôles' }, { label: 'Users', note: 'roles' }, { label: 'Data' }];
    expect(matchRows(rows, 'ROLES').map(({ label }) => label)).toEqual(['Rôles', 'My roles', 'Users']);
    expect(matchRows(rows, 'roles my').map(({ label }) => label)).toEqual(['My roles']);
    expect(matchRows(rows, '  ')).toHaveLength(4);
  });

  it('keeps out of the way: ? is a letter in a field, a list elsewhere', async () => {
    as(true);
    instance();
    showConsole('/home');
    await screen.findByText('Local Database');
    await userEvent.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.type(await screen.findByRole('combobox'), '?');
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull();
  });
});

describe('notices', () => {
  it('keep errors with their request id, to copy', async () => {
    as(true);
    instance();
    showConsole('/home');
    await screen.findByText('Local Database');
    notify.error('Services', { message: 'It broke.', requestId: 'req-9', status: 500, code: 500 });
    await userEvent.click(await screen.findByRole('button', { name: 'Notices, 1 new' }));
    const tray = await screen.findByRole('dialog', { name: 'Notices' });
    expect(within(tray).getByText('It broke.')).toBeTruthy();
    expect(within(tray).getByRole('button', { name: 'Copy Details' })).toBeTruthy();
    await userEvent.click(within(tray).getByRole('button', { name: 'Clear errors' }));
    expect(within(tray).queryByText('It broke.')).toBeNull();
  });
});

describe('the launchpad', () => {
  it('lists apps that have an address, each in a new window (LPD-003, LPD-004, NAV-032, SES-050)', async () => {
    as(false, [
      anApp('admin', ''),
      anApp('crm', 'https://crm.example.com'),
      { ...anApp('evil'), url: 'javascript:alert(1)' },
    ]);
    instance();
    showConsole('/launchpad');
    const main = await screen.findByRole('main');
    const links = await within(main).findAllByRole('link');
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('target')])).toEqual([
      ['https://crm.example.com', '_blank'],
    ]);
  });

  it('says when there are none, and when the config has no apps key (LPD-005, OPEN-206)', async () => {
    as(false, []);
    instance();
    showConsole('/launchpad');
    expect(await screen.findByText(/you have no active applications/)).toBeTruthy();
    sessionState.set({ ...sessionState.get(), environment: { ...anEnvironment(), apps: undefined as never } });
    expect(await screen.findByText(/there was a problem loading system config/)).toBeTruthy();
  });
});
