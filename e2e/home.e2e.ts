// Home: where the four help pages lead, the links beside the sections, and what the instance says of itself.
import { admin, expect, signIn, startInstance, test } from './instance.ts';

const helpPages = [
  ['Welcome', 'https://help.example.com/welcome'],
  ['Quickstart', 'https://help.example.com/quickstart'],
  ['Resources', 'https://help.example.com/resources'],
  ['Download', 'https://help.example.com/download'],
] as const;

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

test('NAV-011 NAV-012 Support stands at the top, Upgrade only where the licence is open source', async ({ page }) => {
  const links = settings([
    ['Upgrade', 'https://example.com/upgrade'],
    ['Support', 'https://example.com/support'],
  ]);
  for (const [licence, expected] of [
    ['OPEN SOURCE', ['https://example.com/upgrade', 'https://example.com/support']],
    ['SILVER', ['https://example.com/support']],
  ] as const) {
    const instance = await startInstance({ ...links, SLUICE_LICENSE: licence });
    try {
      await signIn(page, instance);
      await page.goto(`${instance.url}/home`);
      const outside = page.getByRole('navigation', { name: 'Places' }).locator('a[target=_blank]');
      await expect(outside.last()).toHaveText('Support');
      expect(await outside.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))).toEqual(expected);
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

test('Home names the services one may call, with the address of each to copy', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/home`);
  const services = page.getByRole('region', { name: 'Services' });
  const { body } = await instance.api('GET', '');
  for (const { name } of body.services)
    await expect(services.getByText(`${instance.url}/api/v2/${name}`, { exact: true })).toBeVisible();
  await expect(services.getByRole('listitem')).toHaveCount(body.services.length);
});
