// The session token itself: a JWT signed with HS256 (contract/sessions-and-accounts.md §4). Pure: what is revoked is
// known in revoked.ts, who the person is in directory.ts.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** What a token says; times are whole seconds since 1970. */
export interface Claims {
  iss: string;
  iat: number;
  nbf: number;
  exp: number;
  jti: string;
  /** md5 of the person's e-mail, hex: a token ends with the address it was made for. */
  sub: string;
  user_id: number;
  forever: boolean;
}

/** A token read: its claims, or the reason it is none of ours, in the words of contract/http-basics.md §2. */
export type ReadToken = { claims: Claims; problem?: undefined } | { claims?: undefined; problem: string };

/** Characters of the longest token looked at; ours have some 400. */
const tokenLimit = 4096;
/** Seconds another machine's clock may be ahead. */
const leeway = 60;

const header = encode({ typ: 'JWT', alg: 'HS256' });

export const seconds = (): number => Math.floor(Date.now() / 1000);
export const emailMark = (email: string): string => createHash('md5').update(email).digest('hex');

/** Signs a token for a person. `iat` is kept on renewal, else now; `minutes` is how long it is good for. */
export function makeClaims(of: {
  issuer: string;
  userId: number;
  email: string;
  forever: boolean;
  iat: number;
  minutes: number;
}): Claims {
  const now = seconds();
  return {
    iss: of.issuer,
    iat: of.iat,
    nbf: now,
    exp: now + of.minutes * 60,
    jti: randomUUID(),
    sub: emailMark(of.email),
    user_id: of.userId,
    forever: of.forever,
  };
}

export function signToken(key: Buffer, claims: Claims): string {
  const signed = `${header}.${encode(claims)}`;
  return `${signed}.${signature(key, signed)}`;
}

/** Checks the form and the signature of a token and reads its claims; whether it expired is for the caller to ask. */
export function readToken(key: Buffer, text: string): ReadToken {
  if (text.length > tokenLimit) return { problem: 'Malformed token' };
  const parts = text.split('.');
  const [head, body, sign] = parts;
  if (parts.length !== 3 || head === undefined || body === undefined || sign === undefined)
    return { problem: 'Wrong number of segments' };
  if (!parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return { problem: 'Malformed token' };
  const algorithm = decode(head);
  if (algorithm === undefined) return { problem: 'Could not decode token: the header is not JSON.' };
  // The texts are compared, not their bytes: the last character of a signature has two bits that mean nothing.
  const expected = Buffer.from(signature(key, `${head}.${body}`));
  const given = Buffer.from(sign);
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isOurs || algorithm.alg !== 'HS256') return { problem: 'Token Signature could not be verified.' };
  const claims = decode(body);
  if (claims === undefined) return { problem: 'Could not decode token: the payload is not JSON.' };
  if (!isClaims(claims)) return { problem: 'JWT payload does not contain the required claims' };
  if (typeof claims.nbf === 'number' && claims.nbf > seconds() + leeway)
    return { problem: 'Not Before (nbf) timestamp cannot be in the future' };
  return { claims };
}

/** The key a token is remembered by; the token itself is kept nowhere. */
export const tokenMark = (text: string): string => createHash('sha256').update(text).digest('base64url');

function signature(key: Buffer, signed: string): string {
  return createHmac('sha256', key).update(signed).digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isClaims(value: object): value is Claims {
  const claims = value as Partial<Record<keyof Claims, unknown>>;
  return (
    Number.isSafeInteger(claims.iat) &&
    Number.isSafeInteger(claims.exp) &&
    typeof claims.sub === 'string' &&
    typeof claims.jti === 'string' &&
    Number.isSafeInteger(claims.user_id) &&
    typeof claims.forever === 'boolean'
  );
}
