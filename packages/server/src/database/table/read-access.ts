// What a call that writes may learn of the records it writes. The right to write is no right to read: beyond the key and
// what was sent, the call learns what GET would show it (docs/design.md, difference 16; contract/database-tables.md §3).
import { fail } from '@sluice/contract';
import type { BoundFilter, Column, Database, Table } from '@sluice/sql';
import type { AccessRow } from '../../access/decide.ts';
import { sessionLookup } from '../../access/lookups.ts';
import type { Call } from '../../call/call.ts';
import { bindRecordFilter } from '../record-filter/record-filter.ts';
import {
  applyRecordFilter,
  type RecordReader,
  type ScopedDatabase,
  withRecordFilter,
} from '../record-filter/scoped-database.ts';
import { decideTable } from '../related/relation.ts';
import type { TableCall } from './table-call.ts';

/** What GET leaves of a table to the caller of a write. */
export interface ReadAccess {
  reader: RecordReader;
  /** GET has a record filter, even if it is that of the write: a write may move a record out of it. */
  isFiltered: boolean;
  /** The record filter of GET; absent where it has none, or where the write has the same. */
  where?: BoundFilter;
}

interface WriteAccess {
  wholeDatabase: Database;
  /** Reads what the verb of the write leaves. */
  reader: RecordReader;
  /** The row whose record filter narrows `reader`. */
  filterRow: AccessRow | undefined;
  withRelated(database: ScopedDatabase): RecordReader;
}

/** Whether the caller may read the table. */
export const mayRead = (call: Call, table: Table): boolean => call.verb === 'GET' || readDecision(call, table).allowed;

/** What the caller of a write may read of the table; undefined without GET. */
export function readAccessOf(call: Call, table: Table, write: WriteAccess): ReadAccess | undefined {
  const { wholeDatabase, withRelated } = write;
  const { allowed, filterRow } = readDecision(call, table);
  if (!allowed) return undefined;
  if (filterRow === write.filterRow) return { reader: write.reader, isFiltered: filterRow !== undefined };
  if (!filterRow) {
    const database = applyRecordFilter(wholeDatabase, table, call, undefined);
    return { reader: withRelated(database), isFiltered: false };
  }
  const recordFilter = bindRecordFilter(filterRow, table, sessionLookup(call));
  const database = withRecordFilter(wholeDatabase, recordFilter);
  return { reader: withRelated(database), isFiltered: true, where: recordFilter.where };
}

const readDecision = (call: Call, table: Table) => decideTable(call, 'GET', call.service, table);

// ---- which records a write may search for ----

/**
 * The condition of a write that searches for its records, by `filter` or `id_field`. Throws `access.keyOnly` where it names
 * more than the key and the caller may not read; else it finds only what GET shows.
 */
export function authorizeSearch(
  tableCall: TableCall,
  parameter: 'filter' | 'id_field',
  where: BoundFilter,
): BoundFilter {
  const {
    readAccess,
    table: { key },
  } = tableCall;
  if (!readAccess) {
    const otherColumn = columnsOf(where).find((column) => !key.includes(column));
    if (otherColumn) throw fail('access.keyOnly', { parameter, field: otherColumn.name });
    return where;
  }
  return readAccess.where ? { kind: 'and', left: where, right: readAccess.where } : where;
}

function columnsOf(filter: BoundFilter): Column[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
    case 'xor':
    case 'nor':
      return [...columnsOf(filter.left), ...columnsOf(filter.right)];
    case 'not':
      return columnsOf(filter.node);
    case 'tuples':
      return [...filter.columns];
    default:
      return [filter.column];
  }
}
