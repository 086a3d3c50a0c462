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
  const requested = requests.filter((request) => /\/assets\/.*\.(js|css)$/.test(request.url())).map(pathOf);
  expect(requested.filter((path) => !html.includes(path))).toEqual([]);
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
  const requested = page.waitForRequest(/\/assets\/roles-[^/]*\.js$/);
  await page.getByRole('link', { name: 'Roles', exact: true }).click();
  await requested;
  await expect(heading).toHaveText(home ?? '');
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible();
  release();
  await expect(heading).toHaveText('Roles');
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeHidden();
});

test('pointing at a link loads what it leads to', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  const requested = page.waitForRequest(/\/assets\/roles-[^/]*\.js$/);
  await page.getByRole('link', { name: 'Roles', exact: true }).hover();
  await requested;
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

for (const path of ['/home', '/users', '/admins'])
  for (const width of [1440, 390])
    test(`${path} is there before the scripts are, ${width} wide, as it is with them`, async ({
      browser,
      instance,
    }) => {
      const name = `drawn-${width}-${Date.now()}`;
      await instance.api('POST', 'system/user', { resource: [{ email: `${name}@example.com`, name }] });
      const context = await browser.newContext({ viewport: { width, height: 900 }, timezoneId: 'Asia/Tokyo' });
      const page = await context.newPage();
      await signIn(page, instance);
      const open = async () => (await page.goto(`${instance.url}${path}`))?.text();
      const main = page.locator('main');
      // The first visit starts the thread that draws, and leaves the cookie that says how.
      await open();
      await expect.poll(() => page.evaluate(() => document.cookie)).toContain('SluiceView=');
      await expect.poll(open, { timeout: 30_000 }).toContain('data-ahead');
      await expect(page.locator('[data-ahead]')).toHaveCount(0);
      if (path === '/users') await expect(main).toContainText(name);
      const living = await main.innerText();

      await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
      const requests = requestsOf(page);
      await expect.poll(open, { timeout: 30_000 }).toContain('data-ahead');
      await expect(page.locator('[data-ahead] main')).toHaveAttribute('inert');
      // Calls are counted on Home, and go on.
      const plain = (text: string) => text.replace(/\d+ calls?/g, 'calls');
      expect(plain(await main.innerText())).toBe(plain(living));
      if (width === 1440) {
        const rail = page.locator('nav[aria-label="Sections"]').first();
        await expect(rail.getByRole('link', { name: 'Roles' })).toBeVisible();
      }
      expect(requests.map(pathOf).filter((each) => each.startsWith('/api/'))).toEqual([]);
      await context.close();
    });

test('abuse: a page is drawn for nobody but whose session it is', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('SluiceView=');
  const cookies = await page.context().cookies();
  const textWith = async (token: string | null) => {
    const pairs = cookies.map(({ name, value }) => {
      if (name !== 'CurrentUserObj') return `${name}=${value}`;
      const session = JSON.parse(decodeURIComponent(value));
      return `${name}=${encodeURIComponent(JSON.stringify({ ...session, session_token: token ?? session.session_token }))}`;
    });
    const headers = { accept: 'text/html', cookie: pairs.join('; ') };
    return (await fetch(`${instance.url}/users`, { headers })).text();
  };
  await expect.poll(async () => (await textWith(null)).includes('data-ahead'), { timeout: 30_000 }).toBe(true);
  for (let time = 0; time < 3; time++) {
    expect(await textWith('forged')).not.toMatch(/data-ahead|first-answers|@example\.com/);
    expect(await textWith(null)).toContain('data-ahead');
  }
});
