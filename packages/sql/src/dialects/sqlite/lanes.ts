// Which calls are short enough for the main thread: those that touch a few rows by an index, whatever the table holds.
import type { BoundFilter, Select, Table, Write } from '../../types.ts';
import type { TableFacts } from './introspect.ts';

/** What is known of a table by its real name. */
export type Facts = (table: string) => TableFacts;

/** Keys in one IN that still count as a short read. */
const shortList = 100;

/** A read of rows by the values of their whole key. */
export function isShortRead(query: Select, factsOf: Facts): boolean {
  if (!query.where || (query.group && query.group.length > 0)) return false;
  return namesKey(query.table, query.where, shortList) && factsOf(query.table.native.name).kind === 'table';
}

/** An insert, or a write to one row by its key, that starts no trigger and no search for rows that refer to it. */
export function isShortWrite(write: Write, factsOf: Facts): boolean {
  if (write.kind === 'refuse') return true;
  const facts = factsOf(write.table.native.name);
  if (facts.kind !== 'table' || facts.hasTriggers) return false;
  if (write.kind === 'insert') return true;
  if (!write.where || !namesKey(write.table, write.where, 1)) return false;
  if (write.kind === 'delete') return facts.referenced.size === 0;
  return !Object.keys(write.values).some((it) => facts.referenced.has(write.table.column(it)?.native ?? ''));
}

/** True when the filter leaves at most `limit` rows because it demands values for the whole key. */
function namesKey(table: Table, filter: BoundFilter, limit: number): boolean {
  if (table.key.length === 0) return false;
  const demands = new Set<string>();
  const visit = (node: BoundFilter): void => {
    if (node.kind === 'and') {
      visit(node.left);
      visit(node.right);
    } else if (node.kind === 'compare' && node.operator === '=' && !node.negated && node.value.kind === 'value') {
      demands.add(node.column.native);
    } else if (node.kind === 'in' && !node.negated && table.key.length === 1 && node.values.length <= limit) {
      if (node.values.every((it) => it.kind === 'value')) demands.add(node.column.native);
    }
  };
  visit(filter);
  return table.key.every((it) => demands.has(it.native));
}
