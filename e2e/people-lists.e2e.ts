// The lists of people: many of them, who may see them, by keyboard and on a phone.
import type { Page, Request } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const ids = (page: Page) => main(page).locator('tbody tr td:nth-child(2)');

async function people(instance: Instance, count: number, prefix: string) {
  const resource = Array.from({ length: count }, (_, index) => ({
    name: `${prefix} ${String(index).padStart(3, '0')}`,
    first_name: index % 2 ? 'Odd' : 'Even',
    last_name: `Number ${index}`,
    email: `${prefix}${index}@example.com`,
  }));
  const { status, body } = await instance.api('POST', 'system/user', { resource });
  expect(status).toBe(201);
  return body.resource.map(({ id }: { id: number }) => id) as number[];
}

const listParameters = (request: Request): Record<string, string> =>
  Object.fromEntries(new URL(request.url()).searchParams);

test('PPL-004 PPL-007 PPL-078 NAV-040 X-013 X-014 X-015 X-016 X-017 X-018 X-019 X-020 X-025 a hundred users a page, sorted and filtered by the server', async ({
  page,
  instance,
}) => {
  test.slow();
  // Other journeys of this instance left theirs.
  await instance.api('DELETE', 'system/user?force=true');
  const created = await people(instance, 101, 'many');
  await signIn(page, instance);
  const loading = page.waitForRequest((request) => /system\/user\?/.test(request.url()));
  await page.goto(`${instance.url}/users`);
  expect(Object.fromEntries(new URL((await loading).url()).searchParams)).toMatchObject({
    limit: '100',
    include_count: 'true',
  });
  await expect(ids(page)).toHaveCount(100);

  // A page that is no longer wanted is not waited for: held back, only the newest call stays open.
  const running = new Set<Request>();
  const forget = (request: Request) => running.delete(request);
  page.on('requestfailed', forget);
  page.on('requestfinished', forget);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/system/user?**', async (route) => {
    running.add(route.request());
    await held;
    // The first one is gone by now.
    await route.continue().catch(() => {});
  });
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect.poll(() => [...running].map((request) => listParameters(request).offset)).toEqual(['100']);
  await page.getByRole('button', { name: 'Display Name', exact: true }).click();
  await expect.poll(() => [...running].map((request) => listParameters(request).order)).toEqual(['name asc']);
  release();
  await expect(main(page).locator('tbody tr').first()).toContainText('many 000');
  await page.unrouteAll();

  await page.goto(`${instance.url}/users`);
  await expect(ids(page)).toHaveCount(100);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(ids(page)).toHaveCount(1);
  await main(page).locator('tbody').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  // The last page is empty now: one steps back.
  await expect(page.getByText('Users deleted successfully.')).toBeVisible();
  await expect(ids(page)).toHaveCount(100);
  await expect(page).not.toHaveURL(/page=2/);

  const names = main(page).locator('tbody tr td:nth-child(4)');
  const by = page.getByRole('button', { name: 'Display Name', exact: true });
  await by.click();
  await expect(page).toHaveURL(/order=name/);
  await expect(page.getByRole('columnheader', { name: 'Display Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(names.first()).toHaveText('many 000');
  await by.click();
  await expect(names.first()).toHaveText('many 099');

  const filtering = page.waitForRequest((request) => /filter=/.test(request.url()));
  const typed = Date.now();
  await page.getByRole('searchbox', { name: 'Filter users' }).fill('many7@');
  const filter = new URL((await filtering).url()).searchParams.get('filter');
  expect(Date.now() - typed).toBeGreaterThan(950);
  expect(filter).toBe(
    '(first_name like "%many7@%") or (last_name like "%many7@%") or (name like "%many7@%") or (email like "%many7@%")',
  );
  await expect(ids(page)).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Filter users' }).fill('nobody at all');
  await expect(page.getByText('You have no Users that match your search criteria!')).toBeVisible();
  // Other journeys of this instance look for theirs on the first page.
  const gone = await instance.api('DELETE', `system/user?ids=${created.slice(0, 100).join(',')}`);
  expect(gone.status).toBe(200);
});

test('PPL-046 PPL-047 PPL-048 X-011 X-012 who may not read all three is sent home; who may, manages users', async ({
  page,
  instance,
}) => {
  const system = (await instance.api('GET', 'system/service?filter=name%3Dsystem')).body.resource[0].id;
  const access = (component: string, verb_mask: number) => ({
    service_id: system,
    component,
    verb_mask,
    requestor_mask: 1,
  });
  const role = {
    name: `helpdesk ${Date.now()}`,
    is_active: true,
    role_service_access_by_role_id: [access('user', 1), access('user/*', 1), access('role', 1)],
  };
  const roleId = (await instance.api('POST', 'system/role', { resource: [role] })).body.resource[0].id;
  const someone = { email: `desk${Date.now()}@example.com`, password: 'desk password' };
  const guest = `Guest ${Date.now()}`;
  await instance.api('POST', 'system/user', {
    resource: [
      { ...someone, name: 'Desk', user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: roleId }] },
      { email: `guest${Date.now()}@example.com`, name: guest },
    ],
  });
  await page.goto(`${instance.url}/users`);
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, instance, someone);
  await page.goto(`${instance.url}/users`);
  await expect(page).toHaveURL(/\/home$/);
  await expect(
    page.getByText(
      'To use the Users tab your role must allow GET access to system/user, system/role, and system/app. To create, update, or delete users you need POST, PUT, DELETE access to /system/user and/or /system/user/*.',
    ),
  ).toBeVisible();

  const grant = (rows: object[]) =>
    instance.api('PUT', `system/role/${roleId}`, { role_service_access_by_role_id: rows });
  expect((await grant([access('app', 1)])).status).toBe(200);
  await page.goto(`${instance.url}/users?filter=${encodeURIComponent(guest)}`);
  await page.getByRole('button', { name: `Actions for ${guest}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(/Access Forbidden/).first()).toBeVisible();
  // Only administrators have the tab of administrators.
  await expect(page.getByRole('link', { name: 'Admins', exact: true })).toHaveCount(0);

  expect((await grant([access('user/', 31), access('user/*', 31)])).status).toBe(200);
  await page.reload();
  await page.getByRole('button', { name: `Actions for ${guest}` }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await expect(page.getByText('User updated successfully.')).toBeVisible();
  await page.getByRole('button', { name: `Actions for ${guest}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('User successfully deleted.')).toBeVisible();
});

test('PPL-064 PPL-065 a list that cannot be loaded says so and tries again', async ({ page, instance }) => {
  await people(instance, 1, 'listed');
  await signIn(page, instance);
  for (const [path, kind, tab] of [
    ['admins', 'admin', 'Admins'],
    ['users', 'user', 'Users'],
  ] as const) {
    const down = (url: URL) => url.pathname === `/api/v2/system/${kind}`;
    await page.route(down, (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: 'Down.' } } }));
    await page.goto(`${instance.url}/${path}`);
    const words = `There was an error loading data for the ${tab} tab. Please try refreshing your browser and logging in again.`;
    await expect(main(page).getByText(words)).toBeVisible();
    await page.unroute(down);
    await main(page).getByRole('button', { name: 'Try again' }).first().click();
    await expect(main(page).getByRole('table')).toBeVisible();
  }
});

test('a user is found, made and opened by keyboard alone', async ({ page, instance }) => {
  await people(instance, 3, 'key');
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(main(page).getByRole('listitem').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused();
  await page.keyboard.type('key 001');
  await expect(page.getByRole('option', { name: /key 001/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit key 001');
  await page.goto(`${instance.url}/users`);
  await expect(ids(page).first()).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Filter users' })).toBeFocused();
  await page.keyboard.type('key');
  await page.keyboard.press('Enter');
  await expect(ids(page)).toHaveCount(3);
  await page.getByRole('searchbox', { name: 'Filter users' }).press('Tab');
  for (let step = 0; step < 40; step++) {
    if (await page.evaluate(() => document.activeElement?.textContent === 'key0@example.com')) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit key 001');
  const phone = main(page).getByRole('textbox', { name: 'Phone' });
  await expect(phone).toBeVisible();
  for (let step = 0; step < 40; step++) {
    if (await phone.evaluate((input) => input === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('0123');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('User updated successfully.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/users/);
});

test('on a phone a user is shut out from the list', async ({ page, instance }) => {
  const [id] = await people(instance, 1, 'phone');
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, instance);
  await page.goto(`${instance.url}/users?filter=phone`);
  await page.getByRole('button', { name: 'Actions for phone 000' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await expect(page.getByText('User updated successfully.')).toBeVisible();
  expect((await instance.api('GET', `system/user/${id}`)).body.is_active).toBe(false);
});

test('PPL-013 PPL-016 a confirmed address reads Confirmed, and N/A where the server does not say', async ({
  page,
  instance,
}) => {
  await people(instance, 2, 'state');
  // Older servers leave it out.
  await page.route('**/system/user?*', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const row of body.resource) if (row.email === 'state1@example.com') delete row.confirmed;
    await route.fulfill({ response, json: body });
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/users?filter=state`);
  const row = (email: string) => main(page).getByRole('row').filter({ hasText: email });
  await expect(row('state0@example.com')).toContainText('Confirmed');
  await expect(row('state1@example.com')).toContainText('N/A');
});

test('PPL-063 the tab of users reads users, roles and apps', async ({ page, instance }) => {
  await people(instance, 1, 'tab');
  const calls: string[] = [];
  await page.route('**/api/v2/system/**', (route) => {
    calls.push(new URL(route.request().url()).pathname);
    return route.continue();
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  await expect(page.getByRole('searchbox', { name: 'Filter users' })).toBeVisible();
  for (const resource of ['user', 'role', 'app'])
    await expect.poll(() => calls).toContain(`/api/v2/system/${resource}`);
});
