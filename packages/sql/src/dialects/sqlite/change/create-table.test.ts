import { describe, expect, it } from 'vitest';
import { openSqlite } from '../driver/index.ts';
import {
  parseColumn,
  parseConstraints,
  parseTable,
  withDefinition,
  withoutConstraints,
  withoutParts,
  withPart,
  withType,
  writeTable,
} from './create-table.ts';
import { isFragment } from './tokens.ts';

/** Texts SQLite takes, with the names of their columns and the kinds of constraints of the table. */
const tables: [sql: string, columns: string[], constraints: string[]][] = [
  ['create table t(a)', ['a'], []],
  ['CREATE TABLE IF NOT EXISTS main.t (a int,b)', ['a', 'b'], []],
  [
    'create table "t (x,y)" ("a,b" text, [c)d] int, `e(f` real, \'g"h\' blob, "i""j" any)',
    ['a,b', 'c)d', 'e(f', 'g"h', 'i"j'],
    [],
  ],
  [
    "create table t(a text default ',)(--' check (a <> ');'), b decimal(10, 2) default (1 + (2)), c default -1 not null, d default x'00', e default current_timestamp)",
    ['a', 'b', 'c', 'd', 'e'],
    [],
  ],
  [
    'create table t(a int, -- the first, (of all)\n b int /* , c int */, -- last one\n primary key (a) -- key\n)',
    ['a', 'b'],
    ['primary key'],
  ],
  [
    'create table t(a, b, c, constraint x primary key (a, b desc) unique (b) check (c > 0) on conflict ignore constraint y foreign key (a, b) references u (c, d) on delete set null on update no action match full deferrable initially deferred, constraint z unique (c collate nocase asc), check (a in (1,2)))',
    ['a', 'b', 'c'],
    ['primary key', 'unique', 'check', 'foreign key', 'unique', 'check'],
  ],
  [
    'create table t(id integer constraint pk primary key asc on conflict replace autoincrement, a unsigned big int unique on conflict ignore, b varying character(10) collate nocase not null on conflict fail, c references u, d references u(x) on delete cascade not deferrable initially immediate not null, e null)',
    ['id', 'a', 'b', 'c', 'd', 'e'],
    [],
  ],
  [
    'create table t(a int, b int generated always as (a * 2) stored, c as (a||\',\') virtual not null, d generated, e "generated" always as (1)) without rowid'.replace(
      'a int,',
      'a int primary key,',
    ),
    ['a', 'b', 'c', 'd', 'e'],
    [],
  ],
  [
    'create table t(größe text, "日本 ☃" int, $x, émoji😀 int) strict'.replace(', $x', ', x$ int'),
    ['größe', '日本 ☃', 'x$', 'émoji😀'],
    [],
  ],
  ['create table t(a, constraint only_a_name)', ['a'], ['name']],
  [
    'create table t(a int constraint c1 constraint c2 not null constraint c3, key int, action text, "primary" int)',
    ['a', 'key', 'action', 'primary'],
    [],
  ],
  [
    'create table t(a, primary key (a), constraint k check (length(a) between 1 and 2) constraint l unique (a))',
    ['a'],
    ['primary key', 'check', 'unique'],
  ],
  [
    'create table t(a int(1, 2) , b double precision , c character varying (20) default "x" , d "any type" (3))',
    ['a', 'b', 'c', 'd'],
    [],
  ],
];

describe('a CREATE TABLE', () => {
  it.each(tables)('%s is taken apart, and put together it is the same table', (sql, columns, kinds) => {
    const database = openSqlite(':memory:');
    database.exec(sql);
    const [[name, kept]] = database.run(
      "select name, sql from sqlite_schema where type = 'table' and name <> 'sqlite_sequence'",
    ).rows as [string[]];
    const table = parseTable(String(kept));
    expect(table.columns.map((column) => column.name)).toEqual(columns);
    expect(table.constraints.flatMap(parseConstraints).map(({ kind }) => kind)).toEqual(kinds);
    const facts = () => [
      database.run('select * from pragma_table_xinfo(?)', [name]).rows,
      database.run('select "from", "to", "table", on_update, on_delete, match from pragma_foreign_key_list(?)', [name])
        .rows,
      database.run('select "unique", origin, partial from pragma_index_list(?)', [name]).rows,
      database.run('select strict, wr from pragma_table_list(?)', [name]).rows,
    ];
    const before = facts();
    database.exec(`drop table "${name}"`);
    const again = writeTable(String(name), table);
    database.exec(again);
    expect(facts()).toEqual(before);
    expect(parseTable(again)).toEqual(table);
  });
});

describe('the parts of a column', () => {
  it.each<[text: string, type: string | undefined, kinds: string[]]>([
    ['a', undefined, []],
    ['a int', 'int', []],
    [' "a b" double precision (3, 4) not null', 'double precision (3, 4)', ['not null']],
    ['a default null null', undefined, ['default', 'null']],
    ['a int default - 5 primary key', 'int', ['default', 'primary key']],
    ["a int default 'x''y' unique", 'int', ['default', 'unique']],
    ['a int default (a, (b)) check ((1)) check (2)', 'int', ['default', 'check', 'check']],
    ['a int default true references t deferrable', 'int', ['default', 'references']],
    [
      'a int references t (b) on delete set default on update restrict match x not deferrable initially deferred not null',
      'int',
      ['references', 'not null'],
    ],
    ['a int constraint "n n" check (1) collate nocase', 'int', ['check', 'collate']],
    ['a int as (1) unique', 'int', ['generated', 'unique']],
    ['a int generated always as (1) stored', 'int', ['generated']],
    ['a /* x */ int /* not null */ -- null\n not /* */ null', 'int', ['not null']],
    ['a int constraint x', 'int', ['name']],
    ['a int not null on conflict rollback default 1.5e-3', 'int', ['not null', 'default']],
  ])('%s', (text, type, kinds) => {
    const column = parseColumn(text);
    expect(column.type && text.slice(column.type.start, column.type.end)).toBe(type);
    expect(column.parts.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('changing a text', () => {
  it.each([
    [withType('a int not null', 'text'), 'a text not null'],
    [withType('a not null', 'text'), 'a text not null'],
    [withType(' "a" /* x */ varchar ( 3 ) -- y\n', 'text'), ' "a" /* x */ text -- y\n'],
    [withPart('a int default 1 -- x\n', 'NOT NULL'), 'a int NOT NULL default 1 -- x\n'],
    [withPart('a', 'NOT NULL'), 'a NOT NULL'],
    [withoutParts('a int constraint x not null on conflict fail default 1', 'not null'), 'a int default 1'],
    [withoutParts('a int default 1 -- one\n not null', 'not null'), 'a int default 1 -- one\n '],
    [withoutParts('a int unique not null unique', 'unique'), 'a int not null'],
    [withDefinition(' /* a */ [a b] int default 1', 'text'), ' /* a */ [a b] text'],
    [
      withoutConstraints([' unique (a)', ' unique (b) check (1)'], ({ kind }) => kind === 'unique').join(),
      ' check (1)',
    ],
  ])('%s', (text, expected) => expect(text).toBe(expected));
});

it.each([
  ['varchar(40)', true],
  ["integer default (';)') check (a <> '--')", true],
  ['int); drop table x', false],
  ['int; drop table x', false],
  ['int -- comment', false],
  ['int /* comment', false],
  ["int default 'x", false],
  ['int "x', false],
  ['int, b int', false],
  ['int )(', false],
  ['int\0', false],
])('%s is a piece of a definition: %s', (text, expected) => expect(isFragment(text)).toBe(expected));
