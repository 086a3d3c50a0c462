// The diagram of a service: tables and relations drawn, moved, searched, connected and saved as pictures.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Download, Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn } from './instance.ts';
import { designOf, engines, named, test } from './schema-services.ts';

const button = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true });
const drawing = (page: Page) => page.locator('svg[role=group][aria-busy=false]');
/** A table as it is drawn; its name is followed by what it is related to. */
const tableBox = (page: Page, name: string) => drawing(page).locator(`[data-table="${name}"]`);
const frameOf = async (locator: Locator) => (await locator.boundingBox())!;
const reference = (name: string, table: string) => ({
  ...{ name, type: 'reference', ref_table: table, ref_field: 'id', allow_null: true },
});

/** A table in SQL: what it refers to, by field. */
const table = (name: string, references: Record<string, string> = {}) => {
  const keys = Object.entries(references).map(([field, other]) => `, ${field} integer references ${other}(id)`);
  return `create table ${name} (id integer primary key, name varchar(40)${keys.join('')});`;
};

/** A database of its own, for a diagram of all its tables. The API would take minutes for a thousand. */
async function serviceWith(instance: Instance, name: string, tables: string[]): Promise<void> {
  const database = new DatabaseSync(join(instance.dataFolder, 'db', `${name}.sqlite`));
  database.exec(`begin; ${tables.join('\n')} commit;`);
  database.close();
  const service = { name, label: name, type: 'sqlite', is_active: true, config: { database: `${name}.sqlite` } };
  expect((await instance.api('POST', 'system/service', { resource: [service] })).status).toBe(201);
}

async function drag(page: Page, from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= 4; step += 1)
    await page.mouse.move(from.x + (by.x * step) / 4, from.y + (by.y * step) / 4);
  await page.mouse.up();
}

async function dragByTouch(page: Page, from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + by.x * part, y: from.y + by.y * part }],
    });
  await touch('touchStart', 0);
  for (const part of [0.25, 0.5, 1]) await touch('touchMove', part);
  await touch('touchEnd', 1);
  await client.detach();
}

for (const engine of engines) {
  test(`${engine}: the neighbourhood of a table is drawn; a relation and a field begin there`, async ({
    page,
    instance,
    designs,
  }) => {
    const design = designOf(designs, engine);
    const number = { name: 'drawn_wheel_id', type: 'integer', allow_null: true };
    await design.make(
      named('drawn_team'),
      named('drawn_task', reference('team', 'drawn_team')),
      named('drawn_step', reference('task', 'drawn_task'), number),
      named('drawn_wheel'),
    );
    await signIn(page, instance);
    await page.goto(`${instance.url}/schema/${design.name}/drawn_team`);
    // The same ways to see the table stand in all of them.
    const views = page.getByRole('radiogroup', { name: 'How the table is shown' });
    await views.getByText('History').click();
    await expect(page.getByRole('heading', { name: 'History of drawn_team' })).toBeVisible();
    await views.getByText('Diagram').click();
    await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/drawn_team?view=diagram`);
    await expect(drawing(page).locator('[data-table]')).toHaveCount(2);
    await expect(tableBox(page, 'drawn_team')).toHaveAccessibleName('drawn_team, 2 fields, related to drawn_task');
    await page.getByText('2 steps', { exact: true }).click();
    await expect(drawing(page).locator('[data-table]')).toHaveCount(3);

    // A relation that only the service knows of: its line is there at once.
    await tableBox(page, 'drawn_step').click();
    await page.getByRole('link', { name: 'New relation' }).click();
    const pane = page.getByRole('dialog');
    await pane.getByRole('radio', { name: 'Belongs To' }).check();
    await pane.getByRole('combobox', { name: 'Reference Table', exact: true }).click();
    await page.getByRole('option', { name: 'drawn_wheel', exact: true }).click();
    await expect(pane.getByRole('combobox', { name: 'Field', exact: true })).toHaveValue('drawn_wheel_id');
    await button(pane, 'Save').click();
    await expect(pane).toHaveCount(0);
    await expect(tableBox(page, 'drawn_step')).toHaveAccessibleName(/related to drawn_task, drawn_wheel$/);
    expect((await design.describe('drawn_step')).related).toContainEqual(
      expect.objectContaining({ name: 'drawn_wheel_by_drawn_wheel_id', type: 'belongs_to', is_virtual: true }),
    );

    // A line drawn from a table to a field of another: the editor of a new field knows where it leads.
    const target = `${instance.url}/schema/${design.name}/drawn_team/field?view=diagram&ref_table=drawn_task&ref_field=id`;
    await button(page, 'Show the whole diagram').click();
    await tableBox(page, 'drawn_team').click({ position: { x: 20, y: 10 } });
    const handle = await frameOf(tableBox(page, 'drawn_team').locator('[data-handle]').last());
    const end = await frameOf(tableBox(page, 'drawn_task').locator('[data-field=id]'));
    const start = { x: handle.x + handle.width / 2, y: handle.y + handle.height / 2 };
    await drag(page, start, { x: end.x + 20 - start.x, y: end.y + end.height / 2 - start.y });
    await expect(page).toHaveURL(target);
    await expect(pane).toBeVisible();
    await button(pane, 'Cancel').click();
    await expect(pane).toHaveCount(0);

    // The same by keyboard alone.
    await button(page, 'Show the whole diagram').click();
    await tableBox(page, 'drawn_team').focus();
    await page.keyboard.press('Space');
    await button(page, 'Connect…').press('Enter');
    await expect(page.getByText('Choose the table that drawn_team is to refer to. Esc cancels.')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(tableBox(page, 'drawn_task')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(target);
  });
}

test('a diagram is moved by mouse, touch and keys, searched, and found again as it was left', async ({
  page,
  instance,
}) => {
  await serviceWith(instance, 'moved', [
    table('city'),
    table('street', { city_id: 'city' }),
    table('house', { street_id: 'street' }),
    table('alone'),
  ]);
  await signIn(page, instance);
  await page.goto(`${instance.url}/schema/moved`);
  await button(page, 'Diagram').click();
  await expect(page.getByText('4 tables, 2 relations')).toBeVisible();
  const city = tableBox(page, 'city');
  const house = tableBox(page, 'house');

  // The mouse moves a table, and the drawing where there is none; a finger moves what is selected.
  const before = await frameOf(city);
  const other = await frameOf(house);
  await drag(page, { x: before.x + 20, y: before.y + 10 }, { x: 60, y: -90 });
  const moved = await frameOf(city);
  expect([Math.round(moved.x - before.x), Math.round(moved.y - before.y)]).toEqual([60, -90]);
  expect(await frameOf(house)).toEqual(other);
  await drag(page, { x: other.x + 20, y: other.y - 60 }, { x: 30, y: 40 });
  expect(Math.round((await frameOf(house)).x - other.x)).toBe(30);
  await house.click({ position: { x: 20, y: 10 } });
  const selected = await frameOf(house);
  await dragByTouch(page, { x: selected.x + 20, y: selected.y + 10 }, { x: -40, y: 50 });
  const touched = await frameOf(house);
  expect([Math.round(touched.x - selected.x), Math.round(touched.y - selected.y)]).toEqual([-40, 50]);
  const still = await frameOf(city);
  await dragByTouch(page, { x: still.x + 20, y: still.y + 10 }, { x: 25, y: 0 });
  expect(Math.round((await frameOf(house)).x - touched.x)).toBe(25);

  // Keys move the table that has the focus.
  await house.focus();
  const unmoved = await frameOf(house);
  await page.keyboard.press('Alt+ArrowDown');
  expect((await frameOf(house)).y).toBeGreaterThan(unmoved.y + 10);
  await page.keyboard.press('Escape');

  // What is searched stands out, in tables and fields, and is gone through by Enter.
  await page.getByRole('searchbox', { name: 'Find a table or field' }).fill('street');
  await expect(page.getByText('2 found')).toBeVisible();
  await expect(drawing(page).locator('[data-match]')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 2')).toBeVisible();
  await expect(drawing(page).locator('[data-current]')).toHaveAttribute('data-table', 'street');
  await page.keyboard.press('Escape');
  await expect(drawing(page).locator('[data-match]')).toHaveCount(0);

  // After a reload all is where it was.
  const places = () =>
    drawing(page)
      .locator('[data-table]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('transform')));
  const left = await places();
  const at = await frameOf(house);
  await page.reload();
  await expect(house).toBeVisible();
  expect(await places()).toEqual(left);
  expect(Math.round((await frameOf(house)).x - at.x)).toBe(0);
  await expectAccessible(page, 'a diagram');
  await button(page, 'Lay out again').click();
  await expect.poll(places).not.toEqual(left);
});

test('a diagram is saved as SVG and as PNG, in the colours of the screen', async ({ page, instance }) => {
  await serviceWith(instance, 'pictured', [table('sun'), table('planet', { sun_id: 'sun' })]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(page, instance);
  await page.goto(`${instance.url}/schema/pictured?view=diagram`);
  await expect(tableBox(page, 'planet')).toBeVisible();
  const save = async (kind: string): Promise<Download> => {
    await button(page, 'Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: `As ${kind}` }).click();
    return download;
  };
  const svg = await save('SVG');
  expect(svg.suggestedFilename()).toBe('pictured-schema.svg');
  const markup = await readFile(await svg.path(), 'utf8');
  const paper = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--s-page)';
    return getComputedStyle(probe).color;
  });
  expect(markup).toContain(`fill="${paper}"`);
  for (const word of ['sun', 'planet', 'sun_id']) expect(markup).toContain(`>${word}</text>`);

  const png = await save('PNG');
  expect(png.suggestedFilename()).toBe('pictured-schema.png');
  const content = await readFile(await png.path());
  expect(content.subarray(1, 4).toString()).toBe('PNG');
  // Twice as many points as the picture has pixels; the first one is of the colour of the page.
  const width = Number(/ width="(\d+)"/.exec(markup)![1]);
  expect(content.readUInt32BE(16)).toBe(2 * width);
  const colour = await page.evaluate(
    async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      return `rgb(${[...context.getImageData(2, 2, 1, 1).data.slice(0, 3)].join(', ')})`;
    },
    `data:image/png;base64,${content.toString('base64')}`,
  );
  expect(colour).toBe(paper);
});

const isSoak = Boolean(process.env.SLUICE_SOAK);
const count = isSoak ? 1000 : 60;

test(`a diagram of ${count} tables is drawn whole, found through and moved`, async ({ page, instance }) => {
  const tables = Array.from({ length: count }, (_, index) =>
    table(
      `part_${index}`,
      index === 0 || index % 5 === 4 ? {} : { hub_id: 'part_0', near_id: `part_${Math.floor(index / 4)}` },
    ),
  );
  await serviceWith(instance, 'crowded', tables);
  await signIn(page, instance);
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await page.goto(`${instance.url}/schema/crowded?view=diagram`);
  await expect(drawing(page).locator('[data-table]')).toHaveCount(count, { timeout: 60_000 });
  // All of them are in the window.
  const stage = await frameOf(drawing(page));
  const whole = await frameOf(drawing(page).locator('> g'));
  expect(whole.x).toBeGreaterThanOrEqual(stage.x);
  expect(whole.x + whole.width).toBeLessThanOrEqual(stage.x + stage.width);
  expect(whole.y + whole.height).toBeLessThanOrEqual(stage.y + stage.height);

  const takeLongTasks = () => page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks.splice(0));
  await takeLongTasks();
  const middle = { x: stage.x + stage.width / 2, y: stage.y + stage.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down({ button: 'middle' });
  for (let step = 1; step <= 30; step += 1) await page.mouse.move(middle.x + step * 5, middle.y - step * 3);
  await page.mouse.up({ button: 'middle' });
  expect(Math.round((await frameOf(drawing(page).locator('> g'))).x - whole.x)).toBe(150);
  const longTasks = await takeLongTasks();
  if (isSoak) expect(longTasks.filter((duration) => duration > 100)).toEqual([]);

  await page.getByRole('searchbox', { name: 'Find a table or field' }).fill(`part_${count - 1}`);
  await page.keyboard.press('Enter');
  await expect(tableBox(page, `part_${count - 1}`)).toBeInViewport();
  await expect(drawing(page).locator('[data-current]')).toHaveAttribute('data-table', `part_${count - 1}`);
  await tableBox(page, `part_${count - 1}`).click();
  await button(page, 'Neighbourhood').click();
  await expect(page.getByRole('heading', { name: `Around part_${count - 1}` })).toBeVisible();
});
