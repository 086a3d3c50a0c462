// Delegation: nobody gives more than they hold. Whoever may write roles, people and apps without being an administrator
// raises neither themselves nor others above their own role (contract/role-access.md; docs/operations.md "Who may what").
// Checked in the transaction of the write, against the rows as they are stored then. Administrators are not checked.
import { fail } from '@sluice/contract';
import type { AccessRow } from '../../access/decide.ts';
import {
  type Escalation,
  findEscalation,
  namesInFilters,
  sameForOtherPeople,
  sameForOtherRoles,
  withoutFilters,
} from '../../access/grants.ts';
import { loadAccessRows } from '../../identity/directory.ts';
import type { RecordContext } from '../../resource/resource.ts';

/** The rows of access a caller holds, and which of their filter conditions mean the same for others. */
interface HeldRights {
  rows: AccessRow[];
  isSameForOthers: ReturnType<typeof sameForOtherRoles>;
}

/** What the caller holds, by write: a role that is changed in the write must not count as it will be. */
const heldRightsByWrite = new WeakMap<RecordContext['deferredChecks'], Promise<HeldRights>>();

/** What the caller's role gave before the write; undefined for administrators. */
function loadHeldRights(context: RecordContext): Promise<HeldRights> | undefined {
  if (context.actor.caller.user?.isAdmin) return undefined;
  const rights = heldRightsByWrite.get(context.deferredChecks) ?? readHeldRights(context);
  heldRightsByWrite.set(context.deferredChecks, rights);
  return rights;
}

async function readHeldRights(context: RecordContext): Promise<HeldRights> {
  return { rows: await readHeldRows(context), isSameForOthers: sameForOtherRoles(await readOwnedLookupNames(context)) };
}

async function readHeldRows({ actor, db }: RecordContext): Promise<AccessRow[]> {
  const id = actor.caller.role?.id;
  if (id === undefined) return [];
  const role = await db.selectFrom('role').select('is_active').where('id', '=', id).executeTakeFirst();
  return role?.is_active === 1 ? loadAccessRows(db, id, 'id') : [];
}

/** Names of the lookup keys that a role or an app has of its own. */
async function readOwnedLookupNames({ db }: RecordContext): Promise<Set<string>> {
  const rows = await db
    .selectFrom('lookup')
    .select('name')
    .distinct()
    .where((where) => where.or([where('role_id', 'is not', null), where('app_id', 'is not', null)]))
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** Refuses the write where there is an escalation, and names its service. */
async function refuseEscalation({ db }: RecordContext, escalation: Escalation | undefined): Promise<void> {
  if (!escalation) return;
  const id = Number(escalation.service);
  const service =
    escalation.service === null
      ? undefined
      : await db.selectFrom('service').select('name').where('id', '=', id).executeTakeFirst();
  throw fail('access.exceedsOwn', { ...escalation, service: service?.name ?? escalation.service });
}

/** The first place where rows give more than the caller holds; what `before` gave does not count. */
const escalationOf = ({ rows: held, isSameForOthers }: HeldRights, rows: AccessRow[], before: AccessRow[] = []) =>
  findEscalation(rows, held, before, isSameForOthers);

/** Refuses a row of access that alone gives more than the caller holds; its service is named by id. */
export async function requireHeldRow(context: RecordContext, row: AccessRow): Promise<void> {
  const rights = await loadHeldRights(context);
  if (rights) await refuseEscalation(context, await escalationOf(rights, [row]));
}

/** Checks, once all rows of a role are written, that they give no more than before or than the caller holds. */
export async function deferRoleCheck(context: RecordContext, id: number): Promise<void> {
  const rights = await loadHeldRights(context);
  const name = `rows of role ${id}`;
  if (!rights || context.deferredChecks.has(name)) return;
  const before = await loadAccessRows(context.db, id, 'id');
  context.deferredChecks.set(name, async () => {
    const after = await loadAccessRows(context.db, id, 'id');
    await refuseEscalation(context, await escalationOf(rights, after, before));
    if ((await escalationOf(rights, before)) && !(await escalationOf(rights, after)))
      await refuseRoleOfApps(context, id);
  });
}

/**
 * Refuses to take a role from apps, by giving them another, by deleting it or row by row, unless the caller holds it. The
 * caller would see the keys of these apps, which give the role again when somebody restores it.
 */
export async function protectRoleOfApps(context: RecordContext, id: number): Promise<void> {
  if (!(await holdsRole(context, id))) await refuseRoleOfApps(context, id);
}

async function refuseRoleOfApps({ db }: RecordContext, id: number): Promise<void> {
  const app = await db.selectFrom('app').select('id').where('role_id', '=', id).limit(1).executeTakeFirst();
  if (app) throw fail('access.roleOfApps');
}

/** Refuses to give a role to somebody, or to switch it on, unless the caller holds all that it gives. */
export async function requireHeldRole(context: RecordContext, id: number): Promise<void> {
  const rights = await loadHeldRights(context);
  // Deferred: its rows may be written after it is given.
  if (rights)
    context.deferredChecks.set(`all of role ${id}`, async () =>
      refuseEscalation(context, await escalationOf(rights, await loadAccessRows(context.db, id, 'id'))),
    );
}

/** Whether the caller holds all that a role gives; administrators hold everything. */
export async function holdsRole(context: RecordContext, id: number): Promise<boolean> {
  const rights = await loadHeldRights(context);
  return !rights || (await escalationOf(rights, await loadAccessRows(context.db, id, 'id'))) === undefined;
}

/** Refuses to change what a person signs in by, unless the caller holds all that their roles give, as another person. */
export async function requireHeldRolesOfPerson(context: RecordContext, id: number): Promise<void> {
  const rights = await loadHeldRights(context);
  if (!rights) return;
  const roles = await context.db
    .selectFrom('user_to_app_to_role')
    .select('role_id')
    .distinct()
    .where('user_id', '=', id)
    .execute();
  for (const { role_id } of roles)
    await refuseEscalation(
      context,
      await findEscalation(await loadAccessRows(context.db, role_id, 'id'), rights.rows, [], sameForOtherPeople),
    );
}

/**
 * Refuses to change what a name in braces stands for where record filters go by it, unless the caller holds without the
 * filter what its row gives. With `roleId` only the filters of that role count.
 */
export async function protectLookupName(context: RecordContext, name: string, roleId?: number): Promise<void> {
  const rights = await loadHeldRights(context);
  if (!rights) return;
  const rows = (await loadAccessRows(context.db, roleId, 'id')).filter((row) => namesInFilters([row]).has(name));
  for (const row of withoutFilters(rows))
    if (await findEscalation([row], rights.rows)) throw fail('lookup.ofOwnFilter', { name });
}
