import { engineMissing, freshDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldDefinition } from '../../../change/index.ts';
import { createTable, type Editing, field, id, reference, startEditing } from './editing.fixture.ts';

type Sizes = Partial<Parameters<typeof field>[1]>;

/** A simple type with its sizes, and what is read back: simple type, native type. */
const types: [type: string, sizes: Sizes, simple: string, native: string][] = [
  ['string', {}, 'string', 'varchar(255)'],
  ['string', { length: 40 }, 'string', 'varchar(40)'],
  ['string', { length: 4, isFixedLength: true }, 'string', 'char(4)'],
  ['string', { length: 4, isMultibyte: true }, 'string', 'varchar(4)'],
  ['text', {}, 'text', 'text'],
  ['mediumtext', {}, 'text', 'mediumtext'],
  ['longtext', {}, 'text', 'longtext'],
  ['boolean', {}, 'boolean', 'tinyint(1)'],
  ['tinyint', {}, 'integer', 'tinyint(4)'],
  ['smallint', {}, 'integer', 'smallint(6)'],
  ['mediumint', {}, 'integer', 'mediumint(9)'],
  ['integer', {}, 'integer', 'int(11)'],
  ['integer', { length: 1 }, 'integer', 'int(11)'],
  ['integer', { length: 5 }, 'integer', 'int(5)'],
  ['bigint', {}, 'bigint', 'bigint(20)'],
  ['float', {}, 'float', 'float'],
  ['float', { length: 7, scale: 3 }, 'float', 'float(7,3)'],
  ['double', {}, 'double', 'double'],
  ['decimal', {}, 'decimal', 'decimal(10,0)'],
  ['decimal', { length: 8, scale: 3 }, 'decimal', 'decimal(8,3)'],
  ['money', {}, 'decimal', 'decimal(19,4)'],
  ['binary', {}, 'binary', 'varbinary(255)'],
  ['binary', { length: 16, isFixedLength: true }, 'binary', 'binary(16)'],
  ['date', {}, 'date', 'date'],
  ['time', {}, 'time', 'time'],
  ['timetz', {}, 'time', 'time'],
  ['datetime', {}, 'datetime', 'datetime'],
  ['datetime', { length: 6 }, 'datetime', 'datetime(6)'],
  ['datetimetz', {}, 'datetime', 'datetime'],
  ['timestamp', {}, 'timestamp', 'timestamp'],
  ['timestamptz', {}, 'timestamp', 'timestamp'],
  ['timestamp_on_create', {}, 'timestamp_on_create', 'timestamp'],
  ['timestamp_on_update', {}, 'timestamp_on_update', 'timestamp'],
  ['user_id', {}, 'integer', 'int(11)'],
  ['user_id_on_create', {}, 'integer', 'int(11)'],
  ['user_id_on_update', {}, 'integer', 'int(11)'],
  ['json', {}, 'text', 'longtext'],
  ['jsonb', {}, 'text', 'longtext'],
  ['array', {}, 'text', 'longtext'],
  ['object', {}, 'text', 'longtext'],
  ['uuid', {}, 'uuid', 'uuid'],
  ['timeuuid', {}, 'uuid', 'uuid'],
  ['column', {}, 'text', 'text'],
  ['row', {}, 'text', 'text'],
  ['table', {}, 'text', 'text'],
  ['ref_cursor', {}, 'text', 'text'],
  ['VARCHAR(40)', {}, 'string', 'varchar(40)'],
  ['varchar', { length: 9 }, 'string', 'varchar(9)'],
  ['int(11) unsigned', {}, 'integer', 'int(11) unsigned'],
  ['double', {}, 'double', 'double'],
  ["enum('a','b''c')", {}, 'string', "enum('a','b''c')"],
  ['datetime(3)', {}, 'datetime', 'datetime(3)'],
  ['bit(12)', {}, 'bigint', 'bit(12)'],
];

describe.skipIf(await engineMissing('mysql'))('a field of each type', () => {
  let editing: Editing;
  beforeAll(async () => {
    editing = await startEditing(await freshDatabase('mysql'));
  });
  afterAll(() => editing.close());

  it.each(types)('%s %j is read back as %s, %s', async (type, sizes, simple, native) => {
    const { editor, table, run } = editing;
    const name = 'typed';
    await run(`drop table if exists ${name}`);
    const fields: FieldDefinition[] = [
      id(),
      field('v', { type, ...sizes }),
      field('w', { type, ...sizes, allowNull: false }),
    ];
    await editor.apply([createTable(name, fields)]);
    const described = await table(name);
    for (const [column, isNullable] of [
      ['v', true],
      ['w', false],
    ] as const) {
      const description = described.column(column)?.description;
      expect([description?.type, description?.db_type, description?.allow_null]).toEqual([simple, native, isNullable]);
    }
    expect(editor.isKnownType(type)).toBe(true);
  });

  it.each([1, 7, 17])('becomes each other type, %d further in the list', async (stride) => {
    const { editor, alter, table, run } = editing;
    await run('drop table if exists walk; create table walk (id int primary key, v int)');
    for (let at = 0; at < types.length; at += 1) {
      const [type, sizes, simple, native] = types[(at * stride) % types.length] as (typeof types)[number];
      // The server makes them of texts alone.
      if (native === 'uuid' || at === 0) await run('alter table walk modify v varchar(40)');
      const change = await alter('walk', (column) => [
        { kind: 'changeField', column: column('v'), change: { type: field('v', { type, ...sizes }).type } },
      ]);
      await editor.apply([change]);
      const description = (await table('walk')).column('v')?.description;
      const isNow = /^timestamp_on/.test(type);
      expect([type, description?.type, description?.db_type, description?.allow_null, description?.default]).toEqual([
        type,
        simple,
        native,
        true,
        isNow ? { expression: 'CURRENT_TIMESTAMP' } : null,
      ]);
      if (native === 'uuid') await run('alter table walk modify v text');
      if (native === 'uuid') continue;
      // What is sent once more changes nothing.
      expect((await editor.plan([change]))[0]?.statements).toEqual([]);
    }
  });

  it.each(['id', 'bigid', 'mediumid', 'smallid'])('%s is a key that is counted up', async (type) => {
    const { editor, table, run } = editing;
    await run('drop table if exists counted');
    await editor.apply([createTable('counted', [field('other'), id('key', type)])]);
    const column = (await table('counted')).column('key')?.description;
    expect(column).toMatchObject({
      type: 'id',
      auto_increment: true,
      is_primary_key: true,
      allow_null: false,
      required: false,
    });
  });

  it.each(['int(11)', 'bigint(20)', 'int(10) unsigned', 'varchar(30)'])(
    'a reference has the type %s of what it is to',
    async (native) => {
      const { editor, table, run } = editing;
      await run(
        `drop table if exists child; drop table if exists parent; create table parent (id ${native} primary key)`,
      );
      await table('parent');
      await editor.apply([
        createTable('child', [id(), field('parent_id', { type: 'reference' })], [reference('parent_id', 'parent')]),
      ]);
      const { columns, description } = await table('child');
      expect(columns[1]?.description).toMatchObject({
        db_type: native,
        is_foreign_key: true,
        ref_table: 'parent',
        ref_field: 'id',
      });
      expect(Object.keys(description.constraints)).toEqual(['fk_child_parent_id']);
    },
  );

  it.each([
    '',
    'varchar(40); drop table x',
    'int primary key',
    "enum('a\\')",
    'varchar(40) -- ',
    'varchar(-1)',
    'nothing',
    'int(11) unsigned x',
    'varchar(40) default 1',
    'datetimetz(3)',
  ])('%j is no type that is known', (type) => expect(editing.editor.isKnownType(type)).toBe(false));
});
