// The editor of a service: what is shown after a save, maps of the configuration, and the definition.
import type { Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const tab = (page: Page, name: string) => main(page).getByRole('link', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

let count = 0;

async function makeService(instance: Instance, set: Record<string, unknown>): Promise<number> {
  count += 1;
  const record = { name: `edited_${count}_${Date.now()}`, label: 'Edited', is_active: true, ...set };
  const { status, body } = await instance.api('POST', 'system/service', { resource: [record] });
  expect(status).toBe(201);
  return body.resource[0].id;
}

test('SVC-020 Save without leaving shows the service as it was stored', async ({ page, instance }) => {
  const config = { host: 'db.example.com', port: 3306, database: 'shop', username: 'shop', password: 'first' };
  const id = await makeService(instance, { type: 'mysql', config });
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/${id}/config`);
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveValue('**********');
  await main(page).getByRole('button', { name: 'Replace' }).click();
  await password.fill('second');
  await tab(page, 'Info').click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Stored anew');
  await save(page);
  await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/services/${id}$`));
  // What is stored and not what was typed: the heading is the stored label, a stored password is never shown.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Stored anew');
  await tab(page, 'Config').click();
  await expect(password).toHaveValue('**********');
  await expect(main(page).getByText('unsaved', { exact: false })).toHaveCount(0);
});

test('SVC-008 an object of the configuration is edited as a list of names and values', async ({ page, instance }) => {
  const config = { database: `maps_${Date.now()}`, options: { first: '1', second: '2' } };
  const id = await makeService(instance, { type: 'sqlite', config });
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/${id}/config`);
  const options = main(page).getByRole('group', { name: 'Driver Options' });
  await expect(options.getByRole('textbox')).toHaveCount(4);
  await expect(options.getByRole('textbox', { name: /row 2/ }).last()).toHaveValue('2');
  await options.getByRole('button', { name: /row 1/ }).click();
  await options.getByRole('button', { name: 'Add' }).click();
  await options.getByRole('textbox', { name: /row 2/ }).first().fill('third');
  await options.getByRole('textbox', { name: /row 2/ }).last().fill('3');
  await save(page);
  await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
  expect((await instance.api('GET', `system/service/${id}`)).body.config.options).toEqual({ second: '2', third: '3' });
});

test('SVC-009 SVC-056 the definition is shown in its format, JSON or YAML, in an editor as high as the window less 400 px', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  for (const [format, name, content] of [
    [0, 'JSON', '{"openapi":"3.1.0"}'],
    [1, 'YAML', 'openapi: 3.1.0'],
  ] as const) {
    const id = await makeService(instance, {
      type: 'sqlite',
      config: { database: 'defined' },
      service_doc_by_service_id: { content, format },
    });
    const read = await instance.api('GET', `system/service/${id}?related=service_doc_by_service_id`);
    expect(read.body.service_doc_by_service_id).toMatchObject({ content, format });
    await page.goto(`${instance.url}/services/${id}/definition`);
    await expect(page.getByRole('radio', { name, exact: true })).toBeChecked();
    const editor = page.getByRole('textbox', { name: 'Service Definition' });
    await expect(editor).toHaveText(content);
    for (const height of [900, 700]) {
      await page.setViewportSize({ width: 1440, height });
      const frame = main(page)
        .locator('.cm-editor')
        .locator('xpath=ancestor-or-self::*[contains(@style, "height")][1]');
      await expect.poll(async () => (await frame.boundingBox())?.height).toBe(height - 400);
    }
  }
});
