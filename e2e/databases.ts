// PostgreSQL and MariaDB databases in the journeys: connected by the form, read completely, opened in the Data screen.
import type { Page } from '@playwright/test';
import type { Engine } from '@sluice/testkit/databases';
import { expect, type Instance } from './instance.ts';

export const engines: readonly Engine[] = ['pgsql', 'mysql'];

/** Their names in the chooser of service types. */
export const typeLabels: Record<Engine, string> = { pgsql: 'PostgreSQL', mysql: 'MySQL' };

export interface Login {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  schema?: string;
}

export const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true });
const tab = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });

/** Fills in the form of a new service. It is left open at its Config tab. */
export async function fillForm(page: Page, instance: Instance, name: string, type: Engine, login: Login) {
  await page.goto(`${instance.url}/services/create`);
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${typeLabels[type]} `) })
    .click();
  await field(page, 'Name').fill(name);
  await field(page, 'Label').fill(labelOf(name));
  await tab(page, 'Config').click();
  await field(page, 'Host').fill(login.host);
  await field(page, 'Port Number').fill(String(login.port));
  await field(page, 'Database').fill(login.database);
  await field(page, 'Username').fill(login.user);
  await page.getByLabel('Password', { exact: true }).fill(login.password);
  if (login.schema) await field(page, 'Schema').fill(login.schema);
}

const labelOf = (name: string) => `Label of ${name}`;

/** Connects a database as a person does: fills in the form, tries it, saves it. */
export async function connectByForm(page: Page, instance: Instance, name: string, type: Engine, login: Login) {
  await fillForm(page, instance, name, type, login);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('It works: the connection was made.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Service saved successfully.')).toBeVisible();
}

/**
 * Lists all tables of a service, and describes and reads each of them over the API. Returns their names. `broken` are
 * those that the database itself cannot read: an error is expected for them. Tables that are not `isOurs` are left out: on
 * a server that others use too, a superuser sees all databases.
 */
export async function readAllTables(
  instance: Instance,
  service: string,
  { broken = [], ours: isOurs = () => true }: { broken?: readonly string[]; ours?: (table: string) => boolean } = {},
) {
  const list = await instance.api('GET', `${service}/_table?as_list=true`);
  expect([service, list.status]).toEqual([service, 200]);
  const tables = (list.body.resource as string[]).filter(isOurs);
  const remaining = [...tables];
  const read = async () => {
    for (let table = remaining.pop(); table !== undefined; table = remaining.pop()) {
      const path = encodeURIComponent(table);
      const [schema, records] = await Promise.all([
        instance.api('GET', `${service}/_schema/${path}`),
        instance.api('GET', `${service}/_table/${path}?limit=20&include_count=true`),
      ]);
      if (broken.includes(table)) {
        expect([table, records.status, records.body.error.message]).toEqual([
          table,
          500,
          expect.stringContaining(table),
        ]);
        continue;
      }
      expect([table, schema.status, records.status]).toEqual([table, 200, 200]);
      expect([table, schema.body.name]).toEqual([table, table]);
      expect(records.body.meta.count).toBeGreaterThanOrEqual(records.body.resource.length);
      const fields = schema.body.field.map(({ name }: { name: string }) => name);
      for (const record of records.body.resource) expect([table, Object.keys(record)]).toEqual([table, fields]);
    }
  };
  await Promise.all([read(), read(), read(), read()]);
  return tables;
}

/** Creates a record over the API, changes it and deletes it; each time it is read again. `whileThere` runs while it exists. */
export async function writeRecord(
  instance: Instance,
  tablePath: string,
  record: Record<string, unknown>,
  change: Record<string, unknown>,
  whileThere: () => Promise<void>,
) {
  const allFields = { fields: '*' };
  const ask = (verb: string, body?: unknown, path = tablePath) =>
    instance.api(verb, `${path}?${new URLSearchParams(allFields)}`, body);
  const created = await ask('POST', { resource: [record] });
  expect([tablePath, created.status, created.body]).toEqual([
    tablePath,
    200,
    { resource: [expect.objectContaining(record)] },
  ]);
  const description = await instance.api('GET', tablePath.replace('/_table/', '/_schema/'));
  const [key] = description.body.primary_key as [string];
  const recordPath = `${tablePath}/${created.body.resource[0][key]}`;
  const changed = await ask('PATCH', change, recordPath);
  expect([tablePath, changed.status, changed.body]).toEqual([tablePath, 200, expect.objectContaining(change)]);
  expect((await ask('GET', undefined, recordPath)).body).toEqual({ ...changed.body, ...change });
  await whileThere();
  expect((await ask('DELETE', undefined, recordPath)).status).toBe(200);
  expect((await ask('GET', undefined, recordPath)).status).toBe(404);
}

/**
 * Adds a field to tables over the API, alters it and drops it: each is described afterwards as it was before. Views refuse it,
 * and stay as they are.
 */
export async function alterTables(instance: Instance, service: string, tables: readonly string[]) {
  for (const table of tables) {
    const path = `${service}/_schema/${encodeURIComponent(table)}`;
    const describe = async () => (await instance.api('GET', `${path}?refresh=true`)).body;
    const before = await describe();
    const field = { name: 'sluice_note', type: 'string', length: 20, allow_null: true };
    const added = await instance.api('POST', `${path}/_field`, { resource: [field] });
    if (before.is_view) {
      expect([table, added.status]).toEqual([table, 400]);
      expect(await describe()).toEqual(before);
      continue;
    }
    expect([table, added.status, added.body]).toEqual([table, 200, [[]]]);
    const altered = await instance.api('PATCH', `${path}/_field?fields=*`, {
      resource: [{ name: 'sluice_note', type: 'text', is_unique: false, new_name: 'sluice_text' }],
    });
    expect([table, altered.status, altered.body]).toEqual([
      table,
      200,
      [expect.objectContaining({ name: 'sluice_text', db_type: 'text' })],
    ]);
    expect([table, (await instance.api('DELETE', `${path}/_field/sluice_text`)).body]).toEqual([
      table,
      { success: true },
    ]);
    expect(await describe()).toEqual(before);
  }
}

/** Opens tables in the Data screen, one after the other: each shows its records or that there are none, and no error. */
export async function viewTables(page: Page, instance: Instance, service: string, tables: readonly string[]) {
  await page.goto(`${instance.url}/data/${service}`);
  const main = page.getByRole('main');
  for (const table of tables) {
    await page.getByRole('textbox', { name: 'Find a table' }).fill(table);
    await page.getByRole('link', { name: table, exact: true }).click();
    await expect(page).toHaveURL(`${instance.url}/data/${service}/${encodeURIComponent(table)}`);
    // An error shows as an alert; it is reported better here than as content that never came.
    const content = main.getByRole('grid').or(main.getByText('No records found.'));
    await expect(content.or(main.getByRole('alert')).first(), table).toBeVisible();
    await expect(main.getByRole('alert'), table).toHaveCount(0);
  }
}
