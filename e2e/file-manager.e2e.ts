// The file manager: files are uploaded, moved, edited and deleted; by keyboard; by people who may see a part; in a frame.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startS3Server } from '@sluice/testkit/file-servers';
import { BlobReader, ZipReader } from '@zip.js/zip.js';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn, test } from './instance.ts';

let count = 0;

interface Box {
  id: number;
  name: string;
  /** Its folder on this machine. */
  folder: string;
}

/** A file service of the test's own, with some files. */
async function aBox(instance: Instance, files: Record<string, string> = {}): Promise<Box> {
  const name = `box${Date.now().toString(36)}${count++}`;
  const record = { name, label: `Box ${name}`, type: 'local_file', is_active: true, config: { container: name } };
  const { status, body } = await instance.api('POST', 'system/service?fields=id', { resource: [record] });
  expect(status).toBe(201);
  const folder = join(instance.dataFolder, 'files', name);
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return { id: body.resource[0].id, name, folder };
}

const paths = async (instance: Instance, box: Box): Promise<string[]> =>
  (await instance.api('GET', `${box.name}/?full_tree=true&as_list=true`)).body.resource;
const contentOf = async (instance: Instance, box: Box, path: string): Promise<string> =>
  (await instance.api('GET', `${box.name}/${path}?include_properties=true&content=true&is_base64=false`)).body.content;

const grid = (page: Page) => page.getByRole('grid');
const row = (page: Page, name: string): Locator =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) });
const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

async function openBox(page: Page, instance: Instance, box: Box, search = ''): Promise<void> {
  await signIn(page, instance);
  await page.goto(`${instance.url}/file-manager/${box.name}${search}`);
}

const textFile = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

test('FIL-002 NAV-034 an administrator browses files: tree, folders, order, search, and back', async ({
  page,
  instance,
}) => {
  const box = await aBox(instance, {
    'docs/in/deep.txt': 'deep',
    'docs/b.txt': 'bb',
    'docs/a10.txt': 'a',
    'docs/a9.txt': 'a',
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Files' }).click();
  await expect(page).toHaveURL(/\/file-manager\/files$/);
  await page.getByRole('combobox', { name: 'File service' }).click();
  await page.getByRole('option', { name: `Box ${box.name}` }).click();
  await row(page, 'docs').getByRole('link').click();
  await expect(page).toHaveURL(/path=docs%2F/);
  const names = () => grid(page).getByRole('link').allTextContents();
  await expect.poll(names).toEqual(['in', 'a9.txt', 'a10.txt', 'b.txt']);
  await page.getByRole('button', { name: 'Size' }).click();
  await page.getByRole('button', { name: 'Size' }).click();
  await expect.poll(names).toEqual(['in', 'b.txt', 'a9.txt', 'a10.txt']);
  await page.reload();
  await expect.poll(names).toEqual(['in', 'b.txt', 'a9.txt', 'a10.txt']);
  await page.getByRole('treeitem', { name: `Box ${box.name}` }).click();
  await expect(row(page, 'docs')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('deep');
  await expect(page).toHaveURL(/find=deep/);
  await page.getByRole('switch', { name: 'Also in folders below' }).press('Space');
  await expect(row(page, 'deep.txt')).toContainText('docs/in');
  await expectAccessible(page, 'files that were found');
});

test('files are uploaded, and a name that is taken is asked about; they are renamed, moved by dialog and by dragging, and deleted', async ({
  page,
  instance,
}) => {
  const box = await aBox(instance, { 'taken.txt': 'old', 'target/x.txt': 'x', 'other/y.txt': 'y' });
  await openBox(page, instance, box);
  await expect(row(page, 'taken.txt')).toBeVisible();
  const input = page.locator('input[type=file]').first();
  await input.setInputFiles([textFile('taken.txt', 'new'), textFile('50% & #1?.txt', 'odd')]);
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await expect(uploads).toContainText(`File 'taken.txt' already exists.`);
  await uploads.getByRole('button', { name: 'Keep both', exact: true }).click();
  await expect(row(page, 'taken (2).txt')).toBeVisible();
  expect(await contentOf(instance, box, 'taken.txt')).toBe('old');
  expect(await contentOf(instance, box, encodeURIComponent('50% & #1?.txt'))).toBe('odd');

  await choose(page, '50% & #1?.txt', 'Rename…');
  await page.getByRole('textbox', { name: 'Name' }).fill('odd + even.txt');
  await page.keyboard.press('Enter');
  await expect(row(page, 'odd + even.txt')).toBeVisible();

  await row(page, 'odd + even.txt').dragTo(row(page, 'target'));
  await expect(row(page, 'odd + even.txt')).toHaveCount(0);
  await row(page, 'taken (2).txt').dragTo(page.getByRole('treeitem', { name: 'other' }));
  await expect(row(page, 'taken (2).txt')).toHaveCount(0);

  await choose(page, 'taken.txt', 'Move to…');
  const dialog = page.getByRole('dialog', { name: 'Move taken.txt' });
  await dialog.getByRole('treeitem', { name: 'target' }).click();
  await dialog.getByRole('button', { name: 'Move here' }).click();
  await expect(row(page, 'taken.txt')).toHaveCount(0);
  expect((await paths(instance, box)).sort()).toEqual(
    [
      'other/',
      'other/taken (2).txt',
      'other/y.txt',
      'target/',
      'target/odd + even.txt',
      'target/taken.txt',
      'target/x.txt',
    ].sort(),
  );

  await row(page, 'target').click({ position: { x: 300, y: 10 } });
  await page.getByRole('button', { name: 'Delete…' }).click();
  const question = page.getByRole('dialog', { name: 'Delete target with everything in it?' });
  await expect(question).toContainText('3 files in 1 folder are lost, 7 bytes.');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(row(page, 'target')).toHaveCount(0);
  expect((await paths(instance, box)).sort()).toEqual(['other/', 'other/taken (2).txt', 'other/y.txt']);
});

test('a text is edited; one that somebody else saved first is not lost, nor is it left unasked', async ({
  page,
  instance,
}) => {
  const box = await aBox(instance, { 'notes.txt': 'one\r\ntwo\r\n', 'b.txt': 'b' });
  await openBox(page, instance, box);
  await row(page, 'notes.txt').getByRole('link').click();
  const pane = page.getByRole('dialog', { name: 'notes.txt' });
  const editor = pane.getByRole('textbox', { name: 'Text of notes.txt', exact: true });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('three');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('notes.txt is saved.')).toBeVisible();
  expect(await contentOf(instance, box, 'notes.txt')).toBe('one\r\ntwo\r\nthree');

  writeFileSync(join(box.folder, 'notes.txt'), 'theirs');
  await editor.click();
  await page.keyboard.type('mine');
  await page.keyboard.press('Control+s');
  await expect(pane.getByRole('alert')).toContainText('Someone else saved this file first');
  await expect(pane.getByRole('textbox', { name: 'as someone else saved it' })).toContainText('theirs');
  expect(await contentOf(instance, box, 'notes.txt')).toBe('theirs');

  await pane.getByRole('button', { name: 'Close' }).click();
  const question = page.getByRole('dialog', { name: 'Leave notes.txt without saving?' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await pane.getByRole('button', { name: 'Save mine over theirs' }).click();
  await expect(pane.getByRole('alert')).toHaveCount(0);
  expect(await contentOf(instance, box, 'notes.txt')).toContain('mine');
});

test('what someone stored never runs: a page is text, a picture with a script is a picture', async ({
  page,
  instance,
}) => {
  const script = '<script>top.document.title = "it ran"</script>';
  const box = await aBox(instance, {
    'page.html': `<!doctype html>${script}`,
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${script}<rect width="9" height="9"/></svg>`,
  });
  await openBox(page, instance, box, '?open=page.html');
  await expect(page.getByRole('textbox', { name: 'Text of page.html' })).toContainText('it ran');
  await row(page, 'picture.svg').getByRole('link').click();
  const picture = page.getByRole('img', { name: 'picture.svg' });
  await expect(picture).toHaveAttribute('src', /^blob:/);
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
  await expect(page).not.toHaveTitle(/it ran/);
});

test('the keyboard alone: folders, selection, a new folder, cut and paste, renaming, deleting', async ({
  page,
  instance,
}) => {
  const box = await aBox(instance, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await openBox(page, instance, box);
  await expect(row(page, 'a.txt')).toBeVisible();
  await page.getByRole('button', { name: 'New' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'New folder' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name of the folder' })).toBeFocused();
  await page.keyboard.type('box');
  await page.keyboard.press('Enter');
  await expect(row(page, 'box')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(row(page, 'a.txt')).toBeFocused();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('Control+x');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Files in box' })).toBeFocused();
  await page.keyboard.press('Control+v');
  await expect(row(page, 'a.txt')).toBeVisible();
  await page.keyboard.press('b');
  await expect(row(page, 'b.txt')).toBeFocused();
  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('renamed');
  await page.keyboard.press('Enter');
  await expect(row(page, 'renamed.txt')).toBeFocused();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: 'Delete renamed.txt?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(row(page, 'renamed.txt')).toHaveCount(0);
  await expect(row(page, 'a.txt')).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(row(page, 'box')).toBeFocused();
  expect((await paths(instance, box)).sort()).toEqual(['box/', 'box/a.txt', 'c.txt']);
});

test('NAV-034 a person whose role names docs/* begins there, and is refused elsewhere', async ({ page, instance }) => {
  const box = await aBox(instance, { 'docs/a.txt': 'a', 'secret.txt': 's' });
  const role = await instance.api('POST', 'system/role?fields=id', {
    resource: [
      {
        name: `docs ${box.name}`,
        is_active: true,
        role_service_access_by_role_id: [{ service_id: box.id, component: 'docs/*', verb_mask: 31, requestor_mask: 1 }],
      },
    ],
  });
  const someone = { email: `${box.name}@example.com`, password: 'guest password' };
  await instance.api('POST', 'system/user', {
    resource: [
      { ...someone, name: 'Guest', user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: role.body.resource[0].id }] },
    ],
  });
  await signIn(page, instance, someone);
  await page.goto(`${instance.url}/file-manager`);
  await expect(page.getByRole('heading', { name: 'docs' })).toBeVisible();
  await expect(row(page, 'a.txt')).toBeVisible();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([textFile('mine.txt', 'mine')]);
  await expect(row(page, 'mine.txt')).toBeVisible();
  await page.goto(`${instance.url}/file-manager/${box.name}?path=other/`);
  await expect(page.getByRole('heading', { name: 'docs' })).toBeVisible();
  await page.goto(`${instance.url}/file-manager/${box.name}?path=docs/&open=secret.txt`);
  await expect(page.getByRole('alert')).toContainText("GET access to component 'secret.txt'");
});

test('a bucket of S3: files are uploaded, moved and deleted, and a selection is downloaded as one zip', async ({
  page,
  instance,
}) => {
  const s3 = await startS3Server();
  try {
    const name = `bucket${Date.now().toString(36)}`;
    const login = { key: 'S3RVER', secret: 'S3RVER', region: 'us-east-1', endpoint: s3.url };
    const record = { name, label: name, type: 'aws_s3', is_active: true, config: { ...login, container: name } };
    expect((await instance.api('POST', 'system/service', { resource: [record] })).status).toBe(201);
    const box = { name, id: 0, folder: '' };
    await openBox(page, instance, box);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('in');
    await page.keyboard.press('Enter');
    await expect(row(page, 'in')).toBeVisible();
    const input = page.locator('input[type=file]').first();
    await input.setInputFiles(['a.txt', 'b & c.txt', 'ü.txt'].map((file) => textFile(file, file)));
    await expect(row(page, 'ü.txt')).toBeVisible();
    await row(page, 'b & c.txt').dragTo(row(page, 'in'));
    await expect(row(page, 'b & c.txt')).toHaveCount(0);

    await page.getByRole('checkbox', { name: 'Select all' }).check();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as zip' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${name}.zip`);
    const zip = new ZipReader(new BlobReader(new Blob([new Uint8Array(readFileSync(await download.path()))])));
    expect((await zip.getEntries()).map(({ filename }) => filename).sort()).toEqual([
      ...['a.txt', 'in/', 'in/b & c.txt', 'ü.txt'],
    ]);

    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('This folder is empty')).toBeVisible();
    expect(await paths(instance, box)).toEqual([]);
  } finally {
    await s3.stop();
  }
});

test('fifty uploads over a line that drops go on with one click', async ({ page, instance }) => {
  const box = await aBox(instance, { 'first.txt': '' });
  await openBox(page, instance, box);
  await expect(row(page, 'first.txt')).toBeVisible();
  let sent = 0;
  let isDown = false;
  await page.route(`**/api/v2/${box.name}/**`, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent += 1;
    isDown ||= sent > 20;
    return isDown ? route.abort('connectionreset') : route.continue();
  });
  const files = Array.from({ length: 50 }, (_, index) => textFile(`f${index}.txt`, `content ${index}`));
  await page.locator('input[type=file]').first().setInputFiles(files);
  const uploads = page.getByRole('region', { name: 'Uploads' });
  await expect(uploads).toContainText(/The connection was lost: \d+ of 50 are uploaded\./);
  await expectAccessible(page, 'uploads that were interrupted');
  isDown = false;
  sent = -1000;
  await uploads.getByRole('button', { name: 'Resume' }).click();
  await expect(uploads).toContainText('50 of 50 uploaded');
  expect(await paths(instance, box)).toHaveLength(51);
  expect(await contentOf(instance, box, 'f49.txt')).toBe('content 49');
});

test('ten thousand files scroll: only those in sight are in the page', async ({ page, instance }) => {
  const box = await aBox(instance);
  for (let index = 0; index < 10_000; index++) writeFileSync(join(box.folder, `f${index}.txt`), '');
  await openBox(page, instance, box);
  await expect(row(page, 'f0.txt')).toBeVisible();
  await expect(page.getByText('10,000', { exact: true })).toBeVisible();
  expect(await grid(page).getByRole('row').count()).toBeLessThan(80);
  await row(page, 'f0.txt').focus();
  await page.keyboard.press('End');
  await expect(row(page, 'f9999.txt')).toBeFocused();
  await expect(row(page, 'f9999.txt')).toBeInViewport();
  expect(await grid(page).getByRole('row').count()).toBeLessThan(80);
});

test('FIL-001 SRV-052 the older address opens the manager alone, also in a frame of the same address, and not in another', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  const apps = (await instance.api('GET', 'system/environment')).body.apps;
  const address = `${instance.url}/filemanager/index.html?path=/&allowroot=true`;
  expect(apps.find(({ id }: { id: number }) => id === 3)).toMatchObject({ name: 'file_manager', url: address });
  const show = (origin: string) =>
    page.route(`${origin}/around`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${address}" width="1000" height="700"></iframe>` }),
    );
  await show(instance.url);
  await page.goto(`${instance.url}/around`);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('tree')).toBeVisible();
  await expect(frame.getByRole('heading', { name: 'Local File Storage' })).toBeVisible();
  await expect(frame.getByRole('navigation', { name: 'Sections' })).toHaveCount(0);
  await expect(frame.getByRole('banner')).toHaveCount(0);
  const elsewhere = 'http://elsewhere.example';
  await show(elsewhere);
  await page.goto(`${elsewhere}/around`);
  await page.waitForTimeout(500);
  await expect(frame.getByRole('tree')).toHaveCount(0);
});

test('an administrator makes a folder public in place, and everybody reads it by its public link', async ({
  page,
  instance,
}) => {
  const box = await aBox(instance, { 'site/index.txt': 'hello' });
  await openBox(page, instance, box);
  const address = `${instance.url}/${box.name}/site/index.txt`;
  expect((await fetch(address)).status).toBe(403);
  await choose(page, 'site', 'Make public…');
  await page.getByRole('dialog').getByRole('button', { name: 'Make public' }).click();
  await expect(row(page, 'site').getByRole('img', { name: 'Public' })).toBeVisible();
  expect(await (await fetch(address)).text()).toBe('hello');
  const stored = (await instance.api('GET', `system/service/${box.id}`)).body.config;
  expect(stored).toMatchObject({ public_path: ['site'], container: box.name });
  await choose(page, 'site', 'Stop being public…');
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(row(page, 'site').getByRole('img', { name: 'Public' })).toHaveCount(0);
  expect((await fetch(address)).status).toBe(403);
});

test('APP-013 the folder and the page of an app are chosen where they are; a path that leads nowhere is marked', async ({
  page,
  instance,
}) => {
  const box = await aBox(instance, { 'shop/start.html': '<!doctype html>' });
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps/create`);
  await page.getByRole('textbox', { name: 'Application Name' }).fill(box.name);
  await page.getByRole('radio', { name: 'On a provisioned file storage service.' }).check();
  await page.getByRole('combobox', { name: 'Storage Service' }).click();
  await page.getByRole('option', { name: `Box ${box.name}` }).click();
  await page.getByRole('button', { name: 'Choose a page' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a page' });
  await dialog.getByRole('treeitem', { name: 'shop' }).click();
  await dialog.getByRole('button', { name: 'start.html' }).click();
  await dialog.getByRole('button', { name: 'Choose', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Storage Folder' })).toHaveValue('shop');
  await expect(page.getByRole('textbox', { name: 'Launch Path' })).toHaveValue('start.html');
  await expect(page.getByText('Nobody can open it yet')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`${box.name} saved successfully.`)).toBeVisible();
  const { body } = await instance.api('GET', `system/app?filter=name="${box.name}"`);
  expect(body.resource[0]).toMatchObject({
    ...{ type: 1, storage_service_id: box.id, storage_container: 'shop', path: 'start.html' },
    launch_url: `${instance.url}/${box.name}/shop/start.html`,
  });
  await page.goto(`${instance.url}/apps/create`);
  await page.getByRole('radio', { name: 'On this web server.' }).check();
  const path = page.getByLabel('Path to Application').and(page.locator('input'));
  const missing = page.getByText('No page of the console and no public path of a file service is there.');
  await path.fill('nowhere/index.html');
  await expect(missing).toBeVisible();
  await path.fill('filemanager/index.html?path=/&allowroot=true');
  await expect(missing).toHaveCount(0);
});
