// Nobody gives more than they hold: whoever may write roles, people and apps without being an administrator raises
// neither themselves nor others above their own role (contract/role-access.md; docs/operations.md "Who may what").
// Asked in the transaction of the write, of the rows as they are stored then. Administrators are not asked.
import { fail } from '@sluice/contract';
import type { AccessRow } from '../../access/decide.ts';
import { asAnother, type Excess, exceeding, forOthers, namesInFilters, withoutFilters } from '../../access/grants.ts';
import { accessOf } from '../../identity/directory.ts';
import type { RecordContext } from '../../resource/resource.ts';

/** What a caller holds, and which of its filter conditions stay what they are for others. */
interface Held {
  rows: AccessRow[];
  isKept: ReturnType<typeof forOthers>;
}

/** What the caller holds, by the write: a role that is changed in it must not count as it becomes. */
const known = new WeakMap<RecordContext['deferredChecks'], Promise<Held>>();

/** What the caller's role gave before the write; undefined for administrators. */
function heldIn(context: RecordContext): Promise<Held> | undefined {
  if (context.actor.caller.user?.isAdmin) return undefined;
  const held = known.get(context.deferredChecks) ?? readHeld(context);
  known.set(context.deferredChecks, held);
  return held;
}

async function readHeld(context: RecordContext): Promise<Held> {
  return { rows: await rowsHeld(context), isKept: forOthers(await ownedKeys(context)) };
}

async function rowsHeld({ actor, db }: RecordContext): Promise<AccessRow[]> {
  const id = actor.caller.role?.id;
  if (id === undefined) return [];
  const role = await db.selectFrom('role').select('is_active').where('id', '=', id).executeTakeFirst();
  return role?.is_active === 1 ? accessOf(db, id, 'id') : [];
}

/** Names of the lookup keys that a role or an app has of its own. */
async function ownedKeys({ db }: RecordContext): Promise<Set<string>> {
  const keys = await db
    .selectFrom('lookup')
    .select('name')
    .distinct()
    .where((it) => it.or([it('role_id', 'is not', null), it('app_id', 'is not', null)]))
    .execute();
  return new Set(keys.map(({ name }) => name));
}

async function refuse({ db }: RecordContext, excess: Excess | undefined): Promise<void> {
  if (!excess) return;
  const id = Number(excess.service);
  const found =
    excess.service === null
      ? undefined
      : await db.selectFrom('service').select('name').where('id', '=', id).executeTakeFirst();
  throw fail('access.exceedsOwn', { ...excess, service: found?.name ?? excess.service });
}

/** Where rows give more than the caller holds; what `before` gave is not counted. */
const excessOf = ({ rows: held, isKept }: Held, rows: AccessRow[], before: AccessRow[] = []) =>
  exceeding(rows, held, before, isKept);

/** Refuses a row of access that alone gives more than the caller holds; its service is named by id. */
export async function requireHeldRow(context: RecordContext, row: AccessRow): Promise<void> {
  const held = await heldIn(context);
  if (held) await refuse(context, excessOf(held, [row]));
}

/** Sees to it that the rows of a role, once all are written, give no more than before or than the caller holds. */
export async function watchRole(context: RecordContext, id: number): Promise<void> {
  const held = await heldIn(context);
  const name = `rows of role ${id}`;
  if (!held || context.deferredChecks.has(name)) return;
  const before = await accessOf(context.db, id, 'id');
  context.deferredChecks.set(name, async () => {
    const after = await accessOf(context.db, id, 'id');
    await refuse(context, excessOf(held, after, before));
    if (excessOf(held, before) && !excessOf(held, after)) await refuseWithApps(context, id);
  });
}

/**
 * Refuses to take a role from apps, by another role, by its end or row by row, to who does not hold it: they would see the
 * keys of these apps, which give the role again when somebody mends that.
 */
export async function requireHeldByApps(context: RecordContext, id: number): Promise<void> {
  if (!(await holdsRole(context, id))) await refuseWithApps(context, id);
}

async function refuseWithApps({ db }: RecordContext, id: number): Promise<void> {
  const app = await db.selectFrom('app').select('id').where('role_id', '=', id).limit(1).executeTakeFirst();
  if (app) throw fail('access.roleOfApps');
}

/** Lets a role be given to somebody or switched on only by who holds all that it gives. */
export async function requireHeldRole(context: RecordContext, id: number): Promise<void> {
  const held = await heldIn(context);
  // At the end: its rows may be written after it was given.
  if (held)
    context.deferredChecks.set(`all of role ${id}`, async () =>
      refuse(context, excessOf(held, await accessOf(context.db, id, 'id'))),
    );
}

/** Whether the caller holds all that a role gives; administrators hold everything. */
export async function holdsRole(context: RecordContext, id: number): Promise<boolean> {
  const held = await heldIn(context);
  return !held || excessOf(held, await accessOf(context.db, id, 'id')) === undefined;
}

/** Lets what a person signs in by be changed only by who holds, without being them, all that their roles give. */
export async function requireHeldPerson(context: RecordContext, id: number): Promise<void> {
  const held = await heldIn(context);
  if (!held) return;
  const roles = await context.db
    .selectFrom('user_to_app_to_role')
    .select('role_id')
    .distinct()
    .where('user_id', '=', id)
    .execute();
  for (const { role_id } of roles)
    await refuse(context, exceeding(await accessOf(context.db, role_id, 'id'), held.rows, [], asAnother));
}

/**
 * Refuses to change what a name in braces stands for where record filters go by it, unless the caller holds without the
 * filter what its row gives. `roleId` when only the filters of one role are meant.
 */
export async function requireFreeName(context: RecordContext, name: string, roleId?: number): Promise<void> {
  const held = await heldIn(context);
  if (!held) return;
  const rows = (await accessOf(context.db, roleId, 'id')).filter((row) => namesInFilters([row]).has(name));
  for (const row of withoutFilters(rows)) if (exceeding([row], held.rows)) throw fail('lookup.ofOwnFilter', { name });
}
