import { fail } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { bindFilter, parseFields, parseFilter } from '../filter/index.ts';
import { FromStep, type Row, type Unit, type UnitStep, type Write } from '../query/index.ts';
import type { Column } from '../schema/index.ts';
import { insert, insertName } from './insert.fixture.ts';
import type { Suite } from './suite.fixture.ts';

/** Writes that belong together: all or none. */
export function unitsSuite(suite: Suite): void {
  const { table, read, deleteItems: empty, withGeneratedKeys: withMadeKeys } = suite;
  describe('units', () => {
    const unitOf = async (name: string, parts: (string | null)[]): Promise<Unit> => {
      const [item, part] = [await table('item'), await table('part')];
      const [id] = item.key as [Column];
      const step = (name: string | null, no: number): UnitStep => ({
        write: {
          kind: 'insert',
          table: part,
          values: { item_id: new FromStep(0, id), no: no as unknown, name },
          returning: [],
        },
        mapFailure: (failure) => fail('related.children', { text: failure.key }),
      });
      const steps = [{ write: insert(item, { name }, parseFields('name,id', item)) }, ...parts.map(step)];
      return { kind: 'unit', steps, main: 0 };
    };
    const partNames = async () => (await read('part')).map((row) => row.name).toSorted();
    // The same number twice: no two parts of an item may have it.
    const conflictingUnit = async (name: string): Promise<Unit> => {
      const unit = await unitOf(name, ['first', 'second']);
      const [last] = unit.steps.slice(-1) as [UnitStep];
      return {
        ...unit,
        steps: [
          ...unit.steps.slice(0, -1),
          {
            ...last,
            write: { ...last.write, values: { ...(last.write as { values: Row }).values, no: 0 } } as Write,
          },
        ],
      };
    };

    withMadeKeys('hand on what a step was answered', async () => {
      await empty();
      const [outcome] = await suite.database.write([await unitOf('whole', ['x', 'y'])], 'stop');
      const [stored] = await read('item');
      expect(outcome?.rows).toEqual([{ name: 'whole', id: stored?.id }]);
      expect((await read('part')).map((row) => row.item_id)).toEqual([stored?.id, stored?.id]);
      const item = await table('item');
      const [id] = item.key as [Column];
      const upsertUnit: Unit = {
        kind: 'unit',
        main: 1,
        steps: [
          {
            write: {
              kind: 'update',
              table: item,
              values: {},
              where: bindFilter(parseFilter("name = 'none'"), item),
              returning: [id],
              missing: insert(item, { name: 'made' }, [id]),
            },
          },
          {
            write: {
              kind: 'update',
              table: item,
              values: { n: 5 },
              where: {
                kind: 'compare',
                column: id,
                operator: '=',
                negated: false,
                value: { kind: 'value', value: new FromStep(0, id) },
              },
              returning: parseFields('name,n', item),
              missing: fail('record.notFound', { id: 'x' }),
            },
          },
        ],
      };
      expect(await suite.database.write([upsertUnit], 'stop')).toEqual([{ rows: [{ name: 'made', n: 5 }] }]);
    });

    withMadeKeys('are done whole or not at all', async () => {
      await empty();
      const [outcome] = await suite.database.write([await conflictingUnit('half')], 'stop');
      expect(outcome?.failure?.message).toMatch(/^Failed to update many to one assignment\.\nrecord\.database/);
      expect([await read('item'), await partNames()]).toEqual([[], []]);
    });

    const cases: ['stop' | 'continue' | 'rollback', reported: number, kept: string[]][] = [
      ['stop', 2, ['a']],
      ['continue', 4, ['a', 'b', 'plain']],
      ['rollback', 2, []],
    ];
    for (const [mode, outcomeCount, expectedNames] of cases)
      withMadeKeys(`${mode}: one that fails among others`, async () => {
        await empty();
        const writes = [
          await unitOf('a', ['a1']),
          await conflictingUnit('bad'),
          await unitOf('b', ['b1']),
          insertName(await table('item'), 'plain'),
        ];
        expect(await suite.database.write(writes, mode)).toHaveLength(outcomeCount);
        expect((await read('item')).map((row) => row.name).toSorted()).toEqual(expectedNames);
        expect(await partNames()).toEqual(expectedNames.filter((name) => name !== 'plain').map((name) => `${name}1`));
      });

    it('are done only while a record is as it was read', async () => {
      await empty();
      const item = await table('item');
      await suite.database.write([insertName(item, 'seen')], 'stop');
      const columns = parseFields('name,n', item);
      const where = bindFilter(parseFilter("name in ('seen', 'changed')"), item);
      const checked = (name: string, expected: Row): Unit => ({
        kind: 'unit',
        main: 0,
        steps: [{ write: { kind: 'update', table: item, values: { name }, where, returning: columns } }],
        check: {
          table: item,
          columns,
          where,
          expected,
          changed: fail('record.stale'),
          missing: fail('record.notFound', { id: 'x' }),
        },
      });
      const write = async (unit: Unit) => (await suite.database.write([unit], 'stop'))[0];
      expect((await write(checked('changed', { name: 'Seen', n: null })))?.failure?.key).toBe('record.stale');
      expect((await write(checked('changed', { name: 'seen', n: 0 })))?.failure?.key).toBe('record.stale');
      expect(await write(checked('changed', { name: 'seen', n: null }))).toEqual({
        rows: [{ name: 'changed', n: null }],
      });
      const batch = [checked('a', { name: 'seen', n: null }), checked('b', { name: 'changed', n: null })];
      const outcomes = await suite.database.write(batch, 'continue');
      expect(outcomes.map(({ failure }) => failure?.key)).toEqual(['record.stale', undefined]);
      expect((await write(checked('c', { name: 'b', n: null })))?.failure?.key).toBe('record.notFound');
      expect((await read('item')).map((row) => row.name)).toEqual(['b']);
    });

    it('say of a record found wrong before what is wrong', async () => {
      await empty();
      const unit = await unitOf('x', []);
      unit.steps.push({ write: { kind: 'refuse', failure: fail('record.none') } });
      const [outcome] = await suite.database.write([unit], 'stop');
      expect(outcome?.failure?.key).toBe('record.none');
      expect(await read('item')).toEqual([]);
    });
  });
}
