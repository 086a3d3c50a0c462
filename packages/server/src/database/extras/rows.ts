// The rows the store has of one service, and what changes them.
import { isDeepStrictEqual } from 'node:util';
import type { Table } from '@sluice/sql';
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

/** Takes out the row that has all of `key`, and puts `row` in its place if there is one. */
export type Put = { [T in ExtrasTable]: { in: T; key: Partial<RowOf<T>>; row?: RowOf<T> } }[ExtrasTable];

export const noRows = (): StoredExtras['rows'] => ({
  db_table_extras: [],
  db_field_extras: [],
  db_relationship_extras: [],
  db_virtual_relationship: [],
});

/** Whether rows have all of a key, which at most one of them does. */
export function withKey(key: object): (row: object) => boolean {
  const parts = Object.entries(key);
  return (row) => parts.every(([name, value]) => (row as Record<string, unknown>)[name] === value);
}

/** What is stored after some changes; a row that is changed keeps its place. */
export function withPuts(stored: StoredExtras, puts: readonly Put[]): StoredExtras {
  const rows = { ...stored.rows };
  for (const { in: table, key, row } of puts) {
    const isIt = withKey(key);
    const list: object[] = rows[table];
    const at = list.findIndex(isIt);
    const added = row ? [row] : [];
    rows[table] = (at < 0 ? [...list, ...added] : [...list.slice(0, at), ...added, ...list.slice(at + 1)]) as never;
  }
  return { ...stored, rows };
}

/** Where a change happens, and on whose behalf. */
export interface Place {
  /** As the database has it. */
  table: Table;
  /** Real names of all tables. */
  tables: string[];
  isAdmin: boolean;
}

/** A change of some extras of a table: what is stored in, rows out. */
export type Change = (stored: StoredExtras, place: Place) => Put[];

/**
 * A row to put in the place of another: none where both are alike, and none in place of the old one where the new says
 * nothing.
 */
export function putOf<T extends Put['in']>(
  table: T,
  key: Extract<Put, { in: T }>['key'],
  old: object | undefined,
  row: NonNullable<Extract<Put, { in: T }>['row']>,
): Put[] {
  const saysNothing = Object.entries(row).every(([name, value]) => name in key || value === null || value === 0);
  if (saysNothing) return old ? [{ in: table, key } as Put] : [];
  return old && isDeepStrictEqual(old, row) ? [] : [{ in: table, key, row } as Put];
}
