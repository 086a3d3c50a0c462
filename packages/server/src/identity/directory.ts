// People, apps and roles as identifying a call needs them: remembered, dropped when the store tells of a change, so
// that a change acts on the very next call and a call in the meantime reads nothing.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AccessRow } from '../access/decide.ts';
import type { Caller, CallerRole, CallerUser } from '../call/call.ts';
import { type Change, concerns, type Db, folded, type Store } from '../store/index.ts';
import type { UserTable } from '../store/tables.ts';
import { toAddress } from './addresses.ts';
import { remember } from './cache.ts';
import { storedLookups } from './lookups.ts';
import { emailMark } from './tokens.ts';

/** A person as signing in needs them. */
export interface Person {
  user: CallerUser;
  isActive: boolean;
  /** Tokens dated earlier (seconds) are revoked. */
  validFrom: number;
  /** What the `sub` of a token must be. */
  emailMark: string;
  /** Changes with the stored password. */
  passwordMark: string;
}

export interface App {
  app: NonNullable<Caller['app']>;
  isActive: boolean;
}

export interface Directory {
  person(id: number): Promise<Person | undefined>;
  /** The app of an API key; undefined for a key nobody has. */
  appOf(apiKey: string): Promise<App | undefined>;
  app(id: number): Promise<App | undefined>;
  appKey(name: string): Promise<string | null>;
  /** The caller's role: the person's own for the app, else the app's default (contract/http-basics.md §3). */
  roleOf(user: CallerUser | undefined, app: Caller['app']): Promise<{ role: CallerRole; isOwn: boolean } | undefined>;
  role(id: number): Promise<CallerRole | undefined>;
  /** The lookup keys of a caller that are not private (contract/sessions-and-accounts.md §10). */
  lookupsOf(caller: Pick<Caller, 'user' | 'app' | 'role'>): Promise<Caller['lookups']>;
  isSetUp(): Promise<boolean>;
}

const remembered = { people: 20_000, apps: 2_000, roles: 2_000 };
/** Characters of the longest API key. */
const keyLimit = 255;

export function directory(store: Store): Directory {
  const { db } = store;
  const people = remember<number, Person | undefined>(remembered.people, async (id) => {
    const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
    return row && personOf(row);
  });
  const appsByKey = remember<string, App | undefined>(remembered.apps, async (key) => {
    const row = await appColumns(db).where('api_key', '=', key).executeTakeFirst();
    // Some databases compare texts without regard to case; keys are compared to the letter, in constant time.
    return row && sameText(row.api_key, key) ? appOfRow(row) : undefined;
  });
  const appKeys = remember<string, string | null>(16, async (name) => {
    const row = await appColumns(db).where('name', '=', name).executeTakeFirst();
    return row?.api_key ?? null;
  });
  const roles = remember<number, CallerRole | undefined>(remembered.roles, (id) => loadRole(store, id));
  const ownRoles = remember<number, Map<number, number>>(remembered.people, async (userId) => {
    const rows = await db
      .selectFrom('user_to_app_to_role')
      .select(['app_id', 'role_id'])
      .where('user_id', '=', userId)
      .execute();
    return new Map(rows.map((row) => [row.app_id, row.role_id]));
  });
  const setUp = remember<'admin', boolean>(1, () => hasAdmin(db));

  const dropped: Record<string, (change: Change) => void> = {
    user({ ids }) {
      setUp.clear();
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
    for (const [table, drop] of Object.entries(dropped)) if (concerns(change, table)) drop(change);
  });

  return {
    person: (id) => people.get(id),
    async appOf(key) {
      return key.length > keyLimit ? undefined : appsByKey.get(key);
    },
    async app(id) {
      const row = await appColumns(db).where('id', '=', id).executeTakeFirst();
      return row && appOfRow(row);
    },
    appKey: (name) => appKeys.get(name),
    async roleOf(user, app) {
      if (!app || user?.isAdmin) return undefined;
      const own = user && (await ownRoles.get(user.id)).get(app.id);
      const id = own ?? app.roleId;
      const role = id === null ? undefined : await roles.get(id);
      return role && { role, isOwn: own !== undefined };
    },
    role: (id) => roles.get(id),
    lookupsOf: storedLookups(store),
    isSetUp: () => setUp.get('admin'),
  };
}

/** Whether anybody administers this instance; as long as nobody does, set-up is open. */
export async function hasAdmin(db: Db): Promise<boolean> {
  const row = await db.selectFrom('user').select('id').where('is_sys_admin', '=', 1).limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * The row of whoever signs in with `login`, letters in either case: as it is written, else as addresses are stored
 * (`toAddress`). One query, so that the time tells nothing.
 */
export async function rowByLogin(
  { db }: Pick<Store, 'db'>,
  attribute: 'email' | 'username',
  login: string,
): Promise<Selectable<UserTable> | undefined> {
  const column = `${attribute}_folded` as const;
  const [exact, normal] = [folded(login), folded(toAddress(login))];
  const rows = await db.selectFrom('user').selectAll().where(column, 'in', [exact, normal]).execute();
  return rows.find((row) => row[column] === exact) ?? rows[0];
}

export function personOf(row: Selectable<UserTable>): Person {
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
    emailMark: emailMark(row.email),
    passwordMark: createHash('sha256')
      .update(row.password ?? '')
      .digest('base64url'),
  };
}

const appColumns = (db: Store['db']) => db.selectFrom('app').select(['id', 'name', 'api_key', 'is_active', 'role_id']);

function appOfRow(row: { id: number; name: string; api_key: string; is_active: number; role_id: number | null }): App {
  return {
    app: { id: row.id, name: row.name, apiKey: row.api_key, roleId: row.role_id },
    isActive: row.is_active === 1,
  };
}

async function loadRole({ db }: Store, id: number): Promise<CallerRole | undefined> {
  const role = await db.selectFrom('role').select(['id', 'name', 'is_active']).where('id', '=', id).executeTakeFirst();
  if (!role) return undefined;
  return { id: role.id, name: role.name, isActive: role.is_active === 1, access: await accessOf(db, id) };
}

/**
 * The rows of a role as they are stored now; those of all roles without an id. `by` tells how they name services: by the
 * name calls use, or by the id, which stays when a service is renamed.
 */
export async function accessOf(db: Db, roleId?: number, by: 'name' | 'id' = 'name'): Promise<AccessRow[]> {
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
    .orderBy('access.id');
  if (roleId !== undefined) query = query.where('access.role_id', '=', roleId);
  const rows = await query.execute();
  // A row whose service is gone must not turn into one for all services.
  const whole = rows.filter((row) => row.service_id === null || row.service !== null);
  return whole.map(
    (row): AccessRow => ({
      id: row.id,
      service: row.service_id === null ? null : by === 'id' ? String(row.service_id) : row.service!.toLowerCase(),
      component: row.component ?? '',
      verbMask: row.verb_mask,
      requestorMask: row.requestor_mask,
      filters: filtersOf(row.filters),
      filterOp: row.filter_op,
    }),
  );
}

/** The conditions of a row, of the JSON text they are stored as. */
export function filtersOf(text: string | null): unknown[] | null {
  if (text === null || text === '') return null;
  const value: unknown = JSON.parse(text);
  if (value === null) return null;
  return Array.isArray(value) ? value : [value];
}

/** Compares two texts without telling by the time how much of them agrees. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}
