// The grid of Data: cells edited in place, copied and pasted, undone and saved; the whole table scrolled through; its export.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const grid = (page: Page) => page.getByRole('grid');
const cell = (page: Page, row: number, column: number) => page.locator(`[data-at="${row}:${column}"]`);

async function openTable(page: Page, instance: Instance, place: string): Promise<void> {
  await signIn(page, instance);
  await page.goto(`${instance.url}/data/${place}`);
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible();
}

/** Cities of this test alone, so that tests do not see each other's. */
async function cities(instance: Instance, ...names: string[]): Promise<{ ids: number[]; filter: string }> {
  const records = names.map((name) => ({
    name,
    country_code: 'FR',
    latitude: 1,
    longitude: 1,
    is_capital: false,
    population: 7,
  }));
  const creation = await instance.api('POST', 'world/_table/cities', { resource: records });
  expect(creation.status).toBe(200);
  const ids = creation.body.resource.map(({ id }: { id: number }) => id);
  return { ids, filter: `filter=${encodeURIComponent(`id in (${ids.join(', ')})`)}` };
}

test('TBL-008 TBL-025 TBL-031 by keyboard alone, cells are edited in place, set to NULL and saved together', async ({
  page,
  instance,
}) => {
  const { ids, filter } = await cities(instance, 'Grid A', 'Grid B');
  await openTable(page, instance, `world/cities?${filter}`);
  const columns = await grid(page).getByRole('columnheader').filter({ hasText: /\w/ }).allTextContents();
  const at = (name: string) => columns.indexOf(name);
  await cell(page, 0, at('name')).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Grid C');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await cell(page, 1, at('population')).focus();
  await page.keyboard.press('Control+Backspace');
  await expect(cell(page, 1, at('population'))).toHaveText('NULL');
  await expect(page.getByText('2 unsaved')).toBeVisible();
  await expect(page.getByText('3 cells changed')).toBeVisible();
  const saving = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.keyboard.press('Control+s');
  expect((await saving).postDataJSON().resource).toEqual([
    { id: ids[0], name: 'Grid A!' },
    { id: ids[1], name: 'Grid C', population: null },
  ]);
  await expect(page.getByText('Records saved.')).toBeVisible();
  const { body } = await instance.api('GET', `world/_table/cities?${filter}&fields=name,population&order=id`);
  expect(body.resource).toEqual([
    { name: 'Grid A!', population: 7 },
    { name: 'Grid C', population: null },
  ]);
});

test('a range is copied for a spreadsheet; what comes from one is pasted, undone, done again, and makes new records', async ({
  page,
  context,
  instance,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { ids, filter } = await cities(instance, 'Paste A', 'Paste B');
  await openTable(
    page,
    instance,
    `world/cities?${filter.replace('id%20in', '(name%20like%20%22Sheet%25%22)%20or%20id%20in')}`,
  );
  await cell(page, 0, 1).click();
  await cell(page, 1, 2).click({ modifiers: ['Shift'] });
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Paste A\tFR\nPaste B\tFR');

  await page.evaluate(() =>
    navigator.clipboard.writeText('Sheet 1\tDE\n"Sheet ""2"""\tDE\nSheet 3\tDE\t5\tnowhere\t2\n'),
  );
  await cell(page, 0, 1).click();
  await page.keyboard.press('Control+v');
  await expect(page.getByText('3 unsaved')).toBeVisible();
  await expect(cell(page, 2, 4)).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Control+z');
  await expect(page.getByText(/unsaved/)).toHaveCount(0);
  await page.keyboard.press('Control+Shift+z');
  await expect(page.getByText('3 unsaved')).toBeVisible();

  await cell(page, 2, 4).dblclick();
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await cell(page, 2, 6).dblclick();
  await page.getByRole('option', { name: 'FALSE' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Records saved.')).toBeVisible();
  const query = `filter=${encodeURIComponent('name like "Sheet%"')}&fields=id,name,country_code&order=id`;
  const { body } = await instance.api('GET', `world/_table/cities?${query}`);
  expect(body.resource).toMatchObject([
    { id: ids[0], name: 'Sheet 1', country_code: 'DE' },
    { id: ids[1], name: 'Sheet "2"', country_code: 'DE' },
    { name: 'Sheet 3', country_code: 'DE' },
  ]);
});

test('TBL-014 TBL-032 TBL-038 what was changed in the grid is asked about before the page is turned, and reverted', async ({
  page,
  instance,
}) => {
  await openTable(page, instance, 'world/companies');
  await cell(page, 0, 1).dblclick();
  await page.keyboard.type('Changed');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Next page' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('You have Unsaved records.');
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(page).not.toHaveURL(/page=2/);
  await page.getByRole('button', { name: 'Revert' }).click();
  await expect(page.getByText('Records reverted.')).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2/);
});

test('a whole table is scrolled through: a few rows drawn, windows read as they come, schema and count once', async ({
  page,
  instance,
}) => {
  await openTable(page, instance, 'world/order_items');
  const reads: URLSearchParams[] = [];
  page.on('request', (request) => {
    if (/_table\/order_items\?/.test(request.url())) reads.push(new URL(request.url()).searchParams);
  });
  await page.getByRole('button', { name: 'Scroll through the whole table' }).click();
  await expect(page).toHaveURL(/rows=all/);
  // Until the whole table is there, the page before it stands in its place.
  await expect(grid(page)).toHaveAttribute('aria-rowcount', /^\d{5}$/);
  await cell(page, 0, 1).click();
  await page.keyboard.press('Control+End');
  const last = (await grid(page).getAttribute('aria-rowcount').then(Number)) - 2;
  await expect(page.locator(`[data-at="${last}:0"]`)).toBeVisible();
  await expect(page.locator('tr[aria-busy]')).toHaveCount(0);
  expect(await grid(page).locator('tbody tr').count()).toBeLessThan(80);
  await page.keyboard.press('Control+Home');
  await expect(cell(page, 0, 0)).toBeFocused();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(cell(page, 36, 0)).toBeFocused();
  expect(reads.filter((read) => read.get('include_count') !== null)).toHaveLength(1);
  expect(reads.length).toBeLessThan(8);
});

test('an export has the filter, the order and the columns of the view; cells a spreadsheet would run are made texts', async ({
  page,
  instance,
}) => {
  const { filter } = await cities(instance, '=1+1', '-5', 'plain');
  await openTable(page, instance, `world/cities?${filter}&order=name+asc`);
  await page.getByRole('button', { name: 'Visible Fields' }).click();
  await page.getByRole('checkbox', { name: 'Toggle All' }).click();
  await page.getByRole('checkbox', { name: 'Toggle All' }).click();
  await page.getByRole('checkbox', { name: 'name', exact: true }).click();
  await page.getByRole('checkbox', { name: 'country_code' }).click();
  await page.keyboard.press('Escape');
  const save = async (name: string) => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    const download = await saved;
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };
  const lines = (text: string) => text.trim().split(/\r?\n/);
  const plain = await save('CSV as stored');
  expect(plain.name).toBe('cities.csv');
  expect(lines(plain.text).map((line) => line.replaceAll('"', ''))).toEqual([
    'name,country_code',
    '-5,FR',
    '=1+1,FR',
    'plain,FR',
  ]);
  const safe = await save('CSV');
  expect(lines(safe.text)[2]).toContain("'=1+1");
  expect(lines(safe.text)[1]).not.toContain("'");
  expect(JSON.parse((await save('JSON')).text).resource.map(({ name }: { name: string }) => name)).toEqual([
    '-5',
    '=1+1',
    'plain',
  ]);
  expect((await save('XML')).text).toContain('=1+1');
});

test('a view is saved, chosen again after a reload and a question about what is unsaved, and deleted', async ({
  page,
  instance,
}) => {
  await openTable(page, instance, 'world/countries?order=name+desc');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('textbox', { name: 'Name of the view' }).fill('From Z to A');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await page.goto(`${instance.url}/data/world/countries`);
  const choose = async () => {
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'From Z to A', exact: true }).click();
  };
  const continent = grid(page).getByRole('columnheader', { name: 'continent' });
  await page.getByRole('button', { name: 'Visible Fields' }).click();
  await page.getByRole('checkbox', { name: 'continent' }).uncheck();
  await page.keyboard.press('Escape');
  await cell(page, 0, 1).dblclick();
  await page.keyboard.type('Changed');
  await page.keyboard.press('Enter');
  await choose();
  const question = page.getByRole('dialog', { name: /\?$/ });
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(page).not.toHaveURL(/order=/);
  await expect(continent).toHaveCount(0);
  await choose();
  await question.getByRole('button', { name: 'Continue without saving' }).click();
  await expect(page).toHaveURL(/order=name\+desc/);
  await expect(continent).toBeVisible();
  await expect(page.getByText(/unsaved/)).toHaveCount(0);
  await page.getByRole('button', { name: 'From Z to A', exact: true }).click();
  await page.getByRole('button', { name: 'Delete From Z to A' }).click();
  await page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No view is saved yet.')).toBeVisible();
});

test('TBL-004 filters by operator: between, one of, NULL; the address keeps them', async ({ page, instance }) => {
  await openTable(page, instance, 'world/people');
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await page.getByRole('button', { name: 'Filters' }).click();
  await choose('Filter By', 'id');
  await choose('Operator', 'between');
  await page.getByRole('textbox', { name: 'Filter Value' }).fill('10');
  await page.getByRole('textbox', { name: 'and' }).fill('30');
  await page.getByRole('button', { name: 'Apply' }).first().click();
  await expect(page.getByText('1–21 of 21')).toBeVisible();
  await choose('Operator', 'is one of');
  await page.getByRole('textbox', { name: 'Filter Value' }).fill('11, 12, 13, 14');
  await page.getByRole('button', { name: 'Apply' }).first().click();
  await expect(page.getByText('1–4 of 4')).toBeVisible();
  await choose('Filter By', 'phone');
  await choose('Operator', 'is NULL');
  await page.getByRole('button', { name: 'Apply' }).first().click();
  await expect(page).toHaveURL(/filter=phone\+is\+null/);
  const filter = encodeURIComponent('(id between 10 and 30) and (id in (11, 12, 13, 14)) and (phone is null)');
  const { body } = await instance.api('GET', `world/_table/people?filter=${filter}&include_count=true`);
  await expect(grid(page).getByRole('row')).toHaveCount(body.meta.count + 1);
});
