// A bound filter as a condition of the store. Not the `filterExpression` of @sluice/sql: on system resources LIKE ignores
// case whatever the store (contract/http-basics.md §10), and flags and moments are stored alike in every engine.
import { fail, nestingLimit } from '@sluice/contract';
import type { BoundFilter, BoundValue, Column, CompareOperator } from '@sluice/sql';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { StoreSql } from '../store/index.ts';

type Condition = Expression<SqlBool>;

/** Values one filter may bind; engines have limits of their own not far beyond. */
const valueLimit = 30_000;
/** Characters a pattern of LIKE may have: SQLite stops at 50,000 bytes. */
const patternLimit = 10_000;

/** Compiles a filter in the engine's words; values are bound, names are columns of the declaration. */
export function condition(filter: BoundFilter, words: StoreSql): Condition {
  const left = { values: valueLimit };
  return compile(filter, words, (bound) => {
    left.values -= 1;
    if (left.values < 0) throw fail('filter.tooLong', { limit: valueLimit, unit: 'values' });
    return value(bound);
  });
}

type ValueOf = (bound: BoundValue) => Expression<unknown>;
const joined = { and: 'and', or: 'or', xor: '<>' } as const;

function compile(filter: BoundFilter, words: StoreSql, value: ValueOf): Condition {
  const inner = (it: BoundFilter) => compile(it, words, value);
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
      const [column, values] = alike(filter.column, [filter.low, filter.high], words, value);
      return negate(filter, sql`${column} between ${sql.join(values, sql` and `)}`);
    }
    case 'in': {
      const [column, values] = alike(filter.column, filter.values, words, value);
      return negate(filter, sql`${column} in (${sql.join(values)})`);
    }
    case 'compare':
      return negate(filter, compare(filter, words, value));
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

type Comparison = Extract<BoundFilter, { kind: 'compare' }>;

function compare({ column, operator, value: bound }: Comparison, words: StoreSql, value: ValueOf): Expression<unknown> {
  const pattern = patterns[operator];
  if (!pattern) {
    const [left, [right]] = alike(column, [bound], words, value);
    return sql`${left} ${sql.raw(operator === '!=' ? '<>' : operator)} ${right}`;
  }
  const wanted = bound.kind === 'value' ? { ...bound, value: pattern(textOf(bound.value)) } : bound;
  return words.like(sql.ref(column.native), value(wanted));
}

const isNumber = ({ description }: Column) => ['id', 'integer', 'boolean', 'reference'].includes(description.type);

/** A column and what it is compared with: as texts when one is a number and the other not, which not every engine takes. */
function alike(column: Column, bounds: BoundValue[], words: StoreSql, value: ValueOf) {
  const isMixed = bounds.some(
    (it) => it.kind !== 'value' && isNumber(column) !== (it.kind === 'column' && isNumber(it.column)),
  );
  const shaped = (it: Expression<unknown>) => (isMixed ? words.asText(it) : it);
  return [shaped(sql.ref(column.native)), bounds.map((it) => shaped(value(it)))] as const;
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
