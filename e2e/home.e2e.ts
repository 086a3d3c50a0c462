// Home: where the four help pages lead, the links beside the sections, the way to the first call, and how the instance fares.
import { expectAccessible } from './axe.ts';
import { admin, expect, signIn, startInstance, test } from './instance.ts';
import { withoutTypes } from './paid-types.ts';
import { copyPreparedData } from './run-folder.ts';

const helpPages = [
  ['Welcome', 'https://help.example.com/welcome'],
  ['Quickstart', 'https://help.example.com/quickstart'],
  ['Resources', 'https://help.example.com/resources'],
  ['Download', 'https://help.example.com/download'],
] as const;

const own = { SLUICE_ADMIN_EMAIL: admin.email, SLUICE_ADMIN_PASSWORD: admin.password };

const settings = (pages: readonly (readonly [string, string])[]) => ({
  SLUICE_ADMIN_EMAIL: admin.email,
  SLUICE_ADMIN_PASSWORD: admin.password,
  SLUICE_LINKS: pages.map(([name, href]) => `${name.toLowerCase()}=${href}`).join(','),
});

test('HOM-001 HOM-002 Home has Welcome, Quickstart, Resources and Download, each opens the hosted page the operator set', async ({
  page,
  context,
}) => {
  const instance = await startInstance(settings(helpPages));
  try {
    await context.route('https://help.example.com/**', (route) => route.fulfill({ body: 'A page of the operator.' }));
    await signIn(page, instance);
    await page.goto(`${instance.url}/home`);
    const links = page.getByRole('navigation', { name: 'Help pages' }).getByRole('link');
    await expect(links).toHaveText(helpPages.map(([label]) => label));
    for (const [label, href] of helpPages) {
      const opened = context.waitForEvent('page');
      await links.filter({ hasText: label }).click();
      await expect(await opened).toHaveURL(href);
      await (await opened).close();
    }
  } finally {
    await instance.stop();
  }
});

test('help pages that no operator set are not shown', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  await expect(page.getByRole('heading', { name: 'This instance' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Help pages' })).toHaveCount(0);
});

test('NAV-011 NAV-012 NAV-051 SES-049 Support stands at the top, Upgrade only where the licence is open source; a demo leads its default account home', async ({
  page,
}) => {
  const links = settings([
    ['Upgrade', 'https://example.com/upgrade'],
    ['Support', 'https://example.com/support'],
  ]);
  const account = { email: 'user@example.com', password: 'the default one' };
  for (const [licence, isDemo, landing, expected] of [
    ['OPEN SOURCE', true, '/home', ['https://example.com/upgrade', 'https://example.com/support']],
    ['SILVER', false, '/profile', ['https://example.com/support']],
  ] as const) {
    const env = { ...links, SLUICE_LICENSE: licence, SLUICE_DEMO: isDemo ? '1' : '0' };
    const instance = await startInstance(env, await copyPreparedData());
    try {
      const { platform } = (await instance.api('GET', 'system/environment', undefined, {})).body;
      expect(platform).toMatchObject({ license: licence, bitnami_demo: isDemo });
      await instance.api('POST', 'system/admin', { resource: [{ ...account, name: 'Default' }] });
      await signIn(page, instance, account);
      await page.goto(`${instance.url}/login`);
      await expect(page).toHaveURL(instance.url + landing);
      const outside = page.getByRole('navigation', { name: 'Places' }).locator('a[target=_blank]');
      await expect(outside.last()).toHaveText('Support');
      expect(await outside.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))).toEqual(expected);
      // Nor does anything else lead to it.
      await withoutTypes(page, 'logstash');
      await page.goto(`${instance.url}/services/create`);
      await page.getByRole('button', { name: 'Logstash GOLD' }).click();
      await expect(page.getByText('This feature requires a Sluice GOLD product subscription.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'See the plans' })).toHaveCount(licence === 'OPEN SOURCE' ? 1 : 0);
    } finally {
      await instance.stop();
    }
  }
});

test('SVC-018 an instance whose operator said nothing has the licence OPEN SOURCE, and Home says so', async ({
  page,
  instance,
}) => {
  expect((await instance.api('GET', 'system/environment')).body.platform.license).toBe('OPEN SOURCE');
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  const facts = page.getByRole('region', { name: 'This instance' });
  await expect(facts.locator('dt', { hasText: 'License' }).locator('xpath=following-sibling::dd[1]')).toHaveText(
    'OPEN SOURCE',
  );
});

test('Home names the services, with the address of each to copy', async ({ page }) => {
  const instance = await startInstance(own);
  try {
    await signIn(page, instance);
    await page.goto(`${instance.url}/home`);
    const services = page.getByRole('region', { name: 'Services' });
    for (const name of ['db', 'user'])
      await expect(
        services.getByRole('button', { name: `Copy ${instance.url}/api/v2/${name}`, exact: true }),
      ).toBeVisible();
  } finally {
    await instance.stop();
  }
});

test('Home of somebody with some rights names the services they may call, and the first calls', async ({ page }) => {
  const instance = await startInstance(own);
  try {
    const rows = [
      { service_id: 5, component: '_table/*', verb_mask: 1, requestor_mask: 1 },
      { service_id: 1, component: 'role/*', verb_mask: 1, requestor_mask: 1 },
    ];
    const role = { name: 'reader', is_active: true, role_service_access_by_role_id: rows };
    const { body } = await instance.api('POST', 'system/role', { resource: [role] });
    const account = { email: 'grace@example.com', password: 'correct horse battery' };
    const assignments = [{ app_id: 1, role_id: body.resource[0].id }];
    const person = { ...account, user_to_app_to_role_by_user_id: assignments };
    expect((await instance.api('POST', 'system/user', { resource: [person] })).status).toBe(201);
    await signIn(page, instance, account);
    await page.goto(`${instance.url}/home`);
    const services = page.getByRole('region', { name: 'Services' });
    await expect(services).toContainText(`${instance.url}/api/v2/db`);
    await expect(services.getByRole('link', { name: 'Local SQL Database', exact: true })).toHaveAttribute(
      'href',
      '/data/db',
    );
    await expect(page.getByRole('region', { name: 'First calls' })).toContainText(
      `${instance.url}/api/v2/user/session`,
    );
    for (const name of ['Your way to the first call', 'Recent changes', 'Keys not used for long'])
      await expect(page.getByRole('region', { name })).toHaveCount(0);
    await expectAccessible(page, 'home of a user');
  } finally {
    await instance.stop();
  }
});

test('Home leads to the first call in four steps, each ticked by what happened, and gone with the last', async ({
  page,
}) => {
  const instance = await startInstance(own);
  try {
    await signIn(page, instance);
    await page.goto(`${instance.url}/home`);
    const steps = page.getByRole('region', { name: 'Your way to the first call' });
    const ticked = steps.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Done' }) });
    await expect(steps.getByRole('listitem')).toHaveCount(4);
    await expect(ticked).toHaveCount(0);
    await expectAccessible(page, 'home with its steps');
    await steps.getByRole('link', { name: 'Connect a database' }).click();
    await expect(page).toHaveURL(/\/services\/create/);
    const shop = { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } };
    expect((await instance.api('POST', 'system/service', { resource: [shop] })).status).toBe(201);
    const table = { name: 'product', field: [{ name: 'id', type: 'id' }] };
    await page.goto(`${instance.url}/home`);
    await expect(ticked).toHaveText([/Connect a database/]);
    expect((await instance.api('POST', 'shop/_schema', { resource: [table] })).status).toBeLessThan(300);
    await steps.getByRole('link', { name: 'See its data' }).click();
    await expect(page).toHaveURL(/\/data\/shop/);
    const made = await instance.api('POST', 'system/app/_key', { name: 'kiosk', access: 'read', service: 'shop' });
    await page.goto(`${instance.url}/home`);
    await expect(ticked).toHaveText([/Connect a database/, /See its data/, /Make an API key/]);
    await expect(steps.getByText('/api/v2/shop/_table')).toBeVisible();
    await expect(steps.getByRole('link', { name: 'Make a call' })).toHaveAttribute('href', `/apps/${made.body.app_id}`);
    const headers = { 'X-DreamFactory-API-Key': made.body.api_key };
    expect((await instance.api('GET', 'shop/_table', undefined, headers)).status).toBe(200);
    await page.reload();
    await expect(page.getByRole('region', { name: 'Services' })).toContainText('Shop');
    await expect(steps).toHaveCount(0);
  } finally {
    await instance.stop();
  }
});

test('the steps can be hidden, and stay so', async ({ page }) => {
  const instance = await startInstance(own);
  try {
    await signIn(page, instance);
    await page.goto(`${instance.url}/home`);
    const steps = page.getByRole('region', { name: 'Your way to the first call' });
    await steps.getByRole('button', { name: 'Hide' }).click();
    await expect(steps).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('region', { name: 'Services' })).toContainText('Local SQL Database');
    await expect(steps).toHaveCount(0);
  } finally {
    await instance.stop();
  }
});

test('Home shows services with state, use and reachability on request, and what was changed; each row is a link', async ({
  page,
}) => {
  const instance = await startInstance(own);
  try {
    const config = { host: '127.0.0.1', port: 1, database: 'x' };
    const made = await instance.api('POST', 'system/service', {
      resource: [
        { name: 'shop', label: 'Shop', type: 'sqlite', is_active: true, config: { database: 'shop.sqlite' } },
        { name: 'gone', label: 'Gone', type: 'pgsql', is_active: true, config },
        { name: 'asleep', label: 'Asleep', type: 'sqlite', is_active: false, config: { database: 'asleep.sqlite' } },
      ],
    });
    const [shop] = made.body.resource;
    for (const path of ['shop/_table', 'shop/_table', 'shop/_table/nothing']) await instance.api('GET', path);
    await signIn(page, instance);
    await page.goto(`${instance.url}/home`);
    const services = page.getByRole('region', { name: 'Services' });
    const row = (name: string) =>
      services.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    await expect(row('Shop')).toContainText('3 calls');
    await expect(row('Shop')).toContainText('1 error');
    await expect(row('Shop').getByRole('img')).toHaveAccessibleName('3 calls in 24 hours, 1 answered with an error');
    await expect(row('Asleep')).toContainText('Inactive');
    await expect(row('Asleep')).toContainText('No call yet');
    // No service is opened to find out: Home reports states on request only.
    await expect(services.getByRole('status').filter({ hasText: /\S/ })).toHaveCount(0);
    await services.getByRole('button', { name: 'Check whether Shop can be reached' }).click();
    await expect(row('Shop').getByRole('status')).toHaveText('It can be reached.');
    await services.getByRole('button', { name: 'Check whether Gone can be reached' }).click();
    await expect(row('Gone').getByRole('status')).toContainText('takes no connections');
    await expectAccessible(page, 'home with services');
    await expect(row('Shop').getByRole('link', { name: 'Data of Shop' })).toHaveAttribute('href', '/data/shop');
    const changes = page.getByRole('region', { name: 'Recent changes' });
    await changes
      .getByRole('link', { name: 'Created service Shop' })
      .or(changes.getByRole('link', { name: 'Created service shop' }))
      .click();
    await expect(page).toHaveURL(/\/audit\/\d+$/);
    await page.goBack();
    await row('Shop').getByRole('link', { name: 'Shop', exact: true }).click();
    await expect(page).toHaveURL(`${instance.url}/services/${shop.id}`);
  } finally {
    await instance.stop();
  }
});

test('each part of Home fails alone, and what a server does not have is absent', async ({ page, instance }) => {
  await signIn(page, instance);
  const answer = (status: number, message: string) => ({
    status,
    json: { error: { code: status, context: null, message, status_code: status } },
  });
  await page.route(/_use$/, (route) => route.fulfill(answer(404, "Record with identifier '_use' not found.")));
  await page.route(/system\/audit/, (route) => route.fulfill(answer(500, 'The audit is out of order.')));
  await page.goto(`${instance.url}/home`);
  await expect(page.getByText('The audit is out of order.')).toBeVisible();
  const services = page.getByRole('region', { name: 'Services' });
  await expect(services.getByRole('link', { name: 'World', exact: true })).toBeVisible();
  await expect(services).toContainText('Active');
  await expect(services).not.toContainText('call');
  for (const name of ['Your way to the first call', 'Keys not used for long'])
    await expect(page.getByRole('region', { name })).toHaveCount(0);
});

test('of hundreds of services Home shows those called most, and leads to all', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.route(/system\/service\?/, async (route) => {
    const resource = Array.from({ length: 300 }, (_, index) => ({
      ...{ id: 1000 + index, name: `s${index}`, label: `Service ${index}`, type: 'sqlite', is_active: true },
    }));
    await route.fulfill({ json: { resource } });
  });
  await page.route(/service\/_use$/, (route) =>
    route.fulfill({
      json: { resource: [{ id: 1250, name: 's250', calls: 5, failures: 0, last_call: null, hours: [] }] },
    }),
  );
  await page.goto(`${instance.url}/home`);
  const services = page.getByRole('region', { name: 'Services' });
  await expect(services.getByRole('listitem')).toHaveCount(10);
  await expect(services.getByRole('listitem').first()).toContainText('Service 250');
  await expect(services.getByRole('link', { name: 'All 300 services' })).toHaveAttribute('href', '/services');
});

test('keys nobody used for long are named, and lead to their app', async ({ page, instance }) => {
  await signIn(page, instance);
  const old = '2020-01-01T00:00:00.000Z';
  const app = { id: 900, name: 'old kiosk', is_active: true, created_date: old, last_used: null, calls: 0 };
  const fresh = { ...app, id: 901, name: 'busy kiosk', last_used: new Date().toISOString(), calls: 3 };
  await page.route(/app\/_use$/, (route) => route.fulfill({ json: { resource: [app, fresh] } }));
  await page.goto(`${instance.url}/home`);
  const keys = page.getByRole('region', { name: 'Keys not used for long' });
  await expect(keys.getByRole('link')).toHaveText(['old kiosk']);
  await expect(keys.getByRole('link')).toHaveAttribute('href', '/apps/900');
});
