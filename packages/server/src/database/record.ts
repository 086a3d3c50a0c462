// A record as it was sent, made into the values to write (contract/database-tables.md §3, §9, §10).
import { fail } from '@sluice/contract';
import { type Column, type Row, type Table, toNative } from '@sluice/sql';
import { replaceLookups } from '../access/lookups.ts';
import type { RecordInput } from '../gateway/payload.ts';
import type { TableCall } from './table-call.ts';

/** The values to insert: known fields only, converted. Refuses missing required fields and records with nothing known. */
export function insertValues(it: TableCall, record: RecordInput): Row {
  const sent = sentFields(record);
  const values: Row = {};
  for (const column of it.table.columns) {
    if (isAutomatic(column)) continue;
    const name = column.name.toLowerCase();
    const value = sent.get(name);
    // A key the database makes itself is commonly sent as null, or as an empty cell of a CSV file.
    const isMade = column.description.auto_increment && (value === null || value === '');
    if (value !== undefined && !isMade && column.made !== 'generated')
      values[column.name] = converted(it, column, value);
    else if (column.description.required && column.made === undefined)
      throw fail('table.requiredField', { field: name });
  }
  if (Object.keys(values).length === 0) throw fail('table.noValidFields');
  return { ...values, ...momentsOf(it, 'timestamp_on_create', 'timestamp_on_update') };
}

/**
 * The values to change: known fields only, converted, without the identifying columns and without keys the database
 * makes. None left is no error: then nothing changes.
 */
export function updateValues(it: TableCall, record: RecordInput, identifying: Column[]): Row {
  const sent = sentFields(record);
  const values: Row = {};
  for (const column of it.table.columns) {
    const value = sent.get(column.name.toLowerCase());
    if (value === undefined || column.description.type === 'id' || identifying.includes(column)) continue;
    if (!isAutomatic(column)) values[column.name] = converted(it, column, value);
  }
  return Object.keys(values).length === 0 ? values : { ...values, ...momentsOf(it, 'timestamp_on_update') };
}

const isAutomatic = ({ description }: Column) => /^timestamp_on_/.test(description.type);

/** Fields that hold when a record was made or changed: set whatever was sent (contract/database-tables.md §9). */
const momentsOf = ({ table }: TableCall, ...types: string[]): Row =>
  Object.fromEntries(
    table.columns.filter((it) => types.includes(it.description.type)).map((it) => [it.name, { expression: 'now' }]),
  );

/** Writing related records comes with reading them; dropping them unseen would lose data. */
export function refuseRelatedKeys({ description }: Table, records: RecordInput[]): void {
  const names = new Set(description.related.map(({ alias, name }) => (alias ?? name).toLowerCase()));
  if (names.size === 0) return;
  for (const record of records)
    for (const key of Object.keys(record)) if (names.has(key.toLowerCase())) throw fail('table.relatedLater');
}

const sentFields = (record: RecordInput) =>
  new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value]));

const converted = (it: TableCall, column: Column, value: unknown) =>
  toNative(column, replaceLookups(value, it.lookup), 'write');
