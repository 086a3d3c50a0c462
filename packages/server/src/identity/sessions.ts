// Session tokens in use: issuing, checking, renewing, ending (contract/sessions-and-accounts.md §3–4).
import { fail } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../settings/index.ts';
import type { Directory, Person } from './directory.ts';
import type { RevocableToken, RevokedTokens } from './revoked.ts';
import type { ListedToken, SessionList, SessionOrigin } from './session-list.ts';
import {
  type Claims,
  createClaims,
  nowInSeconds,
  readToken,
  signToken,
  type TokenReading,
  tokenFingerprint,
} from './tokens.ts';

/** A token as a caller carries it: its text, its `jti` and when it expires (seconds). */
export interface SessionToken {
  text: string;
  id: string;
  expiresAt: number;
}

interface TokenOptions {
  issuer: string;
  /** Where the call came from that gets the token: people see it in the list of their sessions. */
  origin: SessionOrigin;
}

export interface Sessions {
  /** A fresh token for a person: a new session. */
  issue(person: Person, options: TokenOptions & { forever: boolean }): Promise<SessionToken>;
  /** Whose token this is; throws the failures of contract/http-basics.md §2. */
  check(text: string): Promise<{ person: Person; token: SessionToken }>;
  /** A new token for an old one, which ends at once; throws 401 "Token refresh failed. …", or 401 for a non-admin. */
  renew(text: string, options: TokenOptions & { adminOnly: boolean }): Promise<{ person: Person; token: SessionToken }>;
  /** Ends a token for good; a text that is not one of our tokens is ignored. */
  end(text: string): Promise<void>;
  /** Whether a verified token was made by "remember me". */
  isForever(text: string): boolean;
}

interface SessionsParts {
  key: Buffer;
  settings: Pick<Settings, 'tokenMinutes' | 'refreshMinutes' | 'foreverSessions'>;
  directory: Directory;
  revoked: RevokedTokens;
  list: SessionList;
}

const maxTokens = 20_000;

export function createSessions({ key, settings, directory, revoked, list }: SessionsParts): Sessions {
  // Form and signature of a token never change. Only good tokens are remembered, so strangers cannot fill the cache.
  const verifiedClaims = new LRUCache<string, Claims>({ max: maxTokens });

  function readCached(text: string): TokenReading {
    const fingerprint = tokenFingerprint(text);
    const cached = verifiedClaims.get(fingerprint);
    if (cached) return { claims: cached };
    const reading = readToken(key, text);
    if (reading.claims && reading.claims.exp > nowInSeconds())
      verifiedClaims.set(fingerprint, reading.claims, { ttl: (reading.claims.exp - nowInSeconds()) * 1000 });
    return reading;
  }

  function claimsFor(person: Person, options: { issuer: string; forever: boolean; iat: number }): Claims {
    const { id, email } = person.user;
    return createClaims({ ...options, userId: id, email, minutes: settings.tokenMinutes });
  }

  const sign = (claims: Claims): SessionToken => ({
    text: signToken(key, claims),
    id: claims.jti,
    expiresAt: claims.exp,
  });

  const endOf = ({ exp, iat }: Claims) => Math.max(exp, iat + settings.refreshMinutes * 60);
  const revocable = (claims: Claims): RevocableToken => ({ jti: claims.jti, endsAt: endOf(claims) });
  const listed = (claims: Claims): ListedToken => ({
    ...revocable(claims),
    userId: claims.user_id,
    issuedAt: claims.iat,
  });

  const issuedAt = (person: Person) => Math.max(nowInSeconds(), person.validFrom);

  return {
    async issue(person, { issuer, forever, origin }) {
      const isForever = forever && settings.foreverSessions;
      const claims = claimsFor(person, { issuer, forever: isForever, iat: issuedAt(person) });
      await list.add(listed(claims), origin);
      return sign(claims);
    },

    async check(text) {
      const { claims, problem } = readCached(text);
      if (!claims) throw fail('session.invalid', { reason: problem });
      if (claims.exp <= nowInSeconds()) throw fail('session.expired');
      if (await revoked.has(claims)) throw fail('session.blacklisted');
      const person = await directory.person(claims.user_id);
      if (!person) throw fail('session.userGone');
      if (claims.sub !== person.subject) throw fail('session.invalid', { reason: 'User verification failed.' });
      if (claims.iat < person.validFrom) throw fail('session.blacklisted');
      if (!person.isActive) throw fail('session.userInactive');
      return { person, token: { text, id: claims.jti, expiresAt: claims.exp } };
    },

    async renew(text, { issuer, adminOnly, origin }) {
      const refreshFailed = (reason: string) => fail('session.refreshFailed', { reason });
      const { claims, problem } = readCached(text);
      if (!claims) throw refreshFailed(problem);
      if (await revoked.has(claims)) throw refreshFailed('The token has been blacklisted');
      if (nowInSeconds() >= claims.iat + settings.refreshMinutes * 60)
        throw refreshFailed('Token has expired and can no longer be refreshed');
      const person = await directory.person(claims.user_id);
      if (!person) throw refreshFailed('User not found.');
      if (claims.sub !== person.subject) throw refreshFailed('User verification failed.');
      if (claims.iat < person.validFrom) throw refreshFailed('The token has been blacklisted');
      if (!person.isActive) throw refreshFailed('User is not active.');
      if (adminOnly && !person.user.isAdmin) throw fail('access.adminOnly');
      const session = await list.find(claims.jti);
      if (!(await revoked.add(revocable(claims)))) throw refreshFailed('The token has been blacklisted');
      const forever = claims.forever && settings.foreverSessions;
      // Renewals keep the first date, or a session would never end.
      const iat = forever ? issuedAt(person) : claims.iat;
      const renewed = claimsFor(person, { issuer, forever, iat });
      if (session === undefined) await list.add(listed(renewed), origin);
      // Between the two somebody ended the session.
      else if (!(await list.renew(session, listed(renewed), origin)))
        throw refreshFailed('The token has been blacklisted');
      return { person, token: sign(renewed) };
    },

    async end(text) {
      const { claims } = readCached(text);
      if (!claims) return;
      await revoked.add(revocable(claims));
      await list.forget(claims.jti);
    },

    isForever: (text) => readCached(text).claims?.forever ?? false,
  };
}
