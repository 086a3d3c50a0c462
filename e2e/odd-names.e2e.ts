// Names and orders that mislead: columns that differ by letter case alone, equal values over several pages, names that
// hold separators, blanks and words of parameters, addresses and JavaScript.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { test as base, expect, type Instance, signIn } from './instance.ts';

const odd = ['a,b', 'x = y', ' lead', 'trail ', 'in"ner', 'R/P', 'star*', 'fields', 'constructor'];
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

interface Odd extends Instance {
  rows(sql: string): Promise<unknown[][]>;
}

/** A service `odd` on a PostgreSQL database of this file's own. */
const test = base.extend<object, { database: Odd }>({
  database: [
    async ({ instance }, use) => {
      const noServer = await engineMissing('pgsql');
      base.skip(noServer !== undefined, noServer);
      const database = await freshDatabase('pgsql');
      await database.run(`
        create table person (id serial primary key, "Name" text, name text);
        insert into person ("Name", name) values ('Up', 'low'), ('Up', 'low');
        create table turn (id serial primary key, g integer not null);
        insert into turn (g) select i % 3 from generate_series(1, 160) i;
        create table "odd*table" (id integer primary key, ${odd.map((name) => `${quote(name)} text`).join(', ')});
        insert into "odd*table" select i, ${odd.map((_, index) => `'v' || (i + ${index}) % 4`).join(', ')} from generate_series(1, 4) i`);
      const { host, port, user, password } = database;
      const config = { host, port, database: database.database, username: user, password };
      const service = { name: 'odd', label: 'Odd', type: 'pgsql', is_active: true, config };
      expect((await instance.api('POST', 'system/service', { resource: [service] })).status).toBe(201);
      await use(Object.assign(Object.create(instance), { rows: (sql: string) => database.run(sql) }));
      await instance.api('DELETE', 'system/service?filter=name%3Dodd');
      await database.drop();
    },
    { scope: 'worker' },
  ],
});

const cell = (page: Page, row: number, column: number) => page.locator(`[data-at="${row}:${column}"]`);
const head = (page: Page, name: string) => page.getByRole('columnheader').getByRole('button', { name, exact: true });

async function open(page: Page, { url }: Instance, place: string): Promise<void> {
  await page.goto(`${url}/data/odd/${place}`);
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
}

async function typeInCell(page: Page, row: number, column: number, text: string): Promise<void> {
  await cell(page, row, column).dblclick();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('of two columns that differ by letter case alone, the one that is edited changes', async ({ page, database }) => {
  await signIn(page, database);
  await open(page, database, 'person');
  await typeInCell(page, 0, 2, 'new');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Records saved.')).toBeVisible();
  await expect(cell(page, 0, 1)).toHaveText('Up');
  await expect(cell(page, 0, 2)).toHaveText('new');

  await page.goto(`${database.url}/data/odd/person/record?key=2`);
  const pane = page.getByRole('dialog').first();
  await pane.getByRole('textbox', { name: 'Name' }).first().fill('Upper');
  await pane.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Record saved.')).toBeVisible();
  expect(await database.rows('select * from person order by id')).toEqual([
    [1, 'Up', 'new'],
    [2, 'Upper', 'low'],
  ]);
});

test('pages ordered by a column of equal values show each record once', async ({ page, database }) => {
  await signIn(page, database);
  await open(page, database, 'turn');
  await head(page, 'g').click();
  await expect(page).toHaveURL(/order=g/);
  const ids = [0, 1, 2].flatMap((g) => Array.from({ length: 160 }, (_, i) => i + 1).filter((id) => id % 3 === g));
  for (let start = 0; start < 160; start += 50) {
    if (start > 0) await page.getByRole('button', { name: 'Next page' }).click();
    await expect(page.locator('[data-at$=":0"]')).toHaveText(ids.slice(start, start + 50).map(String));
  }
});

test('columns with separators, blanks and words of ours in their names are filtered, sorted, edited and exported', async ({
  page,
  database,
}) => {
  test.slow();
  await signIn(page, database);
  await open(page, database, encodeURIComponent('odd*table'));
  await page.getByRole('button', { name: 'Visible Fields' }).click();
  await page.getByRole('checkbox', { name: 'Toggle All' }).check();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Filters' }).click();
  for (const [index, name] of odd.entries()) {
    const column = index + 1;
    await page.getByRole('combobox', { name: 'Filter By' }).click();
    await page.getByRole('option', { name, exact: true }).click();
    await page.getByRole('textbox', { name: 'Filter Value' }).fill('v3');
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2');
    await expect(cell(page, 0, column)).toHaveText('v3');
    await page.getByRole('button', { name: /^Remove the filter/ }).click();
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '5');
    await head(page, name.trim()).click();
    await expect(cell(page, 0, column)).toHaveText('v0');
    await expect(cell(page, 3, column)).toHaveText('v3');
  }

  await open(page, database, encodeURIComponent('odd*table'));
  for (const [index, name] of odd.entries()) await typeInCell(page, 0, index + 1, `new ${name}`);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Records saved.')).toBeVisible();
  const changed = odd.map((name) => `new ${name}`);
  expect(await database.rows('select * from "odd*table" where id = 1')).toEqual([[1, ...changed]]);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'JSON', exact: true }).click();
  const { resource } = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  expect(Object.keys(resource[0])).toEqual(['id', ...odd]);
  expect(Object.values(resource[0])).toEqual([1, ...changed]);
});
