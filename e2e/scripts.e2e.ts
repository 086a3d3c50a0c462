// The Scripts screen: down to a script by its event, all scripts in a list, and who may see it.
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeGuest } from './guests.ts';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const column = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true });
const entry = (page: Page, level: string, name: string | RegExp) => column(page, level).getByRole('link', { name });
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Where this is' });
const heading = (page: Page, name: string) => main(page).getByRole('heading', { name, exact: true });

async function aScript(instance: Instance, name: string, more: Record<string, unknown> = {}): Promise<void> {
  const script = { name, type: 'v8js', content: '// nothing yet', is_active: true, ...more };
  const { status } = await instance.api('POST', `system/event_script/${encodeURIComponent(name)}`, script);
  expect([200, 201]).toContain(status);
}

test.afterEach(async ({ instance }) => {
  await instance.api('DELETE', 'system/event_script?force=true');
});

const template = 'world._table.{table_name}';

test('SCR-001 SCR-002 SCR-003 SCR-012 SCR-013 SCR-022 NAV-030 a drill-down leads from service to resource, endpoint and script, with a breadcrumb, a way back and jumps', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Scripts', exact: true }).click();
  await expect(page).toHaveURL(/\/scripts$/);
  await expect(page.getByRole('navigation', { name: 'Places' }).locator('[aria-current="page"]')).toHaveText('Admin');
  await expect(heading(page, 'You have no Scripts!')).toBeVisible();

  const events = page.waitForRequest(/\/system\/event\?/);
  await entry(page, 'Service', /^world/).click();
  expect(Object.fromEntries(new URL((await events).url()).searchParams)).toEqual({
    service: 'world',
    scriptable: 'true',
  });
  await entry(page, 'Resource', '_table.{table_name}')
    .and(page.getByTitle(template, { exact: true }))
    .click();
  // Verbs, each with what runs before, after and later.
  for (const name of ['get', 'get.pre_process', 'get.post_process', 'get.queued', 'delete.pre_process'])
    await expect(column(page, 'Endpoint').getByTitle(`${template}.${name}`, { exact: true })).toBeVisible();
  await column(page, 'Endpoint').getByTitle(`${template}.get.pre_process`, { exact: true }).click();
  // The endpoint itself, and a script for each table.
  const { body } = await instance.api('GET', 'world/_table?as_list=true');
  const names = [template, ...body.resource.map((table: string) => `world._table.${table}`)];
  const titles = () =>
    column(page, 'Script')
      .getByRole('link')
      .evaluateAll((links) => links.map(({ title }) => title));
  await expect.poll(titles).toEqual(names.map((name) => `${name}.get.pre_process`));

  // Each level has an address of its own.
  const address = page.url();
  await page.reload();
  await expect.poll(titles).toHaveLength(names.length);
  await expect(crumbs(page).getByRole('listitem').filter({ hasText: /\w/ })).toHaveText([
    'Scripts',
    'world',
    '_table.{table_name}',
    'get.pre_process',
  ]);
  await expectAccessible(page, 'four levels');
  await column(page, 'Script').getByTitle('world._table.people.get.pre_process', { exact: true }).click();
  await expect(heading(page, 'Create Script')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Script Name' })).toHaveValue('world._table.people.get.pre_process');

  // Back goes one level up, a word of the breadcrumb any number of them.
  await crumbs(page).getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(address);
  await crumbs(page).getByRole('link', { name: 'Back' }).click();
  await expect(column(page, 'Script')).toHaveCount(0);
  await expect(column(page, 'Endpoint')).toBeVisible();
  await crumbs(page).getByRole('link', { name: 'world', exact: true }).click();
  await expect(page).toHaveURL(/\/scripts\/events\/world$/);
  await expect(column(page, 'Endpoint')).toHaveCount(0);
  await crumbs(page).getByRole('link', { name: 'Scripts', exact: true }).click();
  await expect(page).toHaveURL(/\/scripts$/);

  // One jumps to any name.
  await page.getByRole('combobox', { name: 'Jump to a script or event' }).fill('world.my.own.name');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Script Name' })).toHaveValue('world.my.own.name');
});

test('each level says how many scripts it leads to, those without an event too', async ({ page, instance }) => {
  await aScript(instance, 'world._table.people.get.pre_process');
  await aScript(instance, 'world._table.{table_name}.get.pre_process');
  await aScript(instance, 'world.my.own.name');
  await signIn(page, instance);
  await page.goto(`${instance.url}/scripts`);
  await expect(entry(page, 'Service', /^world/)).toContainText('3 scripts');
  await expect(entry(page, 'Service', /^db/)).not.toContainText('script');
  await entry(page, 'Service', /^world/).click();
  await expect(column(page, 'Resource').getByTitle(template, { exact: true })).toContainText('2 scripts');
  await expect(entry(page, 'Resource', 'Other names')).toContainText('1 script');
  await column(page, 'Resource').getByTitle(template, { exact: true }).click();
  await column(page, 'Endpoint').getByTitle(`${template}.get.pre_process`, { exact: true }).click();
  await expect(column(page, 'Script').getByText('Script', { exact: true })).toHaveCount(3);
  await page.goto(`${instance.url}/scripts/events/world/_other`);
  await entry(page, 'Script', /world\.my\.own\.name/).click();
  await expect(heading(page, 'Edit world.my.own.name')).toBeVisible();
});

test('a script is found and written by keyboard alone', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/scripts`);
  await entry(page, 'Service', /^world/).focus();
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).title);
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toBe('world');
  // The right level is found by a word.
  await column(page, 'Resource').getByRole('textbox').focus();
  await page.keyboard.type('_table.{table_name}.{id}');
  await page.keyboard.press('ArrowDown');
  await expect.poll(focused).toBe(`${template}.{id}`);
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe(`${template}.{id}.get`);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toBe(`${template}.{id}.get.pre_process`);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(focused).toBe(`${template}.{id}.get.pre_process`);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Create Script')).toBeVisible();
  const isAt = (label: string) =>
    page.evaluate((name) => document.activeElement?.getAttribute('aria-label') === name, label);
  await expect(page.getByRole('textbox', { name: 'Script', exact: true })).toBeVisible();
  for (let tabs = 0; tabs < 40 && !(await isAt('Script')); tabs++) await page.keyboard.press('Tab');
  expect(await isAt('Script')).toBe(true);
  await page.keyboard.type('let a = 1;');
  await page.keyboard.press('ControlOrMeta+s');
  const name = `${template}.{id}.get.pre_process`;
  await expect(page.getByText(`Script "${name}" saved successfully.`).first()).toBeVisible();
  // The caret stays where it was.
  await page.keyboard.type(' let b;');
  await page.keyboard.press('ControlOrMeta+s');
  await expect
    .poll(async () => (await instance.api('GET', `system/event_script/${encodeURIComponent(name)}`)).body.content)
    .toBe('let a = 1; let b;');
});

test('all scripts stand in a list: when they ran last, found by a word, switched off and deleted', async ({
  page,
  instance,
}) => {
  for (let number = 1; number <= 40; number++) await aScript(instance, `world._table.people.custom${number}.get`);
  await aScript(instance, 'world._table.cities.get', { content: 'throw new Error("broken")' });
  expect((await instance.api('GET', 'world/_table/cities?limit=1')).status).toBe(500);
  await signIn(page, instance);
  await page.goto(`${instance.url}/scripts`);
  await main(page).getByRole('link', { name: 'All scripts (41)' }).click();
  const row = (name: string) => main(page).getByRole('row').filter({ hasText: name });
  await expect(row('world._table.cities.get')).toContainText('Failed');
  await page.getByRole('searchbox', { name: 'Filter scripts' }).fill('custom39');
  await expect(main(page).getByRole('row')).toHaveCount(2);
  await row('custom39')
    .getByRole('button', { name: /^Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await expect(row('custom39')).toContainText('No');
  const path = 'system/event_script/world._table.people.custom39.get';
  expect((await instance.api('GET', path)).body).toMatchObject({ is_active: false, content: '// nothing yet' });
  await row('custom39')
    .getByRole('button', { name: /^Actions/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('dialog', { name: 'Delete world._table.people.custom39.get?' });
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Script deleted successfully.')).toBeVisible();
  expect((await instance.api('GET', path)).status).toBe(404);
});

const reading = [
  // The root of the service tells what of it one may do.
  { service: 'system', component: '', verb_mask: 1 },
  { service: 'system', component: 'event_script/*', verb_mask: 1 },
  { service: 'system', component: 'event/*', verb_mask: 1 },
  { service: 'system', component: 'script_type/*', verb_mask: 1 },
  { service: 'world', component: '*', verb_mask: 1 },
];

test('SCR-019 SCR-020 SCR-021 without the right to read scripts a message says what is missing, and the console goes home; with it alone nothing is changed', async ({
  page,
  instance,
}) => {
  await aScript(instance, 'world._table.people.get.pre_process');
  for (const missing of [1, 3]) {
    const rows = reading.filter((_, index) => index !== missing);
    await signIn(page, instance, await makeGuest(instance, rows));
    await page.goto(`${instance.url}/scripts`);
    await expect(
      page
        .getByText(
          'To use the Scripts tab your role must allow GET access to system/event_script, system/event, and system/script_type. To create, update, or delete scripts you need POST and DELETE access to /system/event_script.',
        )
        .first(),
    ).toBeVisible();
    await expect(page).toHaveURL(/\/home$/);
  }
  // Without system/event the services are there, and what is below them is not.
  await signIn(page, instance, await makeGuest(instance, reading.toSpliced(2, 1)));
  await page.goto(`${instance.url}/scripts/events/world`);
  await expect(page).toHaveURL(/\/home$/);

  await signIn(page, instance, await makeGuest(instance, reading));
  await page.goto(`${instance.url}/scripts/edit/world._table.people.get.pre_process`);
  await expect(heading(page, 'Edit world._table.people.get.pre_process')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Script', exact: true })).toHaveAttribute('aria-readonly', 'true');
  await expect(page.getByRole('switch', { name: 'Active' })).toBeDisabled();
  for (const name of ['Save', 'Delete'])
    await expect(main(page).getByRole('button', { name, exact: true })).toHaveCount(0);

  const writing = { service: 'system', component: 'event_script/*', verb_mask: 3 };
  await signIn(page, instance, await makeGuest(instance, reading.with(1, writing)));
  await page.reload();
  await expect(main(page).getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  await expect(main(page).getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0);
});

test('SCR-029 SCR-035 a section that cannot be loaded says so; a hosted instance says that there are no scripts', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  const error = { code: 500, context: null, message: 'It broke.', status_code: 500 };
  await page.route(/system\/event_script\?/, (route) => route.fulfill({ status: 500, json: { error } }));
  await page.goto(`${instance.url}/scripts`);
  const text =
    'There was an error loading data for the Scripts tab. Please try refreshing your browser and logging in again.';
  await expect(page.getByRole('heading', { name: text })).toBeVisible();
  await page.unroute(/system\/event_script\?/);
  await main(page).getByRole('button', { name: 'Try again' }).click();
  await expect(entry(page, 'Service', /^world/)).toBeVisible();

  await page.route(/system\/environment/, async (route) => {
    const response = await route.fetch();
    const environment = await response.json();
    environment.platform.is_hosted = true;
    await route.fulfill({ response, json: environment });
  });
  await page.goto(`${instance.url}/scripts`);
  await expect(page.getByText('Scripting is not available in the hosted edition.')).toBeVisible();
  await expect(column(page, 'Service')).toHaveCount(0);
});
