// What operators set of the world outside: links of Home, a live chat, news. Each is absent until it is set.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { test as base, createSession, expect, type Instance, signIn, startInstance } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { sdks } from './sdks.ts';
import { demo } from './server.ts';

interface Outside {
  instance: Instance;
  /** What the other origin was asked for, with its headers. */
  requests: IncomingMessage[];
  server: Server;
}

/** A chat that shows itself and talks to its own origin. */
const chatScript = (origin: string) => `
  const box = document.createElement('aside');
  box.setAttribute('aria-label', 'Chat');
  box.id = 'chat';
  box.textContent = 'How can we help?';
  document.body.append(box);
  void fetch('${origin}/hello');
`;
const news = [
  { name: 'Version 2 is out', url: 'https://news.example.com/2' },
  { name: 'No link', url: 'javascript:alert(1)' },
];
const homeLinks = [
  { name: 'wiki', label: 'Our wiki', href: 'https://wiki.example.com/' },
  { name: 'status', href: 'https://status.example.com/' },
];

const test = base.extend<object, { outside: Outside }>({
  outside: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const requests: IncomingMessage[] = [];
      const server = createServer((request, response) => {
        requests.push(request);
        response.setHeader('Access-Control-Allow-Origin', '*');
        if (request.url === '/chat.js')
          response.setHeader('Content-Type', 'text/javascript').end(chatScript(`http://${request.headers.host}`));
        else response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ notifications: news }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const settings = {
        SLUICE_CHAT: `${origin}/chat.js`,
        SLUICE_NOTIFICATIONS_FEED: `${origin}/news.json`,
        SLUICE_HOME_LINKS: JSON.stringify(homeLinks),
        SLUICE_SDKS: sdks
          .map(([name]) => `${name}=https://sdk.example.com/${name}`)
          .reverse()
          .join(','),
      };
      const instance = await startInstance({ ...demo, ...settings }, await copyPreparedData());
      await use({ instance, requests, server });
      await instance.stop();
      await new Promise((resolve) => server.close(resolve));
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const chat = (page: Page) => page.locator('#chat');
const asked = ({ requests }: Outside, path: string) => requests.filter(({ url }) => url === path);

test('CFG-048 CFG-049 CFG-050 CFG-051 CFG-052 CFG-053 NAV-047 NAV-049 SRV-040 administrators have the live chat until it is switched off', async ({
  page,
  outside,
}) => {
  const { instance } = outside;
  await instance.api('DELETE', 'system/custom/chat');
  const writes: { line: string; body: unknown }[] = [];
  const reads: string[] = [];
  page.on('request', (request) => {
    const [, path] = request.url().split('/api/v2/');
    if (path !== 'system/custom') return;
    if (request.method() === 'GET') reads.push(path);
    else writes.push({ line: `${request.method()} ${path}`, body: request.postDataJSON() });
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/config`);
  await expect(page.getByRole('navigation', { name: 'System Configuration' }).getByRole('link')).toHaveText([
    ...['System Info', 'Cache', 'CORS', 'Email Templates', 'Global Lookup Keys', 'Live Chat'],
  ]);
  await expect(chat(page)).toBeVisible();
  await expect.poll(() => asked(outside, '/hello').length).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Live Chat' }).click();
  const box = page.getByRole('checkbox', { name: 'Enable live chat' });
  await expect(box).toBeChecked();
  await expectAccessible(page, 'Live Chat');

  const save = async (isOn: boolean) => {
    await box.setChecked(isOn);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Live chat config updated.')).toBeVisible();
    expect((await instance.api('GET', 'system/custom/chat')).body).toBe(isOn);
  };
  await save(false);
  // A script cannot be taken back: the page is loaded again without it.
  await expect(chat(page)).toHaveCount(0);
  await expect(box).not.toBeChecked();
  await save(true);
  await expect(chat(page)).toBeVisible();
  expect(writes).toEqual([
    { line: 'POST system/custom', body: { resource: [{ name: 'chat', value: false }] } },
    { line: 'PUT system/custom', body: { resource: [{ name: 'chat', value: true }] } },
  ]);
  await page.goto(`${instance.url}/home`);
  await expect(chat(page)).toBeVisible();
});

test('CFG-004 a change of the live chat is not left without a question', async ({ page, outside }) => {
  const { instance } = outside;
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/live-chat`);
  await page.getByRole('checkbox', { name: 'Enable live chat' }).click();
  await page.getByRole('link', { name: 'Cache', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Continue without saving?');
});

test('NAV-048 the chat is gone at sign-out, and neither strangers nor users have it', async ({ page, outside }) => {
  const { instance } = outside;
  await instance.api('POST', 'system/custom', { resource: [{ name: 'chat', value: true }] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(chat(page)).toBeVisible();
  await page.goto(`${instance.url}/logout`);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
  await expect(chat(page)).toHaveCount(0);

  const person = { email: `outside.${Date.now()}@example.com`, password: 'their own one' };
  await instance.api('POST', 'system/user', { resource: [{ ...person, name: 'Somebody', is_active: true }] });
  const before = asked(outside, '/chat.js').length;
  await signIn(page, instance, person);
  await page.goto(`${instance.url}/launchpad`);
  await expect(page.getByRole('heading', { name: 'LaunchPad' })).toBeVisible();
  const { session_token } = await createSession(instance, person);
  const headers = { 'X-DreamFactory-Session-Token': session_token };
  const { body } = await instance.api('GET', 'system/environment', undefined, headers);
  expect([body.live_chat, body.notifications_feed]).toEqual([undefined, expect.any(String)]);
  expect(asked(outside, '/chat.js').length).toBe(before);
});

test('abuse: a link with a code tells no other host, whatever is set', async ({ page, outside }) => {
  const { instance } = outside;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(instance.url)) elsewhere.push(request.url());
  });
  for (const path of ['/reset-password', '/user-invite', '/register-confirm']) {
    await page.goto(`${instance.url}${path}?code=SECRET&email=a%40example.com`);
    await expect(page.getByRole('main')).toBeVisible();
    await expect(page).not.toHaveURL(/SECRET/);
  }
  expect(elsewhere).toEqual([]);
});

test('NAV-050 news are links of the feed, which is asked without key, token and cookie', async ({ page, outside }) => {
  const { instance } = outside;
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await page.getByRole('button', { name: 'News' }).click();
  const links = page.getByRole('menuitem');
  await expect(links).toHaveText(['Version 2 is out']);
  await expect(links).toHaveAttribute('href', 'https://news.example.com/2');
  await expect(links).toHaveAttribute('target', '_blank');
  await expectAccessible(page, 'news');
  const [request] = asked(outside, '/news.json');
  expect(
    Object.keys(request?.headers ?? {}).filter((name) => /dreamfactory|cookie|authorization|referer/.test(name)),
  ).toEqual([]);
});

test('HOM-003 HOM-004 the help pages of Home are those of the system config, called by their names where they have no label', async ({
  page,
  outside,
}) => {
  const { instance } = outside;
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  const links = page.getByRole('navigation', { name: 'Help pages' }).getByRole('link');
  await expect(links).toHaveText(['Our wiki', 'status']);
  for (const [index, { href }] of homeLinks.entries()) await expect(links.nth(index)).toHaveAttribute('href', href);
});

test('NAV-038 NAV-039 the list of apps leads to the SDKs', async ({ page, outside }) => {
  const { instance } = outside;
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps`);
  await page.getByRole('button', { name: 'Sample Apps' }).click();
  const links = page.getByRole('menuitem');
  await expect(links).toHaveText(sdks.map(([, label]) => label));
  for (const [index, [name]] of sdks.entries())
    await expect(links.nth(index)).toHaveAttribute('href', `https://sdk.example.com/${name}`);
  await expectAccessible(page, 'SDKs');
});

test('CFG-054 each tab loads its data by the call of its resource', async ({ page, outside }) => {
  const { instance } = outside;
  const calls: string[] = [];
  await page.route('**/api/v2/**', (route) => {
    const [, path = ''] = route.request().url().split('/api/v2/');
    if (route.request().method() === 'GET') calls.push(decodeURIComponent(path));
    return route.continue();
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/config`);
  await expect(page.getByRole('link', { name: 'Live Chat' })).toBeVisible();
  for (const call of [
    'system/environment',
    'system/cache?fields=*',
    ...['cors', 'email_template', 'lookup'].map((resource) => `system/${resource}?include_count=true`),
    'system/custom',
  ])
    expect(calls).toContain(call);
});

base(
  'without settings there is neither chat nor news, and the page talks to nobody else',
  async ({ page, instance }) => {
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(instance.url)) elsewhere.push(request.url());
    });
    await signIn(page, instance);
    const response = await page.goto(`${instance.url}/config`);
    await expect(page.getByRole('link', { name: 'Global Lookup Keys' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Live Chat' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'News' })).toHaveCount(0);
    expect(elsewhere).toEqual([]);
    // Scripts are imported from there, when somebody does.
    expect(response?.headers()['content-security-policy']).toContain("connect-src 'self' https://api.github.com;");
  },
);
