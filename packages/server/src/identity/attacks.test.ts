// What people who mean harm try with codes, mails, registrations and sessions, through HTTP and a real mail server.
import { startMailServer } from '@sluice/testkit/mail-server';
import { type AskOptions, startPlatform, type TestPlatform } from '@sluice/testkit/platform';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

const isLong = Boolean(process.env.SLUICE_SOAK);

const mailServer = await startMailServer();
/** Without SLUICE_PUBLIC_URL: where nothing else says so, a link could be believed to lead where a request came to. */
const platform: TestPlatform = await startPlatform({ trustProxy: true, mailFrom: 'sluice@example.com' });
afterAll(async () => {
  await platform.stop();
  await mailServer.stop();
});
const { id: service } = await platform.create('service', {
  ...{ name: 'post', label: 'post', type: 'smtp_email', is_active: true },
  config: { host: '127.0.0.1', port: String(mailServer.port) },
});
const byMail = { invite_email_service_id: service, password_email_service_id: service };
for (const [id, set] of [
  [1, byMail],
  [7, { ...byMail, allow_open_registration: true, open_reg_email_service_id: service }],
] as const) {
  const { config } = (await platform.ask('GET', `system/service/${id}`)).body;
  await platform.ask('PATCH', `system/service/${id}`, { body: { config: { ...config, ...set } } });
}
beforeEach(() => mailServer.clear());

let number = 0;
const newNetwork = () => `203.${++number >> 16}.${(number >> 8) & 255}.${number & 255}`;
const newAddress = () => `person${++number}@example.com`;
const ask = (verb: string, path: string, { headers, ...options }: AskOptions = {}, network = newNetwork()) =>
  platform.ask(verb, path, { token: null, ...options, headers: { 'x-forwarded-for': network, ...headers } });
const password = 'the old one';
const addUser = async (set: object = {}) => {
  const email = newAddress();
  const { id } = await platform.create('user', { email, password, is_active: true, ...set });
  return { id, email };
};
const signIn = async (email: string, secret = password) =>
  (await ask('POST', 'user/session', { body: { email, password: secret } })).status;
const reset = (email: unknown, options: AskOptions = {}, query = '') =>
  ask('POST', `user/password?reset=true${query}`, { ...options, body: { email } });
const setPassword = (body: object, network?: string) => ask('POST', 'user/password', { body }, network);

/** Waits until everything that calls have asked for is done. */
const allDone = () =>
  vi.waitFor(async () => {
    const jobs = platform.store.db.selectFrom('job').select('name').where('schedule', 'is', null);
    expect(await jobs.execute()).toEqual([]);
  }, 10_000);
async function linkTo(email: string): Promise<URL> {
  await allDone();
  const mail = mailServer.mails().findLast(({ recipients }) => recipients.includes(email));
  return new URL(/href="([^"]+)"/.exec(mail?.parsed.html ?? '')?.[1]?.replaceAll('&#38;', '&') ?? '');
}
const codeFor = async (email: string) => {
  await reset(email);
  return (await linkTo(email)).searchParams.get('code') ?? '';
};

describe('abuse: a code', () => {
  it('is no other that a database finds equal, and no value but a text', async () => {
    const { email } = await addUser();
    const code = await codeFor(email);
    for (const guess of [
      code.toLowerCase(),
      `${code} x`,
      code.slice(1),
      `${code}\0`,
      '%',
      'Y',
      0,
      true,
      [code],
      { code },
    ]) {
      const { status } = await setPassword({ email, code: guess, new_password: 'mine now' });
      expect([guess, status]).toEqual([guess, status === 400 ? 400 : 404]);
    }
    expect([await signIn(email), await signIn(email, 'mine now')]).toEqual([200, 401]);
  });

  it('is not found by guessing, and guesses of others do not spend it', async () => {
    const { email } = await addUser();
    const code = await codeFor(email);
    const network = newNetwork();
    const leave = new AbortController();
    const outcomes: number[] = [];
    for (let guess = 0; guess < 40; guess++)
      fetch(`${platform.url}/api/v2/user/password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
        body: JSON.stringify({ email, code: `GUESS${guess}`, new_password: 'mine now' }),
        signal: leave.signal,
      }).then(
        ({ status }) => outcomes.push(status),
        () => {},
      );
    // Five are judged and two wait; the others get a 429.
    await vi.waitFor(() => expect(outcomes).toHaveLength(38), 10_000);
    expect([404, 429].map((status) => outcomes.filter((one) => one === status).length)).toEqual([5, 33]);
    leave.abort();
    expect((await setPassword({ email, code, new_password: 'the new one' })).status).toBe(200);
  });

  it('is its person’s alone, of their own door, and ends with a newer one', async () => {
    const [one, other] = [await addUser(), await addUser()];
    const code = await codeFor(one.email);
    expect((await setPassword({ email: other.email, code, new_password: 'mine now' })).status).toBe(404);
    const atAdmins = { body: { email: one.email, code, new_password: 'mine now' } };
    expect((await ask('POST', 'system/admin/password', atAdmins)).status).toBe(401);
    await platform.ask('PATCH', `system/user/${one.id}?send_invite=true`, { body: {} });
    const newer = (await linkTo(one.email)).searchParams.get('code');
    expect((await setPassword({ email: one.email, code, new_password: 'mine now' })).status).toBe(404);
    expect((await setPassword({ email: one.email, code: newer, new_password: 'the new one' })).status).toBe(200);
  });

  it('comes once when it is asked for by many at once', async () => {
    const { email } = await addUser();
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(email)));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(6).fill([200, '{"success":true}']));
    await allDone();
    expect(mailServer.mails()).toHaveLength(1);
  });
});

describe('abuse: a mail', () => {
  it('leads to this instance, whatever a request says of its host', async () => {
    for (const [headers, query] of [
      [{ host: 'evil.example' }, ''],
      [{ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }, ''],
      [{ forwarded: 'host=evil.example;proto=https' }, ''],
      [{ referer: 'https://evil.example/' }, ''],
      [{}, '&redirect=https://evil.example&confirm_reset_url=https://evil.example&link=https://evil.example'],
    ] as const) {
      const { email } = await addUser();
      const { status, text } = await reset(email, { headers }, query);
      expect([headers, status, text]).toEqual([headers, 200, '{"success":true}']);
      const link = await linkTo(email);
      expect([link.hostname, link.pathname]).toEqual(['127.0.0.1', '/reset-password']);
      expect(link.href).not.toContain('evil');
    }
  });

  it('goes to nobody but the address that somebody has', async () => {
    const { email } = await addUser();
    for (const trick of [
      ...[`${email}\r\nBcc: evil@evil.example`, `${email},evil@evil.example`, `${email} evil@evil.example`],
      ...[`"${email}" <evil@evil.example>`, `"x\\" y"@evil.example`, [email, 'evil@evil.example'], { email }],
    ]) {
      await reset(trick);
      await ask('POST', 'user/register', { body: { email: trick, first_name: 'x' } });
    }
    await allDone();
    for (const { recipients } of mailServer.mails()) expect(recipients).toEqual([email]);
  });

  it('carries the address in its link so that it comes back as it is', async () => {
    const email = `a+b&c%41'${++number}@example.com`;
    await platform.create('user', { email, password, is_active: true });
    const code = await codeFor(email);
    const link = await linkTo(email);
    expect(link.searchParams.get('email')).toBe(email);
    expect((await setPassword({ email, code, new_password: 'the new one' })).status).toBe(200);
  });
});

describe('abuse: registration', () => {
  it('of many by one network is slowed down, and others register meanwhile', async () => {
    const network = newNetwork();
    const leave = new AbortController();
    const outcomes: number[] = [];
    for (let index = 0; index < 60; index++)
      fetch(`${platform.url}/api/v2/user/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
        body: JSON.stringify({ email: `mass${index}@example.com`, first_name: 'Mass' }),
        signal: leave.signal,
      }).then(
        ({ status }) => outcomes.push(status),
        () => {},
      );
    await vi.waitFor(() => expect(outcomes).toHaveLength(58), 10_000);
    expect(outcomes.filter((status) => status === 200)).toHaveLength(5);
    const email = newAddress();
    expect((await ask('POST', 'user/register', { body: { email, first_name: 'Jo' } })).status).toBe(200);
    leave.abort();
    await allDone();
    expect(mailServer.mails().some(({ recipients }) => recipients.includes(email))).toBe(true);
  });

  it('gives nobody more than it says, whatever is sent along', async () => {
    const email = newAddress();
    const body = {
      ...{ email, first_name: 'Jo', id: 1, is_active: true, is_sys_admin: true, confirmed: true, confirm_code: 'y' },
      ...{ adldap: 'ad', oauth_provider: 'google', role_id: 1, user_source: 9, password: 'mine', tokens_valid_from: 0 },
      user_to_app_to_role_by_user_id: [{ app_id: 1, role_id: 1 }],
      lookup_by_user_id: [{ name: 'a', value: 'b' }],
    };
    expect((await ask('POST', 'user/register', { body })).status).toBe(200);
    await allDone();
    const related = 'user_to_app_to_role_by_user_id,lookup_by_user_id';
    const filter = encodeURIComponent(`email='${email}'`);
    const { resource } = (await platform.ask('GET', `system/user?filter=${filter}&related=${related}`)).body;
    expect(resource).toEqual([
      expect.objectContaining({
        ...{ confirmed: false, adldap: null, oauth_provider: null, user_source: 0 },
        ...{ user_to_app_to_role_by_user_id: [], lookup_by_user_id: [] },
      }),
    ]);
    expect(resource[0].id).not.toBe(1);
    expect(await signIn(email, 'mine')).toBe(401);
  });
});

describe('abuse: whether an address is known', () => {
  /** Of an answer what tells calls apart for their caller. */
  const seen = ({ status, headers, text }: Awaited<ReturnType<typeof ask>>) => {
    const { date: _date, 'x-request-id': _id, ...rest } = headers;
    return JSON.stringify([status, rest, text.replaceAll(/"request_id":"[^"]*"/g, '')]);
  };
  const questions: Record<string, (email: string) => ReturnType<typeof ask>> = {
    'sign-in': (email) => ask('POST', 'user/session', { body: { email, password: 'a guess' } }),
    'Basic credentials': (email) =>
      ask('GET', 'user/profile', {
        headers: { authorization: `Basic ${Buffer.from(`${email}:a guess`).toString('base64')}` },
      }),
    'a reset': (email) => reset(email),
    'a code': (email) => setPassword({ email, code: 'GUESS', new_password: 'mine now' }),
    registration: (email) => ask('POST', 'user/register', { body: { email, first_name: 'Jo' } }),
  };

  // In its long form a thousand tries of each, and their times are compared: of a known and an unknown address either may be
  // the slower one, as often as not.
  it.each(Object.entries(questions))('%s does not tell', async (_name, question) => {
    const [ofKnown, ofUnknown]: number[][] = [[], []];
    const timed = async (email: string, times: number[]) => {
      const start = performance.now();
      const answer = await question(email);
      times.push(performance.now() - start);
      return seen(answer);
    };
    for (let round = 0; round < (isLong ? 500 : 5); round++) {
      // Of one length: the length of an address shows in no answer, but in what is sent.
      const { email } = await addUser();
      const unknown = email.replace('person', 'nobody');
      const answers =
        round % 2 === 0
          ? [await timed(email, ofKnown!), await timed(unknown, ofUnknown!)]
          : [await timed(unknown, ofUnknown!), await timed(email, ofKnown!)];
      expect(answers[0]).toBe(answers[1]);
    }
    if (!isLong) return;
    const slower = ofKnown!.filter((time, index) => time > ofUnknown![index]!).length / ofKnown!.length;
    expect(slower).toBeGreaterThan(0.35);
    expect(slower).toBeLessThan(0.65);
  });
});

describe('abuse: a session', () => {
  it('that was there before a sign-in does not become somebody’s', async () => {
    const [victim, attacker] = [await addUser(), await addUser()];
    const planted = await platform.tokenOf(attacker.id);
    const body = { email: victim.email, password, session_token: planted, session_id: planted };
    for (const [path, headers] of [
      ['user/session', { 'x-dreamfactory-session-token': planted }],
      ['user/session', { authorization: `Bearer ${planted}` }],
      ['user/session', { cookie: `session_token=${planted}` }],
      [`user/session?session_token=${planted}`, {}],
    ] as const) {
      const session = (await ask('POST', path, { body, headers })).body;
      expect(session).toMatchObject({ id: victim.id, email: victim.email });
      expect(session.session_token).not.toBe(planted);
      const owner = (await ask('GET', 'user/session', { token: planted })).body;
      expect(owner.id).toBe(attacker.id);
    }
  });

  it('is another after each sign-in and renewal, and the renewed one is dead', async () => {
    const { email } = await addUser();
    const tokens = new Set<string>();
    for (let index = 0; index < 3; index++) {
      const { body } = await ask('POST', 'user/session', { body: { email, password } });
      const renewed = await ask('PUT', 'user/session', { token: body.session_token });
      expect((await ask('GET', 'user/session', { token: body.session_token })).status).toBe(403);
      for (const token of [body.session_token, renewed.body.session_token]) tokens.add(token);
    }
    expect(tokens.size).toBe(6);
  });
});
