// HTTP services: an API elsewhere is connected, called from the docs, and narrowed by a role.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeGuest } from './guests.ts';
import { test as base, createSession, expect, signIn } from './instance.ts';

/** A web server that answers how it was called. */
const test = base.extend<object, { remote: string }>({
  remote: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server: Server = createServer(({ method, url, headers }, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ method, url, key: headers['x-partner-key'] ?? null }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],
});

const main = (page: Page) => page.getByRole('main');
const group = (page: Page, name: string) => main(page).getByRole('group', { name, exact: true });
const answer = (page: Page) => page.getByRole('region', { name: 'Answer', exact: true });

test('SVC-033 an HTTP service is made with a header and a parameter, for all verbs unless others are chosen, and answers in the docs', async ({
  page,
  instance,
  remote,
}) => {
  const name = `weather_${Date.now()}`;
  await instance.api('POST', 'system/lookup', { resource: [{ name: `${name}.key`, value: 'k3y', private: true }] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await main(page).getByRole('button').filter({ hasText: 'HTTP Service' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Label' }).fill('Weather');
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  await main(page)
    .getByRole('textbox', { name: /^Base URL/ })
    .fill(`${remote}/v1`);
  const parameters = group(page, 'Parameters');
  await parameters.getByRole('button', { name: 'Add a row' }).click();
  await parameters.getByRole('textbox', { name: 'Name, row 1' }).fill('units');
  await parameters.getByRole('textbox', { name: 'Value, row 1' }).fill('metric');
  await parameters.getByRole('checkbox', { name: 'Outbound, row 1' }).check();
  const headers = group(page, 'Headers');
  await headers.getByRole('button', { name: 'Add a row' }).click();
  await headers.getByRole('textbox', { name: 'Name, row 1' }).fill('X-Partner-Key');
  await headers.getByRole('textbox', { name: 'Value, row 1' }).fill(`{${name}.key}`);
  await expectAccessible(page, 'the configuration of an HTTP service');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'the configuration of an HTTP service, on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();
  const { body } = await instance.api('GET', `system/service?filter=name='${name}'`);
  expect(body.resource[0].config).toMatchObject({
    base_url: `${remote}/v1`,
    parameters: [{ name: 'units', value: 'metric', exclude: false, outbound: true, cache_key: false, action: 31 }],
    headers: [{ name: 'X-Partner-Key', value: `{${name}.key}`, pass_from_client: false, action: 31 }],
  });

  await page.goto(`${instance.url}/apidocs/${name}`);
  await page.getByRole('link', { name: /^GET .*Call the remote service/ }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 200')).toBeVisible();
  expect(JSON.parse((await answer(page).textContent()) ?? '')).toEqual({
    ...{ method: 'GET', url: '/v1?units=metric', key: 'k3y' },
  });
});

test('a role that has GET of one path is refused elsewhere, and its docs show that path alone', async ({
  page,
  instance,
  remote,
}) => {
  const name = `pets_${Date.now()}`;
  const document = {
    ...{ openapi: '3.0.0', info: { title: 'Pets', version: '1' } },
    paths: {
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { summary: 'One pet', operationId: 'onePet' },
        delete: { summary: 'Lets a pet go', operationId: 'freePet' },
      },
      '/owners': { get: { summary: 'All owners', operationId: 'owners' } },
    },
  };
  const record = { name, label: 'Pets', type: 'rws', is_active: true, config: { base_url: remote } };
  const definition = { content: JSON.stringify(document), format: 0 };
  const made = await instance.api('POST', 'system/service?related=service_doc_by_service_id', {
    resource: [{ ...record, service_doc_by_service_id: definition }],
  });
  expect(made.status).toBe(201);
  const guest = await makeGuest(instance, [{ service: name, component: 'pets/*', verb_mask: 1 }]);
  const { session_token } = await createSession(instance, guest);
  const { body: apps } = await instance.api('GET', 'system/app?filter=name=admin&fields=api_key');
  const as = {
    'X-DreamFactory-API-Key': apps.resource[0].api_key,
    'X-DreamFactory-Session-Token': session_token,
  };
  expect(await instance.api('GET', `${name}/pets/7`, undefined, as)).toMatchObject({
    ...{ status: 200, body: { method: 'GET', url: '/pets/7' } },
  });
  for (const [verb, path] of [
    ['GET', 'owners'],
    ['DELETE', 'pets/7'],
  ] as const)
    expect((await instance.api(verb, `${name}/${path}`, undefined, as)).status, `${verb} ${path}`).toBe(403);
  await signIn(page, instance, guest);
  await page.goto(`${instance.url}/apidocs/${name}`);
  await page.getByRole('link', { name: /One pet/ }).click();
  await page.getByRole('textbox', { name: 'id' }).fill('7');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 200')).toBeVisible();
  await page.goto(`${instance.url}/apidocs/${name}`);
  await expect(page.getByRole('link', { name: /One pet/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /owners|pet go/ })).toHaveCount(0);
});
