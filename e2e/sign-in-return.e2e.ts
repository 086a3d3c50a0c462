// An address opened while signed out: the sign-in leads back to it, and to nowhere else.
import type { Page } from '@playwright/test';
import { admin, expect, type Instance, signInByForm, test } from './instance.ts';

const somebody = { email: 'returns@example.com', password: 'another long password' };

/** Somebody who may use the console but is no administrator. */
async function aUser(instance: Instance): Promise<void> {
  const { body: role } = await instance.api('POST', 'system/role', {
    resource: [{ name: `returns ${Date.now()}`, is_active: true }],
  });
  const { body: apps } = await instance.api('GET', 'system/app?filter=name%3D"admin"');
  const { status } = await instance.api('POST', 'system/user', {
    resource: [
      {
        ...somebody,
        name: 'Returns',
        is_active: true,
        user_to_app_to_role_by_user_id: [{ app_id: apps.resource[0].id, role_id: role.resource[0].id }],
      },
    ],
  });
  expect(status).toBe(201);
}

async function fillIn(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.getByPlaceholder('Enter Email').fill(account.email);
  await page.getByPlaceholder('Enter Password').fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
}

test('an address opened while signed out is where the sign-in leads back to, with all that belongs to it', async ({
  page,
  instance,
}) => {
  for (const address of [
    '/roles/create/access',
    '/services?page=1&order=name%20desc',
    '/profile',
    '/users?filter=a#b',
  ]) {
    await page.context().clearCookies();
    await page.goto(instance.url + address);
    await expect(page).toHaveURL(`${instance.url}/login`);
    // A wrong password and a reload change nothing.
    await fillIn(page, { ...admin, password: 'not this one' });
    await expect(page.getByRole('alert')).toBeVisible();
    await page.reload();
    await fillIn(page, admin);
    await expect(page).toHaveURL(instance.url + address);
  }
});

test('SES-009 SES-012 the login page opened by itself leads home, and so does a sign-in after a sign-out', async ({
  page,
  instance,
}) => {
  await signInByForm(page, instance);
  await expect(page).toHaveURL(`${instance.url}/home`);
  await page.goto(`${instance.url}/roles`);
  await expect(page.getByRole('heading', { name: 'Roles', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${instance.url}/login`);
  await fillIn(page, admin);
  await expect(page).toHaveURL(`${instance.url}/home`);
});

test('SES-011 who may not see the address that was opened goes where they belong', async ({ page, instance }) => {
  await aUser(instance);
  await page.goto(`${instance.url}/roles/1`);
  await expect(page).toHaveURL(`${instance.url}/login`);
  await fillIn(page, somebody);
  await expect(page).toHaveURL(`${instance.url}/launchpad`);
});
