// `system/event_script/_writers`: who can change a file that a script is linked to. They act as administrators, since a script
// runs with the rights of each of its callers (ADR 0025); the editor of scripts names them.
import { fail, type Requestor, requestorMask, type Verb } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { type AccessRow, componentOf, decideVerbs } from '../../access/decide.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { loadAccessRows } from '../../identity/directory.ts';
import { holdsScripts } from '../../scripts/linked.ts';
import type { Services } from '../../service/registry.ts';
import type { Db, Store } from '../../store/index.ts';
import { requireScriptWriter } from './runs.ts';

export interface WritersParts {
  store: Pick<Store, 'db'>;
  services: Pick<Services, 'rows' | 'type'>;
}

const writingVerbs: readonly Verb[] = ['POST', 'PUT', 'PATCH', 'DELETE'];
const requestors = Object.keys(requestorMask) as Requestor[];
/** Roles that are looked at, and people that are named. */
const maxRoles = 200;
const maxPeople = 100;

/**
 * The active roles that may change the file `storage_path` of the service `storage_service_id` through that service, with who has
 * them: people by assignment, apps by default. Administrators may in any case, and are counted. `outside`: the file is one of a
 * repository. For those who may write scripts.
 */
export async function answerWriters({ store: { db }, services }: WritersParts, call: Call): Promise<Reply> {
  requireScriptWriter(call);
  const id = Number(call.query.get('storage_service_id'));
  const path = (call.query.get('storage_path') ?? '').replace(/^\/+/, '');
  const service = (await services.rows()).find((row) => row.id === id);
  const type = service && services.type(service.type);
  if (!service || !holdsScripts(type)) throw fail('script.notLinkable');
  // A repository is written at its host, by who may push there, and never through the service.
  const isOutside = type?.can.repositories === true;
  const candidates = isOutside ? [] : await rolesWithRows(db, id);
  const roles: { id: number; name: string; verbs: Verb[] }[] = [];
  for (const role of candidates.slice(0, maxRoles)) {
    await pause();
    const verbs = verbsOn(await loadAccessRows(db, role.id), service.key, componentOf(path));
    if (verbs.length > 0) roles.push({ ...role, verbs });
  }
  const ids = roles.map((role) => role.id);
  const people = await peopleOf(db, ids);
  return answer({
    ...{ service: service.name, path, administrators: await countAdministrators(db), outside: isOutside },
    ...{ roles, apps: await appsOf(db, ids), people: people.slice(0, maxPeople) },
    // Whether there may be more than are named.
    has_more: candidates.length > maxRoles || people.length > maxPeople,
  });
}

/** The verbs that change a file, by any kind of requestor. */
function verbsOn(rows: AccessRow[], service: string, component: string): Verb[] {
  const decided = requestors.map((requestor) => decideVerbs(rows, { service, component, requestor }));
  return writingVerbs.filter((verb) => decided.some((decide) => decide(verb).allowed));
}

/** The active roles with a row that could count, in order of id, and one more than are looked at. */
const rolesWithRows = (db: Db, service: number): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom('role')
    .innerJoin('role_service_access as access', 'access.role_id', 'role.id')
    .select(['role.id as id', 'role.name as name'])
    .distinct()
    .where('role.is_active', '=', 1)
    .where((where) => where.or([where('access.service_id', '=', service), where('access.service_id', 'is', null)]))
    .orderBy('role.id')
    .limit(maxRoles + 1)
    .execute();

/** The active people who are given one of the roles for an active app, and one more than are named. */
async function peopleOf(db: Db, roles: number[]): Promise<{ id: number; name: string; email: string }[]> {
  if (roles.length === 0) return [];
  return db
    .selectFrom('user_to_app_to_role as assignment')
    .innerJoin('user', 'user.id', 'assignment.user_id')
    .innerJoin('app', 'app.id', 'assignment.app_id')
    .select(['user.id as id', 'user.name as name', 'user.email as email', 'assignment.role_id as role_id'])
    .distinct()
    .where('assignment.role_id', 'in', roles)
    .where('user.is_active', '=', 1)
    .where('user.is_sys_admin', '=', 0)
    .where('app.is_active', '=', 1)
    .orderBy('user.id')
    .limit(maxPeople + 1)
    .execute();
}

/** The active apps whose default role is one of the roles: it is that of everybody who has their key. */
async function appsOf(db: Db, roles: number[]): Promise<{ id: number; name: string; role_id: number | null }[]> {
  if (roles.length === 0) return [];
  return db
    .selectFrom('app')
    .select(['id', 'name', 'role_id'])
    .where('role_id', 'in', roles)
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(maxPeople)
    .execute();
}

async function countAdministrators(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('user')
    .select((select) => select.fn.countAll<number | string | bigint>().as('count'))
    .where('is_sys_admin', '=', 1)
    .where('is_active', '=', 1)
    .executeTakeFirstOrThrow();
  return Number(count);
}
