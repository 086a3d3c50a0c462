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

/** A row of one of these tables without its service, which the store adds. */
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

/** Removes the row that has all of `key`, and puts `row` in its place if there is one. */
export type ExtrasChange = { [T in ExtrasTable]: { table: T; key: Partial<RowOf<T>>; row?: RowOf<T> } }[ExtrasTable];

export const emptyRows = (): StoredExtras['rows'] => ({
  db_table_extras: [],
  db_field_extras: [],
  db_relationship_extras: [],
  db_virtual_relationship: [],
});

/** Whether rows have all of a key, which at most one of them does. */
export function hasKey(key: object): (row: object) => boolean {
  const parts = Object.entries(key);
  return (row) => parts.every(([name, value]) => (row as Record<string, unknown>)[name] === value);
}

/** What is stored after some changes; a row that is changed keeps its place. */
export function withChanges(stored: StoredExtras, changes: readonly ExtrasChange[]): StoredExtras {
  const rows = { ...stored.rows };
  for (const { table, key, row } of changes) {
    const isSameRow = hasKey(key);
    const list: object[] = rows[table];
    const index = list.findIndex(isSameRow);
    const replacement = row ? [row] : [];
    rows[table] = (
      index < 0 ? [...list, ...replacement] : [...list.slice(0, index), ...replacement, ...list.slice(index + 1)]
    ) as never;
  }
  return { ...stored, rows };
}

/** Plans one after the other, each on what those before it leave. */
export function planInOrder(
  stored: StoredExtras,
  plans: readonly ((stored: StoredExtras) => ExtrasChange[])[],
): ExtrasChange[] {
  let current = stored;
  return plans.flatMap((plan) => {
    const changes = plan(current);
    current = withChanges(current, changes);
    return changes;
  });
}

/** What a change is planned for, and on whose behalf. */
export interface ChangeContext {
  /** As the database has it. */
  table: Table;
  /** Real names of all tables. */
  tables: string[];
  /** The table is made by the same request: the tables that relate to it may come later. */
  isNew?: boolean;
  isAdmin: boolean;
}

/** Plans changes of some extras of a table, on what is stored. */
export type ChangePlan = (stored: StoredExtras, context: ChangeContext) => ExtrasChange[];

/**
 * The change from an existing row to another: none where both are equal, and a removal where the new one says nothing.
 */
export function rowChange<T extends ExtrasChange['table']>(
  table: T,
  key: Extract<ExtrasChange, { table: T }>['key'],
  existing: object | undefined,
  row: NonNullable<Extract<ExtrasChange, { table: T }>['row']>,
): ExtrasChange[] {
  const isEmpty = Object.entries(row).every(([name, value]) => name in key || value === null || value === 0);
  if (isEmpty) return existing ? [{ table, key } as ExtrasChange] : [];
  return existing && isDeepStrictEqual(existing, row) ? [] : [{ table, key, row } as ExtrasChange];
}
