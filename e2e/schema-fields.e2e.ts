// Schema: fields made, changed, renamed and deleted on screen, on two databases.
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, signIn } from './instance.ts';
import { type Design, designOf, engines, named, recordWrites, test } from './schema-services.ts';

const pane = (page: Page) => page.getByRole('dialog').first();
const button = (page: Page, name: string) => pane(page).getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => pane(page).getByRole('textbox', { name, exact: true });
const tick = (page: Page, name: string) => pane(page).getByRole('checkbox', { name, exact: true });
const select = (page: Page, name: string) => pane(page).getByRole('combobox', { name, exact: true });
const fields = (page: Page) => page.getByRole('region', { name: 'Fields' });
const toast = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible();
const choose = async (page: Page, name: string, option: string) => {
  await select(page, name).fill(option);
  await pane(page).getByRole('option', { name: option, exact: true }).click();
};
const describeField = async (design: Design, table: string, name: string) =>
  (await design.describe(table)).field.find((field: { name: string }) => field.name === name);

/** What is offered, without the manual entry. */
const types = [
  ...['id', 'string', 'integer', 'text', 'boolean', 'binary', 'float', 'double', 'decimal', 'datetime', 'date', 'time'],
  ...['reference', 'user_id', 'user_id_on_create', 'user_id_on_update'],
  ...['timestamp', 'timestamp_on_create', 'timestamp_on_update'],
];

/** What PostgreSQL describes otherwise than it was said. */
const describedTypes: Record<string, Record<string, string>> = {
  sqlite: {},
  pgsql: { text: 'string', float: 'double', datetime: 'timestamp' },
};

/** Types a name and a type into the line below the fields. */
const addQuickly = async (page: Page, name: string, type: string) => {
  await page.getByRole('textbox', { name: 'New field', exact: true }).fill(name);
  await page.keyboard.press('Enter');
  await page.keyboard.type(type);
  await page.keyboard.press('Enter');
};

for (const engine of engines) {
  test.describe(engine, () => {
    test('SCH-006 SCH-014 SCH-031 SCH-047 SCH-054 a field of every type is made, in the pane and by keyboard below the list', async ({
      page,
      instance,
      designs,
    }) => {
      test.slow();
      const design = designOf(designs, engine);
      await design.make(named('kind_target'));
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}?make=table`);
      await page.getByRole('textbox', { name: 'Table Name', exact: true }).fill('kinds');
      await page.getByRole('button', { name: 'Delete field id' }).click();
      await page.getByRole('button', { name: 'Add Field', exact: true }).click();
      await select(page, 'Type').click();
      await expect(pane(page).getByRole('option')).toHaveText([...types, 'I will manually enter a type']);
      await box(page, 'Name').fill('a_id');
      await choose(page, 'Type', 'id');
      await expect(tick(page, 'Primary Key')).toBeChecked();
      await expect(tick(page, 'Primary Key')).toBeDisabled();
      await button(page, 'Add Field').click();
      const plain = types.slice(1, types.indexOf('reference'));
      for (const type of plain) await addQuickly(page, `a_${type}`, `${type}?`);
      await expect(fields(page).getByRole('row')).toHaveCount(plain.length + 2);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/kinds`);
      await expect(page.getByRole('heading', { name: 'kinds', level: 1 })).toBeVisible();

      const writes = recordWrites(page);
      const ofPeople = types.slice(types.indexOf('user_id'));
      for (const type of ofPeople) {
        await addQuickly(page, `a_${type}`, `${type}?`);
        await expect(fields(page).getByRole('link', { name: `a_${type}`, exact: true })).toBeVisible();
      }
      await page.getByRole('button', { name: 'Add Field', exact: true }).click();
      await expect(box(page, 'Name')).toBeFocused();
      await page.keyboard.type('a_reference');
      await page.keyboard.press('Tab');
      await page.keyboard.type('refer');
      await page.keyboard.press('Enter');
      await choose(page, 'Reference Table', 'kind_target');
      await expect(select(page, 'Reference Field')).toHaveValue('id · id');
      await tick(page, 'Allow Null').check();
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(pane(page)).toContainText('a_reference is there. Now the next one.');
      await expect(box(page, 'Name')).toBeFocused();
      await box(page, 'Name').fill('by_hand');
      await choose(page, 'Type', 'I will manually enter a type');
      await box(page, 'Database Type').fill('varchar(17)');
      await button(page, 'Save').click();
      await toast(page, 'Field saved successfully.');
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/kinds`);
      await expect(fields(page).getByRole('row')).toHaveCount(types.length + 2);

      expect(new Set(writes.map(({ call }) => call))).toEqual(new Set([`POST ${design.name}/_schema/kinds/_field`]));
      expect(writes.map(({ body }) => body.resource[0].type)).toEqual([...ofPeople, 'reference', null]);
      const { field } = await design.describe('kinds');
      expect(Object.fromEntries(field.map(({ name, type }: any) => [name, type]))).toEqual({
        ...Object.fromEntries(types.map((type) => [`a_${type}`, describedTypes[engine]![type] ?? type])),
        by_hand: 'string',
      });
      expect(field.at(-1)).toMatchObject({ length: 17, allow_null: false });
      expect(field.find(({ name }: any) => name === 'a_reference')).toMatchObject({
        ...{ is_foreign_key: true, ref_table: 'kind_target', ref_field: 'id', allow_null: true },
      });
    });

    test('SCH-011 SCH-032 everything that can be said of a field is said, sent whole, and described back', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      const code = { name: 'code', type: 'string', length: 8, is_unique: true, allow_null: false };
      await design.make(named('bill_team', code), named('bill'));
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/bill/field`);
      const writes = recordWrites(page);
      await box(page, 'Name').fill('price');
      await choose(page, 'Type', 'decimal');
      await box(page, 'Precision').fill('10');
      await box(page, 'Scale').fill('2');
      await box(page, 'Default Value').fill('9.5');
      await button(page, 'Save and add another').click();
      await expect(pane(page)).toContainText('price is there.');

      await box(page, 'Name').fill('status');
      await choose(page, 'Type', 'string');
      await box(page, 'Length').fill('12');
      await box(page, 'Default Value').fill('open');
      await tick(page, 'Indexed').check();
      await box(page, 'Alias').fill('state');
      await box(page, 'Label').fill('State of the bill');
      await box(page, 'Description').fill('Where it is on its way.');
      await box(page, 'Picklist').fill('open\npaid\n');
      await tick(page, 'One of the picklist').check();
      await box(page, 'Message: One of the picklist').fill('No such state');
      await expect(box(page, 'Validation')).toHaveValue(/"on_fail": "No such state"/);
      await button(page, 'Save and add another').click();
      await expect(pane(page)).toContainText('status is there.');

      await box(page, 'Name').fill('team');
      await choose(page, 'Type', 'string');
      await box(page, 'Length').fill('8');
      await tick(page, 'Allow Null').check();
      await tick(page, 'Unique').check();
      await tick(page, 'Foreign Key').check();
      await choose(page, 'Reference Table', 'bill_team');
      await select(page, 'Reference Field').click();
      await page.getByRole('option', { name: 'code · string' }).click();
      await select(page, 'On Delete').click();
      await page.getByRole('option', { name: 'CASCADE' }).click();
      await button(page, 'Save').click();
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/bill`);

      const documented = [
        ...['allow_null', 'auto_increment', 'db_function', 'db_type', 'default', 'fixed_length', 'is_aggregate'],
        ...['is_foreign_key', 'is_primary_key', 'is_unique', 'is_virtual', 'label', 'length', 'name', 'picklist'],
        ...['precision', 'ref_field', 'ref_table', 'required', 'scale', 'supports_multibyte', 'type', 'validation'],
        'value',
      ];
      for (const { body } of writes) expect(Object.keys(body.resource[0])).toEqual(expect.arrayContaining(documented));
      expect((await design.describe('bill')).field.slice(2)).toMatchObject([
        { name: 'price', type: 'decimal', precision: 10, scale: 2, default: 9.5, required: false },
        {
          ...{ name: 'status', type: 'string', length: 12, default: 'open', is_index: true, alias: 'state' },
          ...{ label: 'State of the bill', description: 'Where it is on its way.', picklist: ['open', 'paid'] },
          validation: { picklist: { on_fail: 'No such state' } },
        },
        {
          ...{ name: 'team', type: 'string', length: 8, allow_null: true, is_unique: true },
          ...{ is_foreign_key: true, ref_table: 'bill_team', ref_field: 'code' },
        },
      ]);
      const { related } = await design.describe('bill');
      expect(related).toMatchObject([{ type: 'belongs_to', ref_table: 'bill_team', ref_on_delete: 'CASCADE' }]);

      // A field that is there, with a record in it.
      const record = { name: 'First', price: 1, state: 'open' };
      expect((await instance.api('POST', `${design.name}/_table/bill`, { resource: [record] })).status).toBe(200);
      const refused = await instance.api('POST', `${design.name}/_table/bill`, { resource: [{ state: 'lost' }] });
      expect(JSON.stringify(refused.body)).toContain('No such state');
      writes.length = 0;
      await fields(page).getByRole('link', { name: 'status', exact: true }).click();
      await expect(pane(page)).toContainText('What it holds');
      // Its pane does not open with a menu over it.
      await expect(page.getByRole('option')).toHaveCount(0);
      await expect(box(page, 'Name')).toHaveAttribute('readonly');
      await box(page, 'Length').fill('30');
      await box(page, 'Picklist').fill('open\npaid\nlost');
      await tick(page, 'Indexed').uncheck();
      await page.keyboard.press('ControlOrMeta+s');
      await toast(page, 'Field saved successfully.');
      await expect(fields(page).getByRole('link', { name: 'status', exact: true })).toBeFocused();
      await expect(pane(page)).toHaveCount(0);
      expect(writes.map(({ call }) => call)).toEqual([`PATCH ${design.name}/_schema/bill/_field`]);
      expect(Object.keys(writes[0]!.body.resource[0])).toEqual(expect.arrayContaining(documented.slice(0, -1)));
      expect(await describeField(design, 'bill', 'status')).toMatchObject({
        ...{ length: 30, default: 'open', is_index: false, alias: 'state', picklist: ['open', 'paid', 'lost'] },
      });
      expect((await instance.api('GET', `${design.name}/_table/bill?fields=state`)).body.resource).toEqual([
        { state: 'open' },
      ]);
    });

    test('SCH-018 SCH-019 SCH-042 what is refused stays as it was typed, and so it does while the database is away', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      await design.make(named('kept'));
      await instance.api('POST', `${design.name}/_table/kept`, { resource: [{ name: 'one' }] });
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/kept/field`);
      const writes = recordWrites(page);
      await button(page, 'Save').click();
      await expect(pane(page).getByText('Name and type are required fields')).toHaveCount(2);
      await expect(box(page, 'Name')).toBeFocused();
      await box(page, 'Name').fill('NAME');
      await choose(page, 'Type', 'integer');
      await expect(box(page, 'Name')).toHaveAccessibleDescription('The field name already exists');
      await button(page, 'Save').click();
      expect(writes).toEqual([]);
      await addQuickly(page, 'quick', 'reference nowhere?');
      await expect(page.getByRole('group', { name: 'Add a field' }).getByRole('alert')).toContainText('nowhere');
      await expect(page.getByRole('textbox', { name: 'New field', exact: true })).toHaveValue('quick');

      // The one record has no value for it.
      await box(page, 'Name').fill('size');
      await box(page, 'Description').fill('Typed with care');
      await tick(page, 'Unique').check();
      await button(page, 'Save').click();
      await toast(page, 'Failed to save field');
      await expect(pane(page).getByRole('alert')).toHaveText(/'size' needs a value, which 1 record would not have/);
      await expect(box(page, 'Description')).toHaveValue('Typed with care');

      await tick(page, 'Allow Null').check();
      await expect(pane(page).getByRole('alert')).toHaveCount(0);
      const [{ id, config }] = (await instance.api('GET', `system/service?filter=name%3D${design.name}`)).body.resource;
      const connectTo = (changes: object) =>
        instance.api('PATCH', `system/service/${id}`, { config: { ...config, ...changes } });
      const fieldCalls = '**/_schema/kept/_field';
      const unavailable = { error: { code: 503, message: 'The database is away.' } };
      if (engine === 'pgsql') await connectTo({ port: 1 });
      else await page.route(fieldCalls, (route) => route.fulfill({ status: 503, json: unavailable }));
      await button(page, 'Save').click();
      await expect(pane(page).getByRole('alert')).toContainText(
        engine === 'pgsql' ? 'The host of the database takes no connections there.' : 'The database is away.',
      );
      await expect(box(page, 'Description')).toHaveValue('Typed with care');
      await connectTo({});
      await page.unroute(fieldCalls);
      await button(page, 'Save').click();
      await toast(page, 'Field saved successfully.');
      await expect(fields(page).getByRole('link', { name: 'size', exact: true })).toBeVisible();
      expect(await describeField(design, 'kept', 'size')).toMatchObject({
        ...{ type: 'integer', is_unique: true, allow_null: true, description: 'Typed with care' },
      });
    });

    test('SCH-055 SCH-056 functions of the database are made for a virtual field and for a column, and used', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      await design.make(named('shout'));
      await instance.api('POST', `${design.name}/_table/shout`, { resource: [{ name: 'Quiet' }] });
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/shout/field`);
      const writes = recordWrites(page);
      await box(page, 'Name').fill('loud');
      await tick(page, 'Is Virtual?').check();
      await select(page, 'Type').fill('');
      const returned = ['string', 'integer', 'boolean', 'binary', 'float', 'double', 'decimal'];
      const alsoTaken = ['text', 'datetime', 'date', 'time', 'timestamp'];
      await expect(pane(page).getByText('Return types of functions')).toBeVisible();
      await expect(pane(page).getByRole('option')).toHaveText([...returned, ...alsoTaken]);
      await page.keyboard.press('Escape');
      await button(page, 'Save').click();
      await expect(pane(page)).toContainText('A virtual field needs a function with the use SELECT');
      const first = pane(page).getByRole('group', { name: 'Function 1' });
      await first.getByRole('textbox', { name: 'Function' }).fill('upper(name)');
      await button(page, 'Save').click();
      await toast(page, 'Field saved successfully.');
      expect(writes[0]!.body.resource[0]).toMatchObject({
        ...{ name: 'loud', type: 'string', is_virtual: true },
        db_function: [{ use: ['SELECT'], function: 'upper(name)' }],
      });

      // A column that is stored in small letters, and found whatever is looked for.
      await fields(page).getByRole('link', { name: 'name', exact: true }).click();
      await button(page, 'Add a function').click();
      const uses = first.getByRole('combobox', { name: 'Uses' });
      await uses.press('ArrowDown');
      const choices = page.getByRole('option');
      await expect(choices).toHaveText(['SELECT', 'FILTER', 'INSERT', 'UPDATE']);
      await choices.filter({ hasText: 'SELECT' }).click();
      await choices.filter({ hasText: 'INSERT' }).click();
      await choices.filter({ hasText: 'UPDATE' }).click();
      await page.keyboard.press('Escape');
      await first.getByRole('textbox', { name: 'Function' }).fill('lower({value})');
      await button(page, 'Add a function').click();
      const second = pane(page).getByRole('group', { name: 'Function 2' });
      await second.getByRole('combobox', { name: 'Uses' }).press('ArrowDown');
      await choices.filter({ hasText: 'FILTER' }).click();
      await page.keyboard.press('Escape');
      await second.getByRole('textbox', { name: 'Function' }).fill('upper(name)');
      await button(page, 'Save').click();
      await expect(pane(page)).toHaveCount(0);
      expect(await describeField(design, 'shout', 'name')).toMatchObject({
        db_function: [
          { use: ['INSERT', 'UPDATE'], function: 'lower({value})' },
          { use: ['FILTER'], function: 'upper(name)' },
        ],
      });
      await instance.api('POST', `${design.name}/_table/shout`, { resource: [{ name: 'LOWERED' }] });
      const read = async (query: string) =>
        (await instance.api('GET', `${design.name}/_table/shout?fields=name,loud&${query}`)).body;
      expect((await read('order=id')).resource).toEqual([
        { name: 'Quiet', loud: 'QUIET' },
        { name: 'lowered', loud: 'LOWERED' },
      ]);
      expect((await read("filter=name%3D'QUIET'")).resource).toEqual([{ name: 'Quiet', loud: 'QUIET' }]);
      // What the function makes is shown beside the field.
      await fields(page).getByRole('link', { name: 'loud', exact: true }).click();
      await expect(pane(page).getByRole('region', { name: 'What it holds' }).getByRole('listitem')).toHaveText([
        'QUIET',
        'LOWERED',
      ]);
    });

    test('SCH-034 SCH-046 SCH-052 a field is renamed and deleted, each asked once though something is typed', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      await design.make(named('shed', { name: 'note', type: 'string', allow_null: true }));
      await instance.api('POST', `${design.name}/_table/shed`, { resource: [{ name: 'one', note: 'mine' }] });
      await signIn(page, instance);
      const table = `${instance.url}/schema/${design.name}/shed`;
      await page.goto(`${table}/field/name`);
      const writes = recordWrites(page);
      await box(page, 'Label').fill('Typed');
      await expect(button(page, 'Rename')).toBeDisabled();
      await box(page, 'Label').fill('Name');
      await button(page, 'Rename').click();
      const renaming = page.getByRole('dialog', { name: 'Rename field name' });
      await expect(renaming.getByRole('textbox', { name: 'New name' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(renaming).toHaveCount(0);
      await button(page, 'Rename').click();
      const question = page.getByRole('dialog', { name: /\?$/ });
      await renaming.getByRole('textbox', { name: 'New name' }).fill('title');
      await renaming.getByRole('button', { name: 'Rename', exact: true }).click();
      await expect(page).toHaveURL(`${table}/field/title`);
      await expect(pane(page).getByRole('heading', { name: 'Field title' })).toBeVisible();
      await expect(box(page, 'Name')).toHaveValue('title');
      expect(writes.map(({ call, body }) => [call, body])).toEqual([
        [`PATCH ${design.name}/_schema/shed/_field/name`, { new_name: 'title' }],
      ]);

      // Deleted in its pane, with something typed.
      writes.length = 0;
      await box(page, 'Label').fill('Typed');
      await button(page, 'Delete field').click();
      await expect(question).toContainText('Are you sure you want to delete field title?');
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect(writes).toEqual([]);
      await expect(box(page, 'Label')).toHaveValue('Typed');
      await button(page, 'Delete field').click();
      await question.getByRole('button', { name: 'Delete field', exact: true }).click();
      await toast(page, 'Field deleted successfully.');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page).toHaveURL(table);

      // And in the list, while its pane is open.
      await fields(page).getByRole('link', { name: 'note', exact: true }).click();
      await box(page, 'Label').fill('Typed');
      await fields(page).getByRole('button', { name: 'Delete field note' }).click();
      await expect(question).toContainText('Are you sure you want to delete field note?');
      await question.getByRole('button', { name: 'Delete field', exact: true }).click();
      await expect(fields(page).getByRole('row')).toHaveCount(2);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      expect(writes.map(({ call }) => call)).toEqual([
        `DELETE ${design.name}/_schema/shed/_field/title`,
        `DELETE ${design.name}/_schema/shed/_field/note`,
      ]);
      expect((await design.describe('shed')).field.map(({ name }: any) => name)).toEqual(['id']);
    });
  });
}

test('SCH-006 a field that the diagram connects starts as a reference, and what is typed in a new table is asked about', async ({
  page,
  instance,
  designs,
}) => {
  const design = designOf(designs, 'sqlite');
  const code = { name: 'code', type: 'string', length: 8, is_unique: true, allow_null: false };
  await design.make(named('drawn_place', code), named('drawn'));
  await signIn(page, instance);
  const table = `${instance.url}/schema/${design.name}/drawn`;
  await page.goto(`${table}/field?view=diagram&ref_table=drawn_place&ref_field=id`);
  await expect(box(page, 'Name')).toBeFocused();
  await expect(select(page, 'Type')).toHaveValue('reference');
  await expect(select(page, 'Reference Table')).toHaveValue('drawn_place');
  await page.keyboard.type('place_id');
  await page.keyboard.press('Enter');
  await toast(page, 'Field saved successfully.');
  await expect(page).toHaveURL(`${table}?view=diagram`);
  expect(await describeField(design, 'drawn', 'place_id')).toMatchObject({
    type: 'reference',
    ref_table: 'drawn_place',
  });
  // A key of text makes a field of text.
  await page.goto(`${table}/field?ref_table=drawn_place&ref_field=code`);
  await expect(select(page, 'Type')).toHaveValue('string');
  await expect(box(page, 'Length')).toHaveValue('8');
  await expect(tick(page, 'Foreign Key')).toBeChecked();
  await expect(select(page, 'Reference Field')).toHaveValue('code · string');

  const question = page.getByRole('dialog', { name: /\?$/ });
  await box(page, 'Name').fill('half_typed');
  await button(page, 'Cancel').click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(box(page, 'Name')).toHaveValue('half_typed');
  await expect(button(page, 'Cancel')).toBeFocused();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Continue without saving' }).click();
  await expect(page).toHaveURL(table);

  await page.goto(`${instance.url}/schema/${design.name}?make=table`);
  await page.getByRole('textbox', { name: 'Table Name', exact: true }).fill('never_made');
  await page.getByRole('button', { name: 'Add Field', exact: true }).click();
  await box(page, 'Name').fill('half_typed');
  await fields(page).getByRole('button', { name: 'id', exact: true }).click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(box(page, 'Name')).toHaveValue('half_typed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await question.getByRole('button', { name: 'Continue without saving' }).click();
  await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/never_made`);
  await expect(page.getByRole('heading', { name: 'never_made', level: 1 })).toBeVisible();

  // A table that is dropped takes with it what was typed of it.
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Typed');
  await page.getByRole('button', { name: 'Drop', exact: true }).click();
  await expect(question).toContainText('Are you sure you want to drop table never_made?');
  await question.getByRole('button', { name: 'Drop', exact: true }).click();
  await expect(page).toHaveURL(`${instance.url}/schema/${design.name}`);
  await expect(question).toHaveCount(0);
});

for (const scheme of ['light', 'dark'] as const)
  test(`SCH-006 the pane of a field on a phone: all of it is reached, and the plan stands at the bottom: ${scheme}`, async ({
    page,
    instance,
    designs,
  }) => {
    const design = designOf(designs, 'sqlite');
    const name = `a_long_name_as_generators_make_them_0123456789_${scheme}`;
    const table = `phone_${scheme}`;
    await design.make(named(table, { name, type: 'string', length: 400, allow_null: true }));
    await instance.api('POST', `${design.name}/_table/${table}`, { resource: [{ [name]: 'word'.repeat(90) }] });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.addInitScript((code) => localStorage.setItem('sluice.language', code), scheme === 'dark' ? 'de' : 'en');
    await signIn(page, instance);
    await page.goto(`${instance.url}/schema/${design.name}/${table}/field/${name}`);
    const [length, plan, usedBy] =
      scheme === 'dark'
        ? ['Länge', 'Was diese Änderung bewirkt', 'Verwendet von']
        : ['Length', 'What this change would do', 'Used by'];
    await box(page, length!).fill('20');
    const strip = pane(page).getByRole('group', { name: plan! });
    await expect(strip).toContainText(name);
    const frame = (await pane(page).boundingBox())!;
    expect([frame.x, frame.width]).toEqual([0, 390]);
    const reach = (await strip.boundingBox())!;
    expect(reach.y + reach.height).toBeLessThanOrEqual(frame.y + frame.height);
    await expect(strip).toBeInViewport({ ratio: 1 });
    await expectAccessible(page, `field ${scheme}`);
    await pane(page).getByRole('button', { name: usedBy! }).click();
    await expect(pane(page).getByRole('listitem').filter({ hasText: 'wordword' })).toBeInViewport({ ratio: 1 });
    await expect(pane(page).getByRole('status').filter({ hasText: /…$/ })).toHaveCount(0);
    await expectAccessible(page, `field ${scheme}, used by`);
    const overflow = await pane(page).evaluate((element) =>
      [element, ...element.querySelectorAll('*')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto')
        .map(({ className }) => className),
    );
    expect(overflow).toEqual([]);
  });
