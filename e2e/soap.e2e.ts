// SOAP services: a WSDL becomes operations that are called from the docs, and that roles name.
import type { Page } from '@playwright/test';
import { type SoapServer, startSoapServer } from '../packages/server/src/services/soap/soap-server.fixture.ts';
import { expectAccessible } from './axe.ts';
import { test as base, expect, type Instance, signIn, startInstance } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';

/** An instance, and a SOAP server. */
const test = base.extend<object, { world: { instance: Instance; remote: SoapServer } }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const remote = await startSoapServer();
      const instance = await startInstance(demo, await copyPreparedData());
      await use({ instance, remote });
      await instance.stop();
      await remote.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const main = (page: Page) => page.getByRole('main');
const answer = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true });
const opened = (page: Page) => main(page).locator('li[data-open]');

/** Chooses from a menu whose input has this label. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await opened(page).getByRole('combobox', { name: label, exact: true }).click();
  await opened(page).getByRole('option', { name: option, exact: true }).click();
}

test('a SOAP service is made of a WSDL, called from the docs, and one operation of it given to a role', async ({
  page,
  world: { instance, remote },
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await main(page).getByRole('button').filter({ hasText: 'SOAP Service' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('calc');
  await page.getByRole('textbox', { name: 'Label' }).fill('Calculator');
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  await main(page)
    .getByRole('textbox', { name: /^WSDL URI/ })
    .fill(`${remote.url}/wrapped?wsdl`);
  await expectAccessible(page, 'the configuration of a SOAP service');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();

  await page.goto(`${instance.url}/apidocs/calc`);
  await page.getByRole('link', { name: /^POST .*Add: Call an operation/ }).click();
  await page.getByRole('textbox', { name: /body/i }).fill('{"a": 40, "b": 2}');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 200')).toBeVisible();
  expect(JSON.parse((await answer(page).textContent()) ?? '')).toEqual({ result: 42 });

  await page.goto(`${instance.url}/roles/create`);
  await page.getByRole('textbox', { name: 'Name' }).fill('adders');
  // What is seen of a switch lies over its input.
  await page.getByRole('switch', { name: 'Active' }).check({ force: true });
  await main(page).getByRole('link', { name: 'Service Access', exact: true }).click();
  await page.getByRole('button', { name: 'Add a row' }).click();
  await choose(page, 'Service', 'calc – Calculator');
  await choose(page, 'Component', 'Add');
  await opened(page)
    .getByRole('button', { name: /^Access:/ })
    .click();
  await opened(page)
    .getByRole('menuitemcheckbox', { name: /^POST / })
    .click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Role saved successfully.')).toBeVisible();

  const role = (await instance.api('GET', "system/role?filter=name='adders'&fields=id")).body.resource[0].id;
  const app = await instance.api('POST', 'system/app?fields=api_key', {
    resource: [{ name: 'adder', is_active: true, role_id: role }],
  });
  const key = { 'X-DreamFactory-API-Key': app.body.resource[0].api_key };
  expect(await instance.api('POST', 'calc/add', { a: 1, b: 2 }, key)).toMatchObject({
    ...{ status: 200, body: { result: 3 } },
  });
  for (const [verb, path] of [
    ['POST', 'calc/Values'],
    ['GET', 'calc/Add'],
  ] as const)
    expect([401, 403], `${verb} ${path}`).toContain(
      (await instance.api(verb, path, verb === 'POST' ? {} : undefined, key)).status,
    );
});
