// Relations of a table: made, changed and deleted on screen, and followed by records.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn } from './instance.ts';
import { type Design, designOf, engines, named, recordReads, recordWrites, test } from './schema-services.ts';

const paneOf = (page: Page) => page.getByRole('dialog');
const button = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true });
const toast = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible();
const number = (name: string) => ({ name, type: 'integer', allow_null: true });

async function pick(page: Page, label: string, option: string): Promise<void> {
  await paneOf(page).getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).filter({ visible: true }).first().click();
}

const addRelation = (page: Page) => button(page, 'Add Virtual Relationship').click();
const choose = (page: Page, type: string) => paneOf(page).getByRole('radio', { name: type }).check();
const save = async (page: Page) => {
  await button(paneOf(page), 'Save').click();
  await expect(paneOf(page)).toHaveCount(0);
};
const selected = (page: Page, label: string) =>
  expect(paneOf(page).getByRole('combobox', { name: label, exact: true }));

/** Books with an author's id, a blurb each, and tags; nothing the database knows of relates them. */
async function makeLibrary({ make, name }: Design, instance: Instance, prefix: string) {
  const at = (table: string) => `${prefix}_${table}`;
  await make(
    named(at('book'), number(`${prefix}_author_id`)),
    named(at('author')),
    named(at('blurb'), number(`${prefix}_book_id`)),
    named(at('tag')),
    named(at('tagging'), number(`${prefix}_book_id`), number(`${prefix}_tag_id`)),
  );
  const fill = async (table: string, ...resource: object[]) => {
    const { status, body } = await instance.api('POST', `${name}/_table/${at(table)}`, { resource });
    expect([table, status, body]).toEqual([table, 200, body]);
  };
  await fill('author', { name: 'Ada' }, { name: 'Bo' });
  await fill('book', { name: 'Left', [`${prefix}_author_id`]: 2 }, { name: 'Right', [`${prefix}_author_id`]: 1 });
  await fill('blurb', { name: 'Good', [`${prefix}_book_id`]: 2 });
  await fill('tag', { name: 'red' }, { name: 'blue' });
  await fill('tagging', { [`${prefix}_book_id`]: 1, [`${prefix}_tag_id`]: 2 });
  return at;
}

/** The names of the records that each record of a table comes with. */
async function related(instance: Instance, { name }: Design, table: string, relation: string) {
  const path = `${name}/_table/${table}?related=${encodeURIComponent(relation)}&order=id`;
  const { status, body } = await instance.api('GET', path);
  expect([status, body]).toEqual([200, body]);
  return namesIn(body.resource, relation);
}

const namesIn = (records: any[], relation: string) =>
  records.map((record) => {
    const { [relation]: value } = record;
    return Array.isArray(value) ? value.map(({ name }) => name) : (value?.name ?? null);
  });

for (const engine of engines) {
  test.describe(engine, () => {
    test('SCH-007 SCH-033 SCH-035 SCH-037 SCH-048 SCH-057 relations of every kind are made, and records follow them', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      const at = await makeLibrary(design, instance, 'kinds');
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/${at('book')}`);
      await expect(page.getByRole('heading', { name: at('book'), level: 1 })).toBeVisible();
      const writes = recordWrites(page);
      const reads = recordReads(page);

      await addRelation(page);
      await choose(page, 'Belongs To');
      await pick(page, 'Reference Table', at('author'));
      // What the names tell is filled in.
      await selected(page, 'Field').toHaveValue('kinds_author_id');
      await selected(page, 'Reference Field').toHaveValue('id');
      const schema = `${design.name}/_schema`;
      expect(reads.sort()).toEqual([`${schema}/`, `${schema}/${at('author')}`, `${schema}/${at('book')}/_field/`]);
      await expect(paneOf(page).getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(
        'kinds_author_by_kinds_author_id',
      );
      await button(paneOf(page), 'Save').click();
      await toast(page, 'Virtual Relationship saved successfully.');
      await expect(paneOf(page)).toHaveCount(0);
      expect(reads).toContain(`${schema}/${at('book')}/_related`);
      expect(writes).toHaveLength(1);
      expect(writes[0]).toMatchObject({
        call: `POST ${schema}/${at('book')}/_related`,
        body: { resource: [{ type: 'belongs_to', field: 'kinds_author_id', is_virtual: true, ref_field: 'id' }] },
      });
      expect(await related(instance, design, at('book'), 'kinds_author_by_kinds_author_id')).toEqual(['Bo', 'Ada']);

      // A record without one has an empty list, of either kind (contract/database-tables.md §6.1).
      for (const [kind, result] of [
        ['Has One', [[], 'Good']],
        ['Has Many', [[], ['Good']]],
      ] as const) {
        await addRelation(page);
        await choose(page, kind);
        await pick(page, 'Reference Table', at('blurb'));
        await selected(page, 'Field').toHaveValue('id');
        await selected(page, 'Reference Field').toHaveValue('kinds_book_id');
        await save(page);
        const name = 'kinds_blurb_by_kinds_book_id';
        expect(await related(instance, design, at('book'), name)).toEqual(result);
        await button(page, `Delete relationship ${name}`).click();
        await button(paneOf(page), 'Delete').click();
        await expect(paneOf(page)).toHaveCount(0);
      }

      await addRelation(page);
      await choose(page, 'Many To Many');
      await pick(page, 'Reference Table', at('tag'));
      await pick(page, 'Junction Table', at('tagging'));
      await selected(page, 'Junction Field').toHaveValue('kinds_book_id');
      await selected(page, 'Junction Reference Field').toHaveValue('kinds_tag_id');
      await save(page);
      expect(await related(instance, design, at('book'), 'kinds_tag_by_kinds_tagging')).toEqual([['blue'], []]);
      const relations = page.getByRole('region', { name: 'Relationships' });
      await expect(relations.getByRole('row', { name: /kinds_tag_by/ })).toContainText(
        'kinds_tag.id through kinds_tagging',
      );
    });

    test('SCH-012 SCH-036 SCH-038 SCH-049 SCH-053 a relation is described, always fetched, refused, changed and deleted', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      const at = await makeLibrary(design, instance, 'edit');
      const base = { is_virtual: true, ref_field: 'id', ref_table: at('author') };
      await instance.api('POST', `${design.name}/_schema/${at('book')}/_related`, {
        resource: [{ ...base, type: 'belongs_to', field: 'edit_author_id' }],
      });
      const name = 'edit_author_by_edit_author_id';
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/${at('book')}/relation/${name}`);
      const writes = recordWrites(page);
      const pane = paneOf(page);
      await expect(pane.getByRole('radio', { name: 'Belongs To' })).toBeChecked();
      await expect(pane.getByRole('switch', { name: 'Virtual Relationship' })).toBeChecked();

      // What the server refuses is said beside its input, and all that was typed stays.
      await pane.getByRole('textbox', { name: 'Alias' }).fill('edit_author_id');
      await pane.getByRole('textbox', { name: 'Label' }).fill('Who wrote it');
      await pane.getByRole('textbox', { name: 'Description' }).fill('Never a ghost.');
      await pane.getByRole('switch', { name: 'Always Fetch' }).check({ force: true });
      await button(pane, 'Save').click();
      const alias = pane.getByRole('textbox', { name: 'Alias' });
      await expect(alias).toHaveAttribute('aria-invalid', 'true');
      await expect(pane.getByRole('alert')).toContainText('edit_author_id');
      await expect(pane.getByRole('textbox', { name: 'Label' })).toHaveValue('Who wrote it');

      await alias.fill('author');
      await page.keyboard.press('ControlOrMeta+s');
      await expect(pane).toHaveCount(0);
      expect(writes.map(({ call }) => call)).toEqual(
        Array(2).fill(`PATCH ${design.name}/_schema/${at('book')}/_related`),
      );
      const { body } = await instance.api('GET', `${design.name}/_table/${at('book')}?order=id`);
      expect(namesIn(body.resource, 'author')).toEqual(['Bo', 'Ada']);
      const [relation] = (await design.describe(at('book'))).related;
      expect(relation).toMatchObject({
        ...{ alias: 'author', label: 'Who wrote it', description: 'Never a ghost.', always_fetch: true },
        ...{ name, type: 'belongs_to', field: 'edit_author_id', is_virtual: true, ...base },
        ...{ junction_service_id: null, junction_table: null, junction_field: null, junction_ref_field: null },
      });

      // Another end: the relation is replaced, and keeps what is said of it.
      await page.getByRole('link', { name, exact: true }).click();
      await pick(page, 'Reference Table', at('tag'));
      await expect(pane.getByText(`It is ${name} now.`, { exact: false })).toBeVisible();
      await save(page);
      await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
      const { related: after } = await design.describe(at('book'));
      expect(after).toMatchObject([{ name: 'edit_tag_by_edit_author_id', alias: 'author', always_fetch: true }]);
      expect(await related(instance, design, at('book'), 'author')).toEqual(['blue', 'red']);

      await page.getByRole('link', { name: 'edit_tag_by_edit_author_id', exact: true }).click();
      await button(pane, 'Delete').click();
      const question = page.getByRole('dialog').filter({ hasText: 'Are you sure' });
      await expect(question).toContainText('Are you sure you want to delete relationship edit_tag_by_edit_author_id?');
      await button(question, 'Cancel').click();
      await expect(question).toHaveCount(0);
      await button(pane, 'Delete').click();
      await button(question, 'Delete').click();
      await toast(page, 'Virtual Relationship deleted successfully.');
      await expect(pane).toHaveCount(0);
      expect(writes.at(-1)!.call).toBe(
        `DELETE ${design.name}/_schema/${at('book')}/_related/edit_tag_by_edit_author_id`,
      );
      expect((await design.describe(at('book'))).related).toEqual([]);
    });

    test('SCH-012 a relation leads to a table of another service, straight or through a junction there', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      const other = designOf(designs, engine === 'sqlite' ? 'pgsql' : 'sqlite');
      const at = await makeLibrary(design, instance, 'away');
      const there = await makeLibrary(other, instance, `far_${engine}`);
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/${at('book')}`);

      await addRelation(page);
      await choose(page, 'Belongs To');
      await pick(page, 'Field', 'away_author_id');
      await pick(page, 'Reference Service', other.label);
      await pick(page, 'Reference Table', there('author'));
      await selected(page, 'Reference Field').toHaveValue('id');
      await save(page);
      const straight = `${other.name}.${there('author')}_by_away_author_id`;
      expect(await related(instance, design, at('book'), straight)).toEqual(['Bo', 'Ada']);

      await addRelation(page);
      await choose(page, 'Many To Many');
      await pick(page, 'Reference Service', other.label);
      await pick(page, 'Reference Table', there('tag'));
      await pick(page, 'Junction Service', other.label);
      await pick(page, 'Junction Table', there('tagging'));
      await pick(page, 'Junction Field', `far_${engine}_book_id`);
      await selected(page, 'Junction Reference Field').toHaveValue(`far_${engine}_tag_id`);
      await selected(page, 'Field').toHaveValue('id');
      await save(page);
      const through = `${other.name}.${there('tag')}_by_${there('tagging')}`;
      expect(await related(instance, design, at('book'), through)).toEqual([['blue'], []]);
      const row = page.getByRole('region', { name: 'Relationships' }).getByRole('row', { name: through });
      await expect(row).toContainText(`${other.name}.${there('tag')}.id through ${other.name}.${there('tagging')}`);

      // It opens again as it was chosen.
      await page.getByRole('link', { name: through, exact: true }).click();
      await selected(page, 'Junction Service').toHaveValue(other.label);
      await selected(page, 'Junction Table').toHaveValue(there('tagging'));
    });

    test('SCH-012 what is said of a relation by a foreign key is changed, its ends are not', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      const key = { name: 'owner', type: 'reference', ref_table: 'native_team', ref_field: 'id', allow_null: true };
      await design.make(named('native_team'), named('native_task', key));
      await instance.api('POST', `${design.name}/_table/native_team`, { resource: [{ name: 'Red' }] });
      await instance.api('POST', `${design.name}/_table/native_task`, { resource: [{ name: 'Dig', owner: 1 }] });
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/native_task`);
      await page.getByRole('link', { name: 'native_team_by_owner', exact: true }).click();
      const pane = paneOf(page);
      await expect(pane.getByText('This relationship follows from a foreign key', { exact: false })).toBeVisible();
      await expect(pane.getByRole('radio', { name: 'Belongs To' })).toBeDisabled();
      for (const label of ['Field', 'Reference Service', 'Reference Table', 'Reference Field'])
        await expect(pane.getByRole('combobox', { name: label, exact: true })).toBeDisabled();
      await expect(pane.getByRole('switch', { name: 'Virtual Relationship' })).not.toBeChecked();
      await expect(button(pane, 'Delete')).toHaveCount(0);
      await expect(button(page, 'Delete relationship native_team_by_owner')).toHaveCount(0);
      await pane.getByRole('textbox', { name: 'Alias' }).fill('team');
      await pane.getByRole('textbox', { name: 'Label' }).fill('The team');
      await pane.getByRole('textbox', { name: 'Description' }).fill('Who does it.');
      await pane.getByRole('switch', { name: 'Always Fetch' }).check({ force: true });
      await save(page);
      const [relation] = (await design.describe('native_task')).related;
      expect(relation).toMatchObject({
        ...{ alias: 'team', label: 'The team', description: 'Who does it.', always_fetch: true },
        ...{ is_virtual: false, type: 'belongs_to', field: 'owner', ref_table: 'native_team', ref_field: 'id' },
      });
      const { body } = await instance.api('GET', `${design.name}/_table/native_task`);
      expect(namesIn(body.resource, 'team')).toEqual(['Red']);
    });
  });
}

test('SCH-020 a blank relation is refused; by keyboard alone, one is made', async ({ page, instance, designs }) => {
  const design = designs.sqlite!;
  const at = await makeLibrary(design, instance, 'keys');
  await signIn(page, instance);
  await page.goto(`${instance.url}/schema/${design.name}/${at('book')}/relation`);
  const writes = recordWrites(page);
  const pane = paneOf(page);
  // What is chosen first is seen first, and has the focus.
  await expect(pane.getByRole('radio', { name: 'Belongs To' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(pane.getByRole('alert')).toHaveText('Required fields are blank');
  await expect(pane.getByText('Please choose.')).toHaveCount(4);
  expect(writes).toEqual([]);
  await expectAccessible(page, 'a blank relation');

  await pane.getByRole('radio', { name: 'Belongs To' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(pane.getByRole('radio', { name: 'Has Many' })).toBeChecked();
  for (const label of ['Field', 'Reference Service', 'Reference Table']) {
    await page.keyboard.press('Tab');
    await expect(pane.getByRole('combobox', { name: label, exact: true })).toBeFocused();
  }
  await page.keyboard.type('keys_blurb');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await selected(page, 'Reference Field').toHaveValue('keys_book_id');
  await expect(pane.getByText('Please choose.')).toHaveCount(0);
  await expect(
    pane.getByText('Each keys_book record has many keys_blurb records, all whose keys_book_id is its id.'),
  ).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(pane).toHaveCount(0);
  expect(await related(instance, design, at('book'), 'keys_blurb_by_keys_book_id')).toEqual([[], ['Good']]);
});
