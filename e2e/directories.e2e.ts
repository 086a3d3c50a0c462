// A directory: an administrator connects it and binds a role to a group of it; a person signs in by it and may what the role allows.
import type { Page } from '@playwright/test';
import {
  corp,
  type DirectoryServer,
  directoryMissing,
  password,
  reader,
  startDirectoryServer,
} from '../packages/testkit/src/directory-server.ts';
import { expectAccessible } from './axe.ts';
import { test as base, expect, readSession, signIn, startInstance } from './instance.ts';
import { demo } from './server.ts';

const test = base.extend<object, { directory: DirectoryServer }>({
  directory: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const directory = await startDirectoryServer();
      await use(directory);
      await directory.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const instance = await startInstance({ ...demo, SLUICE_DEMO: '' });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
test.skip(directoryMissing() !== undefined, 'slapd is not installed');

const main = (page: Page) => page.getByRole('main');
const group = `cn=Readers,ou=groups,${corp}`;

test('SES-024 SES-028 SES-042 ROL-007 ROL-008 ROL-030 a directory is connected, a role bound to a group of it, and a person of the group signs in', async ({
  page,
  instance,
  directory,
}) => {
  const made = await instance.api('POST', 'system/role', {
    resource: [
      {
        ...{ name: 'people readers', is_active: true },
        role_service_access_by_role_id: [{ service_id: 1, component: 'environment', verb_mask: 1, requestor_mask: 1 }],
      },
    ],
  });
  const role = made.body.resource[0].id;
  await page.goto(`${instance.url}/login`);
  await expect(page.getByPlaceholder('Enter Email')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Services:' })).toHaveCount(0);
  await signIn(page, instance);
  // Without a directory there is nothing to bind a role to.
  await page.goto(`${instance.url}/roles/${role}`);
  await expect(main(page).getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('people readers');
  const dn = main(page).getByRole('textbox', { name: 'DN (Distinguished Name)' });
  await expect(dn).toHaveCount(0);

  await page.goto(`${instance.url}/services/create`);
  await main(page)
    .getByRole('button', { name: /^Active Directory/ })
    .click();
  await page.getByRole('textbox', { name: 'Name' }).fill('ad');
  await page.getByRole('textbox', { name: 'Label' }).fill('Company');
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  const text = (name: string) => main(page).getByRole('textbox', { name: new RegExp(`^${name}`) });
  await text('Host').fill(`127.0.0.1:${directory.port}`);
  await text('Base DN').fill(corp);
  await text('Username').fill(reader.username);
  await text('Password').fill(reader.password);
  await main(page).getByRole('checkbox', { name: 'Map Group To Role', exact: true }).check();
  await expectAccessible(page, 'the configuration of a directory');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('It works: the connection was made.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();

  await page.goto(`${instance.url}/roles/${role}`);
  await dn.fill(group.toUpperCase());
  const saving = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saving).postDataJSON().role_adldap_by_role_id).toEqual([{ role_id: role, dn: group.toUpperCase() }]);
  await expect(page.getByText('Role updated successfully.', { exact: true }).first()).toBeVisible();
  const reading = page.waitForRequest((request) => request.url().includes('related=role_adldap_by_role_id'));
  await page.goto(`${instance.url}/roles/${role}`);
  await reading;
  await expect(dn).toHaveValue(group.toUpperCase());

  await page.context().clearCookies();
  await page.goto(`${instance.url}/login`);
  const services = page.getByRole('combobox', { name: 'Services:' });
  await expect(services.getByRole('option')).toHaveText([`-- ${new URL(instance.url).host} --`, 'Company']);
  await services.selectOption('Company');
  await expect(page.getByPlaceholder('Enter Username')).toHaveAttribute('type', 'text');
  await page.getByPlaceholder('Enter Username').fill('jo');
  await page.getByPlaceholder('Enter Password').fill('wrong');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('alert')).toContainText('Invalid username and password provided.');
  await page.getByPlaceholder('Enter Password').fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(`${instance.url}/launchpad`);
  const session = await readSession(page);
  expect(session).toMatchObject({ email: 'jo+ad@example.com', name: 'Jo Doe', role: 'people readers', role_id: role });

  // What the role allows, and no more.
  const settings = await page.request.get(`${instance.url}/console.json`);
  const headers = {
    'X-DreamFactory-API-Key': (await settings.json()).api_key,
    'X-DreamFactory-Session-Token': session?.session_token,
  };
  const status = async (path: string) =>
    (await page.request.get(`${instance.url}/api/v2/${path}`, { headers })).status();
  expect([await status('system/environment'), await status('system/role'), await status('ad/user')]).toEqual([
    200, 403, 403,
  ]);
  // The password is the directory's: there is nothing to change here.
  await page.goto(`${instance.url}/profile`);
  await expect(main(page).getByRole('textbox', { name: 'First Name' })).toHaveValue('Jo');
  await expect(main(page).getByText('Old password')).toHaveCount(0);
});
