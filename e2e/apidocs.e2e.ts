// API docs: what a service offers is found, tried out and taken along as code; the older addresses lead to the same.
import { readFile } from 'node:fs/promises';
import { expectAccessible } from './axe.ts';
import { createSession, expect, readSession, signIn, test, writeSession } from './instance.ts';
import { admin } from './server.ts';

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

test('a role in place of the caller: nothing is sent, and what it may do is explained', async ({ page, instance }) => {
  const { body: services } = await instance.api('GET', 'system/service?filter=name=world&fields=id');
  const access = [
    { service_id: services.resource[0].id, component: '_table/countries/*', verb_mask: 1, requestor_mask: 1 },
  ];
  const name = `reads countries ${Date.now()}`;
  await instance.api('POST', 'system/role', {
    resource: [{ name, is_active: true, role_service_access_by_role_id: access }],
  });
  await signIn(page, instance);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (/\/world\/_table\/countries(\?|$)/.test(request.url())) sent.push(request.url());
  });
  const role = async () => {
    await page.getByRole('combobox', { name: 'Who calls' }).click();
    await page.getByRole('option', { name: `Role: ${name} (explained, not sent)` }).click();
  };
  await page.goto(`${instance.url}/apidocs/world/call/getWorldTableCountries`);
  await role();
  await expect(page.getByRole('status').filter({ hasText: 'Allowed' })).toContainText(
    'GET /api/v2/world/_table/countries',
  );
  await expect(page.getByRole('button', { name: 'Send' })).toHaveCount(0);
  await expectAccessible(page, 'a call explained for a role');
  await page.goto(`${instance.url}/apidocs/world/call/postWorldTableCountries`);
  await role();
  await expect(page.getByRole('status').filter({ hasText: 'Refused' })).toBeVisible();
  expect(sent).toEqual([]);
});

test('a file is sent from the form of a call that takes one', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/apidocs/files/call/postFilesByFilePath`);
  await page.getByRole('textbox', { name: 'file_path' }).fill('from the docs.txt');
  await page.locator('input[type=file]').setInputFiles({
    name: 'note.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('from a form'),
  });
  await expect(page.getByRole('region', { name: /^The call in/ })).toContainText('note.txt');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Status 201')).toBeVisible();
  const kept = await fetch(`${instance.url}/api/v2/files/from%20the%20docs.txt`, {
    headers: { 'X-DreamFactory-Session-Token': (await createSession(instance, admin)).session_token },
  });
  expect(await kept.text()).toBe('from a form');
});

test('the typed client is downloaded, the palette leads to the docs of a service, and a session is not renewed there', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('link', { name: 'API Docs', exact: true })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('api docs of world');
  await page.getByRole('option', { name: /API docs of world/ }).click();
  await expect(page).toHaveURL(/\/apidocs\/world$/);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('link', { name: 'API Docs', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /Search or jump to/ }).click();
  await page.getByRole('combobox').fill('world patch cities {id}');
  const operation = page.getByRole('option', { name: /^PATCH \/_table\/cities\/\{id\}/ });
  await expect(operation).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/apidocs\/world\/call\//);
  await expect(page.getByText('/_table/cities/{id}', { exact: false }).first()).toBeVisible();
  await page.goto(`${instance.url}/apidocs/world`);
  await page.getByRole('button', { name: 'TypeScript client' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download sluice-world.ts' }).click();
  const file = await downloading;
  const text = await readFile((await file.path()) as string, 'utf8');
  expect(text).toContain('"countries"');
  expect(text).toContain('export const createClient');
  expect(text).not.toContain((await readSession(page))?.session_token);
  await expect(page.getByText('npm run client --', { exact: false })).toBeVisible();
  await expectAccessible(page, 'the offer of the client');
  await page.keyboard.press('Escape');
  // GraphQL is where it says, and the query that it shows is one.
  await page.getByRole('button', { name: 'GraphQL' }).click();
  const offer = page.getByRole('dialog', { name: 'GraphQL' });
  await expect(offer.getByText(`${instance.url}/graphql`, { exact: true })).toBeVisible();
  const sample = /-d '(.*)'$/.exec((await offer.locator('code').last().textContent()) ?? '')?.[1] ?? '';
  await expectAccessible(page, 'the offer of GraphQL');
  const queried = await fetch(`${instance.url}/graphql`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-DreamFactory-Session-Token': (await createSession(instance, admin)).session_token,
    },
    body: sample,
  });
  const answered = (await queried.json()) as { data?: Record<string, unknown[]>; errors?: unknown };
  expect(answered.errors).toBeUndefined();
  expect(Object.values(answered.data ?? {})[0]).toHaveLength(5);

  // OPEN-006: one signs in again.
  const session = await readSession(page);
  await writeSession(page, instance, { ...session, session_token: `${session?.session_token}x` });
  const renewals: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/session')) renewals.push(request.url());
  });
  await page.goto(`${instance.url}/apidocs/world`);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(renewals).toEqual([]);
});
