// Filters and orders of @sluice/sql in the terms of the store, whose tables are alike on every engine: moments are
// ISO-8601 text, flags are numbers, and a number is compared with a text as texts, which not every engine does by itself.
import { fail } from '@sluice/contract';
import { type BoundFilter, type BoundValue, type Column, isPatternOperator, type OrderTerm } from '@sluice/sql';
import { sql } from 'kysely';
import type { StoreSql } from '../store/index.ts';

/** Values one filter may bind; engines have limits of their own not far beyond. */
const maxValues = 30_000;
/** Characters a pattern of LIKE may have: SQLite stops at 50,000 bytes. */
const maxPatternLength = 10_000;

/** The filter as `filterExpression` compiles it for the store. Throws `filter.tooLong`. */
export function filterForStore(filter: BoundFilter, storeSql: StoreSql): BoundFilter {
  let valueCount = 0;
  const countAndConvert = (value: BoundValue): BoundValue => {
    valueCount += 1;
    if (valueCount > maxValues) throw fail('filter.tooLong', { limit: maxValues, unit: 'values' });
    return valueForStore(value);
  };
  const convert = (node: BoundFilter): BoundFilter => {
    switch (node.kind) {
      case 'and':
      case 'or':
      case 'xor':
      case 'nor':
        return { ...node, left: convert(node.left), right: convert(node.right) };
      case 'not':
        return { ...node, node: convert(node.node) };
      case 'null':
      // What joins records of a database; the store has its own ways.
      case 'tuples':
        return node;
      case 'in': {
        const [column, list] = comparableSides(node.column, node.values.map(countAndConvert), storeSql);
        return { ...node, column, values: list };
      }
      case 'between': {
        const [column, [low, high]] = comparableSides(
          node.column,
          [countAndConvert(node.low), countAndConvert(node.high)],
          storeSql,
        );
        return { ...node, column, low: low as BoundValue, high: high as BoundValue };
      }
      case 'compare': {
        if (isPatternOperator(node.operator)) {
          requirePatternLength(node.value);
          return { ...node, value: countAndConvert(node.value) };
        }
        const [column, [value]] = comparableSides(node.column, [countAndConvert(node.value)], storeSql);
        return { ...node, column, value: value as BoundValue };
      }
    }
  };
  return convert(filter);
}

function requirePatternLength(value: BoundValue): void {
  if (value.kind === 'value' && String(value.value).length > maxPatternLength)
    throw fail('filter.tooLong', { limit: maxPatternLength, unit: 'characters of a pattern' });
}

function valueForStore(value: BoundValue): BoundValue {
  if (value.kind !== 'now' && value.kind !== 'today') return value;
  const moment = new Date().toISOString();
  return { kind: 'value', value: value.kind === 'now' ? moment : moment.slice(0, 10) };
}

/** A column and what it is compared with: all as texts when one is a number and another is not. */
function comparableSides(column: Column, values: BoundValue[], storeSql: StoreSql): [Column, BoundValue[]] {
  const isMixed = values.some((value) => isNumericValue(value, column) !== isNumberColumn(column));
  if (!isMixed) return [column, values];
  return [textColumn(column, storeSql), values.map((value) => textValue(value, storeSql))];
}

/** A value that was sent has the type of the column it is compared with; moments are text. */
function isNumericValue(value: BoundValue, column: Column): boolean {
  if (value.kind === 'column') return isNumberColumn(value.column);
  if (value.kind === 'value' && typeof value.value !== 'string') return isNumberColumn(column);
  return false;
}

const isNumberColumn = ({ description }: Column): boolean => description.db_type === 'bigint';

function textValue(value: BoundValue, storeSql: StoreSql): BoundValue {
  if (value.kind === 'column') return { kind: 'column', column: textColumn(value.column, storeSql) };
  if (value.kind === 'value' && value.value !== null) return { kind: 'value', value: String(value.value) };
  return value;
}

const textColumns = new WeakMap<StoreSql, WeakMap<Column, Column>>();

/** The column as conditions compare it with a text. */
function textColumn(column: Column, storeSql: StoreSql): Column {
  const cache = textColumns.get(storeSql) ?? new WeakMap<Column, Column>();
  textColumns.set(storeSql, cache);
  const cached = cache.get(column);
  if (cached) return cached;
  const filter = storeSql.asText(sql.ref(column.native)).compile(storeSql.grammar.kysely).sql;
  const text = { ...column, description: { ...column.description, db_type: 'text' }, expression: { filter } };
  cache.set(column, text);
  return text;
}

/** The term with nulls before everything else, unless it says where they come. A column without nulls keeps to its index. */
export function orderForStore(term: OrderTerm, { sortsNullsLast }: StoreSql): OrderTerm {
  if (!term.column.description.allow_null) return { ...term, nulls: undefined };
  if (term.nulls || !sortsNullsLast) return term;
  return { ...term, nulls: term.direction === 'asc' ? 'first' : 'last' };
}
