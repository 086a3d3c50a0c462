// Which calls are short enough for the main thread. Some are by what they ask: they touch a few rows by an index,
// whatever the table holds. Others are by experience: a small table, and quick each time so far. docs/performance.md
// tells what was measured.
import type { BoundFilter, Select, Write } from '../../query/index.ts';
import type { Table } from '../../schema/index.ts';
import type { TableFacts } from './introspect.ts';

/** Keys in one IN, and rows of one page, that still count as a short read. */
const shortList = 100;
/** Rows passed over before a page that still count as a short read. */
const shortOffset = 1000;

/** A read of rows by the values of their whole key, or of one of the first pages in the order of the key. */
export function isShortRead(query: Select, facts: TableFacts): boolean {
  if (facts.kind !== 'table' || query.table.hasExpressions) return false;
  if ((query.group && query.group.length > 0) || hasLongPattern(query.where)) return false;
  return query.where ? namesKey(query.table, query.where, shortList) : isFirstPage(query);
}

function isFirstPage({ table, order = [], limit, offset = 0 }: Select): boolean {
  if (limit === undefined || limit > shortList || offset > shortOffset) return false;
  return order.every(
    ({ column, direction, nulls }, index) =>
      column === table.key[index] && direction === order[0]?.direction && nulls === undefined,
  );
}

/** Quick runs in the child, one after the other, that make a query known as quick; milliseconds that are quick. */
const knownAfter = 5;
const quick = { child: 2, here: 5 };
/** Runs in the child that a query which was slow on the main thread needs before it comes back. */
const penalty = 50;

/** What was seen of a query's runs. */
export class Experience {
  private quickRuns = 0;

  get isQuick(): boolean {
    return this.quickRuns >= knownAfter;
  }

  /** Takes note of a run in the child. */
  ranThere(ms: number): void {
    this.quickRuns = ms <= quick.child ? Math.min(this.quickRuns + 1, knownAfter) : Math.min(0, this.quickRuns);
  }

  /** Takes note of a run on the main thread. */
  ranHere(ms: number): void {
    if (ms > quick.here) this.quickRuns = knownAfter - penalty;
  }
}

/** Whether experience may decide about a query: one page of a table, however it is found, or what joins to one. */
export const isPage = ({ limit = Infinity, where }: Pick<Select, 'limit' | 'where'>, facts: TableFacts): boolean =>
  facts.kind === 'table' && limit <= (isJoining(where) ? shortJoin : shortList) && !hasLongPattern(where);

/** Rows that may join to those of a page. */
const shortJoin = 1001;

function isJoining(where: BoundFilter | undefined): boolean {
  if (where?.kind === 'and') return isJoining(where.left) || isJoining(where.right);
  return where?.kind === 'in' && where.joins === true;
}

/** An insert, or a write to one row by its key, that starts no trigger and no search for rows that refer to it. */
export function isShortWrite(write: Exclude<Write, { kind: 'refuse' }>, facts: TableFacts): boolean {
  if (facts.kind !== 'table' || facts.hasTriggers || write.table.hasExpressions) return false;
  if (write.kind === 'insert') return true;
  if (!write.where || !namesKey(write.table, write.where, 1) || hasLongPattern(write.where)) return false;
  if (write.kind === 'delete') return facts.referenced.size === 0;
  return !Object.keys(write.values).some((field) => facts.referenced.has(write.table.column(field)?.native ?? ''));
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
      if (node.values.every((value) => value.kind === 'value')) demands.add(node.column.native);
    }
  };
  visit(filter);
  return table.key.every((column) => demands.has(column.native));
}

/** Characters of the longest pattern that is looked for on the main thread. */
const longestPattern = 50;

/**
 * True for a pattern that may keep a thread busy for minutes, on a single row: the time is the length of the text times
 * that of the pattern. One out of a column has any length.
 */
function hasLongPattern(filter: BoundFilter | undefined): boolean {
  switch (filter?.kind) {
    case 'and':
    case 'or':
    case 'xor':
    case 'nor':
      return hasLongPattern(filter.left) || hasLongPattern(filter.right);
    case 'not':
      return hasLongPattern(filter.node);
    case 'compare': {
      const { operator, value } = filter;
      if (operator !== 'like' && operator !== 'contains' && operator !== 'starts with' && operator !== 'ends with')
        return false;
      return value.kind === 'column' || (value.kind === 'value' && String(value.value).length > longestPattern);
    }
    default:
      return false;
  }
}
