// Data: a table as people work with it: find, filter, page, edit, create, delete.
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const grid = (page: Page) => page.getByRole('grid');

async function openTable(page: Page, instance: Instance, place: string): Promise<void> {
  await signIn(page, instance);
  await page.goto(`${instance.url}/data/${place}`);
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible();
}

test('DAT-001 DAT-002 DAT-005 DAT-006 DAT-009 a service and a table are picked, and its records open', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/data`);
  await page.getByRole('combobox', { name: 'Select DB Service' }).click();
  await expect(page.getByRole('option', { name: 'System Management' })).toHaveCount(0);
  await page.getByRole('option', { name: 'World' }).click();
  const listed = page.waitForRequest(/world\/_table\/?\?fields=name(,|%2C)label/);
  await page.reload();
  await listed;
  await page.getByRole('link', { name: 'countries' }).click();
  await expect(page).toHaveURL(/\/data\/world\/countries/);
  await expect(page.getByRole('heading', { name: 'Countries' })).toBeVisible();
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible();
});

test('TBL-003 TBL-024 TBL-042 TBL-044 X-014 pages of 50, begun at 0; the address keeps the page', async ({
  page,
  instance,
}) => {
  const read = page.waitForRequest(/world\/_table\/people\?/);
  await openTable(page, instance, 'world/people');
  const { searchParams } = new URL((await read).url());
  expect(Object.fromEntries(searchParams)).toMatchObject({
    limit: '50',
    offset: '0',
    fields: '*',
    include_schema: 'true',
    include_count: 'true',
  });
  const next = page.waitForRequest(/offset=50/);
  await page.getByRole('button', { name: 'Next page' }).click();
  await next;
  await expect(page).toHaveURL(/page=2/);
  await expect(grid(page).getByRole('gridcell', { name: '51', exact: true })).toBeVisible();
  await page.reload();
  await expect(grid(page).getByRole('gridcell', { name: '51', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Last page' }).click();
  await expect(grid(page).getByRole('gridcell', { name: '18500', exact: true })).toBeVisible();
});

test('TBL-020 numbers are compared by <, > and =', async ({ page, instance }) => {
  await openTable(page, instance, 'world/people');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Filter By' }).click();
  await page.getByRole('option', { name: 'id', exact: true }).click();
  const records = grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
  const id = (text: string) => records.getByRole('gridcell', { name: text, exact: true }).first();
  for (const [operator, found, left] of [
    ['<', ['1', '2'], ['3', '4']],
    ['=', ['3'], ['1', '2', '4']],
    ['>', ['4', '5'], ['1', '2', '3']],
  ] as const) {
    await page.getByRole('combobox', { name: 'Operator' }).click();
    await page.getByRole('option', { name: operator, exact: true }).click();
    await page.getByRole('textbox', { name: 'Filter Value' }).fill('3');
    const filtered = page.waitForRequest(/filter=/);
    await page.getByRole('button', { name: 'Apply' }).first().click();
    expect(new URL((await filtered).url()).searchParams.get('filter')).toBe(`id ${operator} 3`);
    for (const text of left) await expect(id(text)).toHaveCount(0);
    for (const text of found) await expect(id(text)).toBeVisible();
    await page.getByRole('button', { name: `Remove the filter id ${operator} 3` }).click();
  }
});

test('TBL-004 TBL-022 records are filtered by field and operator, or in the filter language', async ({
  page,
  instance,
}) => {
  await openTable(page, instance, 'world/people');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Filter By' }).click();
  await page.getByRole('option', { name: 'first_name' }).click();
  await page.getByRole('textbox', { name: 'Filter Value' }).fill('Łuk');
  const filtered = page.waitForRequest(/filter=/);
  await page.getByRole('button', { name: 'Apply' }).first().click();
  expect(new URL((await filtered).url()).searchParams.get('filter')).toContain('first_name like "%Łuk%"');
  await expect(grid(page).getByRole('gridcell', { name: 'Łukasz' }).first()).toBeVisible();
  await expect(grid(page).getByRole('gridcell', { name: 'Zainab' })).toHaveCount(0);
  await expect(page).toHaveURL(/filter=/);
});

test('TBL-002 TBL-027 TBL-035 TBL-023 a record is created, TBL-025 TBL-034 edited and saved, TBL-028 TBL-036 and deleted', async ({
  page,
  instance,
}) => {
  await openTable(page, instance, 'world/cities');
  await page.getByRole('link', { name: 'Create', exact: true }).click();
  const pane = page.getByRole('dialog').first();
  await expect(pane.getByRole('heading', { name: 'Create Cities' })).toBeVisible();
  await pane.getByRole('textbox', { name: 'Name (required)' }).fill('Testville');
  await pane.getByRole('textbox', { name: 'Country Code (required)' }).fill('FR');
  await pane.getByRole('textbox', { name: 'Latitude (required)' }).fill('48.5');
  await pane.getByRole('textbox', { name: 'Longitude (required)' }).fill('2.5');
  const creating = page.waitForRequest(
    (request) => request.method() === 'POST' && /_table\/cities/.test(request.url()),
  );
  await pane.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Record created.')).toBeVisible();
  expect((await creating).postDataJSON().resource[0]).not.toHaveProperty('id');
  const stored = await instance.api('GET', `world/_table/cities?filter=${encodeURIComponent('name = "Testville"')}`);
  const { id } = stored.body.resource[0];

  await page.goto(`${instance.url}/data/world/cities/record?key=${id}`);
  await pane.getByRole('textbox', { name: 'Name (required)' }).fill('Testburg');
  const saving = page.waitForRequest((request) => request.method() === 'PATCH');
  await pane.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Record saved.')).toBeVisible();
  expect((await saving).postDataJSON().resource).toHaveLength(1);
  expect((await instance.api('GET', `world/_table/cities/${id}`)).body.name).toBe('Testburg');

  await page.goto(`${instance.url}/data/world/cities/record?key=${id}`);
  const deleting = page.waitForRequest((request) => request.headers()['x-http-method'] === 'DELETE');
  await pane.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').filter({ hasText: 'Delete record' }).getByRole('button', { name: 'Delete' }).click();
  expect((await deleting).method()).toBe('POST');
  await expect(page.getByText('Record deleted.')).toBeVisible();
  expect((await instance.api('GET', `world/_table/cities/${id}`)).status).toBe(404);
});

test('TBL-008 TBL-026 TBL-033 TBL-039 selected records are deleted after a question', async ({ page, instance }) => {
  const names = ['Gone A', 'Gone B'];
  const creation = await instance.api('POST', 'world/_table/cities', {
    resource: names.map((name) => ({ name, country_code: 'FR', latitude: 1, longitude: 1, is_capital: false })),
  });
  expect(creation.status).toBe(200);
  await openTable(page, instance, `world/cities?filter=${encodeURIComponent('name starts with "Gone"')}`);
  await page.getByRole('checkbox', { name: 'Select all records of this page' }).check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('You are about to delete records. Continue?');
  const deleting = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Records deleted.')).toBeVisible();
  expect((await deleting).postDataJSON().resource).toHaveLength(2);
});

test('TBL-006 TBL-045 about eight columns are shown first; the choice is kept', async ({ page, instance }) => {
  await openTable(page, instance, 'world/people');
  const heads = () => grid(page).getByRole('columnheader').filter({ hasText: /\w/ }).allTextContents();
  expect((await heads()).length).toBeLessThanOrEqual(9);
  expect(await heads()).toEqual(expect.arrayContaining(['first_name', 'last_name', 'email', 'phone']));
  await page.getByRole('button', { name: 'Visible Fields' }).click();
  await page.getByRole('checkbox', { name: 'phone' }).uncheck();
  await page.keyboard.press('Escape');
  expect(await heads()).not.toContain('phone');
  await page.reload();
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible();
  expect(await heads()).not.toContain('phone');
});

test('by keyboard alone: a record is found, opened, changed and saved', async ({ page, instance }) => {
  await openTable(page, instance, 'world/companies');
  await grid(page).getByRole('gridcell').nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Enter');
  const pane = page.getByRole('dialog');
  await expect(pane.getByRole('heading', { name: 'Edit Companies' })).toBeVisible();
  const field = pane.getByRole('textbox', { name: /^Name/ });
  await field.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' changed');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Record saved.')).toBeVisible();
  await expect(
    main(page)
      .getByText(/ changed/)
      .first(),
  ).toBeVisible();
});
