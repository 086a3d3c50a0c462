// One condition of a record filter, put to a table: as the database is asked, and as a record about to be written is
// tested (contract/role-access.md §5).
import { fail, truthy } from '@sluice/contract';
import { type BoundFilter, bindFilter, type Column, type FilterNode, type Table, toNative } from '@sluice/sql';
import type { Comparable } from '../../access/certain.ts';
import { type FilterCondition, type FilterValue, isNothing } from '../../access/record-filters.ts';
import { comparable } from './comparable.ts';

export interface BoundCondition {
  column: Column;
  where: BoundFilter;
  /** What a written value is compared with. */
  wanted: Comparable[];
}

/** Throws `filter.field` for a field the table does not have and the failures of values that do not fit the field. */
export function bindCondition(condition: FilterCondition, table: Table): BoundCondition {
  const column = table.column(condition.name);
  if (!column) throw fail('filter.field', { field: condition.name.slice(0, 200) });
  const { node, params } = nodeOf(condition, column);
  const where = bindFilter(node, table, { params });
  return { column, where, wanted: wantedOf(condition, column, where) };
}

/** The tree of the condition. No text is parsed: whatever a value holds, it is the value of its place. */
function nodeOf({ operator, values }: FilterCondition, column: Column) {
  const field = column.name;
  const params: Record<string, unknown> = {};
  const value = (it: FilterValue, index = 0) => {
    if (it.isFunction) return { kind: 'function', text: String(it.value) } as const;
    // What does not fit the column is refused, whatever comes of it.
    const fits = fittingValue(column, it.value);
    if (isNothing(operator, it)) toNative(column, fits, 'filter');
    const fitting = isNothing(operator, it) ? null : fits;
    if (typeof fitting === 'string') return { kind: 'text', text: fitting, quoted: it.isQuoted } as const;
    params[`:${index}`] = fitting;
    return { kind: 'param', name: `:${index}` } as const;
  };
  const nodeFor = (): FilterNode => {
    const [first] = values;
    switch (operator) {
      case 'is null':
      case 'is not null':
        return { kind: 'null', field, negated: operator === 'is not null' };
      case 'in':
      case 'not in':
        return { kind: 'in', field, negated: operator === 'not in', values: values.map(value) };
      case 'contains':
      case 'starts with':
      case 'ends with': {
        const before = operator === 'starts with' ? '' : '%';
        const text = `${before}${first!.pattern}${operator === 'ends with' ? '' : '%'}`;
        const pattern = { kind: 'text', text, quoted: true } as const;
        return { kind: 'compare', field, operator: 'like', negated: false, value: pattern, escaped: true };
      }
      default:
        if (first!.value === null && (operator === '=' || operator === '!='))
          return { kind: 'null', field, negated: operator === '!=' };
        return { kind: 'compare', field, operator, negated: false, value: value(first!) };
    }
  };
  return { node: nodeFor(), params };
}

const truths = new Set(['true', '1', 'yes', 'on', 'y', 't']);
const falsehoods = new Set(['false', '0', 'no', 'off', 'n', 'f']);

/**
 * A text that is no value of the column, as a lookup nobody knows is one, must not become one on its way: a truth value
 * takes any text for false, and MariaDB takes any text for the integer 0.
 */
function fittingValue(column: Column, value: FilterValue['value']): unknown {
  if (typeof value !== 'string') return value;
  const { type } = column.description;
  if (type === 'boolean') {
    const word = value.trim().toLowerCase();
    return truths.has(word) || falsehoods.has(word) ? truthy(word) : null;
  }
  if (type === 'bigint' && value !== '' && !/^\s*[+-]?\d/.test(value))
    throw fail('field.integer', { field: column.name });
  return value;
}

function wantedOf({ operator, values }: FilterCondition, column: Column, where: BoundFilter): Comparable[] {
  switch (operator) {
    case 'is null':
    case 'is not null':
      return [];
    case 'contains':
    case 'starts with':
    case 'ends with':
      return values.map((it) => ({ kind: 'text', text: String(it.value) }));
  }
  if (where.kind === 'null') return [null];
  const bound = where.kind === 'in' ? where.values : where.kind === 'compare' ? [where.value] : [];
  // A value that became null equals nothing, not even null.
  return bound.map((it) =>
    it.kind === 'value' && it.value !== null ? comparable(column, it.value) : { kind: 'opaque' },
  );
}
