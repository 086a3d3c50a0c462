// What makes the screens one console: pictures, words on what one can press, summaries beside editors.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const picture = (at: Locator, name: string) => at.locator(`svg.tabler-icon-${name}`);

test('a service has the picture of its type wherever it is listed, and a section its own in rail and palette', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services`);
  const shop = main(page).locator('tbody tr', { hasText: 'Local SQL Database' });
  await expect(picture(shop, 'feather')).toBeVisible();
  await expect(picture(page.getByRole('link', { name: 'Services', exact: true }), 'plug-connected')).toBeVisible();

  for (const screen of ['data', 'schema']) {
    await page.goto(`${instance.url}/${screen}`);
    await expect(picture(main(page).getByRole('link', { name: /Local SQL Database/ }), 'feather')).toBeVisible();
  }

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Search or jump to' });
  await palette.fill('Local SQL');
  await expect(
    picture(page.getByRole('group', { name: 'Services' }).getByRole('option').first(), 'feather'),
  ).toBeVisible();
  await palette.fill('Roles');
  await expect(picture(page.getByRole('option', { name: 'Roles', exact: true }), 'shield-lock')).toBeVisible();
});

test('toolbars have words where there is room, and pictures with names where there is none', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  const word = (name: string) => main(page).getByRole('button', { name, exact: true }).getByText(/./);
  await page.goto(`${instance.url}/services`);
  for (const name of ['Refresh', 'Columns']) await expect(word(name)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(main(page).getByRole('button', { name: 'Refresh', exact: true })).toBeVisible();
  await expect(word('Refresh')).toBeHidden();

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${instance.url}/data/world/cities`);
  for (const name of ['Refresh Results', 'Visible Fields', 'Export']) await expect(word(name)).toBeVisible();
});

test('beside a wide editor stands which record it is, who changed it last, and what uses it', async ({
  page,
  instance,
}) => {
  const mark = Date.now();
  const create = async (resource: string, record: object) =>
    (await instance.api('POST', `system/${resource}`, { resource: [record] })).body.resource[0].id as number;
  const role = await create('role', { name: `used ${mark}`, is_active: true });
  const app = await create('app', { name: `using ${mark}`, is_active: true, type: 0, role_id: role });

  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${role}`);
  const summary = main(page).getByRole('complementary', { name: 'Summary' });
  await expect(summary).toContainText(String(role));
  await expect(summary).toContainText('1 app');
  await expect(summary).toContainText('by ada@example.com');
  await page.setViewportSize({ width: 1100, height: 900 });
  await expect(summary).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await summary.getByRole('link', { name: `using ${mark}` }).click();
  await expect(page).toHaveURL(new RegExp(`/apps/${app}`));
  await expectAccessible(page, 'summary');
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });

  test('service types, their fields, reasons and refusals are in German', async ({ page, instance }) => {
    await signIn(page, instance);
    const services = (await instance.api('GET', '')).body.services as { id: number; name: string }[];
    const db = services.find(({ name }) => name === 'db')!.id;
    await page.goto(`${instance.url}/services/${db}/config`);
    await expect(main(page).getByLabel('Zeitgrenze für Abfragen (Sekunden)')).toBeVisible();
    await expect(main(page).getByText('Query Timeout')).toHaveCount(0);
    await page.goto(`${instance.url}/services/create`);
    await expect(main(page).getByRole('heading', { name: 'Datenbank', exact: true })).toBeVisible();

    await page.goto(`${instance.url}/services/999999`);
    await expect(main(page)).toContainText('Einen Datensatz mit der Kennung „999999“ gibt es nicht.');
  });
});
