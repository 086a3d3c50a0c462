import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeResponse, fakeInstance, type RecordedCall, refusal } from '../../../../api/testing.ts';
import { signIn } from '../../../../list/testing.tsx';
import { type Column, changeColumn, guessColumns } from '../columns.ts';
import { readSheet } from '../read/read-data.ts';
import { runAtOnce } from '../read/slices.ts';
import { takeBatch } from './batches.ts';
import {
  type InsertOptions,
  type InsertPosition,
  type InsertSource,
  insertRows,
  locate,
  startPosition,
} from './insert.ts';

beforeEach(signIn);

type SentRow = Record<string, unknown>;

const dataOf = (text: string) => runAtOnce(guessColumns(runAtOnce(readSheet(text)), true, false));
const sourceOf = (text: string, change: (columns: Column[], rows: InsertSource['rows']) => Column[] = (all) => all) => {
  const { columns, rows } = dataOf(text);
  return { service: 'shop', table: 'new table', rows, columns: change(columns, rows) };
};
const numbered = (count: number) =>
  sourceOf(['n,t', ...Array.from({ length: count }, (_, i) => `${i + 1},x`)].join('\n'));

/** A table that stops a call at the first row of `refused`, as the contract says; `answerFirst` may answer otherwise, or lose an answer. */
function fakeTable(
  refused: number[] = [],
  answerFirst?: (call: RecordedCall, insert: () => void) => FakeResponse | undefined,
) {
  const stored: SentRow[] = [];
  const calls = fakeInstance((call) => {
    if (call.path.endsWith('count_only=true')) return { body: stored.length };
    const sent = (call.body as { resource: SentRow[] }).resource;
    const failedAt = sent.findIndex((row) => refused.includes(row.n as number));
    const accepted = failedAt < 0 ? sent : sent.slice(0, failedAt);
    const answer = answerFirst?.(call, () => stored.push(...accepted));
    if (answer) return answer;
    stored.push(...accepted);
    if (failedAt < 0) return { body: { resource: sent.map((_, id) => ({ id })) } };
    const failure = { code: 400, context: null, message: `${sent[failedAt]!.n} is refused.`, status_code: 400 };
    const resource = [...accepted.map((_, id) => ({ id })), failure];
    return refusal(400, 'Batch Error', { error: [failedAt], resource }, 1000);
  });
  return { calls, stored, writes: () => calls.filter(({ method }) => method === 'POST') };
}

const run = (source: InsertSource, from: InsertPosition = startPosition, options: Partial<InsertOptions> = {}) =>
  insertRows(source, from, { leavesOutRefused: false, isStopped: () => false, onProgress: () => {}, ...options });
const numbersOf = (rows: SentRow[]) => rows.map(({ n }) => n);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('batches', () => {
  it('have at most as many rows as asked for', () => {
    const { rows, columns } = numbered(7);
    expect(takeBatch(rows, columns, 0, 3)).toMatchObject({ rowOf: [0, 1, 2], end: 3 });
    expect(takeBatch(rows, columns, 6, 3)).toMatchObject({ rowOf: [6], end: 7 });
  });

  it('have at most a megabyte, but one row at least', () => {
    const long = 'ä'.repeat(300_000);
    const { rows, columns } = sourceOf(`n,t\n1,${long}\n2,${long}\n3,${long}${long}`);
    expect(takeBatch(rows, columns, 0, 500).end).toBe(1);
    expect(takeBatch(rows, columns, 2, 500)).toMatchObject({ rowOf: [2], end: 3 });
  });

  it('leave out rows with values that do not fit, and columns that are not used', () => {
    const { rows, columns } = sourceOf('n,t\n1,2024-01-01\n2,soon\n3,', ([n, t], all) => [
      n!,
      changeColumn(t!, { type: 'date', name: 'day' }, all),
    ]);
    expect(columns[1]!.misfits).toBe(1);
    expect(takeBatch(rows, columns, 0, 500)).toEqual({
      records: [
        { n: 1, day: '2024-01-01' },
        { n: 3, day: null },
      ],
      rowOf: [0, 2],
      misfits: [{ row: 1, column: 'day' }],
      end: 3,
    });
    const [n, day] = columns;
    expect(takeBatch(rows, [n!, { ...day!, isUsed: false }], 0, 1).records).toEqual([{ n: 1 }]);
  });
});

describe('the insertion of rows', () => {
  it('sends every row once, in its order', async () => {
    const { stored, writes } = fakeTable();
    const progress: number[] = [];
    const result = await run(numbered(1234), startPosition, { onProgress: ({ inserted }) => progress.push(inserted) });
    expect(result).toMatchObject({ end: 'done', inserted: 1234, failed: [] });
    expect(numbersOf(stored)).toEqual(upTo(1234));
    expect(progress).toEqual([500, 1000, 1234]);
    expect(new Set(writes().map(({ path }) => path))).toEqual(new Set(['shop/_table/new%20table']));
  });

  it('ends at a refused row, and goes on behind it and all that follow', async () => {
    const { stored } = fakeTable([3, 4, 700]);
    const source = numbered(1000);
    const first = await run(source);
    expect(first).toMatchObject({ end: 'refused', next: 3, inserted: 2 });
    expect(first.failed).toEqual([{ row: 3, message: '3 is refused.' }]);
    const second = await run(source, first, { leavesOutRefused: true });
    expect(second).toMatchObject({ end: 'done', inserted: 997 });
    expect(second.failed.map(({ row }) => row)).toEqual([3, 4, 700]);
    expect(numbersOf(stored)).toEqual(upTo(1000).filter((n) => ![3, 4, 700].includes(n)));
  });

  it('stops behind the batch that is under way, and goes on from there', async () => {
    const { stored } = fakeTable();
    const source = numbered(1200);
    let isStopped = false;
    const stopped = await run(source, startPosition, {
      isStopped: () => isStopped,
      onProgress: () => {
        isStopped = true;
      },
    });
    expect(stopped).toMatchObject({ end: 'stopped', next: 500, inserted: 500 });
    expect(await run(source, stopped)).toMatchObject({ end: 'done', inserted: 1200 });
    expect(numbersOf(stored)).toEqual(upTo(1200));
  });

  it('knows that nothing was done when the whole call is refused', async () => {
    const answers = [refusal(429, 'Too many.')];
    const { stored } = fakeTable([], () => answers.shift());
    const source = numbered(10);
    const failed = await run(source);
    expect(failed).toMatchObject({ end: 'failed', next: 0 });
    expect(await run(source, failed)).toMatchObject({ end: 'done', inserted: 10 });
    expect(numbersOf(stored)).toEqual(upTo(10));
  });

  it.each([
    ['was done', true],
    ['was not done', false],
  ])('does not send a row twice when no answer came and the call %s', async (_, isDone) => {
    let call = 0;
    const { stored } = fakeTable([], (_, insert) => {
      call += 1;
      if (call !== 2) return undefined;
      if (isDone) insert();
      return 'unreachable';
    });
    const source = numbered(1200);
    const unsure = await run(source);
    expect(unsure).toMatchObject({ end: 'unsure', next: 500, inserted: 500 });
    const found = await locate(source, unsure, 0);
    expect(found).toMatchObject(isDone ? { next: 1000, inserted: 1000 } : { next: 500, inserted: 500 });
    expect(await run(source, found!)).toMatchObject({ end: 'done', inserted: 1200 });
    expect(numbersOf(stored)).toEqual(upTo(1200));
  });

  it('goes on within a batch of which a part was done, behind rows that do not fit', async () => {
    const { stored } = fakeTable();
    const source = sourceOf('n,t\n1,2024-01-01\n2,soon\n3,\n4,2024-02-02\n5,', ([n, t], all) => [
      n!,
      changeColumn(t!, { type: 'date' }, all),
    ]);
    stored.push({ n: 1 }, { n: 3 });
    const found = await locate(source, startPosition, 0);
    expect(found).toMatchObject({ next: 3, inserted: 2, failed: [{ row: 2 }] });
    await run(source, found!);
    expect(numbersOf(stored)).toEqual([1, 3, 4, 5]);
  });

  it('gives up when the table holds what was not inserted', async () => {
    const { stored } = fakeTable();
    stored.push(...upTo(20).map((n) => ({ n })));
    expect(await locate(numbered(10), startPosition, 0)).toBeNull();
  });
});
