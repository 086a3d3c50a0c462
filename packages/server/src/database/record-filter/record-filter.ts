// The record filter of a role, bound to a table (contract/role-access.md §5): the condition on the rows that are there, and
// the test of values about to be written.
import type { BoundFilter, Column, Row, Table } from '@sluice/sql';
import { type Comparable, certainly } from '../../access/certain.ts';
import type { AccessRow } from '../../access/decide.ts';
import type { Lookup } from '../../access/lookups.ts';
import { conditionsOf, type FilterConditions, passes } from '../../access/record-filters.ts';
import { writtenComparable } from './comparable.ts';
import { bindCondition } from './condition.ts';

export interface RecordFilter {
  /** The rows there are. */
  where: BoundFilter;
  /** Whether values about to be written certainly pass. */
  permits(values: Row, which: 'create' | 'change'): boolean;
}

const known = new WeakMap<FilterConditions, WeakMap<Table, RecordFilter>>();

/**
 * The record filter of a row of service access, bound to a table. Throws `access.filterInvalid` for what is no filter,
 * `filter.field` for fields the table does not have and the failures of values that do not fit their field.
 */
export function bindRecordFilter(row: AccessRow, table: Table, lookup: Lookup): RecordFilter {
  const conditions = conditionsOf(row, lookup);
  if (!conditions.isForAll) return boundFilter(conditions, table);
  const tables = known.get(conditions) ?? new WeakMap<Table, RecordFilter>();
  known.set(conditions, tables);
  const it = tables.get(table) ?? boundFilter(conditions, table);
  tables.set(table, it);
  return it;
}

// ---- conditions put to a table ----

function boundFilter(conditions: FilterConditions, table: Table): RecordFilter {
  const bound = new Map(conditions.conditions.map((it) => [it, bindCondition(it, table)]));
  const where = joined(
    conditions.op === 'OR' ? 'or' : 'and',
    [...bound.values()].map((it) => it.where),
  );
  return {
    where,
    permits: (values, which) =>
      passes(conditions, (condition) => {
        const { column, wanted } = bound.get(condition)!;
        const isWritten = Object.hasOwn(values, column.name) && column.made !== 'generated';
        if (!isWritten && which === 'change') return undefined;
        // What an expression makes of values only the database knows.
        if (isChangedByExpression(column)) return false;
        const written = isWritten ? writtenComparable(column, values[column.name]) : leftOut(column);
        return certainly(condition.operator, written, wanted);
      }),
  };
}

function isChangedByExpression({ expression }: Column): boolean {
  const { filter, insert, update } = expression ?? {};
  return filter !== undefined || insert !== undefined || update !== undefined;
}

/** A field that is not sent counts as null, unless the database puts something there that nobody knows yet. */
function leftOut({ made, description }: Column): Comparable {
  return made !== undefined || description.auto_increment || description.default !== null ? undefined : null;
}

/** Joined in halves: databases limit how deep an expression may nest, not how wide it is. */
function joined(kind: 'and' | 'or', filters: BoundFilter[]): BoundFilter {
  if (filters.length === 1) return filters[0]!;
  const middle = filters.length >> 1;
  return { kind, left: joined(kind, filters.slice(0, middle)), right: joined(kind, filters.slice(middle)) };
}
