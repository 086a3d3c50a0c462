import { maxUseHours } from '@sluice/contract';
import { pause } from '@sluice/sql';
import type { Db } from '../store/index.ts';
import { hourLength } from './counter.ts';

/** Hours nobody can ask for any more; a day longer than that, for clocks that differ. */
const keptHours = maxUseHours + 24;

/** Deletes the counts of hours that are too old, an hour at a time: each has a row for every service at most. */
export async function purgeUse(db: Db, isStopped: () => boolean): Promise<void> {
  const oldest = Math.floor(Date.now() / hourLength) - keptHours;
  while (!isStopped()) {
    const row = await db
      .selectFrom('service_use_hour')
      .select('hour')
      .where('hour', '<', oldest)
      .orderBy('hour')
      .limit(1)
      .executeTakeFirst();
    if (!row) return;
    await db.deleteFrom('service_use_hour').where('hour', '=', row.hour).execute();
    await pause();
  }
}
