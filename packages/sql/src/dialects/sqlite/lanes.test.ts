import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileSelect } from '../../compile/index.ts';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { BoundFilter, Row, Select, Write } from '../../query/index.ts';
import { aTable } from '../../schema/table.fixture.ts';
import { openSqlite, type Sqlite } from './driver/index.ts';
import { grammar } from './grammar.ts';
import type { TableFacts } from './introspect.ts';
import { isShortWrite, type PageBound, pageLane, readBound, withHint } from './lanes.ts';

const table = aTable({ id: 'id', name: 'string', code: 'string', at: 'datetime', b: 'integer' }, 't "x"');
const compositeTable = { ...table, key: [table.column('id')!, table.column('code')!] };
const view = { ...table, key: [] };
const where = (filter: string) => bindFilter(parseFilter(filter), table);
const facts = (overrides: Partial<TableFacts> = {}): TableFacts => ({
  kind: 'table',
  hasTriggers: false,
  hasGenerated: false,
  hasRules: false,
  hasLongRows: false,
  referenced: new Set<string>(),
  columns: ['id', 'name', 'code', 'at', 'b'],
  rowid: 'id',
  keyIndex: undefined,
  indexes: new Map([
    ['name, (code=?)', ['name', 'code']],
    ['by_b', ['b']],
    ['by_code', ['code']],
    ['part', ['at']],
    ['by_expression', ['id', '']],
  ]),
  ...overrides,
});

const never = (): string[] => {
  throw new Error('what a key finds is bounded however SQLite finds it');
};

it.each<[string, typeof table, boolean]>([
  ['id = 1', table, true],
  ['id = 1 and name = x and not (code = y or code in (a,b))', table, true],
  ['id = 1 and name = (code)', table, true],
  [`id = 1 and (${Array.from({ length: 20 }, (_, i) => `name = x${i}`).join(' or ')})`, table, false],
  // Its time is the length of the text times that of the pattern.
  ["id = 1 and name like '%x%'", table, false],
  ['id = 1 and not (code = x or name contains y)', table, false],
  ['id = 1 and at > (NOW())', table, false],
  ['id != 1', table, false],
  ['id = 1 or name = x', table, false],
  ['id = (id)', table, false],
  ['id = 1', compositeTable, false],
  ['id = 1 and code = x', compositeTable, true],
  ['id = 1', view, false],
])('one row where %s', (filter, target, isOneRow) => {
  const query = { table: target, columns: [], where: where(filter) };
  expect(readBound(query, '', facts(), isOneRow ? never : () => ['SCAN t'])).toBe(isOneRow ? 'row' : 'none');
  for (const other of [{ kind: 'view' }, { kind: 'virtual' }, { hasGenerated: true }] as Partial<TableFacts>[])
    expect(readBound(query, '', facts(other), never)).toBe('none');
  expect(readBound({ ...query, group: target.columns }, '', facts(), never)).toBe('none');
});

let database: Sqlite;
beforeAll(() => {
  database = openSqlite(':memory:');
  database.exec(`create table "t ""x""" (id integer primary key, name text, code text, at text, b integer);
    create index "name, (code=?)" on "t ""x""" (name, code); create index by_b on "t ""x""" (b);
    create index part on "t ""x""" (at) where code = 'x';`);
});
afterAll(() => database.close());

const order = (name: string) => [{ column: table.column(name)!, direction: 'asc' as const }];

const listOf = (filter: string | BoundFilter | undefined, overrides: Partial<Select> = {}): Select => ({
  table,
  columns: table.columns,
  where: typeof filter === 'string' ? where(filter) : filter,
  limit: 50,
  ...overrides,
});

const boundOf = (query: Select, opened = database) =>
  readBound(query, compileSelect(query, grammar).sql, facts(), (sql) => opened.explain(sql));

/** A condition on values of other records. */
const inOthers = (length: number): BoundFilter => {
  const values = Array.from({ length }, (_, value) => ({ kind: 'value' as const, value }));
  return { kind: 'in', column: table.column('b')!, negated: false, values, isJoin: true };
};

it.each<[string | BoundFilter | undefined, Partial<Select>, string, number[], boolean]>([
  ['name = x and code >= y', {}, 'indexed by "name, (code=?)"', [0, 1], true],
  ['name = x and code between a and b', {}, 'indexed by "name, (code=?)"', [0, 1], true],
  ['b = 1 and id > 5', { order: order('id') }, 'indexed by "by_b"', [0, 1], true],
  ['id in (1,2,3)', { order: order('id') }, 'not indexed', [0], true],
  ['id > 5', {}, 'not indexed', [0], true],
  ['name is null', {}, 'indexed by "name, (code=?)"', [0], true],
  ['b = 1', { columns: [table.column('b')!] }, 'indexed by "by_b"', [0], true],
  ['b = 1', { order: order('code') }, 'indexed by "by_b"', [0], false],
  ["at = '2026-01-01' and b = 1 and not (code = x or code = y)", {}, 'indexed by "by_b"', [1], false],
  [inOthers(50), { order: order('id') }, 'indexed by "by_b"', [0], false],
  [undefined, {}, 'not indexed', [], true],
  [undefined, { order: order('name') }, 'indexed by "name, (code=?)"', [], true],
])('a page where %j goes by an index %#', (filter, overrides, hint, searched, isDirect) => {
  const bound = boundOf(listOf(filter, overrides)) as PageBound;
  expect(bound).toMatchObject({ hint, searched, isDirect });
  expect(database.explain(bound.sql)[0]).toMatch(/^S(EARCH|CAN) t "x"/);
});

it.each<[string | undefined, Partial<Select>]>([
  ['code = y', {}],
  ['code = y', { order: order('id') }],
  ['name = x and name = y', {}],
  ['b > 5 and b > 6', {}],
  ["b = 1 and name like '%x%'", {}],
  ['b = 1 and at > (NOW())', {}],
  ["name starts with 'x'", {}],
  ['b = 1 or name = x', {}],
  [`b in (${Array.from({ length: 51 }, (_, i) => i)})`, {}],
  [`b = 1 and (${Array.from({ length: 20 }, (_, i) => `code = x${i}`).join(' or ')})`, {}],
  [undefined, { order: order('code') }],
])('a page where %s is not bounded %#', (filter, overrides) => {
  expect(boundOf(listOf(filter, overrides))).toBe('none');
});

it('abuse: statistics of the values do not lead a page another way', () => {
  const skewed = openSqlite(':memory:');
  skewed.exec(`create table "t ""x""" (id integer primary key, name text, code text, at text, b integer);
    create index by_code on "t ""x""" (code); create index by_b on "t ""x""" (b);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into "t ""x""" select i, 'n', iif(i < 4900, 'often', 'c' || i), null, i % 50 from n;
    analyze`);
  const query = listOf('code = x', { order: order('id') });
  const { sql } = compileSelect(query, grammar);
  const bound = boundOf(query, skewed) as PageBound;
  const planFor = (statement: string) => skewed.run(`explain query plan ${statement}`, ['often', 50]).rows[0]?.[3];
  expect(planFor(sql)).toBe('SCAN t "x"');
  expect(planFor(bound.sql)).toBe('SEARCH t "x" USING INDEX by_code (code=?)');
  skewed.close();
});

it('abuse: an index that holds what an expression makes bounds nothing', () => {
  const plan = (index: string) => [`SEARCH t "x" USING INDEX ${index} (b=?)`];
  const boundBy = (index: string) => readBound(listOf('b = 1'), '', facts(), () => plan(index));
  expect(boundBy('by_b')).toMatchObject({ searched: [0] });
  expect(boundBy('by_expression')).toBe('none');
});

it('asks again where a lock kept SQLite from saying how', () => {
  expect(readBound({ table, columns: [] }, '', facts(), () => undefined)).toBeUndefined();
});

it.each<[string, string | BoundFilter | undefined, Partial<Select>, Partial<TableFacts>, 'read' | 'count' | 'child']>([
  ['a page', 'name = x', { limit: 100, offset: 900 }, {}, 'read'],
  ['a page far behind', 'name = x', { limit: 100, offset: 901 }, {}, 'count'],
  ['all that match', 'name = x', { limit: undefined }, {}, 'count'],
  ['a sorted page', 'name = x', { order: order('at') }, {}, 'count'],
  ['a page with a condition left over', 'name = x and at = y', {}, {}, 'count'],
  ['a page of a table with long rows', 'name = x', { limit: 1 }, { hasLongRows: true }, 'child'],
  ['a page of all rows', undefined, { limit: 1000 }, {}, 'read'],
  ['a page far behind of all rows', undefined, { limit: 50, offset: 951 }, {}, 'child'],
  ['everything', undefined, { limit: undefined }, {}, 'child'],
  ['what a thousand others refer to', inOthers(1000), {}, {}, 'read'],
  ['what more others refer to', inOthers(1001), {}, {}, 'child'],
])('reads %s', (_, filter, overrides, tableFacts, expected) => {
  const bound = boundOf(listOf(typeof filter === 'object' ? inOthers(3) : filter, overrides)) as PageBound;
  const lane = pageLane(listOf(filter, overrides), bound, facts(tableFacts));
  expect(typeof lane === 'object' ? 'count' : lane).toBe(expected);
  if (typeof lane === 'string') return;
  const count = compileSelect(lane.countFirst, grammar);
  expect(database.explain(withHint(count.sql, table, bound.hint, bound.entryGuard))).toEqual([
    'SEARCH t "x" USING COVERING INDEX name, (code=?) (name=?)',
  ]);
  expect(count.parameters.at(-1)).toBe(1001);
});

it.each<[string, Exclude<Write, { kind: 'refuse' }>, Partial<TableFacts>, boolean]>([
  ['an insert', { kind: 'insert', table, values: {}, returning: [] }, {}, true],
  ['an insert with triggers', { kind: 'insert', table, values: {}, returning: [] }, { hasTriggers: true }, false],
  ['an insert that is checked', { kind: 'insert', table, values: {}, returning: [] }, { hasRules: true }, false],
  [
    'an insert with computed columns',
    { kind: 'insert', table, values: {}, returning: [] },
    { hasGenerated: true },
    false,
  ],
  [
    'an insert of a long text',
    { kind: 'insert', table, values: { name: 'x'.repeat(300_000) }, returning: [] },
    {},
    false,
  ],
  ['an update of a table with long rows', update('id = 1', { name: 'x' }), { hasLongRows: true }, false],
  ['an update of one that matches', update("id = 1 and name like '%x%'", { name: 'y' }), {}, false],
  ['an insert into a view', { kind: 'insert', table, values: {}, returning: [] }, { kind: 'view' }, false],
  ['an update by key', update('id = 1', { name: 'x' }), {}, true],
  ['an update by filter', update("name = 'x'", { name: 'y' }), {}, false],
  ['an update of two', update('id in (1,2)', { name: 'y' }), {}, false],
  ['an update that cascades', update('id = 1', { CODE: 'x' }), { referenced: new Set(['code']) }, false],
  ['an update beside', update('id = 1', { name: 'x' }), { referenced: new Set(['id']) }, true],
  ['a delete by key', { kind: 'delete', table, where: where('id = 1'), returning: [] }, {}, true],
  [
    'a delete others refer to',
    { kind: 'delete', table, where: where('id = 1'), returning: [] },
    { referenced: new Set(['id']) },
    false,
  ],
  ['a delete of all', { kind: 'delete', table, returning: [] }, {}, false],
])('%s', (_, write, overrides, isShort) => {
  expect(isShortWrite(write, facts(overrides))).toBe(isShort);
});

function update(filter: string, values: Row): Exclude<Write, { kind: 'refuse' }> {
  return { kind: 'update', table, values, where: where(filter), returning: [] };
}
