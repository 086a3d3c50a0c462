// A related record as it was sent: which one it is, and what else it has.
import { fail } from '@sluice/contract';
import { type Column, type Table, toNative } from '@sluice/sql';
import { fieldsByLowerName, isRecord, type RecordInput } from '../../call/payload.ts';
import type { Key } from '../record/identify.ts';
import { relationName } from './relation.ts';

/** The key in a related record, completed by the value that joins it; undefined where a part is missing. */
export function keyOfInput(
  table: Table,
  record: RecordInput,
  join?: { column: Column; value: unknown },
): Key | undefined {
  const input = fieldsByLowerName(record);
  const key: Key = [];
  for (const column of table.key) {
    const part = input.get(column.name.toLowerCase());
    const isSent = part !== undefined && part !== null && part !== '';
    if (!isSent && column !== join?.column) return undefined;
    key.push(isSent ? toNative(column, part, 'filter') : join?.value);
  }
  return key.length > 0 ? key : undefined;
}

export const hasCountedKey = ({ key }: Table): boolean => key.some(({ description }) => description.auto_increment);

/** Only where the database counts the key up, or there is none, can a record without a key be created. */
export function requireCountedKey({ key }: Table): void {
  const missing = key.find(({ description, autoValue }) => !description.auto_increment && autoValue === undefined);
  if (missing) throw fail('related.noKey', { field: missing.name });
}

/** Whether a record has more than its key. */
export const hasFields = (table: Table, record: RecordInput, exceptColumn?: Column): boolean =>
  Object.keys(record).some((name) => {
    const column = table.column(name);
    if (column) return column !== exceptColumn && !table.key.includes(column);
    return table.description.related.some((relation) => relationName(relation).toLowerCase() === name.toLowerCase());
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
export const isUnlinked = (table: Table, input: Map<string, unknown>): boolean =>
  [table.name, table.description.name].some((name) =>
    table.key.some((column) => input.get(`${name}.${column.name}`.toLowerCase()) === null),
  );
