// The editor of an event script: written, imported, linked, tried, followed.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, startInstance, test } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page, name: string) => main(page).getByRole('heading', { name, exact: true });
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
const code = (page: Page) => page.getByRole('textbox', { name: 'Script', exact: true });
const type = (page: Page) => page.getByRole('combobox', { name: 'Script Type/Language' });
const toast = (page: Page, text: string) => page.getByText(text).first();
const open = (page: Page, instance: Instance, name: string) =>
  page.goto(`${instance.url}/scripts/edit/${encodeURIComponent(name)}`);
const stored = async (instance: Instance, name: string) =>
  instance.api('GET', `system/event_script/${encodeURIComponent(name)}`);

async function chooseType(page: Page, label: string): Promise<void> {
  await type(page).click();
  await page.getByRole('option', { name: new RegExp(`^${label}`) }).click();
}

test.afterEach(async ({ instance }) => {
  await instance.api('DELETE', 'system/event_script?force=true');
});

test('SCR-008 SCR-009 SCR-010 SCR-011 SCR-014 SCR-023 SCR-024 SCR-025 SCR-032 SCR-033 X-021 a script is new where the server has none, is saved and stays open, is changed, and is deleted', async ({
  page,
  instance,
}) => {
  const name = 'world._table.people.get.pre_process';
  await signIn(page, instance);
  const read = page.waitForResponse((response) => response.url().endsWith(`/system/event_script/${name}`));
  await open(page, instance, name);
  expect((await read).status()).toBe(404);
  await expect(heading(page, 'Create Script')).toBeVisible();
  await expect(type(page)).toHaveValue(/V8js/);
  await expect(page.getByRole('switch', { name: 'Active' })).not.toBeChecked();
  await expect(button(page, 'Delete')).toHaveCount(0);

  await code(page).click();
  await page.keyboard.type('event.request.parameters.limit = 2;');
  await page.getByRole('switch', { name: 'Active' }).click();
  await page.getByRole('switch', { name: 'Allow script to modify request payload' }).click();
  const write = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes(`/${name}`));
  await button(page, 'Save').click();
  await expect(toast(page, `Script "${name}" saved successfully.`)).toBeVisible();
  expect((await write).postDataJSON()).toEqual({
    ...{ name, type: 'v8js', content: 'event.request.parameters.limit = 2;', config: null },
    ...{ is_active: true, allow_event_modification: true },
    ...{ storage_service_id: null, scm_repository: null, scm_reference: null, storage_path: null },
  });
  // It is a saved one now, and runs.
  await expect(heading(page, `Edit ${name}`)).toBeVisible();
  await expect(button(page, 'Delete')).toBeVisible();
  expect((await instance.api('GET', 'world/_table/people')).body.resource).toHaveLength(2);

  await code(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('event.request.parameters.limit = 3;');
  // Nothing that was typed is lost unasked.
  await page.getByRole('link', { name: 'Back' }).click();
  const question = page.getByRole('dialog', { name: 'Continue without saving?' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(question).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+s');
  await expect
    .poll(async () => (await stored(instance, name)).body.content)
    .toBe('event.request.parameters.limit = 3;');
  expect((await instance.api('GET', 'world/_table/people')).body.resource).toHaveLength(3);

  // Saving and closing leads back to where the script stands.
  await button(page, 'Save and Close').click();
  await expect(page).toHaveURL(/\/scripts\/events\/world\/.*get\.pre_process$/);
  await main(page).getByTitle(name, { exact: true }).click();
  await button(page, 'Close').click();
  await expect(page).toHaveURL(/\/scripts\/events\/world\/.*get\.pre_process$/);
  await main(page).getByTitle(name, { exact: true }).click();
  await button(page, 'Delete').click();
  await page
    .getByRole('dialog', { name: `Delete ${name}?` })
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await expect(toast(page, 'Script deleted successfully.')).toBeVisible();
  await expect(page).toHaveURL(/\/scripts\/events\/world\/.*get\.pre_process$/);
  expect((await stored(instance, name)).status).toBe(404);
  expect((await instance.api('GET', 'world/_table/people?limit=5')).body.resource).toHaveLength(5);
});

test('nobody overwrites what somebody else saved first', async ({ page, instance }) => {
  const name = 'world._table.people.get';
  await instance.api('POST', `system/event_script/${name}`, { name, type: 'v8js', content: 'let a;' });
  await signIn(page, instance);
  await open(page, instance, name);
  await code(page).click();
  await page.keyboard.type('let b; ');
  await instance.api('POST', `system/event_script/${name}`, { name, content: 'let c;' });
  await button(page, 'Save').click();
  await expect(page.getByRole('dialog', { name: 'Someone else saved this first' })).toContainText('let c;');
  expect((await stored(instance, name)).body.content).toBe('let c;');
});

test('SCR-007 SCR-034 NAV-046 a sample of each language is inserted, and JavaScript is what nodejs and v8js are', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await open(page, instance, 'world.get.pre_process');
  const samples: [label: string, sample: string, isScript: boolean][] = [
    ['V8js', 'const', true],
    ['Node.js', 'const', true],
    ['PHP', '$event', false],
    ['Python', 'print(', false],
  ];
  for (const [index, [label, word, isJavaScript]] of samples.entries()) {
    await chooseType(page, label);
    await button(page, 'Insert a sample').click();
    if (index > 0)
      await page
        .getByRole('dialog', { name: 'Replace the script by a sample?' })
        .getByRole('button', { name: 'OK' })
        .click();
    await expect(code(page)).toContainText(word);
    // `//` begins a comment in JavaScript and PHP, `const` is a word of JavaScript alone: coloured as one.
    const coloured = code(page)
      .locator('span')
      .filter({ hasText: /^const$/ });
    if (isJavaScript) await expect(coloured.first()).toBeVisible();
    else await expect(coloured).toHaveCount(0);
  }
});

test('what fits behind event and platform is offered', async ({ page, instance }) => {
  await signIn(page, instance);
  await open(page, instance, 'world.get.pre_process');
  await code(page).click();
  await page.keyboard.type('event.request.');
  const list = page.getByRole('listbox', { name: 'Completions' });
  await expect(list.getByRole('option', { name: /^payload/ })).toBeVisible();
  await page.keyboard.type('para');
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await expect(code(page)).toHaveText(/event\.request\.parameters$/);
});

test('SCR-004 SCR-018 a local file is loaded: js, php, py and txt, and no other', async ({ page, instance }) => {
  await signIn(page, instance);
  await open(page, instance, 'world.get.pre_process');
  const file = page.locator('input[type="file"]');
  for (const ending of ['js', 'php', 'py', 'txt']) {
    await file.setInputFiles({ name: `a.${ending}`, mimeType: 'text/plain', buffer: Buffer.from(`of ${ending}`) });
    await expect(code(page)).toHaveText(`of ${ending}`);
  }
  await file.setInputFiles({ name: 'a.exe', mimeType: 'text/plain', buffer: Buffer.from('no') });
  await expect(
    page.getByText('Error: Invalid file format. Only js, php, py, txt file format(s) allowed'),
  ).toBeVisible();
  await expect(code(page)).toHaveText('of txt');
});

test('SCR-005 SCR-006 SCR-015 SCR-016 SCR-026 SCR-027 SCR-030 SCR-031 a script is linked to a file: read there, shown and not kept, refreshed, and taken out of the cache', async ({
  page,
  instance,
}) => {
  const name = 'world._table.people.get.pre_process';
  const write = async (content: string) => {
    const file = { resource: [{ type: 'file', name: 'limit.js', content }] };
    const { body } = await instance.api('POST', 'files/scripts/', file);
    expect(body.resource).toEqual([{ name: 'limit.js', path: 'scripts/limit.js', type: 'file' }]);
  };
  await instance.api('POST', 'files/', { resource: [{ type: 'folder', name: 'scripts' }] });
  await write('event.request.parameters.limit = 4;');
  await signIn(page, instance);
  await open(page, instance, name);
  await code(page).click();
  await page.keyboard.type('typed before');
  await page.getByRole('combobox', { name: 'Service:' }).click();
  await page.getByRole('option', { name: 'Local File Storage' }).click();
  await expect(code(page)).toHaveText('');
  await expect(code(page)).toHaveAttribute('aria-readonly', 'true');
  const pull = button(page, 'View Latest');
  await expect(pull).toBeDisabled();
  await page.getByRole('textbox', { name: 'Path:' }).fill('scripts/limit.js');
  const read = page.waitForRequest(/\/files\/scripts\/limit\.js/);
  await pull.click();
  expect(new URL((await read).url()).pathname).toBe('/api/v2/files/scripts/limit.js');
  await expect(toast(page, 'Successfully pulled the latest script from source.')).toBeVisible();
  await expect(code(page)).toHaveText('event.request.parameters.limit = 4;');
  // Who can change the file changes the script.
  await expect(main(page).getByText(/can change this file/)).toBeVisible();

  await page.getByRole('switch', { name: 'Active' }).click();
  await page.getByRole('switch', { name: 'Allow script to modify request payload' }).click();
  const save = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes(`/${name}`));
  await button(page, 'Save').click();
  await expect(toast(page, `Script "${name}" saved successfully.`)).toBeVisible();
  expect((await save).postDataJSON()).toMatchObject({ content: '', storage_path: 'scripts/limit.js' });
  expect((await instance.api('GET', 'world/_table/people')).body.resource).toHaveLength(4);

  // It is fetched where it lives whenever its editor opens, which is no change.
  await write('event.request.parameters.limit = 6;');
  await page.reload();
  await expect(code(page)).toHaveText('event.request.parameters.limit = 6;');
  await expect(main(page).getByText('Unsaved changes')).toHaveCount(0);
  const clear = page.waitForRequest((request) => request.method() === 'DELETE');
  await button(page, 'Delete Cache').click();
  expect(new URL((await clear).url()).pathname).toBe(`/api/v2/system/cache/_event/${name}`);
  await expect(toast(page, 'Successfully cleared script from cache.')).toBeVisible();
  expect((await instance.api('GET', 'world/_table/people')).body.resource).toHaveLength(6);

  await page.route(/system\/cache\/_event/, (route) => route.abort());
  await button(page, 'Delete Cache').click();
  await expect(toast(page, 'Failed to cleared script from cache.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Path:' }).fill('scripts/gone.js');
  await pull.click();
  await expect(
    toast(
      page,
      'There was an error pulling the latest script from source. Please make sure your service, path and permissions are correct and try again.',
    ),
  ).toBeVisible();
});

/** A code-hosting service: `public` is for everybody, `private` for ada. */
async function startCodeHost(): Promise<{ url: string; requests: IncomingMessage[]; server: Server }> {
  const requests: IncomingMessage[] = [];
  const content = Buffer.from('event.request.parameters.limit = 1; // grüße').toString('base64');
  const ada = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
  const answer = ({ url = '', headers }: IncomingMessage): [status: number, body: object] => {
    const [, , owner, repository, kind, ...path] = url.split('?')[0]?.split('/') ?? [];
    if (owner !== 'lovelace' || (repository === 'private' && headers.authorization === undefined)) return [404, {}];
    if (headers.authorization !== undefined && headers.authorization !== ada) return [401, {}];
    if (kind === undefined) return [200, { private: repository === 'private' }];
    return path.join('/') === 'a/limit.js' ? [200, { content, encoding: 'base64', size: 40 }] : [404, {}];
  };
  const server = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', 'authorization');
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    requests.push(request);
    const [status, body] = answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

test('NAV-042 SCR-017 SCR-028 X-029 X-030 X-031 X-032 a file is imported from a code-hosting service, which learns nothing of this instance', async ({
  page,
}) => {
  const host = await startCodeHost();
  const instance = await startInstance({ ...demo, SLUICE_CODE_HOST: host.url }, await copyPreparedData());
  try {
    await signIn(page, instance);
    await open(page, instance, 'world.get.pre_process');
    await button(page, 'Select GitHub File…').click();
    const dialog = page.getByRole('dialog', { name: 'Import a script file from GitHub' });
    const address = dialog.getByRole('textbox', { name: 'GitHub File URL' });
    const upload = dialog.getByRole('button', { name: 'Upload' });
    const fileAt = (repository: string, path = 'a/limit.js', owner = 'lovelace') =>
      `https://github.com/${owner}/${repository}/blob/main/${path}`;

    await address.fill(fileAt('public', 'a/picture.png'));
    await upload.click();
    await expect(dialog).toContainText('Error: Invalid file format. Only js, php, py, txt file format(s) allowed');
    expect(host.requests).toEqual([]);
    await address.fill(fileAt('public', 'a/limit.js', 'nobody'));
    await expect(dialog).toContainText('Error: The repository could not be found.');
    // It may be one that only its owners see.
    await address.fill(fileAt('private'));
    await dialog.getByRole('textbox', { name: 'Username' }).fill('ada');
    await dialog.getByLabel('Password or token').fill('wrong');
    await upload.click();
    await expect(dialog).toContainText('Error: Authentication failed.');
    await dialog.getByLabel('Password or token').fill('secret');
    await address.fill(fileAt('private', 'a/gone.js'));
    await upload.click();
    await expect(dialog).toContainText('Error: The file could not be found.');
    await address.fill(fileAt('private'));
    await upload.click();
    await expect(dialog).toHaveCount(0);
    await expect(code(page)).toHaveText('event.request.parameters.limit = 1; // grüße');

    await button(page, 'Select GitHub File…').click();
    await address.fill(fileAt('public'));
    await upload.click();
    await expect(dialog).toHaveCount(0);
    const last = host.requests.at(-1);
    expect(last?.url).toBe('/repos/lovelace/public/contents/a/limit.js?ref=main');
    for (const { headers } of host.requests) {
      const names = Object.keys(headers);
      expect(names.filter((name) => /dreamfactory|cookie|referer/i.test(name))).toEqual([]);
      expect(headers.authorization ?? 'Basic').toMatch(/^Basic/);
    }
  } finally {
    await instance.stop();
    host.server.close();
  }
});

test('a dry run shows what a script would do, does nothing, and nothing of it is kept', async ({ page, instance }) => {
  const name = 'world._table.people.post.pre_process';
  await signIn(page, instance);
  await open(page, instance, name);
  await code(page).click();
  await page.keyboard.insertText(
    `print('saw ' + event.request.payload.resource[0].name); event.request.payload.resource[0].name = 'Grace';
     platform.api.delete('world/_table/cities/1'); platform.api.get('world/_table/cities/1');`,
  );
  await page.getByRole('switch', { name: 'Allow script to modify request payload' }).click();
  await expect(page.getByRole('combobox', { name: 'Verb' })).toHaveValue('POST');
  await expect(page.getByRole('combobox', { name: 'Address' })).toHaveValue('world/_table/people');
  await page.getByRole('textbox', { name: 'Body' }).fill('{"resource": [{"name": "very private"}]}');
  await page.getByRole('textbox', { name: 'Headers' }).fill('X-Typed: unforgettable');
  await page.getByRole('textbox', { name: 'Headers' }).press('ControlOrMeta+Enter');
  const result = main(page).getByRole('region', { name: 'Result of the dry run' });
  await expect(result).toContainText('Done');
  await expect(result.getByRole('row').filter({ hasText: 'request.payload' }).first()).toContainText('Grace');
  await expect(result.locator('tr[data-changed]')).toHaveCount(1);
  await expect(result.locator('tr[data-changed] [data-side="before"]')).toContainText('very private');
  const calls = result.getByRole('listitem');
  await expect(calls.filter({ hasText: 'DELETE world/_table/cities/1' })).toContainText('not done');
  await expect(calls.filter({ hasText: 'GET world/_table/cities/1' })).toContainText('read: 200');
  await expect(result.locator('pre').last()).toHaveText(/saw very private/);
  expect((await instance.api('GET', 'world/_table/cities/1')).status).toBe(200);
  // The script was not saved, and neither it nor the call has run.
  expect((await stored(instance, name)).status).toBe(404);
  const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  // The draft of the script is.
  await expect.poll(kept).toContain('Grace');
  expect(await kept()).not.toMatch(/very private|unforgettable/);
});

test('last runs and the log follow what the script does', async ({ page, instance }) => {
  const name = 'world._table.people.get';
  const content =
    'print("limit " + event.request.parameters.limit); if (event.request.parameters.limit === "9") throw "nine";';
  await instance.api('POST', `system/event_script/${name}`, { name, type: 'v8js', content, is_active: true });
  await signIn(page, instance);
  await open(page, instance, name);
  await page.getByRole('tab', { name: 'Last runs' }).click();
  await expect(page).toHaveURL(/show=runs/);
  await expect(main(page).getByText(/^It has not run/)).toBeVisible();
  await instance.api('GET', 'world/_table/people?limit=7');
  const runs = main(page).getByRole('table', { name: 'Last runs' }).getByRole('row');
  await expect(runs.nth(1)).toContainText(/Done.*ms.*GET world\/_table\/people/);
  await instance.api('GET', 'world/_table/people?limit=9');
  await expect(runs.nth(1)).toContainText('Failed');
  await runs.nth(1).getByRole('button', { name: 'Message and output' }).click();
  await expect(main(page).getByText('nine', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Log' }).click();
  const log = page.getByRole('log');
  await expect(log).toContainText('limit 7');
  await instance.api('GET', 'world/_table/people?limit=8');
  await expect(log).toContainText('limit 8');
});
