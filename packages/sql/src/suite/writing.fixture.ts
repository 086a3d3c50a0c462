import type { Failure } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { bindFilter, parseFields, parseFilter } from '../filter/index.ts';
import type { Row, Write } from '../query/index.ts';
import { makeTable } from '../schema/index.ts';
import { batchesSuite } from './batches.fixture.ts';
import { insert } from './insert.fixture.ts';
import type { Suite } from './suite.fixture.ts';
import { unitsSuite } from './units.fixture.ts';

/** Records one by one, several in a call, and those that belong together. */
export function writingSuite(suite: Suite): void {
  const {
    name,
    dialect,
    table,
    read,
    insertRecords: put,
    deleteItems: empty,
    withGeneratedKeys: withMadeKeys,
    withGeneratedColumns,
  } = suite;
  describe(`${name}: writing`, () => {
    withMadeKeys('gives back what was stored, with defaults', async () => {
      await empty();
      const item = await table('item');
      const values = {
        name: 'a',
        n: '5',
        price: '12345678.25',
        weight: 0.1,
        is_on: 'yes',
        data: '/+8=',
        big: '-9223372036854775808',
      };
      const [stored] = (await suite.database.write([insert(item, values, item.columns)], 'stop')) as [{ rows: Row[] }];
      expect(stored.rows).toEqual([
        { ...values, id: expect.any(Number), kind: 'plain', n: 5, price: 12345678.25, is_on: true, made: null },
      ]);
      const { id } = stored.rows[0] as Row;
      expect(await read('item', `id = ${id}`)).toEqual(stored.rows);
      const [empties] = (await suite.database.write(
        [insert(item, { id: null, name: null }, item.columns)],
        'stop',
      )) as [{ rows: Row[] }];
      expect(empties.rows[0]).toMatchObject({ name: null, kind: 'plain', data: null });
      expect(Number(empties.rows[0]?.id)).toBeGreaterThan(Number(id));
      expect((await suite.database.write([insert(item, {}, [])], 'stop'))[0]?.rows).toEqual([{}]);
    });

    it('updates and deletes what the filter finds', async () => {
      await empty();
      const item = await table('item');
      await put('item', { name: 'a', n: 1 }, { name: 'b', n: 2 }, { name: 'c', n: 2 });
      const where = bindFilter(parseFilter('n = 2'), item);
      const columns = parseFields('name,n', item);
      const runWrite = async (write: Write) => (await suite.database.write([write], 'stop'))[0]?.rows;
      const sorted = (rows: Row[] | undefined) =>
        rows?.toSorted((a, b) => String(a.name).localeCompare(String(b.name)));
      expect(
        sorted(await runWrite({ kind: 'update', table: item, values: { n: 7, kind: 'x' }, where, returning: columns })),
      ).toEqual([
        { name: 'b', n: 7 },
        { name: 'c', n: 7 },
      ]);
      expect(await runWrite({ kind: 'update', table: item, values: { n: 8 }, where, returning: columns })).toEqual([]);
      const seven = bindFilter(parseFilter('n = 7'), item);
      // The same values again: the rows were found all the same.
      expect(await runWrite({ kind: 'update', table: item, values: { n: 7 }, where: seven, returning: [] })).toEqual([
        {},
        {},
      ]);
      expect(await runWrite({ kind: 'update', table: item, values: {}, where: seven, returning: [] })).toEqual([
        {},
        {},
      ]);
      expect(sorted(await runWrite({ kind: 'delete', table: item, where: seven, returning: columns }))).toEqual([
        { name: 'b', n: 7 },
        { name: 'c', n: 7 },
      ]);
      expect(await runWrite({ kind: 'delete', table: item, returning: [] })).toEqual([{}]);
      expect(await suite.database.count({ table: item })).toBe(0);
    });

    withMadeKeys('binds values into expressions, and gives back what they made', async () => {
      const real = await table('item');
      const { quoted } = dialect.words;
      const described = makeTable({
        ...real,
        columns: real.columns.map((column) =>
          column.name === 'name'
            ? {
                ...column,
                expression: {
                  select: 'upper(name)',
                  insert: 'trim({value})',
                  update: `replace({value}, {value}, ${quoted('kind')})`,
                },
              }
            : column,
        ),
      });
      const [key, column] = [described.column('id')!, described.column('name')!];
      const values = { name: "  it's {value} ", kind: 'bound' };
      const [inserted] = await suite.database.write(
        [{ kind: 'insert', table: described, values, returning: [key, column] }],
        'stop',
      );
      expect(inserted?.rows).toMatchObject([{ name: "IT'S {VALUE}" }]);
      const where = bindFilter(parseFilter(`id = ${inserted?.rows?.[0]?.id}`), described);
      const update: Write = { kind: 'update', table: described, values: { name: 'x' }, where, returning: [column] };
      const [changed] = await suite.database.write([update], 'stop');
      expect(changed?.rows).toEqual([{ name: 'BOUND' }]);
      const [gone] = await suite.database.write(
        [{ kind: 'delete', table: described, where, returning: [column] }],
        'stop',
      );
      expect(gone?.rows).toEqual([{ name: 'BOUND' }]);
    });

    withGeneratedColumns('leaves generated columns to the database', async () => {
      const summed = await table('summed');
      expect(summed.column('total')?.autoValue).toBe('generated');
      const [outcome] = await suite.database.write([insert(summed, { a: 1, b: 2, total: 99 }, summed.columns)], 'stop');
      expect(outcome?.rows).toEqual([{ id: expect.any(Number), a: 1, b: 2, total: 3 }]);
    });

    it('takes moments the database knows', async () => {
      const item = await table('item');
      await put('item', { name: 'now', made: { expression: 'NOW()' } });
      expect(await read('item', "name = 'now' and made > '2020-01-01 00:00:00' and made <= (now())")).toHaveLength(1);
      expect(item.column('made')?.description.default).toBeNull();
    });

    it('refuses what its rules refuse, in the database’s own words', async () => {
      await empty();
      const [{ id }] = (await put('item', { name: 'a' })) as [Row];
      const refusal = async (of: string, values: Row): Promise<Failure> => {
        const [outcome] = await suite.database.write([insert(await table(of), values)], 'stop');
        if (!outcome?.failure) throw new Error('it was taken');
        return outcome.failure;
      };
      for (const refused of [
        await refusal('item', { name: 'a' }),
        await refusal('item', { n: 1000 }),
        await refusal('item', { id, name: 'b' }),
        await refusal('part', { item_id: 99_999, no: 1 }),
        await refusal('part', { no: 1 }),
      ]) {
        expect([refused.key, refused.status]).toEqual(['record.database', 400]);
        expect(refused.code).not.toBe(400);
        expect(refused.message).toMatch(/\w/);
      }
    });

    it('names of any kind', async () => {
      const rows = await put('Order Items', { select: 'a', 'say "hi"': 1, 'per cent %': 2, 'naïve ☃': 3 });
      expect(Object.keys(rows[0] ?? {})).toEqual(['Item No']);
      expect(await read('order items', 'say "hi" = 1 and per cent % = 2 and naïve ☃ = 3 and select = a')).toHaveLength(
        1,
      );
    });

    it('tables without a key', async () => {
      const bag = await table('bag');
      expect(bag.key).toEqual([]);
      await suite.database.write([insert(bag, { n: 1, t: 'x' }, []), insert(bag, { n: 1, t: 'x' }, [])], 'rollback');
      const where = bindFilter(parseFilter('n = 1'), bag);
      expect(
        await suite.database.write([{ kind: 'update', table: bag, values: { t: 'y' }, where, returning: [] }], 'stop'),
      ).toEqual([{ rows: [{}, {}] }]);
      expect(await suite.database.write([{ kind: 'delete', table: bag, returning: [] }], 'stop')).toEqual([
        { rows: [{}, {}] },
      ]);
    });

    batchesSuite(suite);
    unitsSuite(suite);
  });
}
