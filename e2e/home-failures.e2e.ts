// An error on Home is a caller's: the console makes none of its own, and each leads to the calls behind it.
import { expectAccessible } from './axe.ts';
import { admin, expect, startInstance, test } from './instance.ts';

test('signing in as an administrator is no error on Home, a call that fails is, and leads to what failed', async ({
  page,
}) => {
  const instance = await startInstance({ SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password });
  try {
    await page.goto(`${instance.url}/login`);
    await page.getByPlaceholder('Enter Email').fill(admin.email);
    await page.getByPlaceholder('Enter Password').fill(admin.password);
    await page.getByRole('button', { name: 'Login' }).click();
    const users = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'User Management' }) });
    await expect(users).toContainText('1 call');
    await expect(page.getByText(/· \d+ errors?/)).toHaveCount(0);

    expect((await instance.api('GET', 'db/_table/nowhere')).status).toBe(404);
    await page.reload();
    await page.getByRole('link', { name: '1 error' }).click();
    await expect(page).toHaveURL(`${instance.url}/audit/failed?service=db`);
    const row = page.getByRole('table', { name: 'Failed calls' }).getByRole('row').nth(1);
    await expect(row).toContainText('GET db/_table/nowhere');
    await expect(row).toContainText('404 · Table "nowhere" does not exist in the database.');
    await expect(row).toContainText(admin.email);
    await expectAccessible(page);
  } finally {
    await instance.stop();
  }
});
