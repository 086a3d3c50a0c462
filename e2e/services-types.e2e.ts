// Service types as the editor offers them: what a licence covers and this server lacks, and what is said when they cannot be read.
import type { Page } from '@playwright/test';
import { expect, signIn, startInstance, test } from './instance.ts';
import { changeTypes, withoutTypes } from './paid-types.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';

const main = (page: Page) => page.getByRole('main');
const words =
  'There was an error loading data for the Services tab. Please try refreshing your browser and logging in again.';

test('SVC-013 a type that the licence covers and this server lacks is not locked, but not here and not to be saved', async ({
  page,
}) => {
  const instance = await startInstance({ ...demo, SLUICE_LICENSE: 'SILVER' }, await copyPreparedData());
  try {
    await withoutTypes(page, 'logstash');
    await signIn(page, instance);
    await page.goto(`${instance.url}/services/create`);
    const types = main(page).getByRole('button');
    await expect(types.filter({ hasText: 'Logstash' })).toHaveText('LogstashGOLD');
    await types.filter({ hasText: 'Oracle' }).click();
    await expect(main(page).getByText('This server has no services of the type Oracle.')).toBeVisible();
    await expect(main(page).getByText(/product subscription/)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0);
    await main(page).getByRole('button', { name: 'Change' }).click();
    await expect(types.filter({ hasText: 'Oracle' })).toHaveText('OracleNot on this server');
    // What can be had comes first.
    const names = await main(page).locator('section:has(> h3)').first().getByRole('button').allTextContents();
    const place = (name: string) => names.findIndex((text) => text.startsWith(name));
    expect(place('SQLite')).toBeLessThan(place('IBM DB2'));
  } finally {
    await instance.stop();
  }
});

/** Paid types among its own, with a form. */
const withPaidTypes = (page: Page, tiers: Record<string, string>) =>
  changeTypes(page, (types) => {
    const form = types.find(({ name }) => name === 'sqlite');
    const paid = Object.entries(tiers).map(([label, subscription_required]) => ({
      ...{ ...form, name: label.toLowerCase(), label, group: 'Log', subscription_required },
    }));
    return [...types, ...paid];
  });

for (const [licence, locked] of [
  ['OPEN SOURCE', ['Silvermine', 'Goldmine']],
  ['SILVER', ['Goldmine']],
  ['GOLD', []],
] as const)
  test(`SVC-011 SVC-012 SVC-014 SVC-015 of paid types that a server has, a licence ${licence} opens those of its tier`, async ({
    page,
  }) => {
    const instance = await startInstance({ ...demo, SLUICE_LICENSE: licence }, await copyPreparedData());
    const tiers = { Silvermine: 'SILVER', Goldmine: 'GOLD' };
    try {
      await withPaidTypes(page, tiers);
      await signIn(page, instance);
      const { body } = await instance.api('GET', 'system/service_type');
      for (const type of body.resource) {
        const fields = ['name', 'label', 'description', 'group', 'singleton', 'config_schema', 'subscription_required'];
        expect(Object.keys(type)).toEqual(expect.arrayContaining(fields));
        expect([null, 'SILVER', 'GOLD']).toContain(type.subscription_required);
      }
      for (const [label, tier] of Object.entries(tiers)) {
        const isLocked = locked.some((name) => name === label);
        await page.goto(`${instance.url}/services/create`);
        await main(page).getByRole('button', { name: label }).click();
        const name = page.getByRole('textbox', { name: 'Name', exact: true });
        const needs = main(page).getByText(`This feature requires a Sluice ${tier} product subscription.`);
        await expect(needs).toHaveCount(isLocked ? 1 : 0);
        // What is not available has no form, although the server sent one.
        await expect(name).toHaveCount(isLocked ? 0 : 1);
        await main(page).getByRole('link', { name: 'Config', exact: true }).click();
        await expect(main(page).getByRole('textbox', { name: /^Database/ })).toHaveCount(isLocked ? 0 : 1);
        await expect(needs).toHaveCount(isLocked ? 1 : 0);
      }
    } finally {
      await instance.stop();
    }
  });

test('SVC-016 SVC-017 on a server that lists none of them, the SILVER types and the GOLD one are there to be seen', async ({
  page,
  instance,
}) => {
  await changeTypes(page, (types) => types.filter(({ name }) => name === 'sqlite'));
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await expect(main(page).getByRole('button').filter({ hasText: /GOLD$/ })).toHaveText(['LogstashGOLD']);
  const silver = main(page)
    .getByRole('button')
    .filter({ hasText: /SILVER$/ });
  await expect(silver.first()).toBeVisible();
  expect((await silver.allTextContents()).sort()).toEqual(
    [
      ...['Standard LDAP', 'Active Directory', 'OpenID Connect', 'Azure Active Directory OAuth', 'SAML 2.0', 'IBM DB2'],
      ...[
        'IBM Informix',
        'Oracle',
        'Salesforce',
        'SOAP Service',
        'SAP SQL Anywhere',
        'SQL Server',
        'MemSQL',
        'MQTT Client',
      ],
      ...['Apple Push Notification', 'GCM Push Notification'],
    ]
      .map((label) => `${label}SILVER`)
      .sort(),
  );
});

for (const [what, path] of [
  ['the services', '**/api/v2/system/service?**'],
  ['their types', '**/api/v2/system/service_type'],
  ['the services that scripts may be linked to', /\/api\/v2\/?\?group=/],
] as const) {
  test(`SVC-042 the list says so when ${what} cannot be read`, async ({ page, instance }) => {
    await signIn(page, instance);
    await page.route(path, (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: 'Down.' } } }));
    await page.goto(`${instance.url}/services`);
    await expect(page.getByText(words).first()).toBeVisible();
  });
}

test('SVC-001 a service of each kind is made by its form: database, file, email, notification, remote service, script, OAuth, LDAP', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  const kinds: { group: string; type: string; config: Record<string, string> }[] = [
    { group: 'Database', type: 'SQLite', config: { Database: 'kinds.sqlite' } },
    { group: 'File', type: 'Local File Storage', config: { 'Root Folder': 'kinds' } },
    { group: 'Email', type: 'Mandrill', config: { 'API Key': 'k' } },
    { group: 'Notification', type: 'GCM Push Notification', config: { 'API Key': 'k', Environment: 'Development' } },
    { group: 'Remote Service', type: 'HTTP Service', config: { 'Base URL': 'https://api.example.com' } },
    { group: 'Script', type: 'V8js', config: {} },
    {
      group: 'OAuth',
      type: 'GitHub OAuth',
      config: { 'Client ID': 'c', 'Client Secret': 's', 'Redirect URL': `${instance.url}/` },
    },
    { group: 'LDAP', type: 'Standard LDAP', config: { Host: 'ldap.example.com', 'Base DN': 'dc=example,dc=com' } },
  ];
  for (const [index, { group, type, config }] of kinds.entries()) {
    await page.goto(`${instance.url}/services/create`);
    const section = main(page).locator('section', { has: page.getByRole('heading', { name: group, exact: true }) });
    await section.last().getByRole('button').filter({ hasText: type }).first().click();
    const name = `kind_${index}_${Date.now()}`;
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('textbox', { name: 'Label', exact: true }).fill(group);
    await main(page).getByRole('link', { name: 'Config', exact: true }).click();
    for (const [label, value] of Object.entries(config)) {
      const name = new RegExp(`^${label}`);
      if (label === 'Environment') {
        await main(page).getByRole('combobox', { name }).click();
        await page.getByRole('option', { name: value }).click();
        continue;
      }
      // What is masked is no text box.
      const [text, masked] = [main(page).getByRole('textbox', { name }), main(page).locator('input[type=password]')];
      await expect(text.or(masked).first()).toBeVisible();
      await ((await text.count()) > 0 ? text : masked).fill(value);
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Service saved successfully.', { exact: true }).first()).toBeVisible();
    const { body } = await instance.api('GET', `system/service?filter=name='${name}'&fields=id,label,is_active`);
    expect(body.resource).toEqual([{ id: expect.any(Number), label: group, is_active: true }]);
    // A directory would change forms of other journeys.
    await instance.api('DELETE', `system/service/${body.resource[0].id}`);
  }
});
