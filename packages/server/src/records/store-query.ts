// Filters and orders of @sluice/sql in the terms of the store, whose tables are alike on every engine: moments are
// ISO-8601 text, flags are numbers, and a number is compared with a text as texts, which not every engine does by itself.
import { fail, textLengths } from '@sluice/contract';
import { type BoundFilter, type BoundValue, type Column, isPatternOperator, type OrderTerm } from '@sluice/sql';
import { sql } from 'kysely';
import type { StoreSql } from '../store/index.ts';

/** What one filter of a system resource may have; looking for a pattern costs its length times that of the text. */
const limits = { characters: 262_144, comparisons: 500, values: 30_000, patterns: 20, patternLength: 255 };

/** A filter as `filterExpression` compiles it for the store. */
export interface StoreFilter {
  filter: BoundFilter;
  /** How often it goes over each byte of a text, at most and roughly. */
  passes: number;
}

/** Refuses a text that is too long to be read. Throws `filter.tooLong`. */
export function requireFilterLength(text: string): void {
  if (text.length > limits.characters) throw tooLong(limits.characters, 'characters');
}

/** The filter in the terms of the store. Throws `filter.tooLong`. */
export function filterForStore(filter: BoundFilter, storeSql: StoreSql): StoreFilter {
  const counts = { comparisons: 0, values: 0, patterns: 0 };
  let passes = 0;
  const count = (what: keyof typeof counts, cost = 0) => {
    counts[what] += 1;
    passes += cost;
    if (counts[what] > limits[what]) throw tooLong(limits[what], what);
  };
  const countAndConvert = (value: BoundValue): BoundValue => {
    count('values', 0.01);
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
        count('comparisons', 1);
        return node;
      // What joins records of a database; the store has its own ways.
      case 'tuples':
        return node;
      case 'in': {
        count('comparisons', 2);
        const [column, list] = comparableSides(node.column, node.values.map(countAndConvert), storeSql);
        return { ...node, column, values: list };
      }
      case 'between': {
        count('comparisons', 2);
        const [column, [low, high]] = comparableSides(
          node.column,
          [countAndConvert(node.low), countAndConvert(node.high)],
          storeSql,
        );
        return { ...node, column, low: low as BoundValue, high: high as BoundValue };
      }
      case 'compare': {
        count('comparisons', 1);
        if (isPatternOperator(node.operator)) {
          count('patterns', patternLength(node.value));
          return { ...node, value: countAndConvert(node.value) };
        }
        const [column, [value]] = comparableSides(node.column, [countAndConvert(node.value)], storeSql);
        return { ...node, column, value: value as BoundValue };
      }
    }
  };
  return { filter: convert(filter), passes };
}

const tooLong = (limit: number, unit: string) => fail('filter.tooLong', { limit, unit });

/** The characters of a pattern, of a column those it takes. Throws `filter.tooLong`. */
function patternLength(value: BoundValue): number {
  if (value.kind !== 'value' && value.kind !== 'column') return 0;
  const length = value.kind === 'column' ? (value.column.description.length ?? 0) : String(value.value).length;
  if (length > limits.patternLength) throw tooLong(limits.patternLength, 'characters of a pattern');
  return length;
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

/**
 * The term with nulls before everything else, unless it says where they come. A column without nulls keeps to its index.
 * Long texts are ordered by how they begin: a database sorts whole ones in files of their size.
 */
export function orderForStore({ column, ...rest }: OrderTerm, storeSql: StoreSql): OrderTerm {
  const { sortsNullsLast } = storeSql;
  const term = {
    ...rest,
    column: (column.description.length ?? 0) > textLengths.line ? shortened(column, storeSql) : column,
  };
  if (!term.column.description.allow_null) return { ...term, nulls: undefined };
  if (term.nulls || !sortsNullsLast) return term;
  return { ...term, nulls: term.direction === 'asc' ? 'first' : 'last' };
}

function shortened(column: Column, { grammar }: StoreSql): Column {
  const select = sql`substr(${sql.ref(column.native)}, 1, ${sql.lit(textLengths.line)})`.compile(grammar.kysely).sql;
  return { ...column, expression: { select } };
}
