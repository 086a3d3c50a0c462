import { describe, expect, it } from 'vitest';
import { toNative } from '../../convert/index.ts';
import { bindFilter, parseFields, parseFilter, parseOrder } from '../../filter/index.ts';
import type { Row, Select } from '../../query/index.ts';
import { failureOf } from '../../suite/failure.fixture.ts';
import { insert } from '../../suite/insert.fixture.ts';
import { rowsOf } from '../../suite/rows.fixture.ts';
import { sqliteFiles } from './files.fixture.ts';
import { nastyTables } from './nasty.fixture.ts';

const { aDatabase } = sqliteFiles();

describe('a database nobody here designed', () => {
  it('lists its tables in natural order', async () => {
    const tables = await aDatabase().tables();
    expect(tables.map((entry) => entry.name)).toEqual(nastyTables);
    expect(tables.find((entry) => entry.name === 'Order Items')).toEqual({
      name: 'Order Items',
      label: 'Order Items',
      plural: 'Order Items',
      description: null,
      is_view: false,
    });
  });

  it('describes and reads every table', async () => {
    const database = aDatabase();
    for (const name of nastyTables) {
      if (name === 'broken_view') continue;
      const table = await database.table(name.toUpperCase().replace('GRÖSSE', 'GRÖßE'));
      expect(table.name).toBe(name);
      const rows = (await database.select({ table, columns: table.columns })).list();
      expect(rows, name).toHaveLength(await database.count({ table }));
      for (const row of rows) expect(Object.keys(row)).toEqual(table.columns.map((column) => column.name));
    }
    const broken = await failureOf(database.table('broken_view'));
    expect([broken.status, broken.message]).toEqual([
      500,
      'Table "broken_view" can not be read: no such table: main.dropped_table.',
    ]);
    expect((await failureOf(database.table('none'))).message).toBe('Table "none" does not exist in the database.');
    expect((await failureOf(database.table('notes_content'))).status).toBe(404);
  });

  it('reads and writes every table by its key', async () => {
    const database = aDatabase();
    for (const name of nastyTables) {
      if (['broken_view', 'active view'].includes(name)) continue;
      const table = await database.table(name);
      if (table.key.length === 0) continue;
      const rows = (await database.select({ table, columns: table.columns })).list();
      for (const row of rows) {
        const where = table.key
          .map((column) => ({
            kind: 'compare' as const,
            column,
            operator: '=' as const,
            negated: false,
            value: { kind: 'value' as const, value: toNative(column, row[column.name], 'filter') },
          }))
          .reduce<Exclude<Select['where'], undefined> | undefined>(
            (left, right) => (left ? { kind: 'and', left, right } : right),
            undefined,
          );
        expect((await database.select({ table, columns: table.columns, where })).list(), name).toEqual([row]);
        if (!where) throw new Error('no key');
        const touched = await database.write(
          [{ kind: 'update', table, values: {}, where, returning: table.columns }],
          'stop',
        );
        expect(touched).toEqual([{ rows: [row] }]);
      }
    }
  });

  it('gives values as the contract says', async () => {
    const rows = await rowsOf(aDatabase(), 'extreme', undefined, {});
    const byId = Object.fromEntries(rows.map((row) => [String(row.id), row]));
    expect(byId['9223372036854775807']).toMatchObject({
      id: '9223372036854775807',
      big: '9223372036854775807',
      plain: '9007199254740993',
      exact: 0.1,
      raw: 'AP8Q',
      nothing: 5,
      flag: true,
      one: false,
      bits: true,
      day: '2018-11-20',
      moment: '1700000000',
      dbl: 0.1,
    });
    expect(byId['-9223372036854775808']).toMatchObject({
      big: '-9223372036854775808',
      raw: Buffer.from('text').toString('base64'),
      nothing: 'five',
      flag: false,
      one: true,
      dbl: 'Infinity',
    });
    expect(byId['3']).toMatchObject({
      big: '9007199254740992',
      plain: 9007199254740991,
      exact: 1.5,
      raw: '',
      nothing: 'vu8=',
      flag: null,
      dbl: '-Infinity',
    });
    expect(byId['4']).toMatchObject({ big: 'not a number', plain: 3.5, nothing: 1.5, flag: true, exact: 'abc' });
  });

  it('filters and orders by names of any kind', async () => {
    const database = aDatabase();
    expect(await rowsOf(database, 'order items', 'say "hi" = \'say\' and a.b = 1 and per cent % > 9')).toHaveLength(1);
    expect(await rowsOf(database, 'größe 日本', "schlüssel ä = 'Ä'")).toEqual([
      { 'Schlüssel Ä': 'Ä', 'naïve ☃': 1e300, 'émoji 😀': false },
    ]);
    const table = await database.table('group');
    const order = parseOrder('from desc', table);
    const rows = await database.select({
      table,
      columns: parseFields('from,order', table),
      order,
      limit: 1,
      offset: 1,
    });
    expect(rows.json()).toBe('[{"from":"a","order":1}]');
    expect(await rowsOf(database, 'extreme', 'big = 9223372036854775807')).toHaveLength(1);
    expect(await rowsOf(database, 'extreme', 'big > 9007199254740992 and id != 4')).toHaveLength(1);
    expect(await rowsOf(database, 'extreme', 'nothing = 5')).toHaveLength(1);
    expect(await rowsOf(database, 'extreme', "nothing = 'five'")).toHaveLength(1);
    expect(await rowsOf(database, 'extreme', "raw = 'AP8Q'")).toHaveLength(1);
    expect(await rowsOf(database, 'active view', 'n >= 1 and UP = A')).toEqual([{ id: 1, UP: 'A', n: 1 }]);
    expect(await rowsOf(database, 'membership', 'user_name = ANN')).toHaveLength(2);
    expect(await rowsOf(database, 'notes', "body like '%world%'")).toEqual([{ title: 'first', body: 'hello world' }]);
  });

  it('describes keys, types and defaults', async () => {
    const database = aDatabase();
    const fields = async (name: string) => {
      const { description } = await database.table(name);
      return Object.fromEntries(description.field.map((field) => [field.name, field]));
    };
    const items = await fields('Order Items');
    expect(items['Item No']).toMatchObject({
      type: 'id',
      auto_increment: true,
      is_primary_key: true,
      allow_null: false,
    });
    expect(items.select).toMatchObject({ type: 'string', db_type: 'varchar(20)', length: 20, default: "it's" });
    expect(items.select).toMatchObject({ required: false, allow_null: false });
    expect(items['per cent %']).toMatchObject({ type: 'decimal', precision: 10, scale: 2, length: 10, default: 1.5 });
    expect(items['a.b']).toMatchObject({ type: 'integer', default: -3, required: false });
    expect((await fields('Größe 日本'))['émoji 😀']).toMatchObject({ type: 'boolean', default: true });
    expect((await database.table('membership')).description.primary_key).toEqual(['Group Id', 'user_name']);
    const membership = await fields('membership');
    expect(membership['Group Id']).toMatchObject({
      type: 'reference',
      is_foreign_key: true,
      ref_table: 'group',
      ref_field: 'order',
      ref_on_delete: null,
      auto_increment: false,
    });
    expect(membership.since).toMatchObject({ type: 'timestamp', default: null, required: true });
    expect((await database.table('membership')).column('since')?.autoValue).toBe('default');
    expect((await database.table('keyless')).key).toEqual([]);
    expect((await database.table('active view')).key).toEqual([]);
    expect((await fields('desc_key')).id).toMatchObject({
      type: 'integer',
      auto_increment: false,
      is_primary_key: true,
    });
    const group = await fields('group');
    expect(group.from).toMatchObject({ is_unique: true, is_index: false });
    expect(group.where).toMatchObject({ is_unique: false, is_index: true });
    expect((await fields('pair_ref')).g).toMatchObject({
      type: 'integer',
      is_foreign_key: true,
      ref_table: 'membership',
    });
    const extreme = await fields('extreme');
    expect(Object.fromEntries(Object.values(extreme).map((field) => [field.name, field.type]))).toEqual({
      id: 'id',
      big: 'bigint',
      plain: 'integer',
      exact: 'decimal',
      money: 'decimal',
      raw: 'binary',
      nothing: 'string',
      flag: 'boolean',
      one: 'boolean',
      bits: 'boolean',
      day: 'date',
      moment: 'datetime',
      clock: 'time',
      stamp: 'timestamp',
      uid: 'uuid',
      doc: 'string',
      dbl: 'double',
      flt: 'float',
      small: 'integer',
      chars: 'string',
      numb: 'decimal',
    });
    expect(extreme.chars).toMatchObject({ fixed_length: true, supports_multibyte: true, length: 5 });
    expect((await fields('strict_one')).r).toMatchObject({ type: 'float', default: '1.0 + 1', required: false });
    const generated = await database.table('generated');
    for (const { autoValue, description } of generated.columns)
      expect(description.validation).toEqual(autoValue === 'generated' ? { api_read_only: {} } : null);
    expect(generated.columns.map((column) => column.autoValue)).toEqual([
      'default',
      'default',
      'generated',
      'generated',
      'generated',
    ]);
  });

  it('finds relations in foreign keys', async () => {
    const database = aDatabase();
    const relations = async (name: string) =>
      (await database.table(name)).description.related.map((relation) => [
        relation.name,
        relation.type,
        relation.field,
        relation.ref_table,
        relation.ref_field,
        relation.junction_table,
      ]);
    expect(await relations('node')).toEqual([
      ['node_by_parent', 'has_many', 'id', 'node', 'parent', null],
      ['Group_Owner_by_Owner', 'belongs_to', 'Owner', 'Group_Owner', 'id', null],
      ['node_tag_by_node_id', 'has_many', 'id', 'node_tag', 'node_id', null],
      ['tag_by_node_tag', 'many_many', 'id', 'tag', 'id', 'node_tag'],
    ]);
    // Any table with two foreign keys counts as a junction, also when one of them is to itself.
    expect(await relations('Group_Owner')).toEqual([
      ['node_by_Owner', 'has_many', 'id', 'node', 'Owner', null],
      ['node_by_node', 'many_many', 'id', 'node', 'id', 'node'],
    ]);
    expect(await relations('lost')).toEqual([]);
    expect(await relations('pair_ref')).toEqual([
      ['membership_by_g_u', 'belongs_to', 'g,u', 'membership', 'Group Id,user_name', null],
    ]);
    const group = await database.table('group');
    expect(group.description.related).toEqual([
      {
        alias: null,
        name: 'membership_by_Group Id',
        label: 'Membership By Group Id',
        description: null,
        native: [],
        type: 'has_many',
        field: 'order',
        is_virtual: false,
        ref_service_id: null,
        ref_table: 'membership',
        ref_field: 'Group Id',
        ref_on_update: 'SET NULL',
        ref_on_delete: 'CASCADE',
        junction_service_id: null,
        junction_table: null,
        junction_field: null,
        junction_ref_field: null,
        always_fetch: false,
        flatten: false,
        flatten_drop_prefix: false,
      },
    ]);
    const [junction] = (await database.table('tag')).description.related.filter(
      (relation) => relation.type === 'many_many',
    );
    expect(junction).toMatchObject({
      name: 'node_by_node_tag',
      junction_field: 'tag_id',
      junction_ref_field: 'node_id',
      ref_on_delete: 'NO ACTION',
    });
  });

  it('writes what can be written', async () => {
    const database = aDatabase();
    const write = async (name: string, values: Row) => {
      const table = await database.table(name);
      return (await database.write([insert(table, values, table.columns)], 'stop'))[0];
    };
    expect(await write('generated', { id: 9, price: 2, tax: 99 })).toEqual({
      rows: [{ id: 9, price: 2, tax: 0.4, total: 2.4, label: 'p2.0' }],
    });
    expect(await write('keyless', { n: '9007199254740993', t: 5 })).toEqual({
      rows: [{ n: '9007199254740993', t: '5' }],
    });
    expect(await write('keyless', {})).toEqual({ rows: [{ n: null, t: null }] });
    expect(
      await write('extreme', { id: 50, raw: '/+8=', exact: '12.50', flag: 'yes', big: '-9223372036854775808' }),
    ).toMatchObject({
      rows: [{ raw: '/+8=', exact: 12.5, flag: true, big: '-9223372036854775808' }],
    });
    expect(await write('notes', { title: 'third', body: 'x' })).toEqual({ rows: [{ title: 'third', body: 'x' }] });
    expect(await write('editable', { name: 'green' })).toEqual({ rows: [{ id: null, name: 'green' }] });
    expect(await rowsOf(database, 'tag', "name = 'green'")).toHaveLength(1);
    const notes = await database.table('notes');
    const where = bindFilter(parseFilter('title = third'), notes);
    expect(await database.write([{ kind: 'delete', table: notes, where, returning: notes.columns }], 'stop')).toEqual([
      { rows: [{ title: 'third', body: 'x' }] },
    ]);
    const view = await write('active view', { n: 1 });
    expect([view?.failure?.status, view?.failure?.message]).toEqual([
      400,
      'cannot modify active view because it is a view',
    ]);
  });

  it('gives the database’s own code and text for values it refuses', async () => {
    const database = aDatabase();
    const refusal = async (name: string, values: Row) => {
      const table = await database.table(name);
      const [outcome] = await database.write([insert(table, values)], 'stop');
      return [outcome?.failure?.status, outcome?.failure?.code, outcome?.failure?.message];
    };
    expect(await refusal('tag', { name: 'red' })).toEqual([400, 2067, 'UNIQUE constraint failed: tag.name']);
    expect(await refusal('node_tag', { node_id: 1, tag_id: 99 })).toEqual([400, 787, 'FOREIGN KEY constraint failed']);
    expect(await refusal('tag', { name: 'x'.repeat(30) })).toEqual([
      400,
      275,
      'CHECK constraint failed: length(name) < 20',
    ]);
    expect(await refusal('audited', { name: 'bad' })).toEqual([400, expect.any(Number), 'no bad names']);
    expect(await refusal('strict_one', { n: 1, r: 1 })).toEqual([undefined, undefined, undefined]);
  });
});
