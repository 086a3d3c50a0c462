import { fail } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { parseOrder } from '../filter/index.ts';
import type { RowBatches, Rows, Select } from '../query/index.ts';
import { failureOf } from './failure.fixture.ts';
import { manyRows, type Suite } from './suite.fixture.ts';

const isWhole = (rows: Rows | RowBatches): rows is Rows => 'count' in rows;

/** Lists that come at once while they are short, and batch by batch from a megabyte on. */
export function longListsSuite(suite: Suite): void {
  const { name, dialect, table } = suite;
  /** 20,000 rows; more than a megabyte of text when each column is shown four times. */
  const listOf = async (times: number): Promise<Select> => {
    const many = await table('many');
    const columns = Array.from({ length: times }, () => many.columns).flat();
    return { table: many, columns, order: parseOrder('id', many) };
  };

  describe(`${name}: a list of any length`, () => {
    it('comes at once when it is short', async () => {
      const query = await listOf(1);
      const rows = await suite.database.selectOrStream(query);
      expect(isWhole(rows) && rows.json()).toBe((await suite.database.select(query)).json());
    });

    it('abuse: comes in batches when it is long, with the same text; none is large', async () => {
      const query = await listOf(4);
      const batches = await suite.database.selectOrStream(query);
      const texts: string[] = [];
      if (!isWhole(batches)) for await (const batch of batches) texts.push(batch.json());
      expect(texts.length).toBeGreaterThan(1);
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(1_200_000);
      const whole = (await suite.database.select(query)).json();
      expect(`[${texts.map((text) => text.slice(1, -1)).join(',')}]` === whole).toBe(true);
      await expect.poll(() => suite.database.load().busy).toBe(0);
    });

    it('ends when the reader leaves, before the first batch too', async () => {
      const query = await listOf(4);
      for (const hasBegun of [false, true]) {
        const batches = (await suite.database.selectOrStream(query)) as RowBatches;
        if (hasBegun) await batches.next();
        await batches.return();
        await expect.poll(() => suite.database.load().busy).toBe(0);
      }
      expect(await suite.database.count({ table: query.table })).toBe(20_000);
    });

    it('comes at once where no connection can be spared for its reader', async () => {
      const ownHandle = await dialect.open(manyRows(dialect.words));
      try {
        const many = await ownHandle.database.table('many');
        const query = { table: many, columns: Array.from({ length: 4 }, () => many.columns).flat() };
        const begun: RowBatches[] = [];
        let rows = await ownHandle.database.selectOrStream(query);
        for (; !isWhole(rows) && begun.length < 12; rows = await ownHandle.database.selectOrStream(query))
          begun.push(rows);
        expect(begun.length).toBeGreaterThan(1);
        expect(isWhole(rows) && rows.count).toBe(20_000);
        for (const batches of begun) await batches.return();
        await expect.poll(() => ownHandle.database.load().busy).toBe(0);
      } finally {
        await ownHandle.close();
      }
    });

    it('abuse: waits for a connection that can be spared when it is longer than four megabytes', async () => {
      const ownHandle = await dialect.open(manyRows(dialect.words));
      try {
        const many = await ownHandle.database.table('many');
        const listOf = (times: number) =>
          ownHandle.database.selectOrStream({ table: many, columns: Array(times).fill(many.columns).flat() });
        const begun: RowBatches[] = [];
        for (let rows = await listOf(4); !isWhole(rows); rows = await listOf(4)) begun.push(rows);
        let isOver = false;
        const reading = Promise.resolve(listOf(16)).finally(() => (isOver = true));
        await expect.poll(() => ownHandle.database.load().waiting, { timeout: 20_000 }).toBe(1);
        expect(isOver).toBe(false);
        await begun.pop()?.return();
        const rows = await reading;
        let count = 0;
        if (!isWhole(rows)) for await (const batch of rows) count += batch.count;
        expect(count).toBe(20_000);
        for (const batches of begun) await batches.return();
      } finally {
        await ownHandle.close();
      }
    });

    it('abuse: ends where there is no room for its text, which is counted as it grows', async () => {
      const query = await listOf(4);
      let length = 0;
      const { length: whole } = (await suite.database.select(query, { onText: (added) => (length += added) })).json();
      expect(length).toBeGreaterThan(whole - 100_000);
      const reading = suite.database.select(query, {
        onText() {
          throw fail('http.noMemory');
        },
      });
      expect((await failureOf(Promise.resolve(reading))).key).toBe('http.noMemory');
      expect(await suite.database.count({ table: query.table })).toBe(20_000);
    });
  });
}
