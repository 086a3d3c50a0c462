// Service types as the editor offers them: what a licence covers and this server lacks, and what is said when they cannot be read.
import type { Page } from '@playwright/test';
import { expect, signIn, startInstance, test } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';

const main = (page: Page) => page.getByRole('main');
const words =
  'There was an error loading data for the Services tab. Please try refreshing your browser and logging in again.';

test('SVC-013 a type that the licence covers and this server lacks is not locked, but not here and not to be saved', async ({
  page,
}) => {
  const instance = await startInstance({ ...demo, SLUICE_LICENSE: 'SILVER' }, await copyPreparedData());
  try {
    await signIn(page, instance);
    await page.goto(`${instance.url}/services/create`);
    const types = main(page).getByRole('button');
    await expect(types.filter({ hasText: 'Logstash' })).toHaveText('LogstashGOLD');
    await types.filter({ hasText: 'Oracle' }).click();
    await expect(main(page).getByText('This server has no services of the type Oracle.')).toBeVisible();
    await expect(main(page).getByText(/product subscription/)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
    await main(page).getByRole('button', { name: 'Change' }).click();
    await expect(types.filter({ hasText: 'Oracle' })).toHaveText('OracleNot on this server');
    // What can be had comes first.
    const names = await main(page).locator('section:has(> h3)').first().getByRole('button').allTextContents();
    const place = (name: string) => names.findIndex((text) => text.startsWith(name));
    expect(place('SQLite')).toBeLessThan(place('IBM DB2'));
  } finally {
    await instance.stop();
  }
});

for (const [what, path] of [
  ['the services', '**/api/v2/system/service?**'],
  ['their types', '**/api/v2/system/service_type'],
  ['the services that scripts may be linked to', /\/api\/v2\/?\?group=/],
] as const) {
  test(`SVC-042 the list says so when ${what} cannot be read`, async ({ page, instance }) => {
    await signIn(page, instance);
    await page.route(path, (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: 'Down.' } } }));
    await page.goto(`${instance.url}/services`);
    await expect(page.getByText(words).first()).toBeVisible();
  });
}
