// Roles: what a role may do is said by its form, row by row, and counts from the next call on.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';
import { withTableAway } from './table-away.ts';

const main = (page: Page) => page.getByRole('main');
const tab = (page: Page, name: string | RegExp) => main(page).getByRole('link', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const opened = (page: Page) => main(page).locator('li[data-open]');
const related = 'role_service_access_by_role_id,lookup_by_role_id';

/** A database service with a table of contacts, who belong to owners. */
async function contacts(instance: Instance): Promise<{ id: number; name: string }> {
  const name = `crm_${Date.now()}`;
  const database = new DatabaseSync(join(instance.dataFolder, 'db', `${name}.sqlite`));
  database.exec(`create table contact (id integer primary key, name text, owner integer);
    create table note (id integer primary key, words text);
    insert into contact (name, owner) values ('of one', 1001), ('of two', 1002), ('of nobody', null);`);
  database.close();
  const record = { name, label: 'Customers', type: 'sqlite', is_active: true, config: { database: `${name}.sqlite` } };
  const { status, body } = await instance.api('POST', 'system/service', { resource: [record] });
  expect(status).toBe(201);
  return { id: body.resource[0].id, name };
}

async function aRole(instance: Instance, role: Record<string, unknown>): Promise<{ id: number; name: string }> {
  const name = `role ${Date.now()} ${Math.round(performance.now())}`;
  const { status, body } = await instance.api('POST', 'system/role', {
    resource: [{ name, is_active: true, ...role }],
  });
  expect(status).toBe(201);
  return { id: body.resource[0].id, name };
}

const stored = async (instance: Instance, id: number) =>
  (await instance.api('GET', `system/role/${id}?related=${related}`)).body;

/** Chooses from a menu whose input has this label. */
async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  const input = opened(page).getByRole('combobox', { name: label, exact: true });
  await input.click();
  await opened(page).getByRole('option', { name: option, exact: true }).click();
}

async function chooseVerbs(page: Page, ...verbs: string[]): Promise<void> {
  await opened(page)
    .getByRole('button', { name: /^Access:/ })
    .click();
  for (const verb of verbs)
    await opened(page)
      .getByRole('menuitemcheckbox', { name: new RegExp(`^${verb} `) })
      .click();
  await page.keyboard.press('Escape');
}

test('ROL-002 without any role the screen says so, and its button leads to the form', async ({ page, instance }) => {
  await instance.api('DELETE', 'system/role?force=true');
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await page.getByRole('link', { name: 'Roles', exact: true }).click();
  await expect(main(page).getByText('You have no Roles!')).toBeVisible();
  await main(page).getByRole('link', { name: 'Create A Role!' }).click();
  await expect(page).toHaveURL(/\/roles\/create$/);
});

test('ROL-026 ROL-032 ROL-039 the tab reads all roles and the services with their types; a table that cannot be read is said in the words of the documents', async ({
  page,
  instance,
}) => {
  const { name } = await aRole(instance, {});
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('link', { name: 'Roles', exact: true })).toBeVisible();
  await withTableAway(instance, 'role', async () => {
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    const words =
      'There was an error loading data for the Roles tab. Please try refreshing your browser and logging in again.';
    await expect(main(page).getByRole('heading', { name: words })).toBeVisible();
  });
  const reading = page.waitForRequest((request) => request.url().includes('/system/role?'));
  await main(page).getByRole('button', { name: 'Try again' }).click();
  expect(new URL((await reading).url()).searchParams.get('limit')).toBe('10000');
  await expect(main(page).getByRole('link', { name, exact: true })).toBeVisible();

  // Read with the tab: the editor that is opened next has services and types without a call.
  const answers: Promise<{ services: object[]; service_types: object[] }>[] = [];
  page.on('response', (response) => {
    if (/^\/api\/v2\/?$/.test(new URL(response.url()).pathname)) answers.push(response.json());
  });
  await page.goto(`${instance.url}/home`);
  await page.getByRole('link', { name: 'Roles', exact: true }).click();
  await expect(main(page).getByRole('link', { name, exact: true })).toBeVisible();
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  const { services, service_types: types } = (await answers[0]) as { services: object[]; service_types: object[] };
  expect([services.length > 0, types.length > 0]).toEqual([true, true]);
});

test('ROL-005 a role keeps each of its fields, and is inactive unless it says otherwise', async ({ instance }) => {
  const service = await contacts(instance);
  const role = {
    name: `fields ${Date.now()}`,
    description: 'All of them',
    role_service_access_by_role_id: [
      { service_id: service.id, component: '_table/contact/*', verb_mask: 1, requestor_mask: 3 },
    ],
    lookup_by_role_id: [{ name: 'region', value: 'eu' }],
  };
  // Roles of this level keep no default app: one that is sent is taken and has no effect.
  const { status, body } = await instance.api('POST', 'system/role', { resource: [{ ...role, default_app_id: 1 }] });
  expect(status).toBe(201);
  const { id } = body.resource[0];
  expect(await stored(instance, id)).toMatchObject({
    ...role,
    id,
    is_active: false,
    role_service_access_by_role_id: [expect.objectContaining(role.role_service_access_by_role_id[0] as object)],
    lookup_by_role_id: [expect.objectContaining({ name: 'region', value: 'eu', role_id: id })],
  });
});

test('ROL-001 ROL-003 ROL-004 ROL-006 ROL-009 ROL-015 ROL-016 ROL-017 ROL-022 ROL-027 ROL-031 ROL-034 a role is made on a real database and read back', async ({
  page,
  instance,
}) => {
  const { id: serviceId, name: service } = await contacts(instance);
  const name = `clerk ${Date.now()}`;
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/create`);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Description' }).fill('Keeps contacts');
  await expect(page.getByRole('switch', { name: 'Active' })).not.toBeChecked();

  await tab(page, 'Service Access').click();
  await page.getByRole('button', { name: 'Add a row' }).click();
  const listing = page.waitForRequest((request) => request.url().includes(`${service}/?as_access_list=true`));
  await choose(page, 'Service', `${service} – Customers`);
  await listing;
  await choose(page, 'Component', '_table/contact/*');
  await chooseVerbs(page, 'GET', 'POST');
  await opened(page).getByRole('button', { name: 'Show' }).click();
  await choose(page, 'Field, filter 1', 'owner');
  await opened(page).getByRole('textbox', { name: 'Value, filter 1' }).fill('{user.id}');
  await opened(page).getByRole('button', { name: 'Add a filter' }).click();
  await choose(page, 'Field, filter 2', 'name');
  await choose(page, 'Operator, filter 2', 'is null');
  await opened(page).getByRole('button', { name: 'Joined by AND' }).click();
  await expect(
    main(page).getByText(
      `May read and create in contact of ${service}, API only; only records where owner = {user.id} or name is null.`,
    ),
  ).toBeVisible();

  await tab(page, 'Lookup Keys').click();
  await page.getByRole('button', { name: 'Add lookup key' }).click();
  await page.keyboard.type('region');
  await page.getByRole('textbox', { name: 'Value, row 1' }).fill('eu');
  const saving = page.waitForRequest((request) => request.method() === 'POST' && /system\/role\?/.test(request.url()));
  await save(page);
  await expect(page.getByText('Role saved successfully.')).toBeVisible();
  const { searchParams } = new URL((await saving).url());
  expect([searchParams.get('fields'), searchParams.get('related')]).toEqual(['*', related]);

  await expect(page).toHaveURL(/\/roles$/);
  const heads = main(page).getByRole('columnheader');
  await expect(heads.filter({ hasText: /\w/ })).toHaveText(['Id', 'Name', 'Description', 'Active']);
  await main(page).getByRole('link', { name, exact: true }).click();
  await tab(page, 'Service Access').click();
  await main(page)
    .getByRole('button', { name: new RegExp(`^${service}`) })
    .click();
  await expect(opened(page).getByRole('combobox', { name: 'Component' })).toHaveValue('_table/contact/*');
  await expect(opened(page).getByRole('textbox', { name: 'Value, filter 1' })).toHaveValue('{user.id}');
  await expect(opened(page).getByRole('button', { name: 'Joined by OR' })).toBeVisible();
  const id = Number(/\/roles\/(\d+)/.exec(page.url())?.[1]);
  expect(await stored(instance, id)).toMatchObject({
    name,
    description: 'Keeps contacts',
    is_active: false,
    role_service_access_by_role_id: [
      {
        role_id: id,
        service_id: serviceId,
        component: '_table/contact/*',
        verb_mask: 3,
        requestor_mask: 1,
        filters: [
          { name: 'owner', operator: '=', value: '{user.id}' },
          { name: 'name', operator: 'is null', value: null },
        ],
        filter_op: 'OR',
      },
    ],
    lookup_by_role_id: [{ name: 'region', value: 'eu', private: false }],
  });
});

test('ROL-010 ROL-011 ROL-012 ROL-013 ROL-014 ROL-018 ROL-020 a new row begins for all services, with nothing allowed', async ({
  page,
  instance,
}) => {
  const { id } = await aRole(instance, {});
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${id}/access`);
  await expect(main(page).getByText('No service access for this role.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a row' }).click();
  await expect(opened(page).getByRole('combobox', { name: 'Service' })).toHaveValue('All');
  await expect(opened(page).getByRole('combobox', { name: 'Service' })).toBeFocused();
  await opened(page).getByRole('combobox', { name: 'Component' }).click();
  await expect(opened(page).getByRole('option')).toHaveText(['(the service itself)', '*']);
  await page.keyboard.press('Escape');
  await expect(opened(page).getByText('Advanced Filters: N/A.')).toBeVisible();
  await choose(page, 'Service', /^db – /);
  await expect(opened(page).getByText('Advanced Filters (0)')).toBeVisible();
  await choose(page, 'Service', 'All');
  await opened(page).getByRole('checkbox', { name: 'SCRIPT' }).check();
  await save(page);
  await expect(page.getByText('Role updated successfully.')).toBeVisible();
  const [row] = (await stored(instance, id)).role_service_access_by_role_id;
  expect(row).toMatchObject({
    service_id: null,
    component: '*',
    verb_mask: 0,
    requestor_mask: 3,
    filters: [],
    filter_op: 'AND',
  });
});

test('ROL-019 ROL-024 ROL-025 ROL-035 only rows that were changed or removed are sent; the others stay', async ({
  page,
  instance,
}) => {
  const rows = ['a', 'b', 'c'].map((name) => ({ service_id: 5, component: `_table/${name}/*`, verb_mask: 1 }));
  const role = await aRole(instance, {
    role_service_access_by_role_id: rows.map((row) => ({ ...row, requestor_mask: 1 })),
    lookup_by_role_id: [
      { name: 'kept', value: '1' },
      { name: 'gone', value: '2' },
    ],
  });
  const before = await stored(instance, role.id);
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${role.id}/access`);
  await main(page)
    .getByRole('button', { name: /^db.*_table\/b\/\*/ })
    .click();
  await chooseVerbs(page, 'DELETE');
  await page.getByRole('button', { name: 'Remove db _table/c/*' }).click();
  await tab(page, 'Lookup Keys').click();
  await page.getByRole('button', { name: 'Delete lookup key gone' }).click();
  const saving = page.waitForRequest((request) => request.method() === 'PUT');
  await save(page);
  await expect(page.getByText('Role updated successfully.')).toBeVisible();
  const ids = before.role_service_access_by_role_id.map((row: { id: number }) => row.id);
  expect((await saving).postDataJSON().role_service_access_by_role_id).toMatchObject([
    { id: ids[1], verb_mask: 17 },
    { id: ids[2], role_id: null },
  ]);
  const after = await stored(instance, role.id);
  expect(after.role_service_access_by_role_id).toMatchObject([
    before.role_service_access_by_role_id[0],
    { id: ids[1], component: '_table/b/*', verb_mask: 17 },
  ]);
  expect(after.role_service_access_by_role_id).toHaveLength(2);
  expect(after.lookup_by_role_id.map((each: { name: string }) => each.name)).toEqual(['kept']);
  // What was saved is where the next change begins.
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
});

test('ROL-021 ROL-023 what is wrong stands beside the field and on its tab, and nothing is sent', async ({
  page,
  instance,
}) => {
  const requests: string[] = [];
  page.on(
    'request',
    (request) => request.method() === 'POST' && /system\/role/.test(request.url()) && requests.push('!'),
  );
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/create/lookups`);
  for (const value of ['1', '2']) {
    await page.getByRole('button', { name: 'Add lookup key' }).click();
    await page.keyboard.type('twice');
    await page.getByRole('textbox', { name: `Value, row ${value}` }).fill(value);
  }
  await tab(page, 'Service Access').click();
  await page.getByRole('button', { name: 'Add a row' }).click();
  await choose(page, 'Service', /^db – /);
  await opened(page).getByRole('button', { name: 'Show' }).click();
  await save(page);
  await expect(tab(page, 'Basic (1)')).toBeVisible();
  await expect(tab(page, 'Service Access (1)')).toBeVisible();
  await expect(tab(page, 'Lookup Keys (2)')).toBeVisible();
  await expect(opened(page).getByText('Field is required.')).toBeVisible();
  await tab(page, 'Basic (1)').click();
  await expect(main(page).getByText('Name is required.')).toBeVisible();
  expect(requests).toEqual([]);
});

test('X-022 ROL-033 leaving with a changed row asks; a row for a service that is not there says so', async ({
  page,
  instance,
}) => {
  const { id: hidden } = await contacts(instance);
  const { id } = await aRole(instance, {
    role_service_access_by_role_id: [{ service_id: hidden, component: 'x', verb_mask: 1, requestor_mask: 1 }],
  });
  await signIn(page, instance);
  // Rows of a deleted service go with it; others name services that this person is not shown.
  await page.route(/\/api\/v2\/?(\?|$)/, async (route) => {
    const response = await route.fetch();
    const { services, ...rest } = await response.json();
    await route.fulfill({
      response,
      json: { ...rest, services: services.filter((service: { id: number }) => service.id !== hidden) },
    });
  });
  await page.goto(`${instance.url}/roles/${id}/access`);
  const gone = `Service with id "${hidden}" not found.`;
  await expect(main(page).getByText(gone)).toBeVisible();
  await main(page).getByRole('button', { name: gone, expanded: false }).click();
  await opened(page).getByRole('combobox', { name: 'Component' }).fill('y');
  await tab(page, 'Basic').click();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Continue without saving?');
  await page.getByRole('button', { name: 'Stay here' }).click();
  await tab(page, 'Service Access').click();
  await expect(main(page).getByText('changed', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('button', { name: 'Continue without saving' }).click();
  await expect(page).toHaveURL(/\/home$/);
  // Home is still reading.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('ROL-028 ROL-029 ROL-036 ROL-037 ROL-038 roles are deleted one by one and together, and it is said who loses them', async ({
  page,
  instance,
}) => {
  const [one, two, three] = [await aRole(instance, {}), await aRole(instance, {}), await aRole(instance, {})];
  await instance.api('POST', 'system/app', { resource: [{ name: one.name, type: 0, role_id: one.id }] });
  await instance.api('POST', 'system/user', {
    resource: [
      {
        name: 'Loses It',
        email: `loses${Date.now()}@example.com`,
        user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: one.id }],
      },
    ],
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles`);
  await page.getByRole('button', { name: `Actions for ${one.name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`Delete ${one.name}?`);
  await expect(dialog).toContainText('1 user and 1 app will be without it from the next call on.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Role successfully deleted.')).toBeVisible();
  expect((await instance.api('GET', `system/role/${one.id}`)).status).toBe(404);

  for (const { name } of [two, three]) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const deleting = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog).toContainText('Delete selected roles?');
  await expect(dialog).toContainText('No user and no app has it.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Roles deleted successfully.')).toBeVisible();
  const { searchParams } = new URL((await deleting).url());
  expect(searchParams.get('ids')?.split(',').map(Number)).toEqual([two.id, three.id]);
  expect(searchParams.get('rollback')).toBe('true');
});

test('who is no administrator has no link to the roles, and is led away from them', async ({ page, instance }) => {
  const { id: role } = await aRole(instance, {
    role_service_access_by_role_id: [{ service_id: null, component: '*', verb_mask: 31, requestor_mask: 1 }],
  });
  const someone = { email: `limited${Date.now()}@example.com`, password: 'limited password' };
  await instance.api('POST', 'system/user', {
    resource: [{ ...someone, name: 'Limited', user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: role }] }],
  });
  await signIn(page, instance, someone);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('link', { name: 'Services', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Roles', exact: true })).toHaveCount(0);
  await page.goto(`${instance.url}/roles`);
  await expect(page).toHaveURL(/\/launchpad$/);
});

test('a role is made and a row added with the keyboard alone', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/create`);
  const name = `keys ${Date.now()}`;
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.type(name);
  const press = (key: string) => page.keyboard.press(key);
  await tab(page, 'Service Access').focus();
  await press('Enter');
  await page.getByRole('button', { name: 'Add a row' }).focus();
  await press('Enter');
  const service = opened(page).getByRole('combobox', { name: 'Service' });
  await expect(service).toBeFocused();
  await page.keyboard.type('db');
  await expect(page.getByRole('option', { name: 'db' }).first()).toBeVisible();
  await press('Enter');
  // A list that is still closing would take the next key.
  await expect(service).toHaveAttribute('aria-expanded', 'false');
  await press('Tab');
  await expect(opened(page).getByRole('combobox', { name: 'Component' })).toBeFocused();
  await press('Control+a');
  await page.keyboard.type('_table/*');
  // Enter in a field of a row saves nothing by the way.
  await press('Escape');
  await press('Enter');
  await press('Tab');
  await press('Enter');
  const get = opened(page).getByRole('menuitemcheckbox', { name: /^GET/ });
  await expect(get).toBeVisible();
  await expect
    .poll(async () => {
      await press('ArrowDown');
      return get.evaluate((item) => item === document.activeElement);
    })
    .toBe(true);
  await press('Enter');
  await expect(get).toBeChecked();
  await press('Escape');
  await expect(main(page).getByText('May read in every table of db, API only.')).toBeVisible();
  await press('Escape');
  await expect(opened(page)).toHaveCount(0);
  await press('Control+s');
  await expect(page.getByText('Role saved successfully.')).toBeVisible();
});

test('what a role may do counts on the very next call after it is saved', async ({ page, instance }) => {
  const { id: service, name } = await contacts(instance);
  const role = await aRole(instance, {
    role_service_access_by_role_id: [
      { service_id: service, component: '_table/contact/*', verb_mask: 1, requestor_mask: 1 },
    ],
  });
  const someone = { email: `effect${Date.now()}@example.com`, password: 'effect password' };
  const creation = await instance.api('POST', 'system/user', {
    resource: [{ ...someone, name: 'Effect', user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: role.id }] }],
  });
  const person = creation.body.resource[0].id;
  const key = (await instance.api('GET', 'system/app/1')).body.api_key;
  const session = await instance.api('POST', 'user/session', someone, { 'X-DreamFactory-API-Key': key });
  const headers = {
    'X-DreamFactory-API-Key': key,
    'X-DreamFactory-Session-Token': session.body.session_token,
    'Content-Type': 'application/json',
  };
  const call = async (verb: string, path: string, body?: unknown) => {
    const answer = await instance.api(verb, `${name}/_table/${path}`, body, headers);
    return [answer.status, answer.body?.resource?.length ?? answer.body?.error?.message];
  };
  const record = { resource: [{ name: 'new', owner: person }] };
  const refused = `Access Forbidden. POST access to component '_table/contact' of service '${name}' is not allowed by this user's role.`;
  expect(await call('GET', 'contact')).toEqual([200, 3]);
  expect(await call('POST', 'contact', record)).toEqual([403, refused]);
  expect((await call('GET', 'note'))[0]).toBe(403);

  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${role.id}/access`);
  await main(page)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  await chooseVerbs(page, 'POST');
  await save(page);
  await expect(page.getByText('Role updated successfully.')).toBeVisible();
  expect((await call('POST', 'contact', record))[0]).toBe(200);
  expect(await call('GET', 'contact')).toEqual([200, 4]);

  // With a filter on the row, which is still open, only the person's own record is left.
  await opened(page).getByRole('button', { name: 'Show' }).click();
  await choose(page, 'Field, filter 1', 'owner');
  await opened(page).getByRole('textbox', { name: 'Value, filter 1' }).fill('{user.id}');
  const saving = page.waitForResponse((response) => response.request().method() === 'PUT');
  await save(page);
  expect((await saving).status()).toBe(200);
  expect(await call('GET', 'contact')).toEqual([200, 1]);

  await tab(page, 'Basic').click();
  await page.getByRole('switch', { name: 'Active' }).uncheck({ force: true });
  const ending = page.waitForResponse((response) => response.request().method() === 'PUT');
  await save(page);
  expect((await ending).status()).toBe(200);
  expect((await call('GET', 'contact'))[0]).toBeGreaterThanOrEqual(401);
});

test('a row for an inactive service says so, and such a service can be chosen', async ({ page, instance }) => {
  const { id: serviceId, name: service } = await contacts(instance);
  expect((await instance.api('PATCH', `system/service/${serviceId}`, { is_active: false })).status).toBe(200);
  const rows = [{ service_id: serviceId, component: '_table/*', verb_mask: 1, requestor_mask: 1 }];
  const { id, name } = await aRole(instance, { role_service_access_by_role_id: rows });
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${id}/access`);
  const row = main(page).locator('li[data-index]').filter({ hasText: service });
  await expect(row).toContainText('inactive');
  await expect(row).toContainText(`The service ${service} is inactive: this row counts once it is active again.`);
  await expect(row).not.toContainText('not found');

  await page.getByRole('button', { name: 'Add a row' }).click();
  await choose(page, 'Service', `${service} – Customers (inactive)`);
  await chooseVerbs(page, 'GET');
  await save(page);
  await expect(page.getByText('Role updated successfully.')).toBeVisible();
  const [first, second] = (await stored(instance, id)).role_service_access_by_role_id;
  expect([name, first.service_id, second.service_id]).toEqual([name, serviceId, serviceId]);
});

test('a row that names a table which is not there says so; of a service that fails nothing is said', async ({
  page,
  instance,
}) => {
  const { id: serviceId, name: service } = await contacts(instance);
  const row = (component: string) => ({ service_id: serviceId, component, verb_mask: 1, requestor_mask: 1 });
  const components = ['_table/contact/*', '_TABLE/Note', '_table/cont*', '_schema/contact', '*', ''];
  const wrong = ['_table/contacts/*', '_schema/nothing', '_tables/contact', '_table/x*'];
  const { id } = await aRole(instance, { role_service_access_by_role_id: [...components, ...wrong].map(row) });
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${id}/access`);
  const missing = (component: string) =>
    main(page).getByText(
      `In ${service} there is nothing called “${component}”. The row matches nothing that is there now.`,
    );
  for (const component of wrong) await expect(missing(component)).toBeVisible();
  await expect(main(page).getByText('there is nothing called')).toHaveCount(wrong.length);
  // It is made, and the next look finds it.
  expect(
    (
      await instance.api('POST', `${service}/_schema`, {
        resource: [{ name: 'contacts', field: [{ name: 'id', type: 'id' }] }],
      })
    ).status,
  ).toBeLessThan(300);
  await main(page).getByRole('link', { name: 'Basic', exact: true }).click();
  await tab(page, 'Service Access').click();
  await expect(missing('_table/x*')).toBeVisible();
  await expect(missing('_table/contacts/*')).toHaveCount(0);

  // A service that does not answer.
  await page.route(new RegExp(`${service}/\\?as_access_list`), (route) =>
    route.fulfill({ status: 500, json: { error: { code: 500, message: 'It broke.', status_code: 500 } } }),
  );
  const refused = page.waitForResponse(new RegExp(`${service}/\\?as_access_list`));
  await page.reload();
  await refused;
  await expect(main(page).getByText('10 rows')).toBeVisible();
  await expect(main(page).getByText('there is nothing called')).toHaveCount(0);
});

test('rows have the numbers by which the explanation names them, and are for a requester', async ({
  page,
  instance,
}) => {
  const { id: serviceId, name: service } = await contacts(instance);
  // Rows of another role, so that the ids of rows are not their numbers.
  await aRole(instance, {
    role_service_access_by_role_id: [{ service_id: serviceId, component: '*', verb_mask: 1, requestor_mask: 1 }],
  });
  const { id } = await aRole(instance, {
    role_service_access_by_role_id: [
      { service_id: serviceId, component: '_table/note/*', verb_mask: 1, requestor_mask: 1 },
      {
        service_id: serviceId,
        component: '_table/contact/*',
        verb_mask: 1,
        requestor_mask: 1,
        filters: [{ name: 'owner', operator: '=', value: '1001' }],
      },
      { service_id: serviceId, component: '_table/*', verb_mask: 2, requestor_mask: 2 },
    ],
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${id}/access`);
  await expect(main(page).getByRole('button', { name: /_table\/contact\/\*.* Row 2$/ })).toBeVisible();
  await expect(main(page).getByText('Requester', { exact: true })).toBeVisible();

  await page.goto(`${instance.url}/roles/${id}/explain?path=${service}/_table/contact`);
  const rows = main(page).getByRole('table', { name: 'Rows of the role' });
  await expect(rows.getByRole('columnheader', { name: 'Requester' })).toBeVisible();
  const first = rows.getByRole('row').nth(1);
  await expect(first.getByRole('cell').first()).toHaveText('2');
  await expect(first).toContainText('_table/contact/*');
  await expect(main(page).getByText(/together: row 2 \('_table\/contact\/\*' of/)).toBeVisible();
  await expect(main(page).getByText('from row 2')).toBeVisible();
  await expect(main(page).getByText(/row 3 \(.*requester SCRIPT/)).toBeVisible();
  await expect(main(page).getByText(/requestor/i)).toHaveCount(0);
});
