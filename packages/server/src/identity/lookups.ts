// The stored lookup keys of a caller (contract/sessions-and-accounts.md §10), without the private ones: those are for
// configurations, and whatever a caller can make visible does not get them.
import { publicLookupBounds } from '@sluice/contract';
import { sql } from 'kysely';
import type { Caller, CallerLookups } from '../call/call.ts';
import { affects, type Change, type Db, type Store } from '../store/index.ts';
import { createLoadingCache, type LoadingCache } from './cache.ts';

type LookupOwner = 'app' | 'role' | 'user';
type LookupLoader = (caller: Pick<Caller, LookupOwner>) => Promise<CallerLookups>;

const maxOwners = 25_000;
/** Bytes of the values that are remembered: at least those of four owners. */
const maxBytes = 64 * 1024 * 1024;
/** What a key takes beside its name and value. */
const bytesPerKey = 100;
const noValues: CallerLookups = new Map();

/** Loads the lookup keys of a caller: the instance's, overridden by the app's, the role's and the person's, in that order. */
export function createLookupLoader({ db, bus }: Pick<Store, 'db' | 'bus'>): LookupLoader {
  const cache = createOwnerCache<CallerLookups>(bus, (owner) => loadValues(db, owner));
  return async (caller) => {
    const { shared, own } = lookupOwnersOf(caller);
    return join(await Promise.all([...shared, ...own].map((owner) => cache.get(owner))));
  };
}

/** Whose keys a caller has, each overridden by those after it: the instance's, the app's and the role's, and the person's own. */
export function lookupOwnersOf({ user, app, role }: Pick<Caller, LookupOwner>): { shared: string[]; own: string[] } {
  return {
    shared: [
      instanceOwner,
      ...(app ? [keyOf('app', app.id)] : []),
      // An administrator has no role, and an inactive role has no keys.
      ...(role?.isActive && !user?.isAdmin ? [keyOf('role', role.id)] : []),
    ],
    own: user ? [keyOf('user', user.id)] : [],
  };
}

/** What is loaded of the keys of owners, by `lookupOwnersOf`, until they may have changed. `bytes` is what it takes. */
export function createOwnerCache<V extends { bytes?: number }>(
  bus: Store['bus'],
  load: (owner: string) => Promise<V>,
): LoadingCache<string, V> {
  const cache = createLoadingCache<string, V>(maxOwners, load, {
    maxSize: maxBytes,
    sizeOf: ({ bytes = 0 }) => bytes + bytesPerKey,
  });
  bus.subscribe((change) => {
    // Signing in changes a person's row, and no keys but their own can have changed with it.
    if (change.table === 'user' && change.ids) for (const id of change.ids) cache.drop(keyOf('user', id));
    else if (affectsLookups(change)) cache.clear();
  });
  return cache;
}

/** Later ones override earlier ones. One that was not read whole hides those before it: it may have overridden them. */
function join(all: CallerLookups[]): CallerLookups {
  const from = Math.max(
    0,
    all.findLastIndex(({ isCut }) => isCut),
  );
  const nonEmpty = all.slice(from).filter(({ size, isCut }) => size > 0 || isCut);
  if (nonEmpty.length <= 1) return nonEmpty[0] ?? noValues;
  return Object.assign(new Map(nonEmpty.flatMap((values) => [...values])), {
    bytes: nonEmpty.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    isCut: nonEmpty.some(({ isCut }) => isCut),
  });
}

/** As `lookupOwner` has them. */
const instanceOwner = '';
const keyOf = (owner: LookupOwner, id: number) => `${owner} ${id}`;

/** Keys are deleted with their owner, too, and then only the owner's change is announced. */
const affectsLookups = (change: Change) => ['lookup', 'user', 'role', 'app'].some((table) => affects(change, table));

/** Bytes of name and value of a stored key, in SQL: what `publicLookupBounds` counts. */
export const publicKeyBytes = sql<number>`octet_length(name) + coalesce(octet_length(value), 0)`;

/** The keys of one owner, short ones first where there are more than the bounds allow: stored before there were any. */
async function loadValues(db: Db, owner: string): Promise<CallerLookups> {
  const { keys: maxKeys, bytes: maxOwnerBytes } = publicLookupBounds;
  const found = await db
    .selectFrom('lookup')
    .select(['id', publicKeyBytes.as('bytes')])
    .where('owner', '=', owner)
    .where('private', '=', 0)
    .orderBy('bytes')
    .orderBy('id')
    .limit(maxKeys + 1)
    .execute();
  if (found.length === 0) return noValues;
  let bytes = 0;
  const ids: number[] = [];
  for (const row of found) {
    if (ids.length === maxKeys || bytes + Number(row.bytes) > maxOwnerBytes) break;
    bytes += Number(row.bytes);
    ids.push(row.id);
  }
  const query = db.selectFrom('lookup').select(['name', 'value']).where('private', '=', 0).orderBy('id');
  const rows = ids.length === 0 ? [] : await query.where('id', 'in', ids).execute();
  return Object.assign(new Map(rows.map(({ name, value }) => [name, value ?? ''])), {
    bytes: bytes + ids.length * bytesPerKey,
    isCut: ids.length < found.length,
  });
}
