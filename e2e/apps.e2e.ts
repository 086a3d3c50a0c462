// Apps: made for each kind of place, called with their key, given another key and role, deleted; who may not.
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';
import { withTableAway } from './table-away.ts';

const main = (page: Page) => page.getByRole('main');
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const answer = async (page: Page, question: string, name: string) => {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(question);
  await dialog.getByRole('button', { name, exact: true }).click();
};

interface App {
  id: number;
  name: string;
  api_key: string;
  launch_url: string;
  role_id: number | null;
  lookup_by_app_id?: { name: string; value: string }[];
}

let createdCount = 0;
const unique = (name: string) => `${name}_${Date.now()}_${createdCount++}`;

async function anApp(instance: Instance, set: object = {}): Promise<App> {
  const record = { name: unique('app'), is_active: true, ...set };
  const { status, body } = await instance.api('POST', 'system/app?fields=*', { resource: [record] });
  expect(status).toBe(201);
  return body.resource[0];
}

/** A role that may read one service, and nothing else. */
async function aReader(instance: Instance, service: string): Promise<{ id: number; name: string }> {
  const { body } = await instance.api('GET', `system/service?filter=name="${service}"&fields=id`);
  const record = {
    name: unique(`reads ${service}`),
    is_active: true,
    role_service_access_by_role_id: [
      { service_id: body.resource[0].id, component: '*', verb_mask: 1, requestor_mask: 1 },
    ],
  };
  const answered = await instance.api('POST', 'system/role?fields=*', { resource: [record] });
  return answered.body.resource[0];
}

const read = async (instance: Instance, name: string): Promise<App> =>
  (await instance.api('GET', `system/app?filter=name="${name}"&related=lookup_by_app_id`)).body.resource[0];

/** The status of a call that nothing but a key stands behind. */
const callWith = async (instance: Instance, key: string, path: string) =>
  (await instance.api('GET', path, undefined, { 'X-DreamFactory-API-Key': key })).status;

test('APP-003 APP-004 APP-028 X-020 the list shows name, role and key of every app, and opens the page of one', async ({
  page,
  context,
  instance,
}) => {
  const role = await aReader(instance, 'db');
  const shop = await anApp(instance, { type: 2, url: `${instance.url}/console.json`, role_id: role.id });
  const idle = await anApp(instance, { type: 3, path: 'idle', is_active: false });
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps`);
  const heads = main(page).getByRole('columnheader');
  await expect(heads.filter({ hasText: /\w/ })).toHaveText(['ID', 'Name', 'Role', 'API Key', 'Description', 'Active']);
  await expect(main(page).getByRole('link', { name: 'Manage Applications' })).toBeVisible();
  await expect(row(page, shop.name)).toContainText(role.name);
  await expect(row(page, shop.name)).not.toContainText(shop.api_key);
  await page.getByRole('button', { name: `Show the API key of ${shop.name}` }).click();
  await expect(row(page, shop.name)).toContainText(shop.api_key);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: `Launch ${shop.name}` }).click();
  await expect(await opened).toHaveURL(shop.launch_url);
  await expect(page.getByRole('button', { name: `Launch ${idle.name}` })).toBeDisabled();
});

test('APP-002 a list without an app says so, and leads to the form', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.route('**/api/v2/system/app?**', (route) => route.fulfill({ json: { resource: [], meta: { count: 0 } } }));
  await page.goto(`${instance.url}/apps`);
  await expect(main(page).getByText('You have no Apps!')).toBeVisible();
  await main(page).getByRole('link', { name: 'Create An App!' }).click();
  await expect(page).toHaveURL(/\/apps\/create$/);
});

test('APP-025 APP-032 APP-042 the tab reads apps by the hundred, roles and services; a table that cannot be read is said in the words of the documents', async ({
  page,
  instance,
}) => {
  const { name } = await anApp(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('link', { name: 'Apps', exact: true })).toBeVisible();
  const called: URL[] = [];
  page.on('request', (request) => void called.push(new URL(request.url())));
  await withTableAway(instance, 'app', async () => {
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    const words =
      'There was an error loading data for the Apps tab. Please try refreshing your browser and logging in again.';
    await expect(main(page).getByRole('heading', { name: words })).toBeVisible();
  });
  await main(page).getByRole('button', { name: 'Try again' }).click();
  await expect(row(page, name)).toBeVisible();
  const limits = (path: string) =>
    called
      .filter(({ pathname }) => pathname === `/api/v2/system/${path}`)
      .map(({ searchParams }) => searchParams.get('limit'));
  expect(limits('app')).toEqual(expect.arrayContaining(['100']));
  for (const path of ['role', 'service']) expect([path, limits(path).length > 0]).toEqual([path, true]);
});

test('APP-009 an app has each of its fields, and its role by its relation', async ({ instance }) => {
  const role = await aReader(instance, 'db');
  const { body: files } = await instance.api('GET', 'system/service?filter=name=files&fields=id');
  const fields = {
    ...{ description: 'All of them', type: 1, storage_service_id: files.resource[0].id, storage_container: 'apps' },
    ...{ path: 'till/index.html', role_id: role.id, is_active: true },
  };
  const { id, name } = await anApp(instance, fields);
  const { body } = await instance.api('GET', `system/app/${id}?related=role_by_role_id`);
  expect(body).toMatchObject({ id, name, ...fields, role_by_role_id: { id: role.id, name: role.name } });
  expect([typeof body.api_key, body.url]).toEqual(['string', null]);
  expect(body.launch_url).toContain('till/index.html');
});

test('APP-020 apps are made, changed and deleted by roles with POST, PUT and DELETE on system/app alone', async ({
  instance,
}) => {
  const { body: services } = await instance.api('GET', 'system/service?filter=name=system&fields=id');
  const keyFor = async (verb_mask: number) => {
    const access = [{ service_id: services.resource[0].id, component: 'app/*', verb_mask, requestor_mask: 1 }];
    const { body } = await instance.api('POST', 'system/role?fields=*', {
      resource: [{ name: unique('keeper'), is_active: true, role_service_access_by_role_id: access }],
    });
    return (await anApp(instance, { role_id: body.resource[0].id })).api_key;
  };
  const all = { GET: 1, POST: 2, PUT: 4, PATCH: 8, DELETE: 16 };
  const call = async (key: string, verb: keyof typeof all) => {
    const { id, name } = await anApp(instance);
    const record = { name: verb === 'POST' ? unique('made') : name, is_active: false };
    const path = verb === 'POST' ? 'system/app' : `system/app/${id}`;
    const body = verb === 'POST' ? { resource: [record] } : verb === 'DELETE' ? undefined : record;
    return (await instance.api(verb, path, body, { 'X-DreamFactory-API-Key': key })).status;
  };
  for (const verb of ['POST', 'PUT', 'DELETE'] as const) {
    expect([verb, await call(await keyFor(31 - all[verb]), verb)]).toEqual([verb, 401]);
    expect([verb, await call(await keyFor(all[verb]), verb)]).toEqual([verb, verb === 'POST' ? 201 : 200]);
  }
});

test('APP-007 APP-012 APP-014 APP-015 APP-022 APP-036 apps are made without pages, at an address and on this server', async ({
  page,
  instance,
}) => {
  const places = [
    { place: 'No Storage Required - remote device, client, or desktop.', field: null, value: '', type: 0, url: '' },
    {
      place: 'On a remote URL.',
      field: 'URL to Application',
      value: 'https://shop.example.com/start',
      type: 2,
      url: 'https://shop.example.com/start',
    },
    {
      place: 'On this web server.',
      field: 'Path to Application',
      value: 'shop/index.html',
      type: 3,
      url: `${instance.url}/shop/index.html`,
    },
  ];
  await signIn(page, instance);
  for (const { place, field, value, type, url } of places) {
    const name = unique('made');
    await page.goto(`${instance.url}/apps`);
    await main(page).getByRole('link', { name: 'Create', exact: true }).click();
    await page.getByRole('textbox', { name: 'Application Name' }).fill(name);
    await page.getByRole('radio', { name: place }).check();
    if (field) await page.getByLabel(field).and(page.locator('input')).fill(value);
    const saving = page.waitForRequest((request) => request.method() === 'POST' && /system\/app\?/.test(request.url()));
    await save(page);
    await expect(page.getByText(`${name} saved successfully.`)).toBeVisible();
    const { searchParams } = new URL((await saving).url());
    expect(searchParams.get('fields')).toBe('*');
    expect(searchParams.get('related')?.split(',')).toContain('role_by_role_id');
    expect(await read(instance, name)).toMatchObject({ type, launch_url: url, is_active: false });
    await expect(row(page, name)).toBeVisible();
  }
});

test('APP-010 APP-011 APP-013 APP-016 an app is kept in the local file service, with its folder and its page', async ({
  page,
  instance,
}) => {
  const name = unique('stored');
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps/create`);
  await page.getByRole('textbox', { name: 'Application Name' }).fill(name);
  await page.getByRole('radio', { name: 'On a provisioned file storage service.' }).check();
  await expect(page.getByRole('combobox', { name: 'Storage Service' })).toHaveValue('Local File Storage');
  await expect(page.getByRole('textbox', { name: 'Storage Folder' })).toHaveValue('applications');
  await expect(page.getByRole('textbox', { name: 'Launch Path' })).toHaveValue('index.html');
  await save(page);
  await expect(page.getByText(`${name} saved successfully.`)).toBeVisible();
  const stored = { type: 1, storage_service_id: 3, storage_container: 'applications', path: 'index.html' };
  expect(await read(instance, name)).toMatchObject(stored);
});

test('APP-005 APP-037 C-APP-05 a default role, and its change, count from the next call with the key', async ({
  page,
  instance,
}) => {
  const [db, world] = [await aReader(instance, 'db'), await aReader(instance, 'world')];
  const app = await anApp(instance);
  const may = async () => [
    await callWith(instance, app.api_key, 'db/_table'),
    await callWith(instance, app.api_key, 'world/_table'),
  ];
  expect(await may()).not.toContain(200);
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps`);
  await row(page, app.name).getByRole('link', { name: app.name, exact: true }).click();
  const picker = page.getByRole('combobox', { name: 'Assign a Default Role' });
  for (const [role, expected] of [
    [db, [200, 401]],
    [world, [401, 200]],
  ] as const) {
    await picker.fill(role.name);
    await page.getByRole('option', { name: role.name }).click();
    await save(page);
    await expect(page.getByText(`${app.name} updated successfully.`).first()).toBeVisible();
    await expect.poll(may).toEqual(expected);
  }
  await expect(main(page).locator('pre')).toContainText(`X-DreamFactory-API-Key: ${app.api_key}`);
  await expect(main(page).locator('pre')).not.toContainText('Session-Token');
});

test('a new key is made after a question; from the next call on the old one is refused', async ({ page, instance }) => {
  const role = await aReader(instance, 'db');
  const app = await anApp(instance, { role_id: role.id });
  expect(await callWith(instance, app.api_key, 'db/_table')).toBe(200);
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps/${app.id}`);
  await page.getByRole('textbox', { name: 'Description' }).fill('typed before');
  await page.getByRole('button', { name: 'New key…' }).click();
  await answer(page, 'stops working at once', 'Cancel');
  expect((await read(instance, app.name)).api_key).toBe(app.api_key);
  await page.getByRole('button', { name: 'New key…' }).click();
  await answer(page, `Make a new API key for ${app.name}?`, 'Make a new key');
  await expect(page.getByText(`${app.name} has a new API key.`)).toBeVisible();
  const { api_key } = await read(instance, app.name);
  expect(api_key).not.toBe(app.api_key);
  expect(await callWith(instance, app.api_key, 'db/_table')).toBe(400);
  expect(await callWith(instance, api_key, 'db/_table')).toBe(200);
  await expect(main(page).getByText(api_key, { exact: true })).toBeVisible();
  // What was typed meanwhile is saved on top of the new key, with no talk of someone else's change.
  await save(page);
  await expect(page.getByText(`${app.name} updated successfully.`)).toBeVisible();
  expect((await instance.api('GET', `system/app/${app.id}`)).body).toMatchObject({
    description: 'typed before',
    api_key,
  });
});

test('lookup keys of an app are kept with it', async ({ page, instance }) => {
  const app = await anApp(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps/${app.id}`);
  await main(page).getByRole('link', { name: 'Lookup Keys' }).click();
  await page.getByRole('button', { name: 'Add lookup key' }).click();
  await page.getByRole('textbox', { name: 'Name, row 1' }).fill('region');
  await page.getByRole('textbox', { name: 'Value, row 1' }).fill('eu');
  await save(page);
  await expect(page.getByText(`${app.name} updated successfully.`)).toBeVisible();
  expect((await read(instance, app.name)).lookup_by_app_id).toMatchObject([{ name: 'region', value: 'eu' }]);
});

test('APP-006 APP-023 APP-033 APP-038 one app is deleted after a question, and its key is refused', async ({
  page,
  instance,
}) => {
  const role = await aReader(instance, 'db');
  const app = await anApp(instance, { role_id: role.id });
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps`);
  await expect(row(page, 'admin').getByRole('checkbox')).toHaveCount(0);
  const deleting = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.getByRole('button', { name: `Actions for ${app.name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await answer(page, `Delete ${app.name}?`, 'Delete');
  await expect(page.getByText('App successfully deleted.')).toBeVisible();
  const { searchParams } = new URL((await deleting).url());
  expect(Object.fromEntries(searchParams)).toEqual({
    fields: '*',
    related: 'role_by_role_id',
    delete_storage: 'false',
  });
  expect((await instance.api('GET', `system/app/${app.id}`)).status).toBe(404);
  expect(await callWith(instance, app.api_key, 'db/_table')).toBe(400);
});

test('APP-035 the files of an app that is deleted go with it when that is wanted, and stay when the question is cancelled', async ({
  page,
  instance,
}) => {
  const folders = { 'Delete the files': unique('gone'), Cancel: unique('kept') };
  const apps = new Map<string, App>();
  for (const [choice, folder] of Object.entries(folders)) {
    expect((await instance.api('POST', `files/${folder}/`)).status).toBe(201);
    expect((await instance.api('POST', `files/${folder}/index.html`, '<p>')).status).toBe(201);
    const place = { type: 1, storage_service_id: 3, storage_container: folder, path: 'index.html' };
    apps.set(choice, await anApp(instance, place));
  }
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps`);
  for (const [choice, { name }] of apps) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await answer(page, `Delete ${name}?`, 'Delete');
    await answer(page, 'Delete application files? Pressing cancel will retain the files in storage.', choice);
    await expect(row(page, name)).toHaveCount(0);
  }
  const status = async (folder: string) => (await instance.api('GET', `files/${folder}/index.html`)).status;
  expect([await status(folders['Delete the files']), await status(folders.Cancel)]).toEqual([404, 200]);
});

test('APP-024 APP-034 APP-039 several are deleted at once, all or none', async ({ page, instance }) => {
  const apps = [await anApp(instance), await anApp(instance)];
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps`);
  for (const { name } of apps) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const deleting = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await answer(page, 'Delete selected apps?', 'Delete');
  await expect(page.getByText('Apps deleted successfully.')).toBeVisible();
  const { searchParams } = new URL((await deleting).url());
  expect(searchParams.get('ids')?.split(',').map(Number).sort()).toEqual(apps.map(({ id }) => id).sort());
  expect([searchParams.get('rollback'), searchParams.get('fields'), searchParams.get('delete_storage')]).toEqual([
    'true',
    '*',
    'false',
  ]);
  for (const { name } of apps) await expect(row(page, name)).toHaveCount(0);
});

test('APP-041 leaving with changes asks, and stays when told so', async ({ page, instance }) => {
  const app = await anApp(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/apps/${app.id}`);
  await page.getByRole('textbox', { name: 'Description' }).fill('changed');
  await page.keyboard.press('Escape');
  await answer(page, 'Continue without saving?', 'Stay here');
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('changed');
});

test('APP-019 APP-021 without the permission a message says which is missing, and leads to /home', async ({
  page,
  instance,
}) => {
  const role = await aReader(instance, 'db');
  const someone = { email: `${unique('guest')}@example.com`, password: 'guest password' };
  await instance.api('POST', 'system/user', {
    resource: [{ ...someone, name: 'Guest', user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: role.id }] }],
  });
  await signIn(page, instance, someone);
  await page.goto(`${instance.url}/apps`);
  await expect(page).toHaveURL(/\/home$/);
  await expect(
    page.getByText(
      /To use the Apps tab your role must allow GET access to system\/app, system\/role, and system\/service/,
    ),
  ).toBeVisible();
});
