// Which calls are short enough for the main thread. Some are by what they ask: they touch a few rows by an index,
// whatever the table holds. Others are by their timings: a small table, and quick each time so far. docs/performance.md
// says what was measured.
import type { BoundFilter, Select, Write } from '../../query/index.ts';
import type { Table } from '../../schema/index.ts';
import type { TableFacts } from './introspect.ts';

/** Keys of one IN, and rows of one page, of a short read. */
const maxShortRows = 100;
/** Rows skipped before the page of a short read. */
const maxShortOffset = 1000;

/** A read of rows by the values of their whole key, or of one of the first pages in the order of the key. */
export function isShortRead(query: Select, facts: TableFacts): boolean {
  if (facts.kind !== 'table' || query.table.hasExpressions) return false;
  if ((query.group && query.group.length > 0) || hasLongPattern(query.where)) return false;
  return query.where ? namesKey(query.table, query.where, maxShortRows) : isFirstPage(query);
}

function isFirstPage({ table, order = [], limit, offset = 0 }: Select): boolean {
  if (limit === undefined || limit > maxShortRows || offset > maxShortOffset) return false;
  return order.every(
    ({ column, direction, nulls }, index) =>
      column === table.key[index] && direction === order[0]?.direction && nulls === undefined,
  );
}

/** Quick runs in the child, one after the other, after which a query counts as quick. */
const quickRunsNeeded = 5;
/** Milliseconds of a quick run. */
const quickMs = { child: 2, inline: 5 };
/** Quick runs in the child that a query needs in addition once it was slow on the main thread. */
const penaltyRuns = 50;

/** How long the runs of a query took. */
export class PlanTimings {
  private quickRuns = 0;

  get isQuick(): boolean {
    return this.quickRuns >= quickRunsNeeded;
  }

  /** Records a run in the child. */
  recordChild(ms: number): void {
    this.quickRuns = ms <= quickMs.child ? Math.min(this.quickRuns + 1, quickRunsNeeded) : Math.min(0, this.quickRuns);
  }

  /** Records a run on the main thread. */
  recordInline(ms: number): void {
    if (ms > quickMs.inline) this.quickRuns = quickRunsNeeded - penaltyRuns;
  }
}

/** Whether timings may decide about a query: one page of a table, however it is found, or what joins to one. */
export const isPage = ({ limit = Infinity, where }: Pick<Select, 'limit' | 'where'>, facts: TableFacts): boolean =>
  facts.kind === 'table' && limit <= (isJoining(where) ? maxJoinRows : maxShortRows) && !hasLongPattern(where);

/** Rows that may join to those of a page. */
const maxJoinRows = 1001;

function isJoining(where: BoundFilter | undefined): boolean {
  if (where?.kind === 'and') return isJoining(where.left) || isJoining(where.right);
  return where?.kind === 'tuples' || (where?.kind === 'in' && where.isJoin === true);
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
  const keyColumns = new Set<string>();
  const visit = (node: BoundFilter): void => {
    if (node.kind === 'and') {
      visit(node.left);
      visit(node.right);
    } else if (node.kind === 'compare' && node.operator === '=' && !node.negated && node.value.kind === 'value') {
      keyColumns.add(node.column.native);
    } else if (node.kind === 'in' && !node.negated && table.key.length === 1 && node.values.length <= limit) {
      if (node.values.every((value) => value.kind === 'value')) keyColumns.add(node.column.native);
    }
  };
  visit(filter);
  return table.key.every((column) => keyColumns.has(column.native));
}

/** Characters of a pattern that is searched for on the main thread. */
const maxPatternLength = 50;

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
      return value.kind === 'column' || (value.kind === 'value' && String(value.value).length > maxPatternLength);
    }
    default:
      return false;
  }
}
