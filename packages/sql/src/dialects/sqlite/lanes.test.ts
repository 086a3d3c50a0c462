import { expect, it } from 'vitest';
import { bindFilter, parseFilter, parseOrder } from '../../filter/index.ts';
import type { OrderTerm, Row, Select, Write } from '../../query/index.ts';
import { aTable } from '../../schema/table.fixture.ts';
import type { TableFacts } from './introspect.ts';
import { isShortRead, isShortWrite, PlanTimings } from './lanes.ts';

const table = aTable({ id: 'id', name: 'string', code: 'string' });
const compositeTable = { ...table, key: [table.column('id')!, table.column('code')!] };
const view = { ...table, key: [] };
const where = (filter: string) => bindFilter(parseFilter(filter), table);
const facts = (overrides: Partial<TableFacts> = {}): TableFacts => ({
  kind: 'table',
  hasTriggers: false,
  hasRowid: true,
  referenced: new Set<string>(),
  ...overrides,
});

it.each<[string, typeof table, boolean]>([
  ['id = 1', table, true],
  ["id = 1 and name like '%x%'", table, true],
  [`id = 1 and name contains '${'x'.repeat(50)}'`, table, true],
  // Their time is the length of the text times that of the pattern.
  [`id = 1 and name contains '${'x'.repeat(51)}'`, table, false],
  [`id = 1 and not (code = x or name like '${'%x'.repeat(30)}')`, table, false],
  ['id = 1 and name starts with (code)', table, false],
  ['(name is null) and (code = a and id = 1)', table, true],
  ['id in (1,2,3)', table, true],
  [`id in (${Array.from({ length: 101 }, (_, i) => i)})`, table, false],
  ['id > 1', table, false],
  ['id != 1', table, false],
  ['not (id = 1)', table, false],
  ['id = 1 or name = x', table, false],
  ['id = (id)', table, false],
  ['id not in (1)', table, false],
  ['id = 1', compositeTable, false],
  ['id = 1 and code = x', compositeTable, true],
  ['id in (1) and code in (x)', compositeTable, false],
  ['id = 1', view, false],
])('a read where %s', (filter, target, isShort) => {
  expect(isShortRead({ table: target, columns: [], where: where(filter) }, facts())).toBe(isShort);
  expect(isShortRead({ table: target, columns: [], where: where(filter) }, facts({ kind: 'virtual' }))).toBe(false);
  expect(isShortRead({ table: target, columns: [], where: where(filter), group: target.columns }, facts())).toBe(false);
});

it.each<[string, Partial<Select>, boolean]>([
  ['the first page', { limit: 100 }, true],
  ['a page in the order of the key', { limit: 50, offset: 1000, order: order('id desc') }, true],
  ['a page far behind', { limit: 50, offset: 1001, order: order('id') }, false],
  ['a long page', { limit: 101 }, false],
  ['everything', {}, false],
  ['a page in another order', { limit: 50, order: order('name') }, false],
  ['a page in an order that goes on after the key', { limit: 50, order: order('id,name') }, false],
  ['groups', { limit: 50, group: table.columns }, false],
])('%s without a filter', (_, query, isShort) => {
  expect(isShortRead({ table, columns: [], ...query }, facts())).toBe(isShort);
  expect(isShortRead({ table, columns: [], ...query }, facts({ kind: 'view' }))).toBe(false);
});

it('a page in the order of a key of several columns', () => {
  const query = { table: compositeTable, columns: [], limit: 10 };
  expect(isShortRead({ ...query, order: order('id desc,code desc') }, facts())).toBe(true);
  expect(isShortRead({ ...query, order: order('id desc,code asc') }, facts())).toBe(false);
  expect(isShortRead({ ...query, order: order('code,id') }, facts())).toBe(false);
});

it('learns which queries are quick, and forgets it when one was not', () => {
  const timings = new PlanTimings();
  for (let run = 0; run < 4; run += 1) timings.recordChild(0.5);
  expect(timings.isQuick).toBe(false);
  timings.recordChild(0.5);
  expect(timings.isQuick).toBe(true);
  timings.recordInline(4);
  expect(timings.isQuick).toBe(true);
  timings.recordInline(6);
  for (let run = 0; run < 49; run += 1) timings.recordChild(0.5);
  expect(timings.isQuick).toBe(false);
  timings.recordChild(0.5);
  expect(timings.isQuick).toBe(true);
  timings.recordChild(3);
  expect(timings.isQuick).toBe(false);
});

it.each<[string, Exclude<Write, { kind: 'refuse' }>, Partial<TableFacts>, boolean]>([
  ['an insert', { kind: 'insert', table, values: {}, returning: [] }, {}, true],
  ['an insert with triggers', { kind: 'insert', table, values: {}, returning: [] }, { hasTriggers: true }, false],
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

function order(text: string): OrderTerm[] {
  return parseOrder(text, table);
}

function update(filter: string, values: Row): Exclude<Write, { kind: 'refuse' }> {
  return { kind: 'update', table, values, where: where(filter), returning: [] };
}
