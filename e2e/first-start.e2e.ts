// What a newcomer meets: a fresh instance, the one-time code, the first administrator.
import { expect, startInstance, test } from './instance.ts';

test('a fresh instance asks for the code of its terminal, makes the first administrator and signs them in', async ({
  page,
}) => {
  const instance = await startInstance();
  try {
    const code = /set-up code ([A-Z0-9-]+)/.exec(instance.output())?.[1] ?? '';
    expect(code).not.toBe('');
    await page.goto(`${instance.url}/services`);
    await expect(page).toHaveURL(/\/setup$/);
    await page.getByLabel('One-time code').fill('AAAA-BBBB-CCCC');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Repeat the password').fill('wrong');
    await page.getByRole('button', { name: 'Create the administrator' }).click();
    await expect(page.getByText('Passwords do not match.')).toBeVisible();
    await page.getByLabel('Repeat the password').fill('correct horse');
    await page.getByRole('button', { name: 'Create the administrator' }).click();
    await expect(page.getByText('The set-up code is not right.')).toBeVisible();
    await page.getByLabel('One-time code').fill(code);
    await page.getByRole('button', { name: 'Create the administrator' }).click();
    await expect(page).toHaveURL(/\/home$/);
    await expect(page.getByRole('heading', { name: /Hello, Ada/ })).toBeVisible();

    const again = await fetch(`${instance.url}/api/v2/system/admin/setup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        code,
        email: 'eve@example.com',
        password: 'eve password',
        first_name: 'E',
        last_name: 'V',
      }),
    });
    expect(again.status).toBe(404);
  } finally {
    await instance.stop();
  }
});
