// Finds the credentials of a request: in query, headers, and as a last resort the body (contract/http-basics.md §2).
import type { Credentials, Query } from '../call/call.ts';

/** Credentials in query and headers; the first non-empty place of each wins. */
export function credentialsOf(query: Query, header: (name: string) => string | undefined): Credentials {
  const authorization = header('authorization');
  const apiKey = query.get('api_key') || header('x-dreamfactory-api-key');
  const token = parseBearer(authorization) || header('x-dreamfactory-session-token') || query.get('session_token');
  const basic = token ? undefined : parseBasic(authorization);
  const credentials: Credentials = {};
  if (apiKey) credentials.apiKey = apiKey;
  if (token) credentials.token = token;
  if (basic) credentials.basic = basic;
  return credentials;
}

/** The token and key that a connection sent last. Never a password. */
const lastSent = new WeakMap<object, Credentials>();

/**
 * The object of the last call on this connection where these are the same credentials: what was found out about it once, its
 * fingerprint above all, costs more than to compare them.
 */
export function reuseCredentials(connection: object, credentials: Credentials): Credentials {
  const { apiKey, token, basic } = credentials;
  if (basic || (!apiKey && !token)) return credentials;
  const last = lastSent.get(connection);
  if (last && last.token === token && last.apiKey === apiKey) return last;
  lastSent.set(connection, credentials);
  return credentials;
}

/** Credentials in the fields of a body; records of apps have a field `api_key` themselves, which does not count. */
export function credentialsOfBody(payload: unknown, target: string): Credentials {
  if (typeof payload !== 'object' || payload === null) return {};
  const { api_key, session_token } = payload as Record<string, unknown>;
  const isApp = target.toLowerCase().includes('system/app');
  return {
    ...(typeof api_key === 'string' && api_key !== '' && !isApp ? { apiKey: api_key } : {}),
    ...(typeof session_token === 'string' && session_token !== '' ? { token: session_token } : {}),
  };
}

function parseBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
}

function parseBasic(authorization: string | undefined): Credentials['basic'] {
  const match = /^Basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization ?? '');
  if (!match?.[1]) return undefined;
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
}
