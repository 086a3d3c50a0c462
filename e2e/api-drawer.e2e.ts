// The API drawer of Data: the call for what is shown works where it is pasted, and answers here what a program gets.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { makeGuest } from './guests.ts';
import { createSession, expect, type Instance, signIn, test } from './instance.ts';

const drawer = (page: Page) => page.getByRole('dialog', { name: /^The call for/ });
const answer = (page: Page) => drawer(page).getByRole('region', { name: 'Answer' });
const run = promisify(execFile);

async function openDrawer(page: Page, instance: Instance, place: string): Promise<void> {
  await page.goto(`${instance.url}/data/${place}`);
  await page.getByRole('button', { name: 'API', exact: true }).first().click();
  await expect(drawer(page)).toBeVisible();
}

/** The answer to the copied curl command, with a token where the words stand. */
async function runCopied(page: Page, instance: Instance, token = '') {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: instance.url });
  await drawer(page).getByRole('button', { name: 'Copy the code' }).click();
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await run('bash', ['-c', code.replace('your session token', token)], { timeout: 30_000 });
  return { code, body: JSON.parse(stdout) };
}

async function runHere(page: Page) {
  await drawer(page).getByRole('button', { name: 'Run', exact: true }).click();
  await expect(answer(page)).toBeVisible();
  return JSON.parse((await answer(page).textContent()) ?? '');
}

test('the call has filter, order, fields and page of what is shown, and answers it, here and in a terminal', async ({
  page,
  instance,
}) => {
  await signIn(page, instance);
  const filter = `(id > 100) and (first_name != "it's")`;
  const search = new URLSearchParams({ page: '2', order: 'id desc', filter });
  await openDrawer(page, instance, `world/people?${search}`);
  const { session_token } = await createSession(instance, { email: 'ada@example.com', password: 'correct horse' });
  const { code, body } = await runCopied(page, instance, session_token);
  expect(code).not.toContain(session_token);
  expect(body.resource).toHaveLength(50);
  const here = await runHere(page);
  expect(here).toEqual(body);
  await expect(drawer(page).getByText('Status 200')).toBeVisible();
  await expect(drawer(page).getByText(/^\d+ ms$/)).toBeVisible();
  await expectAccessible(page, 'the call for a table');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'the call for a table, on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('Escape');
  await expect(drawer(page)).toHaveCount(0);
  // What stands in the grid is what was answered, column by column.
  const grid = page.getByRole('grid');
  const columns = Object.keys(body.resource[0]);
  const heads = await grid.getByRole('columnheader').allInnerTexts();
  for (const column of columns) expect(heads.join(' ')).toContain(column);
  await expect(grid.getByRole('gridcell', { name: String(body.resource[0].id), exact: true })).toBeVisible();
});

test('a record has a call of its own, and related records come along', async ({ page, instance }) => {
  await signIn(page, instance);
  await openDrawer(page, instance, 'world/cities/record?key=1');
  await expect(drawer(page)).toHaveAccessibleName('The call for a record of Cities');
  await expect(drawer(page)).toContainText('/world/_table/cities/1');
  expect(await runHere(page)).toMatchObject({ id: 1 });
  await drawer(page).getByRole('combobox', { name: 'Related records' }).click();
  const relation = page.getByRole('option').first();
  const name = (await relation.getAttribute('value')) ?? '';
  await relation.click();
  await page.keyboard.press('Escape');
  await expect(answer(page)).toHaveCount(0);
  expect(await runHere(page)).toHaveProperty(name);
});

test('an app’s key is chosen, or made on the way, and decides what comes back', async ({ page, instance }) => {
  const { body } = await instance.api('POST', 'system/app/_key', {
    name: `cities only ${Date.now()}`,
    access: 'read',
    service: 'world',
    table: 'cities',
  });
  await signIn(page, instance);
  await openDrawer(page, instance, 'world/people');
  const caller = drawer(page).getByRole('combobox', { name: 'Who calls' });
  await caller.click();
  await page.getByRole('option', { name: body.name }).click();
  await expect(drawer(page)).toContainText(body.api_key);
  await drawer(page).getByRole('button', { name: 'Run', exact: true }).click();
  await expect(drawer(page).getByText('Status 401')).toBeVisible();
  await expect(answer(page)).toContainText('User is not authenticated');
  await drawer(page).getByRole('button', { name: 'Create API key' }).click();
  const asking = page.getByRole('dialog', { name: 'Create API key' });
  await expect(asking.getByRole('combobox', { name: 'Table' })).toHaveValue('people');
  // Escape closes what lies on top only.
  await page.keyboard.press('Escape');
  await expect(asking).toHaveCount(0);
  await expect(drawer(page)).toBeVisible();
  await drawer(page).getByRole('button', { name: 'Create API key' }).click();
  await asking.getByRole('button', { name: 'Create API key' }).click();
  const made = page.getByRole('dialog', { name: /^API key/ });
  await made.getByRole('button', { name: 'Done' }).click();
  await expect(made).toHaveCount(0);
  await expect(caller).toHaveValue(/^world-people-read/);
  const { body: answered } = await runCopied(page, instance);
  expect(answered.resource).toHaveLength(50);
  expect((await runHere(page)).resource).toEqual(answered.resource);
});

test('who may not see apps calls by their own session', async ({ page, instance }) => {
  const guest = await makeGuest(instance, [{ service: 'world', component: '_table/*', verb_mask: 1 }]);
  await signIn(page, instance, guest);
  await openDrawer(page, instance, 'world/cities');
  await expect(drawer(page).getByRole('combobox', { name: 'Who calls' })).toHaveValue('My session');
  await expect(drawer(page).getByRole('button', { name: 'Create API key' })).toHaveCount(0);
  const { session_token } = await createSession(instance, guest);
  const { body } = await runCopied(page, instance, session_token);
  expect(body.resource).toHaveLength(50);
  expect(await runHere(page)).toEqual(body);
});

test('by keyboard alone: open, change the language, run, read, back to the button', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/data/world/countries`);
  const button = page.getByRole('button', { name: 'API', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(drawer(page)).toBeVisible();
  const reach = async (target: ReturnType<Page['getByRole']>) => {
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(target).toBeFocused({ timeout: 200 });
    }).toPass();
  };
  await reach(drawer(page).getByRole('radio', { name: 'curl' }));
  await page.keyboard.press('ArrowRight');
  await expect(drawer(page).getByRole('region', { name: 'The call in JavaScript' })).toContainText('fetch(');
  await page.keyboard.press('ArrowRight');
  await expect(drawer(page).getByRole('region', { name: 'The call in Python' })).toContainText('urlopen');
  await reach(drawer(page).getByRole('button', { name: 'Run', exact: true }));
  await page.keyboard.press('Enter');
  await expect(drawer(page).getByText('Status 200')).toBeVisible();
  await reach(answer(page));
  await page.keyboard.press('Escape');
  await expect(drawer(page)).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('of a long answer the beginning is shown', async ({ page, instance }) => {
  await signIn(page, instance);
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
  await page.goto(`${instance.url}/data/world/countries`);
  await page.getByRole('button', { name: 'API', exact: true }).click();
  await page.route(/world\/_table\/countries\?/, (route) => route.fulfill({ json: { resource: rows } }));
  await drawer(page).getByRole('button', { name: 'Run', exact: true }).click();
  await expect(drawer(page).getByText('The first 100 KB are shown.')).toBeVisible();
  expect(((await answer(page).textContent()) ?? '').length).toBeLessThan(200_000);
});
