// What the console has marked as wrong is never sent, however one saves.
import type { Page } from '@playwright/test';
import { expect, signIn, test } from './instance.ts';

const cell = (page: Page, row: number, column: number) => page.locator(`[data-at="${row}:${column}"]`);

test('a cell that is marked is led to by every way of saving, and nothing of the table is sent', async ({
  page,
  instance,
}) => {
  const stored = async (id: number) => (await instance.api('GET', `world/_table/orders/${id}`)).body;
  const [first, second] = [await stored(1), await stored(2)];
  await signIn(page, instance);
  await page.goto(`${instance.url}/data/world/orders?filter=id < 4`);
  await expect(page.getByRole('columnheader', { name: /^status/ })).toBeVisible();
  const heads = await page.getByRole('columnheader').allTextContents();
  const column = heads.findIndex((head) => head.startsWith('status')) - 1;
  const type = async (row: number, text: string) => {
    await cell(page, row, column).dblclick();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.url());
  });
  await type(0, 'held');
  await type(1, 'waiting for the customer');
  await expect(cell(page, 1, column)).toHaveAttribute('aria-invalid', 'true');

  const refused = page.getByText('Nothing was saved: 1 value needs attention first.').first();
  for (const save of [
    () => page.keyboard.press('Control+S'),
    () => page.getByRole('button', { name: 'Save', exact: true }).last().click(),
    async () => {
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Home' }).click();
      await page.getByRole('button', { name: 'Save and continue' }).click();
    },
  ]) {
    await cell(page, 0, 0).click();
    await save();
    await expect(cell(page, 1, column)).toBeFocused();
    await expect(refused).toBeVisible();
  }
  expect(sent).toEqual([]);
  expect([await stored(1), await stored(2)]).toEqual([first, second]);

  await type(1, 'held');
  await page.keyboard.press('Control+S');
  await expect(page.getByText('Records saved.')).toBeVisible();
  expect([(await stored(1)).status, (await stored(2)).status]).toEqual(['held', 'held']);
  await instance.api('PATCH', 'world/_table/orders', {
    resource: [first, second].map(({ id, status }) => ({ id, status })),
  });
});
