import { fail } from '@sluice/contract';
import { expect, it } from 'vitest';
import { bindFilter, parseFields, parseFilter } from '../filter/index.ts';
import type { Write } from '../query/index.ts';
import { insert, insertName } from './insert.fixture.ts';
import type { Suite } from './suite.fixture.ts';

/** Several writes of one call, and several calls at once. */
export function batchesSuite(suite: Suite): void {
  const { table, read, insertRecords: put, deleteItems: empty, withGeneratedKeys: withMadeKeys } = suite;
  it.each<['stop' | 'continue' | 'rollback', reported: string[], kept: string[]]>([
    ['stop', ['a', 'record.database'], ['a', 'x']],
    ['continue', ['a', 'record.database', 'b', 'record.none', 'record.notFound', 'c'], ['a', 'b', 'c', 'x']],
    ['rollback', ['a', 'record.database'], ['x']],
  ])('%s, with failures in the middle', async (mode, expectedOutcomes, expectedNames) => {
    await empty();
    await put('item', { name: 'x' });
    const item = await table('item');
    const outcomes = await suite.database.write(
      [
        insertName(item, 'a'),
        insertName(item, 'x'),
        insertName(item, 'b'),
        { kind: 'refuse', failure: fail('record.none') },
        {
          kind: 'delete',
          table: item,
          where: bindFilter(parseFilter('id = 99999'), item),
          returning: [],
          missing: fail('record.notFound', { id: '99999' }),
        },
        insertName(item, 'c'),
      ],
      mode,
    );
    expect(outcomes.map((outcome) => outcome.failure?.key ?? outcome.rows?.[0]?.name)).toEqual(expectedOutcomes);
    expect((await read('item')).map((row) => row.name).toSorted()).toEqual(expectedNames);
  });

  it.each(['stop', 'continue'] as const)('%s keeps its transaction when only our own rules refused', async (mode) => {
    await empty();
    const item = await table('item');
    const outcomes = await suite.database.write(
      [insertName(item, 'a'), { kind: 'refuse', failure: fail('record.none') }],
      mode,
    );
    expect(outcomes.map((outcome) => outcome.failure?.key ?? 'done')).toEqual(['done', 'record.none']);
    expect(await suite.database.count({ table: item })).toBe(1);
  });

  it('creates what an update does not find, when told to', async () => {
    await empty();
    const item = await table('item');
    const upsert = (id: number, name: string): Write => ({
      kind: 'update',
      table: item,
      values: { name: name },
      where: bindFilter(parseFilter(`id = ${id}`), item),
      returning: parseFields('id,name', item),
      missing: insert(item, { id, name: name }, parseFields('id,name', item)),
    });
    expect(await suite.database.write([upsert(50, 'new')], 'stop')).toEqual([{ rows: [{ id: 50, name: 'new' }] }]);
    expect(await suite.database.write([upsert(50, 'newer'), upsert(51, 'other')], 'rollback')).toEqual([
      { rows: [{ id: 50, name: 'newer' }] },
      { rows: [{ id: 51, name: 'other' }] },
    ]);
    expect(await suite.database.count({ table: item })).toBe(2);
  });

  withMadeKeys('takes a thousand records at once', async () => {
    await empty();
    const item = await table('item');
    const writes = Array.from({ length: 1000 }, (_, i) => insert(item, { name: `n${i}` }));
    expect(new Set((await suite.database.write(writes, 'stop')).map((outcome) => outcome.rows?.[0]?.id)).size).toBe(
      1000,
    );
    expect(await suite.database.count({ table: item })).toBe(1000);
  });

  it('is used by many at once', async () => {
    await empty();
    const item = await table('item');
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        await suite.database.write([insertName(item, `c${i}`)], 'stop');
        expect(await read('item', `name = 'c${i}'`)).toHaveLength(1);
      }),
    );
    expect(await suite.database.count({ table: item })).toBe(60);
    // SQLite's child may yet have to say that it took notice of what was taken back from it.
    await expect.poll(() => suite.database.load().busy).toBe(0);
  });
}
