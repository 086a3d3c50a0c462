// Services: connecting a database by the form, trying it, changing and deleting it; who may not.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const tab = (page: Page, name: string) => main(page).getByRole('link', { name, exact: true });

async function aService(instance: Instance, name: string, config: Record<string, unknown> = { database: name }) {
  const record = { name, label: `Label of ${name}`, type: 'sqlite', is_active: true, config };
  const { status, body } = await instance.api('POST', 'system/service?fields=*', { resource: [record] });
  expect(status).toBe(201);
  return body.resource[0] as { id: number; label: string };
}

test('SVC-003 X-020 the list shows every service in order of id, and clicking a head turns the order', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services`);
  await expect(tab(page, 'Manage Services')).toBeVisible();
  await expect(tab(page, 'Create')).toBeVisible();
  const heads = main(page).getByRole('columnheader');
  await expect(heads.filter({ hasText: /\w/ })).toHaveText(['ID', 'Name', 'Label', 'Description', 'Type', 'Active']);
  const ids = main(page).locator('tbody tr td:nth-child(2)');
  const inOrder = async () => (await ids.allTextContents()).map(Number);
  await expect.poll(async () => (await inOrder())[0]).toBe(1);
  await page.getByRole('button', { name: 'ID', exact: true }).click();
  await expect.poll(async () => (await inOrder()).at(-1)).toBe(1);
  await expect(page).toHaveURL(/order=/);
});

test('SVC-004 SVC-005 SVC-006 SVC-007 SVC-036 SVC-048 a database is connected by the form, after it was tried', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  const databases = main(page).locator('section:has(> h3)').filter({ hasText: 'Database' }).first();
  await databases.getByRole('button', { name: /^SQLite/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('shop');
  await page.getByRole('textbox', { name: 'Label' }).fill('Shop');
  await page.getByRole('textbox', { name: 'Description' }).fill('What is sold');
  await tab(page, 'Config').click();
  await page.getByRole('textbox', { name: 'Database' }).fill('/no/such/shop.sqlite');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(main(page).getByText(/no\/such\/shop\.sqlite/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Database' }).fill('shop.sqlite');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('It works: the connection was made.')).toBeVisible();
  await tab(page, 'Service Definition').click();
  await expect(page.getByRole('textbox', { name: 'Service Definition' })).toBeVisible();
  const format = page.getByRole('radiogroup', { name: 'Select Format' });
  for (const name of ['JSON', 'YAML']) await expect(format.getByRole('radio', { name, exact: true })).toHaveCount(1);
  const saving = page.waitForRequest(
    (request) => request.method() === 'POST' && /system\/service\?/.test(request.url()),
  );
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.')).toBeVisible();
  const address = new URL((await saving).url());
  expect([address.searchParams.get('fields'), address.searchParams.get('related')]).toEqual([
    '*',
    'service_doc_by_service_id',
  ]);
  expect((await saving).postDataJSON().resource).toHaveLength(1);
  await expect(row(page, 'shop')).toBeVisible();
  const stored = await instance.api('GET', `system/service?filter=${encodeURIComponent('name = "shop"')}`);
  expect(stored.body.resource[0]).toMatchObject({
    id: expect.any(Number),
    name: 'shop',
    label: 'Shop',
    description: 'What is sold',
    is_active: true,
    type: 'sqlite',
  });
  expect((await instance.api('GET', 'shop/_table')).body).toEqual({ resource: [] });
});

test('SVC-019 SVC-049 SVC-037 SVC-050 SVC-052 X-033 save stays, save and close leaves, delete asks and goes', async ({
  page,
  instance,
}) => {
  const { id, label } = await aService(instance, `edited_${Date.now()}`);
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Edit ${label}`);
  await page.getByRole('textbox', { name: 'Description' }).fill('Once');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/services/${id}$`));
  await page.getByRole('textbox', { name: 'Description' }).fill('Twice');
  await page.getByRole('button', { name: 'Save and Close' }).click();
  await expect(page).toHaveURL(/\/services$/);
  expect((await instance.api('GET', `system/service/${id}`)).body.description).toBe('Twice');

  await page.getByRole('button', { name: `Actions for ${label}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`Delete ${label}?`);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Service successfully deleted.')).toBeVisible();
  expect((await instance.api('GET', `system/service/${id}`)).status).toBe(404);
});

test('SVC-038 SVC-051 selected services are deleted at once, all or none; those of the platform cannot be selected', async ({
  page,
  instance,
}) => {
  const names = [`bulk_a_${Date.now()}`, `bulk_b_${Date.now()}`];
  const created = [];
  for (const name of names) created.push(await aService(instance, name));
  await signIn(page, instance);
  await page.goto(`${instance.url}/services`);
  await expect(row(page, 'system').getByRole('checkbox')).toHaveCount(0);
  for (const { label } of created) await page.getByRole('checkbox', { name: `Select ${label}` }).check();
  const deleting = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Delete selected services?');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Services deleted successfully.')).toBeVisible();
  const { searchParams } = new URL((await deleting).url());
  expect(searchParams.get('ids')?.split(',').map(Number).sort()).toEqual(created.map(({ id }) => id).sort());
  expect(searchParams.get('rollback')).toBe('true');
  expect((await deleting).headers()['content-type']).toContain('application/json');
});

test('X-022 leaving an editor with changes asks, and stays when told so', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/5`);
  await page.getByRole('textbox', { name: 'Description' }).fill('changed');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Continue without saving?');
  await page.getByRole('button', { name: 'Stay here' }).click();
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('changed');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('button', { name: 'Continue without saving' }).click();
  await expect(page).toHaveURL(/\/home$/);
});

test('SVC-053 SVC-054 types stand in groups, those of a large one in two columns; paid ones are shown but not to be had', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  const groups = main(page).locator('section:has(> h3)');
  // All groups this server has types of or the console knows paid types of; those of one thing only are not offered.
  await expect(groups.getByRole('heading')).toHaveText([
    'Database',
    'File',
    'Email',
    'Notification',
    'Remote Service',
    'Script',
    'OAuth',
    'LDAP',
    'Cache',
    'IoT',
    'Log',
    'Source Control',
    'SSO',
  ]);
  const group = (name: string) => groups.filter({ has: page.getByRole('heading', { name, exact: true }) });
  for (const name of await groups.getByRole('heading').allTextContents()) {
    const types = group(name).getByRole('button');
    const edges = await types.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    expect([name, new Set(edges).size]).toEqual([name, edges.length > 5 ? 2 : 1]);
  }
  expect(await group('Database').getByRole('button').count()).toBeGreaterThan(5);

  await main(page).getByRole('button', { name: 'Oracle SILVER' }).click();
  await expect(main(page).getByText('This feature requires a Sluice SILVER product subscription.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
});

test('a broken database fails its own calls with words, and others go on', async ({ page, instance }) => {
  const file = join(instance.dataFolder, 'db', 'broken.sqlite');
  const handle = openSync(file, 'w');
  writeSync(handle, 'this is long enough to be taken for the header of a database, but it is only text');
  closeSync(handle);
  await aService(instance, 'broken', { database: 'broken.sqlite' });
  const refused = await instance.api('GET', 'broken/_table');
  expect([refused.status, refused.body.error.message]).toEqual([
    503,
    expect.stringContaining('is not a SQLite database'),
  ]);
  expect((await instance.api('GET', 'world/_table')).status).toBe(200);
  await signIn(page, instance);
  await page.goto(`${instance.url}/data/broken`);
  await expect(
    main(page)
      .getByRole('alert')
      .getByText(/is not a SQLite database/),
  ).toBeVisible();
  await expect(main(page).getByRole('button', { name: 'Try again' }).first()).toBeVisible();
});
