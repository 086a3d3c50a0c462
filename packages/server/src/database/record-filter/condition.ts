// One condition of a record filter, bound to a table: for queries, and for the test of a record about to be written
// (contract/role-access.md §5).
import { fail, quoteName, truthy } from '@sluice/contract';
import { type BoundFilter, bindFilter, type Column, type FilterNode, type Table, toNative } from '@sluice/sql';
import type { Comparable } from '../../access/definitely-passes.ts';
import { type FilterCondition, type FilterValue, matchesNothing } from '../../access/record-filters.ts';
import { toComparable } from './comparable.ts';

export interface BoundCondition {
  column: Column;
  where: BoundFilter;
  /** What a written value is compared with. */
  comparedValues: Comparable[];
}

/** Throws `filter.field` for a field the table does not have and the failures of values that do not fit the field. */
export function bindCondition(condition: FilterCondition, table: Table): BoundCondition {
  const column = table.column(condition.name);
  if (!column) throw fail('filter.field', { field: condition.name.slice(0, 200) });
  const { node, params } = buildNode(condition, column);
  const where = bindFilter(node, table, { params });
  return { column, where, comparedValues: comparedValuesOf(condition, column, where) };
}

/** The tree of the condition. No text is parsed: whatever a value holds, it stays one value. */
function buildNode({ operator, values }: FilterCondition, column: Column) {
  const field = quoteName(column.name);
  const params: Record<string, unknown> = {};
  const valueNode = (filterValue: FilterValue, index = 0) => {
    if (filterValue.isFunction) return { kind: 'function', text: String(filterValue.value) } as const;
    // A value that does not fit the column is refused, even one that is not used.
    const fitting = fittingValue(column, filterValue.value);
    if (matchesNothing(operator, filterValue)) toNative(column, fitting, 'filter');
    const value = matchesNothing(operator, filterValue) ? null : fitting;
    if (typeof value === 'string') return { kind: 'text', text: value, quoted: filterValue.isQuoted } as const;
    params[`:${index}`] = value;
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
        return { kind: 'in', field, negated: operator === 'not in', values: values.map(valueNode) };
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
        return { kind: 'compare', field, operator, negated: false, value: valueNode(first!) };
    }
  };
  return { node: nodeFor(), params };
}

const trueWords = new Set(['true', '1', 'yes', 'on', 'y', 't']);
const falseWords = new Set(['false', '0', 'no', 'off', 'n', 'f']);

/**
 * A text that is no value of the column, such as an unknown lookup, must not become one on its way: a boolean takes any text
 * for false, and MariaDB takes any text for the integer 0.
 */
function fittingValue(column: Column, value: FilterValue['value']): unknown {
  if (typeof value !== 'string') return value;
  const { type } = column.description;
  if (type === 'boolean') {
    const word = value.trim().toLowerCase();
    return trueWords.has(word) || falseWords.has(word) ? truthy(word) : null;
  }
  if (type === 'bigint' && value !== '' && !/^\s*[+-]?\d/.test(value))
    throw fail('field.integer', { field: column.name });
  return value;
}

function comparedValuesOf({ operator, values }: FilterCondition, column: Column, where: BoundFilter): Comparable[] {
  switch (operator) {
    case 'is null':
    case 'is not null':
      return [];
    case 'contains':
    case 'starts with':
    case 'ends with':
      return values.map((filterValue) => ({ kind: 'text', text: String(filterValue.value) }));
  }
  if (where.kind === 'null') return [null];
  const bound = where.kind === 'in' ? where.values : where.kind === 'compare' ? [where.value] : [];
  // A value that became null equals nothing, not even null.
  return bound.map((value) =>
    value.kind === 'value' && value.value !== null ? toComparable(column, value.value) : { kind: 'opaque' },
  );
}
