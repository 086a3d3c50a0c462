// Lists: where one was in them, their keys, and what they say when something cannot be read.
import type { Locator, Page } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';

const main = (page: Page) => page.getByRole('main');
const table = (page: Page) => main(page).locator('[data-list] table').locator('..');
const scrollOf = (list: Locator) => list.evaluate((element) => Math.round(element.scrollTop));
const person = (page: Page, number: number) => main(page).getByRole('link', { name: `lists${number}@example.com` });

async function people(instance: Instance, count: number): Promise<void> {
  await instance.api('DELETE', `system/user?force=true`);
  const resource = Array.from({ length: count }, (_, index) => ({
    name: `list ${String(index).padStart(3, '0')}`,
    email: `lists${index}@example.com`,
  }));
  expect((await instance.api('POST', 'system/user', { resource })).status).toBe(201);
}

async function lookups(instance: Instance, count: number): Promise<void> {
  await instance.api('DELETE', 'system/lookup?force=true');
  const resource = Array.from({ length: count }, (_, index) => ({ name: `key_${index}`, value: 'x' }));
  expect((await instance.api('POST', 'system/lookup', { resource })).status).toBe(201);
}

/** Leaves a list scrolled down, with the editor of one of its rows open. */
async function openFar(page: Page, number: number): Promise<number> {
  await person(page, number).scrollIntoViewIfNeeded();
  const scroll = await scrollOf(table(page));
  expect(scroll).toBeGreaterThan(500);
  await person(page, number).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(`lists${number}@example.com`);
  return scroll;
}

test('a list is where it was when an editor closes, and the row one came from has the focus', async ({
  page,
  instance,
}) => {
  test.slow();
  await people(instance, 130);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users?page=1&order=id+desc`);
  await expect(person(page, 129)).toBeVisible();

  // Closing.
  let scroll = await openFar(page, 60);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(person(page, 60)).toBeFocused();
  await expect(person(page, 60)).toBeInViewport();
  expect(await scrollOf(table(page))).toBe(scroll);
  // The back button.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('lists60@example.com');
  await page.goBack();
  await expect(person(page, 60)).toBeFocused();
  expect(await scrollOf(table(page))).toBe(scroll);
  // Escape.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(person(page, 60)).toBeFocused();
  // Saving.
  scroll = await openFar(page, 55);
  await page.getByRole('textbox', { name: 'First Name' }).fill('Saved');
  await page.getByRole('button', { name: 'Save and close' }).click();
  await expect(main(page).getByRole('cell', { name: 'Saved' })).toBeVisible();
  await expect(person(page, 55)).toBeFocused();
  expect(await scrollOf(table(page))).toBe(scroll);
  // Deleting: the next one takes the place.
  await openFar(page, 50);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(person(page, 50)).toHaveCount(0);
  await expect(person(page, 49)).toBeFocused();
  await expect(person(page, 49)).toBeInViewport();
});

test('the page of a list stays: by way of tabs, and of a record that is given up', async ({ page, instance }) => {
  await people(instance, 130);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/page=2/);
  await person(page, 110).click();
  await main(page).getByRole('link', { name: 'Lookup Keys', exact: true }).click();
  await expect(page).toHaveURL(/\/lookups$/);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page).toHaveURL(/\/users\?page=2$/);
  await expect(person(page, 110)).toBeFocused();

  await main(page).getByRole('link', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page).toHaveURL(/\/users\?page=2$/);
  await expect(main(page).getByRole('link', { name: 'Create', exact: true })).toBeFocused();
});

test('on a phone a list and the entries of Config are where they were', async ({ page, instance }) => {
  await people(instance, 60);
  await lookups(instance, 40);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  for (const { link, within } of [
    { link: person(page, 45), within: '/users' },
    { link: main(page).getByRole('link', { name: /^key_30/ }), within: '/config/lookup-keys' },
  ]) {
    await page.goto(`${instance.url}${within}`);
    await link.scrollIntoViewIfNeeded();
    const scroll = await scrollOf(main(page));
    expect(scroll).toBeGreaterThan(500);
    await link.click();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
    // What opens is read from its beginning.
    expect(await scrollOf(main(page))).toBeLessThan(scroll);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(link).toBeFocused();
    await expect(link).toBeInViewport();
    expect(await scrollOf(main(page))).toBe(scroll);
  }
});

test('entries of Config keep the focus, also after one is deleted', async ({ page, instance }) => {
  await lookups(instance, 12);
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/lookup-keys`);
  const entry = (number: number) => main(page).getByRole('link', { name: new RegExp(`^key_${number}$`) });
  await entry(5).click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(entry(5)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(entry(5)).toHaveCount(0);
  await expect(entry(6)).toBeFocused();
});

test('↓ ↑ Home End and Enter move through lists, from the filter, from nowhere and from what a row holds', async ({
  page,
  instance,
}) => {
  await people(instance, 30);
  await lookups(instance, 12);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users`);
  await expect(person(page, 0)).toBeVisible();
  // From nowhere in particular.
  await page.keyboard.press('ArrowDown');
  await expect(person(page, 0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(person(page, 1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(person(page, 29)).toBeFocused();
  // From a box, and from a button of a row.
  await main(page).getByRole('checkbox', { name: 'Select list 003' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(person(page, 4)).toBeFocused();
  await main(page).getByRole('button', { name: 'Actions for list 003' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(person(page, 2)).toBeFocused();
  // From the filter, whose words count at once.
  await page.keyboard.press('/');
  await page.keyboard.type('lists17@');
  await page.keyboard.press('ArrowDown');
  await expect(person(page, 17)).toBeFocused();
  await expect(main(page).locator('tbody tr')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('lists17@example.com');

  // On a phone, where rows are cards.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${instance.url}/users`);
  await expect(person(page, 0)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Filter users' }).press('ArrowDown');
  await expect(person(page, 0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(person(page, 1)).toBeFocused();

  // Entries of Config.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${instance.url}/config/lookup-keys`);
  const entry = (number: number) => main(page).getByRole('link', { name: new RegExp(`^key_${number}$`) });
  await expect(entry(0)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  await expect(entry(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('key_1');
});

/** Holds the code of the palette back until the function it returns is called. */
async function holdPalette(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/palette/, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

test('Ctrl K loses no key, however late the palette opens', async ({ page, instance }) => {
  await people(instance, 3);
  await signIn(page, instance);
  const release = await holdPalette(page);
  await page.goto(`${instance.url}/users`);
  const filter = page.getByRole('searchbox', { name: 'Filter users' });
  await filter.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rolez');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('s');
  // Pressed again, it is opening already.
  await page.keyboard.press('Control+k');
  release();
  const input = page.getByRole('combobox', { name: 'Search or jump to' });
  await expect(input).toHaveValue('roles');
  await expect(input).toBeFocused();
  await page.keyboard.type(' x');
  await expect(input).toHaveValue('roles x');
  await page.keyboard.press('Escape');
  await expect(filter).toHaveValue('');
  await expect(filter).toBeFocused();
  // Typed without a pause, Enter included, while it opens.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('roles');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/roles$/);
});

test('Escape before the palette has opened gives it up', async ({ page, instance }) => {
  await people(instance, 3);
  await signIn(page, instance);
  const release = await holdPalette(page);
  await page.goto(`${instance.url}/users`);
  const filter = page.getByRole('searchbox', { name: 'Filter users' });
  await filter.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ro');
  await page.keyboard.press('Escape');
  const loaded = page.waitForResponse(/palette/);
  release();
  await loaded;
  await page.keyboard.type('jo');
  await expect(filter).toHaveValue('jo');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the pager counts what is there: nothing, and the last page instead of one beyond', async ({ page, instance }) => {
  await people(instance, 130);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users?filter=nothinglikethis`);
  await expect(main(page).getByText('0 of 0')).toBeVisible();
  await page.goto(`${instance.url}/users?page=9`);
  await expect(main(page).getByText('101–130 of 130')).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
  // The last that the filter finds is deleted.
  await page.goto(`${instance.url}/users?filter=lists17@`);
  await expect(main(page).getByText('1–1 of 1')).toBeVisible();
  await main(page).getByRole('button', { name: 'Actions for list 017' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(main(page).getByText('0 of 0')).toBeVisible();
});

test('what cannot be read says so and can be tried again: an old list, roles to choose from, who has a role', async ({
  page,
  instance,
}) => {
  const { body } = await instance.api('POST', 'system/role', {
    resource: [{ name: `held ${Date.now()}`, is_active: true }],
  });
  const role = (await instance.api('GET', `system/role/${body.resource[0].id}`)).body;
  const refuse = (address: RegExp) =>
    page.route(address, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 500, message: 'It broke.', status_code: 500 } } }),
    );
  await signIn(page, instance);
  await refuse(/system\/role\?/);
  await page.goto(`${instance.url}/apps/create`);
  await expect(main(page).getByText('Roles could not be loaded.')).toBeVisible();
  await page.unroute(/system\/role\?/);
  await main(page).getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('combobox', { name: 'Assign a Default Role' }).click();
  await expect(page.getByRole('option', { name: role.name })).toBeVisible();

  await page.goto(`${instance.url}/roles`);
  await expect(main(page).getByRole('link', { name: role.name })).toBeVisible();
  await refuse(/system\/role\?/);
  await main(page).getByRole('button', { name: 'Refresh' }).click();
  await expect(main(page).getByText(/This list may be old/)).toBeVisible();
  await main(page)
    .getByRole('button', { name: `Actions for ${role.name}` })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toContainText('Who has it could not be read: It broke.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.unroute(/system\/role\?/);
  await main(page).getByRole('button', { name: 'Try again' }).click();
  await expect(main(page).getByText(/This list may be old/)).toHaveCount(0);
});

test('System Info says that a demo is one', async ({ page, instance }) => {
  await signIn(page, instance);
  await page.goto(`${instance.url}/config/system-info`);
  await expect(main(page).getByText('Demo', { exact: true }).locator('..')).toContainText('Yes');
});

for (const width of [1440, 820, 390])
  test(`at ${width} pixels nothing of a list is cut off and no page scrolls sideways`, async ({ page, instance }) => {
    await people(instance, 3);
    const role = { name: `wide ${Date.now()}`, is_active: true };
    expect((await instance.api('POST', 'system/role', { resource: [role] })).status).toBe(201);
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, instance);
    for (const section of ['services', 'users', 'admins', 'apps', 'roles']) {
      await page.goto(`${instance.url}/${section}`);
      const menus = main(page).getByRole('button', { name: /^Actions for/ });
      await expect(menus.first()).toBeInViewport({ ratio: 1 });
      const overflow = await page.evaluate(() =>
        [document.documentElement, document.querySelector('main'), document.querySelector('[data-list]')]
          .concat([...document.querySelectorAll('[data-list] table')].map((table) => table.parentElement))
          .map((element) => (element ? element.scrollWidth - element.clientWidth : 0)),
      );
      expect([section, Math.max(...overflow)]).toEqual([section, 0]);
      for (const button of await main(page).locator('header').getByRole('button').all())
        await expect(button).toBeInViewport({ ratio: 1 });
    }
  });
