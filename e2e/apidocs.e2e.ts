// API docs: what a service offers is found, tried out and taken along as code; the older addresses lead to the same.
import { expectAccessible } from './axe.ts';
import { expect, signIn, test } from './instance.ts';

test('DOC-001 DOC-002 NAV-033 a call is found, filled in, sent and written as code', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/apidocs`);
  await expect(page.getByRole('heading', { level: 1, name: 'API Docs' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'world', exact: true }).click();
  await page.getByRole('searchbox', { name: /^Find a call/ }).fill('get countries records');
  await expect(page).toHaveURL(/search=/);
  await expectAccessible(page, 'the calls of a service');
  await page.getByRole('link', { name: 'GET countries: Retrieve records' }).click();
  await expect(page).toHaveURL(/\/apidocs\/world\/call\/getWorldTableCountries$/);
  await page.getByRole('textbox', { name: 'filter' }).fill("(code = 'CH')");
  await page.getByRole('textbox', { name: 'fields' }).fill('code,name');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 200')).toBeVisible();
  const answer = await page.getByRole('region', { name: 'Answer', exact: true }).textContent();
  expect(JSON.parse(answer ?? '')).toEqual({ resource: [{ code: 'CH', name: 'Switzerland' }] });
  await page.getByText(/^Headers \(\d+\)$/).click();
  await expect(page.getByText('x-request-id')).toBeVisible();
  await page.getByText('PHP', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'The call in PHP' })).toContainText('file_get_contents(');
  await expectAccessible(page, 'a call');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'a call, on a phone');
});

test('a deep link to a schema shows its fields, and the older address shows the docs alone', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/apidocs/world/schema/countries`);
  await expect(page.getByRole('listitem').filter({ hasText: 'code' }).first()).toContainText('key');
  await page.goto(`${instance.url}/df-api-docs-ui/dist/index.html?admin_app=1`);
  await expect(page.getByRole('heading', { level: 1, name: 'API Docs' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.getByRole('link', { name: 'world', exact: true }).click();
  await expect(page).toHaveURL(/\/df-api-docs-ui\/world$/);
});
