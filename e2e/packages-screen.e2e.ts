// Packages, from one instance into another.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeGuest } from './guests.ts';
import { test as base, expect, type Instance, signIn, startInstance } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';
import { withTableAway } from './table-away.ts';

/** The instance that packages go into. */
const test = base.extend<object, { target: Instance }>({
  target: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const target = await startInstance(demo, await copyPreparedData());
      await use(target);
      await target.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const pick = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const press = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).click();
const makeRole = async (instance: Instance, name: string, description: string) =>
  expect(
    (await instance.api('POST', 'system/role', { resource: [{ name, description, is_active: true }] })).status,
  ).toBe(201);
const descriptionOf = async (instance: Instance, name: string) => {
  const filter = encodeURIComponent(`name = "${name}"`);
  return (await instance.api('GET', `system/role?fields=description&filter=${filter}`)).body.resource[0]?.description;
};

test('PKG-001 PKG-002 PKG-003 PKG-004 PKG-005 PKG-006 PKG-007 PKG-008 PKG-009 PKG-019 PKG-020 PKG-021 PKG-022 PKG-023 PKG-027 PKG-028 PKG-029 PKG-031 PKG-032 a package with a password is exported, downloaded, and imported elsewhere', async ({
  page,
  instance,
  target,
}) => {
  const role = `Packed ${Date.now()}`;
  await makeRole(instance, role, 'from the source');
  await signIn(page, instance);
  await page.goto(`${instance.url}/package-manager`);
  await expect(page.getByRole('combobox', { name: 'Type' })).toBeVisible();
  await press(page, 'Export');
  await expect(page.getByText('No package content is selected.')).toBeVisible();
  await expect(page.getByText('No file service is selected.')).toBeVisible();
  const types = page.getByRole('combobox', { name: 'Type', exact: true });
  await types.click();
  await page
    .getByRole('option', { name: /^System/ })
    .first()
    .click();
  await pick(page, 'Name', 'role');
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill(role);
  await page.getByRole('checkbox', { name: role, exact: true }).check();
  await press(page, /^Add to Package/);
  await expect(page.getByRole('row').filter({ hasText: role })).toBeVisible();
  await page.getByRole('combobox', { name: 'File Service' }).click();
  await page
    .getByRole('option')
    .filter({ hasText: /^Local/ })
    .first()
    .click();
  await page.getByLabel('File Name').fill('moved');
  await page.getByLabel('Password', { exact: true }).fill('secret-1');
  const exporting = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/system/package'),
  );
  await press(page, 'Export');
  expect((await exporting).postDataJSON()).toEqual({
    secured: true,
    password: 'secret-1',
    storage: { name: 'files', folder: '', filename: 'moved' },
    service: { system: { role: [role] } },
  });
  await expect(page.getByText('files/__EXPORTS/moved.zip')).toBeVisible();
  await expect(page.getByText(/add the folder __EXPORTS under “Public Path”/)).toBeVisible();
  const downloading = page.waitForEvent('download');
  await press(page, 'Download');
  const download = await downloading;
  const address = new URL(download.url());
  expect(address.pathname).toBe('/api/v2/files/__EXPORTS/moved.zip');
  expect([...address.searchParams.keys()].sort()).toEqual(['api_key', 'session_token']);
  const buffer = readFileSync(await download.path());
  await press(page, /^Clear$/);
  await expect(page.getByText('files/__EXPORTS/moved.zip')).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: role })).toHaveCount(0);

  await signIn(page, target);
  await page.goto(`${target.url}/package-manager/import`);
  await press(page, 'Import');
  await expect(page.getByText('No package file selected.')).toBeVisible();
  await page.locator('input[type=file]').setInputFiles({ name: 'moved.zip', mimeType: 'application/zip', buffer });
  await page.getByLabel('Password:').fill('wrong-1');
  await press(page, 'Import');
  await expect(page.getByText('Cannot read package manifest.').first()).toBeVisible();
  expect(await descriptionOf(target, role)).toBeUndefined();
  await page.getByLabel('Password:').fill('secret-1');
  const importing = page.waitForRequest((request) => request.method() === 'POST');
  await press(page, 'Import');
  const sent = await importing;
  expect(new URL(sent.url()).search).toBe('?password=secret-1&overwrite=false');
  expect(sent.headers()['content-type']).toMatch(/^multipart\/form-data/);
  expect(sent.headers()['x-dreamfactory-session-token']).toBeTruthy();
  await expect(page.getByText('Package was imported successfully.').first()).toBeVisible();
  expect(await descriptionOf(target, role)).toBe('from the source');

  const id = (await target.api('GET', `system/role?fields=id&filter=${encodeURIComponent(`name = "${role}"`)}`)).body
    .resource[0].id;
  await target.api('PATCH', `system/role/${id}`, { description: 'changed here' });
  const again = async (overwrites: boolean) => {
    await page.locator('input[type=file]').setInputFiles({ name: 'moved.zip', mimeType: 'application/zip', buffer });
    await page.getByLabel('Password:').fill('secret-1');
    await page.getByRole('checkbox', { name: /^Overwrite existing/ }).setChecked(overwrites);
    await press(page, 'Import');
  };
  await again(false);
  await expect(page.getByRole('main').getByText('Package import failed.')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Notices' })).toContainText(
    `Ignored duplicate found for system/role with name ${role}`,
  );
  expect(await descriptionOf(target, role)).toBe('changed here');
  await again(true);
  await expect(page.getByRole('group', { name: 'Notices' })).toContainText(
    `Overwrote duplicate found for system/role with name ${role}`,
  );
  expect(await descriptionOf(target, role)).toBe('from the source');
});

test('PKG-025 PKG-026 PKG-034 who may not use packages goes home; a database that cannot be reached is marked; axe finds nothing', async ({
  page,
  instance,
}) => {
  const guest = await makeGuest(instance, [{ service: 'system', component: 'role/*', verb_mask: 1 }]);
  await signIn(page, instance, guest);
  await page.goto(`${instance.url}/package-manager`);
  await expect(page).toHaveURL(/\/(home|launchpad)$/);
  await expect(
    page.getByText('To use the Packages tab your role must allow GET and POST access to system/package.'),
  ).toBeVisible();
  const config = { host: '127.0.0.1', port: 1, database: 'x', username: 'x', password: 'x' };
  const name = `gone${Date.now()}`;
  await instance.api('POST', 'system/service', {
    resource: [{ name, label: name, type: 'mysql', is_active: true, config }],
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/package-manager`);
  await pick(page, 'Type', 'MySQL Schema');
  await pick(page, 'Name', `${name} [unavailable]`);
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    `"${name}" is currently unavailable or unreachable`,
  );
  await expectAccessible(page, 'packages, export');
  await page.getByRole('main').getByRole('link', { name: 'Import Package' }).click();
  await expect(page.getByLabel('Select File:')).toBeVisible();
  await expectAccessible(page, 'packages, import');
});

test('PKG-011 PKG-012 PKG-013 PKG-024 PKG-035 services are offered by their types, an app brings its folder, all of a kind is added once, names are searched after half a second', async ({
  page,
  instance,
}) => {
  const name = `boxed${Date.now()}`;
  const app = { name, is_active: true, type: 1, storage_service_id: 3, storage_container: name, path: 'index.html' };
  expect((await instance.api('POST', 'system/app', { resource: [app] })).status).toBe(201);
  await signIn(page, instance);
  const services = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v2/');
  const apps = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v2/system/app');
  await page.goto(`${instance.url}/package-manager`);
  const { services: listed, service_types: types } = await (await services).json();
  expect(listed).toContainEqual(expect.objectContaining({ id: 3, name: 'files', type: 'local_file' }));
  const labelOf = (type: string) => types.find((entry: { name: string }) => entry.name === type).label;
  const groups = types.map(({ group }: { group: string }) => group);
  expect(groups).toEqual(expect.arrayContaining(['Database', 'File', 'System']));
  await page.getByRole('combobox', { name: 'Type', exact: true }).click();
  for (const type of ['local_file', 'sqlite'])
    await expect(page.getByRole('option').filter({ hasText: labelOf(type) })).toBeVisible();
  await page.keyboard.press('Escape');
  expect((await (await apps).json()).resource).toContainEqual(
    expect.objectContaining({ name, storage_service_id: 3, storage_container: name }),
  );

  await page.getByRole('combobox', { name: 'Type', exact: true }).click();
  await page
    .getByRole('option', { name: /^System/ })
    .first()
    .click();
  await pick(page, 'Name', 'app');
  const other = page.getByRole('checkbox', { name: 'admin', exact: true });
  await expect(other).toBeVisible();
  const typed = Date.now();
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill(name);
  await expect(other).toHaveCount(0);
  expect(Date.now() - typed).toBeGreaterThan(450);
  await page.getByRole('checkbox', { name, exact: true }).check();
  await press(page, /^Add to Package/);
  const rows = page.getByRole('row').filter({ hasText: name });
  await expect(rows).toHaveText([/app/, /files/]);

  await pick(page, 'Name', 'role');
  await press(page, /^Add All/);
  const said = page.getByText(/^You have already selected all items for System.* \/ role\.$/);
  await expect(said).toHaveCount(0);
  await press(page, /^Add All/);
  await expect(said).toBeVisible();
});

test('PKG-030 PKG-033 what cannot be read or exported is said with its reason', async ({ page, instance }) => {
  await signIn(page, instance);
  await withTableAway(instance, 'email_template', async () => {
    await page.goto(`${instance.url}/package-manager`);
    await expect(
      page
        .getByText(
          'There was an error loading data for the Packages tab. Please try refreshing your browser and logging in again.',
        )
        .first(),
    ).toBeVisible();
  });
  const name = `leaving${Date.now()}`;
  await makeRole(instance, name, 'left');
  const config = { container: name };
  const made = await instance.api('POST', 'system/service', {
    resource: [{ name, label: name, type: 'local_file', is_active: true, config }],
  });
  await page.goto(`${instance.url}/package-manager`);
  await page.getByRole('combobox', { name: 'Type', exact: true }).click();
  await page
    .getByRole('option', { name: /^System/ })
    .first()
    .click();
  await pick(page, 'Name', 'role');
  await press(page, /^Add All/);
  await page.getByRole('combobox', { name: 'File Service' }).click();
  await page.getByRole('option').filter({ hasText: name }).click();
  expect((await instance.api('DELETE', `system/service/${made.body.resource[0].id}`)).status).toBe(200);
  await press(page, 'Export');
  const alert = page.getByRole('main').getByRole('alert').filter({ hasText: 'An error occurred!' });
  await expect(alert).toContainText(`Can not find storage service ${name}.`);
});
