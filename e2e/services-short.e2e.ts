// The short way to a service: a pasted address, a test, Save, its data. By keyboard alone, and nothing of the password anywhere else.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { expectAccessible } from './axe.ts';
import { engines, field, typeLabels } from './databases.ts';
import { expect, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const address = (page: Page) => page.getByLabel('Connection address');
const typeMenu = (page: Page) =>
  main(page).getByRole('region', { name: 'Connect a database' }).getByLabel('Type', { exact: true }).first();

for (const engine of engines) {
  test(`the address of a ${typeLabels[engine]} database is all it takes to see its data, by keyboard alone`, async ({
    page,
    instance,
  }) => {
    const noServer = await engineMissing(engine);
    test.skip(noServer !== undefined, noServer);
    const place = await freshDatabase(engine);
    await place.run('create table product (id integer primary key, name varchar(40) not null)');
    await place.run("insert into product values (1, 'chair')");
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    try {
      await signIn(page, instance);
      await page.goto(`${instance.url}/services/create`);
      const scheme = engine === 'pgsql' ? 'postgres' : 'mysql';
      const login = `${place.user}:${encodeURIComponent(place.password)}`;
      await address(page).focus();
      await page.keyboard.insertText(`${scheme}://${login}@${place.host}:${place.port}/${place.database}`);
      await page.keyboard.press('Enter');
      // Taken, and gone from where it was pasted.
      await expect(address(page)).toHaveValue('');
      await expect(main(page).getByText(`${typeLabels[engine]} is filled in:`)).toBeVisible();
      const name = await field(page, 'Name').inputValue();
      expect(name).toBe(place.database.toLowerCase());
      await expect(field(page, 'Label')).not.toHaveValue('');

      const button = page.getByRole('button', { name: 'Test connection' });
      await expect(button).toHaveCount(1);
      await button.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByText('It works: the connection was made.')).toBeVisible();
      await expectAccessible(page, 'the short way');

      const save = page.getByRole('button', { name: 'Save', exact: true });
      await save.focus();
      await page.keyboard.press('Enter');
      await expect(page.getByText('Service saved successfully.')).toBeVisible();
      const data = page.getByRole('link', { name: 'See its data' });
      await data.focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(new RegExp(`/data/${name}$`));
      await expect(
        main(page)
          .getByRole('link', { name: 'product' })
          .or(page.getByText('product', { exact: true }))
          .first(),
      ).toBeVisible();

      const stored = await instance.api('GET', `system/service?filter=${encodeURIComponent(`name='${name}'`)}`);
      expect(stored.body.resource[0]).toMatchObject({
        type: engine,
        config: {
          host: place.host,
          port: place.port,
          database: place.database,
          // Servers of tests may take their users without one.
          password: place.password === '' ? null : '**********',
        },
      });
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]),
      );
      for (const text of [...messages, kept, page.url(), instance.output()]) expect(text).not.toContain(login);
    } finally {
      await place.drop();
    }
  });
}

test('an address that is not understood says why, and one of a type that is not there says so', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  const cases: [string, RegExp][] = [
    ['shop', /This is not understood/],
    ['mongodb://ann:secret@h/shop', /begin with mongodb: are not understood/],
    ['postgres:///shop', /names no host/],
    ['Server=h;Initial Catalog=shop;User Id=ann;Password=secret', /for SQL Server\. This feature requires .* SILVER/],
  ];
  for (const [text, problem] of cases) {
    await address(page).fill(text);
    await address(page).press('Enter');
    await expect(address(page)).toHaveAccessibleDescription(problem);
    // It can be mended where it stands; nothing else changed.
    await expect(address(page)).toHaveValue(text);
    await expect(page.getByRole('heading', { name: 'Select Service Type' })).toBeVisible();
  }
  await address(page).fill('s');
  await expect(address(page)).toHaveAccessibleDescription('');
});

test('the password of a pasted address is in no draft, and in no form of another database', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await address(page).fill('postgres://ann:first-secret@h/shop?connect_timeout=3');
  await page.getByRole('button', { name: 'Fill in' }).click();
  await expect(main(page).getByText('Nothing was done with connect_timeout.')).toBeVisible();
  expect(await main(page).innerText()).not.toContain('first-secret');
  await page.getByRole('textbox', { name: 'Description' }).fill('Typed here');
  const drafts = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  await expect.poll(drafts).toContain('Typed here');
  expect(await drafts()).not.toContain('first-secret');
  // Another address: nothing of the first one stays, but what was typed does.
  await field(page, 'Name').fill('my_own_name');
  await address(page).fill('postgres://other/shop');
  await address(page).press('Enter');
  await expect(field(page, 'Name')).toHaveValue('my_own_name');
  await main(page).getByRole('link', { name: 'Config', exact: true }).click();
  await expect(field(page, 'Host')).toHaveValue('other');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(field(page, 'Username')).toHaveValue('');
});

test('the type menu has the groups in order, the free types first, and finds them by other names', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await typeMenu(page).click();
  const options = page.getByRole('option');
  await expect(options.first()).toHaveText('AWS Redshift DB');
  const names = await options.allTextContents();
  const place = (name: string) => names.findIndex((text) => text.startsWith(name));
  expect(place('SQLite')).toBeLessThan(place('IBM DB2'));
  expect(place('SQL Server')).toBeLessThan(place('GCM'));
  await typeMenu(page).fill('postgres');
  await expect(options).toHaveText(['PostgreSQL']);
  await page.keyboard.press('Enter');
  await expect(main(page).getByText('Still to fill in: Host, Database.')).toBeVisible();
  await expect(field(page, 'Name')).toBeVisible();
  await main(page).getByRole('link', { name: 'Go to Config' }).click();
  await field(page, 'Host').fill('h');
  await expect(main(page).getByText('Still to fill in: Database.')).toBeVisible();
});

test('a SQLite file is connected by its path', async ({ page, instance }) => {
  await instance.api('POST', 'system/service', {
    resource: [
      { name: 'little', label: 'First', type: 'sqlite', is_active: true, config: { database: 'little.sqlite' } },
    ],
  });
  await instance.api('GET', 'little/_table');
  await signIn(page, instance);
  await page.goto(`${instance.url}/services/create`);
  await address(page).fill(join(instance.dataFolder, 'db', 'little.sqlite'));
  await address(page).press('Enter');
  // The name of the file is taken by another service.
  await expect(field(page, 'Name')).toHaveValue('little_2');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('It works: the connection was made.')).toBeVisible();
});
