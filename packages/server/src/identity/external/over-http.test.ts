// Signing in by a real provider of OpenID Connect, over HTTP: whole sign-ins, and those that mean harm.
import { type Answer, startPlatform, type TestPlatform } from '@sluice/testkit';
import { otherClient, type SignInProvider, signInAt, startSignInProvider } from '@sluice/testkit/sign-in-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const redirectUrl = 'http://127.0.0.1:9/login';
const missing = 'Login request is missing required email.';
let provider: SignInProvider;
let platform: TestPlatform;
let roles: { reader: number; writer: number };
let app: { id: number; api_key: string };
let service: number;

beforeAll(async () => {
  provider = await startSignInProvider(redirectUrl);
  platform = await startPlatform({ fetchPrivate: '127.0.0.1' });
  const role = async (name: string) => (await platform.create('role', { name, is_active: true })).id;
  roles = { reader: await role('reader'), writer: await role('writer') };
  app = (await platform.create('app', { name: 'shop', type: 0, is_active: true })) as unknown as typeof app;
  service = (await make('corp', { app_role_map: [{ app_id: app.id, role_id: roles.writer }] })).id;
});
afterAll(async () => {
  await platform.stop();
  await provider.stop();
});

const make = (name: string, config: object = {}) =>
  platform.create('service', {
    ...{ name, label: 'Corp', type: 'oidc', is_active: true },
    config: { ...provider.config, default_role: roles.reader, icon_class: 'fa fa-key', ...config },
  });

const ask = (verb: string, path: string, options: object = {}) => platform.ask(verb, path, { token: null, ...options });
const messageOf = ({ status, body }: Answer) => [status, body?.error?.message];

/** Begins a sign-in; `cookie` is what the browser has of us then. */
async function begin(name = 'corp', on = platform) {
  const { status, headers } = await on.ask('GET', `user/session?service=${name}`, { token: null });
  expect(status).toBe(302);
  return { address: headers.location as string, cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' };
}

const complete = (back: URL, cookie: string, on = platform, key?: string) =>
  on.ask('POST', `user/session?oauth_callback=true&${back.searchParams}`, {
    ...{ token: null, headers: { cookie } },
    ...(key ? { key } : {}),
  });

async function signIn(account: string, name = 'corp', key?: string) {
  const { address, cookie } = await begin(name);
  return complete(await signInAt(address, account, redirectUrl), cookie, platform, key);
}

const personOf = async (id: number) =>
  (await platform.ask('GET', `system/user/${id}?related=user_to_app_to_role_by_user_id`)).body;

describe('a sign-in by a provider', () => {
  it('SRV-014 redirects to the provider with state, nonce and proof, and tells scripts where', async () => {
    const { address, cookie } = await begin();
    const { origin, searchParams } = new URL(address);
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ response_type: 'code', client_id: 'sluice', redirect_uri: redirectUrl, scope: 'openid email profile' },
      state: expect.stringMatching(/^[\w-]{40}$/),
      nonce: expect.stringMatching(/^[\w-]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(cookie).toMatch(/^sluice-sign-in=[\w-]{43}$/);
    const headers = { 'x-requested-with': 'XMLHttpRequest' };
    const script = await ask('GET', 'user/session?service=corp', { headers });
    expect([script.status, script.body]).toEqual([
      200,
      { response: { redirect: true, url: expect.stringContaining(`${provider.issuer}/auth?`) } },
    ]);
    expect((await ask('POST', 'user/session?service=corp')).status).toBe(302);
    expect(script.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=180$/);
  });

  it('SES-081 SRV-010: POST user/session?oauth_callback=true plus the original query string makes a session', async () => {
    provider.accounts.set('jo', { email: 'Jo@example.com', email_verified: true, name: 'Jo Doe' });
    const { status, body } = await signIn('jo', 'corp', app.api_key);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        ...{ email: 'Jo+corp@example.com', name: 'Jo Doe', first_name: 'Jo', last_name: 'Doe', is_sys_admin: false },
        ...{ role: 'writer', role_id: roles.writer, oauth_token: expect.any(String), id_token: expect.any(String) },
      }),
    ]);
    const own = await ask('GET', 'user/session', { token: body.session_token, key: app.api_key });
    expect(own.body).toMatchObject({ id: body.id, role: 'writer' });
    const person = await personOf(body.id);
    expect(person).toMatchObject({
      oauth_provider: 'corp',
      adldap: null,
      saml: null,
      is_active: true,
      confirmed: true,
    });
    const held = person.user_to_app_to_role_by_user_id as { app_id: number; role_id: number }[];
    const apps = (await platform.ask('GET', 'system/app?fields=id')).body.resource as { id: number }[];
    expect(held.map(({ app_id, role_id }) => [app_id, role_id]).sort()).toEqual(
      apps.map(({ id }) => [id, id === app.id ? roles.writer : roles.reader]).sort(),
    );
    const row = await platform.store.db.selectFrom('user').selectAll().where('id', '=', body.id).executeTakeFirst();
    expect([row?.confirm_code, row?.password, row?.last_login_date]).toEqual([null, null, expect.any(String)]);
    const again = await signIn('jo');
    expect([again.body.id, again.body.email]).toEqual([body.id, 'Jo+corp@example.com']);
  });

  it('keeps the roles that administrators gave, but for those of the map', async () => {
    provider.accounts.set('kay', { email: 'kay@example.com', email_verified: true });
    const { id } = (await signIn('kay')).body;
    const { id: other } = await platform.create('role', { name: 'auditor', is_active: true });
    await platform.store.db
      .updateTable('user_to_app_to_role')
      .set({ role_id: other })
      .where('user_id', '=', id)
      .execute();
    await signIn('kay');
    const held = (await personOf(id)).user_to_app_to_role_by_user_id as { app_id: number; role_id: number }[];
    expect(new Set(held.map((row) => [row.app_id === app.id, row.role_id].join(' ')))).toEqual(
      new Set([`true ${roles.writer}`, `false ${other}`]),
    );
  });

  it('SES-045: the environment lists the services, with their icons', async () => {
    expect((await ask('GET', 'system/environment')).body.authentication.oauth).toContainEqual({
      ...{ path: 'user/session?service=corp', name: 'corp', label: 'Corp', verb: ['GET', 'POST'] },
      ...{ type: 'oidc', icon_class: 'fa fa-key' },
    });
  });

  it('is completed by another process of the instance', async () => {
    provider.accounts.set('two', { email: 'two@example.com', email_verified: true });
    const { address, cookie } = await begin();
    const back = await signInAt(address, 'two', redirectUrl);
    const second = await startPlatform({ ...platform.settings });
    try {
      expect((await complete(back, cookie, second)).status).toBe(200);
      expect(messageOf(await complete(back, cookie))).toEqual([400, missing]);
    } finally {
      await second.stop();
    }
  });
});

describe('abuse', () => {
  it('of a sign-in that another browser began, that is over, used or unknown, is an ordinary login', async () => {
    const { address, cookie } = await begin();
    const stranger = (await begin()).cookie;
    const back = await signInAt(address, 'jo', redirectUrl);
    expect(messageOf(await complete(back, ''))).toEqual([400, missing]);
    expect(messageOf(await complete(back, stranger))).toEqual([400, missing]);
    expect((await complete(back, cookie)).status).toBe(200);
    expect(messageOf(await complete(back, cookie))).toEqual([400, missing]);
    const late = await begin();
    const lateBack = await signInAt(late.address, 'jo', redirectUrl);
    const expires_at = new Date(Date.now() - 1).toISOString();
    await platform.store.db.updateTable('pending_sign_in').set({ expires_at }).execute();
    expect(messageOf(await complete(lateBack, late.cookie))).toEqual([400, missing]);
    const unknown = new URL(`${redirectUrl}?code=x&state=${'s'.repeat(40)}`);
    expect(messageOf(await complete(unknown, cookie))).toEqual([400, missing]);
  });

  it('of a code of another sign-in, of another issuer and of a refusal signs nobody in', async () => {
    const first = await begin();
    const second = await begin();
    const back = await signInAt(first.address, 'jo', redirectUrl);
    // The state is right, the code is that of the other sign-in: its proof does not fit.
    const mixed = new URL(back);
    mixed.searchParams.set('state', new URL(second.address).searchParams.get('state') as string);
    expect(messageOf(await complete(mixed, second.cookie))).toEqual([
      401,
      'The provider did not confirm this sign-in: invalid grant.',
    ]);
    back.searchParams.set('iss', 'http://127.0.0.1:1');
    expect((await complete(back, first.cookie)).status).toBe(502);
    const third = await begin();
    const state = new URL(third.address).searchParams.get('state');
    const refused = new URL(`${redirectUrl}?error=access_denied&state=${state}&iss=${provider.issuer}`);
    expect(messageOf(await complete(refused, third.cookie))).toEqual([
      401,
      'The sign-in was cancelled or refused by the provider.',
    ]);
  });

  it('joins nobody: neither a local account nor one that took the address before, and no address that is not verified', async () => {
    const local = await platform.create('user', { email: 'ann@example.com', is_active: true, password: 'her own one' });
    const early = await platform.create('user', {
      email: 'ann+corp@example.com',
      is_active: true,
      password: 'waiting',
    });
    provider.accounts.set('ann', { email: 'ann@example.com', email_verified: true });
    const { body } = await signIn('ann');
    expect(body).toMatchObject({ email: 'ann+corp@corp.com' });
    expect([local.id, early.id]).not.toContain(body.id);
    provider.accounts.set('liar', { email: 'jo@example.com', email_verified: false });
    expect((await signIn('liar')).body).toMatchObject({ email: 'liar+corp@corp.com' });
    provider.accounts.set('nobody', {});
    expect((await signIn('nobody')).body).toMatchObject({ email: 'nobody+corp@corp.com', name: 'nobody' });
    // Another account of the provider that has the address later is another person.
    provider.accounts.set('jo the second', { email: 'jo@example.com', email_verified: true });
    const second = (await signIn('jo the second')).body;
    expect(second.email).toMatch(/^[0-9a-f]{40}\+corp@corp\.com$/);
  });

  it('by people who are inactive, or were made administrators, is refused', async () => {
    provider.accounts.set('max', { email: 'max@example.com', email_verified: true });
    const { id } = (await signIn('max')).body;
    await platform.ask('PATCH', `system/user/${id}`, { body: { is_active: false } });
    expect(messageOf(await signIn('max'))).toEqual([403, 'User is not active.']);
    await platform.store.db.updateTable('user').set({ is_active: 1, is_sys_admin: 1 }).where('id', '=', id).execute();
    expect(messageOf(await signIn('max'))).toEqual([401, 'Invalid credentials supplied.']);
  });

  it('of the made-up address gets no mail for a new password, and no service of the same name its people', async () => {
    provider.accounts.set('pat', { email: 'pat@example.com', email_verified: true });
    const gone = await make('old');
    const { id } = (await signIn('pat', 'old')).body;
    const body = { email: 'pat+old@example.com' };
    expect((await ask('POST', 'user/password?reset=true', { body })).body).toEqual({ success: true });
    await platform.ask('DELETE', `system/service/${gone.id}`);
    await make('old');
    expect((await signIn('pat', 'old')).body).toMatchObject({ email: 'pat+old@old.com' });
    const row = await platform.store.db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row?.confirm_code).toBe(null);
    await platform.ask('DELETE', `system/user/${id}`);
    const links = await platform.store.db
      .selectFrom('external_identity')
      .where('user_id', '=', id)
      .selectAll()
      .execute();
    expect(links).toEqual([]);
  });

  it('by who may write services, but is no administrator: they write none to sign in by', async () => {
    const access = [{ service_id: 1, component: 'service/*', verb_mask: 31, requestor_mask: 3 }];
    const delegate = { name: 'delegate', is_active: true, role_service_access_by_role_id: access };
    const { id: role_id } = await platform.create('role', delegate);
    const { api_key: key } = await platform.create('app', { name: 'tool', type: 0, is_active: true, role_id });
    const as = { token: null, key: String(key) };
    const config = { token_endpoint: 'https://evil.example/token', client_secret: 'mine' };
    expect(messageOf(await platform.ask('PATCH', `system/service/${service}`, { ...as, body: { config } }))).toEqual([
      401,
      'You are not authorized to perform this action.',
    ]);
    const record = { name: 'evil', label: 'Evil', type: 'oidc', is_active: true, config: provider.config };
    const created = await platform.ask('POST', 'system/service', { ...as, body: { resource: [record] } });
    expect(created.body.error.context.resource[0].status_code).toBe(401);
  });

  it('of services that are none to sign in by', async () => {
    expect(messageOf(await ask('GET', 'user/session?service=api_docs'))).toEqual([
      400,
      'Invalid login service provided. Please use an OAuth service.',
    ]);
    expect(messageOf(await ask('POST', 'user/session?service=api_docs'))).toEqual([
      400,
      'Invalid login service provided. Please use an OAuth or AD/Ldap service.',
    ]);
    expect((await ask('GET', 'user/session?service=nothing')).status).toBe(404);
    expect((await ask('POST', 'system/admin/session?service=corp')).status).toBe(400);
  });

  it('of a provider in a private network that the setting does not name, and of one that is down', async () => {
    const closed = await startPlatform();
    try {
      const config = { ...provider.config, auth_endpoint: provider.issuer, token_endpoint: `${provider.issuer}/token` };
      const record = { name: 'corp', label: 'Corp', type: 'oidc', is_active: true };
      const discovered = await closed.ask('POST', 'system/service', { body: { resource: [{ ...record, config }] } });
      expect(discovered.body.error.context.resource[0]).toMatchObject({
        message: 'The URL leads to an address that this server does not fetch from.',
      });
    } finally {
      await closed.stop();
    }
    await make('down', {
      ...{ discovery_document: null, issuer: 'http://127.0.0.1:1', scopes: 'openid' },
      ...{ auth_endpoint: 'http://127.0.0.1:1/auth', token_endpoint: 'http://127.0.0.1:1/token' },
      user_endpoint: 'http://127.0.0.1:1/me',
    });
    const { address, cookie } = await begin('down');
    const back = new URL(`${redirectUrl}?code=x&state=${new URL(address).searchParams.get('state')}`);
    expect(messageOf(await complete(back, cookie))).toEqual([
      503,
      'The sign-in provider is not available: the connection was refused.',
    ]);
  });
});

describe('a custom provider', () => {
  it('needs its addresses, signs in by what it answers of a token, and takes none from native clients', async () => {
    const { issuer, config } = provider;
    const { client_id, client_secret, redirect_url } = config;
    const own = { client_id, client_secret, redirect_url, custom_provider: true };
    const record = { name: 'forge', label: 'Forge', type: 'oauth_github', is_active: true };
    const bare = await platform.ask('POST', 'system/service', { body: { resource: [{ ...record, config: own }] } });
    expect(bare.body.error.context.resource[0].message).toBe(
      'Invalid data supplied. The auth_endpoint field is required.',
    );
    const ends = { auth_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, user_endpoint: `${issuer}/me` };
    await platform.create('service', { ...record, config: { ...own, ...ends, scopes: 'openid, email profile' } });
    provider.accounts.set('gil', {
      email: 'gil@example.com',
      email_verified: true,
      given_name: 'Gil',
      family_name: 'Oz',
    });
    const { status, body } = await signIn('gil', 'forge');
    expect([status, body]).toEqual([200, expect.objectContaining({ email: 'gil+forge@example.com', name: 'Gil Oz' })]);
    expect(Object.keys(body)).not.toContain('id_token');
    expect((await personOf(body.id)).oauth_provider).toBe('forge');
    const tokens = { access_token: body.oauth_token };
    expect((await ask('POST', 'forge/sso', { body: tokens })).status).toBe(400);
  });
});

describe('POST {service}/sso', () => {
  /** Tokens that a client of the provider gets for an account. */
  async function tokensOf(account: string, client: { client_id: string; client_secret: string } = provider.config) {
    const query = new URLSearchParams({
      ...{
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUrl,
        scope: 'openid email profile',
      },
      state: 'x',
    });
    const back = await signInAt(`${provider.issuer}/auth?${query}`, account, redirectUrl);
    const form = { grant_type: 'authorization_code', code: String(back.searchParams.get('code')) };
    const { client_id, client_secret } = client;
    const body = new URLSearchParams({ ...form, redirect_uri: redirectUrl, client_id, client_secret });
    const response = await fetch(`${provider.issuer}/token`, { method: 'POST', body });
    return (await response.json()) as { access_token: string; id_token: string };
  }

  it('signs in by tokens that were issued to this instance', async () => {
    provider.accounts.set('nat', { email: 'nat@example.com', email_verified: true });
    const body = await tokensOf('nat');
    const answer = await ask('POST', 'corp/sso', { body });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        email: 'nat+corp@example.com',
        oauth_token: body.access_token,
        id_token: body.id_token,
      }),
    ]);
    expect((await signIn('nat')).body.id).toBe(answer.body.id);
  });

  it('abuse: takes no tokens of another client, of two sign-ins, altered or alone', async () => {
    const own = await tokensOf('nat');
    const other = await tokensOf('jo', otherClient);
    const [head, payload, signature] = own.id_token.split('.') as [string, string, string];
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'jo' };
    const forged = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const body of [
      other,
      { access_token: own.access_token },
      { access_token: other.access_token },
      { ...own, id_token: forged },
      { ...own, id_token: `${none}.${payload}.` },
      { ...other, id_token: own.id_token },
    ])
      expect([body, (await ask('POST', 'corp/sso', { body })).status]).toEqual([
        body,
        expect.toSatisfy((status) => status === 401 || status === 502),
      ]);
    expect(messageOf(await ask('POST', 'corp/sso', { body: {} }))).toEqual([
      400,
      'No access token of the provider was sent.',
    ]);
  });
});

describe('the configuration', () => {
  it('is filled from the discovery document when it is saved, keeps what was written, and masks the secret', async () => {
    const { body } = await platform.ask('GET', `system/service/${service}`);
    expect(body.config).toMatchObject({
      ...{
        issuer: provider.issuer,
        auth_endpoint: `${provider.issuer}/auth`,
        token_endpoint: `${provider.issuer}/token`,
      },
      ...{
        user_endpoint: `${provider.issuer}/me`,
        jwks_uri: `${provider.issuer}/jwks`,
        scopes: 'openid, email, profile',
      },
      client_secret: '**********',
    });
    const kept = await make('kept', { scopes: 'openid' });
    expect((kept as unknown as { config: { scopes: string } }).config.scopes).toBe('openid');
  });

  it('needs its addresses and scopes where no document says them, and a key address where tokens are validated', async () => {
    const { client_id, client_secret, redirect_url } = provider.config;
    const own = { client_id, client_secret, redirect_url };
    const answer = async (config: object) => {
      const service = { name: 'bare', label: 'Bare', type: 'oidc', is_active: true, config: { ...own, ...config } };
      const { body } = await platform.ask('POST', 'system/service', { body: { resource: [service] } });
      const { status_code, message } = body.error.context.resource[0];
      return [status_code, message];
    };
    const invalid = (field: string) => [400, `Invalid data supplied. The ${field} field is required.`];
    expect(await answer({})).toEqual(invalid('auth_endpoint'));
    const ends = { auth_endpoint: 'https://p.example/a', token_endpoint: 'https://p.example/t' };
    expect(await answer({ auth_endpoint: ends.auth_endpoint })).toEqual(invalid('token_endpoint'));
    expect(await answer(ends)).toEqual(invalid('scopes'));
    const scoped = { ...ends, scopes: 'openid', user_endpoint: 'https://p.example/u' };
    expect(await answer({ ...scoped, validate_id_token: true })).toEqual(invalid('jwks_uri'));
    expect((await answer({ ...scoped, redirect_url: 'https://a.example/?x=1' }))[0]).toBe(400);
    expect((await answer({ ...scoped, auth_endpoint: 'javascript:alert(1)' }))[0]).toBe(400);
  });
});
