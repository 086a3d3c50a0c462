// Accounts as providers answer them.
import { type RecordInput, stringifyInput } from '../../call/payload.ts';
import type { ProviderPerson } from '../../identity/external/provider.ts';

/** A text or a number; undefined for all else, and for nothing. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? stringifyInput(value) || undefined
    : undefined;

export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** The claims of OpenID Connect, and what other providers call the same. */
export const readClaims = (user: RecordInput): ProviderPerson => ({
  subject: textIn(user.sub) ?? textIn(user.id) ?? textIn(user.user_id) ?? '',
  email: textIn(user.email),
  isEmailVerified: isTrue(user.email_verified) || isTrue(user.verified_email),
  name: textIn(user.name) ?? textIn(user.display_name),
  firstName: textIn(user.given_name) ?? textIn(user.first_name),
  lastName: textIn(user.family_name) ?? textIn(user.last_name),
});

/** Claims of a provider whose addresses its administrators write: none is proof of anything. */
export const readUnverified = (user: RecordInput): ProviderPerson => ({ ...readClaims(user), isEmailVerified: false });
