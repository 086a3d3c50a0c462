import { fail, fillBraces } from '@sluice/contract';
import { isTypeless, momentOf, safeText, toNative } from '../convert/native.ts';
import type {
  BoundFilter,
  BoundValue,
  CompareOperator,
  FilterContext,
  FilterNode,
  FilterValue,
} from '../query/index.ts';
import { type Column, columnNamed, isComparable, type Table } from '../schema/index.ts';
import { excerpt } from './excerpt.ts';

/**
 * Turns the names of a filter into columns of the table and its values into values of the column's type. Parameters and
 * lookups become values here, never text that is parsed again.
 * Throws `filter.field` and `filter.function` and the failures of `toNative`, all 400.
 */
export function bindFilter(node: FilterNode, table: Table, context: FilterContext = {}): BoundFilter {
  const bind = (child: FilterNode) => bindFilter(child, table, context);
  switch (node.kind) {
    case 'not':
      return { kind: 'not', node: bind(node.node) };
    case 'and':
    case 'or':
    case 'xor':
    case 'nor':
      return { kind: node.kind, left: bind(node.left), right: bind(node.right) };
  }
  const column = findColumn(table, node.field);
  const bindOperand = (operand: FilterValue) => bindValue(operand, column, table, context);
  switch (node.kind) {
    case 'null':
      return { kind: 'null', column, negated: node.negated };
    case 'in':
      return { kind: 'in', column, negated: node.negated, values: node.values.map(bindOperand) };
    case 'between':
      return {
        kind: 'between',
        column,
        negated: node.negated,
        low: bindOperand(node.low),
        high: bindOperand(node.high),
      };
    case 'compare': {
      const { operator, negated, escaped } = node;
      return {
        kind: 'compare',
        column,
        operator,
        negated,
        value: bindValue(node.value, column, table, context, operator),
        ...(escaped ? { escaped } : {}),
      };
    }
  }
}

function findColumn(table: Table, field: string): Column {
  const column = columnNamed(table, field);
  if (!column || !isComparable(column)) throw fail('filter.field', { field: excerpt(field) });
  return column;
}

function bindValue(
  value: FilterValue,
  column: Column,
  table: Table,
  context: FilterContext,
  operator?: CompareOperator,
): BoundValue {
  if (value.kind === 'function') {
    const moment = momentOf(value.text);
    if (moment) return { kind: moment };
    const other = columnNamed(table, value.text);
    if (!other || !isComparable(other)) throw fail('filter.function', { text: excerpt(value.text) });
    return { kind: 'column', column: other };
  }
  return { kind: 'value', value: convertOperand(resolveText(value, context), column, operator, isQuoted(value)) };
}

const isQuoted = (value: FilterValue) => value.kind === 'text' && value.quoted;

/** The value behind a parameter or a text, its lookups filled in. A parameter that was not sent is its own text. */
function resolveText(value: Exclude<FilterValue, { kind: 'function' }>, context: FilterContext): unknown {
  let resolved: unknown;
  if (value.kind === 'text') resolved = value.text;
  else {
    const params = context.params ?? {};
    const name = [value.name, value.name.slice(1)].find((spelling) => Object.hasOwn(params, spelling));
    resolved = name === undefined ? value.name : params[name];
  }
  return typeof resolved === 'string' ? fillLookups(resolved, context) : resolved;
}

/** Fills `{name}` in; what the context does not know stays as written. */
export function fillLookups(text: string, context: FilterContext): string {
  const { lookup } = context;
  return lookup ? fillBraces(text, lookup) : text;
}

/**
 * A pattern is converted with its wildcards: on a column of numbers `contains` is refused, as it is no number
 * (contract/database-tables.md §4.2). The wildcards themselves are put in where the SQL is made.
 */
function convertOperand(
  value: unknown,
  column: Column,
  operator: CompareOperator | undefined,
  quoted: boolean,
): unknown {
  switch (operator) {
    case 'like':
    case 'contains':
    case 'starts with':
    case 'ends with': {
      const text = value === null ? null : safeText(value);
      if (!patternTypes.has(column.description.type)) {
        toNative(column, operator === 'like' ? text : `%${text}%`, 'filter');
      }
      return text;
    }
    default:
      // On a column without a type the quotes tell text from number.
      return quoted && isTypeless(column) ? value : toNative(column, value, 'filter');
  }
}

/** Types whose values are text in a pattern whatever it says. */
const patternTypes = new Set<string>([
  'string',
  'text',
  'uuid',
  'json',
  'bigint',
  'money',
  'binary',
  'date',
  'time',
  'timetz',
  'datetime',
  'datetimetz',
  'timestamp',
  'timestamptz',
  'timestamp_on_create',
  'timestamp_on_update',
]);
