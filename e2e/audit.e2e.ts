// The audit: what is changed and who signs in is noted, found again by filters, shown before and after, and taken along as a file.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { admin, expect, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const entries = (page: Page) => main(page).getByRole('table', { name: 'Audit' }).locator('tbody tr');

test('a change is noted with who did it, found by filters of the address, and shown before and after', async ({
  page,
  instance,
}) => {
  test.slow();
  const name = `audited ${Date.now()}`;
  const creation = await instance.api('POST', 'system/role?fields=*', { resource: [{ name, description: 'Before' }] });
  const id = creation.body.resource[0].id as number;
  await instance.api('PATCH', `system/role/${id}`, { description: 'After' });
  await signIn(page, instance);
  await page.goto(`${instance.url}/audit`);
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();
  await main(page).getByRole('searchbox', { name: 'Text' }).fill(name);
  await expect(entries(page)).toHaveCount(2);
  // Newest first.
  await expect(entries(page).first()).toContainText('Changed');
  await expect(entries(page).first()).toContainText(admin.email);
  await expect(entries(page).last()).toContainText('Created');
  await main(page).getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Changed' }).click();
  await expect(entries(page)).toHaveCount(1);
  await expect(page).toHaveURL(/action=update/);
  await page.reload();
  await expect(entries(page)).toHaveCount(1);
  await expectAccessible(page, 'the list');

  await entries(page).getByRole('link').first().press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Changed role ${name}` })).toBeVisible();
  const row = main(page).getByRole('row').filter({ hasText: 'description' });
  await expect(row).toContainText('changed');
  await expect(row.locator('[data-side=before]')).toHaveText('Before');
  await expect(row.locator('[data-side=after]')).toHaveText('After');
  await expectAccessible(page, 'an entry');
  await main(page).getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/roles/${id}$`));
  await page.goBack();
  await main(page).getByRole('link', { name: 'Back to the audit' }).click();
  await expect(page).toHaveURL(/action=update/);
});

test('a sign-in that failed is noted with why, and days and persons narrow the list', async ({ page, instance }) => {
  const email = `nobody${Date.now()}@example.com`;
  await instance.api('POST', 'user/session', { email, password: 'wrong wrong' }, {});
  await signIn(page, instance);
  await page.goto(`${instance.url}/audit?who=${encodeURIComponent(email)}`);
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page)).toContainText('Sign-in');
  await expect(entries(page)).toContainText('Invalid credentials');
  const today = new Date();
  const day = (offset: number) => {
    const date = new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset);
    const two = (part: number) => String(part).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  };
  await main(page).getByLabel('Since').fill(day(1));
  await expect(main(page).getByText('No entry matches these filters.')).toBeVisible();
  await main(page).getByLabel('Since').fill(day(-1));
  await main(page).getByLabel('Until').fill(day(1));
  await expect(entries(page)).toHaveCount(1);
});

test('secrets are masked, and the filtered list goes along as a file', async ({ page, instance }) => {
  const mark = Date.now();
  const user = { name: 'Kim', email: `kim${mark}@example.com`, username: `kim${mark}`, password: 'very secret word' };
  await instance.api('POST', 'system/user', { resource: [user] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/audit?resource=user&action=create&text=Kim`);
  await entries(page).getByRole('link').first().click();
  await expect(main(page).getByRole('row').filter({ hasText: 'password' })).toContainText('**********');
  await expect(main(page)).not.toContainText('very secret word');
  await page.goBack();

  const saving = page.waitForEvent('download');
  const downloadRequest = page.waitForRequest((request) => request.url().includes('file=audit.csv'));
  await main(page).getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await downloadRequest).url()).not.toContain('session_token');
  const file = await saving;
  expect(file.suggestedFilename()).toBe('audit.csv');
  const lines = await readFile(await file.path(), 'utf8');
  expect(lines.split('\n')[0]).toContain('created_date');
  expect(lines).toContain('Kim');
  expect(lines).not.toContain('very secret word');
});
