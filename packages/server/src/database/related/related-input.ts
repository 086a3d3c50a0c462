// A related record as it was sent: which one it is, and what else it has.
import { fail } from '@sluice/contract';
import { type Column, nameIndex, type Table, toNative } from '@sluice/sql';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { columnValues } from '../record/column-values.ts';
import type { Key } from '../record/identify.ts';
import { findRelation } from './relation.ts';

/** Values by the columns that hold them: those that join a record to another. */
export type JoinValues = ReadonlyMap<Column, unknown>;

export const joinValuesOf = (columns: readonly Column[], values: readonly unknown[]): JoinValues =>
  new Map(columns.map((column, index) => [column, values[index]]));

/** The key in a related record, completed by the values that join it; undefined where a part is missing. */
export function keyOfInput(table: Table, record: RecordInput, join?: JoinValues): Key | undefined {
  const input = columnValues(table, record);
  const key: Key = [];
  for (const column of table.key) {
    const part = input.get(column);
    if (!isSent(part) && !join?.has(column)) return undefined;
    key.push(isSent(part) ? toNative(column, part, 'filter') : join?.get(column));
  }
  return key.length > 0 ? key : undefined;
}

const isSent = (part: unknown): boolean => part !== undefined && part !== null && part !== '';

export const hasCountedKey = ({ key }: Table): boolean => key.some(({ description }) => description.auto_increment);

/** Only where the database makes what is missing of the key, or there is none, can a record without a key be created. */
export function requireCountedKey(table: Table, record: RecordInput, join?: JoinValues): void {
  const input = columnValues(table, record);
  const missing = table.key.find((column) => {
    const isMade = column.description.auto_increment || column.autoValue !== undefined;
    return !isMade && !join?.has(column) && !isSent(input.get(column));
  });
  if (missing) throw fail('related.noKey', { field: missing.name });
}

/** Whether a record has more than its key. */
export const hasFields = (table: Table, record: RecordInput, exceptColumns: readonly Column[] = []): boolean =>
  Object.keys(record).some((name) => {
    const column = table.column(name);
    if (column) return !exceptColumns.includes(column) && !table.key.includes(column);
    return findRelation(table)(name) !== undefined;
  });

export function requireRecordInputs(relation: string, value: unknown): RecordInput[] {
  if (value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (!isRecord(item)) throw fail('related.notRecord', { relation });
    return item;
  });
}

/** `"contact.id": null` in a record of the other side takes it out of the junction. */
export function isUnlinked(table: Table, record: RecordInput): boolean {
  const find = nameIndex(Object.entries(record), ([name]) => name);
  return [table.name, table.description.name].some((name) =>
    table.key.some((column) => find(`${name}.${column.name}`)?.[1] === null),
  );
}
