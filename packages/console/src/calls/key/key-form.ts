// What is asked of a new key, and the names it may get. Pure.
import type { ApiKeyRequest } from '@sluice/contract';

/** What a key may do: one table, one service, or all services that hold data. */
export const scopes = ['table', 'service', 'everything'] as const;
export type KeyScope = (typeof scopes)[number];

export const accesses = ['read', 'write'] as const satisfies ApiKeyRequest['access'][];
export type KeyAccess = ApiKeyRequest['access'];

export interface KeyForm {
  scope: KeyScope;
  /** Null until one is chosen. */
  service: string | null;
  table: string | null;
  access: KeyAccess;
}

/** Apps and roles have no longer names (contract/system-resources.md §3, §4). */
export const maxNameLength = 64;

/** The body of the call that makes the key. */
export const keyBody = ({ scope, service, table, access }: KeyForm, name: string): ApiKeyRequest => ({
  name: name.trim(),
  access,
  ...(scope === 'everything' ? {} : { service: service ?? '' }),
  ...(scope === 'table' ? { table: table ?? '' } : {}),
});

/** The name a key gets unless one is typed: `shop-product-read`. */
export function proposedName({ scope, service, table, access }: KeyForm, taken: readonly string[]): string {
  const parts = scope === 'everything' ? ['everything'] : scope === 'service' ? [service] : [service, table];
  const words = parts.filter((part) => part !== null && part !== '').join('-');
  // Room for what tells it from others.
  const start = (words.replace(/[\s"'\\%]+/g, '-') || 'key').slice(0, maxNameLength - 12);
  return withoutRepeats(`${start}-${access}`, taken);
}

/** Names are compared as the server does, without case. */
function withoutRepeats(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((other) => other.toLowerCase()));
  let candidate = name;
  for (let count = 2; names.has(candidate.toLowerCase()); count += 1) candidate = `${name}-${count}`;
  return candidate;
}

/** Which inputs still lack a value. */
export const missingIn = ({ scope, service, table }: KeyForm, name: string) => ({
  service: scope !== 'everything' && !service,
  table: scope === 'table' && !table,
  name: name.trim() === '',
});
