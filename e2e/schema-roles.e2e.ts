// Schema for people whose role gives rights for one service only: what they see, what they can change, which messages they get.
import type { Page } from '@playwright/test';
import { makeGuest } from './guests.ts';
import { expect, signIn } from './instance.ts';
import { designOf, engines, named, recordWrites, test } from './schema-services.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const fields = (page: Page) => page.getByRole('region', { name: 'Fields' });

for (const engine of engines) {
  test.describe(engine, () => {
    test('who may only read sees everything and can change nothing', async ({ page, instance, designs }, info) => {
      const design = designOf(designs, engine);
      const table = `seen_${info.retry}`;
      await design.make(named(table));
      const guest = await makeGuest(instance, [{ service: design.name, component: '_schema/*', verb_mask: 1 }]);
      await signIn(page, instance, guest);
      await page.goto(`${instance.url}/schema`);
      await page.getByPlaceholder('-- Select Service --').click();
      await expect(page.getByRole('option')).toHaveText([design.label]);
      await page.getByRole('option').click();
      await page.getByRole('link', { name: table, exact: true }).click();
      await expect(box(page, 'Label')).toHaveValue(/Seen/);
      await expect(box(page, 'Label')).toHaveJSProperty('readOnly', true);
      await expect(fields(page).getByRole('row')).toHaveCount(3);
      await expect(button(page, 'Drop')).toBeDisabled();
      await expect(button(page, 'Add Field')).toBeDisabled();
      await expect(button(page, 'Add Virtual Relationship')).toBeDisabled();
      for (const name of ['Save', 'Rename', 'Add']) await expect(button(page, name)).toHaveCount(0);
      await expect(page.getByText('Your role does not let you change this table.')).toBeVisible();
      await fields(page).getByRole('link', { name: 'name', exact: true }).click();
      await expect(page.getByText('You may look at this field, but not change it')).toBeVisible();
      for (const name of ['Save', 'Delete field']) await expect(button(page, name)).toBeDisabled();
    });

    test('who may change one table changes that one alone, and drops none', async ({
      page,
      instance,
      designs,
    }, info) => {
      const design = designOf(designs, engine);
      const [mine, theirs] = [`mine_${info.retry}`, `theirs_${info.retry}`];
      await design.make(named(mine), named(theirs));
      const guest = await makeGuest(instance, [
        { service: design.name, component: '_schema/', verb_mask: 1 },
        { service: design.name, component: `_schema/${theirs}/*`, verb_mask: 1 },
        { service: design.name, component: `_schema/${mine}/*`, verb_mask: 15 },
      ]);
      await signIn(page, instance, guest);
      await page.goto(`${instance.url}/schema/${design.name}/${mine}`);
      await expect(page.getByRole('link', { name: theirs, exact: true })).toBeVisible();
      const writes = recordWrites(page);
      await box(page, 'Label').fill('My table');
      await button(page, 'Save').click();
      await expect(page.getByText('Table saved successfully.').first()).toBeVisible();
      await expect(button(page, 'Drop')).toBeDisabled();
      await page.getByRole('link', { name: theirs, exact: true }).click();
      await expect(box(page, 'Label')).toHaveJSProperty('readOnly', true);
      // A table of another name is refused in the server's words.
      await button(page, 'Create').click();
      await page.getByRole('textbox', { name: 'Table Name' }).fill('new_one');
      await button(page, 'Save').click();
      await expect(page.getByRole('alert', { name: 'The table was not saved' })).toContainText(
        `POST access to component '_schema' of service '${design.name}' is not allowed`,
      );
      expect(writes.map(({ call }) => call).filter((call) => !call.includes('_plan'))).toEqual([
        `PATCH ${design.name}/_schema/${mine}`,
        `POST ${design.name}/_schema?fields=*`,
      ]);
    });
  });
}

test('without rights for schemas it is said what is missing, and nothing is offered', async ({
  page,
  instance,
  designs,
}, info) => {
  const design = designs.sqlite!;
  const table = `hidden_${info.retry}`;
  await design.make(named(table));
  const reader = await makeGuest(instance, [{ service: design.name, component: '_table/*', verb_mask: 31 }]);
  await signIn(page, instance, reader);
  await page.goto(`${instance.url}/schema/${design.name}`);
  const main = page.getByRole('main');
  await expect(main.getByText('You may not see this')).toBeVisible();
  const missing = (component: string) => `GET access to component '${component}' of service '${design.name}' is not`;
  await expect(main.getByText(missing('_schema')).first()).toBeVisible();
  for (const name of ['Create', 'Upload JSON', 'Drop', 'Diagram']) await expect(button(page, name)).toBeDisabled();
  await page.goto(`${instance.url}/schema/${design.name}/${table}`);
  await expect(main.getByText(missing(`_schema/${table}`))).toBeVisible();
  await expect(button(page, 'Drop')).toBeDisabled();
  // A service the role does not have at all is not listed.
  await page.goto(`${instance.url}/schema/world`);
  await expect(page.getByText(/There is no database service “world”.*your role does not include it/)).toBeVisible();
  await page.getByPlaceholder('-- Select Service --').click();
  await expect(page.getByRole('option')).toHaveText([design.label]);
});
