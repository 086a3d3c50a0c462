// Limits: made by their form, counted while one looks, answered with 429, reset.
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeGuest } from './guests.ts';
import { createSession, expect, type Instance, signIn, signInByForm, test } from './instance.ts';
import { withTableAway } from './table-away.ts';

const related = 'service_by_service_id,role_by_role_id,user_by_user_id,limit_cache_by_limit_id';

const main = (page: Page) => page.getByRole('main');
const table = (page: Page) => main(page).getByRole('table', { name: 'Limits' });
const rows = (page: Page) => table(page).locator('tbody tr');
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByRole('link', { name, exact: true }) });
const names = (page: Page) => table(page).locator('tbody [data-row-link]');
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
const choice = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true });
const save = (page: Page) => main(page).getByRole('button', { name: 'Save', exact: true }).click();
const options = async (page: Page, label: string): Promise<Locator> => {
  await choice(page, label).click();
  return main(page).getByRole('option');
};
async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await choice(page, label).click();
  await main(page).getByRole('option', { name: option, exact: true }).click();
}
async function answer(page: Page, question: string, button: string): Promise<void> {
  await page.getByRole('dialog', { name: question }).getByRole('button', { name: button, exact: true }).click();
}

interface Service {
  id: number;
  name: string;
}

const serviceOf = async (instance: Instance, name: string): Promise<Service> => {
  const filter = encodeURIComponent(`name = "${name}"`);
  return (await instance.api('GET', `system/service?fields=id,name&filter=${filter}`)).body.resource[0];
};

async function aLimit(instance: Instance, ...limits: Record<string, unknown>[]): Promise<number[]> {
  const { status, body } = await instance.api('POST', 'system/limit', {
    resource: limits.map((limit) => ({ rate: 60, period: 'minute', is_active: true, ...limit })),
  });
  expect([status, body]).toEqual([200, body]);
  return body.resource.map(({ id }: { id: number }) => id);
}

const stored = async (instance: Instance, name: string) => {
  const filter = encodeURIComponent(`name = "${name}"`);
  return (await instance.api('GET', `system/limit?filter=${filter}`)).body.resource[0];
};

/** Somebody who may read the sample database, and a call of theirs. */
async function aCaller(instance: Instance) {
  const guest = await makeGuest(instance, [{ service: 'world', component: '*', verb_mask: 1 }]);
  const { session_token: token } = await createSession(instance, guest);
  const headers = { ...(await appKey(instance)), 'X-DreamFactory-Session-Token': token };
  const call = async () => (await instance.api('GET', 'world/_table', undefined, headers)).status;
  return { id: guest.id, call };
}

/** People who are no administrators come through an app: here that of the console. */
async function appKey(instance: Instance): Promise<Record<string, string>> {
  const settings = (await (await fetch(`${instance.url}/console.json`)).json()) as { api_key: string };
  return { 'X-DreamFactory-API-Key': settings.api_key };
}

const dropLimits = (instance: Instance) => instance.api('DELETE', 'system/limit?force=true');
// Keys for agents, in other journeys, have limits as well.
test.beforeEach(async ({ instance }) => {
  await dropLimits(instance);
});
test.afterEach(async ({ instance }) => {
  await dropLimits(instance);
});

test('LIM-005 LIM-008 LIM-010 LIM-013 LIM-014 LIM-015 LIM-016 LIM-020 LIM-027 LIM-028 LIM-031 LIM-032 LIM-040 a limit is made by its form, whose fields come with the type', async ({
  page,
  instance,
}) => {
  const { id: userId } = await aCaller(instance);
  const world = await serviceOf(instance, 'world');
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits`);
  await expect(main(page).getByText('You have no Limits!')).toBeVisible();
  await main(page).getByRole('link', { name: 'Create A Limit!' }).click();
  await expect(page).toHaveURL(/\/limits\/create$/);

  // It begins active, and with nothing else.
  await expect(page.getByRole('switch', { name: 'Active' })).toBeChecked();
  for (const label of ['Limit Name', 'Description', 'Limit Rate']) await expect(field(page, label)).toHaveValue('');
  for (const label of ['Limit Type', 'Limit Period']) {
    await expect(choice(page, label)).toHaveValue('');
    await expect(choice(page, label)).toHaveAttribute('placeholder', 'Please Select...');
  }
  await expect(choice(page, 'Verb')).toHaveValue('Any');
  await expect(main(page).getByText('Limits apply to all verbs unless one is selected.')).toBeVisible();
  await expect(await options(page, 'Limit Type')).toHaveText([
    'Instance',
    'User',
    'Each User',
    'Service',
    'Role',
    'Service by User',
    'Service by Each User',
    'Endpoint',
    'Endpoint by User',
    'Endpoint by Each User',
  ]);
  await page.keyboard.press('Escape');
  await expect(await options(page, 'Limit Period')).toHaveText(['Minute', 'Hour', 'Day', 'Week', '30 Days']);
  await page.keyboard.press('Escape');
  await expect(await options(page, 'Verb')).toHaveText(['Any', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE']);
  await page.keyboard.press('Escape');

  // Each type has fields of its own.
  const fieldsOf: [type: string, fields: string[]][] = [
    ['Instance', []],
    ['User', ['User']],
    ['Each User', []],
    ['Service', ['Service']],
    ['Role', ['Role']],
    ['Service by User', ['Service', 'User']],
    ['Service by Each User', ['Service']],
    ['Endpoint', ['Service', 'Endpoint']],
    ['Endpoint by Each User', ['Service', 'Endpoint']],
    ['Endpoint by User', ['Service', 'User', 'Endpoint']],
  ];
  for (const [type, fields] of fieldsOf) {
    await choose(page, 'Limit Type', type);
    for (const label of ['Service', 'User', 'Endpoint', 'Role'])
      await expect(choice(page, label), `${label} of ${type}`).toHaveCount(fields.includes(label) ? 1 : 0);
  }
  await expect(
    main(page).getByText(
      'Endpoint limits need a service and a simple form such as _schema/{table_name}. Anything more detailed is still filtered at table level.',
    ),
  ).toBeVisible();

  await field(page, 'Limit Name').fill('people');
  await field(page, 'Description').fill('Not all of them at once');
  await choose(page, 'Service', /^world\b/);
  await choice(page, 'User').fill('little');
  await main(page)
    .getByRole('option', { name: /^Little rights/ })
    .last()
    .click();
  // The endpoint offers what the service really has, and says what it covers.
  await choice(page, 'Endpoint').fill('people');
  await main(page).getByRole('option', { name: '_table/people', exact: true }).click();
  await expect(main(page).getByText(/^It counts calls of just _table\/people: not/)).toBeVisible();
  await choice(page, 'Endpoint').fill('_table/peo*');
  await page.keyboard.press('Escape');
  await expect(
    main(page).getByText(/^One counter for all that begins with _table\/peo\. That is 1 path now/),
  ).toBeVisible();
  await field(page, 'Limit Rate').fill('90');
  await choose(page, 'Limit Period', 'Week');
  await choose(page, 'Verb', 'PATCH');
  const saving = page.waitForRequest((request) => request.method() === 'POST' && /system\/limit\?/.test(request.url()));
  await save(page);
  await expect(page.getByText('Limit saved successfully.')).toBeVisible();
  await expect(page).toHaveURL(/\/limits$/);
  const request = await saving;
  const { searchParams } = new URL(request.url());
  expect([searchParams.get('fields'), searchParams.get('related')]).toEqual(['*', related]);
  const sent = {
    name: 'people',
    type: 'instance.user.service.endpoint',
    period: '7-day',
    rate: 90,
    is_active: true,
    description: 'Not all of them at once',
    endpoint: '_table/peo*',
    user_id: userId,
    service_id: world.id,
    role_id: null,
    verb: 'PATCH',
  };
  expect(request.postDataJSON()).toEqual({ resource: [sent] });
  expect(await stored(instance, 'people')).toMatchObject(sent);

  // Of a type without one the endpoint goes as null.
  await row(page, 'people').getByRole('link', { name: 'people' }).click();
  await choose(page, 'Limit Type', 'Service');
  await save(page);
  await expect(page.getByText('Limit updated successfully.')).toBeVisible();
  expect(await stored(instance, 'people')).toMatchObject({ type: 'instance.service', endpoint: null });
});

test('LIM-002 LIM-003 LIM-004 LIM-011 LIM-029 LIM-030 the list shows, sorts and selects limits', async ({
  page,
  instance,
}) => {
  const { id: userId, call } = await aCaller(instance);
  // Where there is a second user, a limit of each has more than one counter.
  await makeGuest(instance);
  const world = await serviceOf(instance, 'world');
  const roleName = `clerks ${Date.now()}`;
  const role = (await instance.api('POST', 'system/role', { resource: [{ name: roleName, is_active: true }] })).body;
  const user = (await instance.api('GET', `system/user/${userId}`)).body;
  await aLimit(
    instance,
    { name: 'of service', type: 'instance.service', service_id: world.id, rate: 4 },
    { name: 'of role', type: 'instance.role', role_id: role.resource[0].id, period: 'day', is_active: false },
    { name: 'each', type: 'instance.each_user', rate: 1000, period: 'hour' },
    { name: 'both', type: 'instance.user.service', user_id: userId, service_id: world.id, period: '30-day', rate: 30 },
  );
  for (let calls = 0; calls < 3; calls++) expect(await call()).toBe(200);
  await signIn(page, instance);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(decodeURIComponent(request.url().split('/api/v2/')[1] ?? '')));
  await page.goto(`${instance.url}/home`);
  await page.getByRole('link', { name: 'Limits', exact: true }).click();
  await expect(rows(page)).toHaveCount(4);
  expect(asked).toContain('system');
  expect(asked.filter((path) => path.startsWith('system/limit?'))).toEqual([
    `system/limit?limit=100&order=id asc&related=${related}&include_count=true`.replaceAll(' ', '+'),
  ]);
  for (const resource of ['role', 'service', 'user'])
    expect(asked.some((path) => path.startsWith(`system/${resource}?include_count=true`))).toBe(true);

  await expect(table(page).getByRole('columnheader').filter({ hasText: /\w/ })).toHaveText([
    'ID',
    'Limit Name',
    'Limit Type',
    'Limit Rate',
    'Limit Counter',
    'User',
    'Service',
    'Role',
    'Active',
  ]);
  const cells = (name: string) => row(page, name).getByRole('cell');
  const shown: [name: string, cells: (string | RegExp)[]][] = [
    ['of service', ['Service', '4 / Minute', '3 / 4', '', 'world', '', 'Active']],
    ['of role', ['Role', '60 / Day', '0 / 60', '', '', roleName, 'Inactive']],
    ['each', ['Each User', '1,000 / Hour', '3 by 1max 3 / 1,000', '', '', '', 'Active']],
    ['both', ['Service by User', '30 / 30 Days', '3 / 30', user.name, 'world', '', 'Active']],
  ];
  for (const [name, texts] of shown)
    for (const [index, text] of texts.entries()) await expect(cells(name).nth(index + 3), name).toHaveText(text);
  const bar = row(page, 'of service').getByRole('meter');
  await expect(bar).toHaveAttribute('aria-valuenow', '75');
  await expect(bar).toHaveAttribute('data-tone', 'warning');

  // Each column sorts, and turns round: those the server sorts by, and those it does not know.
  const orders: [column: string, names: string[]][] = [
    ['ID', ['of service', 'of role', 'each', 'both']],
    ['Limit Name', ['both', 'each', 'of role', 'of service']],
    ['Limit Type', ['each', 'of role', 'of service', 'both']],
    ['Limit Rate', ['of service', 'both', 'of role', 'each']],
    ['Limit Counter', ['of role', 'each', 'both', 'of service']],
    ['Active', ['of role', 'of service', 'each', 'both']],
  ];
  for (const [column, order] of orders) {
    const sort = table(page).getByRole('button', { name: column, exact: true });
    const head = table(page).getByRole('columnheader', { name: column, exact: true });
    if (column !== 'ID') await sort.click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await expect(names(page).first()).toHaveText(order[0]!);
    if (column !== 'Active' && column !== 'Limit Rate') await expect(names(page)).toHaveText(order);
    await sort.click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await expect(names(page).last()).toHaveText(order[0]!);
  }
  for (const [column, first] of [
    ['User', 'both'],
    ['Service', 'of service'],
    ['Role', 'of role'],
  ] as const) {
    await table(page).getByRole('button', { name: column, exact: true }).click();
    await expect(names(page).first()).toHaveText(first);
  }

  await page.getByRole('checkbox', { name: 'Select each' }).check();
  await expect(main(page).getByRole('status')).toHaveText('1 selected');
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(main(page).getByRole('status')).toHaveText('4 selected');
  await page.getByRole('checkbox', { name: 'Select all' }).uncheck();
  await expect(table(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
});

test('LIM-038 a page holds 100 limits', async ({ page, instance }) => {
  const world = await serviceOf(instance, 'world');
  const many = Array.from({ length: 101 }, (_, index) => ({
    name: `limit ${index + 1}`,
    type: 'instance.service.endpoint',
    service_id: world.id,
    endpoint: `_table/t${index + 1}`,
  }));
  await aLimit(instance, ...many);
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits`);
  await expect(rows(page)).toHaveCount(100);
  await expect(main(page).getByText('1–100 of 101')).toBeVisible();
  await main(page).getByRole('button', { name: 'Next page' }).click();
  await expect(names(page)).toHaveText(['limit 101']);
});

test('LIM-019 LIM-036 LIM-044 LIM-045 LIM-048 LIM-049 SRV-041 counters move while one looks, calls beyond the rate are refused, and a reset lets them through', async ({
  page,
  instance,
}) => {
  const { id: userId, call } = await aCaller(instance);
  const world = await serviceOf(instance, 'world');
  const [ofService, ofUser] = await aLimit(
    instance,
    { name: 'of service', type: 'instance.service', service_id: world.id, rate: 3, period: 'hour' },
    { name: 'of user', type: 'instance.user', user_id: userId, rate: 100, period: 'day' },
  );
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits`);
  const bar = row(page, 'of service').getByRole('meter');
  await expect(row(page, 'of service')).toContainText('0 / 3');
  await expect(bar).toHaveAttribute('data-tone', 'calm');

  // Nothing is pressed: the bars follow the calls.
  for (let calls = 0; calls < 3; calls++) expect(await call()).toBe(200);
  await expect(row(page, 'of service')).toContainText('3 / 3');
  await expect(row(page, 'of user')).toContainText('3 / 100');
  await expect(bar).toHaveAttribute('aria-valuenow', '100');
  await expect(bar).toHaveAttribute('data-tone', 'danger');
  expect(await call()).toBe(429);
  await expect(row(page, 'of user')).toContainText('4 / 100');

  const resets = () => page.waitForRequest((request) => request.method() === 'DELETE');
  const idsOf = async (request: ReturnType<typeof resets>) => {
    const { pathname, searchParams } = new URL((await request).url());
    return [pathname, searchParams.get('ids')];
  };
  let reset = resets();
  await row(page, 'of service').getByRole('button', { name: 'Reset limit Counter of of service' }).click();
  await answer(page, 'Clear counter for of service?', 'Reset');
  await expect(page.getByText('Limit counter successfully reset.')).toBeVisible();
  expect(await idsOf(reset)).toEqual(['/api/v2/system/limit_cache', String(ofService)]);
  await expect(row(page, 'of service')).toContainText('0 / 3');
  await expect(bar).toHaveAttribute('aria-valuenow', '0');
  await expect(row(page, 'of user')).toContainText('4 / 100');
  expect(await call()).toBe(200);
  await expect(row(page, 'of service')).toContainText('1 / 3');

  await page.getByRole('checkbox', { name: 'Select all' }).check();
  reset = resets();
  await main(page).getByRole('button', { name: 'Reset limit Counters' }).click();
  await answer(page, 'Reset selected limits?', 'Reset');
  await expect(page.getByText('Limit counters successfully reset.')).toBeVisible();
  expect(await idsOf(reset)).toEqual(['/api/v2/system/limit_cache', `${ofService},${ofUser}`]);
  await expect(row(page, 'of service')).toContainText('0 / 3');
  await expect(row(page, 'of user')).toContainText('0 / 100');

  expect(await call()).toBe(200);
  await expect(row(page, 'of user')).toContainText('1 / 100');
  await main(page).getByRole('button', { name: 'Reset all counters' }).click();
  await answer(page, 'Reset the counters of all limits?', 'Reset');
  await expect(row(page, 'of user')).toContainText('0 / 100');
  await expect(row(page, 'of service')).toContainText('0 / 3');
});

test('LIM-034 LIM-035 LIM-042 LIM-043 LIM-046 LIM-047 limits are deleted one by one and together', async ({
  page,
  instance,
}) => {
  const world = await serviceOf(instance, 'world');
  const [one, two, three] = await aLimit(
    instance,
    { name: 'one', type: 'instance.service', service_id: world.id },
    { name: 'two', type: 'instance.service', service_id: world.id, period: 'hour' },
    { name: 'three', type: 'instance.service', service_id: world.id, period: 'day' },
  );
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits`);
  const deletions: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') deletions.push(decodeURIComponent(request.url().split('/api/v2/')[1] ?? ''));
  });
  await page.getByRole('button', { name: 'Actions for one' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await answer(page, 'Delete one?', 'Delete');
  await expect(page.getByText('Limit successfully deleted.')).toBeVisible();
  await expect(names(page)).toHaveText(['two', 'three']);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await main(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await answer(page, 'Delete selected limits?', 'Delete');
  await expect(page.getByText('Limits deleted successfully.')).toBeVisible();
  await expect(main(page).getByText('You have no Limits!')).toBeVisible();
  expect(deletions).toEqual([`system/limit/${one}`, `system/limit?ids=${two},${three}&rollback=true`]);
  expect((await instance.api('GET', 'system/limit')).body.resource).toEqual([]);
});

test('LIM-017 LIM-021 LIM-022 LIM-024 LIM-025 LIM-026 what is wrong is said one at a time, in its order, by keyboard alone', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits/create`);
  const writes: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && writes.push(request.url()));
  await expect(field(page, 'Limit Name')).toBeVisible();
  const toast = page.getByRole('region', { name: 'Notifications' }).or(page.getByRole('alert'));
  const says = async (problem: string) => {
    await page.keyboard.press('Control+s');
    await expect(main(page).getByText(problem)).toBeVisible();
    await expect(main(page).getByText('1 field needs attention')).toBeVisible();
    await expect(toast.filter({ hasText: 'Limit Create Error' }).filter({ hasText: problem }).first()).toBeVisible();
  };
  await says('Please select a limit type.');
  // The reader is led to the field that is wrong.
  await expect(choice(page, 'Limit Type')).toBeFocused();
  await page.keyboard.type('Instance');
  await page.keyboard.press('Enter');
  await says('The limit name cannot be blank.');
  await expect(field(page, 'Limit Name')).toBeFocused();
  await page.keyboard.type('every call');
  await says('The limit rate cannot be blank.');
  await expect(field(page, 'Limit Rate')).toBeFocused();
  await page.keyboard.type('1.5');
  await says('The limit rate must be an integer.');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('100000');
  expect(writes).toEqual([]);

  // Closing with changes asks; a form without any closes at once.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toContainText('Continue without saving?');
  await page.getByRole('button', { name: 'Stay here' }).press('Enter');
  await expect(field(page, 'Limit Name')).toHaveValue('every call');
  await choice(page, 'Limit Period').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Limit saved successfully.')).toBeVisible();
  await expect(page).toHaveURL(/\/limits$/);
  await names(page).first().press('Enter');
  await expect(field(page, 'Limit Rate')).toHaveValue('100000');
  await main(page).getByRole('button', { name: 'Close', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/limits$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('LIM-009 LIM-018 LIM-023 LIM-033 LIM-041 a limit is changed, and its editor closes', async ({
  page,
  instance,
}) => {
  const world = await serviceOf(instance, 'world');
  const [id] = await aLimit(instance, {
    name: 'per minute',
    type: 'instance.service',
    service_id: world.id,
    verb: 'GET',
  });
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits/${id}`);
  await field(page, 'Limit Rate').fill('120');
  // A draft of another version of the console, with a type that this one does not know: nobody has chosen one that it does.
  const draftKey = () => page.evaluate(() => Object.keys(sessionStorage).find((key) => key.includes('.limit.')));
  await expect.poll(draftKey).toBeTruthy();
  await page.evaluate(
    (key) => {
      const draft = sessionStorage.getItem(key ?? '') ?? '';
      sessionStorage.setItem(key ?? '', draft.replaceAll('instance.service', 'instance.region'));
    },
    await draftKey(),
  );
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await main(page).getByRole('button', { name: 'Restore them' }).click();
  await expect(field(page, 'Limit Rate')).toHaveValue('120');
  await save(page);
  await expect(main(page).getByText('A Limit type must be selected.')).toBeVisible();
  await choose(page, 'Limit Type', 'Service');
  await choose(page, 'Verb', 'Any');
  const saving = page.waitForRequest((request) => request.method() === 'PUT');
  await save(page);
  await expect(page.getByText('Limit updated successfully.')).toBeVisible();
  await expect(page).toHaveURL(/\/limits$/);
  const request = await saving;
  const { pathname, searchParams } = new URL(request.url());
  expect([pathname, searchParams.get('fields'), searchParams.get('related')]).toEqual([
    `/api/v2/system/limit/${id}`,
    '*',
    related,
  ]);
  expect(request.postDataJSON()).toEqual({
    id,
    name: 'per minute',
    description: null,
    type: 'instance.service',
    rate: 120,
    period: 'minute',
    user_id: null,
    service_id: world.id,
    role_id: null,
    endpoint: null,
    verb: null,
    is_active: true,
  });
  expect(await stored(instance, 'per minute')).toMatchObject({
    rate: 120,
    verb: null,
    key_text: `instance.service:${world.id}.minute`,
  });
  await page.getByRole('button', { name: 'Actions for per minute' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await expect(row(page, 'per minute')).toContainText('Inactive');
});

test('LIM-006 LIM-007 a server without limits needs a subscription, and both links lead to that', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.route(/\/api\/v2\/system$/, async (route) => {
    const response = await route.fetch();
    const { resource } = await response.json();
    await route.fulfill({
      response,
      json: { resource: resource.filter(({ name }: { name: string }) => !/^limit/.test(name)) },
    });
  });
  await page.goto(`${instance.url}/limits/create`);
  await expect(main(page).getByText(/requires a Sluice GOLD product subscription/)).toBeVisible();
  await expect(field(page, 'Limit Name')).toHaveCount(0);
  for (const name of ['Manage', 'Create'])
    await expect(main(page).getByRole('link', { name, exact: true })).toHaveAttribute('href', '/limits');
  await expect(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Limits' })).toBeVisible();
  await expectAccessible(page, 'the subscription');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${instance.url}/limits`);
  await expect(main(page).getByText('You have no Limits!')).toBeVisible();
});

test('LIM-039 limits that could not be read show the words of the documents', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await withTableAway(instance, 'limit', async () => {
    await page.getByRole('link', { name: 'Limits', exact: true }).click();
    await expect(
      main(page).getByRole('heading', {
        name: 'There was an error loading data for the Limits tab. Please try refreshing your browser and logging in again.',
      }),
    ).toBeVisible();
  });
  await main(page).getByRole('button', { name: 'Try again' }).click();
  await expect(main(page).getByText('You have no Limits!')).toBeVisible();
});

test('LIM-001 limits are for administrators alone', async ({ page, instance }) => {
  const world = await serviceOf(instance, 'world');
  await aLimit(instance, { name: 'per minute', type: 'instance.service', service_id: world.id });
  const guest = await makeGuest(instance, [{ service: 'world', component: '*', verb_mask: 31 }]);
  const { session_token } = await createSession(instance, guest);
  for (const [verb, path] of [
    ['GET', 'system/limit'],
    ['POST', 'system/limit'],
    ['DELETE', 'system/limit_cache?force=true'],
  ] as const) {
    const headers = { ...(await appKey(instance)), 'X-DreamFactory-Session-Token': session_token };
    expect((await instance.api(verb, path, undefined, headers)).status).toBe(403);
  }
  await signIn(page, instance, guest);
  await page.goto(`${instance.url}/limits`);
  await expect(page).toHaveURL(/\/launchpad$|\/home$/);
  await expect(page.getByRole('link', { name: 'Limits', exact: true })).toHaveCount(0);
});

test('the form of a limit says what it would have refused in the last hour', async ({ page, instance }) => {
  const { id: userId, call } = await aCaller(instance);
  const { name, email } = (await instance.api('GET', `system/user/${userId}`)).body;
  for (let calls = 0; calls < 3; calls++) expect(await call()).toBe(200);
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits/create`);
  await expect(main(page).getByText(/^Once the form is complete, this says/)).toBeVisible();
  await field(page, 'Limit Name').fill('of one');
  await choose(page, 'Limit Type', 'User');
  await choice(page, 'User').fill(email);
  await main(page)
    .getByRole('option', { name: `${name} – ${email}` })
    .click();
  await field(page, 'Limit Rate').fill('2');
  await choose(page, 'Limit Period', 'Hour');
  await expect(main(page).getByText(/^Of 3 calls since .+, 1 would have been refused\./)).toBeVisible();
  await expect(
    main(page)
      .getByRole('listitem')
      .filter({ hasText: `${name}, guests` }),
  ).toContainText('1 of 3 refused');
  await field(page, 'Limit Rate').fill('3');
  await expect(main(page).getByText(/^Of 3 calls since .+, 0 would have been refused\./)).toBeVisible();
});

test('on a phone a counter is seen and reset', async ({ page, instance }) => {
  const { call } = await aCaller(instance);
  const world = await serviceOf(instance, 'world');
  await aLimit(instance, {
    name: 'of service',
    type: 'instance.service',
    service_id: world.id,
    rate: 1,
    period: 'day',
  });
  expect([await call(), await call()]).toEqual([200, 429]);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, instance);
  await page.goto(`${instance.url}/limits`);
  const card = main(page).getByRole('listitem').filter({ hasText: 'of service' });
  await expect(card).toContainText('1 / 1');
  await expectAccessible(page, 'limits on a phone');
  await card.getByRole('button', { name: 'Reset limit Counter of of service' }).click();
  await answer(page, 'Clear counter for of service?', 'Reset');
  await expect(card).toContainText('0 / 1');
  expect(await call()).toBe(200);
});

test('administrators come in although a limit for all is used up; others are refused in words', async ({
  page,
  instance,
}) => {
  const guest = await makeGuest(instance, [{ service: 'world', component: '*', verb_mask: 1 }]);
  const [id] = await aLimit(instance, { name: 'a single call', type: 'instance', rate: 1, period: 'hour' });
  try {
    // The first call of all, by which the console learns about the instance, is refused.
    await expect.poll(async () => (await fetch(`${instance.url}/api/v2/system/environment`)).status).toBe(429);
    await page.goto(`${instance.url}/login`);
    await page.getByPlaceholder('Enter Email').fill(guest.email);
    await page.getByPlaceholder('Enter Password').fill(guest.password);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByText('API limit(s) exceeded.')).toBeVisible();
    await signInByForm(page, instance);
    await expect(page.getByRole('link', { name: 'Limits', exact: true })).toBeVisible();
  } finally {
    await instance.api('DELETE', `system/limit/${id}`);
  }
});
