// The list of services: what it reads, page by page, its message when a read fails, and the rights to read and change it.
import type { Page } from '@playwright/test';
import { makeGuest } from './guests.ts';
import { createSession, expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const rows = (page: Page) => main(page).locator('tbody tr');

const makeServices = async (instance: Instance, names: string[]): Promise<number[]> => {
  const resource = names.map((name) => ({
    name,
    label: name,
    type: 'sqlite',
    is_active: true,
    config: { database: name },
  }));
  const { status, body } = await instance.api('POST', 'system/service', { resource });
  expect(status).toBe(201);
  return body.resource.map(({ id }: { id: number }) => id);
};

test('SVC-034 SVC-057 the list reads services, types, linkable services and the environment, and has 100 on a page', async ({
  page,
  instance,
}) => {
  const stamp = Date.now();
  const ids = await makeServices(
    instance,
    Array.from({ length: 100 }, (_, index) => `many_${stamp}_${index}`),
  );
  const read = new Map<string, URL>();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() === 'GET' && url.pathname.startsWith('/api/v2')) read.set(url.pathname.slice(7), url);
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/services`);
  await expect(rows(page)).toHaveCount(100);
  expect([...read.keys()]).toEqual(
    expect.arrayContaining(['/', '/system/service', '/system/service_type', '/system/environment']),
  );
  expect(read.get('/system/service')?.searchParams.get('limit')).toBe('100');
  expect(read.get('/')?.searchParams.get('group')).toBe('source control,file');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(rows(page).first()).toContainText(`many_${stamp}_`);
  const total = (await instance.api('GET', 'system/service?include_count=true&limit=1')).body.meta.count;
  await expect(rows(page)).toHaveCount(total - 100);
  await instance.api('DELETE', `system/service?ids=${ids.join(',')}`);
});

test('SVC-042 an editor whose types cannot be read says so, and reads them at the next try', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  const down = '**/api/v2/system/service_type';
  await page.route(down, (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: 'Down.' } } }));
  await page.goto(`${instance.url}/services/create`);
  const words =
    'There was an error loading data for the Services tab. Please try refreshing your browser and logging in again.';
  await expect(main(page).getByText(words)).toBeVisible();
  await page.unroute(down);
  await main(page).getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Select Service Type' })).toBeVisible();
});

test('SVC-030 SVC-032 X-011 X-012 without GET on services or on their types a message says so, and leads to /home', async ({
  page,
  instance,
}) => {
  const services = { service: 'system', component: 'service/*', verb_mask: 1 };
  const types = { service: 'system', component: 'service_type/*', verb_mask: 1 };
  for (const access of [[services], [types]]) {
    await signIn(page, instance, await makeGuest(instance, access));
    await page.goto(`${instance.url}/services`);
    await expect(page).toHaveURL(/\/home$/);
    await expect(
      page.getByText(
        /To use the Services tab your role must allow GET access to system\/service and system\/service_type/,
      ),
    ).toBeVisible();
  }
  await signIn(page, instance, await makeGuest(instance, [services, types]));
  await page.goto(`${instance.url}/services`);
  await expect(rows(page).filter({ hasText: 'world' })).toHaveCount(1);
});

test('SVC-002 a list without a service says so, and leads to the form', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.route('**/api/v2/system/service?**', (route) =>
    route.fulfill({ json: { resource: [], meta: { count: 0 } } }),
  );
  await page.goto(`${instance.url}/services`);
  await expect(main(page).getByText('You have no Services!')).toBeVisible();
  await main(page).getByRole('link', { name: 'Create A Service!' }).click();
  await expect(page.getByRole('heading', { name: 'Select Service Type' })).toBeVisible();
});

test('SVC-031 people who may only read services cannot change them; POST, PUT and DELETE each need the verb', async ({
  page,
  instance,
}) => {
  const types = { service: 'system', component: 'service_type/*', verb_mask: 1 };
  const reader = await makeGuest(instance, [{ service: 'system', component: 'service/*', verb_mask: 1 }, types]);
  const [id] = await makeServices(instance, [`kept_${Date.now()}`]);
  await signIn(page, instance, reader);
  await page.goto(`${instance.url}/services/${id}`);
  await page.getByRole('textbox', { name: 'Description' }).fill('Not by me');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(main(page).getByRole('alert')).toContainText(/access/i);
  expect((await instance.api('GET', `system/service/${id}`)).body.description).toBe(null);

  const verbs = { POST: 2, PUT: 4, DELETE: 16 };
  for (const [own, mask] of Object.entries(verbs)) {
    const guest = await makeGuest(instance, [{ service: 'system', component: 'service/*', verb_mask: 1 + mask }]);
    const { session_token } = await createSession(instance, guest);
    const { api_key } = await (await fetch(`${instance.url}/console.json`)).json();
    const headers = { 'X-DreamFactory-Session-Token': session_token, 'X-DreamFactory-API-Key': api_key };
    const [target] = await makeServices(instance, [`target_${own}_${Date.now()}`]);
    const service = { name: `made_${own}_${Date.now()}`, label: 'x', type: 'sqlite', config: { database: 'x' } };
    const status = {
      POST: (await instance.api('POST', 'system/service', { resource: [service] }, headers)).status,
      PUT: (await instance.api('PUT', `system/service/${target}`, { label: 'Changed' }, headers)).status,
      DELETE: (await instance.api('DELETE', `system/service/${target}`, undefined, headers)).status,
    };
    expect(status).toEqual({ POST: 403, PUT: 403, DELETE: 403, [own]: own === 'POST' ? 201 : 200 });
  }
});
