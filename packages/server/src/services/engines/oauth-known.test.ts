// The providers whose addresses are known, as they document themselves: none of them can be had on a test machine, so that answers of
// theirs stand in for them.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { browserProvider, type ProviderPerson } from '../../identity/external/provider.ts';
import type { ServiceContext } from '../../service/service.ts';
import { bitbucketOauth } from '../oauth_bitbucket/index.ts';
import { facebook } from '../oauth_facebook/index.ts';
import { githubOauth } from '../oauth_github/index.ts';
import { google } from '../oauth_google/index.ts';
import { linkedin } from '../oauth_linkedin/index.ts';
import { microsoftLive } from '../oauth_microsoft-live/index.ts';
import { salesforce } from '../oauth_salesforce/index.ts';
import { twitter } from '../oauth_twitter/index.ts';
import type { OauthParts } from './oauth-type.ts';

const proof = { state: 's'.repeat(40), verifier: 'v'.repeat(64), nonce: 'n'.repeat(32) };
const own = { client_id: 'sluice', client_secret: 'a secret', redirect_url: 'https://api.example/login' };
const keys = await generateKeyPair('RS256');
let jwk: object;
beforeAll(async () => {
  jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
});

interface Example {
  type: typeof google;
  /** Who signs id tokens, where they are looked at, and the address of the keys. */
  issuer?: string;
  keys?: string;
  token: string;
  secretIn: 'header' | 'body';
  takesProof: boolean;
  /** What addresses answer with the token of the person. */
  answers: Record<string, unknown>;
  person: Partial<ProviderPerson>;
  /** How the provider says for whom a token is, and for whom not. */
  check?: { address: string; ours: [number, unknown]; others: [number, unknown] };
}

const claims = { sub: '42', email: 'jo@example.com', email_verified: true, name: 'Jo Doe' };
const verified = { subject: '42', email: 'jo@example.com', isEmailVerified: true, name: 'Jo Doe' };
const unverified = { ...verified, isEmailVerified: false };

const examples: Record<string, Example> = {
  oauth_google: {
    ...{ type: google, issuer: 'https://accounts.google.com', keys: 'https://www.googleapis.com/oauth2/v3/certs' },
    ...{ token: 'https://oauth2.googleapis.com/token', secretIn: 'body', takesProof: true },
    answers: { 'https://openidconnect.googleapis.com/v1/userinfo': claims },
    person: verified,
  },
  oauth_linkedin: {
    ...{ type: linkedin, issuer: 'https://www.linkedin.com/oauth', keys: 'https://www.linkedin.com/oauth/openid/jwks' },
    ...{ token: 'https://www.linkedin.com/oauth/v2/accessToken', secretIn: 'body', takesProof: false },
    answers: { 'https://api.linkedin.com/v2/userinfo': claims },
    person: verified,
  },
  'oauth_microsoft-live': {
    type: microsoftLive,
    issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    keys: 'https://login.microsoftonline.com/consumers/discovery/v2.0/keys',
    token: 'https://login.microsoftonline.com/consumers/oauth2/v2.0/token',
    ...{ secretIn: 'body', takesProof: true },
    answers: { 'https://graph.microsoft.com/oidc/userinfo': claims },
    person: unverified,
  },
  oauth_salesforce: {
    ...{ type: salesforce, token: 'https://login.salesforce.com/services/oauth2/token' },
    ...{ secretIn: 'body', takesProof: true },
    answers: { 'https://login.salesforce.com/services/oauth2/userinfo': claims },
    person: verified,
    check: {
      address: 'https://login.salesforce.com/services/oauth2/introspect',
      ours: [200, { active: true, client_id: 'sluice' }],
      others: [200, { active: true, client_id: 'another' }],
    },
  },
  oauth_github: {
    ...{ type: githubOauth, token: 'https://github.com/login/oauth/access_token', secretIn: 'body', takesProof: true },
    answers: {
      'https://api.github.com/user': { id: 42, login: 'jo', name: null, email: 'shown@example.com' },
      'https://api.github.com/user/emails': [
        { email: 'second@example.com', primary: false, verified: true },
        { email: 'jo@example.com', primary: true, verified: true },
      ],
    },
    person: { ...verified, name: 'jo' },
    check: {
      address: 'https://api.github.com/applications/sluice/token',
      ours: [200, { id: 1 }],
      others: [404, { message: 'Not Found' }],
    },
  },
  oauth_facebook: {
    ...{
      type: facebook,
      token: 'https://graph.facebook.com/v23.0/oauth/access_token',
      secretIn: 'body',
      takesProof: true,
    },
    answers: {
      'https://graph.facebook.com/v23.0/me?fields=id,name,first_name,last_name,email': {
        ...{ id: '42', name: 'Jo Doe', first_name: 'Jo', last_name: 'Doe', email: 'jo@example.com' },
      },
    },
    person: { ...unverified, firstName: 'Jo', lastName: 'Doe' },
    check: {
      address: 'https://graph.facebook.com/debug_token?input_token=the+token&access_token=sluice%7Ca+secret',
      ours: [200, { data: { app_id: 'sluice', is_valid: true } }],
      others: [200, { data: { app_id: 'another', is_valid: true } }],
    },
  },
  oauth_twitter: {
    ...{ type: twitter, token: 'https://api.x.com/2/oauth2/token', secretIn: 'header', takesProof: true },
    answers: {
      'https://api.x.com/2/users/me?user.fields=confirmed_email': {
        data: { id: '42', name: 'Jo Doe', username: 'jo', confirmed_email: 'jo@example.com' },
      },
    },
    person: verified,
  },
  oauth_bitbucket: {
    ...{
      type: bitbucketOauth,
      token: 'https://bitbucket.org/site/oauth2/access_token',
      secretIn: 'header',
      takesProof: false,
    },
    answers: {
      'https://api.bitbucket.org/2.0/user': { uuid: '{42}', display_name: 'Jo Doe' },
      'https://api.bitbucket.org/2.0/user/emails': {
        values: [{ email: 'jo@example.com', is_primary: true, is_confirmed: true }],
      },
    },
    person: { ...verified, subject: '{42}' },
  },
};

describe.each(Object.entries(examples))('%s', (name, example) => {
  const idToken = (subject = '42') =>
    new SignJWT({ nonce: proof.nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(example.issuer ?? '')
      .setAudience('sluice')
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(keys.privateKey);

  async function open(check?: [number, unknown]) {
    const calls: { address: string; init: RequestInit }[] = [];
    const parts = {
      async fetch(address: string, init: RequestInit) {
        calls.push({ address, init });
        const json = (value: unknown, status = 200) =>
          new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
        if (address === example.keys) return json({ keys: [jwk] });
        if (address === example.check?.address && check) return json(check[1], check[0]);
        if (address === example.token)
          return json({ access_token: 'the token', token_type: 'bearer', id_token: await idToken() });
        return address in example.answers ? json(example.answers[address]) : json({}, 404);
      },
    } as unknown as OauthParts;
    const type = example.type(parts);
    const config = { ...own, custom_provider: false, default_role: null, app_role_map: [] };
    const service = await type.open(config as never, { id: 7, name: 'corp' } as ServiceContext);
    expect(type.name).toBe(name);
    return { calls, provider: service.provided(browserProvider)!.provider };
  }

  const signal = new AbortController().signal;
  const back = () => new URLSearchParams({ code: 'c', state: proof.state });

  it('sends the secret and the proof as the provider takes them, and reads its account', async () => {
    const { provider, calls } = await open();
    const { searchParams } = new URL(provider.begin(proof));
    expect([searchParams.has('code_challenge'), searchParams.has('nonce')]).toEqual([
      example.takesProof,
      example.issuer !== undefined,
    ]);
    const { person, accessToken } = await provider.finish(back(), proof, signal);
    expect([person, accessToken]).toEqual([expect.objectContaining(example.person), 'the token']);
    const exchange = calls.find(({ address }) => address === example.token)!;
    const form = new URLSearchParams(String(exchange.init.body));
    expect([form.get('client_secret'), new Headers(exchange.init.headers).has('authorization')]).toEqual(
      example.secretIn === 'body' ? ['a secret', false] : [null, true],
    );
    expect([form.get('code'), form.get('redirect_uri'), form.get('code_verifier')]).toEqual([
      ...['c', own.redirect_url, example.takesProof ? proof.verifier : null],
    ]);
    // The person's token is sent to the addresses of the provider alone.
    for (const { address, init } of calls)
      expect([address, new Headers(init.headers).get('authorization') === 'Bearer the token']).toEqual([
        ...[address, address in example.answers],
      ]);
  });

  it('abuse: takes tokens from native clients only where they are for this instance', async () => {
    const tokens = { accessToken: 'the token', idToken: example.issuer ? await idToken() : undefined };
    const verify = async (check?: [number, unknown], sent = tokens) => {
      const { provider } = await open(check);
      return provider.verify(sent, signal).then(
        ({ person }) => person.subject,
        (error: { key: string }) => error.key,
      );
    };
    if (example.check) {
      expect(await verify(example.check.ours)).toBe(example.person.subject);
      expect(await verify(example.check.others)).toBe('provider.refused');
    } else if (example.issuer) {
      expect(await verify()).toBe('42');
      expect(await verify(undefined, { ...tokens, idToken: undefined })).toBe('provider.refused');
      expect(await verify(undefined, { ...tokens, idToken: await idToken('43') })).toBe('provider.oddAnswer');
    } else expect(await verify()).toBe('provider.unverifiable');
  });
});
