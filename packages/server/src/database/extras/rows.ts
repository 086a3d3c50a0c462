// The rows the store has of one service, and what changes them.
import type { Selectable } from 'kysely';
import type { Tables } from '../../store/tables.ts';

export const extrasTables = [
  'db_table_extras',
  'db_field_extras',
  'db_relationship_extras',
  'db_virtual_relationship',
] as const;
export type ExtrasTable = (typeof extrasTables)[number];

/** A row of one of them, told from those of other services by whoever keeps it. */
export type RowOf<T extends ExtrasTable> = Omit<Selectable<Tables[T]>, 'id' | 'service_id'>;
export type TableRow = RowOf<'db_table_extras'>;
export type FieldRow = RowOf<'db_field_extras'>;
export type RelationRow = RowOf<'db_relationship_extras'>;
export type VirtualRow = RowOf<'db_virtual_relationship'>;

/** All that is stored of a service. */
export interface StoredExtras {
  /** Its id. */
  service: number;
  /** The names of all services by id. */
  names: Record<number, string>;
  rows: { [T in ExtrasTable]: RowOf<T>[] };
}

/** Takes out the rows that have all of `key`, and puts `row` in their place if there is one. */
export type Put = { [T in ExtrasTable]: { in: T; key: Partial<RowOf<T>>; row?: RowOf<T> } }[ExtrasTable];

export const noRows = (): StoredExtras['rows'] => ({
  db_table_extras: [],
  db_field_extras: [],
  db_relationship_extras: [],
  db_virtual_relationship: [],
});

/** Whether a row has all of a key. */
export const hasKey = (row: object, key: object): boolean =>
  Object.entries(key).every(([name, value]) => (row as Record<string, unknown>)[name] === value);

/** What is stored after some changes. */
export function withPuts(stored: StoredExtras, puts: readonly Put[]): StoredExtras {
  const rows = { ...stored.rows };
  for (const { in: table, key, row } of puts)
    rows[table] = [...(rows[table] as object[]).filter((it) => !hasKey(it, key)), ...(row ? [row] : [])] as never;
  return { ...stored, rows };
}
