// Schema: tables chosen, made, changed and dropped on screen, on two databases.
import type { Page } from '@playwright/test';
import { expect, signIn } from './instance.ts';
import { designOf, engines, named, recordReads, recordWrites, test } from './schema-services.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const fields = (page: Page) => page.getByRole('region', { name: 'Fields' });
const view = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'How the table is shown' }).getByText(name, { exact: true }).click();
const toast = (page: Page, text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible();

for (const engine of engines) {
  test.describe(engine, () => {
    test('SCH-001 SCH-002 SCH-009 SCH-026 SCH-027 SCH-039 SCH-050 a service and a table are chosen, and read again', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      await design.make(named('alpha'), named('beta'));
      await signIn(page, instance);
      const reads = recordReads(page);
      await page.goto(`${instance.url}/schema`);
      await expect(page.getByRole('main').getByText('-- Select Service --')).toHaveCount(0);
      await expect(page.getByPlaceholder('-- Select Service --')).toBeVisible();
      await expect(button(page, 'Create')).toBeDisabled();
      await expect(button(page, 'Drop')).toBeDisabled();

      await page.getByPlaceholder('-- Select Service --').click();
      await page.getByRole('option', { name: design.label }).click();
      await expect(page.getByText('No Table selected')).toBeVisible();
      await expect(button(page, 'Upload JSON')).toBeEnabled();
      await expect(button(page, 'Drop')).toBeDisabled();
      expect(reads).toEqual([`${design.name}/_schema?refresh=true&fields=name%2Clabel`]);

      await page.getByRole('link', { name: 'beta', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'beta', level: 1 })).toBeVisible();
      await expect(fields(page).getByRole('row')).toHaveCount(3);
      expect(reads[1]).toBe(`${design.name}/_schema/beta?refresh=true`);
      await expect(button(page, 'Drop')).toBeEnabled();

      // A table once opened is kept until it is asked for again.
      await page.getByRole('link', { name: 'alpha', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'alpha', level: 1 })).toBeVisible();
      await page.getByRole('link', { name: 'beta', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'beta', level: 1 })).toBeVisible();
      expect(reads.filter((path) => path.includes('/beta'))).toHaveLength(1);
      await design.make(named('gamma'));
      await button(page, `Reload ${design.label}`).click();
      await toast(page, `${design.label} is refreshed.`);
      await expect(page.getByRole('link', { name: 'gamma', exact: true })).toBeVisible();
      expect(reads.filter((path) => path.includes('/beta'))).toHaveLength(2);

      // The panes can be resized, by keyboard as well.
      const picker = page.getByRole('complementary', { name: 'Tables' });
      const before = (await picker.boundingBox())!.width;
      const handle = page.getByRole('separator', { name: 'Resize the list of tables' });
      await handle.focus();
      for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
      expect((await picker.boundingBox())!.width).toBeGreaterThan(before);
      await handle.dblclick();
      expect((await picker.boundingBox())!.width).toBe(before);
    });

    test('SCH-004 SCH-013 SCH-016 SCH-017 SCH-028 SCH-044 a table is made field by field, kept here until it is saved', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      await design.make(named('taken'));
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}`);
      const writes = recordWrites(page);
      await button(page, 'Create').click();
      await box(page, 'Table Name').fill('taken');
      await box(page, 'Label').fill('Errand');
      await button(page, 'Save').click();
      await toast(page, 'Validation Error');
      await expect(box(page, 'Table Name')).toHaveAccessibleDescription('The name already exists');

      await box(page, 'Table Name').fill('todo');
      await page.keyboard.press('Enter');
      await page.keyboard.type('title');
      await page.keyboard.press('Enter');
      await page.keyboard.type('string(40)');
      await page.keyboard.press('Enter');
      await expect(fields(page).getByRole('row')).toHaveCount(3);

      // The editor of a field works the same on a table that is not there.
      await button(page, 'Add Field').click();
      const pane = page.getByRole('dialog');
      await pane.getByRole('textbox', { name: 'Name', exact: true }).fill('done');
      await pane.getByRole('combobox', { name: 'Type', exact: true }).click();
      await pane.getByRole('option', { name: 'boolean', exact: true }).click();
      await pane.getByRole('checkbox', { name: 'Allow Null' }).check();
      await pane.getByRole('button', { name: 'Add Field', exact: true }).click();
      await expect(fields(page).getByRole('row')).toHaveCount(4);
      await expect(button(page, 'Add Virtual Relationship')).toBeDisabled();
      expect(writes).toEqual([]);

      await button(page, 'Save').click();
      await toast(page, 'Table saved successfully.');
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}/todo`);
      await expect(page.getByRole('link', { name: 'todo', exact: true })).toBeVisible();
      expect(writes.map(({ call }) => call)).toEqual([`POST ${design.name}/_schema?fields=*`]);
      expect(await design.describe('todo')).toMatchObject({
        ...{ label: 'Errand', plural: 'Errands', primary_key: ['id'] },
        field: [
          { name: 'id', type: 'id' },
          { name: 'title', type: 'string', length: 40, allow_null: false },
          { name: 'done', type: 'boolean', allow_null: true },
        ],
      });
    });

    test('SCH-005 SCH-010 SCH-015 SCH-021 SCH-022 SCH-029 SCH-043 a table is edited as a form and as JSON', async ({
      page,
      instance,
      designs,
    }) => {
      const design = designOf(designs, engine);
      await design.make(named('invoice'), named('occupied'));
      await design.describe('occupied');
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/invoice`);
      const writes = recordWrites(page);
      await box(page, 'Alias').fill('bill');
      await box(page, 'Label').fill('Bill');
      await box(page, 'Plural Label').fill('Bills to pay');
      await box(page, 'Description').fill('What we owe.');
      await page.getByRole('combobox', { name: 'Name field' }).click();
      await page.getByRole('option', { name: 'name', exact: true }).click();
      await page.keyboard.press('ControlOrMeta+s');
      await toast(page, 'Table saved successfully.');
      expect(writes.map(({ call }) => call)).toEqual([`PATCH ${design.name}/_schema/invoice`]);
      expect(await design.describe('invoice')).toMatchObject({
        ...{ alias: 'bill', label: 'Bill', plural: 'Bills to pay', description: 'What we owe.', name_field: 'name' },
        ...{ is_view: false, primary_key: ['id'] },
      });

      await view(page, 'JSON');
      const editor = page.getByRole('textbox', { name: 'The table as JSON' });
      await expect(editor).toContainText('"plural": "Bills to pay"');
      const write = async (text: string) => {
        await editor.click();
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.insertText(text);
      };
      await write('{ "label": ');
      await button(page, 'Validate').click();
      await toast(page, 'JSON Invalid.');
      await view(page, 'Table');
      await toast(page, 'Invalid JSON. Please correct any errors and validate to switch back to table view.');
      await expect(editor).toContainText('{ "label":');
      const note = { name: 'note', type: 'text', allow_null: true };
      await write(JSON.stringify({ label: 'Invoice', field: [note] }));
      await button(page, 'Validate').click();
      await toast(page, 'Valid JSON.');
      await expect(editor).toContainText('"primary_key": [');
      await view(page, 'Table');
      await expect(box(page, 'Label')).toHaveValue('Invoice');
      await expect(button(page, 'Add Field')).toBeDisabled();
      await button(page, 'Save').click();
      await expect(button(page, 'Add Field')).toBeEnabled();
      expect((await design.describe('invoice')).field.map(({ name }: { name: string }) => name)).toEqual([
        'id',
        'name',
        'note',
      ]);

      // What the server refuses is said in its words, and stays on screen.
      await box(page, 'Alias').fill('occupied');
      await button(page, 'Save').click();
      await expect(page.getByRole('alert', { name: 'The table was not saved' })).toContainText(/occupied/);
      await expect(box(page, 'Alias')).toHaveValue('occupied');
    });

    test('SCH-030 SCH-045 SCH-051 a table is dropped after a question', async ({ page, instance, designs }) => {
      const design = designOf(designs, engine);
      await design.make(named('doomed'));
      await instance.api('POST', `${design.name}/_table/doomed`, { resource: [{ name: 'one' }, { name: 'two' }] });
      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/doomed`);
      const writes = recordWrites(page);
      await button(page, 'Drop').click();
      const dialog = page.getByRole('dialog');
      await expect(dialog).toContainText('Are you sure you want to drop table doomed?');
      // Two records would be lost: their table is to be named.
      await expect(dialog).toContainText('2');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toHaveCount(0);
      await button(page, 'Drop').click();
      await dialog.getByRole('textbox').fill('doomed');
      await dialog.getByRole('button', { name: 'Drop', exact: true }).click();
      await toast(page, 'Table deleted successfully.');
      await expect(page).toHaveURL(`${instance.url}/schema/${design.name}`);
      await expect(page.getByRole('link', { name: 'doomed', exact: true })).toHaveCount(0);
      expect(writes.map(({ call }) => call)).toEqual([`DELETE ${design.name}/_schema/doomed`]);
    });
  });
}

test('SCH-003 SCH-041 database services are listed; where they cannot be read, it is said', async ({
  page,
  instance,
  designs,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/schema`);
  await page.getByPlaceholder('-- Select Service --').click();
  const options = page.getByRole('option');
  await expect(options.filter({ hasText: designs.sqlite!.label })).toHaveCount(1);
  // The system service and those of files hold no tables to design.
  await expect(options.filter({ hasText: /^System|Files/ })).toHaveCount(0);
  await page.route('**/api/v2/', (route) => route.fulfill({ status: 500, json: { error: { message: 'No.' } } }));
  await page.goto(`${instance.url}/schema`);
  const full = 'There was an error loading the Schema tab. Please try refreshing your browser and logging in again.';
  await expect(page.getByText(full).first()).toBeVisible();
  await page.unroute('**/api/v2/');
  await button(page, 'Try again').click();
  await expect(page.getByPlaceholder('-- Select Service --')).toBeVisible();
});
