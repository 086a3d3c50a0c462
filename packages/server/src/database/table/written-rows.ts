// What a write answers of its records: as they are now, as far as GET shows them; else the key and what was sent
// (docs/design.md, difference 16).
import { Failure } from '@sluice/contract';
import {
  type Column,
  FromStep,
  isExpression,
  type Row,
  type Table,
  toNative,
  toWire,
  type Unit,
  type Write,
  wireColumn,
} from '@sluice/sql';
import { isAutomatic, pickColumns, type SelectedColumns } from '../record/columns.ts';
import type { Key } from '../record/identify.ts';
import { findByKeys } from './find.ts';
import type { TableCall } from './table-call.ts';

/**
 * The columns a write must return: with the key when the rows are read again after it, or not all may be shown. What
 * RETURNING gives was true before the triggers that follow a write.
 */
export function returningColumns(tableCall: TableCall, { columns }: SelectedColumns): Column[] {
  const { table } = tableCall;
  if (selectsKeyOnly(tableCall, columns)) return columns;
  return [...columns, ...table.key.filter((column) => !columns.includes(column))];
}

/** A row that a write returned. */
export interface WrittenRow {
  row: Row;
  write: Write | Unit;
}

/** Reads written rows as they are in the database now, with the selected columns as far as the caller may read them. */
export async function rereadRows(
  tableCall: TableCall,
  { columns }: SelectedColumns,
  writtenRows: WrittenRow[],
): Promise<Row[]> {
  // A record with related ones returns its join columns, too.
  if (selectsKeyOnly(tableCall, columns)) return writtenRows.map(({ row }) => trimToColumns(row, columns));
  const { table, readAccess } = tableCall;
  if (!readAccess || table.key.length === 0)
    return writtenRows.map((writtenRow) => presentUnread(tableCall, columns, writtenRow));
  const keys = writtenRows.map(({ row }) => keyOfRow(table, row));
  const rowOf = await findUnlessChanged(tableCall, () =>
    findByKeys(tableCall, table.key, keys, columns, readAccess.reader),
  );
  return writtenRows.map((writtenRow, index) => rowOf?.(keys[index]!) ?? presentUnread(tableCall, columns, writtenRow));
}

/**
 * Reads what was written. A write that is done is answered, also when its table was altered since: undefined then, what is
 * read is of another description.
 */
async function findUnlessChanged<R>(
  { parts, schemaVersion }: TableCall,
  find: () => Promise<R>,
): Promise<R | undefined> {
  try {
    const found = await find();
    return (await parts.gate.holds(schemaVersion)) ? found : undefined;
  } catch (error) {
    // An account of the database may write what it may not read.
    if (error instanceof Failure && (error.key === 'database.changed' || error.key === 'database.denied'))
      return undefined;
    throw error;
  }
}

/**
 * The answer for a row that was not read again: it is gone, cannot be told from others, or only the write returned it. Where
 * GET shows all rows, all of it.
 */
export function presentUnread({ table, readAccess }: TableCall, columns: Column[], { row, write }: WrittenRow): Row {
  // Without a key nobody knows whether GET shows it, unless GET has the filter it was written by.
  const isShown = readAccess && (table.key.length === 0 ? !readAccess.where : !readAccess.isFiltered);
  return isShown && hasColumns(row, columns)
    ? trimToColumns(row, columns)
    : presentWithheld(table, columns, row, write);
}

/** Finds a deleted row as it was before. */
export type DeletedRows = (row: Row) => Row | undefined;

/** Reads rows by their key before they are deleted, as GET shows them; undefined where GET shows what the write finds. */
export async function readBeforeDelete(
  tableCall: TableCall,
  { columns }: SelectedColumns,
  keys: Key[],
): Promise<DeletedRows | undefined> {
  if (selectsKeyOnly(tableCall, columns)) return undefined;
  const { table, readAccess, query } = tableCall;
  if (!readAccess?.where || query.idField) return undefined;
  const rowOf = await findByKeys(tableCall, table.key, keys, columns, readAccess.reader);
  return (row: Row) => rowOf(keyOfRow(table, row));
}

/** The answer for a deleted row. `before` comes from `readBeforeDelete`. */
export function presentDeleted(
  tableCall: TableCall,
  { columns }: SelectedColumns,
  { row, write }: WrittenRow,
  before: DeletedRows | undefined,
): Row {
  const isShown = selectsKeyOnly(tableCall, columns) || (tableCall.readAccess && !before);
  if (isShown && hasColumns(row, columns)) return trimToColumns(row, columns);
  return before?.(row) ?? presentWithheld(tableCall.table, columns, row, write);
}

const selectsKeyOnly = ({ table: { key }, related }: TableCall, columns: Column[]) =>
  related.length === 0 && columns.every((column) => key.includes(column));

/** False for what the account of the database may write and not read. */
const hasColumns = (row: Row, columns: Column[]): boolean => columns.every(({ name }) => Object.hasOwn(row, name));

const trimToColumns = (row: Row, columns: Column[]): Row =>
  Object.keys(row).length > columns.length ? pickColumns(row, columns) : row;

const keyOfRow = ({ key }: Table, row: Row): Key => key.map((column) => toNative(column, row[column.name], 'filter'));

/**
 * The answer for a row that its caller may not read: of the selected columns, the key and the values that were sent, as they
 * were sent. What is stored instead, a trigger or a function may have taken from the record.
 */
function presentWithheld({ key }: Table, columns: readonly Column[], row: Row, write: Write | Unit): Row {
  const input = inputValues(write);
  const visibleColumns = columns.filter((column) => key.includes(column) || input.has(column));
  const columnsWithKey =
    visibleColumns.length === columns.length
      ? visibleColumns
      : [...key.filter((column) => !visibleColumns.includes(column)), ...visibleColumns];
  return Object.fromEntries(
    columnsWithKey.map((column) => [column.name, key.includes(column) ? row[column.name] : input.get(column)]),
  );
}

/** The values the caller sent for the record of a write; none that the database, a rule or a related record puts there. */
function inputValues(write: Write | Unit): Map<Column, unknown> {
  const main = write.kind === 'unit' ? write.steps[write.main]!.write : write;
  const input = new Map<Column, unknown>();
  if (main.kind !== 'insert' && main.kind !== 'update') return input;
  const { table, values } = main;
  for (const column of table.columns) {
    const value = Object.hasOwn(values, column.name) ? values[column.name] : undefined;
    const isAutomaticValue =
      value === undefined || value instanceof FromStep || isExpression(value) || isAutomatic(column);
    if (!isAutomaticValue && column.expression?.select === undefined)
      input.set(column, toWire(wireColumn(column).kind, value));
  }
  return input;
}
