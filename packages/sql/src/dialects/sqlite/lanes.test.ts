import { expect, it } from 'vitest';
import { bindFilter, parseFilter } from '../../filter/index.ts';
import type { Row, Select, Write } from '../../query/index.ts';
import { aTable } from '../../schema/table.fixture.ts';
import type { TableFacts } from './introspect.ts';
import { fitsInMemory, isShortWrite, readBound, runsInline } from './lanes.ts';

const table = aTable({ id: 'id', name: 'string', code: 'string', at: 'datetime' });
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
  ...overrides,
});

const search = (bounds: string) => () => [`SEARCH t USING INDEX i (${bounds})`];
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
  expect(readBound(query, facts(), isOneRow ? never : () => ['SCAN t'])).toBe(isOneRow ? 'row' : 'none');
  for (const other of [{ kind: 'view' }, { kind: 'virtual' }, { hasGenerated: true }] as Partial<TableFacts>[])
    expect(readBound(query, facts(other), never)).toBe('none');
  expect(readBound({ ...query, group: target.columns }, facts(), never)).toBe('none');
});

it.each<[string | undefined, () => string[], 'page' | 'none']>([
  ['name = x and code >= y', search('name=? AND code>?'), 'page'],
  ['name = x and code between a and b', search('name=? AND code>? AND code<?'), 'page'],
  ['id in (1,2,3)', search('rowid=?'), 'page'],
  ['name is null', search('name=?'), 'page'],
  ['name = x and code = y', search('name=?'), 'none'],
  ['name = x', () => ['SEARCH t USING INDEX i (name=?)', 'USE TEMP B-TREE FOR ORDER BY'], 'none'],
  ['name = x', () => ['SCAN t'], 'none'],
  ["name starts with 'x'", search('name>? AND name<?'), 'none'],
  ['id in (1) and name in (a)', search('id=? AND name=?'), 'none'],
  [`name in (${Array.from({ length: 51 }, (_, i) => `x${i}`)})`, search('name=?'), 'none'],
  ['name = x or code = y', () => ['MULTI-INDEX OR', 'INDEX 1', 'INDEX 2'], 'none'],
  [undefined, () => ['SCAN t'], 'page'],
  [undefined, () => ['SCAN t', 'USE TEMP B-TREE FOR ORDER BY'], 'none'],
])('a page where %s', (filter, explain, bound) => {
  const query = { table, columns: [], where: filter === undefined ? undefined : where(filter) };
  expect(readBound(query, facts(), explain)).toBe(bound);
});

it('asks again where a lock kept SQLite from saying how', () => {
  expect(readBound({ table, columns: [] }, facts(), () => undefined)).toBeUndefined();
  expect(runsInline(undefined, { limit: 1 }, facts(), true)).toBe(false);
});

it.each<[string, 'row' | 'page' | 'none', Partial<Select>, Partial<TableFacts>, boolean, boolean]>([
  ['one row', 'row', {}, {}, false, true],
  ['one row of a table with long ones', 'row', {}, { hasLongRows: true }, true, false],
  ['a page', 'page', { limit: 100, offset: 1000 }, {}, true, true],
  ['a page of a large file', 'page', { limit: 1 }, {}, false, false],
  ['a page of a table with long rows', 'page', { limit: 1 }, { hasLongRows: true }, true, false],
  ['a page far behind', 'page', { limit: 50, offset: 1001 }, {}, true, false],
  ['a long page', 'page', { limit: 101 }, {}, true, false],
  ['everything', 'page', {}, {}, true, false],
  ['what nothing bounds', 'none', { limit: 1 }, {}, true, false],
])('%s', (_, bound, query, overrides, isSmallFile, isInline) => {
  expect(runsInline(bound, query, facts(overrides), isSmallFile)).toBe(isInline);
});

it.each<[string, Partial<Select>, Partial<TableFacts>, number, boolean]>([
  ['a list', { limit: 1000 }, {}, 32, true],
  ['a list of long rows', { limit: 1000 }, { hasLongRows: true }, 32, true],
  ['a list of a large file', { limit: 1 }, {}, 33, false],
  ['a long list', { limit: 2001 }, {}, 1, false],
  ['everything', {}, {}, 1, false],
  ['groups', { limit: 1, group: [] }, {}, 1, false],
  ['what expressions make', { limit: 1, table: { ...table, hasExpressions: true } }, {}, 1, false],
  ['computed columns', { limit: 1 }, { hasGenerated: true }, 1, false],
  ['a view', { limit: 1 }, { kind: 'view' }, 1, false],
])('whether %s fits into memory', (_, query, overrides, megabytes, fits) => {
  const select: Select = { table, columns: table.columns, ...query };
  expect(fitsInMemory(select, facts(overrides), megabytes * 1024 * 1024)).toBe(fits);
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
