import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Failure, fail } from '@sluice/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toNative } from '../../convert/index.ts';
import { bindFilter, parseFields, parseFilter, parseOrder } from '../../filter/index.ts';
import type { Database, Row, Select, Table, Write } from '../../types.ts';
import { openSqliteDatabase, type SqliteDatabaseOptions } from './connect.ts';
import { openSqlite } from './driver.ts';
import { nastySql, nastyTables } from './nasty.fixture.ts';

let folder: string;
const open: Database[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-sqlite-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** A file of its own with the nasty database, or with other SQL. */
function aFile(sql = nastySql): string {
  count += 1;
  const path = join(folder, `file-${count}.db`);
  const file = openSqlite(path, { create: true });
  file.exec(`pragma foreign_keys = 0; ${sql}`);
  file.close();
  return path;
}

function aDatabase(options: Partial<SqliteDatabaseOptions> = {}): Database {
  const database = openSqliteDatabase({ path: options.path ?? aFile(), create: false, ...options });
  open.push(database);
  return database;
}

async function rowsOf(database: Database, table: string, filter?: string, more: Partial<Select> = {}): Promise<Row[]> {
  const described = await database.table(table);
  const where = filter === undefined ? undefined : bindFilter(parseFilter(filter), described);
  return (await database.select({ table: described, columns: described.columns, where, ...more })).list();
}

const insert = (table: Table, values: Row, returning = table.key): Write => ({
  kind: 'insert',
  table,
  values: native(table, values),
  returning,
});

const native = (table: Table, values: Row): Row =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const column = table.column(field);
      if (!column) throw new Error(`no column ${field}`);
      return [field, toNative(column, value, 'write')];
    }),
  );

/** Longer than the schema of a file is taken to be what it was. */
const aBlink = () => new Promise((resolve) => setTimeout(resolve, 60));

async function failureOf(work: unknown): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('a database nobody here designed', () => {
  it('lists its tables in natural order', async () => {
    const tables = await aDatabase().tables();
    expect(tables.map((it) => it.name)).toEqual(nastyTables);
    expect(tables.find((it) => it.name === 'Order Items')).toEqual({
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
      for (const row of rows) expect(Object.keys(row)).toEqual(table.columns.map((it) => it.name));
    }
    const broken = await failureOf(database.table('broken_view'));
    expect([broken.status, broken.message]).toEqual([
      503,
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
    const byId = Object.fromEntries(rows.map((it) => [String(it.id), it]));
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
      return Object.fromEntries(description.field.map((it) => [it.name, it]));
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
    expect((await database.table('membership')).column('since')?.made).toBe('default');
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
    expect(Object.fromEntries(Object.values(extreme).map((it) => [it.name, it.type]))).toEqual({
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
    for (const { made, description } of generated.columns)
      expect(description.validation).toEqual(made === 'generated' ? { api_read_only: {} } : null);
    expect(generated.columns.map((it) => it.made)).toEqual([
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
      (await database.table(name)).description.related.map((it) => [
        it.name,
        it.type,
        it.field,
        it.ref_table,
        it.ref_field,
        it.junction_table,
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
    const [junction] = (await database.table('tag')).description.related.filter((it) => it.type === 'many_many');
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

describe('batches', () => {
  const batch = async (mode: 'stop' | 'continue' | 'rollback', names: (string | null)[]) => {
    const database = aDatabase();
    const table = await database.table('audited');
    const writes = names.map((name) => insert(table, { name }));
    const outcomes = await database.write(writes, mode);
    return [
      outcomes.map((it) => it.failure?.message ?? it.rows?.[0]?.id),
      (await rowsOf(database, 'audited')).map((it) => it.name),
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
    const writes = [{ tag: 1 }, { tag: 99 }, { tag: 2 }].map((it) => insert(table, it));
    const told = (outcomes: Awaited<ReturnType<Database['write']>>) => outcomes.map((it) => it.failure?.code ?? 'done');
    expect(told(await database.write(writes, 'rollback'))).toEqual(['done', 'done', 787]);
    expect(await database.count({ table })).toBe(0);
    expect(told(await database.write(writes, 'continue'))).toEqual(['done', 787, 'done']);
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
    const upsert = insert(table, { id: 98, name: 'up' }, table.columns) as Extract<Write, { kind: 'insert' }>;
    const writes: Write[] = [
      update(1, missing),
      update(99, missing),
      update(98, upsert),
      { kind: 'refuse', failure: fail('record.none') },
      { kind: 'update', table, values: {}, where: where(97), returning: table.key, missing },
      { kind: 'delete', table, where: where(96), returning: table.key, missing },
    ];
    const outcomes = await database.write(writes, 'continue');
    expect(outcomes.map((it) => it.rows ?? it.failure?.key)).toEqual([
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

it('lets others write while a slow reader takes its time, in files of either kind', async () => {
  for (const mode of ['wal', 'delete']) {
    const path = aFile(`pragma journal_mode = ${mode}; create table long (id integer primary key, "rowid" text, t text);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into long select i, 'r' || -i, hex(randomblob(50)) from n; insert into long values (9007199254740993, 'x', 'y')`);
    const database = aDatabase({ path });
    const table = await database.table('long');
    const order = [{ column: table.column('id')!, direction: 'desc' as const }];
    const columns = [table.column('t')!, table.column('id')!, table.column('rowid')!];
    let count = 0;
    let last: unknown;
    for await (const rows of database.stream({ table, columns, order })) {
      const list = rows.list();
      if (count === 0) {
        expect(list[0]).toEqual({ t: 'y', id: '9007199254740993', rowid: 'x' });
        const other = openSqlite(path);
        other.exec(`insert into long values (0, 'new', 'new')`);
        other.close();
      }
      count += list.length;
      last = list.at(-1);
    }
    expect([mode, count]).toEqual([mode, 5001]);
    expect(last).toMatchObject({ id: 1, rowid: 'r-1' });
    for await (const _ of database.stream({ table, columns, order })) break;
    expect(await database.count({ table })).toBe(5002);
  }
});

describe('changes from outside', () => {
  it('notices new columns and tables', async () => {
    const path = aFile();
    const database = aDatabase({ path });
    expect((await database.table('keyless')).columns).toHaveLength(2);
    const other = openSqlite(path);
    other.exec('alter table keyless add column later text; create table newcomer (id integer primary key)');
    // The schema is asked for again after a blink; a name that is not known, at once.
    expect((await database.table('newcomer')).key).toHaveLength(1);
    expect((await database.table('keyless')).columns).toHaveLength(3);
    other.exec('alter table keyless add column last text');
    await aBlink();
    expect((await database.table('keyless')).columns).toHaveLength(4);
    const stale = await database.table('newcomer');
    other.exec('drop table newcomer');
    other.close();
    const failure = await failureOf(database.select({ table: stale, columns: stale.columns }));
    expect([failure.status, failure.key]).toEqual([503, 'database.changed']);
    expect((await failureOf(database.table('newcomer'))).status).toBe(404);
  });

  it('notices that the file was replaced or taken away', async () => {
    const path = aFile();
    const database = aDatabase({ path });
    await rowsOf(database, 'tag');
    renameSync(aFile('create table other (id integer primary key); insert into other values (1)'), path);
    expect(await rowsOf(database, 'other')).toEqual([{ id: 1 }]);
    rmSync(path);
    await aBlink();
    expect((await failureOf(database.tables())).key).toBe('database.missing');
  });

  it('reads a table once for many who ask at the same time', async () => {
    const database = aDatabase();
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => database.table('tag')));
    for (const other of others) expect(other).toBe(first);
  });
});

describe('files that do not work', () => {
  it.each<[string, () => string, number, string]>([
    ['missing', () => join(folder, 'none.db'), 503, "The database file 'none.db' does not exist."],
    ['no folder', () => join(folder, 'no', 'x.db'), 503, "The folder of the database file 'x.db' does not exist."],
    ['a folder', () => folder, 503, "The database file '"],
    [
      'no database',
      () => {
        const path = join(folder, 'text.db');
        writeFileSync(path, 'This is only a text, but a rather long one. '.repeat(100));
        return path;
      },
      503,
      "The file 'text.db' is not a SQLite database, or it is encrypted.",
    ],
    [
      'damaged',
      () => {
        const path = aFile();
        const bytes = readFileSync(path);
        bytes.fill(0xab, 100, 4000);
        writeFileSync(path, bytes);
        return path;
      },
      503,
      "The database file 'file-",
    ],
  ])('%s', async (_, path, status, message) => {
    const database = aDatabase({ path: path() });
    for (const work of [() => database.test(), () => database.tables(), () => database.table('x')]) {
      const failure = await failureOf(work());
      expect(failure.status).toBe(status);
      expect(failure.message.startsWith(message)).toBe(true);
      expect(failure.message).not.toContain(folder);
    }
  });

  it('says when the disk is full or the file can not be written', async () => {
    const path = aFile();
    const writeTo = async (statement: string) => {
      const database = aDatabase({ path, statements: [statement] });
      const table = await database.table('keyless');
      const long = { t: 'x'.repeat(100_000) };
      const one = await failureOf(database.write([insert(table, long)], 'stop'));
      const many = await database
        .write([insert(table, {}), insert(table, long)], 'rollback')
        .catch((it: Failure) => [{ failure: it }]);
      expect(await database.count({ table })).toBe(3);
      return [one.status, one.message, many.at(-1)?.failure?.key];
    };
    const file = path.slice(folder.length + 1);
    expect(await writeTo('pragma max_page_count = 1')).toEqual([
      507,
      `The database file '${file}' can not grow: its disk is full, or its page limit is reached. Nothing was written.`,
      'database.full',
    ]);
    expect(await writeTo('pragma query_only = 1')).toEqual([
      503,
      `The database file '${file}' can be read but not written.`,
      'database.readOnly',
    ]);
  });

  it('makes a file and its folder when told to, and only then', async () => {
    const path = join(folder, 'made', 'here.db');
    const database = aDatabase({ path, create: true });
    await database.test();
    expect(await database.tables()).toEqual([]);
    const file = openSqlite(path);
    expect(file.run('pragma journal_mode').rows).toEqual([['wal']]);
    file.close();
  });

  it('waits in the child for a lock, then says so', async () => {
    const path = aFile();
    const database = aDatabase({ path });
    const table = await database.table('tag');
    const other = openSqlite(path);
    other.exec('begin exclusive');
    const waiting = database.write([insert(table, { name: 'waited' })], 'stop');
    setTimeout(() => other.exec('commit'), 300);
    expect((await waiting)[0]?.rows).toHaveLength(1);
    other.exec('begin exclusive');
    const failure = await failureOf(database.tables());
    expect(failure.key).toBe('database.locked');
    other.exec('rollback');
    other.close();
    expect(await database.count({ table })).toBe(3);
  }, 30_000);
});

describe('the child process', () => {
  const endless = `create table t (id integer primary key); insert into t values (1);
    create view endless as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n;`;

  it('stops what takes too long, and the next call works', async () => {
    const database = aDatabase({ path: aFile(endless) });
    const table = await database.table('endless');
    const start = performance.now();
    const slow = failureOf(database.count({ table }, { timeout: 1000 }));
    // The other child answers meanwhile, and so does this thread.
    expect(await rowsOf(database, 't')).toEqual([{ id: 1 }]);
    expect(await rowsOf(database, 't', 'id = 1')).toEqual([{ id: 1 }]);
    const failure = await slow;
    expect([failure.status, failure.message]).toEqual([503, 'The database took longer than 1 second and was stopped.']);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(await rowsOf(database, 't')).toEqual([{ id: 1 }]);
  });

  it('stops when the caller goes away', async () => {
    const database = aDatabase({ path: aFile(endless) });
    const table = await database.table('endless');
    const caller = new AbortController();
    const query = failureOf(database.count({ table }, { signal: caller.signal }));
    setTimeout(() => caller.abort(), 300);
    expect((await query).key).toBe('database.cancelled');
    expect((await failureOf(database.count({ table }, { signal: caller.signal }))).key).toBe('database.cancelled');
    expect(await rowsOf(database, 't')).toEqual([{ id: 1 }]);
  });

  it('of a stream that ends between two batches is missed at once', async () => {
    const program = join(folder, 'leaving.mjs');
    writeFileSync(
      program,
      `process.on('message', (it) => {
         if (!it.task) return;
         process.send({ batch: { json: '[{"n":1}]', count: 1 } });
         setTimeout(() => process.exit(3), 100);
       });`,
    );
    const database = aDatabase({ program });
    const table = await database.table((await database.tables())[0]!.name);
    const rows = database.stream({ table, columns: table.columns })[Symbol.asyncIterator]();
    expect((await rows.next()).value?.count).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await failureOf(rows.next())).key).toBe('database.crashed');
  }, 10_000);

  it('fails alone when it crashes', async () => {
    const program = join(folder, 'crash.mjs');
    writeFileSync(program, "process.on('message', (it) => { if (it.task) process.exit(3); });");
    const database = aDatabase({ program });
    const table = await database.table('tag');
    expect((await failureOf(database.count({ table }))).key).toBe('database.crashed');
    expect(await rowsOf(database, 'tag', 'id = 1')).toHaveLength(1);
    expect((await failureOf(database.count({ table }))).key).toBe('database.crashed');
  });

  it('answers nothing once it is closed', async () => {
    const database = aDatabase();
    const table = await database.table('tag');
    const running = database.count({ table });
    await database.close();
    expect(await running).toBe(2);
    for (const work of [() => database.tables(), () => database.count({ table })]) {
      expect((await failureOf(work())).message).toBe('The database is not available: it was closed.');
    }
  });

  it('ends when it has had no work for a while, and comes back', async () => {
    const database = aDatabase({ idle: 50 });
    expect(await rowsOf(database, 'tag')).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await rowsOf(database, 'tag')).toHaveLength(2);
  });

  it('does not outlive a parent that was killed in the middle of a query', async () => {
    const parent = join(folder, 'parent.mjs');
    const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const program = fileURLToPath(new URL('./child.ts', import.meta.url));
    const file = { path: aFile(endless), create: false, busyTimeout: 0 };
    writeFileSync(
      parent,
      `import { fork } from 'node:child_process';
       const child = fork(${JSON.stringify(program)}, { serialization: 'advanced', execArgv: ['--import', ${JSON.stringify(loader)}] });
       child.send({ file: ${JSON.stringify(file)} });
       child.once('message', () => {
         child.send({ task: { kind: 'raw', statement: { sql: 'select count(*) from endless', parameters: [] } } });
         setTimeout(() => console.log(child.pid), 200);
       });
       child.send({ task: { kind: 'raw', statement: { sql: 'select 1', parameters: [] } } });`,
    );
    const started = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(started.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const isAlive = () => {
      try {
        process.kill(pid, 0);
        // Where nobody reaps it, a dead process stays as a zombie.
        return !existsSync(`/proc/${pid}/stat`) || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
      } catch {
        return false;
      }
    };
    expect(isAlive()).toBe(true);
    started.kill('SIGKILL');
    for (let i = 0; i < 100 && isAlive(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isAlive()).toBe(false);
  });

  it('refuses an answer that is too long, and lets go of the file', async () => {
    const path = aFile();
    const database = aDatabase({ path, answerLimit: 100 });
    const failure = await failureOf(rowsOf(database, 'Order Items'));
    expect([failure.status, failure.message]).toEqual([400, 'The answer is longer than 100 characters.']);
    const other = openSqlite(path);
    other.exec('begin exclusive; rollback');
    other.close();
  });

  it('takes integers past 2^53 in long lists', async () => {
    const database = aDatabase();
    const ids = ['9223372036854775807', '-9223372036854775808', ...Array.from({ length: 600 }, (_, i) => 1000 + i)];
    expect(await rowsOf(database, 'extreme', `id in (${ids})`)).toHaveLength(2);
  });

  it('runs the statements of the configuration in both lanes', async () => {
    const database = aDatabase({ statements: ['pragma case_sensitive_like = 1'] });
    expect(await rowsOf(database, 'tag', "name like 'RED'")).toEqual([]);
    expect(await rowsOf(database, 'tag', "id = 1 and name like 'RED'")).toEqual([]);
    expect(await rowsOf(database, 'tag', "id = 1 and name like 'r%'")).toHaveLength(1);
  });

  it('takes ten thousand writes', async () => {
    const database = aDatabase();
    const table = await database.table('keyless');
    const writes = Array.from({ length: 10_000 }, (_, n) => insert(table, { n }));
    expect(await database.write(writes, 'stop')).toHaveLength(10_000);
    expect(await database.count({ table })).toBe(10_003);
  });

  it('reads a big schema', async () => {
    const tables = Array.from(
      { length: 800 },
      (_, i) => `create table t${i} (id integer primary key, up references t${i >> 1});`,
    );
    const database = aDatabase({ path: aFile(tables.join('')) });
    expect((await database.tables()).slice(0, 3).map((it) => it.name)).toEqual(['t0', 't1', 't2']);
    expect((await database.table('T400')).description.related.map((it) => it.name)).toEqual(['t200_by_up']);
    expect(await rowsOf(database, 't799')).toEqual([]);
  });

  it('carries many rows and long lists', async () => {
    const database = aDatabase({
      path: aFile(`create table many (id integer primary key, s text);
        with recursive n(i) as (select 1 union all select i + 1 from n limit 50000) insert into many select i, 's' || i from n;`),
    });
    const rows = await rowsOf(database, 'many');
    expect(rows).toHaveLength(50_000);
    const ids = Array.from({ length: 40_000 }, (_, i) => i * 2);
    expect(await rowsOf(database, 'many', `id in (${ids})`)).toHaveLength(25_000);
    expect(await rowsOf(database, 'many', `s in (${ids.map((it) => `s${it}`)})`)).toHaveLength(25_000);
    expect(
      await rowsOf(database, 'many', Array.from({ length: 4999 }, (_, i) => `id = ${i}`).join(' or ')),
    ).toHaveLength(4998);
  });
});
