// Signing in and out, who lands where, and what happens when a session ends.
import type { Page } from '@playwright/test';
import { makeGuest } from './guests.ts';
import { admin, expect, type Instance, readSession, sessionCookie, signInByForm, test } from './instance.ts';

const user = { email: 'bob@example.com', password: 'bob password' };
/** Ends the page's session behind its back. */
async function endSession(page: Page, instance: Instance): Promise<void> {
  const { session_token } = (await readSession(page))!;
  await instance.api('DELETE', 'system/admin/session', undefined, { 'X-DreamFactory-Session-Token': session_token });
}

// As people meet it, with everything that slides in or fades.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test.beforeAll(async ({ instance }) => {
  const found = await instance.api('GET', `system/user?filter=${encodeURIComponent(`email = "${user.email}"`)}`);
  if (found.body.resource.length === 0)
    await instance.api('POST', 'system/user', { resource: [{ ...user, name: 'Bob' }] });
});

test('SES-008 SES-023 SES-027 /login is open to anyone and shows the form, the identity field of type email', async ({
  page,
  instance,
}) => {
  await page.goto(`${instance.url}/login`);
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
  await expect(page.getByPlaceholder('Enter Email')).toHaveAttribute('type', 'email');
  await expect(page.getByLabel('Remember Me')).toHaveCount(0);
});

test('SES-059 SES-060 SES-009 SES-104 an administrator signs in by the user address, then the admin one, and lands on /home', async ({
  page,
  instance,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') calls.push(new URL(request.url()).pathname);
  });
  await signInByForm(page, instance);
  await expect(page).toHaveURL(/\/home$/);
  expect(calls).toEqual(['/api/v2/user/session', '/api/v2/system/admin/session']);
  await page.goto(`${instance.url}/login`);
  await expect(page).toHaveURL(/\/home$/);
  const listed = page.waitForRequest(/\/api\/v2\/system\/service\?/);
  await page.goto(`${instance.url}/services`);
  const headers = (await listed).headers();
  expect(headers['x-dreamfactory-session-token']).toBe((await readSession(page))!.session_token);
  expect(headers['x-dreamfactory-api-key']).toMatch(/^[0-9a-f]{64}$/);
});

test('SES-002 SES-039 SES-040 SES-041 SES-056 the session of either kind is kept in the cookie CurrentUserObj as answered, without session_id, and restored at start', async ({
  page,
  instance,
}) => {
  for (const account of [user, admin]) {
    await page.context().clearCookies();
    const answer = page.waitForResponse((response) => /\/session$/.test(response.url()) && response.ok());
    await signInByForm(page, instance, account);
    const { session_id, ...answered } = await (await answer).json();
    expect(session_id).toEqual(expect.any(String));
    expect(answered).toMatchObject({ is_sys_admin: account === admin, email: account.email });
    for (const name of ['session_token', 'id', 'name', 'first_name', 'last_name', 'last_login_date', 'host'])
      expect(answered).toHaveProperty(name);
    expect(await readSession(page)).toEqual(answered);
    await expect(page).toHaveURL(account === admin ? /\/home$/ : /\/launchpad$/);
  }
  const cookie = await sessionCookie(page);
  expect(cookie?.sameSite).toBe('Strict');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home');
  await expect(page).toHaveURL(/\/home$/);
});

test('SES-004 SES-011 NAV-018 an ordinary user lands on the launchpad, and guards send them back there', async ({
  page,
  instance,
}) => {
  await signInByForm(page, instance, user);
  await expect(page).toHaveURL(/\/launchpad$/);
  for (const path of ['/services', '/home', '/login', '/no-such-page']) {
    await page.goto(instance.url + path);
    await expect(page).toHaveURL(/\/launchpad$/);
  }
});

test('SES-061 a failed sign-in shows the server’s message', async ({ page, instance }) => {
  await page.goto(`${instance.url}/login`);
  await page.getByPlaceholder('Enter Email').fill(admin.email);
  await page.getByPlaceholder('Enter Password').fill('wrong');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid credentials supplied.');
  await expect(page).toHaveURL(/\/login$/);
});

test('NAV-005 NAV-037 the user menu is who is signed in, and the active section at /profile', async ({
  page,
  instance,
}) => {
  const guest = await makeGuest(instance, [{ service: 'system', component: '*', verb_mask: 1 }]);
  for (const account of [guest, admin]) {
    await page.context().clearCookies();
    await signInByForm(page, instance, account);
    const { name, email, session_token, is_sys_admin } = (await readSession(page))!;
    const menu = page.getByRole('button', { name: `Account of ${name}` });
    await expect(menu).not.toHaveAttribute('aria-current');
    await menu.click();
    await expect(page.getByRole('menu')).toContainText(name);
    await expect(page.getByRole('menu')).toContainText(email);
    const reading = page.waitForRequest(/\/profile$/);
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await expect(page).toHaveURL(/\/profile$/);
    expect((await reading).headers()['x-dreamfactory-session-token']).toBe(session_token);
    await expect(menu).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('navigation').locator('[aria-current="page"]')).toHaveCount(0);
    expect(is_sys_admin).toBe(account === admin);
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    const sections = page.getByRole('navigation', { name: 'Sections' });
    await expect(sections.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
    await expect(sections.getByRole('link', { name: 'Admins' })).toHaveCount(is_sys_admin ? 1 : 0);
    await expect(menu).not.toHaveAttribute('aria-current');
  }
});

test('SES-012 SES-082 NAV-017 logging out ends the session on the server and leads to /login', async ({
  page,
  instance,
}) => {
  await signInByForm(page, instance);
  const { session_token } = (await readSession(page))!;
  await page.getByRole('button', { name: /Ada|ada/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await readSession(page)).toBeNull();
  const used = await instance.api('GET', 'system/admin/session', undefined, {
    'X-DreamFactory-Session-Token': session_token,
  });
  expect([used.status, used.body.error.message]).toEqual([
    403,
    expect.stringContaining('The token has been blacklisted'),
  ]);
});

test('SES-020 signed out, any other path leads to /login; old hash addresses are understood', async ({
  page,
  instance,
}) => {
  await page.goto(`${instance.url}/anything/else`);
  await expect(page).toHaveURL(/\/login$/);
  await signInByForm(page, instance);
  await page.goto(`${instance.url}/#/services`);
  await expect(page).toHaveURL(/\/services$/);
});

test('SES-036 SES-100 SES-101 when the session ended, the login form opens over the page and the call is made again after it', async ({
  page,
  instance,
}) => {
  await signInByForm(page, instance);
  await page.goto(`${instance.url}/services`);
  await expect(page.getByRole('cell', { name: 'db', exact: true }).first()).toBeVisible();
  await endSession(page, instance);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const overlay = page.getByRole('dialog');
  await expect(overlay.getByText('Your session has ended')).toBeVisible();
  await expect(page).toHaveURL(/\/services/);
  await overlay.getByPlaceholder('Enter Email').fill(admin.email);
  await overlay.getByPlaceholder('Enter Password').fill(admin.password);
  await overlay.getByRole('button', { name: 'Login' }).click();
  await expect(overlay).toHaveCount(0);
  await expect(page.getByRole('cell', { name: 'db', exact: true }).first()).toBeVisible();
});

test('SES-062 SES-063 a failed sign-in of the overlay leads to /logout; the login page leaves it to the form to say so', async ({
  page,
  instance,
}) => {
  await signInByForm(page, instance);
  await page.goto(`${instance.url}/services`);
  await expect(page.getByRole('cell', { name: 'db', exact: true }).first()).toBeVisible();
  await endSession(page, instance);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const overlay = page.getByRole('dialog');
  await overlay.getByPlaceholder('Enter Email').fill(admin.email);
  await overlay.getByPlaceholder('Enter Password').fill('wrong');
  await overlay.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/(logout|login)$/);
  await expect(overlay).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible();
  await page.getByPlaceholder('Enter Email').fill('nobody@example.com');
  await page.getByPlaceholder('Enter Password').fill('wrong');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByPlaceholder('Enter Password')).toHaveValue('');
  // Once, in the form; no toast, and the page stays.
  await expect(page.getByText('Invalid credentials supplied.')).toHaveCount(1);
  await expect(page.locator('form').locator('xpath=..').getByRole('alert')).toHaveText('Invalid credentials supplied.');
  await expect(page.getByRole('region', { name: 'Notices' }).getByRole('alert')).toHaveCount(0);
  await expect(page).toHaveURL(/\/login$/);
});

test('NAV-013 NAV-014 NAV-015 the top links follow who is there', async ({ page, instance }) => {
  await page.goto(`${instance.url}/login`);
  const top = page.getByRole('navigation', { name: 'Places' });
  await expect(top.getByRole('link', { name: 'Login' })).toBeVisible();
  await expect(top.getByRole('link', { name: 'Register' })).toHaveCount(0);
  await signInByForm(page, instance);
  await expect(top.getByRole('link', { name: 'LaunchPad' })).toBeVisible();
  await expect(top.getByRole('link', { name: 'Admin' })).toBeVisible();
  await expect(top.getByRole('link', { name: 'Login' })).toHaveCount(0);
});

test('LPD-003 LPD-004 the launchpad lists apps with an address and opens one in a new window', async ({
  page,
  instance,
}) => {
  await instance.api('POST', 'system/app', {
    resource: [{ name: `shop-${Date.now()}`, type: 2, url: `${instance.url}/healthz`, is_active: true }],
  });
  await signInByForm(page, instance);
  await page.goto(`${instance.url}/launchpad`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: /shop-/ }).first().click();
  expect((await opened).url()).toContain('/healthz');
});
