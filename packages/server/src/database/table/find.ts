// Finding the rows of several keys at once.
import type { Column, Row } from '@sluice/sql';
import { type Key, keyText, rowKeyText, whereKey, whereKeys } from '../record/identify.ts';
import type { RecordReader } from '../record-filter/scoped-database.ts';
import { joinsOf } from '../related/read.ts';
import type { TableCall } from './table-call.ts';

/** Reads the rows of keys and answers which row a key has, the first of several; undefined for those without. */
export async function findByKeys(
  it: TableCall,
  key: Column[],
  keys: Key[],
  columns: Column[],
  reader: RecordReader = it.reader,
): Promise<(key: Key) => Row | undefined> {
  const byKey = new Map<string, Row>();
  const isComplete = await findTogether(it, reader, key, keys, columns, byKey);
  if (!isComplete) {
    for (const missed of keys) {
      if (byKey.has(keyText(missed))) continue;
      const where = whereKey(key, missed);
      const found = await reader.select({ table: it.table, columns, where, limit: 1 }, it.run);
      const [row] = found.list();
      if (row) byKey.set(keyText(missed), row);
    }
  }
  return (one) => byKey.get(keyText(one));
}

/** Finds what one query can; false when some keys may have rows that it did not tell apart. */
async function findTogether(
  it: TableCall,
  reader: RecordReader,
  key: Column[],
  keys: Key[],
  columns: Column[],
  byKey: Map<string, Row>,
): Promise<boolean> {
  if (keys.length === 0) return true;
  // Columns chosen by `id_field` may be shared by any number of rows: then one is asked for at a time.
  if (keys.length === 1 || !isUnique(it, key)) return false;
  const added = key.filter((column) => !columns.includes(column));
  const read = added.length > 0 ? [...columns, ...added] : columns;
  const list = (await reader.select({ table: it.table, columns: read, where: whereKeys(key, keys) }, it.run)).list();
  // What joins the rows to others stays (contract/database-tables.md §6.2).
  const joins = joinsOf(it.related);
  const hidden = added.filter((column) => !joins.includes(column));
  for (const row of list) byKey.set(rowKeyText(key, row), without(row, hidden));
  // Where the database finds equal what differs as text (letter case, 1.50 and 1.5), it is asked for each such key.
  const texts = new Set(keys.map(keyText));
  return list.every((row) => texts.has(rowKeyText(key, row)));
}

function isUnique({ table }: TableCall, key: Column[]): boolean {
  if (key.length === 1 && key[0]!.description.is_unique) return true;
  return table.key.length > 0 && table.key.every((column) => key.includes(column));
}

function without(row: Row, columns: Column[]): Row {
  if (columns.length === 0) return row;
  const rest = { ...row };
  for (const { name } of columns) delete rest[name];
  return rest;
}
