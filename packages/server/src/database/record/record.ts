// A record as it was sent, made into the values to write (contract/database-tables.md §3, §9, §10).
import { Failure, fail } from '@sluice/contract';
import { type BoundFilter, type Column, type Row, toNative, type Write } from '@sluice/sql';
import { replaceLookups } from '../../access/lookups.ts';
import { fieldsOf, type RecordInput } from '../../call/payload.ts';
import type { TableCall } from '../table/table-call.ts';
import { isAutomatic } from './columns.ts';
import { type Key, recordNotFound } from './identify.ts';
import { leftOut, validated } from './validation.ts';

/**
 * How a record is written: as a new one, or as the one with this id that `where` finds. `sent` are the fields of an id that
 * stood beside the record: what `missing: 'insert'` makes has them, too.
 */
export type RecordWrite =
  | { kind: 'insert'; returning: Column[] }
  | {
      kind: 'update';
      returning: Column[];
      key: Column[];
      id: Key;
      where: BoundFilter;
      missing: 'fail' | 'insert';
      sent: RecordInput;
    };

/** The write of a record; `given` as with `insertValues`. Throws what is wrong with it. */
export function writeOf(
  it: TableCall,
  record: RecordInput,
  how: RecordWrite,
  given?: Row,
  returning = how.returning,
): Exclude<Write, { kind: 'refuse' }> {
  const { table } = it;
  if (how.kind === 'insert') return { kind: 'insert', table, values: insertValues(it, record, given), returning };
  const { key, id, where } = how;
  const missing =
    how.missing === 'insert' ? insteadOf(it, { ...record, ...how.sent }, given, returning) : recordNotFound(id);
  const values = updateValues(it, record, key, given);
  return { kind: 'update', table, values, where, returning, missing };
}

/** What `allow_upsert` does when there is no such record: insert it under the id that was asked for. */
function insteadOf(it: TableCall, record: RecordInput, given: Row | undefined, returning: Column[]) {
  try {
    return { kind: 'insert', table: it.table, values: insertValues(it, record, given), returning } as const;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/**
 * The values to insert: known fields only, converted. Refuses missing required fields and records with nothing known.
 * `given` are values that go before what was sent, converted already: what joins a related record.
 */
export function insertValues(it: TableCall, record: RecordInput, given: Row = {}): Row {
  const sent = fieldsOf(record);
  const values = rowOf(given);
  for (const column of it.table.columns) {
    if (isAutomatic(column) || Object.hasOwn(given, column.name)) continue;
    const name = column.name.toLowerCase();
    const value = sent.get(name);
    // A key the database makes itself is commonly sent as null, or as an empty cell of a CSV file.
    const isMade = column.description.auto_increment && (value === null || value === '');
    if (value !== undefined && !isMade && column.made !== 'generated') put(it, values, column, value, false);
    else if (column.description.required && column.made === undefined)
      throw fail('table.requiredField', { field: name });
  }
  if (Object.keys(values).length === 0) throw fail('table.noValidFields');
  return rowOf(values, automaticValues(it, true));
}

/**
 * The values to change: known fields only, converted, without the identifying columns and without keys the database
 * makes. None left is no error: then nothing changes. `given` as with `insertValues`.
 */
export function updateValues(it: TableCall, record: RecordInput, identifying: Column[], given: Row = {}): Row {
  const sent = fieldsOf(record);
  const values = rowOf(given);
  for (const column of it.table.columns) {
    if (Object.hasOwn(given, column.name)) continue;
    const value = sent.get(column.name.toLowerCase());
    if (value === undefined || column.description.type === 'id' || identifying.includes(column)) continue;
    if (!isAutomatic(column) && column.made !== 'generated') put(it, values, column, value, true);
  }
  return Object.keys(values).length === 0 ? values : rowOf(values, automaticValues(it, false));
}

/** Values by name. Without a prototype: a column may be called `constructor`, and has no value until it gets one. */
const rowOf = (...parts: Row[]): Row => Object.assign(Object.create(null) as Row, ...parts);

/**
 * Fields that tell when and by whom a record was made or changed: set whatever was sent (contract/database-tables.md §9).
 * Where nobody is signed in, nobody is set.
 */
function automaticValues({ table, call }: TableCall, isNew: boolean): Row {
  const values: Row = {};
  for (const column of table.columns) {
    if (!isAutomatic(column) || (!isNew && column.description.type.endsWith('_create'))) continue;
    if (column.description.type.startsWith('timestamp')) values[column.name] = { expression: 'now' };
    else if (call.caller.user) values[column.name] = call.caller.user.id;
  }
  return values;
}

/** Puts a value in once it passed the rules of its field. */
function put(it: TableCall, values: Row, column: Column, sent: unknown, isUpdate: boolean): void {
  const value = validated(column, replaceLookups(sent, it.lookup), isUpdate);
  if (value !== leftOut) values[column.name] = toNative(column, value, 'write');
}
