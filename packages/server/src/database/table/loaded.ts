// Writes of records that are still as their caller loaded them (contract/database-tables.md §3.7). Beside `resource` the body
// carries them as `loaded`, in the same order; a record that somebody changed since is refused, and nothing of it is written.
import { fail } from '@sluice/contract';
import { type BoundFilter, type Column, isReadable, type Row, type Table } from '@sluice/sql';
import { isRecord, type RecordInput, refuseStructure } from '../../call/payload.ts';
import { isAggregate } from '../record/columns.ts';
import { type Key, recordNotFound } from '../record/identify.ts';
import { makeRow } from '../record/record.ts';
import { authorizeCheck, type BatchWrite } from '../record-filter/scoped-database.ts';
import type { TableCall } from './table-call.ts';

/** The fields that were loaded of one record, with their values as they were shown. */
interface LoadedRecord {
  columns: Column[];
  expected: Row;
}

export type LoadedRecords = readonly (LoadedRecord | undefined)[];

/** What a call on some records sends as `loaded`: in the place of each record that is to be compared. */
export function readLoaded(tableCall: TableCall, recordCount: number): LoadedRecords {
  const input = loadedInput(tableCall);
  if (input === undefined) return none;
  const list = Array.isArray(input) ? input : [input];
  if (list.length !== recordCount) throw fail('table.loadedShape');
  return list.map((record) => (record === null ? undefined : readLoadedRecord(tableCall, record)));
}

/** Refuses `loaded` where no records are named that it could be compared with. */
export function refuseLoaded(tableCall: TableCall): void {
  if (loadedInput(tableCall) !== undefined) throw fail('table.loadedByFilter');
}

/** The body of a call on one record without `loaded`, which stands beside a wrapped record: in a bare one it is a field. */
export const withoutLoaded = ({ payload, table }: TableCall): TableCall['payload'] =>
  isRecord(payload) && isWrapped(payload, table) ? { resource: payload.resource } : payload;

/** What a call on one record sends as `loaded`. */
export function readOneLoaded(tableCall: TableCall): LoadedRecord | undefined {
  const { payload, call, table } = tableCall;
  const isGiven = isRecord(payload) && (call.verb === 'DELETE' || isWrapped(payload, table));
  return isGiven ? readLoaded(tableCall, 1)[0] : undefined;
}

const none: LoadedRecords = [];

const isWrapped = (payload: RecordInput, table: Table): boolean =>
  Object.hasOwn(payload, 'resource') &&
  Object.hasOwn(payload, 'loaded') &&
  Object.keys(payload).length === 2 &&
  table.column('loaded') === undefined;

const loadedInput = ({ payload }: TableCall): unknown =>
  isRecord(payload) && Object.hasOwn(payload, 'loaded') ? payload.loaded : undefined;

/** Comparing reads: it needs GET, as a filter by the same fields does. */
function readLoadedRecord({ table, readAccess }: TableCall, record: unknown): LoadedRecord {
  if (!isRecord(record)) throw fail('table.loadedShape');
  const columns: Column[] = [];
  const expected = makeRow();
  for (const [name, value] of Object.entries(record)) {
    const column = table.column(name);
    if (!column || !isReadable(column) || isAggregate(column)) throw fail('filter.requestedField', { field: name });
    if (!readAccess) throw fail('access.keyOnly', { parameter: 'loaded', field: column.name });
    refuseStructure(`loaded.${column.name}`, value, 'a single value');
    if (!Object.hasOwn(expected, column.name)) columns.push(column);
    expected[column.name] = value;
  }
  return { columns, expected };
}

/** The write of a record that `where` finds, done only while the record is as it was loaded. */
export function checkLoaded(
  { table, database, readAccess }: TableCall,
  where: BoundFilter,
  id: Key,
  loaded: LoadedRecord | undefined,
  write: BatchWrite,
): BatchWrite {
  if (!loaded || write.kind === 'refuse') return write;
  const check = authorizeCheck(database, {
    table,
    ...loaded,
    where: readAccess?.where ? { kind: 'and', left: where, right: readAccess.where } : where,
    changed: fail('record.stale'),
    missing: recordNotFound(id),
  });
  return write.kind === 'unit' ? { ...write, check } : { kind: 'unit', steps: [{ write }], main: 0, check };
}
