import { beforeAll, describe, expect, it } from 'vitest';
import { bindFilter, parseFields, parseFilter, parseGroup, parseOrder } from '../filter/index.ts';
import type { Row, Select } from '../query/index.ts';
import { makeTable } from '../schema/index.ts';
import type { Suite } from './suite.fixture.ts';

/** Filters, order, groups, pages, and the text that rows go out as. */
export function readingSuite(suite: Suite): void {
  const { name, table, read, insertRecords: put, deleteItems: empty } = suite;
  describe(`${name}: reading`, () => {
    beforeAll(async () => {
      await empty();
      await put(
        'item',
        { name: 'one', n: 1, price: '1.50', weight: 0.1, is_on: true, big: '9007199254740993' },
        { name: 'two', n: 2, price: '20', kind: 'odd', is_on: false, made: '2018-11-20 10:00:00' },
        { name: "it's 100%_\\", n: 3, price: '-0.01' },
        { name: 'UMLAUT ä 日本 😀', n: null },
      );
    });

    it.each<[filter: string, numbers: (number | null)[]]>([
      ['n = 1', [1]],
      ['n != 1', [2, 3]],
      ['n > 1 and n <= 3', [2, 3]],
      ['n >= 1 and n < 2', [1]],
      ['n in (1, 3, 99)', [1, 3]],
      ['n not in (1, 3)', [2]],
      ['n between 2 and 3', [2, 3]],
      ['n not between 2 and 3', [1]],
      ['n is null', [null]],
      ['n is not null', [1, 2, 3]],
      ["name = 'one'", [1]],
      ["name like 'o%'", [1]],
      ["name not like '%o%'", [3, null]],
      ["name contains '00%'", [3]],
      ["name contains '0\\%'", []],
      ["name contains '\\'", [3]],
      ["name starts with 'tw'", [2]],
      ["name ends with 'o'", [2]],
      ["name ends with '日本 😀'", [null]],
      ['name = "it\'s 100%_\\"', [3]],
      ["big contains '719925'", [1]],
      ["big like '90%3'", [1]],
      ['price = 1.5', [1]],
      ['price < 0', [3]],
      ['weight = 0.1', [1]],
      ['is_on = true', [1]],
      ['is_on = false', [2]],
      ['big = 9007199254740993', [1]],
      ['big > 9007199254740992', [1]],
      ['big > 9007199254740993', []],
      ["made = '2018-11-20 10:00:00'", [2]],
      ['made < (now())', [2]],
      ['not (n = 1)', [2, 3]],
      ['(n = 1) xor (n = 1)', []],
      ['(n = 1) xor (n = 2)', [1, 2]],
      ['(n = 1) nor (n = 2)', [3]],
      ['(n = 1) or (n = 2) and (n = 99)', [1]],
      [`n in (${Array.from({ length: 2000 }, (_, i) => i + 2)})`, [2, 3]],
      [`name in (${Array.from({ length: 2000 }, (_, i) => `'x"{},\\${i}'`)}, 'one')`, [1]],
      [`big in (${Array.from({ length: 1000 }, (_, i) => `900719925474${i + 1000}`)}, 9007199254740993)`, [1]],
    ])('%s', async (filter, numbers) => {
      const order = parseOrder('id', await table('item'));
      expect((await read('item', filter, { order })).map((row) => row.n)).toEqual(numbers);
      const where = bindFilter(parseFilter(filter), await table('item'));
      expect(await suite.database.count({ table: await table('item'), where })).toBe(numbers.length);
    });

    it('orders, groups, pages', async () => {
      const item = await table('item');
      const numbers = async (order: string, overrides: Partial<Select> = {}) =>
        (await read('item', 'n is not null', { order: parseOrder(order, item), ...overrides })).map((row) => row.n);
      expect(await numbers('n desc')).toEqual([3, 2, 1]);
      expect(await numbers('kind, n desc')).toEqual([2, 3, 1]);
      expect(await numbers('n', { limit: 2 })).toEqual([1, 2]);
      expect(await numbers('n', { limit: 2, offset: 2 })).toEqual([3]);
      expect(await numbers('n', { offset: 1 })).toEqual([2, 3]);
      expect(await numbers('n', { limit: 0 })).toEqual([]);
      const group = parseGroup('kind', item);
      const columns = parseFields('kind', item);
      expect(await read('item', undefined, { columns, group, order: parseOrder('kind', item) })).toEqual([
        { kind: 'odd' },
        { kind: 'plain' },
      ]);
      expect(await suite.database.count({ table: item, group })).toBe(2);
      expect(await read('item', 'n = 1', { columns: [] })).toEqual([{}]);
    });

    it('takes expressions in the place of columns, in every way of reading', async () => {
      const real = await table('item');
      const described = makeTable({
        ...real,
        columns: real.columns.map((column) =>
          column.name === 'name' ? { ...column, expression: { select: 'upper(name)', filter: 'lower(name)' } } : column,
        ),
      });
      const column = described.column('name')!;
      const query: Select = {
        table: described,
        columns: [column],
        where: bindFilter(parseFilter("name in ('one', 'two') and name contains 'o'"), described),
        order: [{ column, direction: 'desc' }],
      };
      const rows = [{ name: 'TWO' }, { name: 'ONE' }];
      expect((await suite.database.select(query)).list()).toEqual(rows);
      expect(await suite.database.count(query)).toBe(2);
      const streamed: Row[] = [];
      for await (const batch of suite.database.stream(query)) streamed.push(...batch.list());
      expect(streamed).toEqual(rows);
    });

    it('puts nulls where an order says', async () => {
      const numbers = async (order: string) =>
        (await read('item', undefined, { order: parseOrder(order, await table('item')) })).map((row) => row.n);
      expect(await numbers('n nulls first')).toEqual([null, 1, 2, 3]);
      expect(await numbers('n nulls last')).toEqual([1, 2, 3, null]);
      expect(await numbers('n desc nulls first')).toEqual([null, 3, 2, 1]);
      expect(await numbers('n desc nulls last')).toEqual([3, 2, 1, null]);
    });

    it('is JSON as it comes', async () => {
      const item = await table('item');
      const columns = parseFields('name,n,price,is_on,big,made', item);
      const where = bindFilter(parseFilter('n in (1, 2)'), item);
      const rows = await suite.database.select({ table: item, columns, where, order: parseOrder('n', item) });
      expect(rows.json()).toBe(
        '[{"name":"one","n":1,"price":1.5,"is_on":true,"big":"9007199254740993","made":null},' +
          '{"name":"two","n":2,"price":20,"is_on":false,"big":null,"made":"2018-11-20 10:00:00"}]',
      );
      expect(rows.count).toBe(2);
      expect(rows.list()).toEqual(JSON.parse(rows.json()));
      expect(
        (await suite.database.select({ table: item, columns, where: bindFilter(parseFilter('n = 9'), item) })).json(),
      ).toBe('[]');
    });

    it('returns the values of side columns with each row, shown in it or not', async () => {
      const item = await table('item');
      const select = {
        table: item,
        order: parseOrder('id', item),
        where: bindFilter(parseFilter('n is not null'), item),
      };
      const query = { ...select, columns: parseFields('name,n', item), sideColumns: parseFields('big,n', item) };
      const rows = [
        { keys: ['"9007199254740993"', '1'], json: '{"name":"one","n":1}' },
        { keys: ['null', '2'], json: '{"name":"two","n":2}' },
        { keys: ['null', '3'], json: JSON.stringify({ name: "it's 100%_\\", n: 3 }) },
      ];
      // Repeated, so that it runs on every lane there is.
      for (let i = 0; i < 8; i += 1) expect((await suite.database.select(query)).withKeys()).toEqual(rows);
      expect((await suite.database.select({ ...query, columns: [] })).withKeys()[0]).toEqual({
        ...rows[0],
        json: '{}',
      });
      expect((await suite.database.select({ ...query, limit: 0 })).withKeys()).toEqual([]);
      const streamed = [];
      for await (const batch of suite.database.stream(query)) streamed.push(...batch.withKeys());
      expect(streamed).toEqual(rows);
    });
  });
}
