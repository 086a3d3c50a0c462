// People, apps and roles as needed to identify a call: remembered, and dropped when the store announces a change. So a
// change acts on the very next call, and a call in the meantime reads nothing.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AccessRow } from '../access/decide.ts';
import type { Caller, CallerRole, CallerUser } from '../call/call.ts';
import { affects, type Change, type Db, folded, type Store } from '../store/index.ts';
import type { UserTable } from '../store/tables.ts';
import { normalizeAddress } from './addresses.ts';
import { createLoadingCache } from './cache.ts';
import { createLookupLoader } from './lookups.ts';
import { subjectOf } from './tokens.ts';

/** The row of a person in the store. */
export type UserRow = Selectable<UserTable>;

/** A person as needed to sign in. */
export interface Person {
  user: CallerUser;
  isActive: boolean;
  /** Tokens dated earlier (seconds) are revoked. */
  validFrom: number;
  /** What the `sub` of a token must be. */
  subject: string;
  /** Equal as long as the stored password hash is. */
  passwordFingerprint: string;
}

export interface App {
  app: NonNullable<Caller['app']>;
  isActive: boolean;
}

export interface Directory {
  person(id: number): Promise<Person | undefined>;
  /** The app of an API key; undefined for a key nobody has. */
  appByKey(apiKey: string): Promise<App | undefined>;
  app(id: number): Promise<App | undefined>;
  appKey(name: string): Promise<string | null>;
  /** The caller's role: the person's own for the app, else the app's default (contract/http-basics.md §3). */
  roleOf(user: CallerUser | undefined, app: Caller['app']): Promise<{ role: CallerRole; isOwn: boolean } | undefined>;
  role(id: number): Promise<CallerRole | undefined>;
  /** The lookup keys of a caller that are not private (contract/sessions-and-accounts.md §10). */
  lookupsOf(caller: Pick<Caller, 'user' | 'app' | 'role'>): Promise<Caller['lookups']>;
  isSetUp(): Promise<boolean>;
}

const maxEntries = { people: 20_000, apps: 2_000, roles: 2_000 };
/** Characters of the longest API key. */
const maxKeyLength = 255;

export function createDirectory(store: Store): Directory {
  const { db } = store;
  const people = createLoadingCache<number, Person | undefined>(maxEntries.people, async (id) => {
    const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
    return row && personOf(row);
  });
  const appsByKey = createLoadingCache<string, App | undefined>(maxEntries.apps, async (key) => {
    const row = await selectApps(db).where('api_key', '=', key).executeTakeFirst();
    // Some databases ignore case when they compare; keys are compared exactly, in constant time.
    return row && isSameSecret(row.api_key, key) ? appOf(row) : undefined;
  });
  const appKeys = createLoadingCache<string, string | null>(16, async (name) => {
    const row = await selectApps(db).where('name', '=', name).executeTakeFirst();
    return row?.api_key ?? null;
  });
  const roles = createLoadingCache<number, CallerRole | undefined>(maxEntries.roles, (id) => loadRole(store, id));
  const ownRoles = createLoadingCache<number, Map<number, number>>(maxEntries.people, async (userId) => {
    const rows = await db
      .selectFrom('user_to_app_to_role')
      .select(['app_id', 'role_id'])
      .where('user_id', '=', userId)
      .execute();
    return new Map(rows.map((row) => [row.app_id, row.role_id]));
  });
  const adminExists = createLoadingCache<'admin', boolean>(1, () => hasAdmin(db));

  const invalidators: Record<string, (change: Change) => void> = {
    user({ ids }) {
      adminExists.clear();
      if (!ids) {
        people.clear();
        ownRoles.clear();
      }
      for (const id of ids ?? []) {
        people.drop(id);
        ownRoles.drop(id);
      }
    },
    app() {
      appsByKey.clear();
      appKeys.clear();
      ownRoles.clear();
    },
    role() {
      // A deleted role also empties the default role of apps and the rows of people.
      roles.clear();
      appsByKey.clear();
      ownRoles.clear();
    },
    role_service_access: () => roles.clear(),
    service: () => roles.clear(),
    user_to_app_to_role: () => ownRoles.clear(),
  };
  store.bus.subscribe((change) => {
    for (const [table, invalidate] of Object.entries(invalidators)) if (affects(change, table)) invalidate(change);
  });

  return {
    person: (id) => people.get(id),
    async appByKey(key) {
      return key.length > maxKeyLength ? undefined : appsByKey.get(key);
    },
    async app(id) {
      const row = await selectApps(db).where('id', '=', id).executeTakeFirst();
      return row && appOf(row);
    },
    appKey: (name) => appKeys.get(name),
    async roleOf(user, app) {
      if (!app || user?.isAdmin) return undefined;
      const ownRoleId = user && (await ownRoles.get(user.id)).get(app.id);
      const id = ownRoleId ?? app.roleId;
      const role = id === null ? undefined : await roles.get(id);
      return role && { role, isOwn: ownRoleId !== undefined };
    },
    role: (id) => roles.get(id),
    lookupsOf: createLookupLoader(store),
    isSetUp: () => adminExists.get('admin'),
  };
}

/** Whether this instance has an administrator; as long as there is none, set-up is open. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db.selectFrom('user').select('id').where('is_sys_admin', '=', 1).limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * The row of the person who signs in with `login`, letters in either case: as it is written, else as addresses are stored
 * (`normalizeAddress`). One query, so that the time tells nothing.
 */
export async function findUserByLogin(
  { db }: Pick<Store, 'db'>,
  attribute: 'email' | 'username',
  login: string,
): Promise<UserRow | undefined> {
  const column = `${attribute}_folded` as const;
  const [exact, normalized] = [folded(login), folded(normalizeAddress(login))];
  const rows = await db.selectFrom('user').selectAll().where(column, 'in', [exact, normalized]).execute();
  return rows.find((row) => row[column] === exact) ?? rows[0];
}

export function personOf(row: UserRow): Person {
  return {
    user: {
      id: row.id,
      name: row.name,
      firstName: row.first_name,
      lastName: row.last_name,
      username: row.username,
      email: row.email,
      phone: row.phone,
      isAdmin: row.is_sys_admin === 1,
      defaultAppId: row.default_app_id,
      lastLoginDate: row.last_login_date,
    },
    isActive: row.is_active === 1,
    validFrom: Number(row.tokens_valid_from),
    subject: subjectOf(row.email),
    passwordFingerprint: createHash('sha256')
      .update(row.password ?? '')
      .digest('base64url'),
  };
}

const selectApps = (db: Store['db']) => db.selectFrom('app').select(['id', 'name', 'api_key', 'is_active', 'role_id']);

function appOf(row: { id: number; name: string; api_key: string; is_active: number; role_id: number | null }): App {
  return {
    app: { id: row.id, name: row.name, apiKey: row.api_key, roleId: row.role_id },
    isActive: row.is_active === 1,
  };
}

async function loadRole({ db }: Store, id: number): Promise<CallerRole | undefined> {
  const role = await db.selectFrom('role').select(['id', 'name', 'is_active']).where('id', '=', id).executeTakeFirst();
  if (!role) return undefined;
  return { id: role.id, name: role.name, isActive: role.is_active === 1, access: await loadAccessRows(db, id) };
}

/**
 * Reads the access rows of a role from the store; without an id, those of all roles. `serviceKey` tells how they name
 * services: by the name that calls use, or by the id, which stays when a service is renamed. With a `page`, only as many that
 * follow a row.
 */
export async function loadAccessRows(
  db: Db,
  roleId?: number,
  serviceKey: 'name' | 'id' = 'name',
  page?: { after: number; limit: number },
): Promise<AccessRow[]> {
  let query = db
    .selectFrom('role_service_access as access')
    .leftJoin('service', 'service.id', 'access.service_id')
    .select([
      'access.id as id',
      'access.service_id as service_id',
      'service.name as service',
      'access.component as component',
      'access.verb_mask as verb_mask',
      'access.requestor_mask as requestor_mask',
      'access.filters as filters',
      'access.filter_op as filter_op',
    ])
    // A row whose service is gone must not become one for all services.
    .where((where) => where.or([where('access.service_id', 'is', null), where('service.id', 'is not', null)]))
    .orderBy('access.id');
  if (roleId !== undefined) query = query.where('access.role_id', '=', roleId);
  if (page) query = query.where('access.id', '>', page.after).limit(page.limit);
  const rows = await query.execute();
  return rows.map(
    (row): AccessRow => ({
      id: row.id,
      service:
        row.service_id === null ? null : serviceKey === 'id' ? String(row.service_id) : row.service!.toLowerCase(),
      component: row.component ?? '',
      verbMask: row.verb_mask,
      requestorMask: row.requestor_mask,
      filters: parseFilters(row.filters),
      filterOp: row.filter_op,
    }),
  );
}

/** The conditions of an access row, read from the JSON text that is stored. */
export function parseFilters(text: string | null): unknown[] | null {
  if (text === null || text === '') return null;
  const value: unknown = JSON.parse(text);
  if (value === null) return null;
  return Array.isArray(value) ? value : [value];
}

/** Compares two texts in a time that does not tell how much of them agrees. */
export function isSameSecret(a: string, b: string): boolean {
  const [digestA, digestB] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(digestA!, digestB!);
}
