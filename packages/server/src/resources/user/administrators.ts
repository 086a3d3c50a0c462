// There is always an active administrator. Every write of administrators by a call comes through the record engine and is
// checked here, inside its transaction. What identity/ writes of people switches nobody off and deletes nobody.
import { fail } from '@sluice/contract';
import type { RecordContext, StoredRow } from '../../resource/resource.ts';

/** The administrators who may sign in. */
const activeAdministrators = ({ db }: RecordContext) =>
  db.selectFrom('user').select('id').where('is_sys_admin', '=', 1).where('is_active', '=', 1);

/**
 * Locks the rows of active administrators, before any of them is read for a change. Always in the same order: two writes
 * never wait for each other. A caller who was removed meanwhile is refused as their next call would be.
 */
export async function lockAdministrators(context: RecordContext): Promise<void> {
  const active = await activeAdministrators(context).orderBy('id').modifyEnd(context.store.sql.forUpdate).execute();
  const { user } = context.actor.caller;
  if (!user?.isAdmin || active.some(({ id }) => id === user.id)) return;
  const row = await context.db.selectFrom('user').select('id').where('id', '=', user.id).executeTakeFirst();
  throw row ? fail('session.userInactive') : fail('session.userGone');
}

/** Refuses to delete or switch off the only active administrator. Needs the lock of `lockAdministrators`. */
export async function requireOtherAdministrator(row: StoredRow, context: RecordContext): Promise<void> {
  if (row.is_active !== 1) return;
  const other = await activeAdministrators(context).where('id', '!=', Number(row.id)).limit(1).executeTakeFirst();
  if (!other) throw fail('person.lastAdmin');
}
