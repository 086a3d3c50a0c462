import type { SimpleType } from '@sluice/contract';
import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../query/index.ts';
import { openPgsqlDatabase } from './connect.ts';
import { defaultOf } from './introspect.ts';
import { nastySql, nastyTables } from './nasty.fixture.ts';

it.each<[string | null, SimpleType, unknown]>([
  [null, 'string', null],
  ['NULL::character varying', 'string', null],
  ["'it''s'::character varying", 'string', "it's"],
  ["''::text", 'string', ''],
  ["'a''::b'::text", 'string', "a'::b"],
  ["'5'::text", 'string', '5'],
  ['5', 'integer', 5],
  ["'-3'::integer", 'integer', -3],
  ['(-3)', 'integer', -3],
  ["'9223372036854775807'::bigint", 'bigint', '9223372036854775807'],
  ['1.50', 'decimal', 1.5],
  ["'-100000'::integer", 'double', -100000],
  ['(1 + 2)', 'integer', '(1 + 2)'],
  ['true', 'boolean', true],
  ['false', 'boolean', false],
  ['now()', 'timestamptz', 'now()'],
  ['CURRENT_TIMESTAMP', 'timestamp', 'CURRENT_TIMESTAMP'],
  ["'2018-11-20'::date", 'date', '2018-11-20'],
  ["'sad'::mood", 'string', 'sad'],
  ["'{}'::jsonb", 'string', '{}'],
  ['ARRAY[]::text[]', 'string', 'ARRAY[]::text[]'],
  ["upper('x'::text)", 'string', "upper('x'::text)"],
])('the default %s of a %s shows %j (contract/database-schema.md §2)', (sql, type, expected) => {
  expect(defaultOf(sql, type)).toBe(expected);
});

describe.skipIf(await engineMissing('pgsql'))('a database nobody here designed', () => {
  let testDatabase: TestDatabase;
  const openDatabases: Database[] = [];
  const database = (options: { schema?: string; user?: string; password?: string } = {}) => {
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

  const fields = async (name: string) => {
    const { description } = await database().table(name);
    return Object.fromEntries(description.field.map((field) => [field.name, field]));
  };

  it('lists its tables in natural order', async () => {
    const tables = await database().tables();
    expect(tables.map((entry) => entry.name)).toEqual(nastyTables);
    expect(tables.find((entry) => entry.name === 'Order Items')).toEqual({
      name: 'Order Items',
      label: 'Order Items',
      plural: 'Order Items',
      description: 'What was ordered',
      is_view: false,
    });
  });

  it('says which of them are views', async () => {
    const views = (await database().tables()).filter((entry) => entry.is_view).map((entry) => entry.name);
    expect(views).toEqual(['active view', 'editable', 'joined', 'kept_view']);
    for (const name of ['joined', 'kept_view', 'tag', 'measured'])
      expect((await database().table(name)).description.is_view).toBe(views.includes(name));
  });

  it('lists the schema the configuration names', async () => {
    const names = async (schema: string) => (await database({ schema }).tables()).map((entry) => entry.name);
    expect(await names('all')).toEqual(nastyTables);
    expect(await names('audit')).toEqual(['detail', 'log']);
    expect(await names('Sales Dept')).toEqual(['Order']);
    expect(await names('empty_one')).toEqual([]);
    expect(await names('default')).toEqual(nastyTables.filter((name) => name === 'audit.log' || !name.includes('.')));
    const audit = database({ schema: 'audit' });
    const log = await audit.table('log');
    expect(log.native).toEqual({ schema: 'audit', name: 'log' });
    expect((await audit.select({ table: log, columns: log.columns })).list()).toEqual([{ id: 1, node: 1, of: 'x' }]);
    // Its other end lies in a schema that is not shown.
    expect(log.description.related.map((relation) => relation.name)).toEqual(['detail_by_log_id']);
  });

  it('describes types as the contract says', async () => {
    const extreme = await fields('extreme');
    expect(
      Object.fromEntries(Object.values(extreme).map((field) => [field.name, `${field.type}: ${field.db_type}`])),
    ).toEqual({
      id: 'id: bigint',
      small: 'integer: smallint',
      big: 'bigint: bigint',
      plain: 'integer: integer',
      exact: 'decimal: numeric(38,10)',
      free: 'decimal: numeric',
      cash: 'money: money',
      raw: 'binary: bytea',
      flag: 'boolean: boolean',
      one: 'boolean: bit(1)',
      bits: 'string: bit(4)',
      many_bits: 'string: bit varying(9)',
      day: 'date: date',
      clock: 'time: time without time zone',
      clock_z: 'timetz: time(2) with time zone',
      moment: 'timestamp: timestamp(3) without time zone',
      stamp: 'timestamptz: timestamp with time zone',
      span: 'string: interval',
      uid: 'uuid: uuid',
      doc: 'string: json',
      docb: 'string: jsonb',
      dbl: 'double: double precision',
      flt: 'double: real',
      chars: 'string: character(5)',
      char: 'string: "char"',
      mood: 'string: mood',
      mail: 'string: text',
      price: 'decimal: numeric(38,10)',
      words: 'string: text[]',
      matrix: 'string: integer[]',
      moods: 'string: mood[]',
      place: 'string: point',
      span_of: 'string: int4range',
      net: 'string: inet',
      cidr: 'string: cidr',
      mac: 'string: macaddr',
      search: 'string: tsvector',
      xml: 'string: xml',
      made: 'string: point3',
      oid: 'integer: oid',
      name: 'string: name',
    });
    expect(extreme.exact).toMatchObject({ length: 38, precision: 38, scale: 10 });
    expect(extreme.moment).toMatchObject({ length: 3, precision: 3, scale: null });
    expect(extreme.chars).toMatchObject({ length: 5, fixed_length: true });
    expect(extreme.price).toMatchObject({ allow_null: false, default: 1.5, required: false });
    expect((await fields('Sales Dept.Order')).size).toMatchObject({ db_type: '"Sales Dept".size', default: 'L' });
  });

  it('describes keys, defaults, indexes and comments', async () => {
    const items = await fields('Order Items');
    expect(items['Item No']).toMatchObject({
      type: 'id',
      auto_increment: true,
      is_primary_key: true,
      allow_null: false,
      required: false,
      default: null,
      description: 'A number',
    });
    expect(items.select).toMatchObject({
      db_type: 'character varying(20)',
      length: 20,
      default: "it's",
      required: false,
    });
    expect(items['a.b']).toMatchObject({ type: 'integer', default: -3 });
    const group = await fields('group');
    expect(group.order).toMatchObject({ type: 'id', auto_increment: true });
    expect(group.from).toMatchObject({ is_unique: true, is_index: false });
    expect(group.where).toMatchObject({ is_unique: false, is_index: true });
    expect((await database().table('membership')).description.primary_key).toEqual(['Group Id', 'user_name']);
    const membership = await fields('membership');
    expect(membership['Group Id']).toMatchObject({
      type: 'reference',
      is_foreign_key: true,
      ref_table: 'group',
      ref_field: 'order',
      ref_on_delete: null,
      auto_increment: false,
    });
    expect(membership.since).toMatchObject({ type: 'timestamp', default: 'CURRENT_TIMESTAMP', required: false });
    expect((await fields('node')).id).toMatchObject({ type: 'id', db_type: 'bigint' });
    expect((await fields('pair_ref')).u).toMatchObject({
      type: 'string',
      ref_table: 'membership',
      ref_field: 'user_name',
    });
    for (const name of ['keyless', 'active view', 'kept_view', 'child_one'])
      expect((await database().table(name)).key).toEqual([]);
    const defaults = await database().table('defaults');
    expect(
      Object.fromEntries(defaults.columns.map((column) => [column.name, column.description.default])),
    ).toMatchObject({
      id: null,
      a: "x'y",
      b: false,
      c: '(1 + 2)',
      d: -1.5,
      e: 'now()',
      f: 'CURRENT_DATE',
      g: '{}',
      i: null,
      j: '9223372036854775807',
      k: 'sad',
      l: null,
      m: -1e5,
      o: '2018-01-01 00:00:00',
      p: 1.5,
    });
    expect(defaults.column('i')?.autoValue).toBeUndefined();
    expect(defaults.column('p')?.autoValue).toBe('default');
    const generated = await database().table('generated');
    expect(generated.columns.map((column) => [column.autoValue, column.description.validation])).toEqual([
      [undefined, null],
      ['default', null],
      ['generated', { api_read_only: {} }],
    ]);
  });

  it('finds relations in foreign keys, across schemas', async () => {
    const relations = async (name: string) =>
      (await database().table(name)).description.related.map((relation) => [
        relation.name,
        relation.type,
        relation.field,
        relation.ref_table,
        relation.ref_field,
        relation.junction_table,
      ]);
    expect(await relations('node')).toEqual([
      ['node_by_parent', 'has_many', 'id', 'node', 'parent', null],
      ['node_tag_by_node_id', 'has_many', 'id', 'node_tag', 'node_id', null],
      ['tag_by_node_tag', 'many_many', 'id', 'tag', 'id', 'node_tag'],
    ]);
    expect(await relations('Order Items')).toEqual([
      ['Sales Dept.Order_by_item', 'has_many', 'Item No', 'Sales Dept.Order', 'item', null],
    ]);
    expect(await relations('pair_ref')).toEqual([
      ['membership_by_g_u', 'belongs_to', 'g,u', 'membership', 'Group Id,user_name', null],
    ]);
    expect(await relations('measured')).toEqual([
      ['measured_note_by_m_at', 'has_many', 'id,at', 'measured_note', 'm,at', null],
    ]);
    expect((await database({ schema: 'audit' }).table('log')).description.related).toMatchObject([
      { name: 'detail_by_log_id', type: 'has_one', field: 'id', ref_on_delete: 'CASCADE' },
    ]);
    expect((await database().table('membership')).description.constraints).toEqual({
      'membership_group id_fkey': {
        constraint_name: 'membership_Group Id_fkey',
        constraint_type: 'FOREIGN KEY',
        table_schema: 'public',
        table_name: 'membership',
        column_name: 'Group Id',
        referenced_table_schema: 'public',
        referenced_table_name: 'group',
        referenced_column_name: 'order',
        update_rule: 'SET NULL',
        delete_rule: 'CASCADE',
      },
    });
  });

  it('shows what the user has some right to', async () => {
    const user = `sluice_test_${Math.random().toString(36).slice(2)}`;
    await testDatabase.run(`create role ${user} login password 'p'; grant select on tag, keyless to ${user}; grant insert on node to ${user};
      grant select (name) on audited to ${user}; grant select on audit.log to ${user}`);
    try {
      const poor = database({ user, password: 'p' });
      // No right to use the schema audit; a right to one column is one.
      expect((await poor.tables()).map((entry) => entry.name)).toEqual(['audited', 'keyless', 'node', 'tag']);
      const node = await poor.table('node');
      await expect(poor.select({ table: node, columns: node.columns })).rejects.toMatchObject({
        key: 'database.denied',
        status: 403,
        message: 'The database user of this service may not do that: permission denied for table node.',
      });
      await poor.close();
    } finally {
      await testDatabase.run(`drop owned by ${user}; drop role ${user}`);
    }
  });
});
