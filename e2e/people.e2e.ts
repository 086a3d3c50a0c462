// Admins and Users: who is there, making and changing people, their roles per app and lookup keys, deleting them; who may not.
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';
import { openStore } from './store.ts';

const main = (page: Page) => page.getByRole('main');
const tab = (page: Page, name: string) => main(page).getByRole('link', { name, exact: true });
const row = (page: Page, email: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: email, exact: true }) });
const cells = (page: Page, email: string) => row(page, email).getByRole('cell');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const field = (page: Page, name: string) => main(page).getByRole('textbox', { name });
const confirmDelete = async (page: Page, question: string) => {
  await expect(page.getByRole('dialog')).toContainText(question);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
};

type Kind = 'admin' | 'user';
let last = 0;

async function aPerson(instance: Instance, kind: Kind = 'user', changes: Record<string, unknown> = {}) {
  const email = `someone${++last}.${Date.now()}@example.com`;
  const record = { name: `Someone ${last}`, first_name: 'Some', last_name: 'One', email, ...changes };
  const { status, body } = await instance.api('POST', `system/${kind}?fields=*`, { resource: [record] });
  expect(status).toBe(201);
  return body.resource[0] as { id: number; email: string; name: string };
}

async function aRole(instance: Instance, name: string, access: Record<string, unknown>[] = []): Promise<number> {
  const record = { name: `${name} ${Date.now()}`, is_active: true, role_service_access_by_role_id: access };
  const { status, body } = await instance.api('POST', 'system/role', { resource: [record] });
  expect(status).toBe(201);
  return body.resource[0].id;
}

const read = async (instance: Instance, kind: Kind, id: number) =>
  (
    await instance.api(
      'GET',
      `system/${kind}/${id}?related=lookup_by_user_id${kind === 'user' ? ',user_to_app_to_role_by_user_id' : ''}`,
    )
  ).body;
const findByEmail = async (instance: Instance, kind: Kind, email: string) => {
  const filter = encodeURIComponent(`email = "${email}"`);
  return (await instance.api('GET', `system/${kind}?filter=${filter}`)).body.resource[0];
};
const canSignIn = async (instance: Instance, kind: Kind, email: string, password: string) =>
  (await instance.api('POST', `${kind === 'admin' ? 'system/admin' : 'user'}/session`, { email, password })).status ===
  200;

test('PPL-002 PPL-003 X-023 without users the screen says so and leads to making one', async ({ page, instance }) => {
  // Other journeys of this instance left theirs.
  await instance.api('DELETE', 'system/user?force=true');
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expect(page.getByText('You have no Users!')).toBeVisible();
  await page.getByRole('link', { name: 'Create A User!' }).click();
  await expect(page).toHaveURL(/\/users\/create$/);
});

test('PPL-001 PPL-002 PPL-005 PPL-006 PPL-008 PPL-009 both lists have their tabs, columns and order', async ({
  page,
  instance,
}) => {
  const { email } = await aPerson(instance);
  await signIn(page, instance);
  for (const [path, title, someone] of [
    ['admins', 'Admins', 'ada@example.com'],
    ['users', 'Users', email],
  ] as const) {
    await page.goto(`${instance.url}/${path}`);
    await expect(tab(page, `Manage ${title}`)).toBeVisible();
    await expect(tab(page, 'Create')).toHaveAttribute('href', `/${path}/create`);
    await expect(main(page).getByRole('columnheader').filter({ hasText: /\w/ })).toHaveText([
      'ID',
      'Email',
      'Display Name',
      'First Name',
      'Last Name',
      'Active',
      'Registration',
    ]);
    await expect(page.getByRole('columnheader', { name: 'ID' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(cells(page, someone).last()).toBeVisible();
    await expect(row(page, someone).getByRole('checkbox')).toBeVisible();
    await expect(row(page, someone)).toContainText('Confirmed');
  }
});

test('PPL-017 PPL-018 PPL-019 PPL-020 PPL-021 PPL-037 PPL-038 PPL-039 PPL-040 PPL-056 PPL-072 a user is made with a password, a role in an app, a default app and a lookup key', async ({
  page,
  instance,
}) => {
  const roleId = await aRole(instance, 'librarian');
  const email = `made${Date.now()}@example.com`;
  await signIn(page, instance);
  await page.goto(`${instance.url}/users/create`);
  await field(page, 'Email').fill(email);
  await field(page, 'First Name').fill('Jo');
  await field(page, 'Last Name').fill('Doe');
  await field(page, 'Phone').fill('+49 1');
  await save(page);
  await expect(page.getByText('Please select email invite or set password.', { exact: true })).toBeVisible();
  await page.getByLabel('Send Email Invite').check();
  await page.getByLabel('Set Password').check();
  await save(page);
  await expect(page.getByText('Please select email invite or set password, but not both.')).toBeVisible();
  await page.getByLabel('Send Email Invite').uncheck();
  await page.getByLabel('Enter Password').fill('long enough');
  await page.getByLabel('Verify Password').fill('long enuogh');
  await save(page);
  await expect(page.getByText('Passwords do not match.').first()).toBeVisible();
  await page.getByLabel('Verify Password').fill('long enough');
  await main(page).getByRole('combobox', { name: 'Default App' }).click();
  await page.getByRole('option', { name: 'admin', exact: true }).click();

  await tab(page, 'Roles').click();
  await page.getByRole('combobox', { name: 'Role in admin' }).fill('librarian');
  await page
    .getByRole('option', { name: /^librarian/ })
    .first()
    .click();
  await tab(page, 'Lookup Keys').click();
  await page.getByRole('button', { name: 'Add lookup key' }).click();
  await page.getByLabel('Name, row 1').fill('region');
  await page.getByLabel('Value, row 1').fill('eu');

  const saving = page.waitForRequest((request) => request.method() === 'POST' && /system\/user\?/.test(request.url()));
  await save(page);
  await expect(page.getByText('User saved successfully.')).toBeVisible();
  const address = new URL((await saving).url());
  expect(Object.fromEntries(address.searchParams)).toEqual({
    fields: '*',
    related: 'user_to_app_to_role_by_user_id,lookup_by_user_id',
    send_invite: 'false',
  });
  await expect(row(page, email)).toBeVisible();
  const { id } = await findByEmail(instance, 'user', email);
  expect(await read(instance, 'user', id)).toMatchObject({
    name: 'Jo Doe',
    phone: '+49 1',
    is_active: true,
    default_app_id: 1,
    lookup_by_user_id: [{ name: 'region', value: 'eu', private: false }],
    user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: roleId }],
  });
  expect(await canSignIn(instance, 'user', email, 'long enough')).toBe(true);
});

test('PPL-022 PPL-032 PPL-033 PPL-034 PPL-035 PPL-036 PPL-057 PPL-073 a user’s role is cleared, keys are removed, private ones kept, the password is replaced', async ({
  page,
  instance,
}) => {
  const roleId = await aRole(instance, 'writer');
  const { id, email } = await aPerson(instance, 'user', {
    password: 'the old one',
    lookup_by_user_id: [
      { name: 'region', value: 'eu' },
      { name: 'secret', value: 'hush', private: true },
    ],
    user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: roleId }],
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/users/${id}/roles`);
  const picker = page.getByRole('combobox', { name: 'Role in admin' });
  await expect(picker).toHaveValue(/^writer/);
  await picker.fill('no role');
  await page.getByRole('option', { name: '-- No Role Selected --' }).click();
  await tab(page, 'Lookup Keys').click();
  await expect(page.getByLabel('Value, row 2')).toHaveValue('**********');
  await page.getByRole('button', { name: 'Add lookup key' }).click();
  await page.getByLabel('Name, row 3').fill('region');
  await expect(page.getByText('This name is not unique.')).toHaveCount(2);
  await page.getByRole('button', { name: 'Delete lookup key region' }).first().click();
  await expect(page.getByText('This name is not unique.')).toHaveCount(0);
  await page.getByLabel('Value, row 2').fill('us');
  await page.getByRole('button', { name: 'Add lookup key' }).click();
  await page.getByLabel('Name, row 3').fill('passing');
  await page.getByRole('button', { name: 'Delete lookup key passing' }).click();
  await tab(page, 'Basic').click();
  await page.getByLabel('Set Password').check();
  await page.getByLabel('Enter Password').fill('the new one');
  await page.getByLabel('Verify Password').fill('the new one');
  const saving = page.waitForRequest((request) => request.method() === 'PUT');
  await save(page);
  await expect(page.getByText('User updated successfully.')).toBeVisible();
  const body = (await saving).postDataJSON();
  expect(body.id).toBe(id);
  expect(body.user_to_app_to_role_by_user_id).toMatchObject([{ user_id: null }]);
  expect(body.lookup_by_user_id).toMatchObject([
    { name: 'region', user_id: null },
    { name: 'secret', value: '**********' },
    { name: 'region', value: 'us' },
  ]);
  const stored = await read(instance, 'user', id);
  expect(stored.user_to_app_to_role_by_user_id).toEqual([]);
  expect(
    stored.lookup_by_user_id.map(({ name, value }: { name: string; value: string }) => [name, value]).sort(),
  ).toEqual([
    ['region', 'us'],
    ['secret', '**********'],
  ]);
  expect(await canSignIn(instance, 'user', email, 'the old one')).toBe(false);
  expect(await canSignIn(instance, 'user', email, 'the new one')).toBe(true);
});

test('PPL-049 PPL-050 PPL-051 PPL-043 PPL-066 PPL-067 PPL-068 an admin is made, changed and deleted', async ({
  page,
  instance,
}) => {
  const email = `grace${Date.now()}@example.com`;
  await signIn(page, instance);
  await page.goto(`${instance.url}/admins/create`);
  await expect(tab(page, 'Roles')).toHaveCount(0);
  await field(page, 'Email').fill(email);
  await field(page, 'Display Name').fill('Grace');
  await page.getByLabel('Set Password').check();
  await page.getByLabel('Enter Password').fill('long enough');
  await page.getByLabel('Verify Password').fill('long enough');
  await save(page);
  await expect(page.getByText('Admin saved successfully.')).toBeVisible();
  expect(await canSignIn(instance, 'admin', email, 'long enough')).toBe(true);
  await row(page, email).getByRole('link').click();
  await field(page, 'Phone').fill('0123');
  await page.getByRole('button', { name: 'Save and Close' }).click();
  await expect(page.getByText('Admin updated successfully.')).toBeVisible();
  expect((await findByEmail(instance, 'admin', email)).phone).toBe('0123');
  await page.getByRole('button', { name: 'Actions for Grace' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await confirmDelete(page, 'Delete Grace?');
  await expect(page.getByText('Admin successfully deleted.')).toBeVisible();
  await expect(row(page, email)).toHaveCount(0);
});

test('PPL-044 PPL-045 PPL-052 PPL-058 PPL-059 PPL-069 PPL-075 PPL-076 people are deleted at once, all or none, never oneself', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  for (const [kind, path, things] of [
    ['admin', 'admins', 'admins'],
    ['user', 'users', 'users'],
  ] as const) {
    const people = [await aPerson(instance, kind), await aPerson(instance, kind)];
    await page.goto(`${instance.url}/${path}`);
    for (const { name } of people) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    if (kind === 'admin') {
      // All or none: with oneself among them nobody goes.
      await page.getByRole('checkbox', { name: 'Select Ada', exact: false }).check();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(page.getByRole('dialog')).toContainText('One of them is you.');
      await confirmDelete(page, 'Delete selected admins?');
      await expect(page.getByText('Cannot delete your account.').first()).toBeVisible();
      for (const { id } of people) expect((await instance.api('GET', `system/admin/${id}`)).status).toBe(200);
      await page.getByRole('checkbox', { name: 'Select Ada', exact: false }).uncheck();
    }
    const deleting = page.waitForRequest((request) => request.method() === 'DELETE');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await confirmDelete(page, `Delete selected ${things}?`);
    await expect(page.getByText(`${kind === 'admin' ? 'Admins' : 'Users'} deleted successfully.`)).toBeVisible();
    const { searchParams } = new URL((await deleting).url());
    expect(Object.fromEntries(searchParams)).toEqual({ ids: people.map(({ id }) => id).join(','), rollback: 'true' });
    for (const { id } of people) expect((await instance.api('GET', `system/${kind}/${id}`)).status).toBe(404);
  }
  const { id, name } = await aPerson(instance);
  await page.goto(`${instance.url}/users/${id}`);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await confirmDelete(page, `Delete ${name}?`);
  await expect(page.getByText('User successfully deleted.')).toBeVisible();
  expect((await instance.api('GET', `system/user/${id}`)).status).toBe(404);
});

test('PPL-012 PPL-014 PPL-015 PPL-023 PPL-060 X-010 who has not confirmed is Pending, then Expired, and can be invited again', async ({
  page,
  instance,
}) => {
  const { id, email, name } = await aPerson(instance);
  const late = await aPerson(instance);
  // Codes come with invitations, which accounts.e2e.ts has by mail: here the test writes to the store, and nothing sends.
  const store = openStore(instance);
  store.exec(`UPDATE "user" SET confirm_code = 'abc' WHERE id IN (${id}, ${late.id})`);
  store.exec(`UPDATE "user" SET last_modified_date = '2020-01-01T00:00:00.000Z' WHERE id = ${late.id}`);
  store.close();
  const { config } = (await instance.api('GET', 'system/service/7')).body;
  const noMail = { config: { ...config, invite_email_service_id: null } };
  expect((await instance.api('PATCH', 'system/service/7', noMail)).status).toBe(200);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  await expect(row(page, email)).toContainText('Pending');
  await expect(row(page, late.email)).toContainText('Expired');
  const inviting = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Send Invite' }).click();
  expect(new URL((await inviting).url()).pathname).toBe(`/api/v2/system/user/${id}`);
  expect(new URL((await inviting).url()).search).toBe('?send_invite=true');
  const refusal = page.getByRole('alert').filter({ hasText: 'No email service configured for user invite.' });
  await expect(refusal).toContainText('Users');
  await row(page, late.email).getByRole('link').click();
  await expect(page.getByRole('button', { name: 'Send Invite' })).toBeVisible();
  expect((await instance.api('PATCH', 'system/service/7', { config })).status).toBe(200);
});

test('PPL-025 PPL-026 PPL-027 PPL-028 a new person goes to the server with the defaults of the documents', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  for (const kind of ['admin', 'user']) {
    const email = `defaults.${kind}.${Date.now()}@example.com`;
    await page.goto(`${instance.url}/${kind}s/create`);
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByLabel('Set Password').check();
    await page.getByLabel('Enter Password').fill('a long enough password');
    await page.getByLabel('Verify Password').fill('a long enough password');
    const saving = page.waitForRequest(
      (request) => request.method() === 'POST' && new RegExp(`system/${kind}\\?`).test(request.url()),
    );
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const request = await saving;
    const [record] = request.postDataJSON().resource;
    expect(record).toMatchObject({ email, confirmed: false, is_active: true, user_source: 0, user_data: [] });
    expect((await request.response())?.status()).toBe(201);
    // The server works out by itself whether somebody is confirmed, and keeps no other source than its own.
    const filter = encodeURIComponent(`email = "${email}"`);
    const { body } = await instance.api('GET', `system/${kind}?filter=${filter}`);
    expect(body.resource[0]).toMatchObject({ email, is_active: true, confirmed: true });
  }
});

test('PPL-030 PPL-031 a lookup key of an administrator, a user and a role is sent with every field the documents list', async ({
  page,
  instance,
}) => {
  const admin = await aPerson(instance, 'admin');
  const user = await aPerson(instance);
  const role = await aRole(instance, 'with a key');
  const sent: [path: string, key: unknown][] = [];
  page.on('request', (request) => {
    if (!/^(PUT|PATCH)$/.test(request.method())) return;
    const body = request.postDataJSON();
    const [key] = body.lookup_by_user_id ?? body.lookup_by_role_id ?? [];
    if (key) sent.push([new URL(request.url()).pathname.replace('/api/v2/system/', ''), key]);
  });
  await signIn(page, instance);
  for (const path of [`admins/${admin.id}`, `users/${user.id}`, `roles/${role}`]) {
    await page.goto(`${instance.url}/${path}`);
    await main(page).getByRole('link', { name: 'Lookup Keys' }).click();
    await page.getByRole('button', { name: 'Add lookup key' }).click();
    await page.getByRole('textbox', { name: 'Name, row 1' }).fill('region');
    await page.getByRole('textbox', { name: 'Value, row 1' }).fill('eu');
    await save(page);
    await expect(page.getByText(/updated successfully\./)).toBeVisible();
  }
  const key = { name: 'region', value: 'eu', private: false };
  expect(sent).toEqual([
    [`admin/${admin.id}`, { ...key, allow_admin_update: false }],
    [`user/${user.id}`, { ...key, allow_user_update: false }],
    [`role/${role}`, { ...key, allow_user_update: false }],
  ]);
  expect((await read(instance, 'user', user.id)).lookup_by_user_id).toMatchObject([{ ...key, user_id: user.id }]);
});
