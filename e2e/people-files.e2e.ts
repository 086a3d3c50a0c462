// People in and out as files: csv, json and xml, good ones and bad ones.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');

async function importFile(page: Page, name: string, content: string) {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const choosing = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  await (await choosing).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  return dialog;
}

async function emails(instance: Instance, kind: 'admin' | 'user', words: string): Promise<string[]> {
  const filter = encodeURIComponent(`email like "%${words}%"`);
  const { body } = await instance.api('GET', `system/${kind}?fields=email&filter=${filter}`);
  return body.resource.map(({ email }: { email: string }) => email).sort();
}

const files = (at: string) => [
  {
    name: 'people.csv',
    type: 'text/csv',
    content: `email,name,is_active\ncsv1@${at},"Doe, Jo",true\ncsv2@${at},=cmd,false\n`,
    brings: [`csv1@${at}`, `csv2@${at}`],
  },
  {
    name: 'people.json',
    type: 'application/json',
    content: JSON.stringify({ resource: [{ email: `json@${at}`, name: 'Jason' }] }),
    brings: [`json@${at}`],
  },
  {
    name: 'PEOPLE.XML',
    type: 'application/xml',
    content: `<x><resource><email>xml@${at}</email><name>Ex &amp; Co</name></resource></x>`,
    brings: [`xml@${at}`],
  },
];

test('PPL-010 PPL-054 PPL-061 PPL-070 PPL-077 csv, json and xml files of people are taken in as they are', async ({
  page,
  instance,
}) => {
  test.slow();
  await signIn(page, instance);
  for (const [kind, path, done] of [
    ['admin', 'admins', 'Admins imported successfully.'],
    ['user', 'users', 'Users imported successfully.'],
  ] as const) {
    const at = `${kind}.files.example.com`;
    await page.goto(`${instance.url}/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const { name, type, content, brings } of files(at)) {
      const posting = page.waitForRequest((request) => request.method() === 'POST');
      await importFile(page, name, content);
      await expect(page.getByText(done).last()).toBeVisible();
      const request = await posting;
      expect(new URL(request.url()).pathname).toBe(`/api/v2/system/${kind}`);
      expect(request.headers()['content-type']).toBe(type);
      for (const email of brings) await expect(page.getByRole('link', { name: email, exact: true })).toBeVisible();
    }
    expect(await emails(instance, kind, at)).toEqual(files(at).flatMap(({ brings }) => brings));
  }
});

test('PPL-041 other files are refused before anything is sent', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  let posts = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') posts += 1;
  });
  const dialog = await importFile(page, 'people.xlsx', 'PK');
  await expect(dialog.getByText('Acceptable file formats are csv, json, and xml.')).toBeVisible();
  expect(posts).toBe(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('X-007 a bad record is named with its reason; the rest is imported when told to', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  const content = [
    'email,name',
    'one@bad.example.com,One',
    'one@bad.example.com,Again',
    'three@bad.example.com,Three',
    'no address,Four',
    'five@bad.example.com,Five',
  ].join('\n');
  const dialog = await importFile(page, 'people.csv', content);
  await expect(dialog.getByText('1 record of people.csv was imported.')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveText([/^Record 2: .*The email has already been taken\./]);
  expect(await emails(instance, 'user', 'bad.example.com')).toEqual(['one@bad.example.com']);
  await dialog.getByRole('button', { name: 'Import the rest' }).click();
  await expect(dialog.getByText('3 records of people.csv were imported.')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveText([
    /^Record 2: .*The email has already been taken\./,
    /^Record 4: .*The email must be a valid email address\./,
  ]);
  expect(await emails(instance, 'user', 'bad.example.com')).toEqual([
    'five@bad.example.com',
    'one@bad.example.com',
    'three@bad.example.com',
  ]);
});

test('X-008 files that cannot be read say what the server says', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  for (const [name, content] of [
    ['broken.json', '{"resource":['],
    ['broken.xml', '<x><resource>'],
    ['empty.csv', ''],
    ['huge.csv', `email\n${'x'.repeat(11 * 1024 * 1024)}`],
  ] as const) {
    const refusing = page.waitForResponse((response) => response.request().method() === 'POST');
    const dialog = await importFile(page, name, content);
    await expect(dialog.getByText(`${name} was not imported.`)).toBeVisible();
    const { error } = await (await refusing).json();
    expect(error.message.length).toBeGreaterThan(0);
    await expect(dialog.getByText(error.message)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await expect(main(page).getByRole('heading', { level: 1 })).toHaveText('Users');
});

test('PPL-011 PPL-042 PPL-055 PPL-062 all rows are downloaded as csv, json or xml; no cell of csv is one a spreadsheet would run', async ({
  page,
  instance,
}) => {
  test.slow();
  const resource = Array.from({ length: 130 }, (_, index) => ({
    email: `export${index}@example.com`,
    name: index === 0 ? '=1+1' : `Export "${index}", ä`,
  }));
  const creation = await instance.api('POST', 'system/user', { resource });
  expect(creation.status).toBe(201);
  await signIn(page, instance);
  for (const [kind, path] of [
    ['admin', 'admins'],
    ['user', 'users'],
  ] as const) {
    const { body } = await instance.api('GET', `system/${kind}?limit=1000`);
    await page.goto(`${instance.url}/${path}`);
    for (const format of ['CSV', 'JSON', 'XML']) {
      const file = `${kind}.${format.toLowerCase()}`;
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await expect(page.getByRole('menuitem')).toHaveText(['CSV', 'JSON', 'XML']);
      await page.getByRole('menuitem', { name: format }).click();
      const download = await downloading;
      const address = new URL(download.url());
      expect(address.pathname).toBe(`/api/v2/system/${kind}`);
      expect(address.searchParams.get('file')).toBe(file);
      expect(address.searchParams.get('api_key')).toMatch(/^[0-9a-f]{64}$/);
      expect(address.searchParams.get('session_token')).toBeTruthy();
      expect(download.suggestedFilename()).toBe(file);
      const text = await readFile(await download.path(), 'utf8');
      if (format === 'JSON') expect(JSON.parse(text).resource).toEqual(body.resource);
      for (const { email, name } of body.resource) {
        expect(text).toContain(email);
        if (name === '=1+1') expect(text).toMatch(format === 'CSV' ? /,'=1\+1,/ : /[>"]=1\+1[<"]/);
      }
      if (format === 'CSV') expect(text.trimEnd().split('\n')).toHaveLength(body.resource.length + 1);
    }
    await expect(page).toHaveURL(new RegExp(`/${path}$`));
  }
  // Other journeys of this instance look for theirs on the first page.
  const ids = creation.body.resource.map(({ id }: { id: number }) => id);
  expect((await instance.api('DELETE', `system/user?ids=${ids.join(',')}`)).status).toBe(200);
});

test('PPL-011 ticked rows are downloaded alone', async ({ page, instance }) => {
  const resource = ['a', 'b'].map((name) => ({ email: `ticked-${name}@example.com`, name: `Ticked ${name}` }));
  expect((await instance.api('POST', 'system/user', { resource })).status).toBe(201);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users?filter=ticked`);
  await page.getByRole('checkbox', { name: 'Select Ticked b' }).check();
  const downloading = page.waitForEvent('download');
  await main(page).getByRole('button', { name: 'Export', exact: true }).last().click();
  await page.getByRole('menuitem', { name: 'JSON' }).click();
  const { resource: rows } = JSON.parse(await readFile(await (await downloading).path(), 'utf8'));
  expect(rows.map(({ name }: { name: string }) => name)).toEqual(['Ticked b']);
});
