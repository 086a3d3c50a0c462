import { pause } from '@sluice/sql';
import type { Store } from '../store/index.ts';

/** Entries of one statement. Others wait for its locks, so it must be short. */
const batchSize = 1_000;
const day = 86_400_000;

/**
 * Deletes the entries older than so many days (SLUICE_AUDIT_DAYS); 0 keeps them for ever. Several processes may do so at
 * once: what another has deleted is simply not there. Stops between batches once `isStopped` says so.
 */
export async function purgeAudit({ db }: Pick<Store, 'db'>, days: number, isStopped = () => false): Promise<void> {
  if (days === 0) return;
  const oldest = new Date(Date.now() - days * day).toISOString();
  while (!isStopped()) {
    // By their keys: not every engine knows DELETE with LIMIT, or LIMIT in a subquery.
    const rows = await db
      .selectFrom('audit')
      .select('id')
      .where('created_date', '<', oldest)
      .orderBy('created_date')
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const ids = rows.map((row) => row.id);
    if (ids.length > 0) await db.deleteFrom('audit').where('id', 'in', ids).execute();
    if (ids.length < batchSize) return;
    await pause();
  }
}
