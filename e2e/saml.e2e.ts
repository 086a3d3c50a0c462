// Signing in by SAML: an administrator adds a service, its button leads to a provider on another site and back, signed in.
import type { Page } from '@playwright/test';
import { type SamlProvider, signInAtSaml, startSamlProvider } from '../packages/testkit/src/saml-provider.ts';
import { test as base, expect, type Instance, readSession, signInByForm, startInstance } from './instance.ts';
import { demo } from './server.ts';

interface World {
  instance: Instance;
  provider: SamlProvider;
  role: number;
}

const test = base.extend<object, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const instance = await startInstance({ ...demo, SLUICE_DEMO: '' });
      // To a browser another site than the instance: what it sends from here comes without cookies of ours.
      expect(new URL(instance.url).hostname).toBe('127.0.0.1');
      const provider = await startSamlProvider('localhost');
      provider.accounts.set('ann@example.com', { displayName: 'Ann Lee' });
      const role = await instance.api('POST', 'system/role', { resource: [{ name: 'guests', is_active: true }] });
      await use({ instance, provider, role: role.body.resource[0].id });
      await provider.stop();
      await instance.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const main = (page: Page) => page.getByRole('main');
const field = (page: Page, name: RegExp) => main(page).getByRole('textbox', { name });

async function signOut(page: Page, instance: Instance): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${instance.url}/login`);
}

test('C-SES-06 SES-005 SES-038 SES-046 SES-090 an administrator adds a SAML service, and a person signs in by its button and lands in the launchpad', async ({
  page,
  world: { instance, provider, role },
}) => {
  await signInByForm(page, instance);
  await expect(page).toHaveURL(`${instance.url}/home`);
  await page.goto(`${instance.url}/services/create`);
  await main(page).getByRole('button').filter({ hasText: 'SAML 2.0' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('corp');
  await page.getByRole('textbox', { name: 'Label' }).fill('Corporate SAML');
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  await main(page).getByRole('combobox', { name: 'Default Role' }).click();
  await page.getByRole('option', { name: 'guests', exact: true }).click();
  await field(page, /^Relay State/).fill(`${instance.url}/?session_token=_token_`);
  await field(page, /^IdP EntityId/).fill(provider.entityId);
  await field(page, /^IdP SSO service URL/).fill(String(provider.config.idp_singleSignOnService_url));
  await field(page, /^IdP x509cert/).fill(provider.cert);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();
  await signOut(page, instance);

  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname, origin } = new URL(request.url());
    if (origin === instance.url && pathname.includes('/corp/')) paths.push(`${request.method()} ${pathname}`);
  });
  await expect(page.getByRole('heading', { name: 'SAML 2.0 Login' })).toBeVisible();
  const link = page.getByRole('link', { name: 'Corporate SAML' });
  await expect(link).toHaveAttribute('href', /\/api\/v2\/corp\/sso$/);
  await expect(link).toHaveAttribute('target', '_top');
  await link.click();
  await page.getByPlaceholder('Account').fill('ann@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${instance.url}/launchpad`);
  expect(paths).toEqual(['GET /api/v2/corp/sso', 'POST /api/v2/corp/acs', 'GET /api/v2/corp/acs']);
  expect(await readSession(page)).toMatchObject({
    ...{ email: 'ann+corp@example.com', name: 'Ann Lee', role: 'guests', role_id: role, is_sys_admin: false },
  });
  // The one address before is the provider's: none with the token is left to go back to.
  await page.goBack();
  await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/sso/);
  await page.goForward();
  await expect(page).toHaveURL(`${instance.url}/launchpad`);
  await signOut(page, instance);
});

test('abuse: an answer to a sign-in that this browser did not begin signs nobody in', async ({
  page,
  world: { instance, provider },
}) => {
  const service = { name: 'lure', label: 'Lure', type: 'saml', is_active: true, config: provider.config };
  await instance.api('POST', 'system/service', { resource: [service] });
  const begun = await fetch(`${instance.url}/api/v2/lure/sso`, { redirect: 'manual' });
  const { action, SAMLResponse } = await signInAtSaml(String(begun.headers.get('location')), 'mallory@example.com');
  // The browser has a sign-in of its own under way, and a page of another site sends the other one's answer.
  await page.goto(`${instance.url}/login`);
  await page.request.get(`${instance.url}/api/v2/lure/sso`, { maxRedirects: 0 });
  await page.goto(new URL(provider.entityId).origin);
  await page.evaluate(
    ([address, answer]) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: address });
      form.append(Object.assign(document.createElement('input'), { name: 'SAMLResponse', value: answer }));
      document.body.append(form);
      form.submit();
    },
    [action, SAMLResponse] as const,
  );
  await expect(page.getByText('Invalid SAML Response provided')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/api/v2/lure/acs');
  await page.goto(`${instance.url}/home`);
  await expect(page).toHaveURL(`${instance.url}/login`);
  expect(await readSession(page)).toBeNull();
});
