import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunOptions } from '../query/index.ts';
import type { SuiteDatabase } from './dialect.fixture.ts';
import { failureOf } from './failure.fixture.ts';
import { manyRows, type Suite } from './suite.fixture.ts';

/** Milliseconds until a queued call fails: enough for a child process of SQLite to start, also on a busy machine. */
const queueTimeout = 1500;

/** What each caller has of a database that is busy. */
export function sharesSuite({ name, dialect }: Suite): void {
  describe(`${name}: fair shares`, () => {
    let handle: SuiteDatabase;
    beforeAll(async () => {
      handle = await dialect.open([...manyRows(dialect.words), `create view endless as ${dialect.words.endless}`]);
    });
    afterAll(() => handle?.close());

    /** Begins a long answer and reads no more of it than the beginning. */
    const beginExport = async (options: RunOptions) => {
      const many = await handle.database.table('many');
      const batches = handle.database.stream({ table: many, columns: many.columns }, options)[Symbol.asyncIterator]();
      await batches.next();
      return batches;
    };
    const countMany = async (options: RunOptions) =>
      handle.database.count({ table: await handle.database.table('many') }, options);
    const waiting = (count: number) => expect.poll(() => handle.database.load().waiting).toBe(count);

    it('abuse: readers of one caller leave exports to others, and get the reason of the wait', async () => {
      const slow = await Promise.allSettled(
        Array.from({ length: 12 }, () => beginExport({ caller: 'slow', timeout: queueTimeout })),
      );
      const begun = slow.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      const refused = slow.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(begun.length).toBeGreaterThan(0);
      expect(refused.length).toBeGreaterThan(0);
      for (const failure of refused)
        expect([failure.key, failure.status, failure.retryAfter]).toEqual(['database.ownExports', 429, 5]);
      const other = await beginExport({ caller: 'other', timeout: 10_000 });
      // The queued one goes on when one of the caller's own readers is done.
      const next = beginExport({ caller: 'slow', timeout: 10_000 });
      await waiting(1);
      await begun.pop()?.return?.();
      begun.push(await next);
      for (const batches of [...begun, other]) await batches.return?.();
      expect(handle.database.load()).toMatchObject({ busy: 0, waiting: 0 });
    });

    it('abuse: the failure of a reader says that all places are taken, not that the database was slow', async () => {
      const begun = [];
      let failure = undefined as unknown;
      for (let n = 0; !failure; n += 1)
        begun.push(
          await beginExport({ caller: `caller ${n}`, timeout: queueTimeout }).catch((error: unknown) => {
            failure = error;
          }),
        );
      expect(failure).toMatchObject({ key: 'database.exportsBusy', status: 503 });
      // Short queries have places of their own.
      expect(await countMany({ caller: 'other', timeout: 10_000 })).toBe(20_000);
      for (const batches of begun) await batches?.return?.();
    });

    it('abuse: slow queries of one caller do not hold up those of another', async () => {
      const endless = await handle.database.table('endless');
      await handle.database.table('many');
      const callers = Array.from({ length: 40 }, () => new AbortController());
      let ended = 0;
      const slow = callers.map(async ({ signal }) => {
        const failure = await failureOf(handle.database.count({ table: endless }, { caller: 'slow', signal }));
        ended += 1;
        return failure;
      });
      expect(handle.database.load().waiting).toBeGreaterThan(20);
      const own = failureOf(handle.database.count({ table: endless }, { caller: 'slow', timeout: queueTimeout }));
      for (let n = 0; n < 3; n += 1) expect(await countMany({ caller: 'other', timeout: 10_000 })).toBe(20_000);
      expect(await own).toMatchObject({ key: 'database.ownQueries', status: 429, retryAfter: 5 });
      expect(ended).toBe(0);
      for (const caller of callers) caller.abort();
      expect(new Set((await Promise.all(slow)).map(({ key }) => key))).toEqual(new Set(['database.cancelled']));
      expect(await countMany({ caller: 'slow', timeout: 10_000 })).toBe(20_000);
    });
  });
}
