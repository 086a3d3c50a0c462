// Signing in by a provider: its button, its page, back in the console, and what is said where it fails.
import type { Page } from '@playwright/test';
import { type SignInProvider, startSignInProvider } from '../packages/testkit/src/sign-in-provider.ts';
import {
  test as base,
  createSession,
  expect,
  type Instance,
  readSession,
  signInByForm,
  startInstance,
} from './instance.ts';
import { admin, demo } from './server.ts';

interface World {
  instance: Instance;
  provider: SignInProvider;
  role: number;
}

const test = base.extend<object, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const instance = await startInstance({ ...demo, SLUICE_DEMO: '', SLUICE_FETCH_PRIVATE: '127.0.0.1' });
      const provider = await startSignInProvider(`${instance.url}/login`);
      provider.accounts.set('ann', { email: 'ann@example.com', email_verified: true, name: 'Ann Lee' });
      const role = await instance.api('POST', 'system/role', { resource: [{ name: 'guests', is_active: true }] });
      const { id } = role.body.resource[0];
      const config = { ...provider.config, default_role: id };
      const service = { name: 'corp', label: 'Corporate Login', type: 'oidc', is_active: true, config };
      expect((await instance.api('POST', 'system/service', { resource: [service] })).status).toBe(201);
      await use({ instance, provider, role: id });
      await provider.stop();
      await instance.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

/** Follows the button of the provider, and signs in there. */
async function signInByProvider(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Corporate Login' }).click();
  await page.getByPlaceholder('Enter any login').fill('ann');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function signOut(page: Page, instance: Instance): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${instance.url}/login`);
  expect(await readSession(page)).toBeNull();
}

test('C-SES-05 SES-037 SES-045 SES-081 a provider is a button of the sign-in page, signs in with the role of its service, and out again', async ({
  page,
  world: { instance, role },
}) => {
  await page.goto(`${instance.url}/login`);
  await expect(page.getByRole('heading', { name: 'OAuth Login' })).toBeVisible();
  await signInByProvider(page);
  await expect(page).toHaveURL(`${instance.url}/launchpad`);
  const session = await readSession(page);
  expect(session).toMatchObject({ email: 'ann+corp@example.com', name: 'Ann Lee', role: 'guests', role_id: role });
  // What the provider gave stays out of the cookie.
  expect(Object.keys(session ?? {})).not.toContain('oauth_token');
  expect(Object.keys(session ?? {})).not.toContain('id_token');
  await signOut(page, instance);
});

test('SES-054 a person is signed out, then signed in after a login, a session-token login or an OAuth callback', async ({
  page,
  world: { instance },
}) => {
  await page.goto(`${instance.url}/login`);
  expect(await readSession(page)).toBeNull();
  await signInByForm(page, instance);
  expect(await readSession(page)).toMatchObject({ email: admin.email });
  await signOut(page, instance);
  const { session_token } = await createSession(instance, admin);
  await page.goto(`${instance.url}/?session_token=${session_token}`);
  await expect(page).toHaveURL(`${instance.url}/home`);
  expect(await readSession(page)).toMatchObject({ email: admin.email });
  await signOut(page, instance);
  await signInByProvider(page);
  await expect(page).toHaveURL(`${instance.url}/launchpad`);
  expect(await readSession(page)).toMatchObject({ email: 'ann+corp@example.com' });
});

test('abuse: a link to a sign-in that this browser did not begin signs nobody in, and the page says so', async ({
  page,
  world: { instance },
}) => {
  await page.goto(`${instance.url}/login?code=x&state=${'s'.repeat(40)}`);
  await expect(page.getByRole('alert')).toContainText('another browser began it');
  await expect(page).toHaveURL(`${instance.url}/login`);
  expect(await readSession(page)).toBeNull();
});

test('the sign-in page says that a provider refuses, and that one is down', async ({ page, world: { instance } }) => {
  const begin = async (service: string) => {
    const response = await page.request.get(`${instance.url}/api/v2/user/session?service=${service}`, {
      maxRedirects: 0,
    });
    return new URL(response.headers().location as string).searchParams.get('state');
  };
  await page.goto(`${instance.url}/login?error=access_denied&state=${await begin('corp')}`);
  await expect(page.getByRole('alert')).toContainText('cancelled or refused by the provider');
  const down = 'http://127.0.0.1:1';
  const config = {
    ...{ client_id: 'sluice', client_secret: 's', redirect_url: `${instance.url}/login`, scopes: 'openid' },
    ...{ auth_endpoint: `${down}/auth`, token_endpoint: `${down}/token`, user_endpoint: `${down}/me` },
  };
  const service = { name: 'down', label: 'Down', type: 'oidc', is_active: true, config };
  await instance.api('POST', 'system/service', { resource: [service] });
  await page.goto(`${instance.url}/login?code=x&state=${await begin('down')}`);
  await expect(page.getByRole('alert')).toContainText('The sign-in provider is not available');
  // The form is there, and in order.
  await expect(page.getByPlaceholder('Enter Email')).toBeEditable();
});
