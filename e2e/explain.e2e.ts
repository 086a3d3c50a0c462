// "What can this one do, and why?": a role, a person and an app asked about, and the answer held against what really happens.
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn, test } from './instance.ts';

const password = 'correct horse 2';
const main = (page: Page) => page.getByRole('main');
const verdict = (page: Page) => main(page).getByRole('status').filter({ hasText: '/api/v2/' });
const path = (page: Page) => main(page).getByRole('combobox', { name: 'Path below the service' });

interface Cast {
  service: number;
  role: number;
  app: number;
  key: string;
  user: number;
  email: string;
}

/** A role with a filter on one table of the sample data, an app, and a person who has the role there. */
async function aCast(instance: Instance): Promise<Cast> {
  const mark = Date.now();
  const create = async (resource: string, record: object, more = '') => {
    const { status, body } = await instance.api('POST', `system/${resource}?fields=*${more}`, { resource: [record] });
    expect(status).toBe(201);
    return body.resource[0];
  };
  const services = (await instance.api('GET', '')).body.services as { id: number; name: string }[];
  const service = services.find(({ name }) => name === 'world')?.id as number;
  const role = await create('role', {
    name: `reader ${mark}`,
    is_active: true,
    role_service_access_by_role_id: [
      {
        service_id: service,
        component: '_table/people',
        verb_mask: 3,
        requestor_mask: 1,
        filters: [{ name: 'id', operator: '=', value: '{user.id}' }],
        filter_op: 'AND',
      },
      { service_id: service, component: '_schema/*', verb_mask: 1, requestor_mask: 2 },
    ],
  });
  const app = await create('app', { name: `shop ${mark}`, type: 0, is_active: true });
  const email = `bo${mark}@example.com`;
  const person = { name: 'Bo', email, username: email, password, is_active: true };
  const rows = [{ app_id: app.id, role_id: role.id }];
  const user = await create('user', { ...person, user_to_app_to_role_by_user_id: rows });
  return { service, role: role.id, app: app.id, key: app.api_key, user: user.id, email };
}

test('an administrator asks what a person may do, by keyboard, and the answer is what really happens', async ({
  page,
  instance,
}) => {
  test.slow();
  const cast = await aCast(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users/${cast.user}`);
  await main(page).getByRole('link', { name: 'What they can do, and why' }).click();
  await expect(main(page).getByText('Choose a service to see what happens and why.')).toBeVisible();
  // The app the person has a role for is there already.
  await expect(main(page).getByRole('combobox', { name: 'Through the app' })).toHaveValue(/^shop/);
  await main(page).getByRole('combobox', { name: 'Service', exact: true }).focus();
  await page.keyboard.type('world');
  await expect(page.getByRole('option', { name: /world/i })).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await path(page).focus();
  await page.keyboard.type('_table/peop');
  await expect(page.getByRole('option', { name: '_table/people', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(verdict(page)).toContainText('Allowed');
  await expect(verdict(page)).toContainText('GET /api/v2/world/_table/people');
  // Enter in the panel asks; it does not save the editor.
  await expect(page.getByText('User updated successfully')).toHaveCount(0);
  const filter = main(page).getByRole('table', { name: 'Record filter' });
  await expect(filter).toContainText('{user.id}');
  await expect(filter.locator('td[data-changed]')).toHaveText(String(cast.user));

  // A record the filter lets pass, and one it does not.
  const record = main(page).getByRole('textbox', { name: 'A record, as JSON' });
  await record.fill(`{"id": ${cast.user}}`);
  await expect(main(page).getByText('It passes')).toBeVisible();
  await record.fill(`{"id": ${cast.user + 1}}`);
  await expect(main(page).getByText('It does not pass')).toBeVisible();
  await record.fill('');

  // The address is the question: another page opens with it and the same answer.
  await expect(page).toHaveURL(/path=world%2F_table%2Fpeople/);
  const questionUrl = page.url().replace('?', '?verb=DELETE&');
  await page.goto(questionUrl);
  await expect(verdict(page)).toContainText('Refused with 403');

  // The explanation is what the person gets as an answer.
  const session = await instance.api(
    'POST',
    'user/session',
    { email: cast.email, password },
    { 'X-DreamFactory-API-Key': cast.key },
  );
  const as = { 'X-DreamFactory-API-Key': cast.key, 'X-DreamFactory-Session-Token': session.body.session_token };
  const refused = await instance.api('DELETE', 'world/_table/people', undefined, as);
  expect(refused.status).toBe(403);
  await expect(verdict(page)).toContainText(refused.body.error.message);
  const answer = await instance.api('GET', 'world/_table/people?fields=id', undefined, as);
  expect(answer.body.resource).toEqual([{ id: cast.user }]);
  await expectAccessible(page, 'an explanation');
});

test('a role and an app are asked about, with every row and why it counts or not', async ({ page, instance }) => {
  const cast = await aCast(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${cast.role}/explain?path=world/_schema/people`);
  await expect(verdict(page)).toContainText('Refused with 403');
  const rows = main(page).getByRole('table', { name: 'Rows of the role' });
  await expect(rows.getByRole('row').filter({ hasText: '_schema/*' })).toContainText('For calls of another kind');
  await expect(rows.getByRole('row').filter({ hasText: '_table/people' })).toContainText('For another component');
  await main(page).getByText('From a script').click();
  await expect(verdict(page)).toContainText('Allowed');
  await expect(rows.getByRole('row').filter({ hasText: '_schema/*' })).toContainText('Its verbs count');
  await expect(page).toHaveURL(/by=SCRIPT/);

  // Only the app's key: it has no default role.
  await page.goto(`${instance.url}/apps/${cast.app}/access?path=world/_table/people`);
  await expect(verdict(page)).toContainText('Refused with');
  await expect(main(page).getByText('Nobody signed in, only the key of an app')).toBeVisible();
  const bare = await instance.api('GET', 'world/_table/people', undefined, { 'X-DreamFactory-API-Key': cast.key });
  await expect(verdict(page)).toContainText(`Refused with ${bare.status}`);
  await expect(verdict(page)).toContainText(bare.body.error.message);
});

test('the answer speaks of what is saved, says so, and follows the save', async ({ page, instance }) => {
  const cast = await aCast(instance);
  await signIn(page, instance);
  await page.goto(`${instance.url}/roles/${cast.role}`);
  await main(page).getByRole('switch', { name: 'Active' }).click({ force: true });
  await main(page).getByRole('link', { name: /why/ }).click();
  await expect(main(page).getByText(/You have unsaved changes. The answer speaks of what is saved/)).toBeVisible();
  await main(page).getByRole('combobox', { name: 'Service', exact: true }).click();
  await page.getByRole('option', { name: /^world/ }).click();
  await path(page).fill('_table/people');
  await expect(verdict(page)).toContainText('Allowed');
  // Asking changed the address, not the form: nothing was asked about leaving.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(verdict(page)).toContainText('Refused with');
  await expect(main(page).getByText(/You have unsaved changes/)).toHaveCount(0);
});
