// Databases as nobody should design one: every table is listed, described, read and opened in the Data screen.
import { nastySql as nastyMysql, nastyTables } from '@sluice/sql/dialects/mysql/nasty.fixture';
import { nastySql as nastyPgsql, nastyTables as nastyPgsqlTables } from '@sluice/sql/dialects/pgsql/nasty.fixture';
import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { connectByForm, readAllTables, viewTables } from './databases.ts';
import { expect, signIn, test } from './instance.ts';

test('a nasty database of PostgreSQL is connected by the form and seen whole', async ({ page, instance }) => {
  test.setTimeout(120_000);
  const noServer = await engineMissing('pgsql');
  test.skip(noServer !== undefined, noServer);
  const database = await freshDatabase('pgsql');
  try {
    await database.run(nastyPgsql);
    await signIn(page, instance);
    await connectByForm(page, instance, 'nasty_pgsql', 'pgsql', database);
    const tables = await readAllTables(instance, 'nasty_pgsql');
    expect(tables).toEqual(nastyPgsqlTables);
    await viewTables(page, instance, 'nasty_pgsql', tables);

    // What a number or a date of a browser could not hold.
    await page.goto(`${instance.url}/data/nasty_pgsql/extreme/record?key=1`);
    const pane = page.getByRole('dialog');
    const value = (label: string) => pane.getByRole('textbox', { name: label, exact: true });
    await expect(value('Big')).toHaveValue('9223372036854775807');
    await expect(value('Exact')).toHaveValue('1234567890123456789012345678.0123456789');
    await expect(value('Stamp')).toHaveValue('2018-11-20 08:00:00.123456+00');
    await expect(value('Moment')).toHaveValue('2018-11-20 10:00:00.123');
    // Laid out, every digit as it is.
    await expect(value('Doc')).toContainText(/"b": 1,\s*"a": \[\s*1\.0\s*\]/);
    await expect(value('Words')).toHaveValue('{a,"b,\\"c\\"",NULL,""}');
    await expect(pane.getByText('BINARY DATA · 3 bytes')).toBeVisible();
    await value('Exact').fill('-0.0000000001');
    await value('Words').fill('{x,NULL}');
    await pane.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Record saved.')).toBeVisible();
    const [[exact, words, big] = []] = await database.run(
      'select exact::text, words::text, big::text from extreme where id = 1',
    );
    expect([exact, words, big]).toEqual(['-0.0000000001', '{x,NULL}', '9223372036854775807']);
  } finally {
    await database.drop();
  }
});

test('a nasty database of MariaDB is connected by the form and seen whole', async ({ page, instance }) => {
  test.setTimeout(120_000);
  const noServer = await engineMissing('mysql');
  test.skip(noServer !== undefined, noServer);
  const [database, other] = [await freshDatabase('mysql'), await freshDatabase('mysql')];
  try {
    await database.run(nastyMysql(database.database, other.database));
    await signIn(page, instance);
    await connectByForm(page, instance, 'nasty_mysql', 'mysql', database);
    const ours = (name: string) => !/^sluice_test_/.test(name) || name.startsWith(`${other.database}.`);
    const tables = await readAllTables(instance, 'nasty_mysql', { broken: ['broken_view'], ours });
    expect(tables).toEqual(nastyTables(other.database));
    const sound = tables.filter((name) => name !== 'broken_view');
    await viewTables(page, instance, 'nasty_mysql', sound);
    await page.goto(`${instance.url}/data/nasty_mysql/broken_view`);
    await expect(page.getByRole('main').getByRole('alert')).toContainText('"broken_view" can not be read');

    await page.goto(`${instance.url}/data/nasty_mysql/huge_key/record?key=18446744073709551614`);
    const pane = page.getByRole('dialog');
    await expect(pane.getByRole('textbox', { name: /^Id/ })).toHaveValue('18446744073709551614');
    await pane.getByRole('textbox', { name: 'V', exact: true }).fill('7');
    await pane.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Record saved.')).toBeVisible();
    expect(await database.run('select v from huge_key where id > 18446744073709551613')).toEqual([[7]]);
  } finally {
    // Keys lead from each to the other.
    await database.run('set foreign_key_checks = 0; drop table if exists outward');
    await other.drop();
    await database.drop();
  }
});
