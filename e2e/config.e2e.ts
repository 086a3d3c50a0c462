// Config: what the instance tells of itself, its caches, CORS, the e-mail templates and the global lookup keys.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const answer = async (page: Page, question: string, name: string) => {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(question);
  await dialog.getByRole('button', { name, exact: true }).click();
};
const tabs = (page: Page) => page.getByRole('navigation', { name: 'System Configuration' }).getByRole('link');
const entries = (page: Page, tab: string) => page.getByRole('navigation', { name: tab }).getByRole('listitem');
const readRecords = async (instance: Instance, resource: string, name: string) =>
  (await instance.api('GET', `system/${resource}?filter=name="${name}"`)).body.resource;

let createdCount = 0;
const unique = (name: string) => `${name}_${Date.now()}_${createdCount++}`;

/** Calls of the console below system/{resource} that write. */
const writes = (page: Page, resource: string): string[] => {
  const requests: string[] = [];
  page.on('request', (request) => {
    const [, path] = request.url().split('/api/v2/');
    if (request.method() !== 'GET' && path?.startsWith(`system/${resource}`))
      requests.push(`${request.method()} ${path}`);
  });
  return requests;
};

test('CFG-001 CFG-002 CFG-006 the section opens with what the instance runs on, its tabs in order', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await page.getByRole('link', { name: 'Config', exact: true }).click();
  await expect(page).toHaveURL(/\/config\/system-info$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('System Configuration');
  await expect(tabs(page)).toHaveText(['System Info', 'Cache', 'CORS', 'Email Templates', 'Global Lookup Keys']);
  const { body } = await instance.api('GET', 'system/environment');
  await expect(page.getByRole('region', { name: 'Sluice Instance' })).toContainText(body.platform.sqlite_storage);
  await expect(page.getByRole('region', { name: 'Server' })).toContainText(body.server.release);
  await expect(main(page).getByRole('textbox')).toHaveCount(0);
  // From 1100 px on the tabs stand below each other, in a narrower window beside each other.
  const stacked = async () => {
    const [first, second] = [await tabs(page).nth(0).boundingBox(), await tabs(page).nth(1).boundingBox()];
    return (second?.y ?? 0) > (first?.y ?? 0);
  };
  expect(await stacked()).toBe(true);
  await page.setViewportSize({ width: 1090, height: 800 });
  expect(await stacked()).toBe(false);
});

test('CFG-003 a person with fewer rights sees fewer tabs, and the reason at the address of another', async ({
  page,
  instance,
}) => {
  const role = await instance.api('POST', 'system/role', {
    resource: [
      {
        name: unique('keys'),
        is_active: true,
        role_service_access_by_role_id: [{ service_id: 1, component: 'lookup/*', verb_mask: 1, requestor_mask: 1 }],
      },
    ],
  });
  const someone = { email: `${unique('keys')}@example.com`, password: 'keys password' };
  await instance.api('POST', 'system/user', {
    resource: [
      { ...someone, name: 'Keys', user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: role.body.resource[0].id }] },
    ],
  });
  await signIn(page, instance, someone);
  await page.goto(`${instance.url}/config/email-templates`);
  await expect(main(page).getByText('Your role needs GET access to system/email_template')).toBeVisible();
  await expect(tabs(page).filter({ hasText: 'Email Templates' })).toHaveCount(0);
  await expect(tabs(page).filter({ hasText: 'System Info' })).toHaveCount(1);
});

test('CFG-007 CFG-008 CFG-010 CFG-011 CFG-012 CFG-013 flushing makes what was changed behind the back visible', async ({
  page,
  instance,
}) => {
  const name = unique('flushed');
  const database = new DatabaseSync(join(instance.dataFolder, 'db', `${name}.sqlite`));
  database.exec('create table item (id integer primary key, one text)');
  const record = { name, label: 'Warehouse', type: 'sqlite', is_active: true, config: { database: `${name}.sqlite` } };
  expect((await instance.api('POST', 'system/service', { resource: [record] })).status).toBe(201);
  const fields = async () =>
    (await instance.api('GET', `${name}/_schema/item`)).body.field.map((field: { name: string }) => field.name);
  expect(await fields()).toEqual(['id', 'one']);

  await signIn(page, instance);
  const requests = writes(page, 'cache');
  await page.goto(`${instance.url}/config/cache`);
  database.exec('alter table item add column two text');
  await page.getByRole('button', { name: 'Flush the cache of Warehouse' }).click();
  await expect(page.getByText('Warehouse service cache flushed.')).toBeVisible();
  expect(await fields()).toEqual(['id', 'one', 'two']);
  database.exec('alter table item add column three text');
  database.close();
  await page.getByRole('button', { name: 'Flush System-Wide Cache' }).click();
  await expect(page.getByText('System-wide cache flushed.')).toBeVisible();
  expect(await fields()).toEqual(['id', 'one', 'two', 'three']);
  expect(requests).toEqual([`DELETE system/cache/${name}`, 'DELETE system/cache']);
});

test('the cache is flushed from the palette, too', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await page.getByRole('button', { name: /^Search or jump to/ }).click();
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('flush');
  await page.getByRole('option', { name: /Flush the system-wide cache/ }).click();
  await expect(page.getByText('System-wide cache flushed.')).toBeVisible();
});

test('CFG-036 CFG-037 CFG-040 CFG-041 CFG-042 CFG-043 CFG-044 CFG-045 CFG-047 CFG-055 a lookup key is made, renamed and deleted', async ({
  page,
  instance,
}) => {
  const [name, renamed] = [unique('region'), unique('area')];
  await signIn(page, instance);
  const requests = writes(page, 'lookup');
  await page.goto(`${instance.url}/config/lookup-keys`);
  await page.getByRole('link', { name: 'New', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(box).toHaveValue('NEW');
  await save(page);
  const problem = main(page).locator('p[class*="error" i]');
  await expect(problem).toHaveText(/Please rename your key to something other than the default 'new' key name\.$/);
  await box.fill('');
  await save(page);
  await expect(problem).toHaveText(/^Lookup keys should have a unique name\. {1,2}Please name your key\.$/);
  expect(requests).toEqual([]);
  await box.fill(name);
  await page.getByRole('textbox', { name: 'Value' }).fill('eu\nwest');
  await save(page);
  await expect(page.getByText('Lookup key created successfully.')).toBeVisible();
  const [stored] = await readRecords(instance, 'lookup', name);
  expect(stored).toMatchObject({ value: 'eu\nwest', private: false });
  await expect(page).toHaveURL(new RegExp(`/lookup-keys/${stored.id}$`));
  await box.fill(renamed);
  await save(page);
  await expect(page.getByText('Lookup key updated successfully.')).toBeVisible();
  await expect(entries(page, 'Global Lookup Keys').filter({ hasText: renamed })).toHaveCount(1);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await answer(page, `Delete ${renamed}?`, 'Delete');
  await expect(page.getByText('Lookup key deleted successfully.')).toBeVisible();
  expect(await readRecords(instance, 'lookup', renamed)).toEqual([]);
  expect(requests).toEqual([
    'POST system/lookup?fields=*',
    `PUT system/lookup/${stored.id}?fields=*`,
    `DELETE system/lookup/${stored.id}?fields=*`,
  ]);
});

test('CFG-039 CFG-046 nothing selected is nothing to save, and a new key is dropped without a call', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  const requests = writes(page, 'lookup');
  await page.goto(`${instance.url}/config/lookup-keys`);
  await expect(main(page).getByText('No lookup key selected.')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('region', { name: 'Notices' }).getByText('No lookup key selected.')).toBeVisible();
  await page.getByRole('link', { name: 'New', exact: true }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await answer(page, 'Delete NEW?', 'Delete');
  await expect(page.getByText('Lookup key deleted successfully.')).toBeVisible();
  await expect(page).toHaveURL(/\/lookup-keys$/);
  expect(requests).toEqual([]);
});

test('a private key is never shown again, stays when it is not touched, and has one name', async ({
  page,
  instance,
}) => {
  const [secret, other] = [unique('secret'), unique('other')];
  await instance.api('POST', 'system/lookup', { resource: [{ name: other, value: '1' }] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/lookup-keys/create`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(other);
  await page.getByRole('textbox', { name: 'Value' }).fill('hunter2');
  await page.getByRole('switch', { name: /^Private/ }).click();
  await save(page);
  await expect(main(page).getByText('Lookup name can not be modified to one that already exists.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(secret);
  await save(page);
  await expect(page.getByRole('heading', { name: `Edit ${secret}` })).toBeVisible();
  const value = page.getByRole('textbox', { name: 'Value' });
  await expect(value).toHaveValue('**********');
  await expect(value).not.toBeEditable();
  await expect(page.locator('html')).not.toContainText('hunter2');
  await page.getByRole('textbox', { name: 'Description' }).fill('for the relay');
  await save(page);
  await expect(page.getByText('Lookup key updated successfully.')).toBeVisible();
  expect(await readRecords(instance, 'lookup', secret)).toMatchObject([
    { value: '**********', private: true, description: 'for the relay' },
  ]);
});

test('CFG-014 CFG-015 CFG-016 CFG-017 CFG-018 CFG-019 CFG-020 CFG-021 CFG-022 CFG-023 CFG-024 CFG-025 CFG-026 CFG-045 CFG-046 CFG-047 CFG-055 CFG-056 a CORS entry is made, changed and deleted, and acts at once', async ({
  page,
  instance,
}) => {
  const path = `${unique('api')}/*`;
  const origin = 'https://shop.example';
  await signIn(page, instance);
  const requests = writes(page, 'cors');
  await page.goto(`${instance.url}/config/cors`);
  await expect(main(page).getByText('No host selected.')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('region', { name: 'Notices' }).getByText('No host selected.')).toBeVisible();
  await page.getByRole('link', { name: 'New', exact: true }).click();
  const box = (name: RegExp) => page.getByRole('textbox', { name });
  await expect(box(/^Path/)).toHaveValue('NEW');
  await expect(box(/^Origins/)).toHaveValue('*');
  await expect(box(/^Headers/)).toHaveValue('*');
  await expect(box(/^Max Age/)).toHaveValue('0');
  await expect(page.getByRole('switch', { name: /^Supports Credentials/ })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: /^Enabled/ })).not.toBeChecked();
  await save(page);
  const problem = main(page).locator('p[class*="error" i]');
  await expect(problem).toHaveText(
    /^Entries should have a unique path pattern\. {1,2}Please rename your entry to something other than the default 'new' name\.$/,
  );
  await box(/^Path/).fill('');
  await save(page);
  await expect(problem).toHaveText('Path is a required field.');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await answer(page, 'Delete', 'Delete');
  await expect(page).toHaveURL(/\/cors$/);
  expect(requests).toEqual([]);

  await page.getByRole('link', { name: 'New', exact: true }).click();
  await box(/^Path/).fill(path);
  await box(/^Origins/).fill(origin);
  await box(/^Exposed Headers/).fill('etag');
  await box(/^Description/).fill('the shop');
  await box(/^Max Age/).fill('600');
  await page.getByRole('button', { name: /^Methods/ }).click();
  await expect(page.getByRole('menuitemcheckbox')).toHaveText([/^GET/, /^POST/, /^PATCH/, /^PUT/, /^DELETE/]);
  await page.getByRole('menuitemcheckbox', { name: /^PATCH/ }).click();
  await page.getByRole('menuitemcheckbox', { name: /^GET/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: /^Supports Credentials/ }).click();
  await save(page);
  await expect(page.getByText('CORS entry created successfully.')).toBeVisible();
  const [stored] = (await instance.api('GET', `system/cors?filter=path="${path}"`)).body.resource;
  expect(stored).toMatchObject({
    ...{ path, origin, header: '*', exposed_header: 'etag', description: 'the shop', max_age: 600 },
    ...{ method: ['GET', 'PATCH'], supports_credentials: true, enabled: false },
  });
  await expect(entries(page, 'CORS').filter({ hasText: path })).toContainText('Off');

  // What a browser asks before a page of that origin calls: refused while the entry is off.
  const askFirst = async () => {
    const address = `${instance.url}/${path.replace('*', 'x')}`;
    const { status } = await fetch(address, {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'PATCH', Origin: origin },
    });
    return status;
  };
  expect(await askFirst()).toBe(403);
  await page.getByRole('switch', { name: /^Enabled/ }).click();
  await save(page);
  await expect(page.getByText('CORS entry updated successfully.')).toBeVisible();
  expect(await askFirst()).toBe(204);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await answer(page, `Delete ${path}?`, 'Delete');
  await expect(page.getByText('CORS entry deleted successfully.')).toBeVisible();
  expect(await askFirst()).toBe(403);
  expect(requests).toEqual([
    'POST system/cors?fields=*',
    `PUT system/cors/${stored.id}?fields=*`,
    `DELETE system/cors/${stored.id}?fields=*`,
  ]);
});

test('CFG-027 CFG-028 CFG-029 CFG-031 CFG-032 CFG-033 CFG-034 CFG-035 CFG-045 CFG-047 an e-mail template is made, changed and deleted', async ({
  page,
  instance,
}) => {
  const name = unique('Welcome');
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/email-templates`);
  await expect(entries(page, 'Email Templates').filter({ hasText: 'User Invite Default' })).toHaveCount(1);
  await page.getByRole('link', { name: 'New', exact: true }).click();
  const box = page.getByRole('textbox', { name: 'Template Name' });
  await expect(box).toHaveValue('NEW EMAIL TEMPLATE');
  await save(page);
  const problem = main(page).locator('p[class*="error" i]');
  await expect(problem).toHaveText(/something other than the default 'new' template name\.$/);
  await box.fill('');
  await save(page);
  await expect(problem).toHaveText('Template Name is a required field.');
  await box.fill(name);
  await page.getByLabel('Recipient').and(page.locator('input')).fill('Ada <ada@example.com>');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Hello {first_name}');
  await page.getByRole('textbox', { name: 'Reply to Email' }).fill('desk@example.com');
  await page
    .getByRole('textbox', { name: 'HTML body' })
    .fill('<p style="color: rgb(200, 0, 0)">Hi</p><script>parent.ran = 1</script>');
  await save(page);
  await expect(page.getByText('Email template created successfully.')).toBeVisible();
  const [stored] = await readRecords(instance, 'email_template', name);
  expect(stored).toMatchObject({
    to: [{ name: 'Ada', email: 'ada@example.com' }],
    subject: 'Hello {first_name}',
    reply_to_email: 'desk@example.com',
    body_text: null,
  });
  await expect(page).toHaveURL(new RegExp(`/email-templates/${stored.id}$`));

  // The preview shows the mail as it will look, and runs nothing of it.
  await main(page).getByText('Preview', { exact: true }).click();
  const mail = page.frameLocator('iframe[title="Preview of the HTML body"]');
  await expect(mail.getByText('Hi', { exact: true })).toHaveCSS('color', 'rgb(200, 0, 0)');
  expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined();

  await page.getByRole('textbox', { name: 'Subject' }).fill('Welcome');
  await save(page);
  await expect(page.getByText('Email template updated successfully.')).toBeVisible();
  await box.fill('User Invite Default');
  await save(page);
  await expect(main(page).getByText('The name has already been taken.').first()).toBeVisible();
  expect(await readRecords(instance, 'email_template', name)).toMatchObject([{ subject: 'Welcome' }]);
  await box.fill(name);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await answer(page, `Delete ${name}?`, 'Delete');
  await expect(page.getByText('Email template deleted successfully.')).toBeVisible();
  expect(await readRecords(instance, 'email_template', name)).toEqual([]);
});

test('CFG-030 nothing selected is nothing to save', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/email-templates`);
  await expect(main(page).getByText('No email template selected.')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('region', { name: 'Notices' }).getByText('No email template selected.')).toBeVisible();
});

test('CFG-004 CFG-005 changes are not lost without a question, neither to another entry nor to another section', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/email-templates/1`);
  const box = page.getByRole('textbox', { name: 'Template Description' });
  await box.fill('changed');
  for (const leave of [
    () => entries(page, 'Email Templates').filter({ hasText: 'Password Reset Default' }).getByRole('link').click(),
    () => tabs(page).filter({ hasText: 'Cache' }).click(),
    () => page.getByRole('link', { name: 'Home', exact: true }).click(),
  ]) {
    await leave();
    await answer(page, 'Continue without saving?', 'Stay here');
    await expect(box).toHaveValue('changed');
  }
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await answer(page, 'Continue without saving?', 'Continue without saving');
  await expect(page).toHaveURL(/\/home$/);
});

test('on a phone the list comes first, then the entry, and closing leads back', async ({ page, instance }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/email-templates`);
  await entries(page, 'Email Templates').filter({ hasText: 'User Invite Default' }).getByRole('link').click();
  await expect(page.getByRole('textbox', { name: 'Template Name' })).toHaveValue('User Invite Default');
  await expect(entries(page, 'Email Templates').first()).toBeHidden();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(entries(page, 'Email Templates').first()).toBeVisible();
});
