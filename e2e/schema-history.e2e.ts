// Schema: the history of a table, as the audit has it.
import { makeGuest } from './guests.ts';
import { createSession, expect, type Instance, signIn } from './instance.ts';
import { designOf, engines, named, test } from './schema-services.ts';

/** Calls of the API as somebody. */
async function callsOf(instance: Instance, account: { email: string; password: string }) {
  const { api_key } = await (await fetch(`${instance.url}/console.json`)).json();
  const { session_token } = await createSession(instance, account);
  const headers = { 'X-DreamFactory-Session-Token': session_token, 'X-DreamFactory-API-Key': api_key };
  return async (verb: string, path: string, body?: unknown) => {
    const { status, body: answer } = await instance.api(verb, path, body, headers);
    expect([path, status, answer]).toEqual([path, 200, answer]);
  };
}

for (const engine of engines) {
  test.describe(engine, () => {
    test('two people change a table: its history says who did what, with before, after and the SQL', async ({
      page,
      instance,
      designs,
    }, info) => {
      const design = designOf(designs, engine);
      const table = `ledger_${info.retry}`;
      const path = `${design.name}/_schema/${table}`;
      const guest = await makeGuest(instance, [
        { service: design.name, component: `_schema/${table}/*`, verb_mask: 31 },
      ]);
      const asGuest = await callsOf(instance, guest);
      const asAdmin = async (verb: string, to: string, body?: unknown) =>
        expect([to, (await instance.api(verb, to, body)).status]).toEqual([to, 200]);
      await design.make(named(table), named(`${table}_other`));
      await asGuest('PATCH', `${path}/_field/name`, { length: 60, is_unique: true });
      await asAdmin('PATCH', path, { label: 'Ledger' });
      const sum = [{ use: ['SELECT'], function: '1 + 1', function_type: 'database' }];
      await asAdmin('PATCH', path, {
        field: [
          { name: 'note', type: 'string', length: 9, allow_null: true, label: 'Remark' },
          { name: 'two', type: 'integer', is_virtual: true, db_function: sum },
        ],
      });
      await asAdmin('PATCH', `${path}/_field/note`, { new_name: 'remark' });
      await asGuest('DELETE', `${path}/_field/remark`);

      await signIn(page, instance);
      await page.goto(`${instance.url}/schema/${design.name}/${table}?view=history`);
      const history = page.getByRole('list', { name: `History of ${table}` });
      const entries = history.locator('> li');
      await expect(entries).toHaveCount(6);
      const itemText = async (index: number) =>
        await entries.nth(index).getByRole('list').getByRole('listitem').allInnerTexts();
      const [varchar] = engine === 'sqlite' ? ['varchar'] : ['character varying'];
      expect(await Promise.all([0, 1, 2, 3, 4, 5].map(itemText))).toEqual([
        [`Dropped field remark (${varchar}(9))`],
        ['Renamed field note to remark'],
        [`Added field note (${varchar}(9))`, 'Added virtual field two (integer)'],
        ['Changed label none → Ledger'],
        [`Changed name: ${varchar}(40) → ${varchar}(60), unique no → yes`],
        ['Created with 2 fields'],
      ]);
      for (const [index, who] of [
        guest.email,
        'ada@example.com',
        'ada@example.com',
        'ada@example.com',
        guest.email,
      ].entries())
        await expect(entries.nth(index)).toContainText(who);
      await expect(entries.first().locator('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/);

      await entries.nth(4).getByText('Details').click();
      await expect(entries.nth(4)).toContainText(/CREATE UNIQUE INDEX/i);
      const changes = entries.nth(4).getByRole('table', { name: 'Before and after' });
      const row = (name: string) =>
        changes.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
      await expect(row('field.name.length').getByRole('cell')).toHaveText(['40', '60']);
      await expect(row('field.name.is_unique').getByRole('cell')).toHaveText(['none', 'true']);
      await expect(changes).not.toContainText('field.name.name');

      // Other people than administrators see the reason.
      await page.context().clearCookies();
      await signIn(page, instance, guest);
      await page.goto(`${instance.url}/schema/${design.name}/${table}?view=history`);
      await expect(page.getByText(/comes from the audit, which only administrators may read/)).toBeVisible();
    });
  });
}

test('a long history has pages; it goes on under an earlier name; without changes it says so', async ({
  page,
  instance,
  designs,
}, info) => {
  const design = designs.sqlite!;
  const table = `pages_${info.retry}`;
  await design.make(named(`${table}_old`));
  await instance.api('PATCH', `${design.name}/_schema/${table}_old`, { new_name: table });
  for (let index = 1; index <= 60; index += 1)
    await instance.api('PATCH', `${design.name}/_schema/${table}`, { label: `Label ${index}` });
  await signIn(page, instance);
  const address = `${instance.url}/schema/${design.name}/${table}?view=history`;
  await page.goto(address);
  await expect(page.getByText('1–50 of 60')).toBeVisible();
  const entries = page.getByRole('list', { name: `History of ${table}` }).locator('> li');
  await expect(entries).toHaveCount(50);
  await expect(entries.first()).toContainText('Label 59 → Label 60');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(`${address}&page=2`);
  await expect(entries).toHaveCount(10);
  await expect(entries.last()).toContainText('label none → Label 1');
  await page.reload();
  await expect(entries).toHaveCount(10);
  await page.getByRole('link', { name: `Show the history of ${table}_old` }).click();
  await expect(page.getByText(`Renamed from ${table}_old to ${table}`)).toBeVisible();
  await expect(page.getByText('Created with 2 fields')).toBeVisible();
  await page.goto(`${instance.url}/schema/world/cities?view=history`);
  await expect(page.getByText('No change of this table is known')).toBeVisible();
});
