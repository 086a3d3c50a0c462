// Field lists, orders and groups of a query (contract/database-tables.md §2, §5).
import { fail } from '@sluice/contract';
import type { OrderTerm } from '../query/index.ts';
import { type Column, isReadable, type Table } from '../schema/index.ts';
import { keptByTable } from './kept.ts';
import { shown } from './shown.ts';

/**
 * `fields` as sent: a CSV text or a list; `*` or undefined is every column but aggregates, empty is the key.
 * Each column once, in the order asked. Throws `filter.requestedField`.
 */
export function parseFields(fields: string | readonly string[] | undefined, table: Table): Column[] {
  if (fields === undefined) return fieldsOf('*', table);
  return typeof fields === 'string' ? fieldsOf(fields, table) : readFields(fields, table);
}

const fieldsOf = keptByTable<Column[]>((text, table) => readFields(text, table));

function readFields(fields: string | readonly string[], table: Table): Column[] {
  const names = list(fields);
  if (names.length === 0) return table.key;
  const columns = new Set<Column>();
  for (const name of names) {
    if (name === '*') for (const column of plain(table)) columns.add(column);
    else {
      const column = table.column(name);
      if (!column || !isReadable(column)) throw fail('filter.requestedField', { field: shown(name) });
      columns.add(column);
    }
  }
  return [...columns];
}

/**
 * `a asc, b desc nulls last`. Any second word but `asc` means descending, as it always did.
 * Throws `filter.order` and `filter.orderField`.
 */
export const parseOrder = keptByTable((text, table): OrderTerm[] => {
  if (text.includes(';')) throw fail('filter.order');
  if (/sleep\s*\(/i.test(text)) throw fail('filter.sleep');
  // Only the first word on a column counts, so that a statement has as many terms as columns at most.
  const terms = new Map<Column, OrderTerm>();
  for (const item of list(text)) {
    const term = orderTerm(item, table);
    if (!terms.has(term.column)) terms.set(term.column, term);
  }
  return [...terms.values()];
});

function orderTerm(term: string, table: Table): OrderTerm {
  const [rest, last] = lastWord(term);
  const [before, word] = lastWord(rest);
  // A field may be called like that.
  if (word !== 'nulls' || (last !== 'first' && last !== 'last') || orderColumn(term, table))
    return directedTerm(term, table);
  return { ...directedTerm(before, table), nulls: last };
}

function directedTerm(term: string, table: Table): OrderTerm {
  // A name with blanks in it may stand alone or before its direction.
  const whole = orderColumn(term, table);
  if (whole) return { column: whole, direction: 'asc' };
  const [name, word] = lastWord(term);
  const column = orderColumn(name, table);
  if (!column) throw fail('filter.orderField', { field: shown(name) });
  return { column, direction: word === undefined || word === 'asc' ? 'asc' : 'desc' };
}

function orderColumn(name: string, table: Table): Column | undefined {
  const column = table.column(name);
  return column && isReadable(column) ? column : undefined;
}

/** What stands before the last word, and that word in lower case; no word when it is the only one. */
function lastWord(text: string): [rest: string, word: string | undefined] {
  const cut = text.search(/\s\S+$/);
  return cut < 0 ? [text, undefined] : [text.slice(0, cut).trim(), text.slice(cut).trim().toLowerCase()];
}

/** `a,b`: fields only. Throws `filter.group` and `filter.groupField`. */
export function parseGroup(text: string, table: Table): Column[] {
  if (text.includes(';')) throw fail('filter.group');
  const columns = list(text).map((name) => {
    const column = table.column(name);
    if (!column || !isReadable(column) || column.description.is_aggregate)
      throw fail('filter.groupField', { field: shown(name) });
    return column;
  });
  return [...new Set(columns)];
}

const plain = (table: Table) =>
  table.columns.filter((column) => !column.description.is_aggregate && isReadable(column));

const list = (names: string | readonly string[]): string[] =>
  (typeof names === 'string' ? names.split(',') : [...names]).map((item) => item.trim()).filter((item) => item !== '');
