// A related record as it was sent: which one it is, and what it says beyond that.
import { fail } from '@sluice/contract';
import { type Column, type Table, toNative } from '@sluice/sql';
import { fieldsOf, isRecord, type RecordInput } from '../../call/payload.ts';
import type { Key } from '../record/identify.ts';
import { nameOf } from './reach.ts';

/** The key a related record was sent with, or what joins it; undefined without a whole one. */
export function keyIn(table: Table, record: RecordInput, join?: { column: Column; value: unknown }): Key | undefined {
  const sent = fieldsOf(record);
  const key: Key = [];
  for (const column of table.key) {
    const part = sent.get(column.name.toLowerCase());
    const isSent = part !== undefined && part !== null && part !== '';
    if (!isSent && column !== join?.column) return undefined;
    key.push(isSent ? toNative(column, part, 'filter') : join?.value);
  }
  return key.length > 0 ? key : undefined;
}

export const isCounted = ({ key }: Table): boolean => key.some(({ description }) => description.auto_increment);

/** A record without a key can be made where the database counts the key up, or there is none. */
export function mustCountKeys({ key }: Table): void {
  const demanded = key.find(({ description, made }) => !description.auto_increment && made === undefined);
  if (demanded) throw fail('related.noKey', { field: demanded.name });
}

/** Whether a record says more than which one it is. */
export const hasFields = (table: Table, record: RecordInput, besides?: Column): boolean =>
  Object.keys(record).some((name) => {
    const column = table.column(name);
    if (column) return column !== besides && !table.key.includes(column);
    return table.description.related.some((it) => nameOf(it).toLowerCase() === name.toLowerCase());
  });

export function recordsIn(relation: string, value: unknown): RecordInput[] {
  if (value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((it) => {
    if (!isRecord(it)) throw fail('related.notRecord', { relation });
    return it;
  });
}

/** `"contact.id": null` in a record of the other side takes it out of the junction. */
export const isLetGo = (table: Table, sent: Map<string, unknown>): boolean =>
  [table.name, table.description.name].some((name) =>
    table.key.some((column) => sent.get(`${name}.${column.name}`.toLowerCase()) === null),
  );
