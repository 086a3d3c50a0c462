import { soakRounds } from '@sluice/testkit/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grammar as mysql, mysql8Grammar } from '../dialects/mysql/grammar.ts';
import { grammar as pgsql } from '../dialects/pgsql/grammar.ts';
import { grammar as sqlite } from '../dialects/sqlite/grammar.ts';
import type { BoundFilter, BoundValue, CompareOperator, Row, Select, Write } from '../query/index.ts';
import type { Column } from '../schema/index.ts';
import { aTable } from '../schema/table.fixture.ts';
import { type Compiled, compileCount, compileSelect, compileWrite } from './index.ts';
import { makePlanner } from './plan.ts';

// Eleven columns: one number is the beginning of another, as `1` of `10`.
const table = aTable({
  id: 'id',
  a: 'integer',
  s: 'string',
  d: 'decimal',
  f: 'float',
  t: 'text',
  'Na"me': 'string',
  'in2?': 'string',
  made: 'integer',
  b: 'boolean',
  last: 'integer',
});
table.column('made')!.autoValue = 'generated';
table.column('t')!.expression = { select: 'upper(t)', filter: 'lower(t)', insert: "{value} || ''", update: "''" };

const column = fc.constantFrom<Column>(...table.columns);
const columns = fc.uniqueArray(column, { maxLength: 4 });
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, 0, 1, '', '?', 'now', '%', "';--", 2n ** 63n, true),
  fc.integer(),
  fc.string({ maxLength: 5 }),
);
const value: fc.Arbitrary<BoundValue> = fc.oneof(
  { weight: 6, arbitrary: scalar.map((value): BoundValue => ({ kind: 'value', value })) },
  column.map((column): BoundValue => ({ kind: 'column', column })),
  fc.constantFrom<BoundValue>({ kind: 'now' }, { kind: 'today' }),
);
const operators: CompareOperator[] = '=,!=,>,>=,<,<=,like,contains,starts with,ends with'.split(',') as never;
const valueList = fc.oneof(fc.array(value, { minLength: 1, maxLength: 4 }), fc.constantFrom(50, 51, 501).map(numbers));
const tupleColumns = fc.constantFrom(['id', 'a'], ['a', 's'], ['id', 'd', 's']).map((names) => names.map(columnNamed));
const tuples = fc.oneof(
  fc.array(fc.tuple(scalar, scalar, scalar), { minLength: 1, maxLength: 4 }),
  fc.constantFrom(25, 26).map((length) => numbers(length).map((_, index) => [index, index, index])),
);
const { filter } = fc.letrec<{ filter: BoundFilter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    fc.record({
      kind: fc.constant('compare' as const),
      column,
      operator: fc.constantFrom(...operators),
      negated: fc.boolean(),
      value,
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      column,
      operator: fc.constant('like' as const),
      negated: fc.boolean(),
      value,
      escaped: fc.constant(true as const),
    }),
    fc.record({ kind: fc.constant('null' as const), column, negated: fc.boolean() }),
    fc.record({ kind: fc.constant('in' as const), column, negated: fc.boolean(), values: valueList }),
    fc.record({ kind: fc.constant('tuples' as const), columns: tupleColumns, tuples }),
    fc.record({ kind: fc.constant('between' as const), column, negated: fc.boolean(), low: value, high: value }),
    fc.record({ kind: fc.constantFrom('and', 'or', 'xor', 'nor'), left: tie('filter'), right: tie('filter') }),
    fc.record({ kind: fc.constant('not' as const), node: tie('filter') }),
  ) as fc.Arbitrary<BoundFilter>,
}));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const order = fc.array(
  fc.record({
    column,
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    nulls: fc.constantFrom(undefined, 'first' as const, 'last' as const),
  }),
  { maxLength: 3 },
);
const page = fc.constantFrom(undefined, 0, 1, 10);
const select: fc.Arbitrary<Select> = fc.record({
  table: fc.constant(table),
  columns,
  where: optional(filter),
  order: optional(order),
  group: optional(columns),
  limit: page,
  offset: page,
});
const values: fc.Arbitrary<Row> = fc.dictionary(
  fc.constantFrom(...table.columns.map((column) => column.name), 'ID', 'LAST'),
  fc.oneof(scalar, fc.constantFrom({ expression: 'now' }, { expression: 'today' })),
  { maxKeys: 4, noNullPrototype: true },
);
const common = { table: fc.constant(table), returning: columns };
const write: fc.Arbitrary<Exclude<Write, { kind: 'refuse' }>> = fc.oneof(
  fc.record({ ...common, kind: fc.constant('insert' as const), values }),
  fc.record({ ...common, kind: fc.constant('update' as const), values, where: filter }),
  fc.record({ ...common, kind: fc.constant('delete' as const), where: optional(filter) }),
);

function columnNamed(name: string): Column {
  return table.column(name)!;
}

function numbers(length: number): BoundValue[] {
  return Array.from({ length }, (_, index) => ({ kind: 'value', value: index }));
}

type Query = { kind: 'select' | 'count'; query: Select } | { kind: 'write'; query: Exclude<Write, { kind: 'refuse' }> };
const query: fc.Arbitrary<Query> = fc.oneof(
  fc.record({ kind: fc.constantFrom('select' as const, 'count' as const), query: select }),
  fc.record({ kind: fc.constant('write' as const), query: write }),
);

describe.each(Object.entries({ sqlite, mysql, mysql8Grammar, pgsql }))('plans of %s', (_, grammar) => {
  // One for all runs, so that queries meet the plans of those before them.
  const plans = makePlanner(grammar, (sql, planned) => ({ sql, names: planned.map((column) => column.name) }));
  const compileQuery = ({ kind, query }: Query): Compiled =>
    kind === 'write'
      ? compileWrite(query, grammar)
      : kind === 'count'
        ? compileCount(query, grammar)
        : compileSelect(query, grammar);
  const planQuery = ({ kind, query }: Query) =>
    kind === 'write' ? plans.write(query) : kind === 'count' ? plans.count(query) : plans.select(query);
  const resultNames = ({ kind, query }: Query) =>
    kind === 'count' ? [] : (kind === 'write' ? query.returning : query.columns).map(({ name }) => name);

  it('are what compiling the query itself gives', () => {
    fc.assert(
      fc.property(fc.array(query, { minLength: 1, maxLength: 5 }), (queries) => {
        for (const item of [...queries, ...queries]) {
          const { plan, parameters } = planQuery(item);
          expect({ sql: plan.sql, parameters: [...parameters] }).toEqual(compileQuery(item));
          expect(plan.names).toEqual(resultNames(item));
        }
      }),
      { numRuns: soakRounds(100, 10_000) },
    );
  });
});
