// A provider of OAuth 2.0 or OpenID Connect: one implementation, over what a type says of its provider as data.
import { createHash } from 'node:crypto';
import { Failure, fail } from '@sluice/contract';
import { createRemoteJWKSet, decodeProtectedHeader, customFetch as jwksFetch, jwtVerify } from 'jose';
import type { Configuration } from 'openid-client';
import { isRecord, type RecordInput, stringifyInput } from '../../call/payload.ts';
import type {
  BrowserProof,
  BrowserProvider,
  ProviderPerson,
  ProviderSignIn,
  ProviderTokens,
} from '../../identity/external/provider.ts';
import { getJson, type ProviderFetch, requireObject } from './oauth-network.ts';

/** What there is to know of a provider. */
export interface OauthFacts {
  authorize: string;
  token: string;
  /** Answers whose token it is; absent where the id token says all. */
  user?: string | undefined;
  /** Who signs id tokens, and by which keys; id tokens of others are not looked at. */
  issuer?: string | undefined;
  keys?: string | undefined;
  /** Separated by blanks. */
  scopes: string;
  /** It knows proofs of the client (PKCE). */
  takesProof: boolean;
  /** Where the client secret goes in calls for a token. */
  secretIn: 'header' | 'body';
  /** The account, of what `user` answers; `get` reads another address with the person's token. */
  readPerson(user: RecordInput, get: (address: string) => Promise<unknown>): ProviderPerson | Promise<ProviderPerson>;
  /** Whether an access token was issued to this client; absent where the provider does not tell. */
  isForClient?(token: string, api: TokenCheck): Promise<boolean>;
}

/** What a check of a token may use. */
export interface TokenCheck {
  clientId: string;
  clientSecret: string;
  fetch: ProviderFetch;
  signal: AbortSignal;
}

export interface OauthClient {
  clientId: string;
  clientSecret: string;
  redirectUrl: string;
}

/** Signatures that anybody can check; one made with the client secret is not among them. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export function createOauthProvider(facts: OauthFacts, own: OauthClient, fetch: ProviderFetch): BrowserProvider {
  const { issuer, keys } = facts;
  const hasIdToken = issuer !== undefined && facts.scopes.split(' ').includes('openid');
  /** Loaded with the first sign-in that comes back. */
  let configuration: Promise<Configuration> | undefined;
  const keySet =
    keys === undefined
      ? undefined
      : createRemoteJWKSet(new URL(keys), { [jwksFetch]: (url, init) => fetch(url, init) });

  /** The account of a token; what an id token says of it has to be of the same one. */
  async function readAccount(accessToken: string, claims: RecordInput | undefined, signal: AbortSignal) {
    const get = (address: string) => getJson(fetch, address, { headers: bearer(accessToken), signal });
    const user = facts.user === undefined ? undefined : requireObject(await get(facts.user));
    if (claims && user && stringifyInput(user.sub) !== claims.sub)
      throw fail('provider.oddAnswer', { problem: 'it is of another person than the id token' });
    // An address, and whether it is verified, are of one source.
    const { email, email_verified, verified_email } = (user?.email === undefined ? claims : user) ?? {};
    const person = await facts.readPerson({ ...claims, ...user, email, email_verified, verified_email }, get);
    if (person.subject === '') throw fail('provider.oddAnswer', { problem: 'it does not say whose account it is' });
    return person;
  }

  return {
    begin({ state, nonce, verifier }) {
      const url = new URL(facts.authorize);
      const parameters = {
        ...{ response_type: 'code', client_id: own.clientId, redirect_uri: own.redirectUrl },
        ...(facts.scopes === '' ? {} : { scope: facts.scopes }),
        state,
        ...(hasIdToken ? { nonce } : {}),
        ...(facts.takesProof ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } : {}),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },

    async finish(parameters, proof, signal) {
      configuration ??= configure(facts, own, fetch, hasIdToken);
      const tokens = await exchange(await configuration, parameters, proof, {
        redirectUrl: own.redirectUrl,
        hasIdToken,
        takesProof: facts.takesProof,
      });
      const { access_token: accessToken, id_token: idToken } = tokens;
      const claims = hasIdToken ? (tokens.claims() as RecordInput | undefined) : undefined;
      return { person: await readAccount(accessToken, claims, signal), accessToken, idToken };
    },

    async verify({ accessToken, idToken }, signal): Promise<ProviderSignIn> {
      if (hasIdToken && keySet) {
        if (idToken === undefined) throw fail('provider.refused', { reason: 'its id token is missing' });
        const claims = await verifyIdToken({ accessToken, idToken }, { issuer, audience: own.clientId, keySet });
        return { person: await readAccount(accessToken, claims, signal), accessToken, idToken };
      }
      if (!facts.isForClient) throw fail('provider.unverifiable');
      const { clientId, clientSecret } = own;
      if (!(await facts.isForClient(accessToken, { clientId, clientSecret, fetch, signal })))
        throw fail('provider.refused', { reason: 'the token was issued to another client' });
      return { person: await readAccount(accessToken, undefined, signal), accessToken, idToken };
    },
  };
}

async function configure(
  facts: OauthFacts,
  own: OauthClient,
  fetch: ProviderFetch,
  hasIdToken: boolean,
): Promise<Configuration> {
  const client = await loadClient();
  const authentication = facts.secretIn === 'header' ? client.ClientSecretBasic : client.ClientSecretPost;
  const configuration = new client.Configuration(
    {
      issuer: facts.issuer ?? new URL(facts.authorize).origin,
      authorization_endpoint: facts.authorize,
      token_endpoint: facts.token,
      ...(facts.keys === undefined ? {} : { jwks_uri: facts.keys }),
      id_token_signing_alg_values_supported: algorithms,
    },
    own.clientId,
    { client_secret: own.clientSecret },
    authentication(own.clientSecret),
  );
  configuration.timeout = 20;
  const isPlain = [facts.token, facts.keys ?? facts.token].some((address) => address.startsWith('http:'));
  if (isPlain) client.allowInsecureRequests(configuration);
  if (hasIdToken && facts.keys !== undefined) client.enableNonRepudiationChecks(configuration);
  configuration[client.customFetch] = async (url, init) => {
    const response = await fetch(url, init as RequestInit);
    return hasIdToken || url !== facts.token ? response : withoutIdToken(response);
  };
  return configuration;
}

/** An id token of an issuer that is not known is no proof of anything, and no reason to refuse an access token. */
async function withoutIdToken(response: Response): Promise<Response> {
  const text = await response.text();
  const { status } = response;
  const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' };
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return new Response(text, { status, headers });
    const { id_token: _unknown, ...rest } = value;
    return new Response(JSON.stringify(rest), { status, headers });
  } catch {
    return new Response(text || null, { status, headers });
  }
}

interface ExchangeOptions {
  redirectUrl: string;
  hasIdToken: boolean;
  takesProof: boolean;
}

async function exchange(
  configuration: Configuration,
  parameters: URLSearchParams,
  { state, nonce, verifier }: BrowserProof,
  { redirectUrl, hasIdToken, takesProof }: ExchangeOptions,
) {
  const client = await loadClient();
  const url = new URL(redirectUrl);
  for (const [name, value] of parameters) if (hasIdToken || name !== 'iss') url.searchParams.set(name, value);
  try {
    return await client.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      ...(takesProof ? { pkceCodeVerifier: verifier } : {}),
      ...(hasIdToken ? { expectedNonce: nonce, idTokenExpected: true } : {}),
    });
  } catch (error) {
    throw failureOf(error, client);
  }
}

async function verifyIdToken(
  { accessToken, idToken = '' }: ProviderTokens,
  { issuer, audience, keySet }: { issuer: string; audience: string; keySet: ReturnType<typeof createRemoteJWKSet> },
): Promise<RecordInput> {
  try {
    const { payload } = await jwtVerify(idToken, keySet, {
      ...{ issuer, audience, algorithms, clockTolerance: 30 },
      requiredClaims: ['sub', 'exp', 'iat'],
    });
    if (payload.azp !== undefined && payload.azp !== audience && Array.isArray(payload.aud))
      throw fail('provider.refused', { reason: 'the id token was issued to another client' });
    if (payload.at_hash !== undefined && payload.at_hash !== halfHash(accessToken, idToken))
      throw fail('provider.refused', { reason: 'the tokens are not of one sign-in' });
    return payload;
  } catch (error) {
    const known = findFailure(error);
    throw known ?? fail('provider.refused', { reason: 'the id token is not valid' }, { cause: error });
  }
}

/** The left half of the hash of an access token (OpenID Connect Core 3.1.3.6). */
function halfHash(accessToken: string, idToken: string): string {
  const { alg = '' } = decodeProtectedHeader(idToken);
  const size = alg.endsWith('512') || alg.startsWith('Ed') ? 512 : alg.endsWith('384') ? 384 : 256;
  const digest = createHash(`sha${size}`).update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const loadClient = () => import('openid-client');
type Client = Awaited<ReturnType<typeof loadClient>>;

const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json',
});

function findFailure(error: unknown): Failure | undefined {
  for (let found = error, depth = 0; found instanceof Error && depth < 5; found = found.cause, depth++)
    if (found instanceof Failure) return found;
  return undefined;
}

/** What the library says went wrong, in words that hold nothing of what was sent. */
function failureOf(error: unknown, client: Client): Failure {
  const known = findFailure(error);
  if (known) return known;
  const options = { cause: error };
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
    return fail('provider.denied', undefined, options);
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const reason = /^[a-z_]{1,40}$/.test(error.error) ? error.error.replaceAll('_', ' ') : 'it gave no reason';
    return fail('provider.refused', { reason }, options);
  }
  if (error instanceof client.WWWAuthenticateChallengeError)
    return fail('provider.refused', { reason: 'it does not know this client' }, options);
  if (error instanceof client.ClientError) return fail('provider.oddAnswer', { problem: error.message }, options);
  throw error;
}
