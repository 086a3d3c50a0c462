import { engineMissing, freshDatabase, type TestDatabase } from '@sluice/testkit/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldDefinition, TypeDefinition } from '../../../change/index.ts';
import type { Database } from '../../../query/index.ts';
import { failureOf } from '../../../suite/failure.fixture.ts';
import { rowsOf } from '../../../suite/rows.fixture.ts';
import { openPgsqlDatabase } from '../connect.ts';
import { aField, alter, anId, aType, columnOf, create, editorOf, fieldsOf } from './fields.fixture.ts';

describe.skipIf(await engineMissing('pgsql'))('making tables in PostgreSQL', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await freshDatabase('pgsql');
    database = openPgsqlDatabase(testDatabase);
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  it.each<[string, Partial<TypeDefinition>, string, string]>([
    ['id', {}, 'integer', 'integer'],
    ['bigid', {}, 'bigint', 'bigint'],
    ['mediumid', {}, 'integer', 'integer'],
    ['smallid', {}, 'integer', 'smallint'],
    ['reference', {}, 'integer', 'integer'],
    ['user_id', {}, 'integer', 'integer'],
    ['user_id_on_create', {}, 'integer', 'integer'],
    ['user_id_on_update', {}, 'integer', 'integer'],
    ['tinyint', {}, 'integer', 'smallint'],
    ['smallint', {}, 'integer', 'smallint'],
    ['mediumint', {}, 'integer', 'integer'],
    ['integer', { length: 11 }, 'integer', 'integer'],
    ['bigint', {}, 'bigint', 'bigint'],
    ['boolean', {}, 'boolean', 'boolean'],
    ['float', {}, 'double', 'real'],
    ['double', {}, 'double', 'double precision'],
    ['decimal', {}, 'decimal', 'numeric'],
    ['decimal', { length: 10, scale: 2 }, 'decimal', 'numeric(10,2)'],
    ['decimal', { length: 10 }, 'decimal', 'numeric(10,0)'],
    ['money', {}, 'money', 'money'],
    ['string', {}, 'string', 'character varying(255)'],
    ['string', { length: 40 }, 'string', 'character varying(40)'],
    ['string', { length: 4, isFixedLength: true }, 'string', 'character(4)'],
    ['string', { length: 40, isMultibyte: true }, 'string', 'character varying(40)'],
    ['string', { length: 4, isFixedLength: true, isMultibyte: true }, 'string', 'character(4)'],
    ['text', {}, 'string', 'text'],
    ['mediumtext', {}, 'string', 'text'],
    ['longtext', {}, 'string', 'text'],
    ['column', {}, 'string', 'text'],
    ['binary', { length: 20 }, 'binary', 'bytea'],
    ['date', {}, 'date', 'date'],
    ['time', {}, 'time', 'time without time zone'],
    ['timetz', {}, 'timetz', 'time with time zone'],
    ['datetime', {}, 'timestamp', 'timestamp without time zone'],
    ['datetimetz', {}, 'timestamptz', 'timestamp with time zone'],
    ['timestamp', { length: 3 }, 'timestamp', 'timestamp(3) without time zone'],
    ['timestamptz', {}, 'timestamptz', 'timestamp with time zone'],
    ['timestamp_on_create', {}, 'timestamp', 'timestamp without time zone'],
    ['timestamp_on_update', {}, 'timestamp', 'timestamp without time zone'],
    ['uuid', {}, 'uuid', 'uuid'],
    ['timeuuid', {}, 'uuid', 'uuid'],
    ['json', {}, 'string', 'json'],
    ['jsonb', {}, 'string', 'jsonb'],
    ['object', {}, 'string', 'jsonb'],
    ['array', {}, 'string', 'jsonb'],
    ['row', {}, 'string', 'jsonb'],
    ['table', {}, 'string', 'jsonb'],
    ['ref_cursor', {}, 'string', 'refcursor'],
    ['varchar(40)', {}, 'string', 'character varying(40)'],
    ['timestamp (2) with time zone', {}, 'timestamptz', 'timestamp(2) with time zone'],
    ['text[]', {}, 'string', 'text[]'],
    ['INET', {}, 'string', 'inet'],
  ])('%s %j reads back as %s, %s', async (type, sizes, simple, native) => {
    const name = `type ${type} ${JSON.stringify(sizes)}`.slice(0, 60);
    await create(database, name, [aField('value', aType(type, sizes))]);
    expect((await fieldsOf(database, name)).value).toMatchObject({ type: simple, db_type: native, allow_null: true });
    expect(editorOf(database).isKnownType(type)).toBe(true);
  });

  it.each([
    ['id', 'integer'],
    ['bigid', 'bigint'],
    ['smallid', 'smallint'],
    ['int8', 'bigint'],
  ])('%s counts up', async (type, native) => {
    const name = `counted ${type}`;
    await create(database, name, [anId('id', type), aField('note')]);
    expect((await fieldsOf(database, name)).id).toMatchObject({
      type: 'id',
      db_type: native,
      auto_increment: true,
      is_primary_key: true,
      allow_null: false,
      required: false,
      default: null,
    });
    await testDatabase.run(`insert into "${name}" (note) values ('a'), ('b')`);
    expect((await rowsOf(database, name)).map((row) => row.id)).toEqual([1, 2]);
  });

  it.each<[string, Partial<FieldDefinition>, unknown]>([
    ['string', { default: { value: 'it\'s \\ "quoted" 日本' } }, 'it\'s \\ "quoted" 日本'],
    ['string', { default: { value: 5 } }, '5'],
    ['string', { default: { value: '' } }, ''],
    ['text', { default: { value: 'now()' } }, 'now()'],
    ['integer', { default: { value: -5 } }, -5],
    ['integer', { default: { value: true } }, 1],
    ['bigint', { default: { value: '9223372036854775807' } }, '9223372036854775807'],
    ['decimal', { default: { value: 1.5 } }, 1.5],
    ['double', { default: { value: -1e-7 } }, -1e-7],
    ['float', { default: { value: 0.25 } }, 0.25],
    ['boolean', { default: { value: true } }, true],
    ['boolean', { default: { value: 0 } }, false],
    ['boolean', { default: { value: 'false' } }, false],
    ['date', { default: { value: '2024-02-29' } }, '2024-02-29'],
    ['uuid', { default: { value: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' } }, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['jsonb', { default: { value: '{"a": 1}' } }, '{"a": 1}'],
    ['timestamp', { default: { value: '2024-02-29 10:00:00' } }, '2024-02-29 10:00:00'],
    ['timestamp', { default: { expression: 'now()' } }, 'now()'],
    ['integer', { default: { expression: '1 + 2' } }, '(1 + 2)'],
    ['timestamp_on_create', {}, 'CURRENT_TIMESTAMP'],
  ])('the default of a %s, %j, reads back as %j', async (type, more, expected) => {
    await testDatabase.run('drop table if exists defaulted');
    await create(database, 'defaulted', [aField('value', type, { allowNull: false, ...more })]);
    expect((await fieldsOf(database, 'defaulted')).value).toMatchObject({ default: expected, required: false });
  });

  it('makes indexes, keys and relations that read back', async () => {
    await editorOf(database).apply([
      {
        kind: 'createTable',
        name: 'order line',
        fields: [
          aField('order', 'integer', { allowNull: false, isPrimaryKey: true }),
          aField('line', 'integer', { allowNull: false, isPrimaryKey: true }),
          aField('code', 'string', { isUnique: true }),
          aField('note', 'string', { isIndex: true }),
          aField('both', 'string', { isIndex: true, isUnique: true }),
          aField('next', 'integer'),
          aField('parent order', 'integer'),
          aField('parent line', 'integer'),
        ],
        references: [
          { columns: ['next'], refTable: 'later', refColumns: ['id'], onUpdate: null, onDelete: 'CASCADE' },
          {
            columns: ['parent order', 'parent line'],
            refTable: 'order line',
            refColumns: ['order', 'line'],
            onUpdate: 'CASCADE',
            onDelete: 'SET NULL',
          },
        ],
      },
      {
        kind: 'createTable',
        name: 'later',
        fields: [anId(), aField('order', 'integer'), aField('line', 'integer')],
        references: [
          {
            columns: ['order', 'line'],
            refTable: 'order line',
            refColumns: ['order', 'line'],
            onUpdate: null,
            onDelete: null,
          },
        ],
      },
    ]);
    const { description } = await database.table('order line');
    expect(description.primary_key).toEqual(['order', 'line']);
    expect(description.field.map((field) => [field.name, field.is_unique, field.is_index, field.ref_table])).toEqual([
      ['order', false, false, null],
      ['line', false, false, null],
      ['code', true, false, null],
      ['note', false, true, null],
      ['both', true, true, null],
      ['next', false, false, 'later'],
      ['parent order', false, false, 'order line'],
      ['parent line', false, false, 'order line'],
    ]);
    expect(Object.keys(description.constraints)).toEqual([
      'fk_order line_parent order_parent line',
      'fk_order line_next',
    ]);
    expect(description.related.map(({ name, type, ref_on_delete }) => [name, type, ref_on_delete])).toContainEqual([
      'later_by_next',
      'belongs_to',
      'CASCADE',
    ]);
    const names = await testDatabase.run("select indexname from pg_indexes where tablename = 'order line' order by 1");
    expect(names.flat()).toEqual([
      'ndx_order line_both',
      'ndx_order line_note',
      'order line_pkey',
      'undx_order line_both',
      'undx_order line_code',
    ]);
  });

  it('adds and drops fields, and drops tables', async () => {
    await create(database, 'simple', [anId()]);
    await alter(database, 'simple', { kind: 'addField', field: aField('name', 'string', { isUnique: true }) });
    expect((await fieldsOf(database, 'simple')).name).toMatchObject({ is_unique: true });
    await alter(database, 'simple', { kind: 'dropField', column: await columnOf(database, 'simple', 'name') });
    expect(Object.keys(await fieldsOf(database, 'simple'))).toEqual(['id']);
    await editorOf(database).apply([{ kind: 'dropTable', table: await database.table('simple') }]);
    expect((await failureOf(database.table('simple'))).key).toBe('table.unknown');
  });
});
