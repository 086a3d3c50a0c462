// Logging to a Logstash server: which events are logged, and what goes along, is chosen in the form.
import { createSocket, type Socket } from 'node:dgram';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { test as base, expect, type Instance, signIn, startInstance } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';

/** An instance, and a socket with what it got. */
const test = base.extend<object, { world: { instance: Instance; socket: Socket; got: Record<string, unknown>[] } }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const socket = createSocket('udp4');
      const got: Record<string, unknown>[] = [];
      socket.on('message', (message) => got.push(JSON.parse(message.toString())));
      await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
      const instance = await startInstance(demo, await copyPreparedData());
      await use({ instance, socket, got });
      await instance.stop();
      socket.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

const main = (page: Page) => page.getByRole('main');
const group = (page: Page, name: string | RegExp) => main(page).getByRole('group', { name });

test('NAV-045 a Logstash service is made with three columns of what goes along, and logs the event of its map', async ({
  page,
  world: { instance, socket, got },
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await main(page).getByRole('button').filter({ hasText: 'Logstash' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('elk');
  await page.getByRole('textbox', { name: 'Label' }).fill('Elastic');
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  await page.getByRole('textbox', { name: 'Port' }).fill(String(socket.address().port));
  const context = group(page, /^Log Context/);
  const boxes = context.getByRole('checkbox');
  await expect(boxes.first()).toBeVisible();
  const lefts = await boxes.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().left)));
  expect(new Set(lefts.slice(1)).size).toBe(3);
  await context.getByRole('checkbox', { name: '_event.request.method', exact: true }).check();
  await context.getByRole('checkbox', { name: '_event.response.status_code', exact: true }).check();
  const events = group(page, 'Service Event');
  await events.getByRole('button', { name: 'Add a row' }).click();
  await events.getByRole('combobox', { name: 'Event, row 1' }).fill('files.get');
  await page.getByRole('option', { name: 'files.get', exact: true }).click();
  await events.getByRole('textbox', { name: 'Message, row 1' }).fill('Files were listed');
  await expectAccessible(page, 'the configuration of a Logstash service');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();

  expect((await instance.api('GET', 'files/')).status).toBe(200);
  await expect.poll(() => got).toHaveLength(1);
  expect(got[0]).toMatchObject({
    ...{ short_message: 'Files were listed', level: 6, _event: 'files.get' },
    ...{ '_event.request.method': 'GET', '_event.response.status_code': 200 },
  });
});
