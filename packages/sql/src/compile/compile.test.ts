import { describe, expect, it } from 'vitest';
import { expectSql } from '../dialects/expect-sql.fixture.ts';
import { grammar as mysqlGrammar } from '../dialects/mysql/grammar.ts';
import { grammar as pgsqlGrammar } from '../dialects/pgsql/grammar.ts';
import { grammar as sqliteGrammar } from '../dialects/sqlite/grammar.ts';
import { bindFilter, parseFilter } from '../filter/index.ts';
import { makeTable } from '../schema/index.ts';
import { aTable } from '../schema/table.fixture.ts';
import { compileCount, compileSelect, compileWrite, type Grammar } from './index.ts';

const table = aTable({ id: 'id', a: 'integer', s: 'string', 'Na"me': 'string' }, 'th"ing');
const column = (name: string) => table.column(name)!;
const where = (filter: string) => bindFilter(parseFilter(filter), table);

describe('select', () => {
  it('writes every part in its place', () => {
    const query = {
      table,
      columns: table.columns,
      where: where("a > 5 and (s = x or Na\"me contains 'y')"),
      order: [{ column: column('s'), direction: 'desc' } as const, { column: column('id'), direction: 'asc' } as const],
      group: [column('a')],
      limit: 10,
      offset: 20,
    };
    expectSql(
      (grammar) => compileSelect(query, grammar),
      {
        sqlite:
          'select "id", "a", "s", "Na""me" from "th""ing" where "a" > ? and ("s" = ? or "Na""me" like ?) group by "a" order by "s" desc, "id" limit ? offset ?',
        mysql:
          'select `id`, `a`, `s`, `Na"me` from `th"ing` where `a` > ? and (`s` = ? or `Na"me` like ? escape x\'00\') group by `a` order by `s` desc, `id` limit ? offset ?',
        pgsql:
          'select "id", "a", "s", "Na""me" from "th""ing" where "a" > $1 and ("s" = $2 or "Na""me"::text like $3 escape \'\') group by "a" order by "s" desc, "id" limit $4 offset $5',
        redshift:
          'select "id", "a", "s", "Na""me" from "th""ing" where "a" > $1 and ("s" = $2 or cast("Na""me" as varchar(65535)) like $3 escape \'\u0001\') group by "a" order by "s" desc, "id" limit $4 offset $5',
        memsql:
          "select `id`, `a`, `s`, `Na\"me` from `th\"ing` where `a` > ? and (`s` = ? or `Na\"me` like replace(?, '\\\\', '\\\\\\\\')) group by `a` order by `s` desc, `id` limit ? offset ?",
      },
      [5, 'x', '%y%', 10, 20],
    );
  });

  it('writes no part that was not asked for', () => {
    expectSql(
      (grammar) => compileSelect({ table, columns: [] }, grammar),
      { sqlite: 'select 1 from "th""ing"', mysql: 'select 1 from `th"ing`', pgsql: 'select 1 from "th""ing"' },
      [],
    );
    expectSql(
      (grammar) => compileSelect({ table, columns: [column('a')], offset: 3, limit: 0 }, grammar),
      {
        sqlite: 'select "a" from "th""ing" limit ? offset ?',
        mysql: 'select `a` from `th"ing` limit ? offset ?',
        pgsql: 'select "a" from "th""ing" limit $1 offset $2',
      },
      [0, 3],
    );
    expectSql(
      (grammar) => compileSelect({ table, columns: [column('a')], offset: 3 }, grammar),
      {
        sqlite: 'select "a" from "th""ing" limit ? offset ?',
        mysql: 'select `a` from `th"ing` limit ? offset ?',
        pgsql: 'select "a" from "th""ing" limit $1 offset $2',
      },
      [Number.MAX_SAFE_INTEGER, 3],
    );
  });

  it('says outright how a pattern is escaped, the same in every engine that can be told', () => {
    const value = { kind: 'text', text: 'a|%%', quoted: true } as const;
    const node = { kind: 'compare', field: 's', operator: 'like', negated: false, value, escaped: true } as const;
    expectSql(
      (grammar) => compileSelect({ table, columns: table.key, where: bindFilter(node, table) }, grammar),
      {
        sqlite: 'select "id" from "th""ing" where "s" like ? escape \'|\'',
        mysql: "select `id` from `th\"ing` where `s` like ? escape '|'",
        pgsql: 'select "id" from "th""ing" where "s"::text like $1 escape \'|\'',
        redshift: 'select "id" from "th""ing" where cast("s" as varchar(65535)) like $1 escape \'|\'',
        memsql:
          "select `id` from `th\"ing` where `s` like replace(replace(replace(replace(replace(?, '\\\\', '\\\\\\\\'), '||', '\u0001'), '|%', '\\\\%'), '|_', '\\\\_'), '\u0001', '|')",
      },
      ['a|%%'],
    );
  });

  it('uses real names behind aliases, with their schema', () => {
    const aliased = makeTable({
      ...table,
      name: 'shown',
      native: { schema: 'main', name: 'real' },
      columns: [{ ...column('a'), name: 'Alias' }],
    });
    expectSql(
      (grammar) =>
        compileSelect(
          { table: aliased, columns: aliased.columns, where: bindFilter(parseFilter('alias = 1'), aliased) },
          grammar,
        ),
      {
        sqlite: 'select "a" from "main"."real" where "a" = ?',
        mysql: 'select `a` from `main`.`real` where `a` = ?',
        pgsql: 'select "a" from "main"."real" where "a" = $1',
      },
      [1],
    );
  });

  it('sends a long list as one parameter', () => {
    const ids = Array.from({ length: 600 }, (_, i) => i);
    expectSql(
      (grammar) => compileSelect({ table, columns: table.key, where: where(`a in (${ids})`) }, grammar),
      {
        sqlite: 'select "id" from "th""ing" where "a" in (select value from json_each(?))',
        mysql:
          "select `id` from `th\"ing` where `a` in (select v from json_table(?, '$[*]' columns (v bigint path '$')) as list)",
        pgsql: 'select "id" from "th""ing" where "a" = any($1::integer[])',
        redshift: `select "id" from "th""ing" where "a" in (${ids.map((id) => `$${id + 1}`).join(', ')})`,
        memsql: `select \`id\` from \`th"ing\` where \`a\` in (${ids.map(() => '?').join(', ')})`,
      },
      {
        sqlite: [JSON.stringify(ids)],
        mysql: [JSON.stringify(ids)],
        pgsql: [`{${ids}}`],
        redshift: ids,
        memsql: ids,
      },
    );
  });
});

describe('tuples of values', () => {
  const pairs = aTable({ id: 'id', a: 'integer', b: 'integer', s: 'string' }, 'pair');
  const compiled = (names: string[], tuples: unknown[][]) => (grammar: Grammar) => {
    const where = { kind: 'tuples', columns: names.map((name) => pairs.column(name)!), tuples } as const;
    return compileSelect({ table: pairs, columns: pairs.key, where }, grammar);
  };
  const sqlite = (names: string) =>
    `select "id" from "pair" where (${names}) in (select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(?))`;

  it('go as few parameters, however many they are', () => {
    for (const tuples of [
      [
        [1, 2],
        [3, 4],
      ],
      Array.from({ length: 3000 }, (_, i) => [i, 2 ** 40 + i]),
    ])
      expect([sqliteGrammar, mysqlGrammar, pgsqlGrammar].map(compiled(['a', 'b'], tuples))).toEqual([
        { sql: sqlite('"a", "b"'), parameters: [JSON.stringify(tuples)] },
        {
          sql: "select `id` from `pair` where (`a`, `b`) in (select v0, v1 from json_table(?, '$[*]' columns (v0 bigint path '$[0]', v1 bigint path '$[1]')) as list)",
          parameters: [JSON.stringify(tuples)],
        },
        {
          sql: 'select "id" from "pair" where ("a", "b") in (select * from unnest($1::integer[], $2::integer[]))',
          parameters: [0, 1].map((at) => `{${tuples.map((tuple) => tuple[at])}}`),
        },
      ]);
  });

  it('are written out where a value has no place in a list, or there is none', () => {
    expectSql(
      compiled(
        ['a', 's'],
        [
          [1, 'x"'],
          [2, '{'],
        ],
      ),
      {
        sqlite: sqlite('"a", "s"'),
        mysql: 'select `id` from `pair` where ((`a` = ? and `s` = ?) or (`a` = ? and `s` = ?))',
        pgsql: 'select "id" from "pair" where ("a", "s") in (select * from unnest($1::integer[], $2::string[]))',
        redshift: 'select "id" from "pair" where (("a" = $1 and "s" = $2) or ("a" = $3 and "s" = $4))',
      },
      {
        sqlite: ['[[1,"x\\""],[2,"{"]]'],
        mysql: [1, 'x"', 2, '{'],
        pgsql: ['{1,2}', '{"x\\"","{"}'],
        redshift: [1, 'x"', 2, '{'],
        memsql: [1, 'x"', 2, '{'],
      },
    );
  });

  it('of one are a comparison of each column', () => {
    const where = { kind: 'tuples', columns: ['a', 'b'].map((name) => pairs.column(name)!), tuples: [[1, 2]] } as const;
    const query = { table: pairs, columns: pairs.key, where: { kind: 'not', node: where } as const };
    expect(compileSelect(query, { ...sqliteGrammar, list: undefined })).toEqual({
      sql: 'select "id" from "pair" where not ((("a" = ? and "b" = ?)))',
      parameters: [1, 2],
    });
  });
});

describe('expressions', () => {
  const virtual = { ...column('a').description, is_virtual: true, db_type: null };
  const extendedTable = makeTable({
    ...table,
    columns: [
      column('id'),
      {
        ...column('s'),
        expression: {
          select: "upper(s) || '?'",
          filter: 'lower(s)',
          insert: 'trim({value})',
          update: 'coalesce({value}, {value})',
        },
      },
      { ...column('a'), name: 'twice', description: virtual, expression: { select: 'a * 2' }, autoValue: 'generated' },
      {
        ...column('a'),
        name: 'total',
        description: { ...virtual, is_aggregate: true },
        expression: { select: 'sum(a)' },
        autoValue: 'generated',
      },
    ],
  });
  const columnOf = (name: string) => extendedTable.column(name)!;

  it('stand where their column would', () => {
    const query = {
      table: extendedTable,
      columns: [columnOf('id'), columnOf('s'), columnOf('twice')],
      where: bindFilter(
        parseFilter("s = 'x' and (twice > 4 or s like 'y%') and id in (1) and twice = (s)"),
        extendedTable,
      ),
      order: [
        { column: columnOf('twice'), direction: 'desc' } as const,
        { column: columnOf('s'), direction: 'asc' } as const,
      ],
    };
    expectSql(
      (grammar) => compileSelect(query, grammar),
      {
        sqlite:
          'select "id", (upper(s) || \'?\'), (a * 2) from "th""ing" where (lower(s)) = ? and ((a * 2) > ? or (lower(s)) like ?) and ("id" in (?) and (a * 2) = (lower(s))) order by (a * 2) desc, (upper(s) || \'?\')',
        mysql:
          "select `id`, (upper(s) || '?'), (a * 2) from `th\"ing` where (lower(s)) = ? and ((a * 2) > ? or (lower(s)) like ?) and (`id` in (?) and (a * 2) = (lower(s))) order by (a * 2) desc, (upper(s) || '?')",
        pgsql:
          'select "id", (upper(s) || \'?\'), (a * 2) from "th""ing" where (lower(s)) = $1 and ((a * 2) > $2 or (lower(s))::text like $3) and ("id" in ($4) and (a * 2) = (lower(s))) order by (a * 2) desc, (upper(s) || \'?\')',
        redshift:
          'select "id", (upper(s) || \'?\'), (a * 2) from "th""ing" where (lower(s)) = $1 and ((a * 2) > $2 or cast((lower(s)) as varchar(65535)) like $3) and ("id" in ($4) and (a * 2) = (lower(s))) order by (a * 2) desc, (upper(s) || \'?\')',
      },
      ['x', 4, 'y%', 1],
    );
  });

  it('that are aggregates go with a group', () => {
    const query = { table: extendedTable, columns: [columnOf('s'), columnOf('total')], group: [columnOf('s')] };
    const order = [{ column: columnOf('total'), direction: 'desc' } as const];
    expectSql(
      (grammar) => compileSelect({ ...query, order }, grammar),
      {
        sqlite: `select (upper(s) || '?'), (sum(a)) from "th""ing" group by (upper(s) || '?') order by (sum(a)) desc`,
        mysql: "select (upper(s) || '?'), (sum(a)) from `th\"ing` group by (upper(s) || '?') order by (sum(a)) desc",
        pgsql: `select (upper(s) || '?'), (sum(a)) from "th""ing" group by (upper(s) || '?') order by (sum(a)) desc`,
      },
      [],
    );
    expectSql(
      (grammar) => compileCount(query, grammar),
      {
        sqlite: `select count(*) from (select 1 from "th""ing" group by (upper(s) || '?')) as "groups"`,
        mysql: "select count(*) from (select 1 from `th\"ing` group by (upper(s) || '?')) as `groups`",
        pgsql: `select count(*) from (select 1 from "th""ing" group by (upper(s) || '?')) as "groups"`,
      },
      [],
    );
  });

  it('that write have the value bound, and come back as they are read', () => {
    const values = { s: "it's", twice: 7 };
    const returning = [columnOf('id'), columnOf('s')];
    expectSql(
      (grammar) => compileWrite({ kind: 'insert', table: extendedTable, values, returning }, grammar),
      {
        sqlite: `insert into "th""ing" ("s") values ((trim(?))) returning "id", (upper(s) || '?')`,
        mysql: "insert into `th\"ing` (`s`) values ((trim(?))) returning `id`, (upper(s) || '?')",
        pgsql: `insert into "th""ing" ("s") values ((trim($1))) returning "id", (upper(s) || '?')`,
        redshift: 'insert into "th""ing" ("s") values ((trim($1)))',
        memsql: 'insert into `th"ing` (`s`) values ((trim(?)))',
      },
      ["it's"],
    );
    const where = bindFilter(parseFilter('id = 1'), extendedTable);
    expectSql(
      (grammar) => compileWrite({ kind: 'update', table: extendedTable, values, where, returning: [] }, grammar),
      {
        sqlite: 'update "th""ing" set "s" = (coalesce(?, ?)) where "id" = ?',
        mysql: 'update `th"ing` set `s` = (coalesce(?, ?)) where `id` = ?',
        pgsql: 'update "th""ing" set "s" = (coalesce($1, $2)) where "id" = $3',
      },
      ["it's", "it's", 1],
    );
    const now = { s: { expression: 'now' } };
    expectSql(
      (grammar) => compileWrite({ kind: 'insert', table: extendedTable, values: now, returning: [] }, grammar),
      {
        sqlite: 'insert into "th""ing" ("s") values ((trim(current_timestamp)))',
        mysql: 'insert into `th"ing` (`s`) values ((trim(current_timestamp)))',
        pgsql: 'insert into "th""ing" ("s") values ((trim(current_timestamp)))',
      },
      [],
    );
  });
});

it('nulls at one end of an order', () => {
  const order = [
    { column: column('s'), direction: 'desc', nulls: 'last' } as const,
    { column: column('a'), direction: 'asc', nulls: 'first' } as const,
  ];
  expectSql(
    (grammar) => compileSelect({ table, columns: table.key, order }, grammar),
    {
      sqlite: 'select "id" from "th""ing" order by "s" desc nulls last, "a" nulls first',
      mysql: 'select `id` from `th"ing` order by `s` is null, `s` desc, `a` is null desc, `a`',
      pgsql: 'select "id" from "th""ing" order by "s" desc nulls last, "a" nulls first',
    },
    [],
  );
});

it('count', () => {
  expectSql(
    (grammar) => compileCount({ table }, grammar),
    {
      sqlite: 'select count(*) from "th""ing"',
      mysql: 'select count(*) from `th"ing`',
      pgsql: 'select count(*) from "th""ing"',
    },
    [],
  );
  expectSql(
    (grammar) => compileCount({ table, where: where('s is null'), group: [column('a'), column('s')] }, grammar),
    {
      sqlite: 'select count(*) from (select 1 from "th""ing" where "s" is null group by "a", "s") as "groups"',
      mysql: 'select count(*) from (select 1 from `th"ing` where `s` is null group by `a`, `s`) as `groups`',
      pgsql: 'select count(*) from (select 1 from "th""ing" where "s" is null group by "a", "s") as "groups"',
    },
    [],
  );
});

describe('write', () => {
  it('insert', () => {
    expectSql(
      (grammar) =>
        compileWrite({ kind: 'insert', table, values: { a: 1, 'Na"me': null }, returning: table.key }, grammar),
      {
        sqlite: 'insert into "th""ing" ("a", "Na""me") values (?, ?) returning "id"',
        mysql: 'insert into `th"ing` (`a`, `Na"me`) values (?, ?) returning `id`',
        pgsql: 'insert into "th""ing" ("a", "Na""me") values ($1, $2) returning "id"',
        redshift: 'insert into "th""ing" ("a", "Na""me") values ($1, $2)',
        memsql: 'insert into `th"ing` (`a`, `Na"me`) values (?, ?)',
      },
      [1, null],
    );
    expectSql(
      (grammar) => compileWrite({ kind: 'insert', table, values: {}, returning: [] }, grammar),
      {
        sqlite: 'insert into "th""ing" default values',
        mysql: 'insert into `th"ing` () values ()',
        pgsql: 'insert into "th""ing" default values',
      },
      [],
    );
    expectSql(
      (grammar) =>
        compileWrite({ kind: 'insert', table, values: { s: { expression: 'now' } }, returning: [] }, grammar),
      {
        sqlite: 'insert into "th""ing" ("s") values (current_timestamp)',
        mysql: 'insert into `th"ing` (`s`) values (current_timestamp)',
        pgsql: 'insert into "th""ing" ("s") values (current_timestamp)',
      },
      [],
    );
  });

  it('update and delete', () => {
    expectSql(
      (grammar) =>
        compileWrite({ kind: 'update', table, values: { S: 'x' }, where: where('id = 1'), returning: [] }, grammar),
      {
        sqlite: 'update "th""ing" set "s" = ? where "id" = ?',
        mysql: 'update `th"ing` set `s` = ? where `id` = ?',
        pgsql: 'update "th""ing" set "s" = $1 where "id" = $2',
      },
      ['x', 1],
    );
    expectSql(
      (grammar) =>
        compileWrite({ kind: 'update', table, values: {}, where: where('id = 1'), returning: table.key }, grammar),
      {
        sqlite: 'select "id" from "th""ing" where "id" = ?',
        mysql: 'select `id` from `th"ing` where `id` = ?',
        pgsql: 'select "id" from "th""ing" where "id" = $1',
      },
      [1],
    );
    expectSql(
      (grammar) => compileWrite({ kind: 'delete', table, where: where('id in (1, 2)'), returning: table.key }, grammar),
      {
        sqlite: 'delete from "th""ing" where "id" in (?, ?) returning "id"',
        mysql: 'delete from `th"ing` where `id` in (?, ?) returning `id`',
        pgsql: 'delete from "th""ing" where "id" in ($1, $2) returning "id"',
        redshift: 'delete from "th""ing" where "id" in ($1, $2)',
        memsql: 'delete from `th"ing` where `id` in (?, ?)',
      },
      [1, 2],
    );
  });

  it('leaves columns out that the database computes, and refuses names it does not know', () => {
    const generated = makeTable({ ...table, columns: [column('id'), { ...column('a'), autoValue: 'generated' }] });
    expectSql(
      (grammar) => compileWrite({ kind: 'insert', table: generated, values: { a: 1, id: 2 }, returning: [] }, grammar),
      {
        sqlite: 'insert into "th""ing" ("id") values (?)',
        mysql: 'insert into `th"ing` (`id`) values (?)',
        pgsql: 'insert into "th""ing" ("id") values ($1)',
      },
      [2],
    );
    expect(() =>
      expectSql(
        (grammar) => compileWrite({ kind: 'insert', table, values: { 'a") --': 1 }, returning: [] }, grammar),
        { sqlite: '', mysql: '', pgsql: '' },
        [],
      ),
    ).toThrow('has no column');
  });
});
