import { describe, expect, it } from 'vitest';
import type { TypeDefinition } from '../../../change/index.ts';
import { sqliteFiles } from '../files.fixture.ts';
import { aField, anId, aType, creation, editorOf } from './change.fixture.ts';
import { isKnownType } from './type-words.ts';

const { aFile, aDatabase } = sqliteFiles();

describe('a type that is known', () => {
  it.each([
    ...['id', 'string', 'timestamp_on_create', 'bigid', 'jsonb', 'array', 'ref_cursor', 'user_id'],
    ...['varchar(40)', 'VARCHAR (40)', 'decimal(10,2)', 'Decimal( 10 , 2 )', 'integer', 'double precision'],
    ...['unsigned big int', 'character varying(9)', 'nvarchar', 'timestamp with time zone', ' INT '],
  ])('%s', (type) => expect(isKnownType(type)).toBe(true));
  it.each([
    ...[
      '',
      'varchar(',
      'varchar(40',
      'varchar(x)',
      'varchar(1,2,3)',
      'varchar(40) not null',
      'int default 1',
      'nonsense',
    ],
    ...[
      'int; drop table x',
      "int'",
      'int -- x',
      'constructor',
      '__proto__',
      'array(3)',
      'varchar(40))',
      `${'a'.repeat(9999)}`,
    ],
  ])('%s is not', (type) => expect(isKnownType(type)).toBe(false));
});

/** Simple types and what is read back of them (contract/database-schema.md §5). */
const types: [type: string | TypeDefinition, dbType: string, simple: string][] = [
  ['reference', 'integer', 'integer'],
  ['string', 'varchar(255)', 'string'],
  [aType('string', { length: 40 }), 'varchar(40)', 'string'],
  [aType('string', { length: 4, isFixedLength: true }), 'char(4)', 'string'],
  [aType('string', { isMultibyte: true }), 'nvarchar(255)', 'string'],
  [aType('string', { length: 4, isFixedLength: true, isMultibyte: true }), 'nchar(4)', 'string'],
  ['integer', 'integer', 'integer'],
  ['tinyint', 'tinyint', 'integer'],
  ['smallint', 'smallint', 'integer'],
  ['mediumint', 'mediumint', 'integer'],
  ['bigint', 'bigint', 'bigint'],
  ['bigid', 'bigint', 'bigint'],
  ['text', 'text', 'text'],
  ['mediumtext', 'mediumtext', 'text'],
  ['longtext', 'longtext', 'text'],
  ['boolean', 'tinyint(1)', 'boolean'],
  ['binary', 'blob', 'binary'],
  ['float', 'float', 'float'],
  [aType('float', { length: 7, scale: 3 }), 'float(7,3)', 'float'],
  ['double', 'double', 'double'],
  ['decimal', 'decimal', 'decimal'],
  [aType('decimal', { length: 8, scale: 2 }), 'decimal(8,2)', 'decimal'],
  ['money', 'decimal(19,4)', 'decimal'],
  ['datetime', 'datetime', 'datetime'],
  ['datetimetz', 'datetimetz', 'datetime'],
  ['date', 'date', 'date'],
  ['time', 'time', 'time'],
  ['timetz', 'timetz', 'time'],
  ['timestamp', 'timestamp', 'timestamp'],
  ['timestamptz', 'timestamptz', 'timestamp'],
  ['timestamp_on_create', 'timestamp', 'timestamp'],
  ['timestamp_on_update', 'timestamp', 'timestamp'],
  ['user_id', 'integer', 'integer'],
  ['user_id_on_create', 'integer', 'integer'],
  ['user_id_on_update', 'integer', 'integer'],
  ['uuid', 'uuid', 'uuid'],
  ['json', 'json', 'string'],
  ['jsonb', 'jsonb', 'string'],
  ['array', 'text', 'text'],
  ['Varchar(7)', 'varchar(7)', 'string'],
  ['double precision', 'double precision', 'double'],
  ['unsigned big int', 'unsigned big int', 'bigint'],
];

it('types are read back as the contract says', async () => {
  const database = aDatabase({ path: aFile('create table x (id integer)') });
  const fields = types.map(([type], index) => aField(`f${index}`, type));
  await editorOf(database).apply([creation('t', [anId(), ...fields])]);
  const { description } = await database.table('t');
  const [id, ...read] = description.field;
  expect([id?.type, id?.auto_increment, id?.required, id?.allow_null]).toEqual(['id', true, false, false]);
  expect(read.map(({ type, db_type }) => [db_type, type])).toEqual(types.map(([, dbType, simple]) => [dbType, simple]));
  for (const field of read) expect([field.allow_null, field.required, field.default]).toEqual([true, false, null]);
});

it('a whole key that is not said to count up does not', async () => {
  const database = aDatabase({ path: aFile('create table x (id integer)') });
  await editorOf(database).apply([
    creation('t', [aField('id', 'integer', { isPrimaryKey: true, allowNull: false }), aField('a', 'text')]),
    creation('u', [aField('a', 'integer', { isPrimaryKey: true }), aField('b', 'integer', { isPrimaryKey: true })]),
  ]);
  const [id] = (await database.table('t')).description.field;
  expect([id?.type, id?.db_type, id?.auto_increment, id?.required]).toEqual(['integer', 'int', false, true]);
  const { description } = await database.table('u');
  expect(description.primary_key).toEqual(['a', 'b']);
  expect(description.field.map(({ db_type, required }) => [db_type, required])).toEqual([
    ['integer', true],
    ['integer', true],
  ]);
});

it('defaults are read back with their type', async () => {
  const database = aDatabase({ path: aFile('create table x (id integer)') });
  const defaults: [type: string, value: string | number | boolean][] = [
    ['string', 'it\'s "x" -- ☃ 日本\nnew line'],
    ['string', ''],
    ['string', 'CURRENT_TIMESTAMP'],
    ['string', '5'],
    ['text', 'null'],
    ['integer', -5],
    ['bigint', 9007199254740991],
    ['double', 1.5e-7],
    ['boolean', true],
    ['boolean', false],
    ['date', '2020-01-02'],
  ];
  await editorOf(database).apply([
    creation('t', [
      anId(),
      ...defaults.map(([type, value], index) => aField(`f${index}`, type, { default: { value } })),
      aField('e', 'timestamp', { default: { expression: 'current_timestamp' } }),
      aField('f', 'integer', { default: { expression: '1 + 2' } }),
    ]),
  ]);
  const table = await database.table('t');
  expect(table.description.field.slice(1).map((field) => field.default)).toEqual([
    ...defaults.map(([, value]) => value),
    null,
    '1 + 2',
  ]);
  await database.write([{ kind: 'insert', table, values: {}, returning: [] }], 'stop');
  const rows = await database.select({ table, columns: table.columns });
  expect(Object.values(rows.list()[0] ?? {}).slice(1, -2)).toEqual(defaults.map(([, value]) => value));
});
