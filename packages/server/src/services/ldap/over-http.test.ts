// Signing in by a real directory, over HTTP: whole sign-ins, and those that mean harm.
import { type Answer, administrator, startPlatform, type TestPlatform } from '@sluice/testkit';
import {
  type DirectoryServer,
  directoryMissing,
  password,
  people,
  startDirectoryServer,
} from '@sluice/testkit/directory-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const wrong = [401, 'Invalid username and password provided.'];
const nothing = [400, 'No username and/or password provided.'];
const messageOf = ({ status, body }: Answer) => [status, body?.error?.message];

describe.skipIf(directoryMissing())('a directory', () => {
  let directory: DirectoryServer;
  let platform: TestPlatform;
  let reader: number;
  let app: { id: number; api_key: string };

  beforeAll(async () => {
    directory = await startDirectoryServer();
    platform = await startPlatform({ trustProxy: true, foreverSessions: true });
    reader = (await platform.create('role', { name: 'reader', is_active: true })).id;
    app = (await platform.create('app', { name: 'shop', type: 0, is_active: true })) as unknown as typeof app;
    await make('company', { default_role: reader });
  });
  afterAll(async () => {
    await platform?.stop();
    await directory?.stop();
  });

  const make = (name: string, config: object = {}) =>
    platform.create('service', {
      ...{ name, label: 'Company', type: 'ldap', is_active: true },
      config: { host: `127.0.0.1:${directory.port}`, base_dn: people, ...config },
    });

  let address = 0;
  /** Signs in from a network address that no call came from before. */
  const signIn = (
    username: string,
    secret: string = password,
    options: { service?: string; ip?: string; body?: object } = {},
  ) => {
    address += 1;
    const { service = 'company', ip = `198.51.100.${address}`, body = {} } = options;
    return platform.ask('POST', 'user/session', {
      body: { service, username, password: secret, ...body },
      ...{ token: null, key: app.api_key, headers: { 'x-forwarded-for': ip } },
    });
  };
  const personOf = async (id: number) => (await platform.ask('GET', `system/user/${id}`)).body;

  it('SES-042, SES-051, SRV-007: the environment lists it, and POST user/session with service, username and password signs in', async () => {
    const { body: environment } = await platform.ask('GET', 'system/environment', { token: null });
    expect(environment.authentication.adldap).toEqual([
      {
        ...{ path: 'user/session?service=company', name: 'company', label: 'Company', verb: 'POST' },
        payload: { username: 'string', password: 'string', service: 'company', remember_me: 'bool' },
      },
    ]);
    const { status, body } = await signIn('jo');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        ...{ email: 'jo+company@example.com', name: 'Jo Doe', first_name: 'Jo', last_name: 'Doe' },
        ...{ role: 'reader', role_id: reader, is_sys_admin: false, last_login_date: expect.any(String) },
      }),
    ]);
    expect(body).not.toHaveProperty('oauth_token');
    expect(await personOf(body.id)).toMatchObject({
      ...{ adldap: 'company', oauth_provider: null, saml: null, ldap_username: 'jo', is_active: true, confirmed: true },
    });
    const profile = await platform.ask('GET', 'user/profile', { token: body.session_token });
    expect(profile.body).toMatchObject({ adldap: 'company', oauth_provider: '', email: 'jo+company@example.com' });
    const row = await platform.store.db.selectFrom('user').selectAll().where('id', '=', body.id).executeTakeFirst();
    expect([row?.confirm_code, row?.password]).toEqual([null, null]);
  });

  it('is one person by whatever name, and without an address one of the domain of the directory', async () => {
    const { body } = await signIn('jo');
    for (const name of ['JO', ' jo ', 'jo@example.com', 'ｊｏ']) {
      const again = await signIn(name);
      expect([name, again.status, again.body.id]).toEqual([name, 200, body.id]);
    }
    expect((await signIn('kay')).body).toMatchObject({ email: 'kay+company@example.com', name: 'Kay' });
    const query = await platform.ask('POST', 'user/session?service=company', {
      ...{ body: { username: 'jo', password }, token: null },
    });
    expect(query.body.id).toBe(body.id);
  });

  it('SRV-007 remembers who wants it, and takes a suffix for addresses', async () => {
    const isForever = ({ body }: Answer) =>
      JSON.parse(Buffer.from(body.session_token.split('.')[1], 'base64url').toString()).forever;
    expect(isForever(await signIn('jo', password, { body: { remember_me: true } }))).toBe(true);
    expect(isForever(await signIn('jo'))).toBe(false);
    await make('branch', { account_suffix: '@branch.example' });
    expect((await signIn('kay', password, { service: 'branch' })).body.email).toBe('kay+branch@branch.example');
  });

  it('SRV-007 refuses what is missing, wrong, ambiguous or nobody with the words of the contract', async () => {
    for (const [username, secret] of [
      ['jo', ''],
      ['', password],
      [' ', password],
      ['', ''],
    ] as const)
      expect(messageOf(await signIn(username, secret))).toEqual(nothing);
    for (const [username, secret] of [
      ...([
        ['jo', 'wrong'],
        ['nobody', password],
        ['lee@example.com', password],
        ['jo', `${password}\0`],
        ['jo', '\0'],
      ] as const),
      ['jo\u00adx', password],
    ] as const)
      expect([username, ...messageOf(await signIn(username, secret))]).toEqual([username, ...wrong]);
    expect(messageOf(await signIn('jo', password, { service: 'nowhere' }))).toEqual([
      ...[404, 'Could not find a service for nowhere'],
    ]);
    expect(messageOf(await signIn('jo', password, { service: 'db' }))).toEqual([
      ...[400, 'Invalid login service provided. Please use an OAuth or AD/Ldap service.'],
    ]);
    const admin = { body: { service: 'company', username: 'jo', password }, token: null };
    expect((await platform.ask('POST', 'system/admin/session', admin)).status).toBe(400);
    expect(messageOf(await platform.ask('GET', 'user/session?service=company', { token: null }))).toEqual([
      ...[400, 'Invalid login service provided. Please use an OAuth service.'],
    ]);
  });

  it.each([
    '*',
    'j*',
    'jo*',
    '*)(uid=jo',
    'jo)(|(uid=*',
    'jo)(userPassword=*',
    '\\6a\\6f',
    'jo\\2a',
    '(uid=jo)',
    'jo\0',
    '*@example.com)(uid=jo',
    `jo,${people}`,
    `uid=jo,${people}`,
    'jo,ou=people',
    'jo+cn=Jo Doe',
    '#6a6f',
    'jo"',
    'jo;uid=jo',
    'x,uid=jo',
    `jo${'o'.repeat(300)}`,
  ])('abuse: the name %s is nobody, whatever it means in a filter or a name of an entry', async (username) => {
    expect(messageOf(await signIn(username))).toEqual(wrong);
  });

  it('abuse: a star in an address is a star', async () => {
    expect((await signIn('*@example.com')).body).toMatchObject({ name: 'Star' });
  });

  it('abuse: an account called like an administrator is a user of its own', async () => {
    const { body } = await signIn('ada');
    expect(body).toMatchObject({ email: 'ada+company@example.com', is_sys_admin: false });
    expect((await signIn(administrator.email)).body.id).toBe(body.id);
    expect((await platform.ask('GET', 'system/admin', { token: body.session_token, key: app.api_key })).status).toBe(
      403,
    );
    const own = { body: { email: administrator.email, password }, token: null };
    expect((await platform.ask('POST', 'system/admin/session', own)).status).toBe(401);
  });

  it('abuse: people who were deactivated or made administrators sign in no more', async () => {
    const { body } = await signIn('kay');
    const setPerson = (columns: object) =>
      platform.store.db.updateTable('user').set(columns).where('id', '=', body.id).execute();
    await setPerson({ is_active: 0 });
    expect(messageOf(await signIn('kay'))).toEqual([403, 'User is not active.']);
    await setPerson({ is_active: 1, is_sys_admin: 1 });
    expect((await signIn('kay')).status).toBe(401);
    await setPerson({ is_sys_admin: 0 });
    expect((await signIn('kay')).body.id).toBe(body.id);
  });

  it('abuse: an address that another person has is not taken over', async () => {
    await make('other');
    const { id } = await platform.create('user', {
      email: 'jo+other@example.com',
      password: 'of a local',
      is_active: true,
    });
    const { body } = await signIn('jo', password, { service: 'other' });
    expect(body.id).not.toBe(id);
    expect(body.email).toMatch(/^[0-9a-f]{40}\+other@example\.com$/);
  });

  it.each([
    ['of one name', ['kay', 'KAY', 'kay@example.com', 'ｋａｙ', ' kay'], 'kay@example.org'],
    ['of one entry', ['star', '*@example.com', 'star', '*@example.com', 'star'], '*@example.com'],
  ])('abuse: guesses meet the budget %s, by however many spellings', async (_what, guesses, last) => {
    address += 1;
    const ip = `198.51.100.${address}`;
    for (const name of guesses) expect((await signIn(name, 'wrong', { ip })).status).toBe(401);
    // The first five are judged; of the others, which wait, nothing is looked at.
    const leave = new AbortController();
    const waiting = Array.from({ length: 6 }, () =>
      fetch(`${platform.url}/api/v2/user/session?service=company`, {
        method: 'POST',
        body: JSON.stringify({ username: last, password }),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
        signal: leave.signal,
      }).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    expect(await Promise.race(waiting)).toBe(429);
    expect((await signIn(guesses[0] as string)).status).toBe(200);
    expect((await signIn('jo', password, { ip })).status).toBe(200);
    leave.abort();
    await Promise.all(waiting);
  });

  it('audits who signed in and who did not, without a password', async () => {
    await signIn('jo', 'a secret guess');
    await signIn('jo');
    const { body } = await platform.ask('GET', 'system/audit?limit=5&order=id%20DESC&filter=action%3D%22sign_in%22');
    const entries = body.resource as { outcome: string; user_email: string }[];
    expect(entries.map(({ outcome, user_email }) => [outcome, user_email])).toEqual(
      expect.arrayContaining([
        ['ok', 'jo+company@example.com'],
        [wrong[1], 'jo'],
      ]),
    );
    expect(JSON.stringify(body)).not.toContain('a secret guess');
  });

  it('says that a directory is away, and nothing of where it is', async () => {
    await make('away', { host: '127.0.0.1:9' });
    const away = [503, 'The directory is not available: the connection was refused.'];
    expect(messageOf(await signIn('jo', password, { service: 'away' }))).toEqual(away);
    const test = (service: object) => platform.ask('POST', 'system/service/_test', { body: service });
    const facts = { name: 'new', type: 'ldap' };
    const config = { host: `127.0.0.1:${directory.port}`, base_dn: people };
    expect((await test({ ...facts, config })).status).toBe(200);
    expect(JSON.stringify((await test({ ...facts, config: { ...config, host: '127.0.0.1:9' } })).body)).toContain(
      away[1],
    );
  });

  it('takes a configuration that leads somewhere, from administrators', async () => {
    const answer = async (config: object, token?: string) => {
      const service = { name: 'bare', label: 'Bare', type: 'ldap', is_active: true, config };
      const { status, body } = await platform.ask('POST', 'system/service', {
        body: { resource: [service] },
        ...(token ? { token } : {}),
      });
      return [status, body.error?.context?.resource?.[0]?.message];
    };
    const invalid = (text: string) => [400, `Invalid data supplied. ${text}`];
    expect(await answer({ base_dn: people })).toEqual(invalid('The host field is required.'));
    expect(await answer({ host: 'a' })).toEqual(invalid('The base dn field is required.'));
    expect((await answer({ host: 'http://a', base_dn: people }))[0]).toBe(400);
    expect((await answer({ host: 'a', base_dn: 'nothing' }))[0]).toBe(400);
  });
});

describe.skipIf(directoryMissing())('a directory that strangers may not search', () => {
  it('signs in by the name right below the base', async () => {
    const directory = await startDirectoryServer({ more: ['require authc'] });
    const platform = await startPlatform();
    try {
      const config = { host: `ldap://127.0.0.1:${directory.port}`, base_dn: people };
      await platform.create('service', { name: 'company', label: 'Company', type: 'ldap', is_active: true, config });
      const signIn = (username: string, secret = password) =>
        platform.ask('POST', 'user/session?service=company', { body: { username, password: secret }, token: null });
      expect((await signIn('jo')).body.email).toBe('jo+company@example.com');
      for (const [name, secret] of [
        ['jo', 'wrong'],
        ['nobody', password],
        ['jo@example.com', password],
        ['jo,ou=x', password],
      ])
        expect((await signIn(name as string, secret)).status).toBe(401);
    } finally {
      await platform.stop();
      await directory.stop();
    }
  });
});
