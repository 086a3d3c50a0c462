// What becomes of a session: how it begins, how it is kept alive, and how it ends.
import { createHmac, hkdfSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Request } from '@playwright/test';
import { makeGuest } from './guests.ts';
import {
  admin,
  createSession,
  expect,
  type Instance,
  readSession,
  sessionCookie,
  signIn,
  startInstance,
  test,
  writeSession,
} from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';

/** A token as it is an hour later: signed by the instance, and expired. */
async function expiredToken(token: string, { dataFolder }: Instance): Promise<string> {
  const [header, payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const past = { nbf: claims.nbf - 3600, exp: claims.exp - 3700, iat: claims.iat - 3600, jti: `${claims.jti}-expired` };
  const signed = `${header}.${Buffer.from(JSON.stringify({ ...claims, ...past })).toString('base64url')}`;
  const secret = (await readFile(join(dataFolder, 'secret.key'), 'utf8')).trim();
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sluice session tokens', 32));
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** An hour passes for the session of an open page, which learns its token as from another tab. */
async function letTokenExpire(page: Page, instance: Instance): Promise<string> {
  const session = (await readSession(page))!;
  const token = await expiredToken(session.session_token, instance);
  await writeSession(page, instance, { ...session, session_token: token });
  await page.evaluate(() => new BroadcastChannel('sluice.session').postMessage('changed'));
  return token;
}

const tokenOf = (request: Request) => request.headers()['x-dreamfactory-session-token'];

/** Calls of sessions that the page makes, with their answers' status, and whatever else matches. */
function recordCalls(page: Page, others = /\/session(\?|$)/): string[] {
  const calls: string[] = [];
  page.on('response', (response) => {
    const [, path = ''] = response.url().split('/api/v2/');
    if (others.test(path)) calls.push(`${response.request().method()} ${path} ${response.status()}`);
  });
  return calls;
}

const logOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
};

const kinds = [
  { path: 'system/admin/session', isAdmin: true },
  { path: 'user/session', isAdmin: false },
] as const;

test('SES-055 SES-079 SES-099 SES-102 SES-103 an expired token is renewed and the call made again, at the address of its kind; one at the sign-out counts as signed out', async ({
  page,
  instance,
}) => {
  for (const { path, isAdmin } of kinds) {
    await page.context().clearCookies();
    const account = isAdmin ? admin : await makeGuest(instance, [{ service: 'system', component: '*', verb_mask: 1 }]);
    await signIn(page, instance, account);
    await page.goto(`${instance.url}/services`);
    // Journeys before this one may have made another of that label.
    const list = page.getByRole('cell', { name: 'db', exact: true }).first();
    await expect(list).toBeVisible();
    const expired = await letTokenExpire(page, instance);
    const calls = recordCalls(page, /^(system\/service\?|.*session)/);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => calls.filter((call) => /service\?.* 200$/.test(call)).length).toBeGreaterThan(0);
    expect(calls[0]).toMatch(/^GET system\/service\?.* 401$/);
    expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([`PUT ${path} 200`]);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(list).toBeVisible();
    const renewed = (await readSession(page))!;
    expect(renewed.session_token).not.toBe(expired);
    expect(renewed).toMatchObject({ email: account.email, is_sys_admin: isAdmin });

    // Changing the password goes by the kind of person, too.
    await page.goto(`${instance.url}/profile`);
    const change = page.waitForRequest(/\/password\?/);
    await page.getByLabel('Set Password', { exact: true }).check();
    await page.getByLabel('Enter Old Password', { exact: true }).fill('not this one');
    await page.getByLabel('Enter Password', { exact: true }).fill('whatever it is');
    await page.getByLabel('Verify Password', { exact: true }).fill('whatever it is');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const passwordPath = path.replace('session', 'password');
    expect((await change).url()).toBe(`${instance.url}/api/v2/${passwordPath}?reset=false&login=true`);

    const ends = recordCalls(page);
    page.once('dialog', (dialog) => dialog.accept());
    await page.goto(`${instance.url}/launchpad`);
    await logOut(page);
    await expect(page).toHaveURL(/\/login$/);
    expect(ends).toEqual([`DELETE ${path} 200`]);
    expect(await readSession(page)).toBeNull();

    await signIn(page, instance, account);
    await page.goto(`${instance.url}/launchpad`);
    await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
    await letTokenExpire(page, instance);
    ends.length = 0;
    await logOut(page);
    await expect(page).toHaveURL(/\/login$/);
    expect(ends).toEqual([`DELETE ${path} 401`]);
    expect(await readSession(page)).toBeNull();
  }
});

test('two tabs whose token expired go on with one renewal', async ({ page, context, instance }) => {
  await signIn(page, instance);
  const tabs = [page, await context.newPage()];
  const calls = tabs.map((tab) => recordCalls(tab, /^(system\/service\?|.*session)/));
  for (const tab of tabs) {
    await tab.goto(`${instance.url}/services`);
    // While a page that was drawn ahead is taken over, it may be there twice.
    await expect(tab.getByRole('cell', { name: 'db', exact: true }).first()).toBeVisible();
  }
  await letTokenExpire(page, instance);
  for (const made of calls) made.length = 0;
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Refresh' }).click()));
  for (const [index, tab] of tabs.entries()) {
    await expect.poll(() => calls[index]!.some((call) => /service\?.* 200$/.test(call))).toBe(true);
    await expect(tab.getByRole('dialog')).toHaveCount(0);
  }
  expect(calls.flat().filter((call) => !call.startsWith('GET'))).toEqual(['PUT system/admin/session 200']);
});

test('SES-093 a sign-out that fails says so and can be tried again; one of a session that is over counts', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/launchpad`);
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
  // The line is cut for this call only.
  const isSignOut = (url: URL) => url.pathname.endsWith('/session');
  await page.route(isSignOut, (route) => route.abort());
  await logOut(page);
  await expect(page.getByRole('heading', { name: 'You are still signed in' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('The server cannot be reached.');
  expect(await readSession(page)).toMatchObject({ email: admin.email });
  await page.unroute(isSignOut);
  await letTokenExpire(page, instance);
  const ends = recordCalls(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(ends).toEqual(['DELETE system/admin/session 401']);
  expect(await readSession(page)).toBeNull();

  await signIn(page, instance);
  await page.goto(`${instance.url}/launchpad`);
  const { session_token } = (await readSession(page))!;
  await instance.api('DELETE', 'system/admin/session', undefined, { 'X-DreamFactory-Session-Token': session_token });
  await logOut(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(ends.at(-1)).toBe('DELETE system/admin/session 403');
  expect(await readSession(page)).toBeNull();
});

test('SES-057 SES-089 X-028 nothing is shown before the config is read with the key; who it cannot be read as is signed out', async ({
  page,
  instance,
}) => {
  const { api_key } = await (await fetch(`${instance.url}/console.json`)).json();
  await signIn(page, instance);
  const reads: Request[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/system/environment', async (route) => {
    reads.push(route.request());
    await held;
    await route.continue();
  });
  await page.goto(`${instance.url}/home`, { waitUntil: 'commit' });
  await expect.poll(() => reads.length).toBe(1);
  const { session_token } = (await readSession(page))!;
  expect(reads[0]!.method()).toBe('GET');
  expect(reads[0]!.headers()).toMatchObject({
    'x-dreamfactory-api-key': api_key,
    'x-dreamfactory-session-token': session_token,
  });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  release();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible();

  // A token that is no more: neither the config nor a renewal.
  await instance.api('DELETE', 'system/admin/session', undefined, { 'X-DreamFactory-Session-Token': session_token });
  await page.goto(`${instance.url}/home`);
  await expect(page).toHaveURL(/\/login$/);
  expect(await readSession(page)).toBeNull();
  const [guest] = reads.slice(-1);
  expect([tokenOf(guest!), guest!.headers()['x-dreamfactory-api-key']]).toEqual([undefined, api_key]);
});

test('SES-058 X-027 who signs in after somebody sees nothing of what was read for them', async ({ page, instance }) => {
  const guest = await makeGuest(instance, [
    { service: 'system', component: 'service', verb_mask: 1 },
    { service: 'system', component: 'service_type', verb_mask: 1 },
  ]);
  const rows = page.getByRole('main').locator('tbody tr');
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  await expect(page.getByRole('row', { name: new RegExp(guest.email) })).toBeVisible();
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await sections.getByRole('link', { name: 'Services', exact: true }).click();
  await expect(rows.first()).toBeVisible();
  const listings: (string | undefined)[] = [];
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await logOut(page);
  await expect(page).toHaveURL(/\/login$/);
  page.on('request', (request) => {
    if (/\/system\/(service|user)\?/.test(request.url())) listings.push(tokenOf(request));
  });
  await page.getByPlaceholder('Enter Email').fill(guest.email);
  await page.getByPlaceholder('Enter Password').fill(guest.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/launchpad$/);
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Admin' }).click();
  await sections.getByRole('link', { name: 'Services', exact: true }).click();
  await expect(rows.first()).toBeVisible();
  const { session_token } = (await readSession(page))!;
  expect(new Set(listings)).toEqual(new Set([session_token]));
  // Theirs no role of them shows.
  await sections.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByText(/^To use the Users tab/).first()).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(guest.email) })).toHaveCount(0);
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

test('SES-021 SES-080 a token in the address signs in, and a query goes; a dead one leads to the sign-in', async ({
  page,
  instance,
}) => {
  const guest = await makeGuest(instance);
  for (const [account, target] of [
    [admin, '/home'],
    [guest, '/launchpad'],
  ] as const) {
    const { session_token } = await createSession(instance, account);
    const calls = recordCalls(page);
    const answer = page.waitForResponse(/\/user\/session\?/);
    await page.goto(`${instance.url}/?session_token=${session_token}`);
    await expect(page).toHaveURL(instance.url + target);
    expect(calls).toEqual([`GET user/session?session_token=${session_token} 200`]);
    const session = await (await answer).json();
    expect(session).toMatchObject({ email: account.email, is_sys_admin: account === admin });
    expect(await readSession(page)).toMatchObject({ id: session.id, session_token: session.session_token });
    await page.context().clearCookies();

    // By the form, at its own address and at one that is none.
    for (const address of ['/login?a=1&b=2', '/no/such/page?a=1']) {
      await page.goto(instance.url + address);
      await page.getByPlaceholder('Enter Email').fill(account.email);
      await page.getByPlaceholder('Enter Password').fill(account.password);
      await page.getByRole('button', { name: 'Login' }).click();
      await expect(page).toHaveURL(instance.url + target);
      await page.context().clearCookies();
    }
    await instance.api('DELETE', 'user/session', undefined, { 'X-DreamFactory-Session-Token': session_token });
    await page.goto(`${instance.url}/?session_token=${session_token}`);
    await expect(page.getByRole('alert')).toContainText('The token has been blacklisted');
    await expect(page).toHaveURL(`${instance.url}/login`);
  }
});

test('SES-025 SES-043 SES-044 the form asks for what the config names, and remembers where that is allowed', async ({
  page,
  instance,
}) => {
  await page.goto(`${instance.url}/login`);
  await expect(page.getByPlaceholder('Enter Email')).toHaveAttribute('type', 'email');
  await expect(page.getByLabel('Remember Me')).toHaveCount(0);

  const other = await startInstance(
    { ...demo, SLUICE_LOGIN_ATTRIBUTE: 'username', SLUICE_FOREVER_SESSIONS: '1' },
    await copyPreparedData(),
  );
  try {
    const { body } = await other.api('GET', 'system/environment', undefined, {});
    expect(body.authentication).toMatchObject({ login_attribute: 'username', allow_forever_sessions: true });
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postDataJSON());
    });
    for (const remember of [false, true]) {
      await page.goto(`${other.url}/login`);
      await page.getByPlaceholder('Enter Username').fill(admin.email);
      await expect(page.getByPlaceholder('Enter Username')).toHaveAttribute('type', 'text');
      await page.getByPlaceholder('Enter Password').fill(admin.password);
      if (remember) await page.getByLabel('Remember Me').check();
      await page.getByRole('button', { name: 'Login' }).click();
      await expect(page).toHaveURL(/\/home$/);
      expect(sent.at(-1)).toEqual({ username: admin.email, password: admin.password, remember_me: remember });
      const cookie = (await sessionCookie(page))!;
      // Days it is kept; -1 is until the browser is closed.
      expect(cookie.expires > Date.now() / 1000 + 300 * 86_400).toBe(remember);
      const { session_token } = (await readSession(page))!;
      expect(JSON.parse(Buffer.from(session_token.split('.')[1], 'base64url').toString()).forever).toBe(remember);
      await page.context().clearCookies();
    }
  } finally {
    await other.stop();
  }
});

test('SES-035 while its call runs a form is covered and cannot be used', async ({ page, instance }) => {
  await page.goto(`${instance.url}/login`);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/user/session', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByPlaceholder('Enter Email').fill(admin.email);
  await page.getByPlaceholder('Enter Password').fill(admin.password);
  await page.getByRole('button', { name: 'Login' }).click();
  const cover = page.getByRole('main').getByRole('status');
  await expect(cover).toBeVisible();
  const box = await cover.boundingBox();
  for (const field of [page.getByPlaceholder('Enter Email'), page.getByPlaceholder('Enter Password')]) {
    const part = (await field.boundingBox())!;
    expect(part.x >= box!.x && part.x + part.width <= box!.x + box!.width).toBe(true);
    expect(part.y >= box!.y && part.y + part.height <= box!.y + box!.height).toBe(true);
    await expect(field).not.toBeFocused();
    await expect(page.locator('[inert]', { has: field })).toHaveCount(1);
  }
  release();
  await expect(page).toHaveURL(/\/home$/);
});
