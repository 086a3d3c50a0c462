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
export type ExtrasChange = {
  [T in ExtrasTable]: { table: T; key: Partial<RowOf<T>> & AboutTable; row?: RowOf<T> };
}[ExtrasTable];

/** What every row says: the table that it is about. */
interface AboutTable {
  table: string;
}

export const emptyRows = (): StoredExtras['rows'] => ({
  db_table_extras: [],
  db_field_extras: [],
  db_relationship_extras: [],
  db_virtual_relationship: [],
});

/** Rows that are about one table: all, and by what they say their field or relation is called. */
interface TableIndex {
  rows: AboutTable[];
  byName: Map<string, AboutTable[]>;
}

/** The rows of each list by table: a call may plan for a thousand tables, or for a table of two thousand fields. */
const indexes = new WeakMap<readonly AboutTable[], Map<string, TableIndex>>();

function indexOf(rows: readonly AboutTable[]): Map<string, TableIndex> {
  let index = indexes.get(rows);
  if (!index) {
    index = new Map();
    for (const row of rows) addTo(index, row);
    indexes.set(rows, index);
  }
  return index;
}

const nameOf = (row: AboutTable & { field?: string; relationship?: string }): string =>
  row.field ?? row.relationship ?? '';

function addTo(index: Map<string, TableIndex>, row: AboutTable): void {
  const ofTable = index.get(row.table) ?? { rows: [], byName: new Map<string, AboutTable[]>() };
  index.set(row.table, ofTable);
  ofTable.rows.push(row);
  const name = nameOf(row);
  const ofName = ofTable.byName.get(name);
  if (ofName) ofName.push(row);
  else ofTable.byName.set(name, [row]);
}

function removeFrom(index: Map<string, TableIndex>, row: AboutTable): void {
  const ofTable = index.get(row.table);
  for (const list of [ofTable?.rows, ofTable?.byName.get(nameOf(row))]) list?.splice(list.indexOf(row), 1);
}

/** The rows that are about a table, found without a look at the others. */
export const rowsOf = <R extends AboutTable>(rows: readonly R[], table: string): readonly R[] =>
  (indexOf(rows).get(table)?.rows ?? []) as R[];

/** Those of them whose field, or relation, has a name. */
export const rowsNamed = <R extends AboutTable>(rows: readonly R[], table: string, name: string): readonly R[] =>
  (indexOf(rows).get(table)?.byName.get(name) ?? []) as R[];

/** The row that a change is of, if there is one. */
export function findRow({ rows }: StoredExtras, { table, key }: ExtrasChange): object | undefined {
  const parts = Object.entries(key);
  return rowsNamed<AboutTable>(rows[table], key.table, nameOf(key)).find((row) =>
    parts.every(([name, value]) => (row as unknown as Record<string, unknown>)[name] === value),
  );
}

/** What is stored, and what plans make of it, one after the other; nothing is written. */
export class ExtrasDraft {
  /** As the plans so far leave it. */
  readonly current: StoredExtras;
  /** All of them. */
  readonly changes: ExtrasChange[] = [];

  constructor({ rows, ...stored }: StoredExtras) {
    const copied = Object.fromEntries(extrasTables.map((table) => [table, [...rows[table]]]));
    this.current = { ...stored, rows: copied as StoredExtras['rows'] };
  }

  run(plan: ChangePlan, context: ChangeContext): ExtrasChange[] {
    const changes = plan(this.current, context);
    for (const change of changes) this.apply(change);
    return changes;
  }

  /** A row that is changed keeps its place. */
  apply(change: ExtrasChange): void {
    const { table, row } = change;
    const rows: AboutTable[] = this.current.rows[table];
    const index = indexOf(rows);
    const before = findRow(this.current, change) as AboutTable | undefined;
    if (before) {
      removeFrom(index, before);
      rows.splice(rows.indexOf(before), 1, ...(row ? [row] : []));
    } else if (row) rows.push(row);
    if (row) addTo(index, row);
    this.changes.push(change);
  }
}

/** What is stored after some changes. */
export function withChanges(stored: StoredExtras, changes: readonly ExtrasChange[]): StoredExtras {
  const draft = new ExtrasDraft(stored);
  for (const change of changes) draft.apply(change);
  return draft.current;
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
  /** Whether the caller may know that there is a service of this name. */
  knowsService(name: string): boolean;
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
