import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toNative } from '../../convert/index.ts';
import type { BoundFilter, Database, Row, Write } from '../../query/index.ts';
import type { Table } from '../../schema/index.ts';
import { openNetworkDatabase } from '../network/index.ts';
import { mysqlEngine, openMysqlDatabase } from './connect.ts';
import { factsOf, type MysqlOptions, MysqlServer } from './driver.ts';
import { nastySql, nastyTables } from './nasty.fixture.ts';

const whereKey = (table: Table, row: Row, columns = table.key): BoundFilter =>
  columns
    .map((column): BoundFilter => {
      const value = toNative(column, row[column.name], 'filter');
      return { kind: 'compare', column, operator: '=', negated: false, value: { kind: 'value', value } };
    })
    .reduce((left, right) => ({ kind: 'and', left, right }));

/** The values of a row as they would be sent. */
const native = (table: Table, row: Row): Row =>
  Object.fromEntries(
    table.columns
      .filter((column) => column.autoValue !== 'generated')
      .map((column) => [column.name, toNative(column, row[column.name], 'write')]),
  );

describe.skipIf(await engineMissing('mysql'))('a nasty database', () => {
  let main: TestDatabase;
  let other: TestDatabase;
  let options: MysqlOptions;
  let database: Database;
  beforeAll(async () => {
    [main, other] = await Promise.all([freshDatabase('mysql'), freshDatabase('mysql')]);
    await main.run(nastySql(main.database, other.database));
    const { host, port, user, password } = main;
    options = { host, port, user, password, database: main.database };
    database = openMysqlDatabase(options);
  });
  afterAll(async () => {
    await database?.close();
    await main?.run('set foreign_key_checks = 0; drop table if exists outward');
    await other?.drop();
    await main?.drop();
  });

  it('lists its tables: those of this database bare, others by their own', async () => {
    const isOurs = (name: string) => !/^sluice_test_/.test(name) || name.startsWith(`${other.database}.`);
    const all = (await database.tables()).map((entry) => entry.name);
    expect(all.filter(isOurs)).toEqual(nastyTables(other.database));
    expect(all.filter((name) => /^(mysql|sys|information_schema|performance_schema)\./i.test(name))).toEqual([]);
    const ownDatabase = openMysqlDatabase({ ...options, schema: 'default' });
    const one = openMysqlDatabase({ ...options, schema: other.database });
    try {
      expect((await ownDatabase.tables()).map((entry) => entry.name)).toEqual(
        nastyTables('x').filter((name) => !/^x\./.test(name)),
      );
      expect((await one.tables()).map((entry) => entry.name)).toEqual(['remote', 'tag']);
      const tag = await one.table('tag');
      expect((await one.select({ table: tag, columns: tag.columns })).list()).toEqual([{ id: 1, label: 'elsewhere' }]);
    } finally {
      await ownDatabase.close();
      await one.close();
    }
  });

  it('describes and reads each, and puts every row back as it was', async () => {
    for (const name of nastyTables(other.database)) {
      if (name === 'broken_view') continue;
      const table = await database.table(name);
      expect(table.name).toBe(name);
      const rows = (await database.select({ table, columns: table.columns })).list();
      expect([name, await database.count({ table })]).toEqual([name, rows.length]);
      for (const column of table.columns) {
        const value = rows.map((row) => row[column.name]).find((value) => value !== null && value !== undefined);
        if (value === undefined || column.description.type === 'float') continue;
        // What was read finds its row, whatever the type.
        const where = whereKey(table, { [column.name]: value }, [column]);
        expect([name, column.name, await database.count({ table, where })]).not.toEqual([name, column.name, 0]);
      }
      if (table.key.length === 0) continue;
      for (const row of rows) {
        const where = whereKey(table, row);
        const read = await database.select({ table, columns: table.columns, where });
        expect([name, read.list()]).toEqual([name, [row]]);
        const values = native(table, row);
        const update: Write = { kind: 'update', table, values, where, returning: table.columns };
        expect([name, await database.write([update], 'stop')]).toEqual([name, [{ rows: [row] }]]);
      }
    }
  });

  it.each([
    ['MariaDB', undefined],
    ['a server without RETURNING', (version: string) => ({ ...factsOf(version), returns: false })],
  ])('takes rows away and puts them back: %s', async (_, facts) => {
    const server = new MysqlServer(options, facts);
    const ownDatabase = openNetworkDatabase(mysqlEngine(options, server));
    try {
      for (const name of [
        'extreme',
        'decimal_key',
        'binary_key',
        'time_key',
        'huge_key',
        'Größe 日本',
        'node_tag',
        'generated',
        'stamped',
        'parts',
        'Order Items',
        'old_engine',
        'versioned',
      ]) {
        const table = await ownDatabase.table(name);
        const rows = (await ownDatabase.select({ table, columns: table.columns })).list();
        const remove = rows.map(
          (row): Write => ({ kind: 'delete', table, where: whereKey(table, row), returning: table.columns }),
        );
        expect([name, (await ownDatabase.write(remove, 'rollback')).map((outcome) => outcome.rows)]).toEqual([
          name,
          rows.map((row) => [row]),
        ]);
        expect(await ownDatabase.count({ table })).toBe(0);
        const insert = rows.map(
          (row): Write => ({ kind: 'insert', table, values: native(table, row), returning: table.columns }),
        );
        expect([
          name,
          (await ownDatabase.write(insert, 'rollback')).map((outcome) => outcome.failure ?? outcome.rows),
        ]).toEqual([name, rows.map((row) => [row])]);
      }
    } finally {
      await ownDatabase.close();
    }
  });

  it('tells the types of its columns', async () => {
    const types = Object.fromEntries(
      (await database.table('extreme')).columns.map((column) => [column.name, column.description.type]),
    );
    expect(types).toEqual({
      id: 'bigint',
      tiny: 'integer',
      tinyu: 'integer',
      flag: 'boolean',
      one: 'boolean',
      small: 'integer',
      medium: 'integer',
      zero: 'integer',
      big: 'bigint',
      bigu: 'bigint',
      exact: 'decimal',
      digits: 'decimal',
      money: 'decimal',
      dbl: 'double',
      flt: 'float',
      flat: 'float',
      bit1: 'boolean',
      bits: 'bigint',
      bits64: 'bigint',
      day: 'date',
      moment: 'datetime',
      fine: 'datetime',
      clock: 'time',
      fine_clock: 'time',
      stamp: 'timestamp',
      fine_stamp: 'timestamp',
      born: 'string',
      chars: 'string',
      latin: 'string',
      words: 'text',
      doc: 'text',
      kind: 'string',
      flags: 'string',
      fixed: 'binary',
      raw: 'binary',
      varraw: 'binary',
      address: 'string',
      uid: 'uuid',
      place: 'binary',
      shape: 'binary',
    });
  });

  it('shows the values at their ends as the database prints them', async () => {
    const table = await database.table('extreme');
    const [, , high] = (await database.select({ table, columns: table.columns })).list();
    expect(high).toEqual({
      id: '9223372036854775807',
      tiny: 127,
      tinyu: 255,
      flag: true,
      one: true,
      small: 32767,
      medium: 8388607,
      zero: 42,
      big: '9223372036854775807',
      bigu: '18446744073709551615',
      exact: '1234567890123456789012345678.0123456789',
      digits: '9'.repeat(65),
      money: '922337203685477.5807',
      dbl: 1.7976931348623157e308,
      flt: 3.4028e38,
      flat: 1234.567,
      bit1: true,
      bits: 0b101010101010,
      bits64: '18446744073709551615',
      day: '9999-12-31',
      moment: '9999-12-31 23:59:59',
      fine: '2018-11-20 10:00:00.120000',
      clock: '838:59:59',
      fine_clock: '10:00:00.50',
      stamp: '2038-01-19 03:14:07',
      fine_stamp: '2018-11-20 10:00:00.000',
      born: '2155',
      chars: 'ab',
      latin: 'für',
      words: 'é 日本 😀',
      doc: '{"a": [1, 12345678901234567890]}',
      kind: "e'f",
      flags: 'x,z',
      fixed: 'AP8Q',
      raw: 'AP8Q',
      varraw: '',
      address: '::1',
      uid: '123e4567-e89b-12d3-a456-426655440000',
      place: expect.stringMatching(/^AAAAAAEBAAAA/),
      shape: expect.stringMatching(/^5hAAAAEC/),
    });
  });

  it('tells keys, defaults and relations', async () => {
    const columns = async (name: string) =>
      Object.fromEntries((await database.table(name)).columns.map((column) => [column.name, column.description]));
    const stamped = await columns('stamped');
    expect([stamped.id?.type, stamped.made?.type, stamped.changed?.type]).toEqual([
      'id',
      'timestamp_on_create',
      'timestamp_on_update',
    ]);
    expect(stamped.made).toMatchObject({ default: { expression: 'CURRENT_TIMESTAMP' }, required: false });
    expect(stamped.uid).toMatchObject({ default: { expression: 'uuid()' }, required: false });
    expect((await columns('Order Items')).select).toMatchObject({
      default: `it's "\\" x`,
      length: 20,
      required: false,
    });
    expect((await columns('generated')).tax).toMatchObject({ validation: { api_read_only: {} }, required: false });
    expect((await columns('node')).partner).toMatchObject({
      type: 'reference',
      ref_table: 'spouse',
      ref_field: 'id',
      is_unique: true,
    });
    const related = async (name: string) =>
      (await database.table(name)).description.related.map((relation) => [
        relation.name,
        relation.type,
        relation.ref_on_delete,
      ]);
    expect(await related('node')).toEqual([
      ['node_by_parent', 'has_many', 'RESTRICT'],
      ['spouse_by_partner', 'belongs_to', 'RESTRICT'],
      ['node_tag_by_node_id', 'has_many', 'RESTRICT'],
      ['tag_by_node_tag', 'many_many', 'RESTRICT'],
      ['spouse_by_node_id', 'has_one', 'CASCADE'],
    ]);
    expect(await related('outward')).toEqual([[`${other.database}.tag_by_there`, 'belongs_to', 'SET NULL']]);
    expect((await database.table('membership')).description.constraints).toMatchObject({
      'fk group': {
        column_name: 'Group Id',
        referenced_table_name: 'group',
        delete_rule: 'CASCADE',
        update_rule: 'RESTRICT',
      },
    });
    expect((await database.table('membership')).description.primary_key).toEqual(['Group Id', 'user_name']);
  });

  it('fails only the view that is broken', async () => {
    await expect(database.table('broken_view')).rejects.toThrow(
      /^Table "broken_view" can not be read: View .* references invalid/,
    );
    expect((await database.table('active view')).key).toEqual([]);
  });

  it('writes through views, and tells what triggers do', async () => {
    const editable = await database.table('editable');
    const insert = (table: Table, values: Row): Write => ({ kind: 'insert', table, values, returning: table.columns });
    expect(await database.write([insert(editable, { id: 9, name: 'green' })], 'stop')).toEqual([
      { rows: [{ id: 9, name: 'green' }] },
    ]);
    const audited = await database.table('audited');
    const outcomes = await database.write(
      [insert(audited, { name: ' good ' }), insert(audited, { name: 'bad' }), insert(audited, { name: 'after' })],
      'continue',
    );
    expect(outcomes.map((outcome) => outcome.failure?.message ?? outcome.rows?.[0])).toEqual([
      { id: 1, name: 'good' },
      'no bad names',
      { id: expect.any(Number), name: 'after' },
    ]);
  });

  it('writes no record twice where a transaction cannot be undone', async () => {
    const table = await database.table('old_engine');
    const insert = (name: string): Write => ({ kind: 'insert', table, values: { name }, returning: [] });
    const outcomes = await database.write([insert('c'), insert('a'), insert('d')], 'continue');
    expect(outcomes.map((outcome) => outcome.failure?.code ?? 'done')).toEqual(['done', 1062, 'done']);
    expect((await database.select({ table, columns: [table.column('name')!] })).list().map((row) => row.name)).toEqual([
      'a',
      'b',
      'c',
      'd',
    ]);
  });
});
