// What is typed is not lost: guards offer to save and go on, and after an expired session drafts are offered again.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Page } from '@playwright/test';
import { admin, test as base, expect, type Instance, signIn } from './instance.ts';

const test = base.extend<object, { attic: Instance }>({
  attic: [
    async ({ instance }, use) => {
      await makeAttic(instance);
      await use(instance);
    },
    { scope: 'worker' },
  ],
});

/** A service `attic` with a table for each subject, so that journeys do not see each other's changes. */
async function makeAttic(instance: Instance): Promise<void> {
  const database = new DatabaseSync(join(instance.dataFolder, 'db', 'attic.sqlite'));
  database.exec(`
    create table box (id integer primary key autoincrement, name varchar(20) not null, weight integer);
    insert into box (name, weight) values ('one', 1), ('two', 2);
    create table trunk (id integer primary key autoincrement, name varchar(20) not null);
    insert into trunk (name) values ('old'), ('older');
    create table shelf (id integer primary key autoincrement, name varchar(20) not null);`);
  database.close();
  const service = { name: 'attic', label: 'Attic', type: 'sqlite', is_active: true };
  const { status } = await instance.api('POST', 'system/service', {
    resource: [{ ...service, config: { database: 'attic.sqlite' } }],
  });
  expect(status).toBe(201);
}

const main = (page: Page) => page.getByRole('main');
const box = (page: Page, name: string) => main(page).getByRole('textbox', { name });
const question = (page: Page) => page.getByRole('dialog', { name: /\?$/ });
const answer = async (page: Page, name: string) => {
  await question(page).getByRole('button', { name, exact: true }).click();
  await expect(question(page)).toHaveCount(0);
};
const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true });
const cell = (page: Page, row: number, column: number) => page.locator(`[data-at="${row}:${column}"]`);
/** The tray of notices, opened. */
const tray = async (page: Page) => {
  await page.getByRole('button', { name: /^Notices/ }).click();
  return page.getByRole('dialog', { name: 'Notices' });
};
const kept = async (page: Page) => (await tray(page)).getByRole('list', { name: 'Unsaved changes' });
const stored = async (instance: Instance, path: string) => (await instance.api('GET', path)).body;

async function makeRole(instance: Instance, name: string): Promise<number> {
  const { body } = await instance.api('POST', 'system/role', {
    resource: [{ name, description: '', is_active: true }],
  });
  return body.resource[0].id;
}

test('an editor: staying has the focus, Escape stays; Save and continue stores and goes on', async ({
  page,
  instance,
}) => {
  const id = await makeRole(instance, 'unsaved-one');
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${id}`);
  await box(page, 'Description').fill('kept');
  await rail(page, 'Home').click();
  await expect(page.getByRole('dialog', { name: 'Continue without saving?', exact: true })).toBeVisible();
  await expect(question(page).getByRole('button', { name: 'Stay here' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(box(page, 'Description')).toHaveValue('kept');

  // A new one goes where one was going, not to its list.
  await rail(page, 'Home').click();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(/\/home$/);
  expect((await stored(instance, `system/role/${id}`)).description).toBe('kept');
  await page.goto(`${instance.url}/roles/create`);
  await box(page, 'Name').fill('unsaved-two');
  await rail(page, 'Home').click();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(/\/home$/);
  expect((await stored(instance, 'system/role?filter=name="unsaved-two"')).resource).toHaveLength(1);
});

test('an editor: when saving fails one stays, at the tab and the field at fault', async ({ page, instance }) => {
  const id = await makeRole(instance, 'unsaved-three');
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${id}`);
  await box(page, 'Name').fill('');
  await page.getByRole('link', { name: 'Lookup Keys' }).click();
  await rail(page, 'Home').click();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(`${instance.url}/roles/${id}`);
  await expect(box(page, 'Name')).toBeFocused();
  await expect(main(page).getByText('Name is required.')).toBeVisible();

  // What the server refuses, too; its error goes when the field is edited.
  await box(page, 'Name').fill('unsaved-one-more');
  await makeRole(instance, 'unsaved-taken');
  await box(page, 'Name').fill('unsaved-taken');
  await page.getByRole('link', { name: 'Lookup Keys' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(`${instance.url}/roles/${id}`);
  await expect(box(page, 'Name')).toBeFocused();
  await expect(main(page).getByRole('alert')).toBeVisible();
  await box(page, 'Name').fill('unsaved-free');
  await expect(main(page).getByRole('alert')).toHaveCount(0);
  await expect(box(page, 'Name')).not.toHaveAttribute('aria-invalid', 'true');
});

test('an editor: where someone else was first, Save and continue opens the merge', async ({ page, instance }) => {
  const id = await makeRole(instance, 'unsaved-merge');
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${id}`);
  await box(page, 'Description').fill('mine');
  await instance.api('PATCH', `system/role/${id}`, { description: 'theirs' });
  await rail(page, 'Home').click();
  await question(page).getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByRole('dialog').getByText('theirs', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${instance.url}/roles/${id}`);
});

test('the profile is saved on the way out, or not left', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/profile`);
  const before = await box(page, 'First Name').inputValue();
  await box(page, 'First Name').fill('Augusta');
  await box(page, 'Display Name').fill('');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(/\/profile$/);
  await expect(box(page, 'Display Name')).toBeFocused();
  await box(page, 'Display Name').fill('Ada Lovelace');
  await page.getByRole('link', { name: 'Admin', exact: true }).click();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(/\/home$/);
  expect((await stored(instance, `system/admin?filter=email="${admin.email}"`)).resource[0].first_name).toBe('Augusta');
  await instance.api('PATCH', `system/admin?filter=email="${admin.email}"`, { resource: { first_name: before } });
});

test('TBL-016 records of Data are saved on the way out and before a refresh, or one stays at what is wrong', async ({
  page,
  attic,
}) => {
  await signIn(page, attic);
  await page.goto(`${attic.url}/data/attic/box`);
  const type = async (row: number, column: number, text: string) => {
    await cell(page, row, column).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await type(0, 1, 'uno');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(question(page)).toContainText('You have Unsaved records.  Continue without saving?');
  await expect(question(page).getByRole('button', { name: 'Stay here' })).toBeFocused();
  await answer(page, 'Save and continue');
  await expect(page.getByText('1 unsaved')).toHaveCount(0);
  expect((await stored(attic, 'attic/_table/box/1')).name).toBe('uno');

  await type(1, 2, 'heavy');
  await rail(page, 'Home').click();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(/\/data\/attic\/box/);
  await expect(page.getByText('1 unsaved')).toBeVisible();
  await type(1, 2, '22');
  await rail(page, 'Home').click();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(/\/home$/);
  expect((await stored(attic, 'attic/_table/box/2')).weight).toBe(22);
});

test('a table of Schema is saved on the way out', async ({ page, attic }) => {
  await signIn(page, attic);
  await page.goto(`${attic.url}/schema/attic/shelf`);
  await box(page, 'Label').first().fill('A shelf');
  await rail(page, 'Home').click();
  await expect(
    page.getByRole('dialog', { name: 'You have unsaved changes. Do you want to leave without saving them?' }),
  ).toBeVisible();
  await answer(page, 'Save and continue');
  await expect(page).toHaveURL(/\/home$/);
  expect((await stored(attic, 'attic/_schema/shelf?refresh=true')).label).toBe('A shelf');
});

test('SES-063 after an expired session and a wrong password, what was typed is offered again; to its owner only', async ({
  page,
  attic,
}) => {
  const id = await makeRole(attic, 'unsaved-draft');
  await signIn(page, attic);
  await page.goto(`${attic.url}/data/attic/trunk`);
  await cell(page, 0, 1).dblclick();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('new');
  await page.keyboard.press('Enter');
  await expireSession(page, attic);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const overlay = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(overlay).toContainText('unsaved changes are then kept in this tab');
  await overlay.getByPlaceholder('Enter Email').fill(admin.email);
  await overlay.getByPlaceholder('Enter Password').fill('wrong');
  await overlay.getByRole('button', { name: 'Login' }).click();

  // One message, and what is kept.
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByText('Your unsaved changes are kept in this tab.')).toBeVisible();

  const other = { email: `unsaved.${Date.now()}@example.com`, password: 'another one' };
  await attic.api('POST', 'system/admin', { resource: [{ ...other, name: 'Other', is_active: true }] });
  await signInHere(page, other);
  await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeVisible();
  await page.goto(`${attic.url}/logout`);
  await expect(page).toHaveURL(/\/login$/);

  await signInHere(page, admin);
  await expect(page.getByText('Unsaved changes of 1 form are kept in the notices.')).toBeVisible();
  await (await kept(page)).getByRole('link', { name: 'Records of trunk' }).click();
  await expect(page).toHaveURL(/\/data\/attic\/trunk/);
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeVisible();
  await main(page).getByRole('button', { name: 'Restore them' }).click();
  await expect(page.getByText('1 unsaved')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('1 unsaved')).toHaveCount(0);
  expect((await stored(attic, 'attic/_table/trunk/1')).name).toBe('new');

  // An editor.
  await page.goto(`${attic.url}/roles/${id}`);
  await box(page, 'Description').fill('half a sentence');
  await expireSession(page, attic);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await overlay.getByPlaceholder('Enter Email').fill(admin.email);
  await overlay.getByPlaceholder('Enter Password').fill('wrong');
  await overlay.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signInHere(page, admin);
  await (await kept(page)).getByRole('link', { name: 'Role “unsaved-draft”' }).click();
  await main(page).getByRole('button', { name: 'Restore them' }).click();
  await expect(box(page, 'Description')).toHaveValue('half a sentence');
});

test('drafts are kept in the tray, in the language of the reader, and move nothing on the page', async ({
  page,
  attic,
}) => {
  const ids = await Promise.all([1, 2, 3].map((number) => makeRole(attic, `unsaved-tray-${number}`)));
  await signIn(page, attic);
  for (const id of ids) {
    await page.goto(`${attic.url}/roles/${id}`);
    await box(page, 'Description').fill('not yet');
    await expect
      .poll(() =>
        page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('sluice.draft.')).length),
      )
      .toBe(ids.indexOf(id) + 1);
    page.once('dialog', (dialog) => dialog.accept());
  }
  await page.goto(`${attic.url}/data/attic/box`);
  await expect(page.getByRole('button', { name: 'Notices, 3 new' })).toBeVisible();
  await expect(main(page).getByText('not yet')).toHaveCount(0);
  await cell(page, 0, 1).dblclick();
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  const { y, height } = (await page.getByRole('button', { name: 'Save', exact: true }).last().boundingBox())!;
  expect(y + height).toBeLessThan(900 - 8);
  await page.getByRole('button', { name: 'Revert' }).click();

  await page.evaluate(() => localStorage.setItem('sluice.language', 'de'));
  await page.reload();
  await page.getByRole('button', { name: 'Meldungen, 3 neue' }).click();
  const list = page.getByRole('list', { name: 'Ungespeicherte Änderungen' });
  await list.getByRole('button', { name: /„unsaved-tray-1“/ }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await list.getByRole('link', { name: 'Rolle „unsaved-tray-2“' }).click();
  await expect(page).toHaveURL(`${attic.url}/roles/${ids[1]}`);
  await main(page).getByRole('button', { name: 'Wiederherstellen' }).click();
  await expect(main(page).getByRole('textbox').nth(1)).toHaveValue('not yet');
});

/** Ends the page's session on the server, past the console. */
async function expireSession(page: Page, instance: Instance): Promise<void> {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'CurrentUserObj');
  const { session_token } = JSON.parse(decodeURIComponent(cookie?.value ?? '{}'));
  await instance.api('DELETE', 'system/admin/session', undefined, { 'X-DreamFactory-Session-Token': session_token });
}

/** Signs in through the login page that is open: what a tab keeps stays. */
async function signInHere(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.getByPlaceholder('Enter Email').fill(account.email);
  await page.getByPlaceholder('Enter Password').fill(account.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).not.toHaveURL(/\/login/);
}
