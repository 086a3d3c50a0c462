import { describe, expect, it } from 'vitest';
import type { MisfitProblem, TableStep } from '../../../change/index.ts';
import { failureOf } from '../../../suite/failure.fixture.ts';
import { sqliteFiles } from '../files.fixture.ts';
import {
  aField,
  anAlteration,
  anId,
  aReference,
  aType,
  contentOf,
  editorOf,
  read,
  type Steps,
} from './change.fixture.ts';

const { aFile, aDatabase } = sqliteFiles();

type MakeSteps = (on: Steps) => TableStep[];

/** Alters `t` of a file with some SQL. */
async function altered(sql: string, steps: MakeSteps) {
  const path = aFile(sql);
  const database = aDatabase({ path });
  const change = await anAlteration(database, 't', steps);
  const planned = await editorOf(database).plan([change]);
  const applied = await editorOf(database).apply([change]);
  expect(applied).toEqual(planned);
  return { path, database, plan: applied[0] };
}

interface Case {
  title: string;
  sql: string;
  steps: MakeSteps;
  /** The texts of the schema afterwards, without those it had already. */
  schema?: string[];
  /** A query and the rows it answers afterwards. */
  rows?: [sql: string, rows: unknown[][]];
}

const cases: Case[] = [
  {
    title: 'type, null, default and comments of a column',
    sql: "create table t (id integer primary key, a text /* kept */ not null default 'x' collate nocase check (a <> ''), b int); insert into t values (1, '7', 3)",
    steps: (on) => [
      on.change('a', { type: aType('integer'), allowNull: true, default: { value: 5 } }),
      on.change('b', { allowNull: false, default: { expression: 'abs(-3)' } }),
    ],
    schema: [
      `CREATE TABLE "t" (id integer primary key, a integer DEFAULT 5 /* kept */ collate nocase check (a <> ''), b int DEFAULT (abs(-3)) NOT NULL)`,
    ],
    rows: ['select id, a, typeof(a), b from t', [[1, 7, 'integer', 3]]],
  },
  {
    title: 'no default any more',
    sql: "create table t (id integer primary key, a text constraint d default ('x' || 'y'))",
    steps: (on) => [on.change('a', { default: null })],
    schema: ['CREATE TABLE "t" (id integer primary key, a text)'],
  },
  {
    title: 'a whole definition',
    sql: 'create table t (id integer primary key, a text not null default 1); create index i on t (a); insert into t values (1, 2)',
    steps: (on) => [on.change('a', { sql: "varchar(9) collate nocase default 'q'" })],
    schema: [
      `CREATE TABLE "t" (id integer primary key, a varchar(9) collate nocase default 'q')`,
      'CREATE INDEX i on t (a)',
    ],
    rows: ['select a from t', [['2']]],
  },
  {
    title: 'booleans that were texts',
    sql: "create table t (id integer primary key, a text); insert into t (a) values ('true'), ('FALSE'), (' yes '), ('0'), (1), (null)",
    steps: (on) => [on.change('a', { type: aType('boolean') })],
    rows: [
      'select a, typeof(a) from t',
      [
        [1, 'integer'],
        [0, 'integer'],
        [1, 'integer'],
        [0, 'integer'],
        [1, 'integer'],
        [null, 'null'],
      ],
    ],
  },
  {
    title: 'numbers that become texts, and blobs',
    sql: "create table t (id integer primary key, a int, b int, c text); insert into t values (1, 5, 6, 'ä')",
    steps: (on) => [
      on.change('a', { type: aType('string') }),
      on.change('b', { type: aType('double') }),
      on.change('c', { type: aType('binary') }),
    ],
    rows: ['select a, typeof(a), b, typeof(b), hex(c), typeof(c) from t', [['5', 'text', 6, 'real', 'C3A4', 'blob']]],
  },
  {
    title: 'unique and not unique, whichever way it was',
    sql: 'create table t (id integer primary key, a text unique, b text, c text, d text, unique (b), check (a <> b)); create unique index u on t (c)',
    steps: (on) => [
      on.change('a', { isUnique: false }),
      on.change('b', { isUnique: false }),
      on.change('c', { isUnique: false }),
      on.change('d', { isUnique: true }),
    ],
    schema: [
      'CREATE TABLE "t" (id integer primary key, a text, b text, c text, d text, check (a <> b))',
      'CREATE UNIQUE INDEX "undx_t_d" ON "t" ("d")',
    ],
  },
  {
    title: 'indexes alone, which need no new table',
    sql: 'create table t (id integer primary key, a text, b text); create index "ndx_t_b" on t (a); create index p on t (b) where b > 1',
    steps: (on) => [on.change('a', { isIndex: false }), on.change('b', { isIndex: true, isUnique: true })],
    schema: ['CREATE UNIQUE INDEX "undx_t_b" ON "t" ("b")', 'CREATE INDEX "ndx_t_b" ON "t" ("b")'],
  },
  {
    title: 'names that swap, and one that takes that of a dropped field',
    sql: 'create table t (id integer primary key, a text, b text, c text, d text); create index i on t (a); create view v as select a as x, b as y from t; insert into t values (1, 2, 3, 4, 5)',
    steps: (on) => [
      on.rename('a', 'b'),
      on.rename('b', 'a'),
      on.drop('c'),
      on.rename('d', 'c'),
      on.add(aField('d', 'integer')),
    ],
    rows: ['select b, a, c, d, x, y from t, v', [['2', '3', '5', null, '2', '3']]],
  },
  {
    title: 'a name that changes its case',
    sql: 'create table t (id integer primary key, a text); insert into t values (1, 2)',
    steps: (on) => [on.rename('a', 'A')],
    schema: ['CREATE TABLE t (id integer primary key, "A" text)'],
  },
  {
    title: 'a table with triggers, views and references gets another name',
    sql: `create table t (id integer primary key, a text); create table u (t_id integer references t (id));
      create view v as select a from t; create trigger x after insert on u begin update t set a = 1; end; create trigger y after delete on t begin delete from u; end`,
    steps: (on) =>
      [on.renameTable('new "t"'), on.rename('a', 'b'), on.change('a', { type: aType('text') }), on.drop('id')].slice(
        0,
        3,
      ),
    rows: [
      `select group_concat(tbl_name) from sqlite_schema where sql like '%new ""t""%'`,
      [['u,v,u,new "t",new "t"']],
    ],
  },
  {
    title: 'foreign keys on fields there are, and new ones',
    sql: `create table p (id integer primary key, x int, y int, unique (x, y)); insert into p values (1, 2, 3);
      create table t (id integer primary key, p_id int, x int, y int, up int); insert into t values (1, 1, 2, 3, null), (2, null, 9, null, 1)`,
    steps: (on) => [
      on.reference(aReference('p_id', 'P')),
      on.reference(aReference(['x', 'y'], 'p', ['x', 'y'], { onDelete: 'SET NULL', onUpdate: 'CASCADE' })),
      on.reference(aReference('up', 't')),
      on.add(aField('more', 'reference')),
      on.reference(aReference('more', 'p')),
    ],
    rows: [
      `select "table", "from", "to", on_update, on_delete from pragma_foreign_key_list('t') order by id desc, seq`,
      [
        ['p', 'more', 'id', 'NO ACTION', 'NO ACTION'],
        ['p', 'p_id', 'id', 'NO ACTION', 'NO ACTION'],
        ['p', 'x', 'x', 'CASCADE', 'SET NULL'],
        ['p', 'y', 'y', 'CASCADE', 'SET NULL'],
        ['t', 'up', 'id', 'NO ACTION', 'NO ACTION'],
      ],
    ],
  },
  {
    title: 'a table that others and itself reference keeps them',
    sql: `create table t (id integer primary key, up integer references t (id) on delete cascade, a text);
      create table u (t_id integer not null references t on delete cascade); insert into t values (1, null, 1), (2, 1, 2); insert into u values (1), (2)`,
    steps: (on) => [on.drop('a')],
    schema: ['CREATE TABLE "t" (id integer primary key, up integer references t (id) on delete cascade)'],
    rows: ['select (select count(*) from u), (select count(*) from t)', [[2, 2]]],
  },
  {
    title: 'no primary key, and the records keep their numbers',
    sql: 'create table t (id integer primary key autoincrement, a text); insert into t values (7, 1), (9, 2)',
    steps: (on) => [on.key()],
    schema: ['CREATE TABLE "t" (id integer NOT NULL, a text)'],
    rows: [
      'select rowid, id, a from t',
      [
        [7, 7, '1'],
        [9, 9, '2'],
      ],
    ],
  },
  {
    title: 'a primary key of two fields, of which one is new',
    sql: 'create table t (a text, b text, constraint old primary key (a)); insert into t values (1, 2), (3, 2)',
    steps: (on) => [on.add(aField('c', 'integer', { allowNull: false, default: { value: 1 } })), on.key('a', 'c')],
    schema: ['CREATE TABLE "t" (a text NOT NULL, b text, "c" integer NOT NULL DEFAULT 1, PRIMARY KEY ("a", "c"))'],
  },
  {
    title: 'a key that counts up, of a field there is and of a new one',
    sql: 'create table t (id int primary key, a text); insert into t values (7, 1), (9, 2)',
    steps: (on) => [on.change('id', { isAutoIncrement: true })],
    schema: [
      'CREATE TABLE "t" (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, a text)',
      'CREATE TABLE sqlite_sequence(name,seq)',
    ],
    rows: [
      'select seq, t.rowid, id from sqlite_sequence, t',
      [
        [9, 7, 7],
        [9, 9, 9],
      ],
    ],
  },
  {
    title: 'a new key that counts up',
    sql: 'create table t (a text); insert into t (rowid, a) values (7, 1), (9, 2)',
    steps: (on) => [on.add(anId())],
    rows: [
      'select id, a from t',
      [
        [7, '1'],
        [9, '2'],
      ],
    ],
  },
  {
    title: 'a key that counts no more',
    sql: 'create table t (id integer primary key autoincrement, a text); insert into t values (7, 1)',
    steps: (on) => [on.change('id', { isAutoIncrement: false })],
    schema: ['CREATE TABLE "t" (id int NOT NULL PRIMARY KEY, a text)'],
  },
  {
    title: 'the highest number there ever was',
    sql: 'create table t (id integer primary key autoincrement, a text); insert into t values (99, 1), (3, 4); delete from t where id = 99',
    steps: (on) => [on.drop('a')],
    rows: ['select name, seq, (select count(*) from t) from sqlite_sequence', [['t', 99, 1]]],
  },
  {
    title: 'the numbers of records without a key',
    sql: 'create table t (a text, rowid text, b text); insert into t (_rowid_, a, rowid) values (5, 1, 2), (-3, 3, 4)',
    steps: (on) => [on.drop('b')],
    rows: [
      'select _rowid_, a, rowid from t',
      [
        [-3, '3', '4'],
        [5, '1', '2'],
      ],
    ],
  },
  {
    title: 'all that hangs on a table',
    sql: `create table t (id integer primary key, a text not null collate nocase, b real default (1.5 + 1) check (b > 0), c text,
        g int generated always as (b * 2) stored, h text as (upper(a)), old text);
      create table log (what text); create index i1 on t (a, b desc); create unique index i2 on t (lower(a)) where b > 1;
      create view v as select a, g from t; create trigger t1 after insert on t begin insert into log values (new.a); end;
      create trigger t2 after insert on log begin update t set b = b + 1; end; insert into t (id, a) values (1, 'x')`,
    steps: (on) => [
      on.drop('old'),
      on.change('c', { type: aType('string', { length: 9 }) }),
      on.add(aField('d', 'timestamp_on_update')),
    ],
    schema: [
      `CREATE TABLE "t" (id integer primary key, a text not null collate nocase, b real default (1.5 + 1) check (b > 0), c varchar(9),
        g int generated always as (b * 2) stored, h text as (upper(a)), "d" timestamp DEFAULT CURRENT_TIMESTAMP)`,
      'CREATE INDEX i1 on t (a, b desc)',
      'CREATE UNIQUE INDEX i2 on t (lower(a)) where b > 1',
      'CREATE TRIGGER t1 after insert on t begin insert into log values (new.a); end',
    ],
    rows: [
      'select id, a, b, g, h, d is not null, (select count(*) from log), (select count(*) from v) from t',
      [[1, 'x', 3.5, 7, 'X', 1, 1, 1]],
    ],
  },
  {
    title: 'strictness, with its own words',
    sql: 'create table t (id integer primary key, n int not null, a any, b text) strict; insert into t values (1, 2, 3, 4)',
    steps: (on) => [
      on.drop('b'),
      on.add(aField('s', 'string')),
      on.add(aField('ok', 'boolean')),
      on.change('n', { type: aType('double') }),
    ],
    schema: ['CREATE TABLE "t" (id integer primary key, n real not null, a any, "s" text, "ok" integer) strict'],
  },
  {
    title: 'a table without rowids',
    sql: 'create table t (a text, b int, c text, primary key (b desc, a)) without rowid; insert into t values (1, 2, 3), (1, 3, 3)',
    steps: (on) => [on.change('c', { allowNull: false }), on.add(aField('d', 'integer'))],
    schema: ['CREATE TABLE "t" (a text, b int, c text NOT NULL, "d" integer, primary key (b desc, a)) without rowid'],
    rows: [
      'select a, b from t',
      [
        ['1', 3],
        ['1', 2],
      ],
    ],
  },
  {
    title: 'names that have to be quoted',
    sql: `create table "t" ("select" text, [a b] text, "say ""hi""" text, "größe" text, primary key ([a b])); insert into t values (1, 2, 3, 4)`,
    steps: (on) => [
      on.drop('select'),
      on.change('say "hi"', { type: aType('integer'), isUnique: true }),
      on.rename('größe', 'x ☃'),
      on.add(aField('from "where"', 'text', { isIndex: true })),
    ],
    rows: ['select "a b", "say ""hi""", "x ☃", "from ""where""" from t', [['2', 3, '4', null]]],
  },
  {
    title: 'an index of a dropped field alone goes with it, a partial one too',
    sql: 'create table t (id integer primary key, a text, b text, unique (a), foreign key (a) references t (id)); create index i on t (a) where b > 1; create index j on t (b)',
    steps: (on) => [on.drop('a')],
    schema: ['CREATE TABLE "t" (id integer primary key, b text)', 'CREATE INDEX j on t (b)'].slice(0, 1),
  },
  {
    title: 'keys and indexes of several fields go when all of these do',
    sql: 'create table p (x, y, primary key (x, y)); create table t (id integer primary key, a, b, unique (b, a), foreign key (a, b) references p); create index i on t (a, b)',
    steps: (on) => [on.drop('a'), on.drop('b')],
    schema: ['CREATE TABLE "t" (id integer primary key)'],
  },
  {
    title: 'what was broken before may stay so',
    sql: 'create table t (id integer primary key, a text); create view broken as select * from nowhere; create table u (x references nowhere (y)); insert into u values (1); create table o (t_id references t (id)); insert into o values (5)',
    steps: (on) => [on.drop('a')],
    schema: ['CREATE TABLE "t" (id integer primary key)'],
  },
];

describe('altering keeps and changes', () => {
  it.each(cases)('$title', async ({ sql, steps, schema, rows }) => {
    const path = aFile(sql);
    const before = contentOf(path).schema;
    const database = aDatabase({ path });
    const change = await anAlteration(database, 't', steps);
    const planned = await editorOf(database).plan([change]);
    expect(contentOf(path).schema).toEqual(before);
    const applied = await editorOf(database).apply([change]);
    expect(applied).toEqual(planned);
    const texts = (entries: string[]) =>
      entries.map((entry) => entry.split('|').slice(3).join('|')).filter((text) => text !== '');
    const kept = texts(before);
    if (schema) {
      const after = texts(contentOf(path).schema);
      expect(after.filter((text) => schema.includes(text) || !kept.includes(text)).sort()).toEqual([...schema].sort());
    }
    if (rows) expect(read(path, rows[0])).toEqual(rows[1]);
    expect(read(path, 'pragma integrity_check')).toEqual([['ok']]);
  });
});

describe('records that do not fit', () => {
  it.each<[title: string, sql: string, steps: MakeSteps, misfits: [string, number, MisfitProblem][]]>([
    [
      'null',
      'create table t (a text); insert into t values (1), (null), (null)',
      (on) => [on.change('a', { allowNull: false })],
      [['a', 2, 'noValue']],
    ],
    [
      'a new field',
      'create table t (a text); insert into t values (1), (2)',
      (on) => [on.add(aField('b', 'string', { allowNull: false }))],
      [['b', 2, 'noValue']],
    ],
    [
      'a new unique field with a default',
      'create table t (a text); insert into t values (1), (2)',
      (on) => [on.add(aField('b', 'string', { isUnique: true, default: { value: 'x' } }))],
      [['b', 1, 'duplicate']],
    ],
    [
      'length',
      "create table t (a varchar(9), b text); insert into t values ('ääää', 'five5'), ('1', '1')",
      (on) => [
        on.change('a', { type: aType('string', { length: 3 }) }),
        on.change('b', { type: aType('string', { length: 4 }) }),
      ],
      [
        ['a', 1, 'tooLong'],
        ['b', 1, 'tooLong'],
      ],
    ],
    [
      'integers',
      "create table t (a text); insert into t values ('abc'), ('5.5'), (''), ('12a'), (' 7 '), ('5.0'), (null), ('9223372036854775807'), ('92233720368547758070')",
      (on) => [on.change('a', { type: aType('integer') })],
      [['a', 5, 'wrongType']],
    ],
    [
      'integers out of reals',
      'create table t (a real); insert into t values (1.5), (2), (9e99)',
      (on) => [on.change('a', { type: aType('bigint') })],
      [['a', 2, 'wrongType']],
    ],
    [
      'numbers',
      "create table t (a text); insert into t values ('abc'), ('1e3'), ('-.5'), (x'31')",
      (on) => [on.change('a', { type: aType('double') })],
      [['a', 2, 'wrongType']],
    ],
    [
      'digits',
      "create table t (a text); insert into t values ('100'), ('99.99'), ('1.234'), ('x')",
      (on) => [on.change('a', { type: aType('decimal', { length: 4, scale: 2 }) })],
      [
        ['a', 1, 'wrongType'],
        ['a', 2, 'tooLong'],
      ],
    ],
    [
      'booleans',
      "create table t (a text); insert into t values ('maybe'), (2), ('TRUE')",
      (on) => [on.change('a', { type: aType('boolean') })],
      [['a', 2, 'wrongType']],
    ],
    [
      'blobs',
      "create table t (a blob); insert into t values (x'00'), ('text')",
      (on) => [on.change('a', { type: aType('text') })],
      [['a', 1, 'wrongType']],
    ],
    [
      'unique',
      'create table t (a text); insert into t values (1), (1), (2), (2), (3), (null), (null)',
      (on) => [on.change('a', { isUnique: true })],
      [['a', 2, 'duplicate']],
    ],
    [
      'unique, by the new type',
      "create table t (a text unique); insert into t values ('1'), ('01'), ('2')",
      (on) => [on.change('a', { type: aType('integer') })],
      [['a', 1, 'duplicate']],
    ],
    [
      'a key',
      'create table t (a text, b text); insert into t values (1, 1), (1, 1), (1, 2), (null, 3)',
      (on) => [on.key('a', 'b')],
      [
        ['a', 1, 'noValue'],
        ['a,b', 1, 'duplicate'],
      ],
    ],
    [
      'a reference',
      'create table p (id integer primary key); insert into p values (1); create table t (a int, b int); insert into t values (1, 1), (2, null), (null, 3)',
      (on) => [on.reference(aReference('a', 'p')), on.reference(aReference('b', 'p'))],
      [
        ['a', 1, 'noTarget'],
        ['b', 1, 'noTarget'],
      ],
    ],
    [
      'a reference to itself',
      'create table t (id integer primary key, a int); insert into t values (1, 1), (2, 9)',
      (on) => [on.reference(aReference('a', 't'))],
      [['a', 1, 'noTarget']],
    ],
    [
      'a new field that references',
      'create table p (id integer primary key); create table t (a int); insert into t values (1)',
      (on) => [on.add(aField('b', 'reference', { default: { value: 4 } })), on.reference(aReference('b', 'p'))],
      [['b', 1, 'noTarget']],
    ],
  ])('%s', async (_, sql, steps, misfits) => {
    const path = aFile(sql);
    const before = contentOf(path);
    const database = aDatabase({ path });
    const change = await anAlteration(database, 't', steps);
    const [plan] = await editorOf(database).plan([change]);
    expect(plan?.misfits.map(({ field, records, problem }) => [field, records, problem])).toEqual(misfits);
    const failure = await failureOf(editorOf(database).apply([change]));
    expect([failure.status, failure.key]).toEqual([400, 'schema.misfit']);
    expect(contentOf(path)).toEqual(before);
  });

  it.each<[title: string, sql: string, steps: MakeSteps]>([
    [
      'more room',
      "create table t (a varchar(2)); insert into t values ('too long already')",
      (on) => [on.change('a', { type: aType('string', { length: 3 }) })],
    ],
    [
      'a type of the same kind',
      "create table t (a int); insert into t values ('abc')",
      (on) => [on.change('a', { type: aType('bigint') })],
    ],
    [
      'another default',
      "create table t (a int not null default 1); insert into t values ('abc')",
      (on) => [on.change('a', { default: { value: 2 } })],
    ],
    [
      'text that is no date',
      "create table t (a text); insert into t values ('soon')",
      (on) => [on.change('a', { type: aType('date') })],
    ],
  ])('none where nothing changes: %s', async (_, sql, steps) => {
    const { plan } = await altered(sql, steps);
    expect(plan?.misfits).toEqual([]);
  });
});

describe('what is refused leaves all as it was', () => {
  it.each<[title: string, sql: string, steps: MakeSteps, status: number, message: RegExp]>([
    ['a view', 'create view t as select 1 as a', (on) => [on.add(aField('b', 'text'))], 400, /it is a view/],
    ['a virtual table', 'create virtual table t using fts5(a)', (on) => [on.drop('a')], 400, /it is a virtual table/],
    [
      'a column of an index of two',
      'create table t (a, b); create index i on t (a, b)',
      (on) => [on.drop('a')],
      400,
      /index 'i' needs 'a'/,
    ],
    [
      'a column of an expression',
      'create table t (a, b); create index i on t (lower(a))',
      (on) => [on.drop('a')],
      400,
      /no such column: a/,
    ],
    [
      'a column of a partial index',
      'create table t (a, b); create index i on t (b) where a > 1',
      (on) => [on.drop('a')],
      400,
      /no such column: a/,
    ],
    ['a column of a check', 'create table t (a, b, check (a > b))', (on) => [on.drop('a')], 400, /no such column: a/],
    [
      'a column of a generated one',
      'create table t (a, c, b as (a + 1))',
      (on) => [on.drop('a')],
      400,
      /no such column: a/,
    ],
    [
      'a column of a unique key',
      'create table t (a, b, unique (a, b))',
      (on) => [on.drop('a')],
      400,
      /unique key of several fields needs 'a'/,
    ],
    [
      'a column of the primary key',
      'create table t (a, b, primary key (a, b))',
      (on) => [on.drop('a')],
      400,
      /primary key/,
    ],
    [
      'a column of a foreign key',
      'create table p (x, y, primary key (x, y)); create table t (a, b, foreign key (a, b) references p)',
      (on) => [on.drop('a')],
      400,
      /foreign key of several fields needs 'a'/,
    ],
    [
      'a column of a view',
      'create table t (a, b); create view v as select a from t',
      (on) => [on.drop('a')],
      400,
      /view 'v' would not work \(no such column: a\)/,
    ],
    [
      'a column of a trigger',
      'create table t (a, b); create trigger x after insert on t begin select new.a; end',
      (on) => [on.drop('a')],
      400,
      /trigger of 't' on insert .*no such column: new.a/,
    ],
    [
      'a column a trigger waits for',
      'create table t (a, b); create trigger x after update of b, a on t begin select 1; end',
      (on) => [on.drop('a')],
      400,
      /trigger 'x'/,
    ],
    [
      "a column of another table's trigger",
      'create table t (a, b); create table u (x); create trigger y after insert on u begin insert into t (a) values (1); end',
      (on) => [on.drop('a')],
      400,
      /trigger of 'u' on insert/,
    ],
    [
      'a column others reference',
      'create table t (a primary key, b); create table u (x references t (a))',
      (on) => [on.drop('a')],
      400,
      /foreign key of 'u' would not work/,
    ],
    [
      'a key others reference',
      'create table t (a primary key, b unique); create table u (x references t (a))',
      (on) => [on.key('b')],
      400,
      /foreign key of 'u' would not work/,
    ],
    [
      'a unique field others reference',
      'create table t (a, b unique); create table u (x references t (b))',
      (on) => [on.change('b', { isUnique: false })],
      400,
      /foreign key of 'u'/,
    ],
    [
      'a reference to no key',
      'create table p (a); create table t (a)',
      (on) => [on.reference(aReference('a', 'p', 'a'))],
      400,
      /foreign key mismatch/,
    ],
    [
      'a reference to no table',
      'create table t (a)',
      (on) => [on.reference(aReference('a', 'p', 'a'))],
      404,
      /"p" does not exist/,
    ],
    [
      'a reference with other rules',
      'create table t (a primary key)',
      (on) => [on.reference(aReference('a', 't', 'a', { onDelete: 'CASCADE); --' }))],
      400,
      /nothing a reference can do/,
    ],
    ['all columns', 'create table t (a)', (on) => [on.drop('a')], 400, /no field/],
    [
      'a name that is taken',
      'create table t (a, b)',
      (on) => [on.add(aField('B', 'text'))],
      400,
      /duplicate column name: B/,
    ],
    ['a new name that is taken', 'create table t (a, b)', (on) => [on.rename('a', 'B')], 400, /duplicate column name/],
    [
      'a table name that is taken',
      'create table t (a, b); create table u (a)',
      (on) => [on.renameTable('U')],
      400,
      /there is already another table/,
    ],
    [
      'a field that counts up but is no key',
      'create table t (a integer, b)',
      (on) => [on.change('a', { isAutoIncrement: true })],
      400,
      /count up/,
    ],
    [
      'no key without rowids',
      'create table t (a primary key, b) without rowid',
      (on) => [on.key()],
      400,
      /PRIMARY KEY missing/,
    ],
    [
      'SQL that ends the definition',
      'create table t (a)',
      (on) => [on.add(aField('b', 'text', { sql: 'int); drop table t; --' }))],
      400,
      /no definition/,
    ],
    [
      'a type that ends the definition',
      'create table t (a)',
      (on) => [on.add(aField('b', 'int); drop table t'))],
      400,
      /no type/,
    ],
    [
      'an index of two that is switched off',
      'create table t (a, b); create index i on t (a, b)',
      (on) => [on.change('a', { isIndex: false })],
      400,
      /of other fields/,
    ],
    [
      'a check that records break',
      'create table t (a); insert into t values (1)',
      (on) => [on.change('a', { sql: 'int check (a > 5)' })],
      400,
      /CHECK constraint failed/,
    ],
    [
      'a renamed column of a broken schema',
      'create table t (a, b); create view v as select * from nowhere',
      (on) => [on.rename('a', 'c')],
      400,
      /error in view v/,
    ],
    [
      'values that references no longer meet',
      "create table t (a text collate nocase primary key, b); create table u (x text references t (a)); insert into t values ('A', 1); insert into u values ('a')",
      (on) => [on.change('a', { sql: 'text primary key' })],
      400,
      /'x' references nothing that exists in 1 record/,
    ],
  ])('%s', async (_, sql, steps, status, message) => {
    const path = aFile(sql);
    const before = contentOf(path);
    const database = aDatabase({ path });
    const change = await anAlteration(database, 't', steps);
    const failure = await failureOf(editorOf(database).apply([change]));
    expect([failure.status, failure.message]).toEqual([status, expect.stringMatching(message)]);
    expect(contentOf(path)).toEqual(before);
  });

  it('a change of several tables is all or nothing', async () => {
    const path = aFile('create table t (a); create table u (a); insert into u values (null)');
    const before = contentOf(path);
    const database = aDatabase({ path });
    const changes = [
      await anAlteration(database, 't', (on) => [on.add(aField('b', 'text')), on.drop('a')]),
      await anAlteration(database, 'u', (on) => [on.change('a', { allowNull: false })]),
    ];
    expect((await failureOf(editorOf(database).apply(changes))).key).toBe('schema.misfit');
    expect(contentOf(path)).toEqual(before);
  });

  it('a description that is old', async () => {
    const path = aFile('create table t (a, b)');
    const database = aDatabase({ path });
    const change = await anAlteration(database, 't', (on) => [on.drop('a')]);
    await editorOf(database).apply([change]);
    expect((await failureOf(editorOf(database).apply([change]))).key).toBe('database.changed');
  });
});

it('a key that is to count up is a number in every record', async () => {
  const path = aFile("create table t (a primary key, b); insert into t values (null, 1), ('x', 2), (3, 3)");
  const database = aDatabase({ path });
  const change = await anAlteration(database, 't', (on) => [on.change('a', { isAutoIncrement: true })]);
  const [plan] = await editorOf(database).plan([change]);
  expect(plan?.misfits.map(({ records, problem }) => [records, problem])).toEqual([
    [1, 'wrongType'],
    [1, 'noValue'],
  ]);
});

it('two references of one field are both described', async () => {
  const path = aFile(`create table p (id integer primary key); create table q (id integer primary key);
    create table t (id integer primary key, a integer references p (id))`);
  const database = aDatabase({ path });
  const change = await anAlteration(database, 't', (on) => [
    on.reference(aReference('a', 'q', 'id', { onDelete: 'CASCADE' })),
  ]);
  await editorOf(database).apply([change]);
  const { constraints } = (await database.table('t')).description;
  expect(Object.entries(constraints).map(([name, { referenced_table_name }]) => [name, referenced_table_name])).toEqual(
    [
      ['fk_t_a', 'p'],
      ['fk_t_a_2', 'q'],
    ],
  );
});
