// Apps as packages: exported from their editor, imported from a file and from a sample's address.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { test as base, expect, type Instance, signIn, startInstance } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { sdks } from './sdks.ts';
import { demo } from './server.ts';

interface Samples {
  instance: Instance;
  origin: string;
  /** What the address of every package answers. */
  serve: (archive: Buffer) => void;
}

const test = base.extend<object, { samples: Samples }>({
  samples: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      let archive = Buffer.alloc(0);
      const server = createServer((_request, response) => response.end(archive));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const list = sdks.map(([name]) => ({
        ...{ name, package_url: `${origin}/${name}.dfpkg`, repository_url: `https://code.example.com/${name}` },
      }));
      const settings = { SLUICE_SAMPLE_APPS: JSON.stringify(list.reverse()), SLUICE_FETCH_PRIVATE: 'true' };
      const instance = await startInstance({ ...demo, ...settings }, await copyPreparedData());
      await use({
        instance,
        origin,
        serve: (next) => {
          archive = next;
        },
      });
      await instance.stop();
      await new Promise((resolve) => server.close(resolve));
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

let createdCount = 0;
const unique = (name: string) => `${name}${Date.now()}x${createdCount++}`;
const main = (page: Page) => page.getByRole('main');
const appNamed = async (instance: Instance, name: string) =>
  (await instance.api('GET', `system/app?filter=${encodeURIComponent(`name="${name}"`)}`)).body.resource[0];

/** An app with a page in a file service of its own; answers its name and that of the service. */
async function anAppWithPage(instance: Instance) {
  const [name, service] = [unique('till'), unique('pages')];
  const record = { name: service, label: service, type: 'local_file', is_active: true, config: { container: service } };
  const made = await instance.api('POST', 'system/service?fields=id', { resource: [record] });
  expect(made.status).toBe(201);
  const folder = join(instance.dataFolder, 'files', service, 'shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), `<p>${name}</p>`);
  const place = { storage_service_id: made.body.resource[0].id, storage_container: 'shop', path: 'index.html' };
  const app = await instance.api('POST', 'system/app?fields=id', {
    resource: [{ name, type: 1, is_active: true, ...place }],
  });
  expect(app.status).toBe(201);
  return { id: app.body.resource[0].id as number, name, service };
}

/** Exports an app with its files in the console, and deletes it. */
async function exportAndDelete(page: Page, instance: Instance, app: { id: number }): Promise<Buffer> {
  await page.goto(`${instance.url}/apps/${app.id}`);
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('checkbox', { name: 'With its files' })).toBeChecked();
  await expectAccessible(page, 'export of an app');
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.dfpkg$/);
  const archive = readFileSync(await download.path());
  expect((await instance.api('DELETE', `system/app/${app.id}`)).status).toBe(200);
  return archive;
}

test('APP-008 APP-017 APP-027 APP-040 NAV-024 an app is exported with its files, and imported from the file into another folder', async ({
  page,
  instance,
}) => {
  const app = await anAppWithPage(instance);
  await signIn(page, instance);
  const buffer = await exportAndDelete(page, instance, app);
  await page.goto(`${instance.url}/apps`);
  await main(page).getByRole('link', { name: 'Import', exact: true }).click();
  await expect(page).toHaveURL(`${instance.url}/apps/import`);
  await expect(page.getByLabel('Storage Folder (optional)')).toHaveValue('applications');
  const posts: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && posts.push(request.url())));
  const press = () => main(page).getByRole('button', { name: 'Import', exact: true }).click();
  await press();
  await expect(page.getByText('No package file selected.')).toBeVisible();
  expect(posts).toEqual([]);
  await expectAccessible(page, 'import of an app');
  await page.locator('input[type=file]').setInputFiles({ name: 'till.dfpkg', mimeType: 'application/zip', buffer });
  await page.getByRole('combobox', { name: 'Storage Service (optional)' }).fill(app.service);
  await page.getByRole('option', { name: app.service }).click();
  await page.getByLabel('Storage Folder (optional)').fill('moved');
  const importing = page.waitForRequest((request) => request.method() === 'POST');
  await press();
  const sent = await importing;
  expect(new URL(sent.url()).pathname).toBe('/api/v2/system/app');
  expect(sent.headers()['content-type']).toMatch(/^multipart\/form-data/);
  await expect(page.getByText('App successfully imported.')).toBeVisible();
  await expect(main(page).getByRole('link', { name: app.name, exact: true })).toBeVisible();
  expect(await appNamed(instance, app.name)).toMatchObject({ type: 1, storage_container: 'moved', path: 'index.html' });
  expect(readFileSync(join(instance.dataFolder, 'files', app.service, 'moved/index.html'), 'utf8')).toContain(app.name);
});

test('APP-001 APP-018 APP-026 APP-030 APP-031 ten samples have a package, which is imported from its address, and a repository', async ({
  page,
  samples,
}) => {
  const { instance, origin, serve } = samples;
  const app = await anAppWithPage(instance);
  await signIn(page, instance);
  serve(await exportAndDelete(page, instance, app));
  await page.goto(`${instance.url}/apps/import`);
  const rows = page.getByRole('list', { name: 'Sample Apps' }).getByRole('listitem');
  await expect(rows).toHaveCount(10);
  for (const [index, [name, label]] of sdks.entries()) {
    const row = rows.nth(index);
    await expect(row).toContainText(`Address Book for ${label}`);
    await expect(row.getByRole('link')).toHaveAttribute('href', `https://code.example.com/${name}`);
    await row.getByRole('button').click();
    await expect(page.getByLabel('Package File')).toHaveValue(`${origin}/${name}.dfpkg`);
  }
  const folder = unique('sample');
  await page.getByLabel('Storage Folder (optional)').fill(folder);
  const importing = page.waitForRequest((request) => request.method() === 'POST');
  await main(page).getByRole('button', { name: 'Import', exact: true }).click();
  const body = (await importing).postDataJSON();
  expect(body).toMatchObject({ import_url: `${origin}/dotnet.dfpkg`, storage_container: folder });
  await expect(page.getByText('App successfully imported.')).toBeVisible();
  expect(await appNamed(instance, app.name)).toMatchObject({ storage_container: folder });
});
