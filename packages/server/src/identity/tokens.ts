// The session token itself: a JWT signed with HS256 (contract/sessions-and-accounts.md §4). Pure: revoked.ts
// knows which tokens are revoked, directory.ts who the person is.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** The claims of a token; times are whole seconds since 1970. */
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

/** The claims of a token, or why it is not one of ours, in the words of contract/http-basics.md §2. */
export type TokenReading = { claims: Claims; problem?: undefined } | { claims?: undefined; problem: string };

/** Characters of the longest token that is looked at; ours have some 400. */
const maxTokenLength = 4096;
/** Seconds by which another machine's clock may be ahead. */
const leewaySeconds = 60;

const encodedHeader = encode({ typ: 'JWT', alg: 'HS256' });

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
export const subjectOf = (email: string): string => createHash('md5').update(email).digest('hex');

/** The claims of a new token. A renewal keeps the old `iat`, else it is now; `minutes` is how long the token is good for. */
export function createClaims(options: {
  issuer: string;
  userId: number;
  email: string;
  forever: boolean;
  iat: number;
  minutes: number;
}): Claims {
  const now = nowInSeconds();
  return {
    iss: options.issuer,
    iat: options.iat,
    nbf: now,
    exp: now + options.minutes * 60,
    jti: randomUUID(),
    sub: subjectOf(options.email),
    user_id: options.userId,
    forever: options.forever,
  };
}

export function signToken(key: Buffer, claims: Claims): string {
  const signedPart = `${encodedHeader}.${encode(claims)}`;
  return `${signedPart}.${sign(key, signedPart)}`;
}

/** Checks the form and the signature of a token and reads its claims; it does not check whether the token expired. */
export function readToken(key: Buffer, text: string): TokenReading {
  if (text.length > maxTokenLength) return { problem: 'Malformed token' };
  const parts = text.split('.');
  const [headerPart, payloadPart, signaturePart] = parts;
  if (parts.length !== 3 || headerPart === undefined || payloadPart === undefined || signaturePart === undefined)
    return { problem: 'Wrong number of segments' };
  if (!parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return { problem: 'Malformed token' };
  const header = decode(headerPart);
  if (header === undefined) return { problem: 'Could not decode token: the header is not JSON.' };
  // The texts are compared, not their bytes: the last character of a signature has two bits that mean nothing.
  const expected = Buffer.from(sign(key, `${headerPart}.${payloadPart}`));
  const actual = Buffer.from(signaturePart);
  const isOurs = actual.length === expected.length && timingSafeEqual(actual, expected);
  if (!isOurs || header.alg !== 'HS256') return { problem: 'Token Signature could not be verified.' };
  const claims = decode(payloadPart);
  if (claims === undefined) return { problem: 'Could not decode token: the payload is not JSON.' };
  if (!isClaims(claims)) return { problem: 'JWT payload does not contain the required claims' };
  if (typeof claims.nbf === 'number' && claims.nbf > nowInSeconds() + leewaySeconds)
    return { problem: 'Not Before (nbf) timestamp cannot be in the future' };
  return { claims };
}

/** The key under which a token is remembered; the token itself is stored nowhere. */
export const tokenFingerprint = (text: string): string => createHash('sha256').update(text).digest('base64url');

function sign(key: Buffer, signedPart: string): string {
  return createHmac('sha256', key).update(signedPart).digest('base64url');
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
