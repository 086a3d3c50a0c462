// The editor of a service that is a script: its text, where that lies, its events and its definition.
import { expect as check, type Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const editor = (page: Page) => page.getByRole('textbox', { name: 'Content', exact: true });
const upload = (page: Page, label: string, name: string, text: string) =>
  page.locator(`input[type="file"][aria-label="${label}"]`).setInputFiles({
    ...{ name, mimeType: 'text/plain', buffer: Buffer.from(text) },
  });

let count = 0;

/** Makes a script service, and opens a tab of its editor as an administrator. */
async function openService(page: Page, instance: Instance, { type = 'v8js', config = {}, tab = 'config' }) {
  count += 1;
  const name = `scripted_${count}_${Date.now()}`;
  const record = { name, label: 'Scripted', type, is_active: true, config };
  const { status, body } = await instance.api('POST', 'system/service', { resource: [record] });
  expect(status).toBe(201);
  const { id } = body.resource[0];
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/${id}/${tab}`);
  const stored = async () => (await instance.api('GET', `system/service/${id}?related=service_doc_by_service_id`)).body;
  return { id, name, stored };
}

async function putFile(instance: Instance, name: string, content: string) {
  await instance.api('DELETE', `files/${name}`);
  const made = await instance.api('POST', 'files/', { resource: [{ type: 'file', name, content }] });
  expect(made.status).toBeLessThan(300);
}

test('SVC-010 SVC-035 a service is made of a script that is typed, with events from the list of the instance', async ({
  page,
  instance,
}) => {
  const name = `sum_${Date.now()}`;
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await main(page).getByRole('button').filter({ hasText: 'V8js' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Label' }).fill('Sum');
  const events = page.waitForRequest((request) => request.url().endsWith('/api/v2/system/event?as_list=true'));
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  await events;
  await editor(page).fill('return { sum: Number(event.request.parameters.a) + 1 }');
  await main(page).getByRole('button', { name: 'Add a row' }).click();
  const event = main(page).getByRole('combobox', { name: 'Event, row 1' });
  await event.fill('user.session');
  await page.getByRole('option', { name: 'user.session.post', exact: true }).click();
  await expect(event).toHaveValue('user.session.post');
  await save(page);
  await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();
  const { body } = await instance.api('GET', `system/service?filter=name='${name}'`);
  expect(body.resource[0].config).toMatchObject({
    content: 'return { sum: Number(event.request.parameters.a) + 1 }',
    service_event_map: [check.objectContaining({ event: 'user.session.post' })],
    ...{ storage_service_id: null, scm_repository: null, scm_reference: null, storage_path: null },
  });
  expect((await instance.api('GET', `${name}/at/any/address?a=2`)).body).toEqual({ sum: 3 });
});

test('SVC-021 SVC-022 SVC-029 a script that lies in a file service is only shown, and typed again without the link', async ({
  page,
  instance,
}) => {
  const { name, stored } = await openService(page, instance, { config: { content: 'return "typed"' } });
  const path = `linked_${Date.now()}.js`;
  await putFile(instance, path, 'return "linked"');
  await expect(editor(page)).toHaveText('return "typed"');
  await main(page).getByRole('combobox', { name: 'Service:' }).click();
  await page.getByRole('option', { name: 'Local File Storage' }).click();
  await expect(editor(page)).toHaveAttribute('aria-readonly', 'true');
  await expect(editor(page)).toHaveText('');
  const latest = main(page).getByRole('button', { name: 'View Latest' });
  await expect(latest).toBeDisabled();
  await main(page).getByRole('textbox', { name: 'Path:' }).fill(path);
  await expect(latest).toBeEnabled();
  await save(page);
  await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
  expect((await stored()).config).toMatchObject({ content: '', storage_path: path });
  expect((await instance.api('GET', name)).body).toBe('linked');
  await main(page).getByRole('combobox', { name: 'Service:' }).click();
  await page.getByRole('option', { name: 'Local File Storage' }).click();
  await expect(editor(page)).not.toHaveAttribute('aria-readonly', 'true');
  await editor(page).fill('return "typed again"');
  await save(page);
  await expect.poll(async () => (await instance.api('GET', name)).body).toBe('typed again');
});

test('SVC-040 SVC-041 SVC-044 SVC-045 SVC-046 SVC-047 SRV-049 the latest of a linked script is read, and what is cached of it cleared', async ({
  page,
  instance,
}) => {
  const path = `latest_${Date.now()}.js`;
  const put = (value: number) => putFile(instance, path, `return ${value}`);
  await put(1);
  const { body } = await instance.api('GET', "system/service?filter=name='files'");
  const config = { content: '', storage_service_id: body.resource[0].id, storage_path: path };
  const { name } = await openService(page, instance, { config });
  await expect(editor(page)).toHaveText('return 1');
  expect((await instance.api('GET', name)).body).toBe(1);
  await put(2);
  const pulled = page.waitForRequest((request) => new URL(request.url()).pathname === `/api/v2/files/${path}`);
  await main(page).getByRole('button', { name: 'View Latest' }).click();
  expect((await pulled).method()).toBe('GET');
  await expect(editor(page)).toHaveText('return 2');
  await expect(page.getByText('Successfully pulled the latest script from source.').first()).toBeVisible();
  expect((await instance.api('GET', name)).body).toBe(1);
  const cleared = page.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().endsWith(`/system/cache/_event/${name}`),
  );
  await main(page).getByRole('button', { name: 'Delete Cache' }).click();
  await cleared;
  await expect(page.getByText('Successfully cleared script from cache.').first()).toBeVisible();
  expect((await instance.api('GET', name)).body).toBe(2);
  await page.route('**/system/cache/_event/**', (route) => route.fulfill({ status: 500, json: {} }));
  await main(page).getByRole('button', { name: 'Delete Cache' }).click();
  await expect(page.getByText('Failed to cleared script from cache.').first()).toBeVisible();
  await main(page).getByRole('textbox', { name: 'Path:' }).fill('not/there.js');
  await main(page).getByRole('button', { name: 'View Latest' }).click();
  await expect(
    page
      .getByText(
        'There was an error pulling the latest script from source. Please make sure your service, path and permissions are correct and try again.',
      )
      .first(),
  ).toBeVisible();
});

test('SVC-028 of a repository the latest is read once repository, reference and path are there', async ({
  page,
  instance,
}) => {
  const host = {
    name: `code_${Date.now()}`,
    label: 'Our code',
    type: 'github',
    is_active: true,
    config: { vendor: 'acme' },
  };
  expect((await instance.api('POST', 'system/service', { resource: [host] })).status).toBe(201);
  await openService(page, instance, {});
  await main(page).getByRole('combobox', { name: 'Service:' }).click();
  await page.getByRole('option', { name: 'Our code' }).click();
  const latest = main(page).getByRole('button', { name: 'View Latest' });
  for (const [label, text] of [
    ['Repository:', 'hooks'],
    ['Branch/Tag:', 'main'],
    ['Path:', 'a.js'],
  ] as const) {
    await expect(latest).toBeDisabled();
    await main(page).getByRole('textbox', { name: label }).fill(text);
  }
  await expect(latest).toBeEnabled();
});

for (const [ids, type, good, bad, formats, language] of [
  ['SVC-023 NAV-046', 'v8js', 'a.js', 'a.php', 'js', 'javascript'],
  ['SVC-023 NAV-046', 'nodejs', 'a.js', 'a.py', 'js', 'javascript'],
  ['SVC-024', 'php', 'a.php', 'a.js', 'php', 'php'],
  ['SVC-025', 'python', 'a.python', 'a.js', 'py, python', 'python'],
] as const)
  test(`${ids} a file for ${type} has the ending of its language, and is shown as ${language}`, async ({
    page,
    instance,
  }) => {
    await openService(page, instance, { type });
    await expect(editor(page)).toHaveAttribute('data-language', language);
    await upload(page, 'Select Desktop File…', bad, 'bad');
    await expect(
      main(page).getByText(`Error: Invalid file format. Only ${formats} file format(s) allowed`),
    ).toBeVisible();
    await expect(editor(page)).not.toHaveText('bad');
    await upload(page, 'Select Desktop File…', good, '# good');
    await expect(editor(page)).toHaveText('# good');
  });

test('SVC-027 SVC-055 the definition of a script is edited, in JSON or YAML, and that of a database is not', async ({
  page,
  instance,
}) => {
  const { name, stored } = await openService(page, instance, { config: { content: 'return 1' }, tab: 'definition' });
  const definition = page.getByRole('textbox', { name: 'Service Definition' });
  const take = (file: string, text: string) => upload(page, 'Import a definition file', file, text);
  await take('api.txt', 'no');
  await expect(
    main(page).getByText('Error: Invalid file format. Only json, yml, yaml file format(s) allowed'),
  ).toBeVisible();
  for (const [file, format, text] of [
    ['api.json', 'JSON', '{"paths":{"/one":{"get":{}}}}'],
    ['api.yaml', 'YAML', 'paths: {/two: {get: {}}}'],
    ['api.yml', 'YAML', 'paths: {/three: {get: {}}}'],
  ] as const) {
    await take(file, text);
    await expect(definition).toHaveText(text);
    await expect(page.getByRole('radio', { name: format, exact: true })).toBeChecked();
  }
  await save(page);
  await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
  expect((await stored()).service_doc_by_service_id).toMatchObject({
    format: 1,
    content: 'paths: {/three: {get: {}}}',
  });
  expect((await instance.api('GET', `${name}?as_access_list=true`)).body.resource).toEqual(['', '*', 'three']);
  const database = { name: `db_${Date.now()}`, label: 'DB', type: 'sqlite', config: { database: 'defined' } };
  const made = await instance.api('POST', 'system/service', { resource: [database] });
  await page.goto(`${instance.url}/services/${made.body.resource[0].id}/definition`);
  await expect(definition).toHaveAttribute('aria-readonly', 'true');
  await expect(page.getByRole('button', { name: 'Import a definition file' })).toHaveCount(0);
});

test('the editor of a role says that who may write services and scripts acts as an administrator', async ({
  page,
  instance,
}) => {
  const rows = [{ service_id: 1, component: 'event_script/*', verb_mask: 2, requestor_mask: 1 }];
  const role = { name: `writers_${Date.now()}`, is_active: true, role_service_access_by_role_id: rows };
  const { body } = await instance.api('POST', 'system/role', { resource: [role] });
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${body.resource[0].id}/access`);
  await expect(
    main(page).getByText('A person who may write services or scripts acts as an administrator'),
  ).toBeVisible();
});

test('SVC-043 the form says so when the list of events cannot be read, and takes what is typed', async ({
  page,
  instance,
}) => {
  await page.route('**/api/v2/system/event?**', (route) => route.fulfill({ status: 500, json: {} }));
  const { stored } = await openService(page, instance, {});
  await expect(page.getByText(/There was an error loading the service/).first()).toBeVisible();
  await main(page).getByRole('button', { name: 'Add a row' }).click();
  await main(page).getByRole('combobox', { name: 'Event, row 1' }).fill('db.*');
  await save(page);
  await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
  expect((await stored()).config.service_event_map).toEqual([check.objectContaining({ event: 'db.*' })]);
});
