import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.fixture.ts';
import type { Suite } from './suite.fixture.ts';

/** Calls that take too long, or whose caller goes away. */
export function timeLimitsSuite(suite: Suite): void {
  const { name, dialect, table, read } = suite;
  describe(`${name}: limits of time`, () => {
    it('stops what takes too long, and the next call works', async () => {
      const endless = await table('endless');
      const start = performance.now();
      const failure = await failureOf(suite.database.count({ table: endless }, { timeout: 500 }));
      expect([failure.status, failure.message]).toEqual([
        503,
        'The database took longer than 0.5 seconds and was stopped.',
      ]);
      expect(performance.now() - start).toBeLessThan(4000);
      expect(await suite.database.count({ table: await table('many') })).toBe(20_000);
    });

    it('stops when the caller goes away, before and after it began', async () => {
      const endless = await table('endless');
      const caller = new AbortController();
      const query = failureOf(read('endless', undefined, {}, { signal: caller.signal }));
      setTimeout(() => caller.abort(), 200);
      expect((await query).key).toBe('database.cancelled');
      expect((await failureOf(suite.database.count({ table: endless }, { signal: caller.signal }))).key).toBe(
        'database.cancelled',
      );
      for (let i = 0; i < 20; i += 1) expect(await read('many', 'id = 1')).toHaveLength(1);
    });

    it('waits for a connection no longer than that either', async () => {
      const ownHandle = await dialect.open([`create view endless as ${dialect.words.endless}`], { maxConnections: 1 });
      try {
        const endless = await ownHandle.database.table('endless');
        const running = failureOf(ownHandle.database.count({ table: endless }, { timeout: 700 }));
        const caller = new AbortController();
        const waiting = failureOf(
          ownHandle.database.count({ table: endless }, { signal: caller.signal, timeout: 1400 }),
        );
        const short = failureOf(ownHandle.database.count({ table: endless }, { timeout: 300 }));
        expect((await short).key).toBe('database.busy');
        // Not before: on SQLite, what the platform itself runs may have both places, and this gives one of them back.
        caller.abort();
        expect((await waiting).key).toBe('database.cancelled');
        expect((await running).key).toBe('database.timeout');
      } finally {
        await ownHandle.close();
      }
    });
  });
}
