// Records as they were loaded, sent beside a write so that the server refuses it when somebody changed them since (412,
// contract/database-tables.md §3.7). Other servers ignore the key and write as they always did.
import { ApiError, api } from '../../../api/index.ts';
import { keyFilter } from '../address/filter.ts';
import { keyFields, keyOf } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';

/** Longer texts and files are compared only where they are written: each would travel twice. */
const maxComparedLength = 64 * 1024;

/**
 * What of a record is compared: its stored fields. Those that are computed when they are read may differ each time, and the
 * documents' clients may hold values that no single field of a database has.
 */
export function loadedOf(schema: Schema, row: Row, writtenNames: readonly string[] = []): Row {
  const names = schema.field
    .filter(({ name, is_virtual, db_function }) => Object.hasOwn(row, name) && !is_virtual && !db_function)
    .map(({ name }) => name)
    .filter((name) => isCompared(row[name], writtenNames.includes(name)));
  return Object.fromEntries(names.map((name) => [name, toJsonValue(row[name])]));
}

const isCompared = (value: unknown, isWritten: boolean): boolean =>
  typeof value === 'string'
    ? isWritten || value.length <= maxComparedLength
    : value === null || typeof value !== 'object';

/** A double past 2^53 would be refused as an integer that lost digits. */
const toJsonValue = (value: unknown): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value;

/** Whether the record at this place of a call was refused because somebody changed it. */
export function isStale(error: unknown, index: number): error is ApiError {
  const context = error instanceof ApiError ? (error.context as { resource?: unknown } | null) : null;
  const item: unknown = Array.isArray(context?.resource) ? context.resource[index] : undefined;
  return (item as { status_code?: unknown } | undefined)?.status_code === 412;
}

/** The record as it is stored now; null when it is gone. */
export async function readStored(path: string, schema: Schema, row: Row): Promise<Row | null> {
  const filter = keyFilter(keyFields(schema), keyOf(schema, row) ?? []);
  const { resource } = await api.get<{ resource: Row[] }>(path, { query: { filter, limit: 1, fields: '*' } });
  return resource[0] ?? null;
}
