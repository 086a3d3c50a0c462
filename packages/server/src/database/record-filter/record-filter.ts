// The record filter of a role, bound to a table (contract/role-access.md §5): the condition that finds its rows, and the test
// of values about to be written.
import type { BoundFilter, Column, Row, Table } from '@sluice/sql';
import type { AccessRow } from '../../access/decide.ts';
import { type Comparable, definitelyPasses } from '../../access/definitely-passes.ts';
import type { Lookup } from '../../access/lookups.ts';
import { conditionsOf, type FilterConditions, passes } from '../../access/record-filters.ts';
import { toWrittenComparable } from './comparable.ts';
import { bindCondition } from './condition.ts';

export interface RecordFilter {
  /** Finds the rows the caller may use. */
  where: BoundFilter;
  /** Whether values about to be written certainly pass. */
  permits(values: Row, writeKind: 'create' | 'change'): boolean;
}

const boundFilters = new WeakMap<FilterConditions, WeakMap<Table, RecordFilter>>();

/**
 * The record filter of a row of service access, bound to a table. Throws `access.filterInvalid` for what is no filter,
 * `filter.field` for fields the table does not have and the failures of values that do not fit their field.
 */
export function bindRecordFilter(row: AccessRow, table: Table, lookup: Lookup): RecordFilter {
  const conditions = conditionsOf(row, lookup);
  if (!conditions.isForAll) return bindConditions(conditions, table);
  const tables = boundFilters.get(conditions) ?? new WeakMap<Table, RecordFilter>();
  boundFilters.set(conditions, tables);
  const recordFilter = tables.get(table) ?? bindConditions(conditions, table);
  tables.set(table, recordFilter);
  return recordFilter;
}

// ---- conditions bound to a table ----

function bindConditions(conditions: FilterConditions, table: Table): RecordFilter {
  const bound = new Map(conditions.conditions.map((condition) => [condition, bindCondition(condition, table)]));
  const where = joinBalanced(
    conditions.op === 'OR' ? 'or' : 'and',
    [...bound.values()].map(({ where }) => where),
  );
  return {
    where,
    permits: (values, writeKind) =>
      passes(conditions, (condition) => {
        const { column, comparedValues } = bound.get(condition)!;
        const isWritten = Object.hasOwn(values, column.name) && column.autoValue !== 'generated';
        if (!isWritten && writeKind === 'change') return undefined;
        // Only the database knows what an expression makes of values.
        if (isChangedByExpression(column)) return false;
        const writtenValue = isWritten ? toWrittenComparable(column, values[column.name]) : omittedValue(column);
        return definitelyPasses(condition.operator, writtenValue, comparedValues);
      }),
  };
}

function isChangedByExpression({ expression }: Column): boolean {
  const { filter, insert, update } = expression ?? {};
  return filter !== undefined || insert !== undefined || update !== undefined;
}

/** A field that is not sent counts as null, unless the database puts in a value that is not known yet. */
function omittedValue({ autoValue, description }: Column): Comparable {
  return autoValue !== undefined || description.auto_increment || description.default !== null ? undefined : null;
}

/** Joined in halves: databases limit how deep an expression may nest, not how wide it is. */
function joinBalanced(kind: 'and' | 'or', filters: BoundFilter[]): BoundFilter {
  if (filters.length === 1) return filters[0]!;
  const middle = filters.length >> 1;
  return { kind, left: joinBalanced(kind, filters.slice(0, middle)), right: joinBalanced(kind, filters.slice(middle)) };
}
