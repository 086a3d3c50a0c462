// Data: what the table editor reads of a table, how a field of each type is edited, and what it asks and says on the way.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Page, Request } from '@playwright/test';
import { test as base, expect, type Instance, signIn } from './instance.ts';

/** A table for each subject, so that journeys do not see each other's changes. */
const schema = `
  create table colour (id integer primary key autoincrement, name varchar(20) not null);
  insert into colour (name) values ('red'), ('green'), ('blue');
  create table contact (
    id integer primary key autoincrement, note text, made date, street varchar(40), city varchar(40), title varchar(20),
    first_name varchar(40), last_name varchar(40), name varchar(80), age integer, email varchar(80), work_email varchar(80),
    phone varchar(20), surnamed boolean
  );
  create table task (
    id integer primary key autoincrement, title varchar(40) not null, done boolean, colour_id integer references colour (id)
  );
  create table chore (id integer primary key autoincrement, title varchar(40) not null, done boolean);
  insert into chore (title, done) values ('Sweep', 1), ('Dust', 0), ('Wash', null), ('Iron', 1);
  create table rule (
    id integer primary key autoincrement, code varchar(12) not null, state varchar(10) not null default 'open',
    size varchar(10), origin varchar(20) default 'import', colour_id integer references colour (id)
  );
  create table kind (
    id integer primary key autoincrement, a_string varchar(20), a_text text, an_integer integer, a_boolean boolean,
    a_binary blob, a_float float, a_double double, a_decimal decimal(10,2), a_datetime datetime, a_date date, a_time time,
    a_timestamp timestamp, a_reference integer references colour (id), owner integer, made_by integer,
    changed_by integer, made_at timestamp, changed_at timestamp
  );`;

/** Types that are kept beside the database, for it has none like them. */
const addedTypes = {
  owner: 'user_id',
  made_by: 'user_id_on_create',
  changed_by: 'user_id_on_update',
  made_at: 'timestamp_on_create',
  changed_at: 'timestamp_on_update',
};

const test = base.extend<object, { office: Instance }>({
  office: [
    async ({ instance }, use) => {
      await makeOffice(instance);
      await use(instance);
    },
    { scope: 'worker' },
  ],
});

/** A service `office` of the journeys' own. */
async function makeOffice(instance: Instance): Promise<void> {
  const database = new DatabaseSync(join(instance.dataFolder, 'db', 'office.sqlite'));
  database.exec(schema);
  const insert = (table: string, names: string, count: number, valuesOf: (number: number) => (string | number)[]) => {
    const statement = database.prepare(`insert into ${table} (${names}) values (${names.replace(/\w+/g, '?')})`);
    for (let number = 1; number <= count; number++) statement.run(...valuesOf(number));
  };
  insert('contact', 'first_name, last_name, email, city, note', 53, (number) => [
    `Ann ${number}`,
    `Writer ${number}`,
    `ann${number}@example.com`,
    'Falun',
    `Note ${number}`,
  ]);
  insert('task', 'title, done, colour_id', 60, (number) => [`Task ${number}`, number % 2, (number % 3) + 1]);
  database.close();
  const service = { name: 'office', label: 'Office', type: 'sqlite', is_active: true };
  const creation = await instance.api('POST', 'system/service', {
    resource: [{ ...service, config: { database: 'office.sqlite' } }],
  });
  expect(creation.status).toBe(201);
}

const grid = (page: Page) => page.getByRole('grid');
const records = (page: Page) =>
  grid(page)
    .locator('tr[aria-rowindex]')
    .filter({ has: page.getByRole('gridcell') });
const cell = (page: Page, row: number, column: number) => page.locator(`[data-at="${row}:${column}"]`);
const pane = (page: Page) => page.getByRole('dialog', { name: /^(Edit|Create) / });
const field = (page: Page, name: string) => pane(page).getByRole('textbox', { name, exact: true });
const question = (page: Page) => page.getByRole('dialog', { name: /\?$/ });
const stored = async (office: Instance, place: string) => (await office.api('GET', `office/_table/${place}`)).body;
const heads = (page: Page) => grid(page).getByRole('columnheader').filter({ hasText: /\w/ }).allTextContents();

async function open(page: Page, office: Instance, place: string): Promise<void> {
  await signIn(page, office);
  await page.goto(`${office.url}/data/office/${place}`);
}

/** The requests for a table's records from now on, in a list that grows. */
function requestsOf(page: Page, table: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith(`/office/_table/${table}`)) requests.push(request);
  });
  return requests;
}

async function typeInCell(page: Page, row: number, column: number, text: string): Promise<void> {
  await cell(page, row, column).dblclick();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const save = (page: Page) => pane(page).getByRole('button', { name: 'Save', exact: true }).click();

test('DAT-010 the tab says so when the list of services is refused or the connection is lost, and loads it at the next try', async ({
  page,
  context,
  office,
}) => {
  const app = { name: 'Closed', type: 0, is_active: false };
  const { status, body } = await office.api('POST', 'system/app?fields=api_key', { resource: [app] });
  expect(status).toBe(201);
  const words = 'There was an error loading the Data tab. Please try refreshing your browser and logging in again.';
  const main = page.getByRole('main');
  const message = page.getByRole('region', { name: 'Notices' }).getByRole('alert').filter({ hasText: words });
  const service = main.getByRole('link', { name: /^Office/ });
  await signIn(page, office);
  // The key of an app that is switched off: the server itself refuses the call.
  const list = (url: URL) => url.pathname === '/api/v2/';
  await page.route(list, (route) =>
    route.continue({ headers: { ...route.request().headers(), 'x-dreamfactory-api-key': body.resource[0].api_key } }),
  );
  await page.goto(`${office.url}/data`);
  await expect(message).toBeVisible();
  await expect(main.getByRole('alert').filter({ hasText: words })).toContainText('App is not active.');
  await page.unroute(list);
  await main.getByRole('button', { name: 'Try again' }).click();
  await expect(service).toBeVisible();
  await expect(main.getByText(words)).toHaveCount(0);

  await page.goto(`${office.url}/home`);
  await expect(main.getByText('Office', { exact: true }).first()).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('navigation').getByRole('link', { name: 'Data', exact: true }).click();
  await expect(message).toBeVisible();
  await expect(service).toHaveCount(0);
  // Once the server can be reached again, it is read without being asked for.
  await context.setOffline(false);
  await expect(service).toBeVisible();
});

test('TBL-001 TBL-010 TBL-046 a table shows the records, count and schema it read, names and addresses first; TBL-005 Refresh reads again', async ({
  page,
  office,
}) => {
  await office.api('PATCH', 'office/_schema/contact', { label: 'People we know' });
  const requests = requestsOf(page, 'contact');
  const reading = page.waitForResponse(/office\/_table\/contact\?/);
  await open(page, office, 'contact');
  const { meta, resource } = await (await reading).json();
  expect([meta.count, meta.schema.label, meta.schema.field.length]).toEqual([53, 'People we know', 14]);
  await expect(page.getByRole('heading', { name: 'People we know' })).toBeVisible();
  await expect(page.getByText('1–50 of 53')).toBeVisible();
  const shown = ['id', 'title', 'first_name', 'last_name', 'name', 'email', 'work_email', 'phone'];
  expect(await heads(page)).toEqual(shown);
  const first = shown.map((name) => String(resource[0][name] ?? 'NULL'));
  expect(first.slice(0, 4)).toEqual(['1', 'NULL', 'Ann 1', 'Writer 1']);
  for (const [column, text] of first.entries()) await expect(cell(page, 0, column)).toHaveText(text);
  await page.getByRole('button', { name: 'Visible Fields' }).click();
  await expect(page.getByText('8 of 14 shown')).toBeVisible();
  await page.keyboard.press('Escape');

  // What somebody else changes is seen when it is read again, and not before.
  await office.api('PATCH', 'office/_table/contact/1', { first_name: 'Selma' });
  await office.api('POST', 'office/_table/contact', { resource: [{ first_name: 'Bo' }] });
  await office.api('PATCH', 'office/_schema/contact', { label: 'Everybody' });
  await expect(cell(page, 0, 2)).toHaveText('Ann 1');
  expect(requests).toHaveLength(1);
  await page.getByRole('button', { name: 'Refresh Results' }).click();
  await expect(cell(page, 0, 2)).toHaveText('Selma');
  await expect(page.getByText('1–50 of 54')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Everybody' })).toBeVisible();
  expect(requests).toHaveLength(2);
});

test('TBL-009 the editor goes by what the schema says of a field: its default, NULL, picklist, rules and reference', async ({
  page,
  office,
}) => {
  const described = await office.api('PATCH', 'office/_schema/rule', {
    field: [
      { name: 'state', picklist: ['open', 'done'], validation: { picklist: {} } },
      { name: 'size', label: 'How large', picklist: ['S', 'M'] },
      { name: 'origin', validation: { api_read_only: {} } },
    ],
  });
  expect(described.status).toBe(200);
  const requests = requestsOf(page, 'rule');
  await open(page, office, 'rule/new');
  // The name and the type of each.
  for (const words of ['id · integer', 'code · varchar(12)', 'size · varchar(10)', 'colour_id · integer'])
    await expect(pane(page).getByText(words, { exact: true })).toBeVisible();
  // auto_increment, required, allow_null.
  await expect(field(page, 'Id')).toHaveAccessibleDescription('The database counts this up by itself.');
  await expect(pane(page).getByText('(required)')).toHaveCount(1);
  const nullButtons = pane(page).getByRole('button', { name: / to NULL$/ });
  await expect(nullButtons).toHaveCount(2);
  await expect(nullButtons.first()).toHaveAccessibleName('Set How large to NULL');
  await expect(nullButtons.last()).toHaveAccessibleName('Set Colour Id to NULL');
  await save(page);
  await expect(pane(page).getByText('A value is needed here.')).toHaveCount(1);
  await expect(field(page, 'Code (required)')).toHaveAttribute('aria-invalid', 'true');
  expect(requests.filter((request) => request.method() !== 'GET')).toEqual([]);
  await field(page, 'Code (required)').fill('A1');
  // default; a picklist as the only values, and as suggestions.
  const state = pane(page).getByRole('combobox', { name: 'State' });
  await expect(state).toHaveAttribute('placeholder', 'Default: open');
  await state.click();
  await expect(page.getByRole('option')).toHaveText(['open', 'done']);
  await page.keyboard.press('Escape');
  const size = pane(page).getByRole('combobox', { name: 'How large' });
  await size.click();
  await expect(page.getByRole('option')).toHaveText(['S', 'M']);
  await size.fill('XL');
  await page.keyboard.press('Escape');
  // validation (api_read_only).
  await expect(field(page, 'Origin')).toHaveAttribute('readonly');
  await expect(field(page, 'Origin')).toHaveAccessibleDescription('Read only');
  // ref_table, ref_field.
  await expect(field(page, 'Colour Id')).toHaveAccessibleDescription('Refers to colour.id');
  await field(page, 'Colour Id').fill('2');
  await expect(pane(page).getByRole('link', { name: 'Open green in Colour' })).toBeVisible();
  await save(page);
  await expect(page.getByText('Record created.')).toBeVisible();
  const posted = requests.find((request) => request.method() === 'POST');
  expect(posted?.postDataJSON()).toEqual({ resource: [{ code: 'A1', size: 'XL', colour_id: 2 }] });
  expect((await stored(office, 'rule')).resource).toEqual([
    { id: 1, code: 'A1', state: 'open', size: 'XL', origin: 'import', colour_id: 2 },
  ]);
});

test('TBL-012 a field of each type is shown, typed, saved and shown again; the server keeps who and when', async ({
  page,
  office,
}) => {
  const types = Object.entries(addedTypes).map(([name, type]) => ({ name, type }));
  expect((await office.api('PATCH', 'office/_schema/kind', { field: types })).status).toBe(200);
  const reading = page.waitForResponse(/office\/_table\/kind\?/);
  await open(page, office, 'kind/new');
  const { meta } = await (await reading).json();
  expect(meta.schema.field.map(({ type }: { type: string }) => type)).toEqual([
    ...[
      'id',
      'string',
      'text',
      'integer',
      'boolean',
      'binary',
      'float',
      'double',
      'decimal',
      'datetime',
      'date',
      'time',
    ],
    ...['timestamp', 'reference', ...Object.values(addedTypes)],
  ]);

  const typed = {
    'A String': 'words',
    'A Text': 'one\ntwo',
    'An Integer': '41',
    'A Float': '1.5',
    'A Double': '2.25',
    'A Decimal': '12.50',
    'A Datetime': '2018-11-20 10:29:59',
    'A Date': '2018-11-20',
    'A Time': '10:29:59',
    'A Timestamp': '2018-11-20 10:30:00',
    'A Reference': '3',
    Owner: '1',
  };
  for (const [name, text] of Object.entries(typed)) await field(page, name).fill(text);
  expect(await field(page, 'A Text').evaluate(({ tagName }) => tagName)).toBe('TEXTAREA');
  await field(page, 'An Integer').press('ArrowUp');
  await expect(pane(page).getByRole('link', { name: 'Open blue in Colour' })).toBeVisible();
  const choices = pane(page).getByRole('radiogroup', { name: 'A Boolean' });
  await expect(choices.getByRole('radio')).toHaveCount(3);
  await choices.getByText('TRUE').click();
  await pane(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 255]) });
  await expect(pane(page).getByText('BINARY DATA · 3 bytes')).toBeVisible();
  for (const name of ['Made By', 'Changed By', 'Made At', 'Changed At']) {
    await expect(field(page, name)).toHaveAttribute('readonly');
    await expect(field(page, name)).toHaveAccessibleDescription('Kept by the server');
  }
  const posting = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('kind'));
  await save(page);
  await expect(page.getByText('Record created.')).toBeVisible();
  const values = {
    a_string: 'words',
    a_text: 'one\ntwo',
    an_integer: 42,
    a_boolean: true,
    a_binary: 'AAH/',
    a_float: 1.5,
    a_double: 2.25,
    a_decimal: 12.5,
    a_datetime: '2018-11-20 10:29:59',
    a_date: '2018-11-20',
    a_time: '10:29:59',
    a_timestamp: '2018-11-20 10:30:00',
    a_reference: 3,
    owner: 1,
  };
  expect((await posting).postDataJSON()).toEqual({ resource: [values] });
  const made = await stored(office, 'kind/1');
  expect(made).toMatchObject({ ...values, a_decimal: expect.anything(), id: 1, made_at: made.changed_at });
  expect(Number(made.a_decimal)).toBe(12.5);
  const { body: session } = await office.api('GET', 'system/admin/session');
  expect([made.made_by, made.changed_by]).toEqual([session.id, session.id]);

  await page.goto(`${office.url}/data/office/kind/record?key=1`);
  const shown = { ...typed, 'An Integer': '42', 'A Decimal': String(made.a_decimal) };
  for (const [name, text] of Object.entries({ ...shown, 'Made At': made.made_at, 'Made By': String(session.id) }))
    await expect(field(page, name)).toHaveValue(text);
  await expect(pane(page).getByRole('radio', { name: 'TRUE' })).toBeChecked();
  await expect(pane(page).getByText('BINARY DATA · 3 bytes')).toBeVisible();
});

test('TBL-013 records are marked as selected, unsaved, exported to a field and hidden; none of it is sent', async ({
  page,
  office,
}) => {
  const requests = requestsOf(page, 'task');
  await open(page, office, 'task');
  const row = (text: string) => records(page).filter({ has: page.getByRole('gridcell', { name: text, exact: true }) });
  await page.getByRole('checkbox', { name: 'Select record 12' }).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await expect(grid(page).locator('tr[aria-selected=true]')).toHaveText(/Task 12/);

  await typeInCell(page, 10, 1, 'Changed');
  const unsaved = records(page).filter({ hasText: 'Not saved yet' });
  await expect(unsaved).toHaveCount(1);
  await expect(unsaved).toContainText('Changed');
  await expect(page.getByText('1 unsaved')).toBeVisible();

  // The record a reference holds now is marked among those it may hold; the chosen one gives the field its value.
  await row('Task 13').getByRole('link', { name: 'Open record 13' }).click();
  await field(page, 'Colour Id').press('ArrowDown');
  await expect(page.getByRole('option')).toHaveCount(3);
  await expect(page.getByRole('option').and(page.locator('[data-combobox-active]'))).toHaveText(/green/);
  await page.getByRole('option', { name: /blue/ }).click();
  await expect(field(page, 'Colour Id')).toHaveValue('3');
  await pane(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(pane(page)).toHaveCount(0);
  await expect(unsaved).toHaveCount(2);
  await expect(grid(page).locator('tr[aria-selected=true]')).toHaveText(/Task 12/);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Records saved.')).toBeVisible();
  await expect(unsaved).toHaveCount(0);
  const patched = requests.filter((request) => request.method() === 'PATCH');
  expect(patched.map((request) => request.postDataJSON().resource)).toEqual([
    [
      { id: 11, title: 'Changed' },
      { id: 13, colour_id: 3 },
    ],
  ]);

  await page.goto(`${office.url}/data/office/colour/related?key=2&child=task_by_colour_id`);
  const parents = page.getByRole('table', { name: 'Colour' });
  await expect(parents.getByRole('row')).toHaveCount(2);
  await expect(parents).toContainText('green');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(records(page)).toHaveText([/red/, /green/, /blue/]);
});

test('TBL-015 TBL-016 filtering and Refresh ask before unsaved records are lost; TBL-037 a single record is reverted', async ({
  page,
  office,
}) => {
  const requests = requestsOf(page, 'task');
  await open(page, office, 'task');
  await expect(cell(page, 0, 1)).toHaveText('Task 1');
  await page.getByRole('button', { name: 'Filters' }).click();
  await choose(page, 'Filter By', 'title');
  await page.getByRole('textbox', { name: 'Filter Value' }).fill('Task 5');
  const apply = () => page.getByRole('button', { name: 'Apply' }).first().click();
  const refresh = () => page.getByRole('button', { name: 'Refresh Results' }).click();

  for (const [leave, firstTitle] of [
    [apply, 'Task 5'],
    [refresh, 'Task 5'],
  ] as const) {
    await typeInCell(page, 0, 1, 'Not yet');
    const before = requests.length;
    const address = page.url();
    await leave();
    await expect(question(page)).toContainText('You have Unsaved records.  Continue without saving?');
    await question(page).getByRole('button', { name: 'Stay here' }).click();
    await expect(question(page)).toHaveCount(0);
    await expect(cell(page, 0, 1)).toHaveText('Not yet');
    await expect(page.getByText('1 unsaved')).toBeVisible();
    expect([requests.length, page.url()]).toEqual([before, address]);
    await leave();
    await question(page).getByRole('button', { name: 'Continue without saving' }).click();
    await expect(cell(page, 0, 1)).toHaveText(firstTitle);
    await expect(page.getByText(/unsaved/)).toHaveCount(0);
    expect(requests).toHaveLength(before + 1);
    expect(new URL(requests.at(-1)?.url() ?? '').searchParams.get('filter')).toBe('title like "%Task 5%"');
  }

  await records(page).first().getByRole('link', { name: 'Open record 5' }).click();
  const revert = pane(page).getByRole('button', { name: 'Revert' });
  await expect(revert).toBeDisabled();
  await field(page, 'Title (required)').fill('Not yet');
  await expect(pane(page).getByText('1 field changed, not saved')).toBeVisible();
  await revert.click();
  await expect(page.getByText('Record reverted.')).toBeVisible();
  await expect(field(page, 'Title (required)')).toHaveValue('Task 5');
  await expect(pane(page).getByText(/not saved/)).toHaveCount(0);
  await expect(revert).toBeDisabled();
  expect(requests.filter((request) => request.method() !== 'GET')).toEqual([]);
});

test('TBL-040 TBL-041 Save and Delete say what they miss; TBL-021 a boolean is compared by = with TRUE or FALSE', async ({
  page,
  office,
}) => {
  const requests = requestsOf(page, 'chore');
  await open(page, office, 'chore');
  await expect(records(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('No records selected for save.')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No records selected for delete.')).toBeVisible();
  await expect(question(page)).toHaveCount(0);
  expect(requests).toHaveLength(1);

  await page.getByRole('button', { name: 'Filters' }).click();
  await choose(page, 'Filter By', 'done');
  await expect(page.getByRole('combobox', { name: 'Operator' })).toHaveValue('=');
  for (const [value, left] of [
    ['TRUE', [/Sweep/, /Iron/]],
    ['FALSE', [/Dust/]],
  ] as const) {
    await page.getByRole('combobox', { name: 'Filter Value' }).click();
    await expect(page.getByRole('option')).toHaveText(['TRUE', 'FALSE']);
    await page.getByRole('option', { name: value, exact: true }).click();
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await expect(records(page)).toHaveText(left);
    expect(new URL(requests.at(-1)?.url() ?? '').searchParams.get('filter')).toBe(`done = ${value}`);
    await page.getByRole('button', { name: `Remove the filter done = ${value}` }).click();
    await expect(records(page)).toHaveCount(4);
  }
});
