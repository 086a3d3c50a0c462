// The sections: who gets to each, how each is marked, and which links stand beside it.
import type { Page, Request } from '@playwright/test';
import { hideGuestApps, makeGuest } from './guests.ts';
import { admin, createSession, expect, type Instance, signIn, test } from './instance.ts';

interface Section {
  path: string;
  name: string;
  needsAdmin?: boolean;
  /** It needs no app, only someone signed in. */
  isForAll?: boolean;
  /** Those who may not read what it begins with are led home from it. */
  leadsHome?: boolean;
  /** Those of its list. */
  tabs?: string[];
}

/** Sections of this server in their order; others may stand among them. */
const sections: Section[] = [
  { path: '/home', name: 'Home' },
  { path: '/apps', name: 'Apps' },
  { path: '/admins', name: 'Admins', needsAdmin: true },
  { path: '/users', name: 'Users' },
  { path: '/roles', name: 'Roles', needsAdmin: true, tabs: ['Manage Roles', 'Create'] },
  { path: '/services', name: 'Services', tabs: ['Manage Services', 'Create'] },
  { path: '/apidocs', name: 'API Docs', isForAll: true },
  { path: '/schema', name: 'Schema', tabs: ['Manage'] },
  { path: '/data', name: 'Data', tabs: ['Manage'] },
  { path: '/file-manager', name: 'Files', isForAll: true },
  { path: '/scripts', name: 'Scripts' },
  { path: '/config', name: 'Config' },
  // Its guard lets them in; what it reads is refused then, which leads home (PKG-026).
  { path: '/package-manager', name: 'Packages', isForAll: true, leadsHome: true },
  { path: '/limits', name: 'Limits', needsAdmin: true, tabs: ['Manage', 'Create'] },
  { path: '/audit', name: 'Audit', needsAdmin: true },
  { path: '/jobs', name: 'Jobs', needsAdmin: true },
];
/** None of the sections the top link Admin is known for. */
const ours = ['/audit', '/jobs'];

const links = (page: Page, name: string) => page.getByRole('navigation', { name }).getByRole('link');
/** Of the known sections there are these, in this order. */
const expectSections = (page: Page, expected: typeof sections) =>
  expect
    .poll(async () => {
      const names = await links(page, 'Sections').allInnerTexts();
      return names.map((name) => name.trim()).filter((name) => sections.some((section) => section.name === name));
    })
    .toEqual(expected.map(({ name }) => name));
const current = (page: Page, name: string) => page.getByRole('navigation', { name }).locator('[aria-current="page"]');

/** Names of the apps that the system config has for somebody. */
async function appsOf(instance: Instance, account: { email: string; password: string }): Promise<string[]> {
  const { session_token } = await createSession(instance, account);
  const headers = { 'X-DreamFactory-Session-Token': session_token };
  const { body } = await instance.api('GET', 'system/environment', undefined, headers);
  return body.apps.map(({ name }: { name: string }) => name);
}

test('SES-003 NAV-019 NAV-021 NAV-022 NAV-023 NAV-025 NAV-026 NAV-027 NAV-028 NAV-029 NAV-030 NAV-031 NAV-034 NAV-035 NAV-036 a section needs someone signed in who has the app admin, some need an administrator', async ({
  page,
  instance,
}) => {
  test.setTimeout(120_000);
  const leadsTo = async (path: string, target: string) => {
    await page.goto(instance.url + path, { waitUntil: 'commit' });
    // A guard has let someone in when there is something to see.
    await expect(page.getByRole('heading').first(), path).toBeVisible();
    await expect(page, path).toHaveURL(new RegExp(`${target}(/[a-z-]+)?$`));
  };
  for (const { path } of [...sections, { path: '/profile' }]) await leadsTo(path, '/login');

  const stranger = await makeGuest(instance);
  expect(await appsOf(instance, stranger)).not.toContain('admin');
  await signIn(page, instance, stranger);
  for (const { path, isForAll, leadsHome } of sections)
    await leadsTo(path, isForAll && !leadsHome ? path : '/launchpad');
  await leadsTo('/profile', '/profile');

  const guest = await makeGuest(instance, [{ service: 'system', component: '*', verb_mask: 31 }]);
  expect(await appsOf(instance, guest)).toContain('admin');
  await signIn(page, instance, guest);
  for (const { path, needsAdmin } of sections) await leadsTo(path, needsAdmin ? '/launchpad' : path);

  await signIn(page, instance);
  for (const { path, tabs = [] } of sections) {
    await leadsTo(path, path);
    for (const name of tabs)
      await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible();
  }
});

test('NAV-002 NAV-003 NAV-004 NAV-006 NAV-008 NAV-009 NAV-010 the active section is marked, its links stand in their order, and people who are no administrators have fewer', async ({
  page,
  instance,
}) => {
  test.setTimeout(120_000);
  await page.goto(`${instance.url}/login`);
  await expect(current(page, 'Places')).toHaveText('Login');
  await signIn(page, instance);
  for (const { path, name } of sections) {
    await page.goto(instance.url + path, { waitUntil: 'commit' });
    await expectSections(page, sections);
    await expect(current(page, 'Sections')).toHaveText(name);
    await expect(current(page, 'Places')).toHaveText(ours.includes(path) ? [] : ['Admin']);
  }
  await page.goto(`${instance.url}/downloads`);
  await expectSections(page, sections);
  await expect(current(page, 'Places')).toHaveText('Admin');
  await page.goto(`${instance.url}/launchpad`);
  await expect(current(page, 'Places')).toHaveText('LaunchPad');
  await page.goto(`${instance.url}/profile`);
  await expect(links(page, 'Places').first()).toBeVisible();
  await expect(current(page, 'Places')).toHaveCount(0);

  await signIn(page, instance, await makeGuest(instance, [{ service: 'system', component: '*', verb_mask: 1 }]));
  await page.goto(`${instance.url}/home`);
  await expectSections(
    page,
    sections.filter(({ needsAdmin }) => !needsAdmin),
  );
});

test('NAV-001 X-001 X-002 X-003 X-026 one page holds all sections, and each call is one of this instance with the key of the app', async ({
  page,
  instance,
}) => {
  const { api_key } = await (await fetch(`${instance.url}/console.json`)).json();
  const role = { name: `to be deleted ${Date.now()}`, is_active: true };
  await instance.api('POST', 'system/role', { resource: [role] });
  await page.goto(`${instance.url}/login`);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.getByPlaceholder('Enter Email').fill(admin.email);
  await page.getByPlaceholder('Enter Password').fill(admin.password);
  await page.getByRole('button', { name: 'Login' }).click();
  for (const { name, path } of sections) {
    await links(page, 'Sections')
      .filter({ hasText: new RegExp(`^${name}$`) })
      .click();
    await expect(page).toHaveURL(new RegExp(`${path}(/[a-z-]+)?$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (name !== 'Roles') continue;
    await page.getByRole('button', { name: `Actions for ${role.name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('Role successfully deleted.')).toBeVisible();
  }
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);

  expect(requests.filter((request) => request.isNavigationRequest())).toEqual([]);
  expect([...new Set(requests.map((request) => new URL(request.url()).origin))]).toEqual([instance.url]);
  const calls = requests.filter((request) => ['fetch', 'xhr'].includes(request.resourceType()));
  const others = calls.filter((request) => !request.url().startsWith(`${instance.url}/api/v2/`));
  expect(others.map((request) => request.url())).toEqual([]);
  expect(calls.length).toBeGreaterThan(20);
  expect([...new Set(calls.map((request) => request.headers()['x-dreamfactory-api-key']))]).toEqual([api_key]);
  const deletions = calls.filter((request) => request.method() === 'DELETE');
  expect(deletions.map((request) => request.headers()['content-type'])).toEqual([
    'application/json',
    'application/json',
  ]);
  expect(calls.filter((request) => request.url() === `${instance.url}/api/v2/`).map((call) => call.method())).toContain(
    'GET',
  );
});

test('NAV-032 SES-050 the launchpad lists the apps that the config names for somebody, and so do the links', async ({
  page,
  instance,
}) => {
  const places = links(page, 'Places');
  const listed = page.getByRole('main').getByRole('listitem').getByRole('heading');
  await hideGuestApps(instance);
  const stranger = await makeGuest(instance);
  expect(await appsOf(instance, stranger)).toEqual([]);
  await signIn(page, instance, stranger);
  await page.goto(`${instance.url}/launchpad`);
  await expect(page.getByText(/you have no active applications/)).toBeVisible();
  await expect(places.filter({ hasText: /LaunchPad|Admin/ })).toHaveCount(0);

  const guest = await makeGuest(instance, [{ service: 'system', component: '*', verb_mask: 1 }]);
  const { body: roles } = await instance.api('GET', `system/user/${guest.id}?related=user_to_app_to_role_by_user_id`);
  const [{ role_id }] = roles.user_to_app_to_role_by_user_id;
  const app = { name: `till ${Date.now()}`, type: 2, url: `${instance.url}/healthz`, is_active: true };
  const { body: apps } = await instance.api('POST', 'system/app', { resource: [app] });
  const rows = { user_to_app_to_role_by_user_id: [{ app_id: apps.resource[0].id, role_id }] };
  await instance.api('PATCH', `system/user/${guest.id}`, rows);
  expect((await appsOf(instance, guest)).sort()).toEqual(['admin', app.name]);
  await signIn(page, instance, guest);
  await page.goto(`${instance.url}/launchpad`);
  await expect(listed).toHaveText(['admin', app.name]);
  await expect(places.filter({ hasText: /LaunchPad|Admin/ })).toHaveText(['LaunchPad', 'Admin']);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'no-preference' } });

  test('NAV-044 the menu flies out 300 px wide in 250 ms', async ({ page, instance }) => {
    await signIn(page, instance);
    await page.goto(`${instance.url}/home`);
    const times = await page.evaluateHandle(() => {
      const seen: number[] = [];
      document.addEventListener('transitionend', ({ target, propertyName, elapsedTime }) => {
        if (propertyName === 'transform' && (target as Element).matches('[role=dialog]')) seen.push(elapsedTime);
      });
      return seen;
    });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    const menu = page.getByRole('dialog');
    await expect(menu.getByRole('link', { name: 'Services' })).toBeVisible();
    await expect.poll(() => times.jsonValue()).toEqual([0.25]);
    expect((await menu.boundingBox())?.width).toBe(300);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  });
});
