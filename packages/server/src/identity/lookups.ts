// The stored lookup keys a caller has (contract/sessions-and-accounts.md §10), without the private ones: those are for
// configurations, and nothing a caller can make visible is told them.
import type { Caller } from '../call/call.ts';
import { type Change, concerns, type Db, type Store } from '../store/index.ts';
import { remember } from './cache.ts';

type Values = ReadonlyMap<string, string>;
type Owner = 'app' | 'role' | 'user';

const remembered = 25_000;
const none: Values = new Map();

/** Tells the lookup keys of a caller: the instance's, overridden by the app's, the role's and the person's, in that order. */
export function storedLookups({ db, bus }: Pick<Store, 'db' | 'bus'>): (caller: Owners) => Promise<Values> {
  const kept = remember<string, Values>(remembered, (key) => load(db, key));
  bus.subscribe((change) => {
    // Signing in changes a person's row: nothing but their own keys can have gone with it.
    if (change.table === 'user' && change.ids) for (const id of change.ids) kept.drop(keyOf('user', id));
    else if (isAbout(change)) kept.clear();
  });
  return async ({ user, app, role }) => {
    // An administrator has no role, and an inactive one gives nothing.
    const owners = [
      everyone,
      app && keyOf('app', app.id),
      role?.isActive && !user?.isAdmin && keyOf('role', role.id),
      user && keyOf('user', user.id),
    ];
    const found = await Promise.all(owners.map((key) => (key ? kept.get(key) : none)));
    const some = found.filter((it) => it.size > 0);
    return some.length > 1 ? new Map(some.flatMap((it) => [...it])) : (some[0] ?? none);
  };
}

type Owners = Pick<Caller, 'user' | 'app' | 'role'>;

const everyone = 'all';
const keyOf = (owner: Owner, id: number) => `${owner} ${id}`;

/** With their owner keys go, too: then nobody else is told of them. */
const isAbout = (change: Change) => ['lookup', 'user', 'role', 'app'].some((table) => concerns(change, table));

async function load(db: Db, key: string): Promise<Values> {
  const [owner, id] = key.split(' ') as [Owner, string];
  let rows = db.selectFrom('lookup').select(['name', 'value']).where('private', '=', 0);
  for (const it of ['app', 'role', 'user'] as const)
    rows = it === owner ? rows.where(`${it}_id`, '=', Number(id)) : rows.where(`${it}_id`, 'is', null);
  const found = await rows.orderBy('id').execute();
  return found.length === 0 ? none : new Map(found.map(({ name, value }) => [name, value ?? '']));
}
