import { type Failure, fail } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { Database, Write } from '../../query/index.ts';
import { insert } from '../../suite/insert.fixture.ts';
import { rowsOf } from '../../suite/rows.fixture.ts';
import { sqliteFiles } from './files.fixture.ts';

const { aDatabase } = sqliteFiles();

describe('batches', () => {
  const batch = async (mode: 'stop' | 'continue' | 'rollback', names: (string | null)[]) => {
    const database = aDatabase();
    const table = await database.table('audited');
    const writes = names.map((name) => insert(table, { name }));
    const outcomes = await database.write(writes, mode);
    return [
      outcomes.map((outcome) => outcome.failure?.message ?? outcome.rows?.[0]?.id),
      (await rowsOf(database, 'audited')).map((row) => row.name),
    ];
  };

  it('stop keeps what was done', async () => {
    expect(await batch('stop', ['a', 'bad', 'b'])).toEqual([[1, 'no bad names'], ['a']]);
  });
  it('continue goes on', async () => {
    expect(await batch('continue', ['a', 'bad', 'b'])).toEqual([
      [1, 'no bad names', 2],
      ['a', 'b'],
    ]);
  });
  it('rollback undoes all', async () => {
    expect(await batch('rollback', ['a', 'bad', 'b'])).toEqual([[1, 'no bad names'], []]);
    expect(await batch('rollback', ['a', 'b'])).toEqual([
      [1, 2],
      ['a', 'b'],
    ]);
  });
  it('survives a trigger that rolls the whole transaction back', async () => {
    expect(await batch('continue', ['a', 'worse', 'b'])).toEqual([
      [1, 'all undone', 2],
      ['a', 'b'],
    ]);
    expect(await batch('stop', ['a', 'worse', 'b'])).toEqual([[1, 'all undone'], ['a']]);
    expect(await batch('rollback', ['a', 'worse'])).toEqual([[1, 'all undone'], []]);
  });

  it('a deferred key fails its own record', async () => {
    const database = aDatabase();
    const table = await database.table('deferred');
    const writes = [{ tag: 1 }, { tag: 99 }, { tag: 2 }].map((values) => insert(table, values));
    const resultsOf = (outcomes: Awaited<ReturnType<Database['write']>>) =>
      outcomes.map((outcome) => outcome.failure?.code ?? 'done');
    expect(resultsOf(await database.write(writes, 'rollback'))).toEqual(['done', 'done', 787]);
    expect(await database.count({ table })).toBe(0);
    expect(resultsOf(await database.write(writes, 'continue'))).toEqual(['done', 787, 'done']);
    expect(await database.count({ table })).toBe(2);
  });

  it('knows what to do when nothing was touched, and refuses what was found wrong before', async () => {
    const database = aDatabase();
    const table = await database.table('tag');
    const where = (id: number) => bindFilter(parseFilter(`id = ${id}`), table);
    const missing = fail('record.notFound', { id: '99' });
    const update = (id: number, instead: Failure | Extract<Write, { kind: 'insert' }>): Write => ({
      kind: 'update',
      table,
      values: { name: `n${id}` },
      where: where(id),
      returning: table.key,
      missing: instead,
    });
    const upsert = insert(table, { id: 98, name: 'up' }, table.columns);
    const writes: Write[] = [
      update(1, missing),
      update(99, missing),
      update(98, upsert),
      { kind: 'refuse', failure: fail('record.none') },
      { kind: 'update', table, values: {}, where: where(97), returning: table.key, missing },
      { kind: 'delete', table, where: where(96), returning: table.key, missing },
    ];
    const outcomes = await database.write(writes, 'continue');
    expect(outcomes.map((outcome) => outcome.rows ?? outcome.failure?.key)).toEqual([
      [{ id: 1 }],
      'record.notFound',
      [{ id: 98, name: 'up' }],
      'record.none',
      'record.notFound',
      'record.notFound',
    ]);
    for (const [i, write] of writes.entries()) {
      if (i === 2) continue;
      const [alone] = await database.write([write], 'stop');
      expect(alone?.rows ?? alone?.failure?.key).toEqual(outcomes[i]?.rows ?? outcomes[i]?.failure?.key);
    }
  });

  it('counts rows of tables without a key', async () => {
    const database = aDatabase();
    const table = await database.table('keyless');
    const where = bindFilter(parseFilter('n = 1'), table);
    expect(await database.write([{ kind: 'update', table, values: { t: 'x' }, where, returning: [] }], 'stop')).toEqual(
      [{ rows: [{}, {}] }],
    );
    expect(await database.write([{ kind: 'update', table, values: {}, where, returning: [] }], 'stop')).toEqual([
      { rows: [{}, {}] },
    ]);
    expect(await database.write([{ kind: 'delete', table, returning: [] }], 'stop')).toEqual([{ rows: [{}, {}, {}] }]);
  });
});
