// Schemas nobody here designed, out of Debian packages, on PostgreSQL and MariaDB: each is connected by the form, read
// whole, seen and written to.

import type { Page } from '@playwright/test';
import { soakRounds } from '@sluice/testkit/soak';
import { alterTables, connectByForm, readAllTables, viewTables, writeRecord } from './databases.ts';
import { type ForeignSchema, foreignSchemas, loadForeign, serviceOf } from './foreign.ts';
import { expect, type Instance, signIn, test } from './instance.ts';

interface Schema {
  of: ForeignSchema;
  /** How many tables and views it has at the least. */
  tables: number;
  /** Tables that are opened in the Data screen. */
  opened: string[];
  /** Creates, changes and deletes a record. */
  write(page: Page, instance: Instance, service: string): Promise<void>;
}

const byApi =
  (table: string, record: Record<string, unknown>, change: Record<string, unknown>) =>
  (page: Page, instance: Instance, service: string) =>
    writeRecord(instance, `${service}/_table/${table}`, record, change, async () => {
      await viewTables(page, instance, service, [table]);
      await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
    });

const roundcube = {
  tables: 17,
  opened: ['system', 'contactgroupmembers'],
  write: byScreen,
};
const icinga = {
  tables: 60,
  opened: ['icinga_dbversion', 'icinga_hosts', 'icinga_statehistory'],
  write: byApi('icinga_instances', { instance_name: 'north', instance_description: 'ä' }, { instance_description: '' }),
};

const schemas: Schema[] = [
  { of: foreignSchemas.roundcubeOnPgsql, ...roundcube },
  { of: foreignSchemas.icingaOnPgsql, ...icinga },
  {
    of: foreignSchemas.kea,
    tables: 50,
    opened: ['lease4', 'lease6', 'schema_version'],
    write: byApi(
      'hosts',
      { dhcp_identifier: 'AAH/', dhcp_identifier_type: 0, ipv4_address: 4294967295 },
      { hostname: 'printer' },
    ),
  },
  {
    of: foreignSchemas.zabbix,
    tables: 170,
    opened: ['hosts', 'history_uint'],
    write: byApi('regexps', { regexpid: '9223372036854775807', name: '^a|b$', test_string: '"\'\\' }, { name: '' }),
  },
  { of: foreignSchemas.roundcubeOnMysql, ...roundcube },
  { of: foreignSchemas.icingaOnMysql, ...icinga },
  {
    of: foreignSchemas.pdns,
    tables: 7,
    opened: ['records', 'tsigkeys'],
    write: byApi('domains', { name: 'example.com', type: 'NATIVE' }, { account: 'ada' }),
  },
  {
    of: foreignSchemas.bacula,
    tables: 26,
    opened: ['Status', 'LocationLog', 'PathHierarchy'],
    write: byApi('Location', { Location: 'c2hlbGY=', Cost: -1 }, { Enabled: 1 }),
  },
];

for (const { of: schema, tables, opened, write } of schemas) {
  const title = `the ${schema.engine} schema of ${schema.package} is connected by the form and works at once`;
  test(title, async ({ page, instance }) => {
    test.setTimeout(soakRounds(120_000, 600_000));
    const { database, missing } = await loadForeign(schema);
    test.skip(missing !== undefined, missing);
    if (!database) return;
    try {
      const service = serviceOf(schema);
      await signIn(page, instance);
      // "default": of a server of MariaDB that others use too, only this database.
      await connectByForm(page, instance, service, schema.engine, { ...database, schema: 'default' });

      const names = await readAllTables(instance, service);
      expect(names.length).toBeGreaterThanOrEqual(tables);
      await viewTables(page, instance, service, opened);
      await write(page, instance, service);
      // All of them in a soak; a few of each schema in every run.
      const step = Math.ceil(names.length / soakRounds(4, names.length));
      await alterTables(
        instance,
        service,
        names.filter((_, index) => index % step === 0),
      );
    } finally {
      await database.drop();
    }
  });
}

/** A person of Roundcube, in the Data screen. */
async function byScreen(page: Page, instance: Instance, service: string): Promise<void> {
  const stored = async () => (await instance.api('GET', `${service}/_table/users`)).body.resource;
  await page.goto(`${instance.url}/data/${service}/users/new`);
  const pane = page.getByRole('dialog').first();
  await pane.getByRole('textbox', { name: /^Username/ }).fill('ada');
  await pane.getByRole('textbox', { name: /^Mail Host/ }).fill('mail.example.com');
  await pane.getByRole('textbox', { name: 'Preferences' }).fill('first line\nsecond "line"');
  await pane.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Record created.')).toBeVisible();
  const [made] = await stored();
  expect(made).toMatchObject({
    username: 'ada',
    mail_host: 'mail.example.com',
    preferences: 'first line\nsecond "line"',
    language: null,
  });
  // What was left out got what the database says.
  expect(made.created).toMatch(/^\d{4}-/);

  await page
    .getByRole('row', { name: /\bada\b/ })
    .getByRole('link', { name: /^Open record/ })
    .click();
  await expect(pane.getByRole('textbox', { name: 'Preferences' })).toHaveValue('first line\nsecond "line"');
  await pane.getByRole('textbox', { name: 'Language' }).fill('de_DE');
  await pane.getByRole('button', { name: 'Set Preferences to NULL' }).click();
  await pane.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Record saved.')).toBeVisible();
  expect(await stored()).toEqual([{ ...made, language: 'de_DE', preferences: null }]);

  await page
    .getByRole('row', { name: /\bada\b/ })
    .getByRole('link', { name: /^Open record/ })
    .click();
  await pane.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').filter({ hasText: 'Delete record' }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Record deleted.')).toBeVisible();
  expect(await stored()).toEqual([]);
}
