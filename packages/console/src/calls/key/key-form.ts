// What is asked of a new key, and the names it may get. Pure.
import type { ApiKeyRequest, LimitPeriod } from '@sluice/contract';

/** Who uses a key: a program, or an agent that decides itself which tools it calls. */
export const purposes = ['program', 'agent'] as const;
export type KeyPurpose = (typeof purposes)[number];

/** What a key may open: tables of one service, a service, or all services that hold data. */
export const scopes = {
  program: ['table', 'service', 'everything'],
  agent: ['tables', 'service', 'everything'],
} as const satisfies Record<KeyPurpose, readonly string[]>;
export type KeyScope = (typeof scopes)[KeyPurpose][number];

export const accesses = ['read', 'write'] as const satisfies ApiKeyRequest['access'][];
export type KeyAccess = ApiKeyRequest['access'];

export interface KeyLimit {
  /** Null while none is typed. */
  rate: number | null;
  period: LimitPeriod;
}

export interface KeyForm {
  purpose: KeyPurpose;
  scope: KeyScope;
  /** Null until one is chosen. */
  service: string | null;
  table: string | null;
  tables: readonly string[];
  access: KeyAccess;
  /** Null: as many calls as there are. */
  limit: KeyLimit | null;
}

/** The limit of an agent's key unless another is chosen. */
export const agentLimit: KeyLimit = { rate: 60, period: 'minute' };

/** Apps and roles have no longer names (contract/system-resources.md §3, §4). */
export const maxNameLength = 64;

/** The body of the call that makes the key. */
export const keyBody = ({ scope, service, table, tables, access, limit }: KeyForm, name: string): ApiKeyRequest => ({
  name: name.trim(),
  access,
  ...(scope === 'everything' ? {} : { service: service ?? '' }),
  ...(scope === 'table' ? { table: table ?? '' } : {}),
  ...(scope === 'tables' ? { tables: [...tables] } : {}),
  ...(limit ? { limit: { rate: limit.rate ?? 0, period: limit.period } } : {}),
});

/** The name a key gets unless one is typed: `shop-product-read`, of an agent `agent-shop-read`. */
export function proposedName(form: KeyForm, taken: readonly string[]): string {
  const words = [...(form.purpose === 'agent' ? ['agent'] : []), ...placeOf(form)].filter(Boolean).join('-');
  // Room for what tells it from others.
  const start = (words.replace(/[\s"'\\%]+/g, '-') || 'key').slice(0, maxNameLength - 12);
  return withoutRepeats(`${start}-${form.access}`, taken);
}

function placeOf({ scope, service, table, tables }: KeyForm): (string | null)[] {
  if (scope === 'everything') return ['everything'];
  if (scope === 'table') return [service, table];
  // More than one would make a long name that still tells not all.
  return scope === 'tables' && tables.length === 1 ? [service, ...tables] : [service];
}

/** Names are compared as the server does, without case. */
function withoutRepeats(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((other) => other.toLowerCase()));
  let candidate = name;
  for (let count = 2; names.has(candidate.toLowerCase()); count += 1) candidate = `${name}-${count}`;
  return candidate;
}

/** Which inputs still lack a value. */
export const missingIn = ({ scope, service, table, tables, limit }: KeyForm, name: string) => ({
  service: scope !== 'everything' && !service,
  table: scope === 'table' && !table,
  tables: scope === 'tables' && tables.length === 0,
  rate: limit !== null && !((limit.rate ?? 0) >= 1),
  name: name.trim() === '',
});
