// One suite for every dialect: what a `Database` promises, asked of a real one. What only one engine has is tested in
// its own folder.
import { Failure, fail } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toNative } from '../convert/index.ts';
import { bindFilter, parseFields, parseFilter, parseGroup, parseOrder } from '../filter/index.ts';
import { FromStep } from '../from-step.ts';
import { makeTable } from '../table.ts';
import type { Column, Database, Row, RunOptions, Select, Table, Unit, UnitStep, Write } from '../types.ts';

/** How a dialect says what the suite's tables are made of. */
export interface SuiteWords {
  /** A whole number the database counts up, and the key. */
  id: string;
  boolean: string;
  decimal: string;
  double: string;
  bytes: string;
  moment: string;
  /** The type of a text that can be part of a key. */
  text: string;
  /** A name between the quotes of the dialect. */
  quoted(name: string): string;
  /** A query with the numbers from 1 as its only column `n`. */
  numbers(count: number): string;
  /** A query with one column `n` that runs for a minute at least. */
  endless: string;
}

/** A new database with tables made by `sql`. */
export interface SuitePlace {
  database: Database;
  /** Runs a statement beside it. */
  run(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface SuiteDialect {
  words: SuiteWords;
  /** What the engine can not do: to tell the key it counted up, to have columns that are computed. */
  lacks?: readonly ('made keys' | 'generated columns')[];
  open(sql: string[], options?: { maxConnections?: number }): Promise<SuitePlace>;
}

/** A fresh database of a server, its tables made, and `database` on it, which has connected to nothing yet. */
export async function suitePlace(
  fresh: { run(sql: string): Promise<unknown>; drop(): Promise<unknown> },
  sql: string[],
  database: Database,
): Promise<SuitePlace> {
  for (const statement of sql) await fresh.run(statement);
  return {
    database,
    run: fresh.run,
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}

/** What a dialect promises, whatever the engine. */
export function dialectSuite(name: string, dialect: SuiteDialect): void {
  const { words, lacks = [] } = dialect;
  // What an engine lacks is no test that was left out.
  const withMadeKeys = (title: string, test: () => Promise<void>) => lacks.includes('made keys') || it(title, test);
  const q = words.quoted;
  let place: SuitePlace;
  let database: Database;

  const tables = [
    `create table item (id ${words.id}, name ${words.text} unique, kind ${words.text} not null default 'plain', n integer,
      price ${words.decimal}, weight ${words.double}, is_on ${words.boolean}, data ${words.bytes}, big bigint, made ${words.moment},
      check (n < 1000))`,
    `create table part (item_id integer not null, no integer not null, name ${words.text}, primary key (item_id, no),
      foreign key (item_id) references item (id) on delete cascade)`,
    `create table summed (id ${words.id}, a integer, b integer, total integer generated always as (a + b) stored)`,
    `create table bag (n integer, t ${words.text})`,
    `create table ${q('Order Items')} (${q('Item No')} ${words.id}, ${q('select')} ${words.text}, ${q('say "hi"')} integer, ${q('per cent %')} integer, ${q('naïve ☃')} integer)`,
    `create view endless as ${words.endless}`,
    `create table many (id integer primary key, t ${words.text})`,
    `insert into many select n, 'row' from (${words.numbers(20_000)}) as numbers`,
  ];

  beforeAll(async () => {
    place = await dialect.open(tables);
    database = place.database;
  }, 60_000);
  afterAll(() => place?.close());

  const table = (of: string) => database.table(of);

  async function read(of: string, filter?: string, more: Partial<Select> = {}, options: RunOptions = {}) {
    const described = await table(of);
    const where = filter === undefined ? undefined : bindFilter(parseFilter(filter), described);
    return (await database.select({ table: described, columns: described.columns, where, ...more }, options)).list();
  }

  async function put(of: string, ...records: Row[]): Promise<Row[]> {
    const described = await table(of);
    const writes = records.map((it) => insert(described, it));
    const outcomes = await database.write(writes, 'rollback');
    return outcomes.map((it) => {
      if (it.failure) throw it.failure;
      return it.rows[0] as Row;
    });
  }

  async function empty(): Promise<void> {
    await database.write([{ kind: 'delete', table: await table('item'), returning: [] }], 'stop');
  }

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
      expect((await read('item', filter, { order })).map((it) => it.n)).toEqual(numbers);
      const where = bindFilter(parseFilter(filter), await table('item'));
      expect(await database.count({ table: await table('item'), where })).toBe(numbers.length);
    });

    it('orders, groups, pages', async () => {
      const item = await table('item');
      const numbers = async (order: string, more: Partial<Select> = {}) =>
        (await read('item', 'n is not null', { order: parseOrder(order, item), ...more })).map((it) => it.n);
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
      expect(await database.count({ table: item, group })).toBe(2);
      expect(await read('item', 'n = 1', { columns: [] })).toEqual([{}]);
    });

    it('takes expressions in the place of columns, in every way of reading', async () => {
      const real = await table('item');
      const described = makeTable({
        ...real,
        columns: real.columns.map((it) =>
          it.name === 'name' ? { ...it, expression: { select: 'upper(name)', filter: 'lower(name)' } } : it,
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
      expect((await database.select(query)).list()).toEqual(rows);
      expect(await database.count(query)).toBe(2);
      const streamed: Row[] = [];
      for await (const batch of database.stream(query)) streamed.push(...batch.list());
      expect(streamed).toEqual(rows);
    });

    it('puts nulls where an order says', async () => {
      const numbers = async (order: string) =>
        (await read('item', undefined, { order: parseOrder(order, await table('item')) })).map((it) => it.n);
      expect(await numbers('n nulls first')).toEqual([null, 1, 2, 3]);
      expect(await numbers('n nulls last')).toEqual([1, 2, 3, null]);
      expect(await numbers('n desc nulls first')).toEqual([null, 3, 2, 1]);
      expect(await numbers('n desc nulls last')).toEqual([3, 2, 1, null]);
    });

    it('is JSON as it comes', async () => {
      const item = await table('item');
      const columns = parseFields('name,n,price,is_on,big,made', item);
      const where = bindFilter(parseFilter('n in (1, 2)'), item);
      const rows = await database.select({ table: item, columns, where, order: parseOrder('n', item) });
      expect(rows.json()).toBe(
        '[{"name":"one","n":1,"price":1.5,"is_on":true,"big":"9007199254740993","made":null},' +
          '{"name":"two","n":2,"price":20,"is_on":false,"big":null,"made":"2018-11-20 10:00:00"}]',
      );
      expect(rows.count).toBe(2);
      expect(rows.list()).toEqual(JSON.parse(rows.json()));
      expect(
        (await database.select({ table: item, columns, where: bindFilter(parseFilter('n = 9'), item) })).json(),
      ).toBe('[]');
    });

    it('tells values beside each row, shown in it or not', async () => {
      const item = await table('item');
      const select = {
        table: item,
        order: parseOrder('id', item),
        where: bindFilter(parseFilter('n is not null'), item),
      };
      const asked = { ...select, columns: parseFields('name,n', item), beside: parseFields('big,n', item) };
      const pieces = [
        { beside: ['"9007199254740993"', '1'], json: '{"name":"one","n":1}' },
        { beside: ['null', '2'], json: '{"name":"two","n":2}' },
        { beside: ['null', '3'], json: JSON.stringify({ name: "it's 100%_\\", n: 3 }) },
      ];
      // Repeated, so that it runs on every lane there is.
      for (let run = 0; run < 8; run += 1) expect((await database.select(asked)).pieces()).toEqual(pieces);
      expect((await database.select({ ...asked, columns: [] })).pieces()[0]).toEqual({ ...pieces[0], json: '{}' });
      expect((await database.select({ ...asked, limit: 0 })).pieces()).toEqual([]);
      const streamed = [];
      for await (const rows of database.stream(asked)) streamed.push(...rows.pieces());
      expect(streamed).toEqual(pieces);
    });
  });

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
      const [stored] = (await database.write([insert(item, values, item.columns)], 'stop')) as [{ rows: Row[] }];
      expect(stored.rows).toEqual([
        { ...values, id: expect.any(Number), kind: 'plain', n: 5, price: 12345678.25, is_on: true, made: null },
      ]);
      const { id } = stored.rows[0] as Row;
      expect(await read('item', `id = ${id}`)).toEqual(stored.rows);
      const [empties] = (await database.write([insert(item, { id: null, name: null }, item.columns)], 'stop')) as [
        { rows: Row[] },
      ];
      expect(empties.rows[0]).toMatchObject({ name: null, kind: 'plain', data: null });
      expect(Number(empties.rows[0]?.id)).toBeGreaterThan(Number(id));
      expect((await database.write([insert(item, {}, [])], 'stop'))[0]?.rows).toEqual([{}]);
    });

    it('updates and deletes what the filter finds', async () => {
      await empty();
      const item = await table('item');
      await put('item', { name: 'a', n: 1 }, { name: 'b', n: 2 }, { name: 'c', n: 2 });
      const where = bindFilter(parseFilter('n = 2'), item);
      const columns = parseFields('name,n', item);
      const one = async (write: Write) => (await database.write([write], 'stop'))[0]?.rows;
      const sorted = (rows: Row[] | undefined) =>
        rows?.toSorted((a, b) => String(a.name).localeCompare(String(b.name)));
      expect(
        sorted(await one({ kind: 'update', table: item, values: { n: 7, kind: 'x' }, where, returning: columns })),
      ).toEqual([
        { name: 'b', n: 7 },
        { name: 'c', n: 7 },
      ]);
      expect(await one({ kind: 'update', table: item, values: { n: 8 }, where, returning: columns })).toEqual([]);
      const seven = bindFilter(parseFilter('n = 7'), item);
      // The same values again: the rows were found all the same.
      expect(await one({ kind: 'update', table: item, values: { n: 7 }, where: seven, returning: [] })).toEqual([
        {},
        {},
      ]);
      expect(await one({ kind: 'update', table: item, values: {}, where: seven, returning: [] })).toEqual([{}, {}]);
      expect(sorted(await one({ kind: 'delete', table: item, where: seven, returning: columns }))).toEqual([
        { name: 'b', n: 7 },
        { name: 'c', n: 7 },
      ]);
      expect(await one({ kind: 'delete', table: item, returning: [] })).toEqual([{}]);
      expect(await database.count({ table: item })).toBe(0);
    });

    withMadeKeys('binds values into expressions, and gives back what they made', async () => {
      const real = await table('item');
      const { quoted } = words;
      const described = makeTable({
        ...real,
        columns: real.columns.map((it) =>
          it.name === 'name'
            ? {
                ...it,
                expression: {
                  select: 'upper(name)',
                  insert: 'trim({value})',
                  update: `replace({value}, {value}, ${quoted('kind')})`,
                },
              }
            : it,
        ),
      });
      const [key, column] = [described.column('id')!, described.column('name')!];
      const values = { name: "  it's {value} ", kind: 'bound' };
      const [made] = await database.write(
        [{ kind: 'insert', table: described, values, returning: [key, column] }],
        'stop',
      );
      expect(made?.rows).toMatchObject([{ name: "IT'S {VALUE}" }]);
      const where = bindFilter(parseFilter(`id = ${made?.rows?.[0]?.id}`), described);
      const update: Write = { kind: 'update', table: described, values: { name: 'x' }, where, returning: [column] };
      const [changed] = await database.write([update], 'stop');
      expect(changed?.rows).toEqual([{ name: 'BOUND' }]);
      const [gone] = await database.write([{ kind: 'delete', table: described, where, returning: [column] }], 'stop');
      expect(gone?.rows).toEqual([{ name: 'BOUND' }]);
    });

    const withGenerated = (title: string, test: () => Promise<void>) =>
      lacks.includes('generated columns') || it(title, test);
    withGenerated('leaves generated columns to the database', async () => {
      const summed = await table('summed');
      expect(summed.column('total')?.made).toBe('generated');
      const [outcome] = await database.write([insert(summed, { a: 1, b: 2, total: 99 }, summed.columns)], 'stop');
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
        const [outcome] = await database.write([insert(await table(of), values)], 'stop');
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
      await database.write([insert(bag, { n: 1, t: 'x' }, []), insert(bag, { n: 1, t: 'x' }, [])], 'rollback');
      const where = bindFilter(parseFilter('n = 1'), bag);
      expect(
        await database.write([{ kind: 'update', table: bag, values: { t: 'y' }, where, returning: [] }], 'stop'),
      ).toEqual([{ rows: [{}, {}] }]);
      expect(await database.write([{ kind: 'delete', table: bag, returning: [] }], 'stop')).toEqual([
        { rows: [{}, {}] },
      ]);
    });

    const insertName = (item: Table, it: string) => insert(item, { name: it }, parseFields('name', item));

    it.each<['stop' | 'continue' | 'rollback', told: string[], kept: string[]]>([
      ['stop', ['a', 'record.database'], ['a', 'x']],
      ['continue', ['a', 'record.database', 'b', 'record.none', 'record.notFound', 'c'], ['a', 'b', 'c', 'x']],
      ['rollback', ['a', 'record.database'], ['x']],
    ])('%s, with failures in the middle', async (mode, told, kept) => {
      await empty();
      await put('item', { name: 'x' });
      const item = await table('item');
      const outcomes = await database.write(
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
      expect(outcomes.map((it) => it.failure?.key ?? it.rows?.[0]?.name)).toEqual(told);
      expect((await read('item')).map((it) => it.name).toSorted()).toEqual(kept);
    });

    it.each(['stop', 'continue'] as const)('%s keeps its transaction when only our own rules refused', async (mode) => {
      await empty();
      const item = await table('item');
      const outcomes = await database.write(
        [insertName(item, 'a'), { kind: 'refuse', failure: fail('record.none') }],
        mode,
      );
      expect(outcomes.map((it) => it.failure?.key ?? 'done')).toEqual(['done', 'record.none']);
      expect(await database.count({ table: item })).toBe(1);
    });

    it('creates what an update does not find, when told to', async () => {
      await empty();
      const item = await table('item');
      const upsert = (id: number, as: string): Write => ({
        kind: 'update',
        table: item,
        values: { name: as },
        where: bindFilter(parseFilter(`id = ${id}`), item),
        returning: parseFields('id,name', item),
        missing: insert(item, { id, name: as }, parseFields('id,name', item)),
      });
      expect(await database.write([upsert(50, 'new')], 'stop')).toEqual([{ rows: [{ id: 50, name: 'new' }] }]);
      expect(await database.write([upsert(50, 'newer'), upsert(51, 'other')], 'rollback')).toEqual([
        { rows: [{ id: 50, name: 'newer' }] },
        { rows: [{ id: 51, name: 'other' }] },
      ]);
      expect(await database.count({ table: item })).toBe(2);
    });

    describe('units', () => {
      const family = async (name: string, parts: (string | null)[]): Promise<Unit> => {
        const [item, part] = [await table('item'), await table('part')];
        const [id] = item.key as [Column];
        const step = (name: string | null, no: number): UnitStep => ({
          write: {
            kind: 'insert',
            table: part,
            values: { item_id: new FromStep(0, id), no: no as unknown, name },
            returning: [],
          },
          refused: (failure) => fail('related.children', { text: failure.key }),
        });
        const steps = [{ write: insert(item, { name }, parseFields('name,id', item)) }, ...parts.map(step)];
        return { kind: 'unit', steps, main: 0 };
      };
      const parts = async () => (await read('part')).map((it) => it.name).toSorted();
      // The same number twice: no two parts of an item may have it.
      const twice = async (name: string): Promise<Unit> => {
        const unit = await family(name, ['first', 'second']);
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
        const [outcome] = await database.write([await family('whole', ['x', 'y'])], 'stop');
        const [stored] = await read('item');
        expect(outcome?.rows).toEqual([{ name: 'whole', id: stored?.id }]);
        expect((await read('part')).map((it) => it.item_id)).toEqual([stored?.id, stored?.id]);
        const item = await table('item');
        const [id] = item.key as [Column];
        const found: Unit = {
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
        expect(await database.write([found], 'stop')).toEqual([{ rows: [{ name: 'made', n: 5 }] }]);
      });

      withMadeKeys('are done whole or not at all', async () => {
        await empty();
        const [outcome] = await database.write([await twice('half')], 'stop');
        expect(outcome?.failure?.message).toMatch(/^Failed to update many to one assignment\.\nrecord\.database/);
        expect([await read('item'), await parts()]).toEqual([[], []]);
      });

      const cases: ['stop' | 'continue' | 'rollback', told: number, kept: string[]][] = [
        ['stop', 2, ['a']],
        ['continue', 4, ['a', 'b', 'plain']],
        ['rollback', 2, []],
      ];
      for (const [mode, told, kept] of cases)
        withMadeKeys(`${mode}: one that fails among others`, async () => {
          await empty();
          const writes = [
            await family('a', ['a1']),
            await twice('bad'),
            await family('b', ['b1']),
            insertName(await table('item'), 'plain'),
          ];
          expect(await database.write(writes, mode)).toHaveLength(told);
          expect((await read('item')).map((it) => it.name).toSorted()).toEqual(kept);
          expect(await parts()).toEqual(kept.filter((it) => it !== 'plain').map((it) => `${it}1`));
        });

      it('say of a record found wrong before what is wrong', async () => {
        await empty();
        const unit = await family('x', []);
        unit.steps.push({ write: { kind: 'refuse', failure: fail('record.none') } });
        const [outcome] = await database.write([unit], 'stop');
        expect(outcome?.failure?.key).toBe('record.none');
        expect(await read('item')).toEqual([]);
      });
    });

    withMadeKeys('takes a thousand records at once', async () => {
      await empty();
      const item = await table('item');
      const writes = Array.from({ length: 1000 }, (_, i) => insert(item, { name: `n${i}` }));
      expect(new Set((await database.write(writes, 'stop')).map((it) => it.rows?.[0]?.id)).size).toBe(1000);
      expect(await database.count({ table: item })).toBe(1000);
    });

    it('is used by many at once', async () => {
      await empty();
      const item = await table('item');
      await Promise.all(
        Array.from({ length: 60 }, async (_, i) => {
          await database.write([insertName(item, `c${i}`)], 'stop');
          expect(await read('item', `name = 'c${i}'`)).toHaveLength(1);
        }),
      );
      expect(await database.count({ table: item })).toBe(60);
      expect(database.load().busy).toBe(0);
    });
  });

  describe(`${name}: many rows`, () => {
    it('come in batches, all of them and once', async () => {
      const many = await table('many');
      const order = parseOrder('id', many);
      let count = 0;
      let largest = 0;
      for await (const rows of database.stream({ table: many, columns: many.columns, order })) {
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
      for await (const rows of database.stream({ table: many, columns: many.columns, where })) count += rows.count;
      expect(count).toBe(0);
    });

    it('stop when the reader leaves, and the connection serves the next one', async () => {
      const many = await table('many');
      for (let i = 0; i < 12; i += 1)
        for await (const rows of database.stream({ table: many, columns: many.columns })) {
          expect(rows.count).toBeGreaterThan(0);
          break;
        }
      expect(database.load().busy).toBe(0);
      expect(await database.count({ table: many })).toBe(20_000);
    });

    it('wait for a slow reader without counting its time', async () => {
      const many = await table('many');
      let count = 0;
      let pauses = 3;
      for await (const rows of database.stream({ table: many, columns: many.columns }, { timeout: 2000 })) {
        count += rows.count;
        if (pauses > 0) await new Promise((resolve) => setTimeout(resolve, 900));
        pauses -= 1;
      }
      expect(count).toBe(20_000);
    });

    it('tell what is wrong before the first row', async () => {
      const many = await table('many');
      await place.run('create table short_lived (id integer primary key)');
      const gone = await table('short_lived');
      await place.run('drop table short_lived');
      const reading = (async () => {
        for await (const rows of database.stream({ table: gone, columns: gone.columns })) expect(rows.count).toBe(0);
      })();
      expect((await failureOf(reading)).key).toBe('database.changed');
      expect(await database.count({ table: many })).toBe(20_000);
    });

    it('end with their caller', async () => {
      const many = await table('many');
      const caller = new AbortController();
      const reading = (async () => {
        for await (const rows of database.stream({ table: many, columns: many.columns }, { signal: caller.signal })) {
          expect(rows.count).toBeGreaterThan(0);
          caller.abort();
        }
      })();
      expect((await failureOf(reading)).key).toBe('database.cancelled');
      expect(await database.count({ table: many })).toBe(20_000);
    });
  });

  describe(`${name}: limits of time`, () => {
    it('stops what takes too long, and the next call works', async () => {
      const endless = await table('endless');
      const start = performance.now();
      const failure = await failureOf(database.count({ table: endless }, { timeout: 500 }));
      expect([failure.status, failure.message]).toEqual([
        503,
        'The database took longer than 0.5 seconds and was stopped.',
      ]);
      expect(performance.now() - start).toBeLessThan(4000);
      expect(await database.count({ table: await table('many') })).toBe(20_000);
    });

    it('stops when the caller goes away, before and after it began', async () => {
      const endless = await table('endless');
      const caller = new AbortController();
      const query = failureOf(read('endless', undefined, {}, { signal: caller.signal }));
      setTimeout(() => caller.abort(), 200);
      expect((await query).key).toBe('database.cancelled');
      expect((await failureOf(database.count({ table: endless }, { signal: caller.signal }))).key).toBe(
        'database.cancelled',
      );
      for (let i = 0; i < 20; i += 1) expect(await read('many', 'id = 1')).toHaveLength(1);
    });

    it('waits for a connection no longer than that either', async () => {
      const own = await dialect.open([`create view endless as ${words.endless}`], { maxConnections: 1 });
      try {
        const endless = await own.database.table('endless');
        const running = failureOf(own.database.count({ table: endless }, { timeout: 1500 }));
        const caller = new AbortController();
        const waiting = failureOf(own.database.count({ table: endless }, { signal: caller.signal, timeout: 1400 }));
        const short = failureOf(own.database.count({ table: endless }, { timeout: 300 }));
        setTimeout(() => caller.abort(), 200);
        expect((await waiting).key).toBe('database.cancelled');
        expect((await short).key).toBe('database.timeout');
        expect((await running).key).toBe('database.timeout');
      } finally {
        await own.close();
      }
    });
  });

  describe(`${name}: changes from outside`, () => {
    it('notices new tables, and those that are gone', async () => {
      expect((await failureOf(table('newcomer'))).status).toBe(404);
      await place.run('create table newcomer (id integer primary key)');
      const found = await database.table('newcomer', { refresh: true });
      expect(found.key).toHaveLength(1);
      expect((await database.tables()).map((it) => it.name)).toContain('newcomer');
      await place.run('drop table newcomer');
      const failure = await failureOf(database.select({ table: found, columns: found.columns }));
      expect([failure.status, failure.key]).toEqual([503, 'database.changed']);
      expect((await failureOf(table('newcomer'))).status).toBe(404);
      expect((await database.tables()).map((it) => it.name)).not.toContain('newcomer');
    });

    it('finds a table made a moment ago without being told', async () => {
      await database.tables({ refresh: true });
      await new Promise((resolve) => setTimeout(resolve, 1100));
      await place.run('create table unheard (id integer primary key)');
      expect((await table('Unheard')).name).toBe('unheard');
      await place.run('drop table unheard');
    });

    it('uses a table that was altered while in use', async () => {
      await place.run(`create table altered (id integer primary key, a integer, b ${words.text})`);
      const before = await database.table('altered', { refresh: true });
      // Often enough for a plan that the database keeps.
      for (let i = 0; i < 4; i += 1) await database.select({ table: before, columns: before.columns });
      await place.run(`alter table altered add column c ${words.text}`);
      expect((await database.select({ table: before, columns: before.columns })).list()).toEqual([]);
      expect((await database.table('altered', { refresh: true })).columns).toHaveLength(4);
      await place.run('alter table altered drop column b');
      const failure = await failureOf(database.select({ table: before, columns: before.columns }));
      expect(failure.key).toBe('database.changed');
      const after = await table('altered');
      expect(after.columns.map((it) => it.name)).toEqual(['id', 'a', 'c']);
      const [outcome] = await database.write([insert(after, { id: 1, a: 2 }, after.columns)], 'stop');
      expect(outcome?.rows).toEqual([{ id: 1, a: 2, c: null }]);
      await place.run('drop table altered');
    });

    it('reads a table once for many who ask at the same time', async () => {
      await database.tables({ refresh: true });
      const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => table('item')));
      for (const other of others) expect(other).toBe(first);
    });
  });

  describe(`${name}: its end`, () => {
    it('lets what runs end, and answers nothing afterwards', async () => {
      const own = await dialect.open([`create table t (id integer primary key)`]);
      const t = await own.database.table('t');
      const running = own.database.write([insert(t, { id: 1 })], 'stop');
      await own.database.close();
      expect(await running).toEqual([{ rows: [{ id: 1 }] }]);
      for (const work of [() => own.database.tables({ refresh: true }), () => own.database.count({ table: t })]) {
        expect((await failureOf(work())).message).toBe('The database is not available: it was closed.');
      }
      await own.close();
    });
  });
}

/** A server that can be stopped. */
export interface SuiteServer {
  database: Database;
  run(sql: string): Promise<unknown>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A server that goes away and comes back: 503 in between, no wrong answer, no write lost or done twice unseen. */
export function outageSuite(name: string, begin: () => Promise<SuiteServer>): void {
  describe(`${name}: a server that goes away`, () => {
    let server: SuiteServer;
    beforeAll(async () => {
      server = await begin();
      await server.run('create table t (id integer primary key)');
      await server.run('create table writes (id integer primary key)');
    }, 60_000);
    afterAll(() => server?.remove());

    it.each(['stop', 'kill'] as const)(
      'is used again after %s',
      async (how) => {
        const { database } = server;
        const t = await database.table('t');
        const writes = await database.table('writes');
        await database.write([{ kind: 'delete', table: writes, returning: [] }], 'stop');
        // Load: readers that must never see anything else, and writers that must know what became of their writes.
        let isOver = false;
        const failures: string[] = [];
        const acknowledged: number[] = [];
        const unsure: number[] = [];
        let next = 0;
        const note = (error: unknown) => {
          if (!(error instanceof Failure) || error.status !== 503) throw error;
          failures.push(error.key);
          return new Promise((resolve) => setTimeout(resolve, 5));
        };
        const reader = async () => {
          while (!isOver) await database.count({ table: t }).then((it) => expect(it).toBe(0), note);
        };
        const writer = async () => {
          while (!isOver) {
            next += 1;
            const id = next;
            try {
              const [outcome] = await database.write([insert(writes, { id }, [])], 'stop');
              if (outcome?.failure) throw outcome.failure;
              acknowledged.push(id);
            } catch (error) {
              if (error instanceof Failure && error.key === 'database.unsure') unsure.push(id);
              await note(error);
            }
          }
        };
        const load = Promise.all([reader(), reader(), reader(), writer(), writer()]);
        await pause(300);
        await server[how]();
        await pause(300);
        expect((await failureOf(database.count({ table: t }))).status).toBe(503);
        expect((await failureOf(database.test())).status).toBe(503);
        await server.start();
        await pause(300);
        const after = failures.length;
        await pause(300);
        isOver = true;
        await load;
        expect(failures.length).toBe(after);
        expect(after).toBeGreaterThan(0);
        expect(acknowledged.length).toBeGreaterThan(10);
        const stored = (await database.select({ table: writes, columns: writes.columns }))
          .list()
          .map((it) => Number(it.id));
        expect(acknowledged.filter((it) => !stored.includes(it))).toEqual([]);
        expect(stored.filter((it) => !acknowledged.includes(it) && !unsure.includes(it))).toEqual([]);
      },
      60_000,
    );
  });
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A write of wire values. */
export const insert = (table: Table, values: Row, returning = table.key): Extract<Write, { kind: 'insert' }> => ({
  kind: 'insert',
  table,
  values: Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const column = table.column(field);
      if (!column) throw new Error(`no column ${field}`);
      return [field, toNative(column, value, 'write')];
    }),
  ),
  returning,
});

export async function failureOf(work: unknown): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}
