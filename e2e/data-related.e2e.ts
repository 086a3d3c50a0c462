// Data: records and those they belong to or own: references, child tables, assignments; and what a record's pane edits.
import { readFile } from 'node:fs/promises';
import type { Page, Request } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn } from './instance.ts';
import { image, test } from './library.ts';

const grid = (page: Page, name: string) => page.getByRole('grid', { name, exact: true });
const pane = (page: Page) => page.getByRole('dialog').first();
const field = (page: Page, name: string | RegExp) => pane(page).getByRole('textbox', { name });
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const parametersOf = (request: Request) => Object.fromEntries(new URL(request.url()).searchParams);
const stored = async (library: Instance, place: string) => (await library.api('GET', `library/_table/${place}`)).body;

async function open(page: Page, library: Instance, place: string): Promise<void> {
  await signIn(page, library);
  await page.goto(`${library.url}/data/library/${place}`);
}

async function save(page: Page, words = 'Record saved.'): Promise<void> {
  await pane(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(words)).toBeVisible();
}

test('DAT-003 TBL-007 TBL-017 TBL-018 TBL-019 a record opens one of its tables: its other rows go, its buttons rest', async ({
  page,
  library,
}) => {
  await open(page, library, 'author/record?key=1');
  await pane(page).getByRole('link', { name: 'Book By Author Id' }).click();
  await expect(page).toHaveURL(/\/author\/related\?key=1&child=book_by_author_id$/);
  await expect(panel(page, 'Book By Author Id').getByRole('row').filter({ hasText: 'Volume 1' }).first()).toBeVisible();
  const parent = page.getByRole('table', { name: 'Author' });
  await expect(parent.getByRole('row')).toHaveCount(2);
  await expect(parent).toContainText('Lagerlöf');
  await expect(page.getByText('Writer 1', { exact: true })).toHaveCount(0);
  const resting = page.getByRole('group', { name: /buttons rest/ });
  for (const button of await resting.getByRole('button').all()) await expect(button).toBeDisabled();
  expect(await resting.getByRole('button').count()).toBeGreaterThan(3);
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeDisabled();

  // Another one takes its place; the address holds it, so that reload and Back work.
  await page.goto(`${library.url}/data/library/book/related?key=1`);
  await expect(page.getByText('Choose one of the tables that belong to this record.')).toBeVisible();
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Related Child Table' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await choose('Review By Book Id');
  await expect(grid(page, 'Review').getByText('Fine')).toBeVisible();
  await choose('Book Tag By Book Id');
  await expect(grid(page, 'Book Tag')).toBeVisible();
  await expect(grid(page, 'Review')).toHaveCount(0);
  await page.goBack();
  await expect(grid(page, 'Review').getByText('Fine')).toBeVisible();
  await page.reload();
  await expect(grid(page, 'Review').getByText('Fine')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page).toHaveURL(/\/data\/library\/book$/);
  await expect(grid(page, 'Book').getByText('Of Another')).toBeVisible();
});

test('TBL-029 TBL-043 C-DAT-09 a child table shows ten records a page, and makes, changes and deletes them', async ({
  page,
  library,
}) => {
  await signIn(page, library);
  const reading = page.waitForRequest(/library\/_table\/book\?/);
  await page.goto(`${library.url}/data/library/author/related?key=1&child=book_by_author_id`);
  expect(parametersOf(await reading)).toEqual({
    filter: 'author_id = 1',
    limit: '10',
    offset: '0',
    fields: '*',
    include_schema: 'true',
    include_count: 'true',
  });
  const books = panel(page, 'Book By Author Id');
  await expect(books.getByText('1–10 of 13')).toBeVisible();
  await books.getByRole('button', { name: 'Next page' }).click();
  await expect(books.getByText('11–13 of 13')).toBeVisible();
  await expect(page).toHaveURL(/child\.page=2/);
  await page.reload();
  await expect(books.getByText('11–13 of 13')).toBeVisible();

  await books.getByRole('link', { name: 'Create', exact: true }).click();
  await expect(field(page, /^Author Id/)).toHaveValue('1');
  await expect(pane(page).getByRole('link', { name: 'Open Selma Lagerlöf in Author' })).toBeVisible();
  await field(page, /^Title/).fill('Jerusalem');
  await save(page, 'Record created.');
  await expect(books.getByText('11–14 of 14')).toBeVisible();
  const [made] = (await stored(library, 'book?filter=title%3DJerusalem')).resource;
  expect(made.author_id).toBe(1);

  await page.goto(
    `${library.url}/data/library/author/related?key=1&child=book_by_author_id&child.page=2&child.pane=record&child.key=${made.id}`,
  );
  await field(page, /^Title/).fill('Jerusalem I');
  await save(page);
  expect((await stored(library, `book/${made.id}`)).title).toBe('Jerusalem I');
  await expect(grid(page, 'Book').getByText('Jerusalem I', { exact: true })).toBeVisible();

  await page.goto(
    `${library.url}/data/library/author/related?key=1&child=book_by_author_id&child.pane=record&child.key=${made.id}`,
  );
  await pane(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Record deleted.')).toBeVisible();
  await expect(books.getByText('1–10 of 13')).toBeVisible();

  await books.getByRole('link', { name: 'Whole table' }).click();
  await expect(page).toHaveURL(/\/data\/library\/book\?filter=author_id/);
  await expect(page.getByText('1–13 of 13')).toBeVisible();
});

test('a child’s unsaved record is not lost without a question', async ({ page, library }) => {
  await open(page, library, 'author/related?key=1&child=book_by_author_id&child.pane=record&child.key=2');
  await field(page, /^Title/).fill('Not yet');
  await pane(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  const question = page.getByRole('dialog', { name: /\?$/ });
  await expect(question).toContainText('You have Unsaved records.  Continue without saving?');
  await question.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await question.getByRole('button', { name: 'Continue without saving' }).click();
  await expect(page).toHaveURL(/\/data\/library\/author$/);
  expect((await stored(library, 'book/2')).title).toBe('Volume 1');
});

test('TBL-011 records behind a junction are shown, added and removed by the junction’s own records', async ({
  page,
  library,
}) => {
  await open(page, library, 'book/related?key=1&child=tag_by_book_tag');
  const tags = panel(page, 'Tag By Book Tag');
  await expect(tags.getByRole('link', { name: 'classic' })).toBeVisible();
  await tags.getByRole('button', { name: 'Add Tag' }).click();
  await page
    .getByRole('textbox', { name: 'Search in Tag' })
    .or(page.getByRole('combobox', { name: 'Search in Tag' }))
    .fill('nov');
  await expect(page.getByRole('option')).toHaveCount(1);
  const adding = page.waitForRequest(
    (request) => request.method() === 'POST' && /_table\/book_tag/.test(request.url()),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByText('Assignment added.')).toBeVisible();
  expect((await adding).postDataJSON()).toEqual({ resource: [{ book_id: 1, tag_id: 2 }] });
  await expect(tags.getByRole('link', { name: 'novel' })).toBeVisible();

  await tags.getByRole('button', { name: 'Remove the assignment of classic' }).click();
  const question = page.getByRole('dialog', { name: /\?$/ });
  await expect(question).toContainText('Its record in Book Tag will be deleted; classic itself stays.');
  await question.getByRole('button', { name: 'Remove the assignment' }).click();
  await expect(page.getByText('Assignment removed.')).toBeVisible();
  await expect(tags.getByRole('link', { name: 'classic' })).toHaveCount(0);
  expect((await stored(library, 'book_tag')).resource).toEqual([{ book_id: 1, tag_id: 2 }]);
  expect(await stored(library, 'tag?count_only=true')).toBe(3);
});

test('a record named by two columns has children, assignments and parents by both', async ({ page, library }) => {
  await open(page, library, 'branch/record?key=ch&key=1');
  await pane(page).getByRole('link', { name: 'Opening By Country Branch No' }).click();
  const openings = panel(page, 'Opening By Country Branch No');
  await expect(openings.getByText('Monday')).toBeVisible();
  await expect(openings.getByText('1–1 of 1')).toBeVisible();
  await openings.getByRole('link', { name: 'Create', exact: true }).click();
  await expect(field(page, /^Country/)).toHaveValue('ch');
  await expect(field(page, /^Branch No/)).toHaveValue('1');
  await expect(pane(page).getByRole('link', { name: 'Open Bern in Branch' })).toBeVisible();
  await field(page, /^Weekday/).fill('Sunday');
  await save(page, 'Record created.');
  await expect(openings.getByText('1–2 of 2')).toBeVisible();
  const { resource: sundays } = await stored(library, 'opening?filter=weekday%3DSunday');
  expect(sundays).toEqual([{ id: 4, country: 'ch', branch_no: 1, weekday: 'Sunday' }]);
  await openings.getByRole('link', { name: 'Whole table' }).click();
  await expect(page.getByText('1–2 of 2')).toBeVisible();

  await page.goto(`${library.url}/data/library/branch/related?key=ch&key=1&child=language_by_branch_language`);
  const languages = panel(page, 'Language By Branch Language');
  await expect(languages.getByRole('link', { name: 'Rumantsch' })).toBeVisible();
  await languages.getByRole('button', { name: 'Add Language' }).click();
  await expect(page.getByRole('option')).toHaveCount(2);
  await expect(page.getByRole('option', { name: 'Norsk' })).toHaveCount(0);
  await page.getByRole('option', { name: 'Italiano' }).click();
  await expect(page.getByText('Assignment added.')).toBeVisible();
  await expect(languages.getByRole('link', { name: 'Italiano' })).toBeVisible();
  await languages.getByRole('button', { name: 'Remove the assignment of Rumantsch' }).click();
  const question = page.getByRole('dialog', { name: /\?$/ });
  await question.getByRole('button', { name: 'Remove the assignment' }).click();
  await expect(page.getByText('Assignment removed.')).toBeVisible();
  await expect(languages.getByRole('link', { name: 'Rumantsch' })).toHaveCount(0);
  expect((await stored(library, 'branch_language')).resource).toEqual([
    { country: 'ch', branch_no: 1, language_id: 2 },
    { country: 'no', branch_no: 1, language_id: 1 },
  ]);

  // Its parent: the fields of a key of two columns refer together.
  await page.goto(`${library.url}/data/library/branch/record?key=no&key=1`);
  await expect(pane(page).getByText('Refers to branch together with head_no')).toBeVisible();
  await field(page, /^Head No/).fill('9');
  await expect(
    pane(page).getByText('No record of branch has these values together: head_country, head_no.'),
  ).toBeVisible();
  await field(page, /^Head No/).fill('2');
  await pane(page).getByRole('link', { name: 'Open Basel in Branch' }).click();
  await expect(page).toHaveURL(/\/branch\/record\?key=ch&key=2$/);
});

test('a column may have a comma in its name', async ({ page, library }) => {
  await open(page, library, `reader/related?${new URLSearchParams({ key: 'Nord, Bo', child: 'loan_by_last, first' })}`);
  await expect(grid(page, 'Loan').getByText('2020-01-02')).toBeVisible();
  await expect(grid(page, 'Loan').getByText('2020-03-04')).toHaveCount(0);
  await page.goto(`${library.url}/data/library/loan/record?key=1`);
  await expect(pane(page).getByRole('link', { name: /^Open .* in Reader$/ })).toBeVisible();
});

test('C-DAT-10 a reference is found by name, by keyboard alone, page by page; it is shown by name and can be opened', async ({
  page,
  library,
}) => {
  await signIn(page, library);
  const current = page.waitForRequest(/library\/_table\/author\?filter=id/);
  await page.goto(`${library.url}/data/library/book/record?key=14`);
  expect(parametersOf(await current)).toMatchObject({ filter: 'id = 2', limit: '10', offset: '0', fields: '*' });
  await expect(pane(page).getByRole('link', { name: 'Open Ann Writer 1 in Author' })).toBeVisible();

  const choices = page.waitForRequest((request) => /library\/_table\/author\?limit/.test(request.url()));
  await field(page, /^Author Id/).press('ArrowDown');
  expect(parametersOf(await choices)).toEqual({
    limit: '10',
    offset: '0',
    fields: '*',
    include_schema: 'true',
    include_count: 'true',
  });
  await expect(page.getByRole('option')).toHaveCount(10);
  await page.keyboard.press('PageDown');
  await expect(page.getByText('11–20 of 26')).toBeVisible();
  await page.keyboard.type('lagerl');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(field(page, /^Author Id/)).toHaveValue('1');
  await expect(field(page, /^Author Id/)).toBeFocused();
  await expect(pane(page).getByRole('link', { name: 'Open Selma Lagerlöf in Author' })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Record saved.')).toBeVisible();
  expect((await stored(library, 'book/14')).author_id).toBe(1);

  await page.goto(`${library.url}/data/library/book/record?key=14`);
  await field(page, /^Author Id/).fill('999');
  await expect(pane(page).getByText('No record of author has this id.')).toBeVisible();
  await field(page, /^Author Id/).fill('2');
  await save(page);
  await page.goto(`${library.url}/data/library/book/record?key=14`);
  await pane(page).getByRole('link', { name: 'Open Ann Writer 1 in Author' }).click();
  await expect(page).toHaveURL(/\/data\/library\/author\/record\?key=2$/);
});

test('TBL-030 tables of the platform are read through the system service, without df_sys_', async ({
  page,
  library,
}) => {
  await signIn(page, library);
  const reading = page.waitForRequest(/\/api\/v2\/system\/user\?/);
  await page.goto(`${library.url}/data/library/review/record?key=1`);
  expect(parametersOf(await reading).filter).toMatch(/^id = \d+$/);
  await expect(pane(page).getByText('Bo Nord')).toBeVisible();
  await pane(page).getByRole('button', { name: 'Choose User Id' }).click();
  await expect(page.getByRole('option', { name: /Bo Nord/ })).toBeVisible();
});

test('someone who may not read the parent types its value', async ({ page, library }) => {
  const { body: services } = await library.api('GET', 'system/service?filter=name%3Dlibrary');
  const access = ['_table/book', '_table/book/*', '_table/'].map((component) => ({
    service_id: services.resource[0].id,
    component,
    verb_mask: 31,
    requestor_mask: 3,
  }));
  const { body: roles } = await library.api('POST', 'system/role', {
    resource: [{ name: 'Shelvers', is_active: true, role_service_access_by_role_id: access }],
  });
  const { body: apps } = await library.api('GET', 'system/app?filter=name%3Dadmin');
  const account = { email: 'shelver@example.com', password: 'correct horse' };
  const creation = await library.api('POST', 'system/user', {
    resource: [
      {
        ...account,
        name: 'Sid',
        is_active: true,
        user_to_app_to_role_by_user_id: [{ app_id: apps.resource[0].id, role_id: roles.resource[0].id }],
      },
    ],
  });
  expect(creation.status).toBe(201);
  await signIn(page, library, account);
  await page.goto(`${library.url}/data/library/book/record?key=3`);
  await expect(pane(page).getByText('You may not read author: type the value itself.')).toBeVisible();
  await expect(pane(page).getByRole('button', { name: 'Choose Author Id' })).toHaveCount(0);
  await field(page, /^Author Id/).fill('3');
  await save(page);
  expect((await stored(library, 'book/3')).author_id).toBe(3);
});

test('dates, JSON and bytes are edited as what they are, and nothing else changes', async ({ page, library }) => {
  await open(page, library, 'book/record?key=1');
  await pane(page).getByRole('button', { name: 'Pick Lent At' }).click();
  await page.getByLabel('Date', { exact: true }).fill('2019-01-02');
  await page.keyboard.press('Escape');
  await expect(field(page, 'Lent At')).toHaveValue('2019-01-02 10:29:59.250');

  const facts = field(page, 'Facts');
  await expect(facts).toContainText('"pages": 9007199254740993');
  await facts.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('x');
  await expect(pane(page).getByRole('alert').filter({ hasText: 'This is not valid JSON' })).toBeVisible();
  await page.keyboard.press('Backspace');
  await expect(pane(page).getByText('This is not valid JSON')).toHaveCount(0);
  await expect(pane(page).getByText('1 field changed, not saved')).toBeVisible();

  await expect(pane(page).getByText('BINARY DATA · 16 bytes · PNG')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await pane(page).getByRole('button', { name: 'Download Cover' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Cover.png');
  expect(await readFile(await download.path())).toEqual(image);

  await pane(page)
    .getByLabel('Upload a file for Cover')
    .first()
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello\n') });
  await expect(pane(page).getByText('BINARY DATA · 6 bytes · TXT')).toBeVisible();
  const saving = page.waitForRequest((request) => request.method() === 'PATCH');
  await save(page);
  expect((await saving).postDataJSON().resource).toEqual([
    { id: 1, lent_at: '2019-01-02 10:29:59.250', cover: Buffer.from('Hello\n').toString('base64') },
  ]);
  const record = await stored(library, 'book/1');
  expect(record.facts).toBe('{"pages":9007199254740993,"parts":[1.0,2]}');

  await page.goto(`${library.url}/data/library/book/record?key=1`);
  await pane(page).getByRole('button', { name: 'Set Cover to NULL' }).click();
  await save(page);
  expect((await stored(library, 'book/1')).cover).toBeNull();
});

test('a record whose bytes are required is made by uploading them', async ({ page, library }) => {
  await open(page, library, 'shelf/new');
  await pane(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(pane(page).getByText('A value is needed here.')).toBeVisible();
  await pane(page).locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: image });
  await save(page, 'Record created.');
  expect((await stored(library, 'shelf/1')).photo).toBe(image.toString('base64'));
});

const scenes = [
  ['a record with its references', 'book/record?key=2', 'Edit Book'],
  ['nothing chosen', 'author/related?key=1', 'Related tables'],
  ['a child table', 'author/related?key=1&child=book_by_author_id', 'Book By Author Id'],
  ['a child’s record', 'author/related?key=1&child=book_by_author_id&child.pane=record&child.key=2', 'Edit Book'],
  ['an empty child table', 'author/related?key=9&child=book_by_author_id', 'No records found.'],
  ['assignments', 'book/related?key=1&child=tag_by_book_tag', 'Tag By Book Tag'],
  ['a reference by two columns', 'branch/record?key=no&key=1', 'Edit Branch'],
  ['no such parent', 'author/related?key=999&child=book_by_author_id', 'There is no such record'],
] as const;
const looks = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

for (const { width, height, colorScheme } of looks) {
  test(`axe finds nothing and nothing scrolls sideways: ${width} px, ${colorScheme}`, async ({ page, library }) => {
    test.setTimeout(180_000);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await signIn(page, library);
    for (const [name, place, heading] of scenes) {
      await page.goto(`${library.url}/data/library/${place}`);
      await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page, name);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, width]);
    }
    await page.goto(`${library.url}/data/library/book/record?key=2`);
    await pane(page).getByRole('button', { name: 'Choose Author Id' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectAccessible(page, 'choosing a reference');
  });
}
