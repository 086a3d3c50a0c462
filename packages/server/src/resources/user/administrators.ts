// There is always an active administrator. Every write of administrators by a call comes through the record engine and is
// held to it here, inside its transaction; what identity/ writes of people switches nobody off and deletes nobody.
import { fail } from '@sluice/contract';
import type { RecordContext, StoredRow } from '../../resource/resource.ts';

/** Those who may sign in and administer this instance. */
const activeAdministrators = ({ db }: RecordContext) =>
  db.selectFrom('user').select('id').where('is_sys_admin', '=', 1).where('is_active', '=', 1);

/**
 * Lets writes of administrators take turns, before any of their rows is read for a change: always in one order, so that
 * none waits for another that waits for it. Whoever was removed meanwhile hears what their next call would.
 */
export async function takeTurn(context: RecordContext): Promise<void> {
  const active = await activeAdministrators(context).orderBy('id').modifyEnd(context.store.sql.toChange).execute();
  const { user } = context.actor.caller;
  if (!user?.isAdmin || active.some(({ id }) => id === user.id)) return;
  const row = await context.db.selectFrom('user').select('id').where('id', '=', user.id).executeTakeFirst();
  throw row ? fail('session.userInactive') : fail('session.userGone');
}

/** Refuses to delete or switch off the only active administrator. To be asked after `takeTurn`. */
export async function requireAnother(row: StoredRow, context: RecordContext): Promise<void> {
  if (row.is_active !== 1) return;
  const other = await activeAdministrators(context).where('id', '!=', Number(row.id)).limit(1).executeTakeFirst();
  if (!other) throw fail('person.lastAdmin');
}
