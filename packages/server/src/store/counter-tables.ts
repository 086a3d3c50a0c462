// Tables of counters, which limits are counted in (limits/): on a connection of their own, so that no call waits for other work
// of the store, and of SQLite in a file beside it, which has its own lock. Nothing in them is worth a backup.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from './dialects/dialect.ts';
import { createTable } from './migrations/new-table.ts';

export interface CounterTables {
  limit_counter: {
    limit_id: number;
    /** The key of the limit, with the person filled in. */
    counter: string;
    hits: number;
    is_locked: number;
    /** Milliseconds since 1970 by the clock of the database: the end of the window or the lock. */
    ends_at: number;
    /** Milliseconds. */
    period: number;
    rate: number;
    /** Of the last hits: how many there were, whether they began a window, and how many passed; -1: it was locked before. */
    asked: number;
    began: number;
    admitted: number;
  };
  /** The processes that count. The row '' is there to be locked. */
  limit_process: {
    id: string;
    /** Goes up as long as the process lives. */
    beat: number;
    /** 1: it counts in its memory, since it is alone. */
    is_sole: number;
  };
}

export type CounterDb = Kysely<CounterTables>;

/** So many hits on one counter. */
export interface CounterHits {
  limitId: number;
  counter: string;
  rate: number;
  period: number;
  count: number;
}

/** What became of hits; `admitted` is -1 where the counter was locked before. */
export interface CountedHits {
  limit_id: number;
  counter: string;
  admitted: number;
  is_locked: number;
  ends_in: number;
}

/** The counters of a store. */
export interface CounterStoreDb {
  db: CounterDb;
  /** The clock of the database in milliseconds since 1970. */
  now: RawBuilder<number>;
  /** Counts hits, each counter once, in one statement. */
  countHits(hits: readonly CounterHits[]): Promise<CountedHits[]>;
  /** Runs work while no other process does; `db` as in `Store.transaction`. */
  exclusively<T>(work: (db: CounterDb) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Makes the tables where they are missing. */
export async function createCounterTables(db: CounterDb, dialect: StoreDialect): Promise<void> {
  const { integer, text } = dialect.types;
  await dialect.exclusively(db, async (locked) => {
    const any = locked as unknown as Kysely<unknown>;
    let table = createTable(any, dialect, 'limit_counter')
      .addColumn('limit_id', integer, (column) => column.notNull())
      .addColumn('counter', text(300), (column) => column.notNull()) as ReturnType<typeof createTable>;
    for (const name of ['hits', 'is_locked', 'ends_at', 'period', 'rate', 'asked', 'began', 'admitted'])
      table = table.addColumn(name, integer, (column) => column.notNull()) as typeof table;
    await table.addPrimaryKeyConstraint('limit_counter_pk', ['limit_id', 'counter'] as never[]).execute();
    await dialect.createIndex(any, 'limit_counter', 'ends_at');
    await createTable(any, dialect, 'limit_process')
      .addColumn('id', text(64), (column) => column.primaryKey())
      .addColumn('beat', integer, (column) => column.notNull())
      .addColumn('is_sole', integer, (column) => column.notNull())
      .execute();
    const processes = locked as CounterDb;
    const sentinel = await processes.selectFrom('limit_process').select('id').where('id', '=', '').executeTakeFirst();
    if (!sentinel) await processes.insertInto('limit_process').values({ id: '', beat: 0, is_sole: 0 }).execute();
  });
}

/** The rows of hits as they are where no counter is yet. */
export function freshRows(hits: readonly CounterHits[], now: RawBuilder<number>): RawBuilder<unknown> {
  const rows = hits.map(({ limitId, counter, rate, period, count }) => {
    const [isLocked, admitted] = [count > rate ? 1 : 0, Math.min(count, rate)];
    return sql`(${limitId}, ${counter}, ${isLocked ? 0 : count}, ${isLocked}, ${now} + ${period}, ${period}, ${rate},
      ${count}, 1, ${admitted})`;
  });
  return sql`(limit_id, counter, hits, is_locked, ends_at, period, rate, asked, began, admitted)
    values ${sql.join(rows)}`;
}

/**
 * One statement for engines with ON CONFLICT, which see the old row in all of it. A window that would last longer than its
 * period, because the clock was set back, ends with that.
 */
export function countOnConflict(
  hits: readonly CounterHits[],
  now: RawBuilder<number>,
  smaller: 'min' | 'least',
): RawBuilder<CountedHits> {
  const least = (a: RawBuilder<unknown>, b: RawBuilder<unknown>) => sql`${sql.raw(smaller)}(${a}, ${b})`;
  const isOver = sql`c.ends_at <= excluded.ends_at - excluded.period`;
  const isAbove = sql`c.hits + excluded.asked > excluded.rate`;
  const end = least(sql`c.ends_at`, sql`excluded.ends_at`);
  const left = sql`excluded.rate - c.hits`;
  return sql<CountedHits>`insert into limit_counter as c ${freshRows(hits, now)}
    on conflict (limit_id, counter) do update set
      hits = case when ${isOver} then excluded.hits when c.is_locked = 1 or ${isAbove} then 0 else c.hits + excluded.asked end,
      is_locked = case when ${isOver} then excluded.is_locked when c.is_locked = 1 or ${isAbove} then 1 else 0 end,
      ends_at = case when ${isOver} then excluded.ends_at when c.is_locked = 1 then ${end}
        when ${isAbove} then excluded.ends_at else ${end} end,
      period = excluded.period, rate = excluded.rate, asked = excluded.asked,
      began = case when ${isOver} then 1 else 0 end,
      admitted = case when ${isOver} then excluded.admitted when c.is_locked = 1 then -1
        when ${isAbove} then case when ${left} > 0 then ${left} else 0 end else excluded.asked end
    returning limit_id, counter, admitted, is_locked, ends_at - ${now} as ends_in`;
}
