// Invitations, registrations and new passwords by mail, through HTTP and a real mail server.
import { startMailServer } from '@sluice/testkit/mail-server';
import { type AskOptions, startPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

const mailServer = await startMailServer();
const platform = await startPlatform({
  publicUrl: 'https://api.example.com',
  mailFrom: 'Sluice <sluice@example.com>',
  trustProxy: true,
});
afterAll(async () => {
  await platform.stop();
  await mailServer.stop();
});

const { id: service } = await platform.create('service', {
  ...{ name: 'post', label: 'post', type: 'smtp_email', is_active: true },
  config: { host: '127.0.0.1', port: String(mailServer.port) },
});
const configure = async (id: number, set: object) => {
  const { config } = (await platform.ask('GET', `system/service/${id}`)).body;
  const { status, text } = await platform.ask('PATCH', `system/service/${id}`, {
    body: { config: { ...config, ...set } },
  });
  if (status !== 200) throw new Error(text);
};
const byMail = { invite_email_service_id: service, password_email_service_id: service };
beforeEach(async () => {
  mailServer.clear();
  mailServer.fail(undefined);
  await configure(1, byMail);
  await configure(7, { ...byMail, allow_open_registration: true, open_reg_email_service_id: service });
});

let number = 0;
const newAddress = () => `person${++number}@example.com`;
/** From another network each time: one alone is slowed down. */
const ask = (verb: string, path: string, options: AskOptions = {}) => {
  number += 1;
  const headers = { 'x-forwarded-for': `203.0.${number >> 8}.${number & 255}` };
  return platform.ask(verb, path, { ...options, headers });
};
const asNobody = { token: null } as const;
const register = (body: object, query = '') => ask('POST', `user/register${query}`, { ...asNobody, body });
const reset = (email: string) => ask('POST', 'user/password?reset=true', { ...asNobody, body: { email } });
const setPassword = (body: object, query = '', door = 'user') =>
  ask('POST', `${door}/password${query}`, { ...asNobody, body });
const signIn = async (email: string, password: string) =>
  (await ask('POST', 'user/session', { ...asNobody, body: { email, password } })).status;
const addUser = async (set: object = {}) => {
  const email = newAddress();
  const { id } = await platform.create('user', { email, password: 'the old one', is_active: true, ...set });
  return { id, email };
};
/** The link of the next mail to an address, and its code. */
async function linkTo(email: string) {
  await vi.waitFor(
    () => expect(mailServer.mails().some(({ recipients }) => recipients.includes(email))).toBe(true),
    10_000,
  );
  const mail = mailServer.mails().findLast(({ recipients }) => recipients.includes(email));
  const href = /href="([^"]+)"/.exec(mail?.parsed.html ?? '')?.[1]?.replaceAll('&#38;', '&') ?? '';
  const url = new URL(href);
  return { mail, url, code: url.searchParams.get('code') ?? '' };
}
const messageOf = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
  status,
  body.error?.message,
];

describe('a new password by mail', () => {
  it('SRV-015 SRV-017 leads by a link of this instance to a new password, ends every session and confirms the address', async () => {
    const { id, email } = await addUser();
    const token = await platform.tokenOf(id);
    expect((await reset(email)).body).toEqual({ success: true });
    const { url, code, mail } = await linkTo(email);
    expect(`${url.origin}${url.pathname}`).toBe('https://api.example.com/reset-password');
    expect(mail?.parsed.from?.address).toBe('sluice@example.com');
    expect(code).toMatch(/^[0-9A-Z]{32}$/);
    const done = await setPassword({ email, code, new_password: 'the new one' }, '?login=true');
    expect(done.body).toEqual({ success: true, session_token: expect.any(String) });
    expect([await signIn(email, 'the old one'), await signIn(email, 'the new one')]).toEqual([401, 200]);
    expect((await ask('GET', 'user/session', { token })).status).toBe(403);
    expect((await ask('GET', `system/user/${id}`)).body.confirmed).toBe(true);
  });

  it('abuse: works once, also for two at once, and the store has no code that could be read', async () => {
    const { email } = await addUser();
    await reset(email);
    const { code } = await linkTo(email);
    const tries = await Promise.all(
      ['first', 'other'].map((word) => setPassword({ email, code, new_password: `${word} one` })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(messageOf(await setPassword({ email, code, new_password: 'third one' }))).toEqual([
      404,
      'The supplied email and/or confirmation code were not found in the system.',
    ]);
  });

  it('SRV-015 is answered alike for an address that nobody has, and sends no second mail within a minute', async () => {
    const { email } = await addUser();
    for (const address of [newAddress(), email]) expect((await reset(address)).body).toEqual({ success: true });
    await linkTo(email);
    await reset(email);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(mailServer.mails()).toHaveLength(1);
  });

  it('tells what is missing, in the order of the contract', async () => {
    const { email } = await addUser();
    const cases: [object, number, string][] = [
      [{}, 400, 'Not enough information provided to change password.'],
      [{ code: 'A' }, 400, 'Missing required email for password reset confirmation.'],
      [{ email, code: 'A' }, 400, 'Missing new password for reset.'],
      [{ email, code: 'y', new_password: 'new one' }, 400, 'Invalid confirmation code.'],
      [{ email, code: '', new_password: 'new one' }, 400, 'Invalid confirmation code.'],
      [
        { email, code: 'A', new_password: 'new one' },
        404,
        'The supplied email and/or confirmation code were not found in the system.',
      ],
      [{ email, security_answer: '', new_password: 'new one' }, 400, 'Missing security answer.'],
      [
        { email: newAddress(), security_answer: 'blue', new_password: 'new one' },
        404,
        'The supplied email and confirmation code were not found in the system.',
      ],
    ];
    for (const [body, status, message] of cases) expect(messageOf(await setPassword(body))).toEqual([status, message]);
    expect(messageOf(await setPassword({}, '?reset=true'))).toEqual([
      400,
      'Missing required email for password reset confirmation.',
    ]);
  });

  it('is too late after a day, and too short with four characters', async () => {
    const { id, email } = await addUser();
    await reset(email);
    const { code } = await linkTo(email);
    expect(messageOf(await setPassword({ email, code, new_password: 'four' }))).toEqual([
      400,
      'Invalid data supplied. The password must be at least 5 characters.',
    ]);
    const dayAgo = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await platform.store.db.updateTable('user').set({ last_modified_date: dayAgo }).where('id', '=', id).execute();
    expect((await ask('GET', `system/user/${id}`)).body).toMatchObject({ confirmed: false, expired: true });
    expect(messageOf(await setPassword({ email, code, new_password: 'the new one' }))).toEqual([
      400,
      'Confirmation code expired.',
    ]);
  });

  it('SRV-015 of an administrator is asked for at either door, and set at their own only', async () => {
    const email = newAddress();
    await platform.create('admin', { email, password: 'the old one', is_active: true });
    expect((await reset(email)).status).toBe(200);
    const { code, url } = await linkTo(email);
    expect(url.searchParams.get('admin')).toBe('1');
    const body = { email, code, new_password: 'the new one' };
    expect(messageOf(await setPassword(body))).toEqual([
      401,
      `You are not authorized to reset/change password for the account ${email}`,
    ]);
    expect((await setPassword(body, '?login=true', 'system/admin')).status).toBe(200);
    const resetAtOwnDoor = (address: string) =>
      ask('POST', 'system/admin/password?reset=true', { ...asNobody, body: { email: address } });
    const other = newAddress();
    await platform.create('admin', { email: other, password: 'the old one', is_active: true });
    for (const address of [other, newAddress()])
      expect((await resetAtOwnDoor(address)).body).toEqual({ success: true });
    const { code: ownCode } = await linkTo(other);
    const ownBody = { email: other, code: ownCode, new_password: 'the new one' };
    expect((await setPassword(ownBody, '', 'system/admin')).status).toBe(200);
  });

  it.each(['user', 'system/admin'])(
    'SRV-015 SRV-016 goes by the answer where there is a question, without a mail, at %s',
    async (door) => {
      const account = { security_question: 'Colour?', security_answer: 'blue', is_active: true };
      const email = newAddress();
      await platform.create(door === 'user' ? 'user' : 'admin', { email, password: 'the old one', ...account });
      const asked = await ask('POST', `${door}/password?reset=true`, { ...asNobody, body: { email } });
      expect(asked.body).toEqual({ security_question: 'Colour?' });
      const answer = (security_answer: string) => {
        const body = { email, security_question: 'Colour?', security_answer, new_password: 'the new one' };
        return setPassword(body, '', door);
      };
      expect(messageOf(await answer('green'))).toEqual([400, 'The answer supplied does not match.']);
      expect((await answer('blue')).body).toEqual({ success: true });
      const body = { email, password: 'the new one' };
      expect((await ask('POST', `${door}/session`, { ...asNobody, body })).status).toBe(200);
      expect(mailServer.mails()).toEqual([]);
    },
  );
});

describe('registration', () => {
  it('SRV-017 SRV-019 with a mail makes an account without a password, which the code confirms', async () => {
    const email = 'jo.doe@example.com';
    expect((await register({ email, password: 'thrown away' }, '?login=true')).body).toEqual({
      success: true,
      confirmation_required: true,
    });
    const { url, code } = await linkTo(email);
    expect(url.pathname).toBe('/register-confirm');
    const [person] = (await ask('GET', `system/user?filter=email='${email}'`)).body.resource;
    expect(person).toMatchObject({
      ...{ first_name: 'jo', last_name: 'doe', name: 'jo doe', username: email, is_active: true },
      ...{ confirmed: false, created_by_id: null },
    });
    expect(await signIn(email, 'thrown away')).toBe(401);
    expect((await setPassword({ email, code, new_password: 'my own one' })).status).toBe(200);
    expect(await signIn(email, 'my own one')).toBe(200);
    expect((await ask('GET', `system/user/${person.id}`)).body.confirmed).toBe(true);
  });

  it('abuse: tells nobody that an address is taken, and sends no mail about it', async () => {
    const { email } = await addUser();
    const fresh = newAddress();
    const answers = [await register({ email }), await register({ email: fresh })];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { success: true }],
      [200, { success: true }],
    ]);
    await linkTo(fresh);
    expect(mailServer.mails()).toHaveLength(1);
  });

  it('SRV-019 without a mail makes an account that is signed in, with the roles of the service', async () => {
    const [first, second] = [
      await platform.create('role', { name: 'first' }),
      await platform.create('role', { name: 'second' }),
    ];
    const app = await platform.create('app', { name: 'portal' });
    await configure(7, {
      ...{ open_reg_email_service_id: null, open_reg_role_id: first.id },
      app_role_map: [{ app_id: app.id, role_id: second.id }],
    });
    const email = newAddress();
    const { body } = await register({ email, first_name: 'Jo', new_password: 'my own one' }, '?login=true');
    expect(body).toEqual({ success: true, session_token: expect.any(String) });
    const related = 'related=user_to_app_to_role_by_user_id';
    const [person] = (await ask('GET', `system/user?filter=email='${email}'&${related}`)).body.resource;
    expect(person.confirmed).toBe(true);
    expect(await signIn(email, 'my own one')).toBe(200);
    const roles = person.user_to_app_to_role_by_user_id as { app_id: number; role_id: number }[];
    expect(roles.find(({ app_id }) => app_id === app.id)?.role_id).toBe(second.id);
    expect(roles.find(({ app_id }) => app_id === 1)?.role_id).toBe(first.id);
    expect(messageOf(await register({ email, password: 'my own one' }))).toEqual([400, 'Validation failed']);
    await configure(7, { app_role_map: [], open_reg_role_id: null });
  });

  it('SRV-019 says all that is wrong before it says that it is closed', async () => {
    await configure(7, { allow_open_registration: false, open_reg_email_service_id: null });
    expect((await register({ first_name: 'Jo', password: 'my own one' })).body.error).toMatchObject({
      ...{ code: 400, message: 'Validation failed', context: { email: ['The email field is required.'] } },
    });
    expect((await register({ email: newAddress() })).body.error.context).toEqual({
      password: ['The password field is required.'],
    });
    const closed = await register({ email: newAddress(), password: 'my own one' });
    expect(messageOf(closed)).toEqual([403, 'Open Registration is not enabled.']);
  });

  it('makes nobody where no mail can be sent, and says so', async () => {
    await configure(7, { open_reg_email_template_id: null });
    const email = newAddress();
    expect(messageOf(await register({ email }))).toEqual([
      500,
      'Error processing user confirmation.\nNo default email template for user invite.',
    ]);
    expect((await ask('GET', `system/user?filter=email='${email}'`)).body.resource).toEqual([]);
    await configure(7, { open_reg_email_template_id: 2 });
  });

  it('abuse: puts no markup of a person into a mail, and no header', async () => {
    const email = newAddress();
    await register({ email, first_name: '<img src=x>', last_name: 'a\r\nBcc: evil@example.com', name: 'x' });
    const { mail } = await linkTo(email);
    expect(mail?.parsed.html).not.toContain('<img');
    expect(mail?.recipients).toEqual([email]);
    expect(mail?.parsed.bcc).toBeUndefined();
  });
});

describe('invitations', () => {
  it('SRV-017 SRV-028 are sent to users and administrators by their own door', async () => {
    for (const kind of ['user', 'admin']) {
      const email = newAddress();
      const made = await ask('POST', `system/${kind}?send_invite=true&fields=*`, {
        body: { resource: [{ email, first_name: 'Jo', is_active: true }] },
      });
      expect([made.status, made.body.resource[0].confirmed]).toEqual([201, false]);
      const { url, code } = await linkTo(email);
      expect([url.pathname, url.searchParams.get('admin')]).toEqual(['/user-invite', kind === 'admin' ? '1' : '']);
      const door = kind === 'admin' ? 'system/admin' : 'user';
      expect((await setPassword({ email, code, new_password: 'my own one' }, '', door)).status).toBe(200);
      expect((await ask('GET', `system/${kind}/${made.body.resource[0].id}`)).body.confirmed).toBe(true);
      const again = await ask('PATCH', `system/${kind}/${made.body.resource[0].id}?send_invite=true`, { body: {} });
      expect(messageOf(again)).toEqual([400, 'User with this identifier has already confirmed this account.']);
    }
  });

  it.each(['user', 'admin'])(
    'SRV-028 are sent again to a %s by PATCH, with another code: the old one is none any more',
    async (kind) => {
      const email = newAddress();
      const door = kind === 'admin' ? 'system/admin' : 'user';
      const body = { resource: [{ email, is_active: true }] };
      const { id } = (await ask('POST', `system/${kind}?send_invite=true`, { body })).body.resource[0];
      const old = await linkTo(email);
      mailServer.clear();
      expect((await ask('PATCH', `system/${kind}/${id}?send_invite=true`, { body: {} })).status).toBe(200);
      const { code } = await linkTo(email);
      expect((await setPassword({ email, code: old.code, new_password: 'my own one' }, '', door)).status).toBe(404);
      expect((await setPassword({ email, code, new_password: 'my own one' }, '', door)).status).toBe(200);
    },
  );

  it('make nobody where no mail can be sent', async () => {
    await configure(7, { invite_email_service_id: null });
    const [one, two] = [newAddress(), newAddress()];
    const add = (...emails: string[]) =>
      ask('POST', 'system/user?send_invite=true', { body: { resource: emails.map((email) => ({ email })) } });
    expect(messageOf(await add(one))).toEqual([
      500,
      'Error processing user invite. No email service configured for user invite.',
    ]);
    expect(messageOf(await add(one, two))).toEqual([
      500,
      'Not all users were created successfully. Check log for more details.',
    ]);
    expect((await ask('GET', `system/user?filter=email='${one}'`)).body.resource).toEqual([]);
  });

  it('wait for a mail server that is away, say so at the person, and lose nobody', async () => {
    mailServer.fail('full');
    const email = newAddress();
    const body = { resource: [{ email, is_active: true }] };
    const { id } = (await ask('POST', 'system/user?send_invite=true', { body })).body.resource[0];
    await vi.waitFor(
      async () => expect((await ask('GET', `system/user/${id}`)).body.mail_error).toEqual(expect.any(String)),
      10_000,
    );
    // Who may read people and not change them is not told what the mail server said.
    const readerOf = async (verb_mask: number) => {
      const access = [{ service_id: 1, component: 'user/*', verb_mask, requestor_mask: 1 }];
      const name = `reads people ${verb_mask}`;
      const role = await platform.create('role', { name, is_active: true, role_service_access_by_role_id: access });
      const app = await platform.create('app', { name, type: 0, is_active: true, role_id: role.id });
      const token = await platform.tokenOf((await platform.create('user', { email: newAddress() })).id);
      const { body } = await ask('GET', `system/user/${id}`, { token, key: String(app.api_key) });
      return body.mail_error;
    };
    expect(await readerOf(1)).toBe('The mail could not be sent.');
    expect(await readerOf(1 + 8)).toMatch(/Insufficient system storage/);
    mailServer.fail(undefined);
    const [job] = (await ask('GET', "system/job?filter=name='account%20mail'")).body.resource;
    expect(job).toMatchObject({ state: 'waiting', attempts: 1 });
    await ask('PATCH', `system/job/${job.id}`, { body: { state: 'waiting' } });
    const { code } = await linkTo(email);
    expect((await setPassword({ email, code, new_password: 'my own one' })).status).toBe(200);
    expect((await ask('GET', `system/user/${id}`)).body.mail_error).toBeUndefined();
  });
});
