// Session tokens in use: issuing, checking, renewing, ending (contract/sessions-and-accounts.md §3–4).
import { fail } from '@sluice/contract';
import { LRUCache } from 'lru-cache';
import type { Settings } from '../settings/index.ts';
import type { Directory, Person } from './directory.ts';
import type { Revoked } from './revoked.ts';
import { type Claims, makeClaims, type ReadToken, readToken, seconds, signToken, tokenMark } from './tokens.ts';

/** A token as a caller carries it: its text and when it expires (seconds). */
export interface SessionToken {
  text: string;
  expiresAt: number;
}

export interface Sessions {
  /** A fresh token for a person. */
  issue(person: Person, of: { issuer: string; forever: boolean }): SessionToken;
  /** Whose token this is; throws the failures of contract/http-basics.md §2. */
  check(text: string): Promise<{ person: Person; token: SessionToken }>;
  /** A new token for an old one, which ends at once; throws 401 "Token refresh failed. …", or 401 for a non-admin. */
  renew(text: string, of: { issuer: string; adminOnly: boolean }): Promise<{ person: Person; token: SessionToken }>;
  /** Ends a token for good; a text that is no token of ours is left alone. */
  end(text: string): Promise<void>;
  /** Whether a verified token was made by "remember me". */
  isForever(text: string): boolean;
}

interface Parts {
  key: Buffer;
  settings: Pick<Settings, 'tokenMinutes' | 'refreshMinutes' | 'foreverSessions'>;
  directory: Directory;
  revoked: Revoked;
}

const remembered = 20_000;

export function createSessions({ key, settings, directory, revoked }: Parts): Sessions {
  // Form and signature of a token never change: only tokens found good are kept, so strangers can't fill it.
  const verified = new LRUCache<string, Claims>({ max: remembered });

  function read(text: string): ReadToken {
    const mark = tokenMark(text);
    const known = verified.get(mark);
    if (known) return { claims: known };
    const found = readToken(key, text);
    if (found.claims && found.claims.exp > seconds())
      verified.set(mark, found.claims, { ttl: (found.claims.exp - seconds()) * 1000 });
    return found;
  }

  function sign(person: Person, of: { issuer: string; forever: boolean; iat: number }): SessionToken {
    const { id, email } = person.user;
    const claims = makeClaims({ ...of, userId: id, email, minutes: settings.tokenMinutes });
    return { text: signToken(key, claims), expiresAt: claims.exp };
  }

  const issueTime = (person: Person) => Math.max(seconds(), person.validFrom);

  return {
    issue: (person, { issuer, forever }) =>
      sign(person, { issuer, forever: forever && settings.foreverSessions, iat: issueTime(person) }),

    async check(text) {
      const { claims, problem } = read(text);
      if (!claims) throw fail('session.invalid', { reason: problem });
      if (claims.exp <= seconds()) throw fail('session.expired');
      if (await revoked.has(claims)) throw fail('session.blacklisted');
      const person = await directory.person(claims.user_id);
      if (!person) throw fail('session.userGone');
      if (claims.sub !== person.emailMark) throw fail('session.invalid', { reason: 'User verification failed.' });
      if (claims.iat < person.validFrom) throw fail('session.blacklisted');
      if (!person.isActive) throw fail('session.userInactive');
      return { person, token: { text, expiresAt: claims.exp } };
    },

    async renew(text, { issuer, adminOnly }) {
      const refused = (reason: string) => fail('session.refreshFailed', { reason });
      const { claims, problem } = read(text);
      if (!claims) throw refused(problem);
      if (await revoked.has(claims)) throw refused('The token has been blacklisted');
      if (seconds() >= claims.iat + settings.refreshMinutes * 60)
        throw refused('Token has expired and can no longer be refreshed');
      const person = await directory.person(claims.user_id);
      if (!person) throw refused('User not found.');
      if (claims.sub !== person.emailMark) throw refused('User verification failed.');
      if (claims.iat < person.validFrom) throw refused('The token has been blacklisted');
      if (!person.isActive) throw refused('User is not active.');
      if (adminOnly && !person.user.isAdmin) throw fail('access.adminOnly');
      if (!(await revoked.add(claims))) throw refused('The token has been blacklisted');
      const forever = claims.forever && settings.foreverSessions;
      // Renewals keep the first date, or a session would never come to its end.
      const iat = forever ? issueTime(person) : claims.iat;
      return { person, token: sign(person, { issuer, forever, iat }) };
    },

    async end(text) {
      const { claims } = read(text);
      if (claims) await revoked.add(claims);
    },

    isForever: (text) => read(text).claims?.forever ?? false,
  };
}
