// The values of `{user.id}` and other lookups in filters and written values (contract/database-tables.md §4.2, §9).
import { fail, maxFilledCharacters, maxFilledNames, publicLookupBounds } from '@sluice/contract';
import type { Call, CallerLookups } from '../call/call.ts';
import { withModifiers } from './modifiers.ts';

/** Returns the value of a lookup name; undefined leaves the text as it was written. */
export type Lookup = (name: string) => string | undefined;

type LookupSource = Pick<Call, 'caller' | 'baseUrl'>;

const lookupSources: Record<string, (call: LookupSource) => string | number | null | undefined> = {
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

/** Names of the platform: no stored lookup key is used for one, even where the platform has no value for it. */
export const platformNames = /^(user|role|app|session|df)\./i;

/** What lookups have put in for a call so far, and for how many names. */
interface Filled {
  characters: number;
  names: number;
}
const filledFor = new WeakMap<LookupSource, Filled>();

/** Names whose values are remembered; a text may hold a million of them. */
const maxRemembered = 1000;

/**
 * The lookups of a call: who calls, through which app and role, where this instance is, and the stored lookup keys that
 * reach the caller, each also through a modifier. Throws `lookup.unread` for a key that may be among those that were not read, as what a filter
 * goes by must not be left out, and `lookup.tooMuch` or `lookup.tooManyNames` where the values of one call are too long together
 * or too many.
 */
export function sessionLookup(call: LookupSource): Lookup {
  // Null is what is no lookup.
  let remembered: Map<string, string | null> | undefined;
  let filled: Filled | undefined;
  const find = withModifiers((name) => findValue(name, call));
  return (text) => {
    remembered ??= new Map();
    let value = remembered.get(text);
    if (value === undefined) {
      value = find(text.trim()) ?? null;
      if (remembered.size < maxRemembered) remembered.set(text, value);
    }
    if (value === null) return undefined;
    filled ??= filledOf(call);
    filled.characters += value.length;
    filled.names += 1;
    if (filled.characters > maxFilledCharacters) throw fail('lookup.tooMuch', { max: maxFilledCharacters });
    if (filled.names > maxFilledNames) throw fail('lookup.tooManyNames', { max: maxFilledNames });
    return value;
  };
}

function findValue(name: string, call: LookupSource): string | undefined {
  if (!platformNames.test(name)) return storedValue(call.caller.lookups, name);
  const value = Object.hasOwn(lookupSources, name) ? lookupSources[name]?.(call) : undefined;
  return value === undefined || value === null ? undefined : String(value);
}

function filledOf(call: LookupSource): Filled {
  const filled = filledFor.get(call) ?? { characters: 0, names: 0 };
  filledFor.set(call, filled);
  return filled;
}

function storedValue(lookups: CallerLookups, name: string): string | undefined {
  const value = lookups.get(name);
  if (value === undefined && lookups.isCut) throw fail('lookup.unread', { name, ...publicLookupBounds });
  return value;
}
