// What the record filter of a role leaves of a table (contract/role-access.md §5). A call with one works on the rows it
// allows as if there were no others: the database it is handed adds the condition to whatever is asked of it, and refuses
// records that do not pass, so that no way of reading or writing can forget it.
import { Failure, fail } from '@sluice/contract';
import type { BoundFilter, Column, Database, Row, Table, Write } from '@sluice/sql';
import { type Comparable, certainly } from '../../access/certain.ts';
import type { AccessRow } from '../../access/decide.ts';
import { type Lookup, sessionLookup } from '../../access/lookups.ts';
import { conditionsOf, type FilterConditions, passes } from '../../access/record-filters.ts';
import type { Call } from '../../call/call.ts';
import { writtenComparable } from './comparable.ts';
import { bindCondition } from './condition.ts';

/** What a call on a table may ask of its database. */
export interface Records extends Pick<Database, 'select' | 'stream' | 'count' | 'write'> {
  /**
   * The write as the caller may do it, or its refusal; absent where everything may be done. Steps of a unit go through
   * this, each by the records of its own table: `write` takes units as they are.
   */
  permitted?(write: Write): Write;
}

export interface Restriction {
  /** The rows there are. */
  where: BoundFilter;
  /** Whether values about to be written certainly pass. */
  permits(values: Row, which: 'create' | 'change'): boolean;
}

const known = new WeakMap<FilterConditions, WeakMap<Table, Restriction>>();

/**
 * The restriction a row of service access puts on a table. Throws `access.filterInvalid` for what is no filter,
 * `filter.field` for fields the table does not have and the failures of values that do not fit their field.
 */
export function restrictionOf(row: AccessRow, table: Table, lookup: Lookup): Restriction {
  const conditions = conditionsOf(row, lookup);
  if (!conditions.isForAll) return restriction(conditions, table);
  const tables = known.get(conditions) ?? new WeakMap<Table, Restriction>();
  known.set(conditions, tables);
  const it = tables.get(table) ?? restriction(conditions, table);
  tables.set(table, it);
  return it;
}

/** The records of a table that a row of service access leaves to a call; all of them where the row has no filter. */
export function recordsLeft(
  records: Records,
  table: Table,
  call: Pick<Call, 'caller' | 'baseUrl'>,
  filterRow: AccessRow | undefined,
): Records {
  return filterRow ? restricted(records, restrictionOf(filterRow, table, sessionLookup(call))) : records;
}

/** The records that a restriction leaves. */
export function restricted(records: Records, { where, permits }: Restriction): Records {
  const and = <Q extends { where?: BoundFilter }>(query: Q): Q & { where: BoundFilter } => ({
    ...query,
    where: query.where ? { kind: 'and', left: query.where, right: where } : where,
  });
  const insert = (write: Extract<Write, { kind: 'insert' }>) =>
    permits(write.values, 'create') ? write : fail('access.recordDenied');
  const refused = (failure: Failure): Write => ({ kind: 'refuse', failure });
  const restrict = (write: Write): Write => {
    switch (write.kind) {
      case 'refuse':
        return write;
      case 'insert': {
        const it = insert(write);
        return it instanceof Failure ? refused(it) : it;
      }
      case 'update': {
        if (!permits(write.values, 'change')) return refused(fail('access.recordDenied'));
        const { missing } = write;
        // An upsert of a hidden record meets the database's own refusal of a second one under its key.
        return { ...and(write), missing: !missing || missing instanceof Failure ? missing : insert(missing) };
      }
      case 'delete':
        return and(write);
    }
  };
  return {
    select: (query, options) => records.select(and(query), options),
    stream: (query, options) => records.stream(and(query), options),
    count: (query, options) => records.count(and(query), options),
    write: (writes, mode, options) =>
      records.write(
        writes.map((it) => (it.kind === 'unit' ? it : restrict(it))),
        mode,
        options,
      ),
    permitted: restrict,
  };
}

// ---- conditions put to a table ----

function restriction(conditions: FilterConditions, table: Table): Restriction {
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
