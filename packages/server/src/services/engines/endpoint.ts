// The address of a server of one's own in place of the usual one, a field of every type of object storages.
import { fail, configField as field } from '@sluice/contract';

export const endpointField = (description: string) =>
  field.string({ label: 'Endpoint', destination: true, description });

/** A text without blanks around it; undefined for nothing. */
export const trimmed = (text: string | null | undefined): string | undefined => text?.trim() || undefined;

/** Refuses what is no plain address of a web server. */
export function checkEndpoint(endpoint: string | null | undefined, name = 'endpoint'): void {
  const text = trimmed(endpoint);
  // A lookup is known only when the service opens.
  if (text === undefined || text.includes('{')) return;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain) return;
  const message = `The ${name} must be an address that begins with http:// or https://, without a login, a query and a fragment.`;
  throw fail('record.invalid', { messages: [message] }, { context: { [name]: [message] } });
}

/** The host of an address, for administrators; a lookup in it is known only when the service opens. */
export const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
