// The lookup keys of scripts (contract/event-scripts-and-script-services.md §4): those of the instance, the app and the role stand in
// the text of a script where it says `{name}`, private ones too; private ones are in `session.lookup_secret` as well, a person's own
// there and in `session.lookup` alone: nobody writes into the scripts that run for others.
import { fillBraces, publicLookupBounds } from '@sluice/contract';
import type { Caller } from '../call/call.ts';
import { createKey } from '../call/typed-map.ts';
import type { Secrets } from '../identity/keys.ts';
import { createOwnerCache, lookupOwnersOf } from '../identity/lookups.ts';
import type { Db, Store } from '../store/index.ts';

export interface ScriptLookups {
  /** The text of a script with the values of keys put in; `name` is what the log calls it. */
  fill(name: string, script: string): string;
  /** Private values by key. */
  secret: Record<string, string>;
  /** The value of a key, private or not, a person's own before others. */
  find(name: string): string | undefined;
}

/** For services that put in the keys of a caller where callers do not see them. */
export const callerLookups = createKey<LoadScriptLookups>('the lookup keys of a caller, private ones included');

export type LoadScriptLookups = (caller: Caller) => Promise<ScriptLookups>;

interface Key {
  value: string;
  isPrivate: boolean;
}
type OwnerKeys = ReadonlyMap<string, Key> & { bytes?: number };

/** Characters that keys may put into one script. */
const maxFilled = 1024 * 1024;
/** Keys that the log has named. */
const maxNamed = 1_000;

/**
 * What could end a text in JavaScript, PHP or Python, begin a value within one, or end a comment. Such a value is for
 * `session.lookup` and `session.lookup_secret`.
 */
const breaksTexts = /["'`\\${}\p{Cc}\u2028\u2029]|\*\/|\?>/u;

export function createScriptLookups(
  { db, bus }: Pick<Store, 'db' | 'bus'>,
  secrets: Secrets,
  log: { warn(details: object, message: string): void },
): LoadScriptLookups {
  const cache = createOwnerCache<OwnerKeys>(bus, (owner) => loadKeys(db, secrets, owner));
  const named = new Set<string>();

  function warn(script: string, lookup: string): void {
    const key = `${script} ${lookup}`;
    if (named.has(key)) return;
    if (named.size >= maxNamed) named.clear();
    named.add(key);
    log.warn({ script, lookup }, 'A lookup key stays in a script as it is written: its value could end a text there.');
  }

  return async (caller) => {
    const { shared, own } = lookupOwnersOf(caller);
    const load = (owners: string[]) => Promise.all(owners.map((owner) => cache.get(owner)));
    const [inText, personal] = await Promise.all([load(shared), load(own)]);
    const find = (name: string): Key | undefined => inText.findLast((keys) => keys.has(name))?.get(name);
    return {
      fill(name, script) {
        if (inText.every(({ size }) => size === 0)) return script;
        let filled = 0;
        return fillBraces(script, (lookup) => {
          const value = find(lookup)?.value;
          if (value === undefined || filled + value.length > maxFilled) return undefined;
          if (breaksTexts.test(value)) {
            warn(name, lookup);
            return undefined;
          }
          filled += value.length;
          return value;
        });
      },
      secret: privateValues([...inText, ...personal]),
      find: (name) => [...inText, ...personal].findLast((keys) => keys.has(name))?.get(name)?.value,
    };
  };
}

/** Of each name the last owner's, where that is private. */
function privateValues(all: readonly OwnerKeys[]): Record<string, string> {
  const effective = new Map(all.flatMap((keys) => [...keys]));
  return Object.fromEntries(
    [...effective].flatMap(([name, { value, isPrivate }]) => (isPrivate ? [[name, value]] : [])),
  );
}

/** The keys of an owner, private ones in clear; as many as the public ones of an owner may be. */
async function loadKeys(db: Db, secrets: Secrets, owner: string): Promise<OwnerKeys> {
  const rows = await db
    .selectFrom('lookup')
    .select(['name', 'value', 'private'])
    .where('owner', '=', owner)
    .orderBy('id')
    .limit(publicLookupBounds.keys)
    .execute();
  const keys = new Map<string, Key>();
  let bytes = 0;
  for (const { name, value, private: isPrivate } of rows) {
    const text = value && isPrivate === 1 ? secrets.decrypt(value) : (value ?? '');
    bytes += name.length + text.length;
    if (bytes > publicLookupBounds.bytes) break;
    keys.set(name, { value: text, isPrivate: isPrivate === 1 });
  }
  return Object.assign(keys, { bytes });
}
