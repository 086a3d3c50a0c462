// What administrators see of a failing database: address and code beside our words, and the way to its configuration.
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const line = '127.0.0.1:1 · ECONNREFUSED';

async function makeAway(instance: Instance): Promise<{ id: number; name: string }> {
  const name = `away_${Date.now()}`;
  const config = { host: '127.0.0.1', port: 1, database: 'shop', username: 'ann', password: 'Aw4y-s3cret' };
  const { status, body } = await instance.api('POST', 'system/service', {
    resource: [{ name, label: name, type: 'pgsql', is_active: true, config }],
  });
  expect(status).toBe(201);
  return { id: body.resource[0].id, name };
}

test('a database that cannot be reached is shown with its address and code in Data and Schema, which lead to its configuration', async ({
  page,
  instance,
}) => {
  const { id, name } = await makeAway(instance);
  await signIn(page, instance);
  for (const section of ['data', 'schema']) {
    await page.goto(`${instance.url}/${section}/${name}`);
    await expect(main(page).getByText(line).first()).toBeVisible();
    await expect(
      main(page)
        .getByText(/takes no connections there/)
        .first(),
    ).toBeVisible();
    await main(page).getByRole('link', { name: 'Open the configuration' }).first().click();
    await expect(page).toHaveURL(new RegExp(`/services/${id}/config$`));
    await expect(page.getByRole('textbox', { name: 'Host', exact: true })).toHaveValue('127.0.0.1');
  }
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(main(page).getByText(line)).toBeVisible();
  expect(await main(page).innerText()).not.toContain('Aw4y-s3cret');
  await instance.api('DELETE', `system/service/${id}`);
});

test('Service Definition is there before a type is chosen, and says that the server writes it', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  const tab = main(page).getByRole('link', { name: 'Service Definition', exact: true });
  await tab.click();
  await expect(page.getByRole('textbox', { name: 'Service Definition' })).toHaveAttribute('aria-readonly', 'true');
  await expect(main(page).getByText('The server writes the definition of this type', { exact: false })).toHaveCount(0);
  await page.goto(`${instance.url}/services/5/definition`);
  await expect(main(page).getByText('The server writes the definition of this type', { exact: false })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Service Definition' })).toHaveAttribute('aria-readonly', 'true');
  await expect(main(page).getByRole('button', { name: 'Import a definition file' })).toHaveCount(0);
});

test('SVC-005 what is required is marked, and Save leads to it before anything is sent', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await main(page)
    .getByRole('button', { name: /^PostgreSQL/ })
    .click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('required');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Required');
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.url());
  });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/services\/create\/config$/);
  const host = page.getByRole('textbox', { name: 'Host', exact: true });
  await expect(host).toBeFocused();
  await expect(host).toHaveAttribute('required');
  await expect(host).toHaveAccessibleDescription(/Host is required\./);
  await expect(page.getByRole('textbox', { name: 'Database', exact: true })).toHaveAttribute('required');
  expect(posts).toEqual([]);
  await host.fill('127.0.0.1');
  await expect(main(page).getByText('Host is required.')).toHaveCount(0);
  await expect(main(page).getByText('Database is required.')).toBeVisible();
});
