// Counters in the store's database, by its clock: one statement for the hits of many calls (store/counter-tables.ts).
import { pause } from '@sluice/sql';
import type { CounterDb, CounterStoreDb } from '../store/index.ts';
import type { Counter, CounterId, CounterStore, Hit, HitResult } from './counter.ts';
import type { CounterState } from './memory.ts';

/** Counters of one statement. */
const maxRows = 200;

export interface DatabaseCounters extends CounterStore {
  hit(hits: readonly Hit[]): Promise<HitResult[]>;
  /** Every counter that is not over; `db` may be a transaction. */
  readAll(db: CounterDb): Promise<CounterState[]>;
  /** Writes counters over what is there. */
  save(db: CounterDb, counters: readonly CounterState[]): Promise<void>;
  /** Lets go of what is over. */
  purge(): Promise<void>;
}

export function createDatabaseCounters(store: CounterStoreDb): DatabaseCounters {
  const { db, now } = store;
  const columns = ['limit_id', 'counter', 'hits', 'is_locked', 'period'] as const;
  const living = (target: CounterDb) =>
    target
      .selectFrom('limit_counter')
      .select([...columns, (expression) => expression('ends_at', '-', now).as('ends_in')])
      .where('ends_at', '>', now);

  return {
    async hit(hits) {
      const results = new Map<string, HitResult>();
      // In one order everywhere: two statements that lock crosswise would have to be undone.
      const sorted = hits.toSorted((a, b) => a.limitId - b.limitId || (a.key < b.key ? -1 : 1));
      for (const part of parts(sorted)) {
        const rows = part.map(({ limitId, key, rate, period, count }) => ({
          ...{ limitId, counter: key, rate, period, count },
        }));
        for (const row of await store.countHits(rows)) results.set(`${row.limit_id} ${row.counter}`, resultOf(row));
      }
      return hits.map(({ limitId, key, count }) => {
        const { admitted, isLocked, endsIn } = results.get(`${limitId} ${key}`)!;
        return { admitted: Math.max(0, admitted), isLocked, hasLocked: admitted >= 0 && admitted < count, endsIn };
      });
    },
    async peek(ids) {
      const found = new Map<string, Counter>();
      for (const part of parts(ids)) {
        const query = living(db).where((expression) =>
          expression.or(
            [...byLimit(part)].map(([limitId, group]) =>
              expression.and([
                expression('limit_id', '=', limitId),
                expression(
                  'counter',
                  'in',
                  group.map(({ key }) => key),
                ),
              ]),
            ),
          ),
        );
        for (const row of await query.execute()) found.set(nameOf(counterOf(row)), counterOf(row));
      }
      return ids.map((id) => found.get(nameOf(id)));
    },
    async top(limitId, max) {
      const rows = await living(db)
        .where('limit_id', '=', limitId)
        .orderBy('is_locked', 'desc')
        .orderBy('hits', 'desc')
        .orderBy('counter')
        .limit(max)
        .execute();
      return rows.map(counterOf);
    },
    async clear(limitIds) {
      if (limitIds === 'all') await db.deleteFrom('limit_counter').execute();
      else
        for (const part of parts(limitIds))
          await db.deleteFrom('limit_counter').where('limit_id', 'in', part).execute();
    },
    async readAll(target) {
      const rows = await living(target).execute();
      return rows.map((row) => ({ ...counterOf(row), period: Number(row.period) }));
    },
    async save(target, counters) {
      for (const part of parts(counters)) {
        // Limits have different keys: a pair that is not meant was one of a limit that has another key by now.
        await target
          .deleteFrom('limit_counter')
          .where('limit_id', 'in', [...new Set(part.map(({ limitId }) => limitId))])
          .where(
            'counter',
            'in',
            part.map(({ key }) => key),
          )
          .execute();
        await target
          .insertInto('limit_counter')
          .columns([
            'limit_id',
            'counter',
            'hits',
            'is_locked',
            'ends_at',
            'period',
            'rate',
            'asked',
            'began',
            'admitted',
          ])
          .values((expression) =>
            part.map(({ limitId, key, hits, isLocked, endsIn, period }) => ({
              ...{ limit_id: limitId, counter: key, hits, is_locked: Number(isLocked), period },
              ...{ rate: 0, asked: 0, began: 0, admitted: 0 },
              ends_at: expression(now, '+', Math.ceil(endsIn)),
            })),
          )
          .execute();
        await pause();
      }
    },
    async purge() {
      await db.deleteFrom('limit_counter').where('ends_at', '<=', now).execute();
    },
    close: async () => {},
  };
}

function byLimit<T extends CounterId>(ids: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const id of ids) {
    const group = groups.get(id.limitId);
    if (group) group.push(id);
    else groups.set(id.limitId, [id]);
  }
  return groups;
}

const nameOf = ({ limitId, key }: CounterId) => `${limitId} ${key}`;

const resultOf = (row: { admitted: unknown; is_locked: unknown; ends_in: unknown }): HitResult => ({
  admitted: Number(row.admitted),
  isLocked: Number(row.is_locked) === 1,
  hasLocked: false,
  endsIn: Math.max(1, Number(row.ends_in)),
});

interface LivingRow {
  limit_id: number;
  counter: string;
  hits: number;
  is_locked: number;
  ends_in: unknown;
}

const counterOf = ({ limit_id, counter, hits, is_locked, ends_in }: LivingRow): Counter => ({
  ...{ limitId: Number(limit_id), key: counter, hits: Number(hits), isLocked: Number(is_locked) === 1 },
  endsIn: Number(ends_in),
});

function* parts<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += maxRows) yield items.slice(start, start + maxRows);
}
