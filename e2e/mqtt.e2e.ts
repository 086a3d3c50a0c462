// Messages of a broker: the service is made in the console, a call is subscribed to from the docs, and what a message says becomes a
// record that the data screen shows.
import type { Page } from '@playwright/test';
import { type MqttBroker, remoteServerMissing, startMosquitto } from '@sluice/testkit/remote-servers';
import { expectAccessible } from './axe.ts';
import { expect, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const missing = remoteServerMissing('mqtt');
let broker: MqttBroker;

test.skip(missing !== undefined, missing);
test.beforeAll(async () => {
  if (!missing) broker = await startMosquitto();
});
test.afterAll(async () => {
  await broker?.stop();
});

test('a message of a topic becomes a record', async ({ page, instance }) => {
  const name = `iot${Date.now()}`;
  const fields = [
    { name: 'id', type: 'id' },
    { name: 'place', type: 'string' },
    { name: 'value', type: 'float' },
  ];
  await instance.api('POST', 'db/_schema', { resource: [{ name, field: fields }] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await main(page).getByRole('button').filter({ hasText: 'MQTT Client' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Label' }).fill('Things');
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  const field = (label: string) => main(page).getByLabel(new RegExp(`^${label}[ *]*$`));
  await field('Broker Host').fill(broker.host);
  await field('Broker Port').fill(String(broker.port));
  await field('Client ID').fill(name);
  await field('Username').fill(broker.username);
  await field('Password').fill(broker.password);
  await expectAccessible(page, 'the configuration of a broker');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();

  const payload = { resource: [{ place: '{topic.2}', value: '{message.celsius}' }] };
  const service = { endpoint: `db/_table/${name}`, payload };
  const subscribed = await instance.api('POST', `${name}/sub`, [{ topic: `${name}/+/temperature`, service }]);
  expect(subscribed.status).toBe(200);
  // Until the broker knows of the subscription, a message leads nowhere.
  await expect
    .poll(
      async () => {
        await instance.api('POST', `${name}/pub`, { topic: `${name}/cellar/temperature`, message: { celsius: 12.5 } });
        return (await instance.api('GET', `db/_table/${name}?count_only=true`)).body;
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  await page.goto(`${instance.url}/data/db/${name}`);
  const row = page.getByRole('grid').getByRole('row').nth(1);
  await expect(row.getByRole('gridcell', { name: 'cellar', exact: true })).toBeVisible();
  await expect(row.getByRole('gridcell', { name: '12.5', exact: true })).toBeVisible();
  // The docs make the calls, too.
  await page.goto(`${instance.url}/apidocs/${name}`);
  await page.getByRole('link', { name: /^GET .*List subscriptions/ }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 200')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Answer', exact: true })).toContainText(`${name}/+/temperature`);
  await instance.api('DELETE', `${name}/sub`);
});
