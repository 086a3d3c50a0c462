// Notices in the table `change_notice` of the store, for databases that carry no messages themselves.
import { randomUUID } from 'node:crypto';
import type { AnyDb, StoreDialect } from '../dialects/index.ts';
import type { Db } from '../index.ts';
import { allChanged, type Change, limitSize } from './bus.ts';
import type { Notices } from './polled.ts';

/** Milliseconds in which a row may still appear below one that was read: keys are assigned before the commit. */
const maxCommitDelay = 5_000;
/** Milliseconds for which a row is kept at least, and between two clearings. */
const keepTime = 300_000;
const clearingInterval = 60_000;

/**
 * Notices of this process and the others; `db` is closed with them. `clock` counts milliseconds; a test may have its own.
 * The age of a row counts from when this process read it, by its own clock: the clocks of two machines are never compared.
 */
export async function createTableNotices(
  db: Db,
  { insert }: Pick<StoreDialect, 'insert'>,
  clock: () => number = () => performance.now(),
): Promise<Notices> {
  const processId = randomUUID();
  const write = (change: Change) =>
    insert(db as unknown as AnyDb, 'change_notice', { source: processId, notice: JSON.stringify(limitSize(change)) });

  /** Writes a row to start from, about a table that nobody caches: whatever is loaded from now on has all earlier changes. */
  const writeStart = () => write({ table: 'change_notice' });
  let floor = await writeStart();
  /** When each row above the floor was read, in order of time. */
  const readTimes = new Map<number, number>();
  const clear = createClearing(db, clock());

  /** Raises the floor to the highest row below which nothing can appear any more. */
  function raiseFloor(now: number): void {
    for (const [id, readAt] of readTimes) if (now - readAt > maxCommitDelay) floor = Math.max(floor, id);
    for (const id of readTimes.keys()) if (id <= floor) readTimes.delete(id);
  }

  return {
    write: async (change) => void (await write(change)),
    close: () => db.destroy(),
    async read() {
      const rows = await db
        .selectFrom('change_notice')
        .select(['id', 'source', 'notice'])
        .where('id', '>=', floor)
        .orderBy('id')
        .execute();
      const now = clock();
      // The row of the floor is deleted only with all before it: when it is gone, others may be gone unread.
      const isCleared = rows[0]?.id !== floor;
      if (isCleared) {
        floor = await writeStart();
        readTimes.clear();
        return [allChanged];
      }
      const unread = rows.filter(({ id }) => id > floor && !readTimes.has(id));
      for (const { id } of unread) readTimes.set(id, now);
      raiseFloor(now);
      await clear(floor, now);
      return unread.filter(({ source }) => source !== processId).map(({ notice }) => JSON.parse(notice) as Change);
    },
  };
}

/** Deletes rows that everyone read long ago; the newest row always stays, and so does that of every living floor. */
function createClearing(db: Db, startedAt: number): (floor: number, now: number) => Promise<void> {
  /** Floors of the past, oldest first. */
  const pastFloors: { floor: number; at: number }[] = [];
  let lastClearing = startedAt;
  return async (floor, now) => {
    if (now - lastClearing < clearingInterval) return;
    lastClearing = now;
    pastFloors.push({ floor, at: now });
    let deletable: number | undefined;
    while (pastFloors[0] && now - pastFloors[0].at >= keepTime) deletable = pastFloors.shift()?.floor;
    if (deletable !== undefined) await db.deleteFrom('change_notice').where('id', '<', deletable).execute();
  };
}
