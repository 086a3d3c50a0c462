// Profile: people change what others see of them and their password; both kinds of people, and what may go wrong.
import type { Page, Request } from '@playwright/test';
import { expect, type Instance, signIn, test } from './instance.ts';
import { openStore } from './store.ts';

const main = (page: Page) => page.getByRole('main');
const field = (page: Page, name: string) => main(page).getByLabel(name, { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

/** Administrators and users have doors of their own. */
const doors = { admin: 'system/admin', user: 'user' } as const;
type Kind = keyof typeof doors;
const kinds: readonly Kind[] = ['admin', 'user'];
const password = 'the old one';
let count = 0;

async function makePerson(instance: Instance, kind: Kind = 'user') {
  count += 1;
  const email = `profile${count}.${Date.now()}@example.com`;
  const record = { name: `Person ${count}`, email, password, is_active: true };
  const { status, body } = await instance.api('POST', `system/${kind}`, { resource: [record] });
  expect(status).toBe(201);
  return { id: body.resource[0].id as number, email, password };
}

async function openProfile(page: Page, instance: Instance, person: { email: string; password: string }) {
  await signIn(page, instance, person);
  await page.goto(`${instance.url}/profile`);
  await expect(page.getByRole('heading', { name: 'About you' })).toBeVisible();
}

async function fillPasswords(page: Page, values: { old: string; new: string; again: string }) {
  await field(page, 'Set Password').check();
  await field(page, 'Enter Old Password').fill(values.old);
  await field(page, 'Enter Password').fill(values.new);
  await field(page, 'Verify Password').fill(values.again);
}

const signsIn = async (instance: Instance, kind: Kind, email: string, secret: string) =>
  (await instance.api('POST', `${doors[kind]}/session`, { email, password: secret })).status === 200;

/** Calls of the page below the profile or the password, with what they sent. */
function recordCalls(page: Page): { line: string; request: Request }[] {
  const calls: { line: string; request: Request }[] = [];
  page.on('request', (request) => {
    const [, path = ''] = request.url().split('/api/v2/');
    if (/\/(profile|password)/.test(path)) calls.push({ line: `${request.method()} ${path}`, request });
  });
  return calls;
}

for (const kind of kinds) {
  test(`PRO-001 PRO-002 PRO-009 PRO-010 PRO-011 PRO-015 the profile of one’s own is read and saved at the address of its kind: ${kind}`, async ({
    page,
    instance,
  }) => {
    const person = await makePerson(instance, kind);
    const calls = recordCalls(page);
    await openProfile(page, instance, person);
    await expect(field(page, 'Enter Old Password')).toHaveCount(0);
    const values = {
      'First Name': 'Grace',
      'Last Name': 'Hopper',
      Username: `grace.${person.id}`,
      Phone: '+1 555',
    };
    for (const [name, value] of Object.entries(values)) await field(page, name).fill(value);
    await main(page).getByRole('textbox', { name: 'Display Name' }).fill('Grace H.');
    await expect(main(page).getByRole('textbox', { name: 'Email' })).toHaveValue(person.email);
    await save(page);
    await expect(page.getByText('Profile updated successfully.', { exact: true })).toBeVisible();
    const path = `${doors[kind]}/profile`;
    expect(calls.slice(0, 2).map(({ line }) => line)).toEqual([`GET ${path}`, `PUT ${path}?fields=*`]);
    expect((await instance.api('GET', `system/${kind}/${person.id}`)).body).toMatchObject({
      first_name: 'Grace',
      last_name: 'Hopper',
      name: 'Grace H.',
      username: values.Username,
      phone: '+1 555',
      email: person.email,
    });
    await expect(page.getByRole('button', { name: 'Account of Grace H.' })).toBeVisible();
    expect(await signsIn(instance, kind, person.email, password)).toBe(true);
    await field(page, 'Set Password').check();
    await expect(field(page, 'Enter Old Password')).toBeVisible();
  });

  test(`PRO-005 PRO-012 PRO-013 PRO-016 the password is changed, and the page goes on with the new token: ${kind}`, async ({
    page,
    instance,
  }) => {
    const person = await makePerson(instance, kind);
    const calls = recordCalls(page);
    await openProfile(page, instance, person);
    const before = await calls[0]!.request.headerValue('X-DreamFactory-Session-Token');
    await fillPasswords(page, { old: password, new: 'the new one', again: 'the new one' });
    await save(page);
    await expect(page.getByText('Profile and password updated successfully.')).toBeVisible();
    const [change, saving] = calls.slice(1);
    expect(change!.line).toBe(`POST ${doors[kind]}/password?reset=false&login=true`);
    expect(change!.request.postDataJSON()).toEqual({ old_password: password, new_password: 'the new one' });
    const { session_token } = await (await change!.request.response())!.json();
    expect(session_token).not.toBe(before);
    expect(await saving!.request.headerValue('X-DreamFactory-Session-Token')).toBe(session_token);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'CurrentUserObj');
    expect(JSON.parse(decodeURIComponent(cookie!.value)).session_token).toBe(session_token);
    expect(await signsIn(instance, kind, person.email, password)).toBe(false);
    expect(await signsIn(instance, kind, person.email, 'the new one')).toBe(true);
    // The old token is dead, so this only works with the new one.
    await page.reload();
    await expect(page.getByRole('heading', { name: 'About you' })).toBeVisible();
  });
}

test('PRO-007 PRO-008 none of the three passwords may be missing, and the new one is written twice alike', async ({
  page,
  instance,
}) => {
  const person = await makePerson(instance);
  const calls = recordCalls(page);
  await openProfile(page, instance, person);
  for (const [values, name, message] of [
    [{ old: '', new: 'the new one', again: 'the new one' }, 'Enter Old Password', 'This is needed.'],
    [{ old: password, new: '', again: 'the new one' }, 'Enter Password', 'This is needed.'],
    [{ old: password, new: 'the new one', again: '' }, 'Verify Password', 'This is needed.'],
    [{ old: password, new: 'the new one', again: 'the new oen' }, 'Verify Password', 'Passwords do not match.'],
  ] as const) {
    await fillPasswords(page, values);
    await save(page);
    await expect(field(page, name)).toHaveAccessibleDescription(message);
    await expect(field(page, name)).toBeFocused();
  }
  expect(calls.map(({ line }) => line)).toEqual(['GET user/profile']);
  expect(await signsIn(instance, 'user', person.email, password)).toBe(true);
});

test('PRO-003 people from a directory or a provider see neither password nor security question', async ({
  page,
  instance,
}) => {
  const person = await makePerson(instance);
  await openProfile(page, instance, person);
  const sections = ['Set Password', 'Set Security Question'];
  for (const name of sections) await expect(field(page, name)).toBeVisible();
  for (const column of ['adldap', 'oauth_provider']) {
    // No service of this server signs people in from elsewhere yet: here the test writes to the store.
    const store = openStore(instance);
    store.exec(`UPDATE "user" SET adldap = NULL, oauth_provider = NULL WHERE id = ${person.id}`);
    store.exec(`UPDATE "user" SET ${column} = 'elsewhere' WHERE id = ${person.id}`);
    store.close();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'About you' })).toBeVisible();
    for (const name of sections) await expect(field(page, name)).toHaveCount(0);
  }
});

test('PRO-014 a profile that cannot be read says so, and is read at the next try', async ({ page, instance }) => {
  const person = await makePerson(instance);
  await signIn(page, instance, person);
  const down = '**/api/v2/user/profile';
  await page.route(down, (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: 'Down.' } } }));
  await page.goto(`${instance.url}/profile`);
  const words =
    'There was an error loading User Profile data. Please try refreshing your browser and logging in again.';
  await expect(main(page).getByText(words)).toBeVisible();
  await page.unroute(down);
  await main(page).getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'About you' })).toBeVisible();
});

test('PRO-017 when the profile is refused after the password was changed, it says which of both was saved', async ({
  page,
  instance,
}) => {
  const [person, other] = [await makePerson(instance), await makePerson(instance)];
  await openProfile(page, instance, person);
  await main(page).getByRole('textbox', { name: 'Email' }).fill(other.email);
  await fillPasswords(page, { old: password, new: 'the new one', again: 'the new one' });
  await save(page);
  await expect(
    main(page).getByText('Password updated successfully but Profile could not be saved.', { exact: false }),
  ).toBeVisible();
  await expect(main(page).getByText('The email has already been taken.', { exact: true })).toBeVisible();
  expect(await signsIn(instance, 'user', person.email, password)).toBe(false);
  expect(await signsIn(instance, 'user', person.email, 'the new one')).toBe(true);
});

for (const kind of kinds)
  test(`PRO-004 the profile follows where an account comes from, its question, its token and its kind: ${kind}`, async ({
    page,
    instance,
  }) => {
    const person = await makePerson(instance, kind);
    const update = (record: object) => instance.api('PATCH', `system/${kind}/${person.id}`, record);
    await update({ security_question: 'First pet?' });
    const calls = recordCalls(page);
    await openProfile(page, instance, person);
    expect(calls.some(({ line }) => line === `GET ${doors[kind]}/profile`) || calls.length === 0).toBe(true);
    await field(page, 'Set Security Question').check();
    await expect(field(page, 'Question')).toHaveValue('First pet?');
    await field(page, 'Answer').fill('Rex');
    // A new address brings a new token, by which the page goes on.
    const email = `moved.${person.email}`;
    await main(page)
      .getByLabel(/^Email/)
      .fill(email);
    await save(page);
    await expect(page.getByText('Profile updated successfully.')).toBeVisible();
    const write = calls.find(({ line }) => line.startsWith(`PUT ${doors[kind]}/profile`))?.request;
    expect(write?.postDataJSON()).toMatchObject({ security_question: 'First pet?', security_answer: 'Rex', email });
    const answer = await write?.response();
    const { session_token: newToken } = await answer!.json();
    await page.reload();
    await expect(main(page).getByLabel(/^Email/)).toHaveValue(email);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'CurrentUserObj');
    expect(JSON.parse(decodeURIComponent(cookie?.value ?? '{}')).session_token).toBe(newToken);
    const reset = { email, security_answer: 'Rex', new_password: 'the new one' };
    expect((await instance.api('POST', `${doors[kind]}/password`, reset, {})).status).toBe(200);
    // People of a directory or a provider have neither a password nor a question here.
    for (const source of [{ adldap: 'ad' }, { adldap: '', oauth_provider: 'google' }]) {
      await update(source);
      await openProfile(page, instance, { email, password: 'the new one' });
      for (const name of ['Set Password', 'Set Security Question']) await expect(field(page, name)).toHaveCount(0);
    }
  });

test('PRO-006 the profile follows what people sign in with, and whether this is a demo', async ({ page, instance }) => {
  const person = await makePerson(instance, 'admin');
  let settings = { login_attribute: 'email', bitnami_demo: true };
  await page.route('**/system/environment', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    body.authentication.login_attribute = settings.login_attribute;
    body.platform.bitnami_demo = settings.bitnami_demo;
    await route.fulfill({ response, json: body });
  });
  await instance.api('PATCH', `system/admin/${person.id}`, { email: 'user@example.com' });
  const account = { email: 'user@example.com', password: person.password };
  const warning = page.getByText(/You are using the default account/);
  await openProfile(page, instance, account);
  await expect(warning).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Username' })).not.toHaveAttribute('required');
  settings = { login_attribute: 'username', bitnami_demo: false };
  await page.reload();
  await expect(warning.first()).toBeVisible();
  await page.getByRole('textbox', { name: /^Username/ }).fill('');
  await save(page);
  await expect(page.getByText('This is needed.')).toBeVisible();
  await instance.api('DELETE', `system/admin/${person.id}`);
});
