import type { Failure } from '@sluice/contract';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toNative } from '../../convert/index.ts';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { BoundFilter, Database, Row } from '../../query/index.ts';
import type { Column, Table } from '../../schema/index.ts';
import { failureOf } from '../../suite/failure.fixture.ts';
import { insert } from '../../suite/insert.fixture.ts';
import { rowsOf } from '../../suite/rows.fixture.ts';
import { openPgsqlDatabase, type PgsqlDatabaseOptions } from './connect.ts';
import { nastySql, nastyTables } from './nasty.fixture.ts';

describe.skipIf(await engineMissing('pgsql'))('PostgreSQL', () => {
  let testDatabase: TestDatabase;
  const openDatabases: Database[] = [];
  const aDatabase = (options: Partial<PgsqlDatabaseOptions> = {}) => {
    const newDatabase = openPgsqlDatabase({ ...testDatabase, ...options });
    openDatabases.push(newDatabase);
    return newDatabase;
  };
  beforeAll(async () => {
    testDatabase = await freshDatabase('pgsql');
    await testDatabase.run(nastySql);
  });
  afterAll(async () => {
    await Promise.all(openDatabases.map((database) => database.close()));
    await testDatabase?.drop();
  });

  describe('values', () => {
    it('describes and reads every table, and puts every row back as it was', async () => {
      const database = aDatabase();
      for (const name of nastyTables) {
        const table = await database.table(name.toUpperCase().replace('GRÖSSE', 'GRÖßE'));
        expect(table.name).toBe(name);
        const rows = await rowsOf(database, name);
        expect(rows, name).toHaveLength(await database.count({ table }));
        expect(rows.length, name).toBeGreaterThanOrEqual(['audited', 'no_columns'].includes(name) ? 0 : 1);
        for (const row of rows) {
          expect(Object.keys(row)).toEqual(table.columns.map((column) => column.name));
          if (table.key.length === 0) continue;
          const where = table.key
            .map((column): BoundFilter => {
              const value = { kind: 'value' as const, value: toNative(column, row[column.name], 'filter') };
              return { kind: 'compare', column, operator: '=', negated: false, value };
            })
            .reduce((left, right) => ({ kind: 'and', left, right }));
          expect((await database.select({ table, columns: table.columns, where })).list(), name).toEqual([row]);
          const update = {
            kind: 'update' as const,
            table,
            values: writable(table, row),
            where,
            returning: table.columns,
          };
          expect(await database.write([update], 'stop'), name).toEqual([{ rows: [row] }]);
        }
      }
    });

    /** What can be sent back: JSON has no infinity. */
    const writable = (table: Table, row: Row): Row =>
      Object.fromEntries(
        table.columns
          .filter(
            (column) =>
              !column.description.auto_increment &&
              !/^-?(infinity|nan)$/i.test(String(row[column.name])) &&
              !isKey(table, column),
          )
          .map((column) => [column.name, toNative(column, row[column.name], 'write')]),
      );
    const isKey = (table: Table, column: Column) => table.key.includes(column);

    it('gives them as the contract says', async () => {
      const [first, second, third] = (await rowsOf(aDatabase(), 'extreme')) as [Row, Row, Row];
      expect(first).toEqual({
        id: 1,
        small: -32768,
        big: '9223372036854775807',
        plain: -2147483648,
        exact: '1234567890123456789012345678.0123456789',
        free: '10000000000000000000000000000000000000000',
        cash: -1234.5,
        raw: 'AP8Q',
        flag: true,
        one: true,
        bits: '1010',
        many_bits: '101',
        day: '0001-01-01',
        clock: '24:00:00',
        clock_z: '10:00:00.55+02',
        moment: '2018-11-20 10:00:00.123',
        stamp: '2018-11-20 08:00:00.123456+00',
        span: '1 year 2 mons -3 days +04:05:06.789',
        uid: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
        doc: '{"b": 1,  "a":[1.0]}',
        docb: '{"a": [1.0], "b": 1}',
        dbl: 0.1,
        flt: 0.1,
        chars: 'ab   ',
        char: 'x',
        mood: "it's ok",
        mail: 'a@b.c',
        price: '12345678901234567890.5000000000',
        words: '{a,"b,\\"c\\"",NULL,""}',
        matrix: '{{1,2},{3,4}}',
        moods: '{sad,"it\'s ok"}',
        place: '(1.5,-2)',
        span_of: '[1,10)',
        net: '192.168.0.1/24',
        cidr: '10.0.0.0/8',
        mac: '08:00:2b:01:02:03',
        search: "'a' 'cat' 'fat'",
        xml: '<a>b</a>',
        made: '(1,,"a,b")',
        oid: 4294967295,
        name: 'a name',
      });
      expect(second).toMatchObject({
        big: '-9223372036854775808',
        exact: -1e-10,
        free: 'NaN',
        cash: 0.01,
        raw: '',
        flag: false,
        one: false,
        moment: 'infinity',
        stamp: '-infinity',
        dbl: 'Infinity',
        flt: '-Infinity',
        docb: 'null',
        words: '{}',
        span_of: 'empty',
      });
      expect(third).toMatchObject({ id: 3, small: null, exact: null, flag: null, raw: null, price: 1.5 });
    });

    it('filters what only it has', async () => {
      const database = aDatabase();
      const found = async (filter: string) => (await rowsOf(database, 'extreme', filter)).map((row) => row.id);
      expect(await found('mood = "it\'s ok"')).toEqual([1]);
      expect(await found("mood like 'it%'")).toEqual([1]);
      expect(await found("uid = 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'")).toEqual([1]);
      expect(await found("uid contains '9c0b'")).toEqual([1]);
      expect(await found("chars like 'ab'")).toEqual([1]);
      expect(await found('docb contains \'"b": 1\'')).toEqual([1]);
      expect(await found("raw = 'AP8Q'")).toEqual([1]);
      expect(await found("exact = '1234567890123456789012345678.0123456789'")).toEqual([1]);
      expect(await found('cash < 0')).toEqual([1]);
      expect(await found("words contains 'b,'")).toEqual([1]);
      expect(await found("stamp = '2018-11-20 08:00:00.123456'")).toEqual([1]);
      // A list too long to be written out, whose type has a size that would cut its values.
      const long = Array.from({ length: 600 }, (_, i) => i);
      expect(await found(`chars in (${long.map((index) => `'ab${index}'`)})`)).toEqual([]);
      expect(await found(`chars in (${long.map((index) => `'x${index}'`)}, 'ab')`)).toEqual([1]);
      expect(await found(`mood in (${long.map(() => "'sad'")}, "it's ok")`)).toEqual([1]);
      expect(await found(`exact in (${long}, '0.00000000001')`)).toEqual([]);
      expect(await found(`raw in (${long.map(() => "'AAAA'")}, 'AP8Q')`)).toEqual([1]);
      const failure = await failureOf(found("mood = 'elated'"));
      expect([failure.status, failure.code, failure.message]).toEqual([
        400,
        '22P02',
        'invalid input value for enum mood: "elated"',
      ]);
    });

    it('writes where others see to it', async () => {
      const database = aDatabase();
      const write = async (name: string, values: Row) => {
        const table = await database.table(name);
        return (await database.write([insert(table, values, table.columns)], 'stop'))[0];
      };
      expect(await write('joined', { id: 1, name: 'by trigger' })).toEqual({ rows: [{ id: 1, name: 'by trigger' }] });
      expect(await write('editable', { name: 'by view' })).toMatchObject({ rows: [{ name: 'by view' }] });
      // The trigger lets the record go: what was written is shown.
      expect(await write('audited', { name: 'elsewhere' })).toEqual({ rows: [{ name: 'elsewhere', id: null }] });
      expect(await write('measured', { id: 3, at: '2018-01-01', v: '5' })).toEqual({
        rows: [{ id: 3, at: '2018-01-01', v: 5 }],
      });
      const view = await write('kept_view', { name: 'x' });
      expect([view?.failure?.status, view?.failure?.code]).toEqual([400, '42809']);
    });
  });

  const refusal = async (name: string, values: Row): Promise<Failure> => {
    const database = aDatabase();
    const table = await database.table(name);
    const [outcome] = await database.write([insert(table, values)], 'stop');
    if (!outcome?.failure) throw new Error('it was taken');
    return outcome.failure;
  };

  describe('what it refuses', () => {
    it('has its own code and text', async () => {
      const outcomesOf = async (name: string, values: Row) => {
        const { status, code, message } = await refusal(name, values);
        return [status, code, message];
      };
      expect(await outcomesOf('tag', { name: 'red' })).toEqual([
        400,
        '23505',
        'duplicate key value violates unique constraint "tag_name_key"',
      ]);
      expect(await outcomesOf('node_tag', { node_id: 1, tag_id: 99 })).toEqual([
        400,
        '23503',
        'insert or update on table "node_tag" violates foreign key constraint "node_tag_tag_id_fkey"',
      ]);
      expect((await outcomesOf('node_tag', { node_id: 1 }))[1]).toBe('23502');
      expect((await outcomesOf('tag', { name: 'x'.repeat(30) }))[1]).toBe('23514');
      expect((await outcomesOf('extreme', { mail: 'none' }))[1]).toBe('23514');
      expect((await outcomesOf('extreme', { mood: 'elated' }))[1]).toBe('22P02');
      expect((await outcomesOf('extreme', { day: 'no day' }))[1]).toBe('22007');
      expect((await outcomesOf('extreme', { small: 70_000 }))[1]).toBe('22003');
      expect((await outcomesOf('Order Items', { select: 'x'.repeat(21) }))[1]).toBe('22001');
      expect(await outcomesOf('audited', { name: 'bad' })).toEqual([400, 'P0001', 'no bad names']);
      // It is the trigger that is broken, not what we know of the table.
      expect((await outcomesOf('audited', { name: 'broken' }))[1]).toBe('42P01');
    });

    it('a deferred key fails its own record', async () => {
      const database = aDatabase();
      const table = await database.table('deferred');
      const writes = [
        { id: 11, tag: 1 },
        { id: 12, tag: 99 },
        { id: 13, tag: 2 },
      ].map((values) => insert(table, values));
      const outcomesOf = (outcomes: Awaited<ReturnType<Database['write']>>) =>
        outcomes.map((outcome) => outcome.failure?.code ?? 'done');
      expect(outcomesOf(await database.write(writes, 'rollback'))).toEqual(['done', 'done', '23503']);
      expect(await database.count({ table })).toBe(1);
      expect(outcomesOf(await database.write(writes, 'continue'))).toEqual(['done', '23503', 'done']);
      expect(await database.count({ table })).toBe(3);
    });

    it('a deadlock is tried once more', async () => {
      // It takes a second until the database looks for deadlocks, less where we may say so.
      const soon = "select set_config('deadlock_timeout', '50ms', false) where current_setting('is_superuser') = 'on'";
      const database = aDatabase({ statements: [soon] });
      const tag = await database.table('tag');
      const update = (id: number) => ({
        kind: 'update' as const,
        table: tag,
        values: { name: `tag ${id}` },
        where: bindFilter(parseFilter(`id = ${id}`), tag),
        returning: tag.key,
      });
      // Each has one and wants the other's.
      await testDatabase.run(`create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(0.1); return new; end $$;
        create trigger slowly after update on tag for each row execute function slowly()`);
      try {
        const [one, other] = await Promise.all([
          database.write([update(1), update(2)], 'rollback'),
          database.write([update(2), update(1)], 'rollback'),
        ]);
        expect(one).toEqual([{ rows: [{ id: 1 }] }, { rows: [{ id: 2 }] }]);
        expect(other).toEqual([{ rows: [{ id: 2 }] }, { rows: [{ id: 1 }] }]);
      } finally {
        await testDatabase.run('drop trigger slowly on tag');
      }
    }, 20_000);
  });
});
