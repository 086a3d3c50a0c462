// A database server of the test's own: what the form says of a connection that does not come about, how a password is
// kept, and a server that goes away while its tables are on the screen.
import { type OwnServer, ownServer, ownServerMissing } from '@sluice/testkit/databases';
import { engines, field, fillForm, type Login, typeLabels } from './databases.ts';
import { expect, signIn, test } from './instance.ts';

for (const engine of engines) {
  test.describe(`${typeLabels[engine]}`, () => {
    // One server for all of them.
    test.describe.configure({ mode: 'default' });
    let server: OwnServer;
    let login: Login;
    const noServer = ownServerMissing(engine);
    test.skip(noServer !== undefined, noServer);

    test.beforeAll(async () => {
      test.setTimeout(90_000);
      server = await ownServer(engine);
      await server.run('create database shop');
      await server.run('create table product (id integer primary key, name varchar(40) not null)', 'shop');
      await server.run("insert into product values (1, 'chair'), (2, 'table')", 'shop');
      login = { ...server, database: 'shop' };
    });
    test.afterAll(async () => {
      await server?.remove();
    });

    test('the form says what is wrong with a connection, at its field', async ({ page, instance }) => {
      await signIn(page, instance);
      await fillForm(page, instance, `wrong_${engine}`, engine, login);
      const test = async (expected: string | RegExp) => {
        await page.getByRole('button', { name: 'Test connection' }).click();
        await expect(page.getByRole('main').getByRole('status').getByText(expected)).toBeVisible();
      };
      const tells = (label: string, text: RegExp) =>
        expect(page.locator('form').getByLabel(new RegExp(`^${label}[ *]*$`))).toHaveAccessibleDescription(text);
      const password = page.getByLabel('Password', { exact: true });

      await password.fill('not the password');
      await test('The database did not accept the user name or the password.');
      await tells('Password', /Check user name and password/);
      // What was found holds for what was tried: it goes with the next key.
      await password.fill(login.password);
      await expect(page.getByText('The connection could not be made.')).toHaveCount(0);
      await expect(page.getByText('Check user name and password')).toHaveCount(0);

      await field(page, 'Database').fill('no_such_shop');
      await test('The database server has no database of that name.');
      await tells('Database', /letter case may matter/);
      await field(page, 'Database').fill('shop');

      await field(page, 'Host').fill('no-such-host.invalid');
      await test('The host of the database is not known.');
      await tells('Host', /must be known to the machine/);
      await field(page, 'Host').fill(login.host);

      // Nothing listens on port 1.
      await field(page, 'Port Number').fill('1');
      await test('The host of the database takes no connections there.');
      await tells('Port Number', /Check host and port/);
      await field(page, 'Port Number').fill(String(login.port));

      await test('It works: the connection was made.');
    });

    test('a stored password is not shown, and stays when the form is saved', async ({ page, instance }) => {
      const name = `kept_${engine}`;
      const { host, port, database, user: username, password } = login;
      const config = { host, port, database, username, password };
      const record = { name, label: name, type: engine, is_active: true, config };
      const creation = await instance.api('POST', 'system/service?fields=*', { resource: [record] });
      expect(creation.status).toBe(201);
      const { id } = creation.body.resource[0];
      expect(JSON.stringify(creation.body)).not.toContain(password);

      await signIn(page, instance);
      await page.goto(`${instance.url}/services/${id}/config`);
      await expect(field(page, 'Password')).toHaveValue('**********');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await expect(page.getByText('It works: the connection was made.')).toBeVisible();
      await field(page, 'Maximum Records').fill('1');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Service updated successfully', { exact: true })).toBeVisible();
      const list = await instance.api('GET', `${name}/_table/product`);
      expect([list.status, list.body.resource]).toEqual([200, [{ id: 1, name: 'chair' }]]);

      await page.getByRole('button', { name: 'Replace' }).click();
      await page.getByLabel('Password', { exact: true }).fill('another');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await expect(page.getByText('The database did not accept the user name or the password.')).toBeVisible();
    });

    test('a screen with an open table reports that its server is gone, and uses the server again when it is back', async ({
      page,
      instance,
    }) => {
      const name = `away_${engine}`;
      const { host, port, database, user: username, password } = login;
      const config = { host, port, database, username, password };
      await instance.api('POST', 'system/service', {
        resource: [{ name, label: name, type: engine, is_active: true, config }],
      });
      await signIn(page, instance);
      await page.goto(`${instance.url}/data/${name}/product`);
      const main = page.getByRole('main');
      await expect(main.getByRole('gridcell', { name: 'chair' })).toBeVisible();

      await server.stop();
      await page.getByRole('button', { name: 'Refresh Results' }).click();
      // What was read stays on the screen, with the reason why it may be old.
      await expect(main.getByRole('alert')).toContainText(/What you see may be old: The (host of the )?database /);
      await expect(main.getByRole('gridcell', { name: 'chair' })).toBeVisible();
      await page.reload();
      await expect(main.getByRole('alert')).toContainText(/The (host of the )?database /);
      const away = await instance.api('GET', `${name}/_table/product`);
      expect(away.status).toBe(503);
      expect((await instance.api('GET', 'world/_table/countries?limit=1')).status).toBe(200);

      await server.start();
      await main.getByRole('button', { name: 'Try again' }).first().click();
      await expect(main.getByRole('gridcell', { name: 'chair' })).toBeVisible();
      await expect(main.getByRole('alert')).toHaveCount(0);
    });
  });
}
