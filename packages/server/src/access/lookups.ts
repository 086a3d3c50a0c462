// What `{user.id}` and its like stand for in filters and written values (contract/database-tables.md §4.2, §9).
import type { Call } from '../call/call.ts';

/** Answers the value of a lookup name; undefined leaves the text as it was written. */
export type Lookup = (name: string) => string | undefined;

type Source = Pick<Call, 'caller' | 'baseUrl'>;

const sources: Record<string, (call: Source) => string | number | null | undefined> = {
  'user.id': ({ caller }) => caller.user?.id,
  'user.email': ({ caller }) => caller.user?.email,
  'user.name': ({ caller }) => caller.user?.name,
  'user.first_name': ({ caller }) => caller.user?.firstName,
  'user.last_name': ({ caller }) => caller.user?.lastName,
  'user.username': ({ caller }) => caller.user?.username,
  'role.id': ({ caller }) => caller.role?.id,
  'role.name': ({ caller }) => caller.role?.name,
  'app.id': ({ caller }) => caller.app?.id,
  'app.name': ({ caller }) => caller.app?.name,
  'app.api_key': ({ caller }) => caller.app?.apiKey,
  'session.id': ({ caller }) => caller.token?.text,
  'session.token': ({ caller }) => caller.token?.text,
  'df.host_url': ({ baseUrl }) => baseUrl,
};

/** Names the platform gives: no stored lookup key answers to one, be it one the platform has no value for now. */
const ownNames = /^(user|role|app|session|df)\./i;

/**
 * The lookups of a call: who calls, through which app and role, where this instance is, and the stored lookup keys that
 * reach the caller.
 */
export function sessionLookup(call: Source): Lookup {
  return (written) => {
    const name = written.trim();
    if (!ownNames.test(name)) return call.caller.lookups.get(name);
    const value = Object.hasOwn(sources, name) ? sources[name]?.(call) : undefined;
    return value === undefined || value === null ? undefined : String(value);
  };
}

/** The names that stand in braces in a text. */
export const namesInBraces = (text: string): string[] => [...text.matchAll(braces)].map(([, name]) => name!.trim());

const braces = /\{([^{}]+)\}/g;

/** Replaces `{name}` in every text of a value, lists and objects included; unknown names stay as written. */
export function replaceLookups(value: unknown, lookup: Lookup): unknown {
  if (typeof value === 'string') {
    if (!value.includes('{')) return value;
    return value.replace(braces, (written, name: string) => lookup(name.trim()) ?? written);
  }
  if (Array.isArray(value)) return value.map((item) => replaceLookups(item, lookup));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceLookups(item, lookup)]));
  return value;
}
