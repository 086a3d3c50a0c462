// Adds what was counted to the store. Several processes do so at once: rows are added to, never set.
import { sql } from 'kysely';
import type { Db, Store } from '../store/index.ts';
import type { PendingUse, UseCount, UseCounts } from './counter.ts';

/** Ids and rows of one statement. */
const batchSize = 500;
/** How often it is tried when another process inserts a row of the same hour. */
const maxTries = 3;

/** Writes all of it or nothing. What is of a service or an app that is gone by now is left out. */
export async function writeUse(store: Store, pending: PendingUse): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await store.transaction((db) => addUse(db, pending));
    } catch (error) {
      if (tries === maxTries || !store.isDuplicate(error)) throw error;
    }
  }
}

async function addUse(db: Db, { hours, apps }: PendingUse): Promise<void> {
  const lastCalls = new Map<number, UseCount>();
  for (const { services } of hours) for (const [id, count] of services) lastCalls.set(id, count);
  const services = await existingIds(db, 'service', lastCalls);
  for (const { hour, services: counts } of hours) await addHour(db, hour, sortedCounts(counts, services));
  await setLastCalls(db, sortedCounts(lastCalls, services));
  await addKeys(db, sortedCounts(apps, await existingIds(db, 'app', apps)));
}

/** In order of id, so that two processes do not wait for each other crosswise. */
const sortedCounts = (counts: UseCounts, existing: ReadonlySet<number>): [number, UseCount][] =>
  [...counts].filter(([id]) => existing.has(id)).sort(([a], [b]) => a - b);

async function existingIds(db: Db, table: 'service' | 'app', counts: UseCounts): Promise<Set<number>> {
  const existing = new Set<number>();
  for (const ids of batches([...counts.keys()])) {
    const rows = await db.selectFrom(table).select('id').where('id', 'in', ids).execute();
    for (const { id } of rows) existing.add(id);
  }
  return existing;
}

async function addHour(db: Db, hour: number, counts: [number, UseCount][]): Promise<void> {
  const missing: { hour: number; service_id: number; calls: number; failures: number }[] = [];
  for (const [service_id, { calls, failures }] of counts) {
    const { numUpdatedRows } = await db
      .updateTable('service_use_hour')
      .set({ calls: sql`calls + ${calls}`, failures: sql`failures + ${failures}` })
      .where('hour', '=', hour)
      .where('service_id', '=', service_id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) missing.push({ hour, service_id, calls, failures });
  }
  for (const rows of batches(missing)) await db.insertInto('service_use_hour').values(rows).execute();
}

async function setLastCalls(db: Db, counts: [number, UseCount][]): Promise<void> {
  const missing: { service_id: number; last_call: string }[] = [];
  for (const [service_id, { lastCall }] of counts) {
    const last_call = new Date(lastCall).toISOString();
    const { numUpdatedRows } = await db
      .updateTable('service_use')
      .set({ last_call: later(last_call) })
      .where('service_id', '=', service_id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) missing.push({ service_id, last_call });
  }
  for (const rows of batches(missing)) await db.insertInto('service_use').values(rows).execute();
}

async function addKeys(db: Db, counts: [number, UseCount][]): Promise<void> {
  const missing: { app_id: number; calls: number; last_call: string }[] = [];
  for (const [app_id, { calls, lastCall }] of counts) {
    const last_call = new Date(lastCall).toISOString();
    const { numUpdatedRows } = await db
      .updateTable('app_use')
      .set({ calls: sql`calls + ${calls}`, last_call: later(last_call) })
      .where('app_id', '=', app_id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) missing.push({ app_id, calls, last_call });
  }
  for (const rows of batches(missing)) await db.insertInto('app_use').values(rows).execute();
}

/** Another process may have written a later call. */
const later = (last_call: string) =>
  sql<string>`case when last_call < ${last_call} then ${last_call} else last_call end`;

function* batches<T>(items: T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}
