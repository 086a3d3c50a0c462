// The address of a person of a provider (contract/sessions-and-accounts.md §9). It is never the person's own address, so that it
// is nobody else's either; one that the provider did not verify says nothing.
import { createHash } from 'node:crypto';
import type { ProviderPerson } from './provider.ts';

/** The addresses a person of a service may have, the first that is free counts. */
export function shadowAddresses(person: ProviderPerson, service: string): string[] {
  const { subject, email, isEmailVerified, account } = person;
  const end = `+${service}@${account?.domain ?? `${service}.com`}`;
  const byId = localPartOf(subject) + end;
  // A name of a directory may have single dots, as parts of addresses do.
  const byName = account ? [account.name.split('.').map(localPartOf).join('.') + end] : [];
  const at = email?.lastIndexOf('@') ?? -1;
  if (!email || !isEmailVerified || at < 1) return [...byName, byId];
  return [`${email.slice(0, at)}+${service}${email.slice(at)}`, ...byName, byId];
}

/** The id of an account as the first part of an address; a hash of what could not be one. */
const localPartOf = (subject: string): string =>
  /^[A-Za-z0-9_-]{1,64}$/.test(subject) ? subject : createHash('sha256').update(subject).digest('hex').slice(0, 40);
