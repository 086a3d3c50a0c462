// "Create API key": from every place it is offered a key is made whose call works as it is copied; who may not, sees no button.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeGuest } from './guests.ts';
import { expect, type Instance, signIn, test } from './instance.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const name = (page: Page) => dialog(page).getByRole('textbox', { name: 'Name' });
const openButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Create API key' });
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Create API key' }).click();

const programs = { curl: ['bash', '-c'], JavaScript: [process.execPath, '-e'] } as const;
const run = promisify(execFile);

/** Runs code as it was copied. */
async function runCode(language: keyof typeof programs, code: string) {
  const [program, flag] = programs[language];
  const { stdout } = await run(program, [flag, code], { timeout: 30_000 });
  return JSON.parse(stdout);
}

async function mayCopy(page: Page, instance: Instance): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url });
}

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Copies the code of the dialog in a language and runs it. */
async function runCopied(page: Page, language: keyof typeof programs = 'curl') {
  await dialog(page).getByText(language, { exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Copy the code' }).click();
  return runCode(language, await copied(page));
}

const callWith = async (instance: Instance, key: string, path: string, verb = 'GET') =>
  (await instance.api(verb, path, undefined, { 'X-DreamFactory-API-Key': key })).status;

test('a key for a service is made from Apps by one request, and its call works as curl and as JavaScript', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await mayCopy(page, instance);
  await page.goto(`${instance.url}/apps`);
  await openButton(page).click();
  await dialog(page).getByRole('combobox', { name: 'Service' }).click();
  await page.getByRole('option', { name: /World/ }).click();
  await expect(name(page)).toHaveValue(/^world-read/);
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
  await submit(page);
  const copyKey = dialog(page).getByRole('button', { name: 'Copy key' });
  await expect(copyKey).toBeFocused();
  expect(posts).toEqual(['/api/v2/system/app/_key']);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  const key = await copied(page);
  expect(await callWith(instance, key, 'world/_table/people?limit=1')).toBe(200);
  expect(await callWith(instance, key, 'world/_table/people/1', 'DELETE')).toBe(401);
  expect(await callWith(instance, key, 'db/_table')).toBe(401);
  for (const language of ['curl', 'JavaScript'] as const) {
    const answer = await runCopied(page, language);
    expect(answer.resource.map((table: { name: string }) => table.name)).toContain('people');
  }
  await dialog(page).getByRole('button', { name: 'Try it' }).click();
  await expect(dialog(page).getByText('Status 200')).toBeVisible();
  await expect(dialog(page).getByRole('region', { name: 'Answer' })).toContainText('"people"');
  await expectAccessible(page, 'a key that was made');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'a key that was made, on a phone');
  // The list behind knows the app already, and its editor shows the key.
  await dialog(page).getByRole('button', { name: 'Open the app' }).click();
  await expect(page).toHaveURL(/\/apps\/\d+$/);
  await expect(page.getByRole('main').getByText(key, { exact: true })).toBeVisible();
});

test('a key is made from Roles for everything, to read and write', async ({ page, instance }) => {
  await signIn(page, instance);
  await mayCopy(page, instance);
  await page.goto(`${instance.url}/roles`);
  await openButton(page).click();
  await dialog(page).getByRole('radio', { name: 'Everything' }).check();
  await dialog(page).getByText('Read and write', { exact: true }).click();
  const label = `all of it ${Date.now()}`;
  await name(page).fill(label);
  await submit(page);
  await expect(page.getByRole('dialog', { name: `API key “${label}”` })).toBeVisible();
  expect(await runCopied(page)).toHaveProperty('resource');
  const { body } = await instance.api('GET', `system/app?filter=name="${label}"&related=role_by_role_id`);
  const [app] = body.resource;
  expect(app).toMatchObject({ is_active: true, role_by_role_id: { name: label, is_active: true } });
  expect(await callWith(instance, app.api_key, 'world/_table/people?limit=1')).toBe(200);
  expect(await callWith(instance, app.api_key, 'system/role')).toBe(401);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('link', { name: label, exact: true })).toBeVisible();
});

test('Data begins with the table shown; Home and ⌘K open the same dialog', async ({ page, instance }) => {
  await signIn(page, instance);
  await mayCopy(page, instance);
  await page.goto(`${instance.url}/data/world/cities`);
  await openButton(page).click();
  await expect(dialog(page).getByRole('radio', { name: 'One table' })).toBeChecked();
  await expect(dialog(page).getByRole('combobox', { name: 'Table' })).toHaveValue('cities');
  await expect(name(page)).toHaveValue(/^world-cities-read/);
  await submit(page);
  const answer = await runCopied(page);
  expect(answer.resource).toHaveLength(10);
  const key = /X-DreamFactory-API-Key: (\w+)/.exec(await copied(page))?.[1] ?? '';
  expect(await callWith(instance, key, 'world/_table/people')).toBe(401);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(openButton(page)).toBeFocused();

  await page.goto(`${instance.url}/home`);
  await openButton(page).click();
  await expect(name(page)).toHaveValue(/-read/);
  await submit(page);
  expect(await runCopied(page)).toHaveProperty('resource');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);

  await page.keyboard.press('ControlOrMeta+k');
  await dialog(page).getByRole('combobox').fill('create api');
  await page.getByRole('option', { name: 'Create API key' }).click();
  await expect(page.getByRole('dialog', { name: 'Create API key' })).toBeVisible();
  await expectAccessible(page, 'create a key');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'create a key, on a phone');
});

test('a key is made by keyboard alone', async ({ page, instance }) => {
  await signIn(page, instance);
  await mayCopy(page, instance);
  await page.goto(`${instance.url}/data/world/countries`);
  await openButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('radio', { name: 'A program' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('radio', { name: 'One table' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(dialog(page).getByRole('radio', { name: 'One service' })).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('combobox', { name: 'Service' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(dialog(page).getByRole('radio', { name: 'Read and write' })).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(name(page)).toBeFocused();
  await page.keyboard.type(`by keys ${Date.now()}`);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Copy key' })).toBeFocused();
  await page.keyboard.press('Enter');
  const key = await copied(page);
  expect(await callWith(instance, key, 'world/_table/countries')).toBe(200);
  await page.keyboard.press('Escape');
  await expect(openButton(page)).toBeFocused();
});

/** Chooses by typing, as one does among a thousand. */
async function addTable(page: Page, table: string) {
  await dialog(page).getByRole('combobox', { name: 'Tables' }).fill(table);
  await page.getByRole('option', { name: table, exact: true }).waitFor();
  await page.keyboard.press('Enter');
}

test('an agent gets chosen tables to read, so many calls, and a configuration that connects it', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await mayCopy(page, instance);
  await page.goto(`${instance.url}/apps`);
  await expect(openButton(page)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await dialog(page).getByRole('combobox').fill('key for an agent');
  await page.getByRole('option', { name: 'Create key for an agent' }).click();
  await expect(dialog(page).getByRole('radio', { name: 'An agent' })).toBeChecked();
  await dialog(page).getByRole('combobox', { name: 'Service' }).click();
  await page.getByRole('option', { name: /World/ }).click();
  await submit(page);
  await expect(dialog(page).getByText('Choose at least one table.')).toBeVisible();
  await expect(dialog(page).getByRole('combobox', { name: 'Tables' })).toBeFocused();
  await addTable(page, 'people');
  await addTable(page, 'cities');
  await page.keyboard.press('Escape');
  await expect(name(page)).toHaveValue(/^agent-world-read/);
  await expect(dialog(page).getByRole('radio', { name: 'Read', exact: true })).toBeChecked();
  await dialog(page).getByRole('textbox', { name: 'Calls at most' }).fill('5');
  await dialog(page).getByRole('combobox', { name: 'Per' }).click();
  await page.getByRole('option', { name: 'hour' }).click();
  await expectAccessible(page, 'a key for an agent');
  await submit(page);
  await expect(dialog(page)).toContainText(
    'It may read the records of people, cities in world. 5 calls an hour at most.',
  );

  await dialog(page).getByRole('button', { name: 'Test' }).click();
  await expect(dialog(page).getByText('2 tools')).toBeVisible();
  await expect(dialog(page).getByText('get_table_records, get_table_record')).toBeVisible();
  await expectAccessible(page, 'an agent that was connected');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'an agent that was connected, on a phone');
  await dialog(page).getByText('Claude Code', { exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Copy the code' }).click();
  expect(await copied(page)).toContain(`claude mcp add --transport http sluice "${instance.url}/mcp" --header "X-`);
  await dialog(page).getByText('JSON', { exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Copy the code' }).click();
  const { type, url, headers } = JSON.parse(await copied(page)).mcpServers.sluice;
  expect([type, url]).toEqual(['http', `${instance.url}/mcp`]);

  // What the configuration says is all that an agent has.
  const message = async (method: string, params: object) => {
    const sent = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await (await fetch(url, { method: 'POST', headers: sent, body })).json()).result;
  };
  const clientInfo = { name: 'journey', version: '1' };
  expect(await message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })).toHaveProperty(
    'serverInfo',
  );
  const { tools } = await message('tools/list', {});
  expect(tools.map((tool: { name: string }) => tool.name)).toEqual(['get_table_records', 'get_table_record']);
  const records = { service: 'world', table_name: 'people', limit: 1 };
  const answer = await message('tools/call', { name: 'get_table_records', arguments: records });
  expect(JSON.parse(answer.content[0].text).resource).toHaveLength(1);

  const key = headers['X-DreamFactory-API-Key'];
  expect(await callWith(instance, key, 'world/_table/people?limit=1')).toBe(200);
  expect(await callWith(instance, key, 'world/_table/cities?limit=1')).toBe(200);
  for (const closed of ['world/_table/countries', 'world/_table', 'world/_schema/people', 'system/app'])
    expect([closed, await callWith(instance, key, closed)]).toEqual([closed, 401]);
  for (const verb of ['POST', 'PATCH', 'DELETE'])
    expect([verb, await callWith(instance, key, 'world/_table/people/1', verb)]).toEqual([verb, 401]);
  // The tool call was the first of five; what was refused is not counted.
  expect(await callWith(instance, key, 'world/_table/people/1')).toBe(200);
  expect(await callWith(instance, key, 'world/_table/cities/1')).toBe(200);
  expect(await callWith(instance, key, 'world/_table/people?limit=1')).toBe(429);
  const refused = await message('tools/call', { name: 'get_table_records', arguments: records });
  expect([refused.isError, refused.content[0].text]).toEqual([true, expect.stringContaining('429')]);
});

test('what is missing and what the server refuses is said at its field, and goes when it is changed', async ({
  page,
  instance,
}) => {
  const taken = `taken ${Date.now()}`;
  await instance.api('POST', 'system/role', { resource: [{ name: taken, is_active: true }] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps`);
  await openButton(page).click();
  await dialog(page).getByRole('radio', { name: 'One table' }).check();
  await dialog(page).getByRole('combobox', { name: 'Service' }).click();
  await page.getByRole('option', { name: /World/ }).click();
  await submit(page);
  await expect(dialog(page).getByText('Choose a table.')).toBeVisible();
  await expect(dialog(page).getByRole('combobox', { name: 'Table' })).toBeFocused();
  await page.getByRole('option').first().click();
  await expect(dialog(page).getByText('Choose a table.')).toHaveCount(0);
  await name(page).fill(taken);
  await submit(page);
  await expect(name(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog(page)).toContainText('already been taken');
  await name(page).fill(`${taken} not`);
  await expect(name(page)).not.toHaveAttribute('aria-invalid', 'true');
  await submit(page);
  await expect(dialog(page).getByRole('button', { name: 'Copy key' })).toBeVisible();
});

test('a server that makes no keys says so, with the way by hand', async ({ page, instance }) => {
  await signIn(page, instance);
  const error = { code: 404, context: null, message: 'Not found.', status_code: 404, request_id: 'req-1' };
  await page.route(/system\/app\/_key/, (route) => route.fulfill({ status: 404, json: { error } }));
  await page.goto(`${instance.url}/apps`);
  await openButton(page).click();
  await submit(page);
  await expect(dialog(page)).toContainText('This server makes no keys in one step.');
  await dialog(page).getByRole('button', { name: 'Make a role and an app instead' }).click();
  await expect(page).toHaveURL(/\/apps\/create$/);
});

test('who may not make apps and roles sees no button; who may, makes a key', async ({ page, browser, instance }) => {
  const readers = { service: 'world', component: '_table/*', verb_mask: 1 };
  const system = (component: string, verb_mask: number) => ({ service: 'system', component, verb_mask });
  const reader = await makeGuest(instance, [readers]);
  await signIn(page, instance, reader);
  await page.goto(`${instance.url}/data/world/people`);
  await expect(page.getByRole('button', { name: 'API', exact: true })).toBeVisible();
  await expect(openButton(page)).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await dialog(page).getByRole('combobox').fill('create api');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await expect(page.getByRole('option', { name: 'Create API key' })).toHaveCount(0);

  const maker = await makeGuest(instance, [
    readers,
    system('', 1),
    ...['app', 'role', 'service'].flatMap((resource) => [system(resource, 31), system(`${resource}/*`, 31)]),
  ]);
  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, instance, maker);
  await other.goto(`${instance.url}/data/world/people`);
  await openButton(other).click();
  await submit(other);
  await expect(dialog(other).getByRole('button', { name: 'Copy key' })).toBeVisible();
  await context.close();
});
