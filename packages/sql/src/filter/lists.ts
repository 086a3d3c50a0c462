// Field lists, orders and groups of a query (contract/database-tables.md §2, §5).
import { fail } from '@sluice/contract';
import type { Column, OrderTerm, Table } from '../types.ts';
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
      if (!column) throw fail('filter.requestedField', { field: shown(name) });
      columns.add(column);
    }
  }
  return [...columns];
}

/**
 * `a asc, b desc`. Any second word but `asc` means descending, as it always did; NULLS FIRST and NULLS LAST are refused.
 * Throws `filter.order` and `filter.orderField`.
 */
export const parseOrder = keptByTable((text, table): OrderTerm[] => {
  if (text.includes(';')) throw fail('filter.order');
  if (/sleep\s*\(/i.test(text)) throw fail('filter.sleep');
  // Only the first word on a column counts, so that a statement has as many terms as columns at most.
  const terms = new Map<Column, OrderTerm>();
  for (const it of list(text)) {
    const term = orderTerm(it, table);
    if (!terms.has(term.column)) terms.set(term.column, term);
  }
  return [...terms.values()];
});

function orderTerm(term: string, table: Table): OrderTerm {
  // A name with blanks in it may stand alone or before its direction.
  const whole = table.column(term);
  if (whole) return { column: whole, direction: 'asc' };
  const cut = term.search(/\s\S+$/);
  const name = (cut < 0 ? term : term.slice(0, cut)).trim();
  const word = cut < 0 ? 'asc' : term.slice(cut).trim().toLowerCase();
  if (/\snulls$/i.test(name)) throw fail('filter.order');
  const column = table.column(name);
  if (!column) throw fail('filter.orderField', { field: shown(name) });
  return { column, direction: word === 'asc' ? 'asc' : 'desc' };
}

/** `a,b`: fields only. Throws `filter.group` and `filter.groupField`. */
export function parseGroup(text: string, table: Table): Column[] {
  if (text.includes(';')) throw fail('filter.group');
  const columns = list(text).map((name) => {
    const column = table.column(name);
    if (!column) throw fail('filter.groupField', { field: shown(name) });
    return column;
  });
  return [...new Set(columns)];
}

const plain = (table: Table) => table.columns.filter((it) => !it.description.is_aggregate);

const list = (names: string | readonly string[]): string[] =>
  (typeof names === 'string' ? names.split(',') : [...names]).map((it) => it.trim()).filter((it) => it !== '');
