// Signing in by a real provider of SAML 2.0, over HTTP: whole sign-ins, and answers that mean harm.
import { createPublicKey, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { type Answer, startPlatform, type TestPlatform } from '@sluice/testkit';
import {
  type AnswerOptions,
  makeKeyPair,
  type PostedAnswer,
  type SamlProvider,
  signInAtSaml,
  startSamlProvider,
} from '@sluice/testkit/saml-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const invalid = [400, 'Invalid SAML Response provided'];
const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/';
let provider: SamlProvider;
let platform: TestPlatform;
let roles: { reader: number; writer: number };
let app: { id: number; api_key: string };
const own = makeKeyPair();
const foreign = makeKeyPair();

beforeAll(async () => {
  provider = await startSamlProvider();
  platform = await startPlatform();
  const role = async (name: string) => (await platform.create('role', { name, is_active: true })).id;
  roles = { reader: await role('reader'), writer: await role('writer') };
  app = (await platform.create('app', { name: 'shop', type: 0, is_active: true })) as unknown as typeof app;
  await make('corp', { app_role_map: [{ app_id: app.id, role_id: roles.writer }], icon_class: 'fa fa-key' });
});
afterAll(async () => {
  await platform.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.options = {};
});

const make = (name: string, config: object = {}) =>
  platform.create('service', {
    ...{ name, label: 'Corp', type: 'saml', is_active: true },
    config: { ...provider.config, default_role: roles.reader, ...config },
  });

const ask = (verb: string, path: string, options: object = {}) => platform.ask(verb, path, { token: null, ...options });
const messageOf = ({ status, body }: Answer) => [status, body?.error?.message];

/** Begins a sign-in; `cookie` is what the browser has of us then. */
async function begin(name = 'corp', on = platform) {
  const { status, headers } = await on.ask('GET', `${name}/sso`, { token: null });
  expect(status).toBe(302);
  return { address: headers.location as string, cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' };
}

/** Sends an answer of the provider as a browser does; without a cookie as from another site. */
const post = ({ SAMLResponse, RelayState }: Partial<PostedAnswer>, cookie = '', name = 'corp', key?: string) =>
  ask('POST', `${name}/acs`, {
    body: new URLSearchParams({ SAMLResponse: SAMLResponse ?? '', RelayState: RelayState ?? '' }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(cookie
        ? { cookie }
        : { origin: 'https://idp.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }),
    },
    ...(key ? { key } : {}),
  });

/** A whole sign-in, with what a test does to the answer on its way. */
async function signIn(
  account: string,
  { name = 'corp', options = {}, change = (xml) => xml, key }: Changes = {},
): Promise<Answer> {
  const { address, cookie } = await begin(name);
  provider.options = options;
  const answer = await signInAtSaml(address, account);
  return post({ ...answer, SAMLResponse: encode(change(decode(answer), stateIn(address))) }, cookie, name, key);
}

interface Changes {
  name?: string;
  options?: AnswerOptions;
  change?: (xml: string, state: string) => string;
  key?: string;
}

const decode = ({ SAMLResponse }: PostedAnswer) => Buffer.from(SAMLResponse, 'base64').toString();
/** The state of the request that a browser takes to the provider. */
const stateIn = (address: string): string => {
  const request = inflateRawSync(
    Buffer.from(new URL(address).searchParams.get('SAMLRequest') ?? '', 'base64'),
  ).toString();
  return / ID="_([\w-]{40})"/.exec(request)?.[1] ?? '';
};
const encode = (xml: string) => Buffer.from(xml).toString('base64');
const personOf = async (id: number) =>
  (await platform.ask('GET', `system/user/${id}?related=user_to_app_to_role_by_user_id`)).body;
const isKnown = async (email: string) => {
  const list = await platform.ask('GET', `system/user?filter=${encodeURIComponent(`email = "${email}"`)}`);
  return list.body.resource.length === 1;
};

describe('a sign-in by SAML', () => {
  it('SRV-014 redirects to the provider with a request of this instance, and a cookie', async () => {
    const { headers } = await ask('GET', 'corp/sso');
    const { origin, searchParams } = new URL(headers.location as string);
    expect(origin).toBe(new URL(provider.entityId).origin);
    expect([...searchParams.keys()]).toEqual(['SAMLRequest', 'RelayState']);
    expect(searchParams.get('RelayState')).toBe(`${platform.url}/api/v2/corp/sso`);
    expect(stateIn(headers.location as string)).not.toBe('');
    const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(request).toContain(`AssertionConsumerServiceURL="${platform.url}/api/v2/corp/acs"`);
    expect(request).toContain(`${platform.url}/api/v2/corp/metadata</saml:Issuer>`);
    expect(request).toContain('Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"');
    expect(headers['set-cookie']).toMatch(/^sluice-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=180$/);
  });

  it('answers the session with what was sent, and makes a person of the service with its roles', async () => {
    provider.accounts.set('jo@example.com', { [`${claims}givenname`]: 'Jo', [`${claims}surname`]: 'Doe' });
    const { status, body } = await signIn('jo@example.com', { key: app.api_key });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        ...{ email: 'jo+corp@example.com', name: 'Jo Doe', first_name: 'Jo', last_name: 'Doe', is_sys_admin: false },
        ...{ role: 'writer', role_id: roles.writer, session_token: expect.any(String) },
        SAMLResponse: expect.stringMatching(/^[\w+/=]{1000,}$/),
      }),
    ]);
    expect(Object.keys(body)).not.toContain('oauth_token');
    const person = await personOf(body.id);
    expect(person).toMatchObject({ saml: 'corp', oauth_provider: null, adldap: null, is_active: true });
    const held = person.user_to_app_to_role_by_user_id as { app_id: number; role_id: number }[];
    expect(held.find(({ app_id }) => app_id === app.id)?.role_id).toBe(roles.writer);
    expect(new Set(held.filter(({ app_id }) => app_id !== app.id).map(({ role_id }) => role_id))).toEqual(
      new Set([roles.reader]),
    );
    const row = await platform.store.db.selectFrom('user').selectAll().where('id', '=', body.id).executeTakeFirst();
    expect([row?.confirm_code, row?.password, row?.last_login_date]).toEqual([null, null, expect.any(String)]);
    expect((await signIn('jo@example.com')).body.id).toBe(body.id);
  });

  it('leads to the relay state with the token in it, and from another site by the cookie that the browser brings next', async () => {
    const relay_state = 'https://console.example/?session_token=_token_&again=_token_';
    await make('relay', { relay_state });
    const first = await signIn('jo@example.com', { name: 'relay' });
    const target = new URL(first.headers.location as string);
    expect([first.status, target.origin, target.searchParams.get('again')]).toEqual([
      ...[302, 'https://console.example', target.searchParams.get('session_token')],
    ]);
    expect([first.headers['cache-control'], first.headers['referrer-policy'], first.text]).toEqual([
      ...['no-store', 'no-referrer', expect.not.stringContaining('ey')],
    ]);
    const session = await ask('GET', `user/session?session_token=${target.searchParams.get('session_token')}`);
    expect(session.body).toMatchObject({ email: 'jo+relay@example.com' });

    const { address, cookie } = await begin('relay');
    const answer = await signInAtSaml(address, 'jo@example.com');
    const crossSite = await post(answer, '', 'relay');
    expect([crossSite.status, crossSite.headers.location]).toEqual([
      ...[303, expect.stringMatching(/\/api\/v2\/relay\/acs\?state=[\w-]{40}$/)],
    ]);
    const next = new URL(crossSite.headers.location as string);
    const last = await ask('GET', `${next.pathname}${next.search}`, { headers: { cookie } });
    expect([last.status, last.headers.location]).toEqual([302, expect.stringContaining('https://console.example/?')]);
    expect(messageOf(await ask('GET', `${next.pathname}${next.search}`, { headers: { cookie } }))).toEqual(invalid);
  });

  it('answers the session behind that step, too, and is completed by another process of the instance', async () => {
    const second = await startPlatform({ ...platform.settings });
    try {
      const { address, cookie } = await begin();
      const crossSite = await post(await signInAtSaml(address, 'jo@example.com'));
      const { search } = new URL(crossSite.headers.location as string);
      const { status, body } = await second.ask('GET', `corp/acs${search}`, { token: null, headers: { cookie } });
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ email: 'jo+corp@example.com', SAMLResponse: expect.any(String) }),
      ]);
    } finally {
      await second.stop();
    }
  });

  it('knows people by a NameID of the format of the service, and takes address and names from attributes', async () => {
    await make('ids', { sp_nameIDFormat: persistent });
    provider.accounts.set('4711', {
      ...{
        'urn:oid:0.9.2342.19200300.100.1.3': 'pat@example.com',
        'urn:oid:2.16.840.1.113730.3.1.241': 'Pat Long Lee',
      },
      ...{ 'urn:oid:2.5.4.42': 'Pat', 'urn:oid:2.5.4.4': 'Lee' },
    });
    const options = { nameIdentifierFormat: persistent };
    const { body } = await signIn('4711', { name: 'ids', options });
    expect(body).toMatchObject({ email: 'pat+ids@example.com', name: 'Pat Long Lee', last_name: 'Lee' });
    provider.accounts.set('4711', { 'urn:oid:0.9.2342.19200300.100.1.3': 'patty@example.com' });
    expect((await signIn('4711', { name: 'ids', options })).body).toMatchObject({ id: body.id, email: body.email });
    // Without an address, and with one that somebody has already.
    expect((await signIn('4712', { name: 'ids', options })).body.email).toBe('4712+ids@ids.com');
    provider.accounts.set('4713', { mail: 'pat@example.com' });
    expect((await signIn('4713', { name: 'ids', options })).body.email).toBe('4713+ids@ids.com');
    await make('plain', { sp_nameIDFormat: '' });
    const plain = await signIn('ann', { name: 'plain', options: { nameIdentifierFormat: unspecified } });
    expect(plain.body.email).toBe('ann+plain@plain.com');
  });

  it('takes a signature of the whole as well as one of the assertion, and both', async () => {
    for (const options of [{ signAssertion: false, signResponse: true }, { signResponse: true }, {}])
      expect((await signIn('jo@example.com', { options })).status).toBe(200);
    // And of people who are in many groups, as many as providers send.
    const groups = Array.from({ length: 150 }, (_, index) => `cn=group ${index},ou=groups,dc=example,dc=com`);
    provider.accounts.set('many@example.com', { 'http://schemas.xmlsoap.org/claims/Group': groups });
    expect((await signIn('many@example.com', { options: { signResponse: true } })).status).toBe(200);
  });

  it('signs requests and decrypts assertions where the service has a key', async () => {
    await make('keyed', { sp_privateKey: own.key, sp_x509cert: own.cert });
    const signingCert = own.cert;
    expect((await signIn('jo@example.com', { name: 'keyed', options: { signingCert } })).status).toBe(200);
    const encryptionPublicKey = createPublicKey(own.cert).export({ type: 'spki', format: 'pem' }).toString();
    const encrypted = { signingCert, encryptionCert: own.cert, encryptionPublicKey };
    let seen = '';
    const change = (xml: string) => {
      seen = xml;
      return xml;
    };
    const { status, body } = await signIn('jo@example.com', { name: 'keyed', options: encrypted, change });
    expect([status, body.email]).toEqual([200, 'jo+keyed@example.com']);
    expect([seen.includes('EncryptedAssertion'), seen.includes('jo@example.com')]).toEqual([true, false]);
    const options = { ...encrypted, signAssertion: false };
    expect(messageOf(await signIn('jo@example.com', { name: 'keyed', options }))).toEqual(invalid);
    expect(
      (await signIn('jo@example.com', { name: 'keyed', options: { ...options, signResponse: true } })).status,
    ).toBe(200);
    const encryption = 'http://www.w3.org/2001/04/xmlenc#';
    const old = {
      ...encrypted,
      disallowEncryptionWithInsecureAlgorithm: false,
      warnOnInsecureEncryptionAlgorithm: false,
    };
    const cbc = { ...old, encryptionAlgorithm: `${encryption}aes256-cbc` };
    expect((await signIn('jo@example.com', { name: 'keyed', options: cbc })).status).toBe(200);
    // Weak ones are not decrypted, nor what says it is encrypted by one.
    const weak = { ...old, encryptionAlgorithm: `${encryption}tripledes-cbc` };
    expect(messageOf(await signIn('jo@example.com', { name: 'keyed', options: weak }))).toEqual(invalid);
    const downgraded = (xml: string) => xml.replace(`${encryption}rsa-oaep-mgf1p`, `${encryption}rsa-1_5`);
    expect(
      messageOf(await signIn('jo@example.com', { name: 'keyed', options: encrypted, change: downgraded })),
    ).toEqual(invalid);
    const garbled = (xml: string) => {
      const at = xml.lastIndexOf('CipherValue>', xml.lastIndexOf('CipherValue>') - 1) + 'CipherValue>'.length;
      return `${xml.slice(0, at)}${'A'.repeat(20)}${xml.slice(at + 20)}`;
    };
    expect(messageOf(await signIn('jo@example.com', { name: 'keyed', options: cbc, change: garbled }))).toEqual(
      invalid,
    );
    // A provider that wants signed requests refuses those of a service without a key.
    provider.options = { signingCert };
    await expect(signInAtSaml((await begin()).address, 'jo@example.com')).rejects.toThrow('answered 400');
    // A service without a key reads none that is encrypted.
    expect(messageOf(await signIn('jo@example.com', { options: { ...encrypted, signingCert: undefined } }))).toEqual(
      invalid,
    );
  });

  it('describes itself to the provider', async () => {
    const { status, headers, text } = await ask('GET', 'corp/metadata');
    expect([status, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(text).toContain(`entityID="${platform.url}/api/v2/corp/metadata"`);
    expect(text).toContain(`Location="${platform.url}/api/v2/corp/acs"`);
    expect(text).toContain('AuthnRequestsSigned="false"');
    expect(text).not.toContain('X509Certificate');
    const keyed = (await ask('GET', 'keyed/metadata')).text;
    const [certificate] = /X509Certificate>([^<]*)</.exec(keyed)?.slice(1) ?? [];
    expect(Buffer.from(certificate ?? '', 'base64')).toEqual(new X509Certificate(own.cert).raw);
    expect(keyed).toContain('AuthnRequestsSigned="true"');
    expect(keyed).not.toContain('PRIVATE');
  });

  it('SES-046 SES-090: the environment lists the services, each with the address that a browser goes to', async () => {
    expect((await ask('GET', 'system/environment')).body.authentication.saml).toContainEqual({
      ...{ path: 'corp/sso', name: 'corp', label: 'Corp', verb: 'GET', type: 'saml', icon_class: 'fa fa-key' },
    });
    expect((await ask('GET', 'corp/sso')).headers.location).toMatch(provider.config.idp_singleSignOnService_url ?? '-');
  });

  it('says what a provider says that signed nobody in', async () => {
    const refusal = { code: 'urn:oasis:names:tc:SAML:2.0:status:Responder', description: 'Locked' };
    const answer = await signIn('jo@example.com', { options: { refusal } });
    expect(messageOf(answer)).toEqual([
      500,
      expect.stringMatching(/^Bad response received from idp\. \{"status":\["Responder"\],/),
    ]);
  });

  it('refuses people who are inactive, or were made administrators', async () => {
    const { id } = (await signIn('max@example.com')).body;
    await platform.ask('PATCH', `system/user/${id}`, { body: { is_active: false } });
    expect(messageOf(await signIn('max@example.com'))).toEqual([403, 'User is not active.']);
    await platform.store.db.updateTable('user').set({ is_active: 1, is_sys_admin: 1 }).where('id', '=', id).execute();
    expect(messageOf(await signIn('max@example.com'))).toEqual([401, 'Invalid credentials supplied.']);
    await signIn('max@example.com', { options: foreign });
    const trail = await platform.ask('GET', 'system/audit?filter=action="sign_in"&order=id%20desc&limit=20');
    const outcomes = (trail.body.resource as { user_email: string; outcome: string }[]).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(
      expect.arrayContaining(['ok', 'User is not active.', 'Invalid credentials supplied.', invalid[1]]),
    );
  });
});

describe('abuse: an answer is refused', () => {
  const replaced = (from: string | RegExp, to: string) => (xml: string) => {
    const changed = xml.replace(from, to);
    expect(changed).not.toBe(xml);
    return changed;
  };

  it.each<[string, RegExp, Changes]>([
    ['that was changed', /^Invalid signature$/, { change: replaced('victim@example.com', 'admins@example.com') }],
    ['that is not signed', /^it is not signed$/, { options: { signAssertion: false } }],
    ['whose signature was taken out', /^it is not signed$/, { change: replaced(/<Signature .*<\/Signature>/s, '') }],
    ['signed by another key, whose certificate it brings', /^Invalid signature$/, { options: foreign }],
    ['signed by SHA-1', /SignatureMethod/, { options: { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' } }],
    ['with a digest of SHA-1', /DigestMethod/, { options: { digestAlgorithm: 'sha1' } }],
    [
      'signed by nothing',
      /SignatureMethod "none"/,
      { change: replaced(/(<SignatureMethod Algorithm=")[^"]*/, '$1none') },
    ],
    [
      'signed by a shared secret',
      /SignatureMethod .*hmac/,
      { change: replaced(/(<SignatureMethod Algorithm=")[^"]*/, '$1http://www.w3.org/2000/09/xmldsig#hmac-sha1') },
    ],
    [
      'with a transform that takes text out',
      /Transform/,
      { change: replaced(/(<Transform Algorithm=")[^"]*/, '$1http://www.w3.org/TR/1999/REC-xpath-19991116') },
    ],
    [
      'for another program of the provider',
      /audience mismatch/,
      { options: { audience: 'https://other.example/metadata' } },
    ],
    ['for another address', /another address/, { options: { recipient: 'https://other.example/acs' } }],
    ['whose form was for another address', /Destination/, { options: { destination: 'https://other.example/acs' } }],
    [
      'to another request, in a form that says it is to this one',
      /another request/,
      {
        options: { inResponseTo: `_${'x'.repeat(40)}` },
        change: (xml, state) => xml.replace(/InResponseTo="[^"]*"/, `InResponseTo="_${state}"`),
      },
    ],
    ['of another provider', /another provider sent/, { options: { issuer: 'https://other.example/metadata' } }],
    [
      'of another provider, in a form that says it is of this one',
      /another provider made/,
      {
        options: { issuer: 'https://other.example/metadata' },
        change: (xml) => xml.replace('https://other.example/metadata', provider.entityId),
      },
    ],
    [
      'that was good, in a form that says nobody signed in',
      /nobody was signed in/,
      { change: replaced('status:Success', 'status:Responder') },
    ],
    ['that is over', /expired/, { options: { lifetimeInSeconds: -120 } }],
    [
      'of another format of NameID',
      /format unspecified, not emailAddress/,
      { options: { nameIdentifierFormat: unspecified } },
    ],
    [
      'with a right signature beside a wrong one',
      /^Invalid document signature$/,
      {
        options: { signResponse: true },
        change: replaced('Version="2.0" IssueInstant', 'Consent="x" Version="2.0" IssueInstant'),
      },
    ],
    [
      'with a comment in the NameID',
      /comments/,
      { change: replaced('victim@example.com', 'vic<!---->tim@example.com') },
    ],
    ['with CDATA', /comments/, { change: replaced('victim@example.com', '<![CDATA[victim@example.com]]>') }],
    [
      'with a document type',
      /comments/,
      { change: (xml) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}` },
    ],
    [
      'with entities that grow',
      /comments/,
      { change: (xml) => `<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>${xml.replace('victim@', '&b;@')}` },
    ],
    ['with an instruction', /comments/, { change: (xml) => xml.replace('<saml:Subject>', '<?x y?><saml:Subject>') }],
    [
      'nested without end',
      /too deep/,
      { change: (xml) => xml.replace('</samlp:Response>', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}</samlp:Response>`) },
    ],
    [
      'of very many elements',
      /too many elements/,
      { change: (xml) => xml.replace('</samlp:Response>', `${'<a/>'.repeat(3000)}</samlp:Response>`) },
    ],
    [
      'of very many attributes',
      /too many attributes/,
      {
        change: (xml) =>
          xml.replace('</samlp:Response>', `${'<a b="1" c="2" d="3" e="4"/>'.repeat(250)}</samlp:Response>`),
      },
    ],
    ['that is no XML', /./, { change: (_xml, state) => `x InResponseTo="_${state}"` }],
    ['that is no answer', /no Response/, { change: (_xml, state) => `<a InResponseTo="_${state}"/>` }],
    [
      'that asks for a sign-out',
      /no Response/,
      { change: (xml) => xml.replaceAll('samlp:Response', 'samlp:LogoutResponse') },
    ],
  ])('%s', async (_what, reason, changes) => {
    const warn = vi.spyOn(platform.log, 'warn');
    expect(messageOf(await signIn('victim@example.com', changes))).toEqual(invalid);
    expect(String(warn.mock.calls[0]?.[0] && Object.values(warn.mock.calls[0][0]).at(-1))).toMatch(reason);
    warn.mockRestore();
    for (const email of ['victim+corp@example.com', 'admins+corp@example.com'])
      expect(await isKnown(email)).toBe(false);
  });

  it('to a request that nobody made', async () => {
    expect(messageOf(await signIn('victim@example.com', { options: { inResponseTo: `_${'x'.repeat(40)}` } }))).toEqual(
      invalid,
    );
  });

  it('that is none at all', async () => {
    const { cookie } = await begin();
    for (const SAMLResponse of ['', 'not base64!', encode('<a/>'), '/////w=='])
      expect(messageOf(await post({ SAMLResponse }, cookie))).toEqual(invalid);
    expect(messageOf(await ask('POST', 'corp/acs', { body: { SAMLResponse: { a: 1 } } }))).toEqual(invalid);
    expect(messageOf(await ask('POST', 'corp/acs'))).toEqual(invalid);
    expect((await post({ SAMLResponse: 'A'.repeat(70_000) }, cookie)).status).toBe(413);
    for (const state of ['', 'x', 'x'.repeat(40), 'x'.repeat(4000)])
      expect(messageOf(await ask('GET', `corp/acs?state=${state}`, { headers: { cookie } }))).toEqual(invalid);
  });

  it('that is sent twice, or that the request has been answered wrongly before', async () => {
    const { address, cookie } = await begin();
    const answer = await signInAtSaml(address, 'victim@example.com.example');
    expect((await post(answer, cookie)).status).toBe(200);
    expect(messageOf(await post(answer, cookie))).toEqual(invalid);
    expect(messageOf(await post(answer))).toEqual(invalid);
    const second = await begin();
    const right = await signInAtSaml(second.address, 'victim@example.com.example');
    const wrong = encode(decode(right).replaceAll('victim', 'admins'));
    expect(messageOf(await post({ ...right, SAMLResponse: wrong }, second.cookie))).toEqual(invalid);
    expect(messageOf(await post(right, second.cookie))).toEqual(invalid);
    // The place of the one that was answered wrongly stays taken.
    const count = () => platform.store.db.selectFrom('pending_sign_in').selectAll().execute();
    const places = (await count()).length;
    const spent = await begin();
    const answered = await signInAtSaml(spent.address, 'victim@example.com.example');
    await post({ ...answered, SAMLResponse: encode(decode(answered).replaceAll('victim', 'admins')) }, spent.cookie);
    expect((await count()).length).toBe(places + 1);
    // From another site, too: what was confirmed once is not confirmed again.
    const third = await begin();
    const sent = await signInAtSaml(third.address, 'victim@example.com.example');
    expect((await post(sent)).status).toBe(303);
    expect(messageOf(await post(sent))).toEqual(invalid);
    expect(messageOf(await post(sent, third.cookie))).toEqual(invalid);
  });

  it('of a sign-in that another browser began, that is over, or that nobody began', async () => {
    const { address } = await begin();
    const stranger = (await begin()).cookie;
    const answer = await signInAtSaml(address, 'mallory@example.com');
    expect(messageOf(await post(answer, stranger))).toEqual(invalid);
    const crossSite = await post(answer);
    const { search } = new URL(crossSite.headers.location as string);
    expect(messageOf(await ask('GET', `corp/acs${search}`, { headers: { cookie: stranger } }))).toEqual(invalid);
    expect(messageOf(await ask('GET', `corp/acs${search}`))).toEqual(invalid);
    const late = await begin();
    const lateAnswer = await signInAtSaml(late.address, 'mallory@example.com');
    const expires_at = new Date(Date.now() - 1).toISOString();
    await platform.store.db.updateTable('pending_sign_in').set({ expires_at }).execute();
    expect(messageOf(await post(lateAnswer, late.cookie))).toEqual(invalid);
    // The provider sends it unasked.
    const unasked = new URL(provider.config.idp_singleSignOnService_url as string);
    unasked.searchParams.set('acs', `${platform.url}/api/v2/corp/acs`);
    unasked.searchParams.set('audience', `${platform.url}/api/v2/corp/metadata`);
    const gift = await signInAtSaml(unasked.href, 'mallory@example.com');
    expect(messageOf(await post(gift, stranger))).toEqual(invalid);
    expect(await isKnown('mallory+corp@example.com')).toBe(false);
  });

  it('of another service, also one of the same provider', async () => {
    await make('other');
    const { address, cookie } = await begin('other');
    const answer = await signInAtSaml(address, 'mallory@example.com');
    expect(messageOf(await post(answer, cookie))).toEqual(invalid);
    const mine = await begin();
    const moved = await begin('other');
    provider.options = { inResponseTo: `_${stateIn(mine.address)}` };
    expect(messageOf(await post(await signInAtSaml(moved.address, 'mallory@example.com'), mine.cookie))).toEqual(
      invalid,
    );
  });

  it('that a script of another site sends, or as anything but a form; other addresses take no forms either', async () => {
    const { address } = await begin();
    const { SAMLResponse } = await signInAtSaml(address, 'mallory@example.com');
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' };
    const send = (path: string, headers: object) =>
      ask('POST', path, { body: new URLSearchParams({ SAMLResponse }).toString(), headers });
    for (const [path, headers] of [
      ['corp/acs', { ...form, 'sec-fetch-mode': 'cors' }],
      ['corp/acs', { ...form, 'content-type': 'text/plain' }],
      ['corp/acs', { ...form, 'content-type': 'application/json' }],
      ...['corp/sso', 'corp/acs/x', 'user/session', 'system/admin/session', 'nothing/acs'].map(
        (path) => [path, form] as const,
      ),
    ] as const)
      expect([path, (await send(path, headers)).text]).toEqual([path, 'Not allowed in CORS policy.']);
    // A provider may hide where it is.
    const answer = await send('corp/acs', { ...form, origin: 'null' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([303, undefined]);
  });

  it('whose signature is wrapped, in each of the eight known ways', async () => {
    /** The parts of an answer whose assertion is signed, and an assertion that nobody signed. */
    const partsOf = (xml: string) => {
      const [assertion = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml) ?? [];
      const [signature = ''] = /<Signature .*<\/Signature>/s.exec(assertion) ?? [];
      const bare = assertion.replace(signature, '');
      const evil = bare.replace(/ ID="[^"]*"/, ' ID="_evil"').replaceAll('victim@', 'admins@');
      expect([assertion.length > 0, signature.length > 0, evil.includes('admins@')]).toEqual([true, true, true]);
      return { assertion, signature, bare, evil };
    };
    const into = (evil: string, content: string) => evil.replace('</saml:Issuer>', `</saml:Issuer>${content}`);
    const within = (signature: string, content: string) => signature.replace('</Signature>', `${content}</Signature>`);
    const evilRoot = (xml: string) => xml.replace(/ ID="[^"]*"/, ' ID="_evilroot"').replaceAll('victim@', 'admins@');
    const ways: Record<string, (xml: string) => string> = {
      1: (xml) => {
        const [signature = ''] = /<Signature .*?<\/Signature>/s.exec(xml) ?? [];
        return evilRoot(xml.replace(signature, '')).replace(
          '</saml:Issuer>',
          `</saml:Issuer>${within(signature, xml.replace(signature, ''))}`,
        );
      },
      2: (xml) => {
        const [signature = ''] = /<Signature .*?<\/Signature>/s.exec(xml) ?? [];
        const bare = xml.replace(signature, '');
        return evilRoot(bare).replace('</saml:Issuer>', `</saml:Issuer>${bare}${signature}`);
      },
      3: (xml) => xml.replace(/<saml:Assertion /, `${partsOf(xml).evil}<saml:Assertion `),
      4: (xml) => {
        const { assertion, evil } = partsOf(xml);
        return xml.replace(assertion, evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`));
      },
      5: (xml) => {
        const { assertion, signature, bare, evil } = partsOf(xml);
        return xml.replace(assertion, `${into(evil, signature)}${bare}`);
      },
      6: (xml) => {
        const { assertion, signature, bare, evil } = partsOf(xml);
        return xml.replace(assertion, into(evil, within(signature, bare)));
      },
      7: (xml) =>
        xml.replace('<samlp:Status>', `<samlp:Extensions>${partsOf(xml).evil}</samlp:Extensions><samlp:Status>`),
      8: (xml) => {
        const { assertion, signature, bare, evil } = partsOf(xml);
        return xml.replace(assertion, into(evil, within(signature, `<Object>${bare}</Object>`)));
      },
      // As 3 and 4, the assertion that nobody signed having the id of the one that somebody did.
      'the same id': (xml) => {
        const { assertion, evil } = partsOf(xml);
        const [id = ''] = / ID="[^"]*"/.exec(assertion) ?? [];
        return xml.replace(assertion, `${evil.replace(' ID="_evil"', id)}${assertion}`);
      },
      'an element of another namespace': (xml) =>
        xml.replace(/<saml:Assertion /, `<Assertion xmlns="urn:x" ID="_evil"/><saml:Assertion `),
    };
    for (const [way, change] of Object.entries(ways)) {
      const options = Number(way) <= 2 ? { signAssertion: false, signResponse: true } : {};
      const answer = await signIn('victim@example.com', { change, options });
      expect([way, ...messageOf(answer)]).toEqual([way, ...invalid]);
    }
    expect(await isKnown('admins+corp@example.com')).toBe(false);
  });

  it('for the address that the caller says this instance has', async () => {
    const headers = { host: 'evil.example' };
    for (const path of ['corp/sso', 'corp/metadata'])
      expect(messageOf(await ask('GET', path, { headers }))).toEqual([
        503,
        'Sign-in by SAML needs to know the address that people reach this instance at.',
      ]);
    const known = await startPlatform({ ...platform.settings, publicUrl: 'https://api.example.com' });
    try {
      const { text } = await known.ask('GET', 'corp/metadata', { token: null, headers });
      expect(text).toContain('entityID="https://api.example.com/api/v2/corp/metadata"');
      const { headers: sent } = await known.ask('GET', 'corp/sso', { token: null, headers });
      expect(sent['set-cookie']).toMatch(/^__Host-sluice-sign-in=.*; SameSite=Lax; Max-Age=180; Secure$/);
    } finally {
      await known.stop();
    }
  });

  it('or gives its token to no address that came with it and is not known', async () => {
    const answerTo = async (RelayState: string, name = 'relay') => {
      const { address, cookie } = await begin(name);
      const answer = await signInAtSaml(address, 'jo@example.com');
      return post({ ...answer, RelayState }, cookie, name);
    };
    for (const RelayState of [
      ...['https://evil.example/?t=_token_', '//evil.example/_token_', 'javascript:alert("_token_")', 'x_token_'],
      ...[`${platform.url}.evil.example/_token_`, `${platform.url.replace('//', '//a:b@')}/_token_`],
      `${platform.url.replace(/:\d+$/, ':1')}/_token_`,
      'https://console.example/?session_token=_token_&again=_token_&more=1',
    ]) {
      const { status, headers, body } = await answerTo(RelayState);
      expect([RelayState, status, headers.location, body.email]).toEqual([
        RelayState,
        200,
        undefined,
        'jo+relay@example.com',
      ]);
    }
    await make('letters', { relay_state: 'https://exämple.com/ä?t=_token_' });
    const letters = await signIn('jo@example.com', { name: 'letters' });
    expect(letters.headers.location).toMatch(/^https:\/\/xn--exmple-cua\.com\/%C3%A4\?t=ey/);
    const ownAddress = await answerTo(`${platform.url}/?session_token=_token_`);
    expect([ownAddress.status, ownAddress.headers.location]).toEqual([
      ...[302, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?session_token=ey/)],
    ]);
  });

  it('or joins nobody who came from elsewhere by an attribute that people may write themselves', async () => {
    const imported = { email: 'ceo+ids@example.com', is_active: true, saml: 'ids' };
    const { id } = await platform.create('user', imported);
    provider.accounts.set('4714', { mail: 'ceo@example.com' });
    const { body } = await signIn('4714', { name: 'ids', options: { nameIdentifierFormat: persistent } });
    expect([body.email, body.id === id]).toEqual(['4714+ids@ids.com', false]);
    // By a NameID that is the address they are that person.
    const corp = await platform.create('user', { email: 'cfo+corp@example.com', is_active: true, saml: 'corp' });
    expect((await signIn('cfo@example.com')).body.id).toBe(corp.id);
  });
});

describe('the configuration', () => {
  const refusal = async (config: object) => {
    const record = { name: 'bare', label: 'Bare', type: 'saml', is_active: true, config };
    const { body } = await platform.ask('POST', 'system/service', { body: { resource: [record] } });
    const { status_code, message } = body.error.context.resource[0];
    return [status_code, message.replace('Invalid data supplied. ', '')];
  };

  it('needs the provider, its certificate, and a pair that is one', async () => {
    const full = provider.config;
    const without = (name: string) => ({ ...full, [name]: null });
    for (const name of ['idp_entityId', 'idp_singleSignOnService_url', 'idp_x509cert'])
      expect(await refusal(without(name))).toEqual([400, `The ${name.replaceAll('_', ' ')} field is required.`]);
    expect(await refusal({ ...full, idp_singleSignOnService_url: 'javascript:alert(1)' })).toEqual([
      400,
      'The idp_singleSignOnService_url must be an address that begins with http:// or https://.',
    ]);
    expect((await refusal({ ...full, relay_state: 'javascript:alert(1)' }))[0]).toBe(400);
    expect(await refusal({ ...full, idp_x509cert: 'nonsense' })).toEqual([
      400,
      'The idp_x509cert must be a certificate.',
    ]);
    expect(await refusal({ ...full, idp_x509cert: makeKeyPair(1024).cert })).toEqual([
      400,
      'The idp_x509cert must be a certificate of a key of 2048 bits or more.',
    ]);
    expect(await refusal({ ...full, sp_privateKey: own.key })).toEqual([400, 'The sp_x509cert field is required.']);
    expect(await refusal({ ...full, sp_privateKey: own.key, sp_x509cert: foreign.cert })).toEqual([
      400,
      'The sp_x509cert must be the certificate of the sp_privateKey.',
    ]);
    expect(await refusal({ ...full, sp_privateKey: 'nonsense', sp_x509cert: own.cert })).toEqual([
      400,
      'The sp_privateKey must be an RSA key without a passphrase.',
    ]);
  });

  it('takes a certificate as base64 alone, several of them, and a key whose lines were lost; the key is masked', async () => {
    const bare = (pem: string) => pem.replace(/-----[^-]*-----/g, '').replace(/\s+/g, '');
    const { id } = await make('pasted', {
      idp_x509cert: bare(provider.cert),
      ...{ sp_privateKey: own.key.replaceAll('\n', ' '), sp_x509cert: own.cert.replaceAll('\n', '\r\n') },
    });
    expect((await signIn('jo@example.com', { name: 'pasted', options: { signingCert: own.cert } })).status).toBe(200);
    const { config } = (await platform.ask('GET', `system/service/${id}`)).body;
    expect([config.sp_privateKey, config.idp_entityId]).toEqual(['**********', provider.entityId]);
    await platform.ask('PATCH', `system/service/${id}`, {
      body: { config: { idp_x509cert: `${foreign.cert}\n${provider.cert}` } },
    });
    expect((await signIn('jo@example.com', { name: 'pasted' })).status).toBe(200);
    const row = await platform.store.db.selectFrom('service').selectAll().where('id', '=', id).executeTakeFirst();
    expect(row?.config).not.toContain(bare(own.key).slice(0, 40));
  });

  it('is written by administrators alone', async () => {
    const access = [{ service_id: 1, component: 'service/*', verb_mask: 31, requestor_mask: 3 }];
    const delegate = { name: 'delegate', is_active: true, role_service_access_by_role_id: access };
    const { id: role_id } = await platform.create('role', delegate);
    const { api_key: key } = await platform.create('app', { name: 'tool', type: 0, is_active: true, role_id });
    const body = {
      resource: [{ name: 'evil', label: 'Evil', type: 'saml', is_active: true, config: provider.config }],
    };
    const created = await platform.ask('POST', 'system/service', { token: null, key: String(key), body });
    expect(created.body.error.context.resource[0].status_code).toBe(401);
  });
});
