// Two people work in the same table: nothing of the other's is overwritten or deleted unseen. And what else keeps one's place in a
// grid: scroll and row beside the pane, numbers that stay where they are, and refusals in words beside their field.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { test as base, expect, type Instance, signIn } from './instance.ts';

const schema = `
  create table shelf (id integer primary key autoincrement, name varchar(20) not null);
  insert into shelf (name) values ('left'), ('right');
  create table item (
    id integer primary key autoincrement, name varchar(40) not null, note varchar(40), price double, photo blob,
    shelf_id integer references shelf (id)
  );
  create table wide (id integer primary key autoincrement, ${Array.from({ length: 24 }, (_, at) => `field_${at} varchar(40)`)});`;

const test = base.extend<object, { depot: Instance }>({
  depot: [
    async ({ instance }, use) => {
      const database = new DatabaseSync(join(instance.dataFolder, 'db', 'depot.sqlite'));
      database.exec(schema);
      const add = database.prepare(
        "insert into item (name, note, price, photo, shelf_id) values (?, ?, ?, x'00ff', 1)",
      );
      for (let number = 1; number <= 40; number++) add.run(`Item ${number}`, `Note ${number}`, number + 0.1);
      const widen = database.prepare('insert into wide (field_0, field_20) values (?, ?)');
      for (let number = 1; number <= 50; number++) widen.run(`Row ${number}`, `far ${number}`);
      database.close();
      const service = { name: 'depot', label: 'Depot', type: 'sqlite', is_active: true };
      const creation = await instance.api('POST', 'system/service', {
        resource: [{ ...service, config: { database: 'depot.sqlite' } }],
      });
      expect(creation.status).toBe(201);
      await use(instance);
    },
    { scope: 'worker' },
  ],
});

const cell = (page: Page, row: number, column: number) => page.locator(`[data-at="${row}:${column}"]`);
const pane = (page: Page) => page.getByRole('dialog', { name: /^(Edit|Create) / });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const stale = (page: Page) => page.getByRole('dialog', { name: 'Someone else saved this first' });
const item = async (depot: Instance, id: number) => (await depot.api('GET', `depot/_table/item/${id}`)).body;
const change = (depot: Instance, id: number, fields: object) => depot.api('PATCH', `depot/_table/item/${id}`, fields);
const [nameColumn, noteColumn, priceColumn, shelfColumn] = [1, 2, 3, 5];

/** The grid of these items alone. */
async function openItems(page: Page, depot: Instance, ids: readonly number[], rest = ''): Promise<void> {
  await signIn(page, depot);
  await page.goto(`${depot.url}/data/depot/item${rest}?filter=${encodeURIComponent(`id in (${ids})`)}`);
  await expect(cell(page, 0, nameColumn)).toBeVisible();
}

async function typeInCell(page: Page, row: number, column: number, text: string): Promise<void> {
  await cell(page, row, column).dblclick();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('TBL-025 the grid merges what somebody else changed, record after record, and overwrites nothing unseen', async ({
  page,
  depot,
}) => {
  test.slow();
  await openItems(page, depot, [1, 2, 3, 4]);
  await typeInCell(page, 0, nameColumn, 'Mine 1');
  await typeInCell(page, 1, nameColumn, 'Mine 2');
  await typeInCell(page, 1, noteColumn, 'My note');
  await typeInCell(page, 2, nameColumn, 'Mine 3');
  await typeInCell(page, 3, nameColumn, 'Mine 4');
  await change(depot, 2, { name: 'Theirs 2', price: 99 });
  await change(depot, 3, { note: 'Their note' });

  await button(page, 'Save').click();
  await expect(stale(page)).toContainText('Item 2');
  const both = stale(page).getByRole('group', { name: 'Name' });
  await expect(both).toContainText('Mine 2');
  await expect(both).toContainText('Theirs 2');
  const merged = stale(page).getByRole('region', { name: 'Merged by itself' });
  await expect(merged).toContainText('99');
  await expect(merged).toContainText('My note');
  expect((await item(depot, 2)).name).toBe('Theirs 2');
  await expectAccessible(page, 'the question');
  await stale(page).getByRole('radio', { name: 'Take theirs' }).check();
  await button(page, 'Save').last().click();

  await expect(stale(page)).toContainText('Their note');
  await stale(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Records saved.')).toBeVisible();
  const stored = await Promise.all([1, 2, 3, 4].map((id) => item(depot, id)));
  expect(stored.map(({ name, note }) => [name, note])).toEqual([
    ['Mine 1', 'Note 1'],
    ['Theirs 2', 'My note'],
    ['Mine 3', 'Their note'],
    ['Mine 4', 'Note 4'],
  ]);
  expect(stored[1].price).toBe(99);
  await expect(cell(page, 1, nameColumn)).toHaveText('Theirs 2');
});

test('the record pane merges too; going back keeps what was typed, and writes nothing', async ({ page, depot }) => {
  await openItems(page, depot, [5], '/record');
  await page.goto(`${depot.url}/data/depot/item/record?key=5`);
  const name = pane(page).getByRole('textbox', { name: /^Name/ });
  await name.fill('Mine 5');
  await change(depot, 5, { name: 'Theirs 5' });
  await pane(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(stale(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(stale(page)).toBeHidden();
  await expect(name).toHaveValue('Mine 5');
  await expect(pane(page)).toContainText('changed by someone else');
  expect((await item(depot, 5)).name).toBe('Theirs 5');
  await pane(page).getByRole('button', { name: 'Save', exact: true }).click();
  await stale(page).getByRole('radio', { name: 'Keep mine' }).check();
  await stale(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Record saved.')).toBeVisible();
  expect((await item(depot, 5)).name).toBe('Mine 5');
});

test('TBL-026 a record that somebody changed is deleted only when one is asked again and shown the change', async ({
  page,
  depot,
}) => {
  await openItems(page, depot, [6, 7, 8]);
  await page.getByRole('checkbox', { name: 'Select all records of this page' }).check();
  await change(depot, 7, { note: 'Keep me' });
  await button(page, 'Delete').click();
  await page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Someone else changed this first' });
  await expect(question).toContainText('Keep me');
  await expect(question.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await question.getByRole('button', { name: 'Keep it' }).click();
  await expect(question).toBeHidden();
  await expect(cell(page, 0, noteColumn)).toHaveText('Keep me');
  const { body } = await depot.api('GET', 'depot/_table/item?filter=id in (6,7,8)&fields=id');
  expect(body.resource).toEqual([{ id: 7 }]);

  await page.getByRole('checkbox', { name: 'Select all records of this page' }).check();
  await change(depot, 7, { note: 'Changed again' });
  await button(page, 'Delete').click();
  await page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete anyway' }).click();
  await expect.poll(async () => (await depot.api('GET', 'depot/_table/item/7')).status).toBe(404);
});

test('a server that ignores what was loaded is written to as ever', async ({ page, depot }) => {
  await openItems(page, depot, [9]);
  await page.route('**/depot/_table/item**', async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.fallback();
    const { resource, loaded } = request.postDataJSON();
    expect(loaded).toHaveLength(1);
    await route.continue({ postData: JSON.stringify({ resource }) });
  });
  await typeInCell(page, 0, nameColumn, 'Mine 9');
  await change(depot, 9, { note: 'Theirs' });
  await button(page, 'Save').click();
  await expect(page.getByText('Records saved.')).toBeVisible();
  expect(await item(depot, 9)).toMatchObject({ name: 'Mine 9', note: 'Theirs' });
});

test('a refused reference is explained beside its field, and with the tables that still refer to a record', async ({
  page,
  depot,
}) => {
  await openItems(page, depot, [10]);
  await typeInCell(page, 0, shelfColumn, '77');
  await button(page, 'Save').click();
  await expect(cell(page, 0, shelfColumn)).toHaveAttribute('title', 'No record of shelf has this id.');
  await button(page, 'Revert').click();

  await page.goto(`${depot.url}/data/depot/shelf`);
  await page.getByRole('checkbox', { name: 'Select record 1' }).check();
  await button(page, 'Delete').click();
  await page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Still used: records of item refer to it.').first()).toBeVisible();
});

test('opening and closing a record leaves the grid where it is, with the row beside the pane', async ({
  page,
  depot,
}) => {
  await page.setViewportSize({ width: 1200, height: 700 });
  await signIn(page, depot);
  await page.goto(`${depot.url}/data/depot/wide`);
  await expect(cell(page, 0, 1)).toBeVisible();
  const frame = page.locator('[data-frame]');
  const place = () => frame.evaluate(({ scrollLeft, scrollTop }) => ({ scrollLeft, scrollTop }));
  await frame.evaluate((element) => element.scrollTo(100, 500));
  const opener = page.getByRole('link', { name: 'Open record 21', exact: true });
  const box = (await opener.boundingBox())!;
  const before = await place();
  expect(before.scrollTop).toBe(500);
  expect(before.scrollLeft).toBeGreaterThan(0);
  // A click of a test would first scroll by itself.
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect(pane(page)).toBeVisible();
  await expect(page.locator('tr[data-open]')).toBeInViewport();
  expect(await place()).toEqual(before);
  await page.keyboard.press('Escape');
  await expect(pane(page)).toBeHidden();
  expect(await place()).toEqual(before);
});

test('a record that does not exist has its way back beside the message', async ({ page, depot }) => {
  await openItems(page, depot, [11]);
  await page.goto(`${depot.url}/data/depot/item/record?key=9999`);
  await expect(pane(page)).toContainText('There is no such record');
  await pane(page).getByRole('button', { name: 'Back to Item' }).click();
  await expect(page).toHaveURL(`${depot.url}/data/depot/item`);
  await expect(cell(page, 0, nameColumn)).toBeVisible();
});

test('up, down and Enter lead into the grid, and a number stays on its side while it is edited', async ({
  page,
  depot,
}) => {
  await openItems(page, depot, [12, 13]);
  await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect(cell(page, 0, 0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cell(page, 1, 0)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  const sideOf = (column: number, part = '') =>
    page.locator(`[data-at="0:${column}"]${part}`).evaluate((element) => getComputedStyle(element).textAlign);
  for (const column of [1, 2, 3, 4, 5]) {
    await page.keyboard.press('ArrowRight');
    await expect(cell(page, 0, column)).toBeFocused();
    if (column !== priceColumn && column !== shelfColumn) continue;
    const side = await sideOf(column);
    await page.keyboard.press('Enter');
    await expect(cell(page, 0, column).locator('input')).toBeFocused();
    expect(await sideOf(column, ' input')).toBe(side);
    await page.keyboard.press('Escape');
  }
});
