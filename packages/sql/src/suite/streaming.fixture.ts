import { describe, expect, it, vi } from 'vitest';
import { bindFilter, parseFilter, parseOrder } from '../filter/index.ts';
import { skipTime } from './clock.fixture.ts';
import { failureOf } from './failure.fixture.ts';
import { manyRows, type Suite } from './suite.fixture.ts';

/** More rows than anybody keeps, batch by batch. */
export function streamingSuite(suite: Suite): void {
  const { name, dialect, table } = suite;
  describe(`${name}: many rows`, () => {
    it('come in batches, all of them and once', async () => {
      const many = await table('many');
      const order = parseOrder('id', many);
      let count = 0;
      let largest = 0;
      for await (const rows of suite.database.stream({ table: many, columns: many.columns, order })) {
        for (const row of rows.list()) {
          count += 1;
          expect(row).toEqual({ id: count, t: 'row' });
        }
        expect(rows.list()).toHaveLength(rows.count);
        largest = Math.max(largest, rows.count);
      }
      expect(count).toBe(20_000);
      expect(largest).toBeLessThan(20_000);
    });

    it('a list without rows ends at once', async () => {
      const many = await table('many');
      const where = bindFilter(parseFilter('id = -1'), many);
      let count = 0;
      for await (const rows of suite.database.stream({ table: many, columns: many.columns, where }))
        count += rows.count;
      expect(count).toBe(0);
    });

    it('stop when the reader leaves, and the connection serves the next one', async () => {
      const ownHandle = await dialect.open(manyRows(dialect.words), { maxConnections: 2 });
      try {
        const many = await ownHandle.database.table('many');
        for (let i = 0; i < 3; i += 1)
          for await (const rows of ownHandle.database.stream({ table: many, columns: many.columns })) {
            expect(rows.count).toBeGreaterThan(0);
            break;
          }
        expect(ownHandle.database.load().busy).toBe(0);
        expect(await ownHandle.database.count({ table: many })).toBe(20_000);
      } finally {
        await ownHandle.close();
      }
    });

    it('wait for a slow reader without counting its time', async () => {
      const ownHandle = await dialect.open(manyRows(dialect.words));
      // Before its first call, so that whatever watches over its time does so by this clock.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
      try {
        const many = await ownHandle.database.table('many');
        let count = 0;
        let pauses = 3;
        for await (const rows of ownHandle.database.stream({ table: many, columns: many.columns }, { timeout: 2000 })) {
          count += rows.count;
          if (pauses > 0) await vi.advanceTimersByTimeAsync(2500);
          pauses -= 1;
        }
        expect(count).toBe(20_000);
        expect(pauses).toBeLessThan(0);
      } finally {
        vi.useRealTimers();
        await ownHandle.close();
      }
    });

    it('tell what is wrong before the first row', async () => {
      const many = await table('many');
      await suite.handle.run('create table short_lived (id integer primary key)');
      skipTime(1100);
      const droppedTable = await table('short_lived');
      await suite.handle.run('drop table short_lived');
      const reading = (async () => {
        for await (const rows of suite.database.stream({ table: droppedTable, columns: droppedTable.columns }))
          expect(rows.count).toBe(0);
      })();
      expect((await failureOf(reading)).key).toBe('database.changed');
      expect(await suite.database.count({ table: many })).toBe(20_000);
    });

    it('end with their caller', async () => {
      const many = await table('many');
      const caller = new AbortController();
      const reading = (async () => {
        for await (const rows of suite.database.stream(
          { table: many, columns: many.columns },
          { signal: caller.signal },
        )) {
          expect(rows.count).toBeGreaterThan(0);
          caller.abort();
        }
      })();
      expect((await failureOf(reading)).key).toBe('database.cancelled');
      expect(await suite.database.count({ table: many })).toBe(20_000);
    });
  });
}
