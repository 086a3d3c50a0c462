// Notices in the table `change_notice` of the store, for databases that carry no messages themselves.
import { randomUUID } from 'node:crypto';
import type { AnyDb, StoreDialect } from '../dialects/index.ts';
import type { Db } from '../index.ts';
import { anything, type Change, shortened } from './bus.ts';
import type { Notices } from './polled.ts';

/** Milliseconds in which a row may still appear below one that was read: keys are given out before the commit. */
const lateness = 5_000;
/** Milliseconds a row is kept at least, and between two clearings. */
const kept = 300_000;
const clearEvery = 60_000;

/**
 * Notices of this process and the others; `db` is closed with them. `clock` counts milliseconds; a test may have its own. Ages are taken from this process's own clock, from when it read a row: the
 * clocks of two machines are never compared.
 */
export async function tableNotices(
  db: Db,
  { insert }: Pick<StoreDialect, 'insert'>,
  clock: () => number = () => performance.now(),
): Promise<Notices> {
  const me = randomUUID();
  const write = (change: Change) =>
    insert(db as unknown as AnyDb, 'change_notice', { source: me, notice: JSON.stringify(shortened(change)) });

  /** Begins after a new row, about a table that nobody caches: what came before is in whatever is loaded from now on. */
  const begin = () => write({ table: 'change_notice' });
  let floor = await begin();
  /** When each row above the floor was read, in order of time. */
  const read = new Map<number, number>();
  const clear = clearing(db, clock());

  /** Raises the floor to the highest row below which nothing can appear any more. */
  function raiseFloor(now: number): void {
    for (const [id, at] of read) if (now - at > lateness) floor = Math.max(floor, id);
    for (const id of read.keys()) if (id <= floor) read.delete(id);
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
      // The row of the floor goes only with all before it: when it is gone, others may have gone unread.
      const isCleared = rows[0]?.id !== floor;
      if (isCleared) {
        floor = await begin();
        read.clear();
        return [anything];
      }
      const news = rows.filter(({ id }) => id > floor && !read.has(id));
      for (const { id } of news) read.set(id, now);
      raiseFloor(now);
      await clear(floor, now);
      return news.filter(({ source }) => source !== me).map(({ notice }) => JSON.parse(notice) as Change);
    },
  };
}

/** Deletes rows everyone has read for long; the newest row always stays, and so does that of every living floor. */
function clearing(db: Db, begun: number): (floor: number, now: number) => Promise<void> {
  /** Floors of the past, oldest first. */
  const past: { floor: number; at: number }[] = [];
  let last = begun;
  return async (floor, now) => {
    if (now - last < clearEvery) return;
    last = now;
    past.push({ floor, at: now });
    let deletable: number | undefined;
    while (past[0] && now - past[0].at >= kept) deletable = past.shift()?.floor;
    if (deletable !== undefined) await db.deleteFrom('change_notice').where('id', '<', deletable).execute();
  };
}
