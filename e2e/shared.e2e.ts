// What screens have in common: messages, editors, the code editor.
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const toasts = (page: Page) => page.getByRole('region', { name: 'Notices' });
const box = (page: Page, name: string) => main(page).getByRole('textbox', { name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const unique = (name: string) => `${name} ${Date.now()}`;

test('X-005 X-006 X-009 what the server refuses is a toast of three seconds, with words of ours where it has none', async ({
  page,
  instance,
}) => {
  const name = unique('twice');
  await instance.api('POST', 'system/role', { resource: [{ name, is_active: true }] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/create`);
  await box(page, 'Name').fill(name);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const [act, words] of [
    [async () => {}, 'The name has already been taken.'],
    // What a proxy says when it has nobody behind it.
    [
      () => page.route('**/system/role?**', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' })),
      'The server returned an unknown error.',
    ],
  ] as const) {
    await act();
    await press(page, 'Save');
    const toast = toasts(page).getByRole('alert');
    // The clock stands still but for these steps, however long the machine takes for them.
    await expect(async () => {
      await page.clock.runFor(10);
      await expect(toast).toContainText(words, { timeout: 250 });
    }).toPass();
    await page.mouse.move(0, 0);
    await page.clock.runFor(2800);
    await expect(toast).toContainText(words);
    await page.clock.runFor(300);
    await expect(toast).toHaveCount(0);
  }
});

test('X-024 NAV-043 an editor makes or changes, says so by name, closes, and its section is back at its list', async ({
  page,
  instance,
}) => {
  const tab = (name: string) => main(page).getByRole('link', { name, exact: true });
  const title = main(page).getByRole('heading', { level: 1 });
  const name = unique('till');
  const expectClosed = async (path: string, manage: string) => {
    await expect(page).toHaveURL(instance.url + path);
    await expect(tab(manage)).toHaveAttribute('aria-current', 'page');
    await expect(tab('Create')).not.toHaveAttribute('aria-current');
  };
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles`);
  await tab('Create').click();
  await expect(title).toHaveText('Create Role');
  await tab('Service Access').click();
  await press(page, 'Close');
  await expectClosed('/roles', 'Manage Roles');
  await tab('Create').click();
  await expect(tab('Basic')).toHaveAttribute('aria-current', 'page');
  await box(page, 'Name').fill(name);
  await tab('Lookup Keys').click();
  await press(page, 'Save');
  await expect(toasts(page)).toContainText('Role saved successfully.');
  await expectClosed('/roles', 'Manage Roles');
  await main(page).getByRole('link', { name, exact: true }).click();
  await expect(title).toHaveText(`Edit ${name}`);
  await expect(tab('Basic')).toHaveAttribute('aria-current', 'page');
  await box(page, 'Description').fill('Changed');
  await press(page, 'Save and Close');
  await expect(toasts(page)).toContainText('Role updated successfully.');
  await expectClosed('/roles', 'Manage Roles');

  await page.goto(`${instance.url}/apps`);
  await tab('Create').click();
  await expect(title).toHaveText('Create Application');
  await box(page, 'Application Name').fill(name);
  await press(page, 'Save');
  await expect(toasts(page)).toContainText(`${name} saved successfully.`);
  await expectClosed('/apps', 'Manage Applications');
  await main(page).getByRole('link', { name, exact: true }).click();
  await expect(title).toHaveText(`Edit ${name}`);
  await box(page, 'Description').fill('Changed');
  await press(page, 'Save and Close');
  await expect(toasts(page)).toContainText(`${name} updated successfully.`);
  await expectClosed('/apps', 'Manage Applications');

  for (const [path, resource, thing] of [
    ['/admins', 'admin', 'Admin'],
    ['/users', 'user', 'User'],
    ['/services', 'service', 'Service'],
  ] as const) {
    if (resource === 'user')
      await instance.api('POST', 'system/user', { resource: [{ name, email: `edited${Date.now()}@example.com` }] });
    const { body } = await instance.api('GET', `system/${resource}?fields=id,name,label&limit=1&order=id%20desc`);
    const [record] = body.resource;
    await page.goto(`${instance.url}${path}/create`);
    await expect(title).toHaveText(`Create ${thing}`);
    await page.goto(`${instance.url}${path}/${record.id}`);
    await expect(title).toHaveText(`Edit ${record.label ?? record.name}`);
  }
});

test('NAV-041 code is written in one editor, wherever there is code', async ({ page, instance }) => {
  await signIn(page, instance);
  for (const [path, label, code] of [
    ['/config/email-templates', 'HTML body', '<p class="hello">Hi</p>'],
    ['/schema/db?make=upload', 'Schema JSON', '{ "resource": [] }'],
  ] as const) {
    await page.goto(instance.url + path);
    if (path.startsWith('/config')) await page.getByRole('link', { name: 'New', exact: true }).click();
    const editor = page.getByRole('textbox', { name: label });
    await expect(editor).toHaveAttribute('contenteditable', 'true');
    await editor.fill(code);
    await expect(editor).toContainText(code);
    await expect(main(page).locator('.cm-lineNumbers')).toHaveCount(1);
  }
  // JSON is a language it colours.
  await expect.poll(() => main(page).locator('.cm-line span[class]').count()).toBeGreaterThan(1);
});
