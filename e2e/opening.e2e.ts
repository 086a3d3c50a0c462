// How the console comes up: in few requests, with code and data asked for at once, and whole. How long it takes is measured by
// `npm run bench -- console` and asserted nowhere.
import type { Page, Request } from '@playwright/test';
import { expect, signIn, test } from './instance.ts';

/** Most that may be asked for before the sign-in form is there, the page itself included. */
const maxRequests = 12;

const pathOf = (request: Request) => new URL(request.url()).pathname;

/** What the page asks for from now on. */
const requestsOf = (page: Page): Request[] => {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return requests;
};

test('the sign-in form takes at most twelve requests', async ({ page, instance }) => {
  const requests = requestsOf(page);
  await page.goto(`${instance.url}/login`);
  await expect(page.getByPlaceholder('Enter Password')).toBeVisible();
  const paths = requests.map(pathOf);
  expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(maxRequests);
  // The settings come with the page, and the environment is asked for once.
  expect(paths).not.toContain('/console.json');
  expect(paths.filter((path) => path === '/api/v2/system/environment')).toHaveLength(1);
});

test('the sign-in form is there before the scripts, and keeps what is typed and sent by then', async ({
  page,
  instance,
}) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/start-libraries-[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${instance.url}/login`, { waitUntil: 'commit' });
  await expect(page.getByPlaceholder('Enter Email')).toBeFocused();
  await page.keyboard.type('nobody@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  expect(new URL(page.url()).search).toBe('');
  release();
  await expect(page.getByRole('alert')).toContainText('Invalid credentials');
  await expect(page.getByPlaceholder('Enter Email')).toHaveValue('nobody@example.com');
  await expect(page.getByPlaceholder('Enter Password')).toBeFocused();
});

test('a page behind the sign-in names the files it needs, and asks for each thing once', async ({ page, instance }) => {
  await instance.api('POST', 'system/user', {
    resource: [{ email: `opening-${Date.now()}@example.com`, name: 'Opening' }],
  });
  await signIn(page, instance);
  const requests = requestsOf(page);
  const response = await page.goto(`${instance.url}/users`);
  await expect(page.getByRole('table')).toBeVisible();
  const html = (await response?.text()) ?? '';
  const asked = requests.filter((request) => /\/assets\/.*\.(js|css)$/.test(request.url())).map(pathOf);
  expect(asked.filter((path) => !html.includes(path))).toEqual([]);
  const calls = requests.filter((request) => pathOf(request).startsWith('/api/')).map((request) => request.url());
  expect(calls).toEqual([...new Set(calls)]);
});

test('the page stays until the next one is loaded', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const home = await heading.textContent();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/roles-[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/assets\/roles-[^/]*\.js$/);
  await page.getByRole('link', { name: 'Roles', exact: true }).click();
  await asked;
  await expect(heading).toHaveText(home ?? '');
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible();
  release();
  await expect(heading).toHaveText('Roles');
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeHidden();
});

test('pointing at a link loads what it leads to', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  const asked = page.waitForRequest(/\/assets\/roles-[^/]*\.js$/);
  await page.getByRole('link', { name: 'Roles', exact: true }).hover();
  await asked;
  await expect(page).toHaveURL(/\/home$/);
});

test('texts are in Inter, which the console brings itself', async ({ page, instance }) => {
  await page.goto(`${instance.url}/login`);
  await expect(page.getByPlaceholder('Enter Password')).toBeVisible();
  const loaded = () => page.evaluate(async () => (await document.fonts.load('16px Inter')).map(({ status }) => status));
  expect(await loaded()).toEqual(['loaded']);
  expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^Inter,/);
});

test('the menu of a row opens, takes the keys and gives the focus back', async ({ page, instance }) => {
  await instance.api('POST', 'system/role', { resource: [{ name: `opening-${Date.now()}` }] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles`);
  const button = page.getByRole('button', { name: /^Actions for/ }).first();
  await button.focus();
  for (const _time of ['first', 'second']) {
    await page.keyboard.press('Enter');
    const item = page.getByRole('menuitem', { name: 'Edit' });
    await expect(item).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(item).toBeHidden();
    await expect(button).toBeFocused();
  }
});
