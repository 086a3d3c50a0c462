// People without a password or without an account: invitations, registrations and forgotten passwords, by mails that arrive.
import type { Page } from '@playwright/test';
import { type MailServer, startMailServer } from '@sluice/testkit/mail-server';
import { expectAccessible } from './axe.ts';
import { admin, test as base, createSession, expect, type Instance, signIn, startInstance } from './instance.ts';
import { copyPreparedData } from './run-folder.ts';
import { demo } from './server.ts';

interface Post {
  /** No demo, so that its default account is led to its profile. */
  instance: Instance;
  mailServer: MailServer;
  /** The id of the service that sends by this mail server. */
  service: number;
}

const test = base.extend<object, { post: Post }>({
  post: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const mailServer = await startMailServer();
      const { SLUICE_DEMO: _demo, ...env } = demo;
      const instance = await startInstance(env, await copyPreparedData());
      const record = {
        ...{ name: 'post', label: 'Post', type: 'smtp_email', is_active: true },
        config: { host: '127.0.0.1', port: String(mailServer.port) },
      };
      const { body } = await instance.api('POST', 'system/service', { resource: [record] });
      const service = body.resource[0].id;
      const post = { instance, mailServer, service };
      const byMail = { invite_email_service_id: service, password_email_service_id: service };
      await configure(instance, 1, byMail);
      await configure(instance, 7, { ...byMail, open_reg_email_service_id: service });
      await use(post);
      await instance.stop();
      await mailServer.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

async function configure(instance: Instance, id: number, changes: object): Promise<void> {
  const { body } = await instance.api('GET', `system/service/${id}`);
  const config = { ...body.config, ...changes };
  expect((await instance.api('PATCH', `system/service/${id}`, { config })).status).toBe(200);
}

/** Whether people may register, and whether a mail confirms it. */
const openRegistration = ({ instance, service }: Post, isOpen: boolean, isByMail = true) =>
  configure(instance, 7, {
    allow_open_registration: isOpen,
    open_reg_email_service_id: isByMail ? service : null,
  });

let count = 0;
const newAddress = () => `somebody${++count}.${Date.now()}@example.com`;

/** Path and query of the link in the newest mail to somebody. The server of a journey does not know its own port. */
async function linkTo(email: string, { mailServer }: Post, number = 1): Promise<string> {
  const mails = () => mailServer.mails().filter(({ recipients }) => recipients.includes(email));
  await expect.poll(() => mails().length).toBe(number);
  const html = mails().at(-1)?.parsed.html ?? '';
  const { pathname, search } = new URL(/href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&#38;', '&') ?? '');
  return pathname + search;
}

async function addPerson({ instance }: Post, kind: 'admin' | 'user', changes: object = {}) {
  const record = { email: newAddress(), name: 'Somebody', password: 'the old one', is_active: true, ...changes };
  const { status, body } = await instance.api('POST', `system/${kind}`, { resource: [record] });
  expect(status).toBe(201);
  return { email: record.email, id: body.resource[0].id as number };
}

/** Makes somebody who is invited; the link is that of their mail. */
async function invite(post: Post, kind: 'admin' | 'user') {
  const record = { email: newAddress(), name: 'Somebody', is_active: true };
  const { status, body } = await post.instance.api('POST', `system/${kind}?send_invite=true`, { resource: [record] });
  expect(status).toBe(201);
  return { email: record.email, id: body.resource[0].id as number, link: await linkTo(record.email, post) };
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label);
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function choosePassword(page: Page, password: string, verify = password): Promise<void> {
  await field(page, 'New password').first().fill(password);
  await field(page, 'Repeat the new password').fill(verify);
}

async function submitPassword(page: Page, password: string, submit: string): Promise<void> {
  await choosePassword(page, password);
  await press(page, submit);
}

/** Both things that may be wrong with a new password are said. */
async function expectBadPasswords(page: Page): Promise<void> {
  await expect(page.getByText('Password must be at least 5 characters.')).toBeVisible();
  await expect(page.getByText('Passwords do not match.')).toBeVisible();
}

async function refuseBadPasswords(page: Page, submit: string): Promise<void> {
  await choosePassword(page, 'abcd', 'abce');
  await press(page, submit);
  await expectBadPasswords(page);
}

/** Calls about accounts that the page makes: method, address, body. */
function recordCalls(page: Page) {
  const calls: { line: string; body: any }[] = [];
  page.on('request', (request) => {
    const [, path = ''] = request.url().split('/api/v2/');
    if (/\/(password|register|session)/.test(path) && request.method() === 'POST')
      calls.push({ line: `POST ${path}`, body: request.postDataJSON() });
  });
  return calls;
}

const invitations = [
  {
    ids: 'PPL-060 PPL-074',
    kind: 'user',
    title: 'Users',
    invited: 'User invite has been sent.',
    admin: '',
    submit: 'Confirm User',
    doors: ['POST user/password?login=false', 'POST user/session'],
  },
  {
    ids: 'PPL-053 PPL-071',
    kind: 'admin',
    title: 'Admins',
    invited: 'Admin invite has been sent.',
    admin: '1',
    submit: 'Confirm Admin',
    doors: ['POST system/admin/password?login=false', 'POST user/session', 'POST system/admin/session'],
  },
] as const;

for (const { ids, kind, title, invited, admin: flag, submit, doors } of invitations)
  test(`${ids} SES-070 SES-071 SES-077 SES-087 SES-097 an invitation is sent again, and its link leads to a password and the launchpad: ${kind}`, async ({
    page,
    browser,
    post,
  }) => {
    const { instance } = post;
    const email = newAddress();
    await signIn(page, instance);
    await page.goto(`${instance.url}/${title.toLowerCase()}/create`);
    await page.getByRole('textbox', { name: /^Email/ }).fill(email);
    await page.getByRole('checkbox', { name: /^Send Email Invite/ }).check();
    await press(page, 'Save');
    const first = await linkTo(email, post);
    await page.goto(`${instance.url}/${title.toLowerCase()}?filter=${email}`);
    await page.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name: 'Send Invite' }).click();
    await expect(page.getByText(invited)).toBeVisible();
    const second = await linkTo(email, post, 2);
    expect(second).not.toBe(first);
    expect(new URLSearchParams(second.split('?')[1]).get('admin')).toBe(flag);

    const guest = await browser.newPage();
    const calls = recordCalls(guest);
    await guest.goto(instance.url + second);
    await expect(heading(guest, 'Invitation Confirmation')).toBeVisible();
    await expect(guest).toHaveURL(`${instance.url}/user-invite`);
    // By keyboard alone.
    await expect(field(guest, 'New password').first()).toBeFocused();
    await guest.keyboard.type('abcd');
    await guest.keyboard.press('Enter');
    await expectBadPasswords(guest);
    expect(calls).toEqual([]);
    await guest.keyboard.press('End');
    await guest.keyboard.type('e of mine');
    await guest.keyboard.press('Tab');
    await guest.keyboard.press('Tab');
    await guest.keyboard.type('abcde of mine');
    await expect(guest.getByRole('button', { name: submit, exact: true })).toBeVisible();
    await guest.keyboard.press('Enter');
    await expect(guest).toHaveURL(/\/launchpad$/);
    await expect(guest.getByText('User Confirmation successful.')).toBeVisible();
    expect(calls.map(({ line }) => line)).toEqual(doors);
    expect(calls[0]?.body).toMatchObject({ email, new_password: 'abcde of mine' });
    // Who is signed in has nothing to confirm.
    await guest.goto(instance.url + second);
    await expect(guest).toHaveURL(kind === 'admin' ? /\/home$/ : /\/launchpad$/);
    await guest.close();
  });

test('SES-018 SES-019 SES-032 SES-033 SES-073 SES-076 an invitation tells whose it is by its link, what became of it, and a wrong code leads to a new mail', async ({
  page,
  post,
}) => {
  const { instance } = post;
  const { email } = await addPerson(post, 'user');
  const query = `code=NOTTHISONE&email=${encodeURIComponent(email)}&username=${encodeURIComponent(email)}`;
  for (const [flag, submit] of [
    ['1', 'Confirm Admin'],
    ['', 'Confirm User'],
  ] as const) {
    // A link of the old console.
    await page.goto('about:blank');
    await page.goto(`${instance.url}/#/user-invite?${query}&admin=${flag}`);
    await expect(heading(page, 'Invitation Confirmation')).toBeVisible();
    await expect(page.getByRole('button', { name: submit, exact: true })).toBeVisible();
    await expect(page).toHaveURL(`${instance.url}/user-invite`);
  }
  await submitPassword(page, 'abcd', 'Confirm User');
  await expect(page.getByText('Password must be at least 5 characters.')).toBeVisible();
  await submitPassword(page, 'the new one', 'Confirm User');
  await expect(page.getByRole('alert')).toContainText(
    'The supplied email and/or confirmation code were not found in the system.',
  );
  await page.getByRole('link', { name: 'Ask for a new mail' }).click();
  await expect(heading(page, 'Password Reset')).toBeVisible();
  await expect(field(page, 'Email')).toHaveValue(email);

  await page.goto(instance.url + (await invite(post, 'user')).link);
  await choosePassword(page, 'the new one');
  await press(page, 'Confirm User');
  await expect(page.getByText('User Confirmation successful.')).toBeVisible();
  await expect(page).toHaveURL(/\/launchpad$/);
});

test('SES-017 SES-026 SES-030 SES-065 SES-070 SES-075 SES-077 SES-083 SES-091 SES-095 a forgotten password is replaced by the link of a mail, once', async ({
  page,
  post,
}) => {
  const { instance } = post;
  const { email } = await addPerson(post, 'admin');
  const calls = recordCalls(page);
  await page.goto(`${instance.url}/login`);
  await page.getByPlaceholder('Enter Email').fill(email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(field(page, 'Email')).toHaveValue(email);
  await press(page, 'Request Password Reset');
  await expect(page.getByText("A password reset email has been sent to the user's email address.")).toBeVisible();
  expect(calls).toEqual([{ line: 'POST user/password?reset=true', body: { email, reset: true } }]);
  const link = await linkTo(email, post);
  expect(link).toContain('/reset-password?code=');
  await page.goto(instance.url + link);
  await expect(heading(page, 'Reset Password')).toBeVisible();
  await expect(page).toHaveURL(`${instance.url}/reset-password`);
  await refuseBadPasswords(page, 'Reset Password');
  await submitPassword(page, 'the new one', 'Reset Password');
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByText('Password reset successful.')).toBeVisible();
  expect(calls[1]).toMatchObject({
    line: 'POST system/admin/password?login=false',
    body: { email, new_password: 'the new one' },
  });
  expect((await createSession(instance, { email, password: 'the new one' })).session_token).toBeTruthy();
  await page.goto(`${instance.url}/login`);
  await expect(page).toHaveURL(/\/home$/);

  await page.context().clearCookies();
  await page.goto(instance.url + link);
  await submitPassword(page, 'another one', 'Reset Password');
  await expect(page.getByRole('alert')).toContainText('confirmation code were not found in the system.');
  await press(page, 'Ask for a new mail');
  await expect(heading(page, 'Password Reset')).toBeVisible();
});

test('SES-010 SES-072 SES-085 SES-086 after a new password an administrator comes home, the default account to its profile', async ({
  page,
  post,
}) => {
  const { instance } = post;
  for (const [email, target] of [
    [newAddress(), '/home'],
    ['user@example.com', '/profile'],
  ] as const) {
    await addPerson(post, 'admin', { email });
    await instance.api('POST', 'user/password?reset=true', { email }, {});
    // A link that does not tell: the address of users refuses, and that of administrators is tried.
    await page.goto(instance.url + (await linkTo(email, post)).replace('admin=1', 'admin='));
    await choosePassword(page, 'the new one');
    const calls = recordCalls(page);
    await press(page, 'Reset Password');
    await expect(page).toHaveURL(instance.url + target);
    expect(calls.slice(0, 2).map(({ line }) => line)).toEqual([
      'POST user/password?login=false',
      'POST system/admin/password?login=false',
    ]);
    await page.goto(`${instance.url}/login`);
    await expect(page).toHaveURL(instance.url + target);
    await page.context().clearCookies();
  }
});

test('SES-029 SES-064 SES-070 SES-074 SES-077 SES-084 who has a security question answers it instead', async ({
  page,
  post,
}) => {
  const { instance, mailServer } = post;
  const question = { security_question: 'First pet?', security_answer: 'Max' };
  const { email } = await addPerson(post, 'user', question);
  const calls = recordCalls(page);
  await page.goto(`${instance.url}/reset-password`);
  await field(page, 'Email').fill(email);
  await press(page, 'Request Password Reset');
  await expect(heading(page, 'Security Question')).toBeVisible();
  await expect(page.getByText('First pet?')).toBeVisible();
  await field(page, 'Your answer').fill('Rex');
  await refuseBadPasswords(page, 'Reset Password');
  await submitPassword(page, 'the new one', 'Reset Password');
  await expect(page.getByRole('alert')).toHaveText('The answer supplied does not match.');
  await field(page, 'Your answer').fill('Max');
  await press(page, 'Reset Password');
  await expect(page).toHaveURL(/\/launchpad$/);
  await expect(page.getByText('Password reset successful.')).toBeVisible();
  const sent = calls.filter(({ line }) => line === 'POST user/password?login=false');
  expect(sent.at(-1)?.body).toEqual({ email, ...question, new_password: 'the new one' });
  expect(mailServer.mails().some(({ recipients }) => recipients.includes(email))).toBe(false);
});

test('SES-014 SES-015 SES-016 SES-034 SES-066 SES-068 SES-070 SES-071 SES-088 SES-096 who registers confirms it by the link of a mail', async ({
  page,
  post,
}) => {
  const { instance } = post;
  await openRegistration(post, true);
  const email = newAddress();
  const calls = recordCalls(page);
  await page.goto(`${instance.url}/login`);
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await expect(heading(page, 'Register')).toBeVisible();
  await expect(field(page, 'Password')).toHaveCount(0);
  await field(page, 'Email').first().fill(email);
  await field(page, 'First name').fill('Some');
  await field(page, 'Last name').fill('Body');
  await press(page, 'Register');
  await expect(page).toHaveURL(/\/register-complete$/);
  await expect(page.getByText('Thanks For Registering!')).toBeVisible();
  expect(calls).toEqual([
    { line: 'POST user/register?login=false', body: { email, first_name: 'Some', last_name: 'Body' } },
  ]);
  await page.goto(instance.url + (await linkTo(email, post)));
  await expect(heading(page, 'Registration Confirmation')).toBeVisible();
  await expect(page).toHaveURL(`${instance.url}/register-confirm`);
  await submitPassword(page, 'my own one', 'Confirm User');
  await expect(page).toHaveURL(/\/launchpad$/);
  await expect(page.getByText('Registration Confirmation successful.')).toBeVisible();

  const expectAllLeadTo = async (target: RegExp) => {
    for (const path of ['/register', '/register-complete', '/register-confirm']) {
      await page.goto(instance.url + path);
      await expect(page).toHaveURL(target);
    }
  };
  await expectAllLeadTo(/\/launchpad$/);
  await page.context().clearCookies();
  await signIn(page, instance, admin);
  await expectAllLeadTo(/\/home$/);
  await page.context().clearCookies();
  await openRegistration(post, false);
  await expectAllLeadTo(/\/login$/);
});

test('SES-013 SES-031 SES-047 SES-048 SES-053 SES-067 SES-069 SES-078 SES-092 NAV-007 NAV-016 without a mail to confirm it a registration signs in', async ({
  page,
  post,
}) => {
  const { instance } = post;
  await openRegistration(post, false);
  await page.goto(`${instance.url}/register`);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('link', { name: 'Register' })).toHaveCount(0);
  await openRegistration(post, true, false);
  await page.goto(`${instance.url}/login`);
  const links = page.getByRole('navigation', { name: 'Places' });
  await links.getByRole('link', { name: 'Register' }).click();
  await expect(heading(page, 'Register')).toBeVisible();
  for (const path of ['/register-complete', '/register-confirm', '/register']) {
    await page.goto(instance.url + path);
    await expect(links.getByRole('link', { name: 'Register' })).toHaveAttribute('aria-current', 'page');
  }
  const email = newAddress();
  // What the address says is in the form, whatever it says of what is not seen there.
  await page.goto(`${instance.url}/register?first_name=Some&last_name=Body&name=Some+Body&security_answer=planted`);
  await field(page, 'Email').first().fill(admin.email);
  await expect(field(page, 'First name')).toHaveValue('Some');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('my own one');
  await field(page, 'Repeat the password').fill('another one');
  await press(page, 'Register');
  await expect(page.getByText('Password and confirm password do not match.')).toBeVisible();
  await field(page, 'Repeat the password').fill('my own one');
  await press(page, 'Register');
  await expect(page.getByRole('alert')).toContainText('Validation failed. email: The email has already been taken.');
  await openRegistration(post, false, false);
  await field(page, 'Email').first().fill(email);
  await press(page, 'Register');
  await expect(page.getByRole('alert')).toHaveText('Validation failed. Open Registration is not enabled.');
  await openRegistration(post, true, false);
  const calls = recordCalls(page);
  await press(page, 'Register');
  await expect(page).toHaveURL(/\/launchpad$/);
  expect(calls.map(({ line }) => line)).toEqual(['POST user/register?login=false', 'POST user/session']);
  expect(calls[0]?.body).toEqual({
    ...{ email, first_name: 'Some', last_name: 'Body', name: 'Some Body' },
    ...{ new_password: 'my own one', verify_password: 'my own one' },
  });
  expect(calls[1]?.body).toMatchObject({ email, password: 'my own one' });
});

test('the editor tells why a mail did not go out, and sends another', async ({ page, post }) => {
  const { instance, mailServer } = post;
  mailServer.fail('full');
  const email = newAddress();
  const record = { email, name: 'Somebody', is_active: true };
  const { body } = await instance.api('POST', 'system/user?send_invite=true', { resource: [record] });
  const { id } = body.resource[0];
  await expect
    .poll(async () => (await instance.api('GET', `system/user/${id}`)).body.mail_error)
    .toEqual(expect.any(String));
  mailServer.fail(undefined);
  await signIn(page, instance);
  await page.goto(`${instance.url}/users?filter=${email}`);
  await expect(page.getByRole('main').getByText('Mail failed')).toBeVisible();
  await page.goto(`${instance.url}/users/${id}`);
  await expect(page.getByText(/^Their last mail was not sent: .*Insufficient system storage/)).toBeVisible();
  await expectAccessible(page, 'a mail that did not go out');
  await press(page, 'Send again');
  await expect(page.getByText('User invite has been sent.')).toBeVisible();
  await linkTo(email, post);
  await expect(page.getByText(/^Their last mail/)).toHaveCount(0);
});

test('an e-mail template is looked at as it will arrive, and sent to oneself', async ({ page, post }) => {
  const { instance, mailServer } = post;
  await signIn(page, instance, admin);
  await page.goto(`${instance.url}/config/email-templates/1`);
  await page.getByRole('textbox', { name: 'Subject' }).fill('Welcome, {strtoupper(team)} {nobody}');
  await page.getByRole('button', { name: 'Add a row' }).click();
  await page.getByRole('textbox', { name: 'Name, row 1' }).fill('team');
  await page.getByRole('textbox', { name: 'Value, row 1' }).fill('<b>red</b>');
  await page.getByText('Preview', { exact: true }).click();
  await expect(page.getByText('Welcome, <B>RED</B> {nobody}')).toBeVisible();
  await expect(page.getByText('Without a value, and so sent as they are: {nobody}')).toBeVisible();
  const frame = page.frameLocator('iframe[title="Preview of the HTML body"]');
  await expect(frame.getByText('SAMPLE-CODE').first()).toBeVisible();
  await expectAccessible(page, 'the preview of a template');

  mailServer.clear();
  mailServer.fail('over quota');
  await press(page, 'Send a test to me');
  await expect(page.getByText(/^The mail server refused the email: 552 /)).toBeVisible();
  mailServer.fail(undefined);
  await press(page, 'Send a test to me');
  await expect(page.getByText(`Sent to ${admin.email}.`)).toBeVisible();
  const [mail] = await mailServer.arrived(1);
  expect([mail?.recipients, mail?.parsed.subject]).toEqual([[admin.email], 'Welcome, <B>RED</B> {nobody}']);
  expect(mail?.parsed.html).toContain('SAMPLE-CODE');
});

test('SES-001 SES-052 who is not signed in confirms an invitation, resets a password, registers and signs in', async ({
  page,
  post,
}) => {
  const { instance } = post;
  await openRegistration(post, true, false);
  const calls = recordCalls(page);
  const leave = async () => {
    await expect(page).toHaveURL(/\/launchpad$/);
    await page.context().clearCookies();
  };
  const { email, id, link } = await invite(post, 'user');
  await page.goto(instance.url + link);
  await choosePassword(page, 'the first one');
  await press(page, 'Confirm User');
  await leave();

  const ask = async () => {
    await page.goto(`${instance.url}/reset-password`);
    await field(page, 'Email').fill(email);
    await press(page, 'Request Password Reset');
  };
  await ask();
  await page.goto(instance.url + (await linkTo(email, post, 2)));
  await choosePassword(page, 'the second one');
  await press(page, 'Reset Password');
  await leave();

  const question = { security_question: 'First pet?', security_answer: 'Max' };
  expect((await instance.api('PATCH', `system/user/${id}`, question)).status).toBe(200);
  await ask();
  await field(page, 'Your answer').fill('Max');
  await choosePassword(page, 'the third one');
  await press(page, 'Reset Password');
  await leave();
  const code = expect.stringMatching(/^[0-9A-Z]{32}$/);
  expect(calls.filter(({ line }) => line === 'POST user/password?login=false').map(({ body }) => body)).toEqual([
    { email, username: email, code, new_password: 'the first one' },
    { email, username: email, code, new_password: 'the second one' },
    { email, ...question, new_password: 'the third one' },
  ]);

  await page.goto(`${instance.url}/register`);
  await field(page, 'Email').first().fill(newAddress());
  await field(page, 'First name').fill('Some');
  await field(page, 'Last name').fill('Body');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('my own one');
  await field(page, 'Repeat the password').fill('my own one');
  await press(page, 'Register');
  await leave();

  await page.goto(`${instance.url}/login`);
  await page.getByPlaceholder('Enter Email').fill(email);
  await page.getByPlaceholder('Enter Password').fill('the third one');
  await press(page, 'Login');
  await leave();
});

test('SES-094 who is switched off while they set a password reads the server’s words, where they are', async ({
  page,
  post,
}) => {
  const { instance } = post;
  await openRegistration(post, true);
  for (const [path, submit] of [
    ['/user-invite', 'Confirm User'],
    ['/register-confirm', 'Confirm User'],
    ['/reset-password', 'Reset Password'],
  ] as const) {
    const { id, link } = await invite(post, 'user');
    await page.goto(instance.url + link.replace('/user-invite', path));
    await choosePassword(page, 'the new one');
    await page.route('**/user/password?login=false', async (route) => {
      const response = await route.fetch();
      await instance.api('PATCH', `system/user/${id}`, { is_active: false });
      await route.fulfill({ response });
    });
    await press(page, submit);
    await expect(page.getByRole('alert')).toContainText('Invalid credentials supplied.');
    await expect(page).toHaveURL(instance.url + path);
    await page.unrouteAll();
  }
  await openRegistration(post, false);
});

/** What each page shows: its heading in both languages. */
const scenes = [
  ['/login', 'Login', 'Anmelden'],
  ['/reset-password', 'Password Reset', 'Passwort zurücksetzen'],
  ['/reset-password?code=A&email=a%40example.com', 'Reset Password', 'Neues Passwort'],
  ['/user-invite?code=A&email=a%40example.com', 'Invitation Confirmation', 'Einladung annehmen'],
  ['/user-invite', 'Invitation Confirmation', 'Einladung annehmen'],
  ['/register-confirm?code=A&email=a%40example.com', 'Registration Confirmation', 'Registrierung bestätigen'],
  ['/register', 'Register', 'Registrieren'],
  ['/register-complete', 'Registration Success', 'Sie sind registriert'],
] as const;
const looks = [
  { width: 1440, height: 900, colorScheme: 'light', locale: 'en-GB' },
  { width: 390, height: 844, colorScheme: 'dark', locale: 'de-DE' },
] as const;

for (const { width, height, colorScheme, locale } of looks)
  test.describe(`${width} px wide, ${colorScheme}, ${locale}`, () => {
    test.use({ viewport: { width, height }, colorScheme, locale });

    test('every page before the sign-in is fine, also with mistakes in it', async ({ page, post }) => {
      await openRegistration(post, true, false);
      for (const [path, english, german] of scenes) {
        await page.goto('about:blank');
        await page.goto(post.instance.url + path);
        await expect(heading(page, locale === 'de-DE' ? german : english)).toBeVisible();
        const submit = page.getByRole('main').locator('button[type=submit]');
        if (await submit.count()) await submit.click();
        await expectAccessible(page, path);
        expect([
          path,
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        ]).toEqual([path, 0]);
      }
    });
  });
