// The values of a record by the columns they are meant for: the one place that reads the names of a record.
import type { Column, Table } from '@sluice/sql';
import type { RecordInput } from '../../call/payload.ts';

/** Of records that have many: one record may be the change of ten thousand. */
const valuesOfWide = new WeakMap<RecordInput, WeakMap<Table, ReadonlyMap<Column, unknown>>>();
const wideFrom = 100;

/** The values of a record by its columns. A name is a column's as written, else in any case (`Table.column`). */
export function columnValues(table: Table, record: RecordInput): ReadonlyMap<Column, unknown> {
  const cached = valuesOfWide.get(record)?.get(table);
  if (cached) return cached;
  const values = new Map<Column, unknown>();
  const names = Object.keys(record);
  for (const name of names) {
    const column = table.column(name);
    // The name as the column has it takes precedence over other spellings of it.
    if (column && (column.name === name || !Object.hasOwn(record, column.name))) values.set(column, record[name]);
  }
  if (names.length > wideFrom) {
    const byTable = valuesOfWide.get(record) ?? new WeakMap<Table, ReadonlyMap<Column, unknown>>();
    valuesOfWide.set(record, byTable.set(table, values));
  }
  return values;
}
