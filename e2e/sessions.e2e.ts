// Where people are signed in: on their profile and in the editor of a person, each session with its end.
import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, type Instance, signIn, signInByForm, test } from './instance.ts';

let count = 0;
async function makePerson(instance: Instance, kind: 'admin' | 'user') {
  count += 1;
  const person = { email: `sessions${count}.${Date.now()}@example.com`, password: 'their own one' };
  const { status, body } = await instance.api('POST', `system/${kind}`, {
    resource: [{ name: `Person ${count}`, is_active: true, ...person }],
  });
  expect(status).toBe(201);
  return { ...person, id: body.resource[0].id as number };
}

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1';

/** A page of another browser, where the person is signed in. */
async function openElsewhere(browser: Browser, instance: Instance, person: { email: string; password: string }) {
  const context = await browser.newContext({ userAgent: phone });
  const page = await context.newPage();
  await signInByForm(page, instance, person);
  await page.goto(`${instance.url}/profile`);
  await expect(page.getByRole('heading', { name: 'About you' })).toBeVisible();
  return page;
}

const sessions = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
const answerYes = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

for (const kind of ['user', 'admin'] as const)
  test(`one sees where one is signed in, and signs out elsewhere: ${kind}`, async ({ page, browser, instance }) => {
    const person = await makePerson(instance, kind);
    await signInByForm(page, instance, person);
    const elsewhere = await openElsewhere(browser, instance, person);
    await page.goto(`${instance.url}/profile`);
    await expect(sessions(page)).toHaveCount(2);
    const other = sessions(page).filter({ hasText: 'Safari on iOS' });
    await expect(other).toContainText('127.0.0.1');
    await expect(sessions(page).filter({ hasText: 'This session' })).toContainText('Chrome on');
    await expectAccessible(page, 'own sessions');
    await other.getByRole('button', { name: 'Sign out Safari on iOS' }).click();
    await answerYes(page, 'Sign out');
    await expect(page.getByText('Safari on iOS is signed out.')).toBeVisible();
    await expect(sessions(page)).toHaveCount(1);
    await elsewhere.reload();
    await expect(elsewhere.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
    await elsewhere.context().close();

    // All others, by keyboard alone.
    const third = await openElsewhere(browser, instance, person);
    await page.reload();
    await expect(sessions(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('All other sessions have ended.')).toBeVisible();
    await expect(sessions(page)).toHaveCount(1);
    await third.reload();
    await expect(third.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
    await third.context().close();
    // Here it goes on, also after the page is loaded again.
    await page.reload();
    await expect(sessions(page)).toHaveCount(1);
  });

for (const [kind, base] of [
  ['user', 'users'],
  ['admin', 'admins'],
] as const)
  test(`an administrator sees where somebody is signed in, and ends it: ${kind}`, async ({
    page,
    browser,
    instance,
  }) => {
    const person = await makePerson(instance, kind);
    const elsewhere = await openElsewhere(browser, instance, person);
    await instance.api('POST', kind === 'admin' ? 'system/admin/session' : 'user/session', person, {});
    await signIn(page, instance);
    await page.goto(`${instance.url}/${base}/${person.id}`);
    await expect(sessions(page)).toHaveCount(2);
    await expectAccessible(page, 'sessions of a person');
    await page.getByRole('button', { name: 'Sign out Safari on iOS' }).click();
    await answerYes(page, 'Sign out');
    await expect(sessions(page)).toHaveCount(1);
    await elsewhere.reload();
    await expect(elsewhere.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
    await elsewhere.context().close();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await answerYes(page, 'End all sessions');
    await expect(page.getByText('Not signed in anywhere.')).toBeVisible();
  });
