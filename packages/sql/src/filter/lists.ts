// Field lists, orders and groups of a query (contract/database-tables.md §2, §5).
import { batchLimit, fail, splitNames, withoutQuotedNames } from '@sluice/contract';
import type { OrderTerm } from '../query/index.ts';
import { type Column, columnNamed, isReadable, oncePerTable, type Table } from '../schema/index.ts';
import { excerpt } from './excerpt.ts';
import { memoizeByTable } from './memoize.ts';

/**
 * `fields` as sent: a CSV text or a list; `*` or undefined is every column but aggregates, empty is the key.
 * Each column once, in the order asked. Throws `filter.requestedField` and `filter.tooManyNames`.
 */
export function parseFields(fields: string | readonly string[] | undefined, table: Table): Column[] {
  if (fields === undefined) return parseFieldText('*', table);
  return typeof fields === 'string' ? parseFieldText(fields, table) : parseFieldNames(fields, table);
}

const parseFieldText = memoizeByTable<Column[]>((text, table) => parseFieldNames(text, table));

function parseFieldNames(fields: string | readonly string[], table: Table): Column[] {
  const names = namesOf('fields', fields);
  if (names.length === 0) return table.key;
  const columns = new Set<Column>();
  for (const name of names) {
    if (name.trim() === '*') for (const column of defaultColumns(table)) columns.add(column);
    else {
      // An item of a list is a name as it stands.
      const column =
        typeof fields === 'string' ? columnNamed(table, name) : (table.column(name) ?? table.column(name.trim()));
      if (!column || !isReadable(column)) throw fail('filter.requestedField', { field: excerpt(name) });
      columns.add(column);
    }
  }
  return [...columns];
}

/** Characters of an order: enough for thousands of columns. */
const maxOrderLength = 256 * 1024;

/**
 * `a asc, b desc nulls last`. Any second word but `asc` means descending, as it always did.
 * Throws `filter.order`, `filter.orderField` and `filter.tooManyNames`.
 */
export const parseOrder = memoizeByTable((text, table): OrderTerm[] => {
  if (text.length > maxOrderLength) throw fail('filter.order');
  const unquotedText = withoutQuotedNames(text);
  if (unquotedText.includes(';')) throw fail('filter.order');
  if (/sleep\s*\(/i.test(unquotedText)) throw fail('filter.sleep');
  // Only the first word on a column counts, so that a statement has as many terms as columns at most.
  const terms = new Map<Column, OrderTerm>();
  for (const item of namesOf('order', text)) {
    const term = parseOrderTerm(item, table);
    if (!terms.has(term.column)) terms.set(term.column, term);
  }
  return [...terms.values()];
});

/**
 * The order of records: that of a text, and then of what tells them apart, so that pages neither lose records nor repeat
 * them. Without a text that of the key alone. Throws what `parseOrder` does.
 */
export function parseRecordOrder(text: string | undefined, table: Table): readonly OrderTerm[] {
  return text?.trim() ? parseTotalOrder(text, table) : keyOrder(table);
}

const parseTotalOrder = memoizeByTable((text, table): OrderTerm[] => {
  const terms = parseOrder(text, table);
  const ordered = new Set(terms.map(({ column }) => column));
  if (terms.some(({ column }) => isUniqueAlone(column))) return terms;
  // The whole is in one direction where it can be: an index is then read forwards or backwards, and nothing is sorted.
  const direction = terms.at(-1)?.direction ?? 'asc';
  const rest = identifyingColumns(table).filter((column) => !ordered.has(column));
  return [...terms, ...rest.map((column): OrderTerm => ({ column, direction }))];
});

const keyOrder = oncePerTable(({ key }) => key.map((column): OrderTerm => ({ column, direction: 'asc' })));

const isUniqueAlone = ({ description, expression }: Column): boolean =>
  description.is_unique && !description.allow_null && expression === undefined;

/** The key; without one a field that no two records share, or all that records are told apart by. */
function identifyingColumns({ key, columns }: Table): Column[] {
  if (key.length > 0) return key;
  const unique = columns.find(isUniqueAlone);
  return unique ? [unique] : columns.filter((column) => column.expression === undefined && isOrderable(column));
}

/** Types whose values every database orders; some that are shown as text (json, xml, points) have no order. */
const isOrderable = ({ description: { type, db_type } }: Column): boolean =>
  type === 'string' || type === 'text'
    ? /^($|n?(var)?char|character|text|citext|uuid|enum|set|tinytext|mediumtext|longtext)/i.test(db_type ?? '')
    : /^((big)?int|id|reference|bool|decimal|float|double|money|date|time|user_id)/.test(type);

/** Characters of a term: names are shorter in all databases. */
const maxTermLength = 1000;

function parseOrderTerm(term: string, table: Table): OrderTerm {
  if (term.length > maxTermLength) throw fail('filter.orderField', { field: excerpt(term) });
  const [rest, lastWord] = splitLastWord(term);
  const [withoutNulls, wordBefore] = splitLastWord(rest);
  // A field may be called like that.
  if (wordBefore !== 'nulls' || (lastWord !== 'first' && lastWord !== 'last') || findOrderColumn(term, table))
    return parseDirectedTerm(term, table);
  return { ...parseDirectedTerm(withoutNulls, table), nulls: lastWord };
}

function parseDirectedTerm(term: string, table: Table): OrderTerm {
  // A name with blanks in it may stand alone or before its direction.
  const exactColumn = findOrderColumn(term, table);
  if (exactColumn) return { column: exactColumn, direction: 'asc' };
  const [name, direction] = splitLastWord(term);
  const column = findOrderColumn(name, table);
  if (!column) throw fail('filter.orderField', { field: excerpt(name) });
  return { column, direction: direction === undefined || direction === 'asc' ? 'asc' : 'desc' };
}

function findOrderColumn(name: string, table: Table): Column | undefined {
  const column = columnNamed(table, name);
  return column && isReadable(column) ? column : undefined;
}

/** What stands before the last word, and that word in lower case; no word when it is the only one. */
function splitLastWord(text: string): [rest: string, word: string | undefined] {
  const cut = text.search(/\s\S+$/);
  return cut < 0 ? [text, undefined] : [text.slice(0, cut).trim(), text.slice(cut).trim().toLowerCase()];
}

/** `a,b`: fields only. Throws `filter.group`, `filter.groupField` and `filter.tooManyNames`. */
export function parseGroup(text: string, table: Table): Column[] {
  if (withoutQuotedNames(text).includes(';')) throw fail('filter.group');
  const columns = namesOf('group', text).map((name) => {
    const column = columnNamed(table, name);
    if (!column || !isReadable(column) || column.description.is_aggregate)
      throw fail('filter.groupField', { field: excerpt(name) });
    return column;
  });
  return [...new Set(columns)];
}

const defaultColumns = (table: Table) =>
  table.columns.filter((column) => !column.description.is_aggregate && isReadable(column));

/** The names of a list. Throws `filter.tooManyNames`. */
function namesOf(parameter: string, list: string | readonly string[]): string[] {
  const names = typeof list === 'string' ? splitNames(list) : list.filter((item) => item.trim() !== '');
  if (names.length > batchLimit) throw fail('filter.tooManyNames', { parameter, limit: batchLimit });
  return names;
}
