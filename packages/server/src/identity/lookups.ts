// The stored lookup keys of a caller (contract/sessions-and-accounts.md §10), without the private ones: those are for
// configurations, and whatever a caller can make visible does not get them.
import type { Caller } from '../call/call.ts';
import { affects, type Change, type Db, type Store } from '../store/index.ts';
import { createLoadingCache } from './cache.ts';

type LookupValues = ReadonlyMap<string, string>;
type LookupOwner = 'app' | 'role' | 'user';
type LookupLoader = (caller: Pick<Caller, LookupOwner>) => Promise<LookupValues>;

const maxOwners = 25_000;
const noValues: LookupValues = new Map();

/** Loads the lookup keys of a caller: the instance's, overridden by the app's, the role's and the person's, in that order. */
export function createLookupLoader({ db, bus }: Pick<Store, 'db' | 'bus'>): LookupLoader {
  const cache = createLoadingCache<string, LookupValues>(maxOwners, (key) => loadValues(db, key));
  bus.subscribe((change) => {
    // Signing in changes a person's row, and no keys but their own can have changed with it.
    if (change.table === 'user' && change.ids) for (const id of change.ids) cache.drop(keyOf('user', id));
    else if (affectsLookups(change)) cache.clear();
  });
  return async ({ user, app, role }) => {
    // An administrator has no role, and an inactive role has no keys.
    const ownerKeys = [
      instanceKey,
      app && keyOf('app', app.id),
      role?.isActive && !user?.isAdmin && keyOf('role', role.id),
      user && keyOf('user', user.id),
    ];
    const valuesByOwner = await Promise.all(ownerKeys.map((key) => (key ? cache.get(key) : noValues)));
    const nonEmpty = valuesByOwner.filter((values) => values.size > 0);
    return nonEmpty.length > 1 ? new Map(nonEmpty.flatMap((values) => [...values])) : (nonEmpty[0] ?? noValues);
  };
}

const instanceKey = 'all';
const keyOf = (owner: LookupOwner, id: number) => `${owner} ${id}`;

/** Keys are deleted with their owner, too, and then only the owner's change is announced. */
const affectsLookups = (change: Change) => ['lookup', 'user', 'role', 'app'].some((table) => affects(change, table));

async function loadValues(db: Db, key: string): Promise<LookupValues> {
  const [owner, id] = key.split(' ') as [LookupOwner, string];
  let query = db.selectFrom('lookup').select(['name', 'value']).where('private', '=', 0);
  for (const kind of ['app', 'role', 'user'] as const)
    query = kind === owner ? query.where(`${kind}_id`, '=', Number(id)) : query.where(`${kind}_id`, 'is', null);
  const rows = await query.orderBy('id').execute();
  return rows.length === 0 ? noValues : new Map(rows.map(({ name, value }) => [name, value ?? '']));
}
