// A bound filter as a condition of the store. Not the `filterExpression` of @sluice/sql: on system resources LIKE ignores
// case whatever the store (contract/http-basics.md §10), and flags and moments are stored alike in every engine.
import { fail, nestingLimit } from '@sluice/contract';
import type { BoundFilter, BoundValue, CompareOperator } from '@sluice/sql';
import { type Expression, type SqlBool, sql } from 'kysely';

type Condition = Expression<SqlBool>;

/** Values one filter may bind; engines have limits of their own not far beyond. */
const valueLimit = 30_000;
/** Characters a pattern of LIKE may have: SQLite stops at 50,000 bytes. */
const patternLimit = 10_000;

/** Compiles a filter; values are bound, names are columns of the declaration. */
export function condition(filter: BoundFilter): Condition {
  const left = { values: valueLimit };
  return compile(filter, (bound) => {
    left.values -= 1;
    if (left.values < 0) throw fail('filter.tooLong', { limit: valueLimit, unit: 'values' });
    return value(bound);
  });
}

type ValueOf = (bound: BoundValue) => Expression<unknown>;
const joined = { and: 'and', or: 'or', xor: '<>' } as const;

function compile(filter: BoundFilter, value: ValueOf): Condition {
  const inner = (it: BoundFilter) => compile(it, value);
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'xor':
      return balanced(joined[filter.kind], chain(filter, filter.kind).map(inner));
    case 'nor':
      if (chain(filter, 'nor').length > nestingLimit) throw fail('filter.tooDeep', { limit: nestingLimit });
      return sql<SqlBool>`(not (${inner(filter.left)} or ${inner(filter.right)}))`;
    case 'not':
      return sql<SqlBool>`(not ${inner(filter.node)})`;
    case 'null':
      return sql<SqlBool>`(${sql.ref(filter.column.native)} is ${sql.raw(filter.negated ? 'not null' : 'null')})`;
    case 'between': {
      const { column, low, high } = filter;
      return negate(filter, sql`${sql.ref(column.native)} between ${value(low)} and ${value(high)}`);
    }
    case 'in':
      return negate(filter, sql`${sql.ref(filter.column.native)} in (${sql.join(filter.values.map(value))})`);
    case 'compare':
      return negate(filter, compare(filter.column.native, filter.operator, filter.value, value));
  }
}

/** `a and b and c` as a list; the parser nests it to the left. */
function chain(filter: BoundFilter, kind: BoundFilter['kind'] & ('and' | 'or' | 'xor' | 'nor')): BoundFilter[] {
  const operands: BoundFilter[] = [];
  let rest = filter;
  while (rest.kind === kind) {
    operands.push(rest.right);
    rest = rest.left;
  }
  return [...operands, rest].reverse();
}

/** Joins as a tree of little depth: engines refuse expressions that nest too deep (SQLite: 1000). */
function balanced(word: string, operands: Condition[]): Condition {
  if (operands.length === 1) return operands[0] as Condition;
  const middle = operands.length >> 1;
  const [left, right] = [balanced(word, operands.slice(0, middle)), balanced(word, operands.slice(middle))];
  return sql<SqlBool>`(${left} ${sql.raw(word)} ${right})`;
}

const negate = ({ negated }: { negated: boolean }, inner: Expression<unknown>): Condition =>
  negated ? sql<SqlBool>`(not ${inner})` : sql<SqlBool>`(${inner})`;

const patterns: Partial<Record<CompareOperator, (text: string) => string>> = {
  like: (text) => text,
  contains: (text) => `%${text}%`,
  'starts with': (text) => `${text}%`,
  'ends with': (text) => `%${text}`,
};

function compare(column: string, operator: CompareOperator, bound: BoundValue, value: ValueOf): Expression<unknown> {
  const pattern = patterns[operator];
  if (!pattern) return sql`${sql.ref(column)} ${sql.raw(operator === '!=' ? '<>' : operator)} ${value(bound)}`;
  const wanted = value(bound.kind === 'value' ? { kind: 'value', value: pattern(textOf(bound.value)) } : bound);
  return sql`lower(${sql.ref(column)}) like lower(${wanted})`;
}

function textOf(value: unknown): string {
  const text = String(value);
  if (text.length > patternLimit)
    throw fail('filter.tooLong', { limit: patternLimit, unit: 'characters of a pattern' });
  return text;
}

/** Flags are stored as 0 and 1, moments as ISO-8601 text. */
function value(bound: BoundValue): Expression<unknown> {
  if (bound.kind === 'column') return sql.ref(bound.column.native);
  if (bound.kind === 'value') return sql.val(typeof bound.value === 'boolean' ? Number(bound.value) : bound.value);
  const now = new Date().toISOString();
  return sql.val(bound.kind === 'now' ? now : now.slice(0, 10));
}
