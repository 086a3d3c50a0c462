// What a write answers of its records: as they now are, as far as GET shows them; else the key and what was sent
// (docs/design.md, difference 16).
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
import { type AskedColumns, isAutomatic, pick } from '../record/columns.ts';
import type { Key } from '../record/identify.ts';
import { findByKeys } from './find.ts';
import type { TableCall } from './table-call.ts';

/**
 * The columns a write must return: more than asked when the rows are read again after it, or not all may be told. What
 * RETURNING tells was true before the triggers that follow a write.
 */
export function returningOf(it: TableCall, { columns }: AskedColumns): Column[] {
  const { table } = it;
  if (isKeyOnly(it, columns)) return columns;
  return [...columns, ...table.key.filter((column) => !columns.includes(column))];
}

/** A row that a write returned. */
export interface WrittenRow {
  row: Row;
  write: Write | Unit;
}

/** Written rows as they are in the database now, with the asked columns as far as their caller may read them. */
export async function rereadRows(it: TableCall, { columns }: AskedColumns, written: WrittenRow[]): Promise<Row[]> {
  const { table, reads } = it;
  // A record with related ones returns what joins it to them, too.
  if (isKeyOnly(it, columns)) return written.map(({ row }) => exactly(row, columns));
  if (!reads || table.key.length === 0) return written.map((one) => unreadRow(it, columns, one));
  const keys = written.map(({ row }) => keyOfRow(table, row));
  const found = await findByKeys(it, table.key, keys, columns, reads.reader);
  return written.map((one, index) => found(keys[index]!) ?? unreadRow(it, columns, one));
}

/**
 * What is answered of a row that was not read again: it is gone, cannot be told from others, or only the write returned
 * it. Where GET shows all, all of it.
 */
export function unreadRow({ table, reads }: TableCall, columns: Column[], { row, write }: WrittenRow): Row {
  // Without a key nobody knows whether GET shows it; by the same filter it was written.
  const isShown = reads && (table.key.length === 0 ? !reads.where : !reads.isFiltered);
  return isShown ? exactly(row, columns) : withheldRow(table, columns, row, write);
}

/** Finds a deleted row as it was before. */
export type DeletedRows = (row: Row) => Row | undefined;

/** Deleted rows by their key, as GET showed them before; undefined where it shows what the write finds. */
export async function readBeforeDelete(
  it: TableCall,
  { columns }: AskedColumns,
  keys: Key[],
): Promise<DeletedRows | undefined> {
  const { table, reads, query } = it;
  if (isKeyOnly(it, columns) || !reads?.where || query.idField) return undefined;
  const found = await findByKeys(it, table.key, keys, columns, reads.reader);
  return (row: Row) => found(keyOfRow(table, row));
}

/** What is answered of a deleted row. `before` is what `readBeforeDelete` answered. */
export function deletedRow(
  it: TableCall,
  { columns }: AskedColumns,
  written: WrittenRow,
  before: DeletedRows | undefined,
): Row {
  const { table, reads } = it;
  const isShown = isKeyOnly(it, columns) || (reads && !before);
  if (isShown) return exactly(written.row, columns);
  return before?.(written.row) ?? withheldRow(table, columns, written.row, written.write);
}

const isKeyOnly = ({ table: { key }, related }: TableCall, columns: Column[]) =>
  related.length === 0 && columns.every((column) => key.includes(column));

const exactly = (row: Row, columns: Column[]): Row =>
  Object.keys(row).length > columns.length ? pick(row, columns) : row;

const keyOfRow = ({ key }: Table, row: Row): Key => key.map((column) => toNative(column, row[column.name], 'filter'));

/**
 * What is answered of a row to a caller who may not read it: of the columns asked for the key and what was sent, as it was
 * sent. What is stored instead, a trigger or a function may have taken from the record.
 */
function withheldRow({ key }: Table, columns: readonly Column[], row: Row, write: Write | Unit): Row {
  const sent = sentValues(write);
  const told = columns.filter((column) => key.includes(column) || sent.has(column));
  const whole = told.length === columns.length ? told : [...key.filter((column) => !told.includes(column)), ...told];
  return Object.fromEntries(
    whole.map((column) => [column.name, key.includes(column) ? row[column.name] : sent.get(column)]),
  );
}

/** What the caller sent of the record of a write; nothing that the database, a rule or a related record puts there. */
function sentValues(write: Write | Unit): Map<Column, unknown> {
  const main = write.kind === 'unit' ? write.steps[write.main]!.write : write;
  const sent = new Map<Column, unknown>();
  if (main.kind !== 'insert' && main.kind !== 'update') return sent;
  const { table, values } = main;
  for (const column of table.columns) {
    const value = Object.hasOwn(values, column.name) ? values[column.name] : undefined;
    const isMade = value === undefined || value instanceof FromStep || isExpression(value) || isAutomatic(column);
    if (!isMade && column.expression?.select === undefined) sent.set(column, toWire(wireColumn(column).kind, value));
  }
  return sent;
}
