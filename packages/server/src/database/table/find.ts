// Finding the rows of several keys at once.
import type { Column, Row } from '@sluice/sql';
import { type Key, keyText, rowKeyText, whereKey, whereKeys } from '../record/identify.ts';
import type { RecordReader } from '../record-filter/scoped-database.ts';
import { foldText } from '../related/owners.ts';
import { joinColumnsOf } from '../related/read.ts';
import type { TableCall } from './table-call.ts';

/** Reads the rows of keys. The answer gives the row of a key, the first of several; undefined for a key without one. */
export async function findByKeys(
  tableCall: TableCall,
  key: Column[],
  keys: Key[],
  columns: Column[],
  reader: RecordReader = tableCall.reader,
): Promise<(key: Key) => Row | undefined> {
  const byKey = new Map<string, Row>();
  const isComplete = await findInOneQuery(tableCall, reader, key, keys, columns, byKey);
  if (!isComplete) {
    for (const missingKey of keys) {
      if (byKey.has(keyText(missingKey))) continue;
      const where = whereKey(key, missingKey);
      const rows = await reader.select({ table: tableCall.table, columns, where, limit: 1 }, tableCall.runOptions);
      const [row] = rows.list();
      if (row) byKey.set(keyText(missingKey), row);
    }
  }
  return (wantedKey) => byKey.get(keyText(wantedKey));
}

/** Finds what one query can; false when some keys may have rows that the query did not tell apart. */
async function findInOneQuery(
  tableCall: TableCall,
  reader: RecordReader,
  key: Column[],
  keys: Key[],
  columns: Column[],
  byKey: Map<string, Row>,
): Promise<boolean> {
  if (keys.length === 0) return true;
  // Columns chosen by `id_field` may be shared by any number of rows: then each key has a query of its own.
  if (keys.length === 1 || !isUnique(tableCall, key)) return false;
  const addedKeyColumns = key.filter((column) => !columns.includes(column));
  const readColumns = addedKeyColumns.length > 0 ? [...columns, ...addedKeyColumns] : columns;
  const query = { table: tableCall.table, columns: readColumns, where: whereKeys(key, keys) };
  const rows = (await reader.select(query, tableCall.runOptions)).list();
  // What joins the rows to others stays (contract/database-tables.md §6.2).
  const joinColumns = joinColumnsOf(tableCall.related);
  const hidden = addedKeyColumns.filter((column) => !joinColumns.includes(column));
  for (const row of rows) byKey.set(rowKeyText(key, row), omitColumns(row, hidden));
  // Where the database finds equal what differs as text (letter case, 1.50 and 1.5), each such key has a query of its own.
  const texts = new Set(keys.map(keyText));
  if (!rows.every((row) => texts.has(rowKeyText(key, row)))) return false;
  if (byKey.size === texts.size) return true;
  const foldedTexts = new Set([...byKey.keys()].map(foldText));
  return ![...texts].some((text) => !byKey.has(text) && foldedTexts.has(foldText(text)));
}

function isUnique({ table }: TableCall, key: Column[]): boolean {
  if (key.length === 1 && key[0]!.description.is_unique) return true;
  return table.key.length > 0 && table.key.every((column) => key.includes(column));
}

function omitColumns(row: Row, columns: Column[]): Row {
  if (columns.length === 0) return row;
  const rest = { ...row };
  for (const { name } of columns) delete rest[name];
  return rest;
}
