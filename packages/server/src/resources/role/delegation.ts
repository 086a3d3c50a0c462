// Delegation: nobody gives more than they hold. A person who may write roles, people and apps without being an administrator
// raises neither themselves nor others above their own role (contract/role-access.md; docs/operations.md "Who may what").
// Checked in the transaction of the write, against the rows as they are stored then. Administrators are not checked.
import { Failure, fail } from '@sluice/contract';
import { oncePer } from '@sluice/sql';
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

/** More rows has no role that is changed or given: they are compared with all that is held, where access is named. */
const maxRowsOfRole = 2000;
/** How many rows are compared in one call. */
const maxComparedRows = 100_000;
const rowsPerPage = 500;

/** The rows of access a caller holds, and which of their filter conditions mean the same for others. */
interface HeldRights {
  rows: AccessRow[];
  isSameForOthers: ReturnType<typeof sameForOtherRoles>;
}

/** What a call has found out, by the question, as each record of thousands asks the same; and what it has done so far. */
interface CallState {
  answers: Map<string, Promise<unknown>>;
  hasWrittenRows: boolean;
  comparedRows: number;
}

const stateOf = oncePer(
  (_actor: RecordContext['actor']): CallState => ({
    answers: new Map(),
    hasWrittenRows: false,
    comparedRows: 0,
  }),
);

function oncePerCall<T>({ actor }: RecordContext, question: string, find: () => Promise<T>): Promise<T> {
  const { answers } = stateOf(actor);
  const answer = (answers.get(question) as Promise<T> | undefined) ?? find();
  answers.set(question, answer);
  return answer;
}

/** What is found out once a call, until it writes rows itself: what it wrote may be undone, and would be remembered. */
const onceUntilWritten = <T>(context: RecordContext, question: string, find: () => Promise<T>): Promise<T> =>
  stateOf(context.actor).hasWrittenRows ? find() : oncePerCall(context, question, find);

/** What the caller's role gave before the call, whose changes must not count; undefined for administrators. */
function loadHeldRights(context: RecordContext): Promise<HeldRights> | undefined {
  if (context.actor.caller.user?.isAdmin) return undefined;
  return oncePerCall(context, 'held rights', () => readHeldRights(context));
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

/** Counts rows that are going to be compared; throws `access.tooManyComparisons`. */
function limitComparedRows({ actor }: RecordContext, count: number): void {
  const state = stateOf(actor);
  state.comparedRows += count;
  if (state.comparedRows > maxComparedRows) throw fail('access.tooManyComparisons');
}

/** The rows of a role that is changed or given. Throws `access.tooManyRows`. */
async function loadGivenRows(context: RecordContext, id: number): Promise<AccessRow[]> {
  const rows = await loadAccessRows(context.db, id, 'id');
  if (rows.length > maxRowsOfRole) throw fail('access.tooManyRows', { limit: maxRowsOfRole });
  limitComparedRows(context, rows.length);
  return rows;
}

/** Refuses a row of access that alone gives more than the caller holds; its service is named by id. */
export async function requireHeldRow(context: RecordContext, row: AccessRow): Promise<void> {
  const rights = await loadHeldRights(context);
  if (!rights) return;
  limitComparedRows(context, 1);
  await refuseEscalation(context, await escalationOf(rights, [row]));
}

/** Before a row of a role is written: checks, once all are, that they give no more than before or than the caller holds. */
export async function deferRoleCheck(context: RecordContext, id: number): Promise<void> {
  const rights = await loadHeldRights(context);
  if (!rights) return;
  stateOf(context.actor).hasWrittenRows = true;
  const name = `rows of role ${id}`;
  if (context.deferredChecks.has(name)) return;
  const before = await loadAccessRows(context.db, id, 'id');
  context.deferredChecks.set(name, async () => {
    const after = await loadGivenRows(context, id);
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
      refuseEscalation(context, await escalationOfRole(context, rights, id)),
    );
}

/** Whether the caller holds all that a role gives; administrators hold everything, others no role of too many rows. */
export async function holdsRole(context: RecordContext, id: number): Promise<boolean> {
  const rights = await loadHeldRights(context);
  if (!rights) return true;
  try {
    return (await escalationOfRole(context, rights, id)) === undefined;
  } catch (error) {
    if (error instanceof Failure && error.status === 403) return false;
    throw error;
  }
}

const escalationOfRole = (context: RecordContext, rights: HeldRights, id: number) =>
  onceUntilWritten(context, `role ${id}`, async () => escalationOf(rights, await loadGivenRows(context, id)));

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
      await onceUntilWritten(context, `role ${role_id} of other people`, async () =>
        findEscalation(await loadGivenRows(context, role_id), rights.rows, [], sameForOtherPeople),
      ),
    );
}

/**
 * Refuses to change what a name in braces stands for where record filters go by it, unless the caller holds without the
 * filter what its row gives. With `roleId` only the filters of that role count.
 */
export async function protectLookupName(context: RecordContext, name: string, roleId?: number): Promise<void> {
  const rights = await loadHeldRights(context);
  if (!rights) return;
  const names = await onceUntilWritten(context, `names in filters of role ${roleId ?? 'any'}`, () =>
    readProtectedNames(context, rights, roleId),
  );
  if (names.has(name)) throw fail('lookup.ofOwnFilter', { name });
}

/** Names in braces that record filters go by without which their row would give more than the caller holds. */
async function readProtectedNames(context: RecordContext, held: HeldRights, roleId?: number): Promise<Set<string>> {
  const protectedNames = new Set<string>();
  for await (const page of accessPages(context, roleId))
    for (const row of page) {
      const names = namesInFilters([row]);
      if (names.size === 0) continue;
      limitComparedRows(context, 1);
      if (await findEscalation(withoutFilters([row]), held.rows)) for (const name of names) protectedNames.add(name);
    }
  return protectedNames;
}

async function* accessPages({ db }: RecordContext, roleId: number | undefined): AsyncGenerator<AccessRow[]> {
  for (let after = 0; ; ) {
    const rows = await loadAccessRows(db, roleId, 'id', { after, limit: rowsPerPage });
    yield rows;
    if (rows.length < rowsPerPage) return;
    after = rows.at(-1)!.id;
  }
}
