// Two people edit the same record: the second sees the changes of the first, and nothing is overwritten unseen.
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn, test } from './instance.ts';

const save = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Save', exact: true });
const description = (page: Page) => page.getByRole('textbox', { name: 'Description' });
const inactive = (page: Page) => page.getByRole('switch', { name: 'Active' });

async function aService(instance: Instance) {
  const name = `stale_${Date.now()}`;
  const record = { name, label: name, type: 'sqlite', is_active: true, config: { database: name } };
  const { status, body } = await instance.api('POST', 'system/service?fields=*', { resource: [record] });
  expect(status).toBe(201);
  return {
    id: body.resource[0].id as number,
    name,
    stored: async () => (await instance.api('GET', `system/service/${body.resource[0].id}`)).body,
  };
}

test('two editors of one service: both changes are shown, merged and kept as chosen', async ({
  page,
  context,
  instance,
}) => {
  test.slow();
  const service = await aService(instance);
  await signIn(page, instance);
  const other = await context.newPage();
  for (const each of [page, other]) {
    await each.goto(`${instance.url}/services/${service.id}`);
    await expect(description(each)).toBeVisible();
  }
  await description(other).fill('Theirs');
  await inactive(other).click({ force: true });
  await save(other).click();
  await expect(other.getByText('Service updated successfully', { exact: true })).toBeVisible();

  await description(page).fill('Mine');
  await page.getByRole('textbox', { name: 'Label' }).fill('My label');
  await save(page).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else saved this first' });
  await expect(dialog).toBeVisible();
  expect((await service.stored()).description).toBe('Theirs');
  const both = dialog.getByRole('group', { name: 'Description' });
  await expect(both).toContainText('Mine');
  await expect(both).toContainText('Theirs');
  const merged = dialog.getByRole('region', { name: 'Merged by itself' });
  await expect(merged).toContainText('Only they changed it');
  await expect(merged).toContainText('Only you changed it');
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expectAccessible(page, 'the question');

  // By keyboard: back to the form, nothing lost; once more, and a choice.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(description(page)).toHaveValue('Mine');
  await page.keyboard.press('ControlOrMeta+s');
  await dialog.getByRole('radio', { name: 'Keep mine' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
  expect(await service.stored()).toMatchObject({ description: 'Mine', label: 'My label', is_active: false });
  // And the form goes on from there.
  await description(page).fill('Mine again');
  await save(page).click();
  await expect.poll(async () => (await service.stored()).description).toBe('Mine again');
});

test('a record deleted in the meantime is reported, and created again from the draft', async ({ page, instance }) => {
  const service = await aService(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/${service.id}`);
  await description(page).fill('Still here');
  expect((await instance.api('DELETE', `system/service/${service.id}`)).status).toBe(200);
  await save(page).click();
  const dialog = page.getByRole('dialog', { name: 'This was deleted in the meantime' });
  await dialog.getByRole('button', { name: 'Create it again' }).click();
  await expect(page).not.toHaveURL(new RegExp(`/services/${service.id}$`));
  await expect(page).toHaveURL(/\/services\/\d+$/);
  await expect(description(page)).toHaveValue('Still here');
  const found = (await instance.api('GET', `system/service?filter=name="${service.name}"`)).body.resource;
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ description: 'Still here', config: { database: service.name } });
});

test('a deletion of what someone changed since asks again, and shows the change', async ({ page, instance }) => {
  const service = await aService(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/${service.id}`);
  await expect(description(page)).toBeVisible();
  await instance.api('PATCH', `system/service/${service.id}`, { description: 'Now in use' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else changed this first' });
  await expect(dialog).toContainText('Now in use');
  expect((await service.stored()).id).toBe(service.id);
  await dialog.getByRole('button', { name: 'Delete anyway' }).click();
  await expect(page).toHaveURL(/\/services$/);
  expect((await instance.api('GET', `system/service/${service.id}`)).status).toBe(404);
});
