// A record as it was sent, made into the values to write (contract/database-tables.md §3, §9, §10).
import { Failure, fail } from '@sluice/contract';
import {
  type BoundFilter,
  type Column,
  oncePerTable,
  type Row,
  takesEmptyText,
  toNative,
  type Write,
} from '@sluice/sql';
import { replaceLookups } from '../../access/fill-lookups.ts';
import type { RecordInput } from '../../call/payload.ts';
import type { TableCall } from '../table/table-call.ts';
import { columnValues } from './column-values.ts';
import { isAutomatic } from './columns.ts';
import { type Key, recordNotFound } from './identify.ts';
import { omittedField, validateValue } from './validation.ts';

/**
 * How a record is written: as a new one, or as the one with this id that `where` finds. `idFields` are the fields of an id
 * that stood beside the record: what `missing: 'insert'` inserts has them, too.
 */
export type WriteRequest =
  | { kind: 'insert'; returning: Column[] }
  | {
      kind: 'update';
      returning: Column[];
      key: Column[];
      id: Key;
      where: BoundFilter;
      missing: 'fail' | 'insert';
      idFields: RecordInput;
    };

/** The write of a record; `joinValues` as with `insertValues`. Throws what is wrong with the record. */
export function buildWrite(
  tableCall: TableCall,
  record: RecordInput,
  request: WriteRequest,
  joinValues?: Row,
  returning = request.returning,
): Exclude<Write, { kind: 'refuse' }> {
  const { table } = tableCall;
  if (request.kind === 'insert')
    return { kind: 'insert', table, values: insertValues(tableCall, record, joinValues), returning };
  const { key, id, where } = request;
  const missing =
    request.missing === 'insert'
      ? buildUpsertInsert(tableCall, record, request.idFields, joinValues, returning)
      : recordNotFound(id);
  const values = updateValues(tableCall, record, key, joinValues);
  return { kind: 'update', table, values, where, returning, missing };
}

/** What `allow_upsert` does when there is no such record: it inserts one under the id of the call. */
function buildUpsertInsert(
  tableCall: TableCall,
  record: RecordInput,
  idFields: RecordInput,
  joinValues: Row | undefined,
  returning: Column[],
) {
  try {
    return {
      kind: 'insert',
      table: tableCall.table,
      values: insertValues(tableCall, record, joinValues, idFields),
      returning,
    } as const;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/**
 * The values to insert: known fields only, converted. Refuses missing required fields and records without a known field.
 * `joinValues` go before what was sent and are converted already: what joins a related record. `idFields` go before it, too:
 * what the address says.
 */
export function insertValues(tableCall: TableCall, record: RecordInput, joinValues?: Row, idFields?: RecordInput): Row {
  const input = columnValues(tableCall.table, record);
  const idInput = idFields && columnValues(tableCall.table, idFields);
  const values = makeRow(joinValues);
  for (const column of settableColumns(tableCall.table)) {
    if (joinValues && Object.hasOwn(joinValues, column.name)) continue;
    const value = idInput?.has(column) ? idInput.get(column) : input.get(column);
    // A key that the database generates is commonly sent as null, or as an empty cell of a CSV file.
    const isGeneratedKey = column.description.auto_increment && (value === null || value === '');
    if (value !== undefined && !isGeneratedKey) setValue(tableCall, values, column, value, false);
    else if (column.description.required && column.autoValue === undefined)
      throw fail('table.requiredField', { field: column.name.toLowerCase() });
  }
  if (isEmpty(values)) throw fail('table.noValidFields');
  return setAutomaticValues(tableCall, values, true);
}

/**
 * The values to change: known fields only, converted, without the identifying columns and without keys the database
 * makes. None left is no error: then nothing changes. `joinValues` as with `insertValues`.
 */
export function updateValues(tableCall: TableCall, record: RecordInput, keyColumns: Column[], joinValues?: Row): Row {
  const input = columnValues(tableCall.table, record);
  const values = makeRow(joinValues);
  for (const column of settableColumns(tableCall.table)) {
    if (joinValues && Object.hasOwn(joinValues, column.name)) continue;
    const value = input.get(column);
    if (value === undefined || column.description.type === 'id' || keyColumns.includes(column)) continue;
    setValue(tableCall, values, column, value, true);
  }
  return isEmpty(values) ? values : setAutomaticValues(tableCall, values, false);
}

/**
 * Fields that tell when and by whom a record was made or changed: set whatever was sent (contract/database-tables.md §9).
 * Where nobody is signed in, no user is set.
 */
function setAutomaticValues({ table, call }: TableCall, values: Row, isNew: boolean): Row {
  for (const column of automaticColumns(table)) {
    if (!isNew && column.description.type.endsWith('_create')) continue;
    if (column.description.type.startsWith('timestamp')) values[column.name] = { expression: 'now' };
    else if (call.caller.user) values[column.name] = call.caller.user.id;
  }
  return values;
}

/** The columns that callers may set. */
const settableColumns = oncePerTable(({ columns }) =>
  columns.filter((column) => !isAutomatic(column) && column.autoValue !== 'generated'),
);

const automaticColumns = oncePerTable(({ columns }) => columns.filter(isAutomatic));

/** Values by name. A column may be called `constructor`, and has no value until it gets one. */
export const makeRow = (values?: Row): Row => Object.assign(new EmptyRow(), values);

/** Its objects inherit nothing, and are read faster than what `Object.create(null)` makes. */
class EmptyRow {
  [name: string]: unknown;
}
Object.setPrototypeOf(EmptyRow.prototype, null);
Reflect.deleteProperty(EmptyRow.prototype, 'constructor');

function isEmpty(row: Row): boolean {
  for (const _name in row) return false;
  return true;
}

/** Sets a value once it passed the rules of its field. */
function setValue(tableCall: TableCall, values: Row, column: Column, input: unknown, isUpdate: boolean): void {
  const sent = input === '' || input === null ? readEmptyCell(tableCall, column, input) : input;
  const value = validateValue(column, replaceLookups(sent, tableCall.lookup), isUpdate);
  if (value !== omittedField) values[column.name] = toNative(column, value, 'write');
}

/**
 * What a cell of CSV or an element of XML that holds nothing means (contract/database-tables.md §13): null where the empty text
 * is no value of the field, the empty text where null is none.
 */
function readEmptyCell({ call }: TableCall, column: Column, cell: '' | null): '' | null {
  if (!/csv|xml/i.test(call.header('content-type') ?? '')) return cell;
  if (takesEmptyText(column)) return column.description.allow_null ? cell : '';
  return column.description.allow_null || column.description.type !== 'string' ? null : '';
}
