// The sections: who gets to each, how each is marked, and which links stand beside it.
import type { Page } from '@playwright/test';
import { makeGuest } from './guests.ts';
import { expect, signIn, test } from './instance.ts';

interface Section {
  path: string;
  name: string;
  needsAdmin?: boolean;
  /** It needs no app, only someone signed in. */
  isForAll?: boolean;
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
  { path: '/data', name: 'Data', tabs: ['Manage'] },
  { path: '/file-manager', name: 'Files', isForAll: true },
  { path: '/config', name: 'Config' },
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

test('NAV-021 NAV-022 NAV-023 NAV-025 NAV-026 NAV-027 NAV-031 NAV-034 NAV-036 a section needs someone signed in who has the app admin, some need an administrator', async ({
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

  await signIn(page, instance, await makeGuest(instance));
  for (const { path, isForAll } of sections) await leadsTo(path, isForAll ? path : '/launchpad');
  await leadsTo('/profile', '/profile');

  await signIn(page, instance, await makeGuest(instance, [{ service: 'system', component: '*', verb_mask: 31 }]));
  for (const { path, needsAdmin } of sections) await leadsTo(path, needsAdmin ? '/launchpad' : path);

  await signIn(page, instance);
  for (const { path, tabs = [] } of sections) {
    await leadsTo(path, path);
    for (const name of tabs)
      await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible();
  }
});

test('NAV-002 NAV-004 NAV-006 NAV-010 the active section is marked, and people who are no administrators have fewer', async ({
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
