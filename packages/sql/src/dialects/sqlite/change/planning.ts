// What the plan of a change is made of.
import type { FieldDefinition, MisfitProblem, ReferenceDefinition } from '../../../change/index.ts';
import { freeName } from '../../../change/names.ts';
import type { Sqlite } from '../driver/index.ts';
import { namesIn, readTableState, sameName } from './shadow.ts';
import { type ChangeData, RefusalError, unsupported } from './task.ts';

/** A change that is ready to be carried out. Its queries are about the table before it. */
export interface PlannedChange {
  /** API name of the table, before the change. */
  table: string;
  checks: { field: string; problem: MisfitProblem; sql: string }[];
  losses: { field: string | null; sql: string }[];
  statements: PlannedStatement[];
}

export interface PlannedStatement {
  sql: string;
  /** Renames a table without a look at who names it. */
  isLegacy?: boolean;
}

/** The schema a change is planned on. */
export interface Planning {
  shadow: Sqlite;
  /** All changes, in their order. */
  changes: readonly ChangeData[];
  /** Runs a statement on the copy and keeps it for the file. */
  run(sql: string, options?: { isLegacy?: boolean }): void;
}

/** Runs a statement of a plan. */
export function runStatement(database: Sqlite, { sql, isLegacy = false }: PlannedStatement): void {
  database.exec(`pragma legacy_alter_table = ${isLegacy ? 'on' : 'off'}`);
  try {
    database.run(sql);
  } catch (error) {
    // SQLite speaks of the table under the name it has for a while.
    (error as Error).message = (error as Error).message.replaceAll(passingPrefix, '');
    throw error;
  }
}

const passingPrefix = 'sluice_new_';

/** Of the references that columns make alone, those that stand in the definitions of these fields. */
export const inlineReferences = (
  single: ReadonlyMap<string, ReferenceDefinition>,
  fields: readonly FieldDefinition[],
): Set<ReferenceDefinition> =>
  new Set(fields.flatMap(({ name, sql }) => (sql === undefined ? (single.get(name.toLowerCase()) ?? []) : [])));

/** The reference with the real name of its table, which may be one that a later change makes. */
export function resolveReference(
  { shadow, changes }: Planning,
  table: string,
  reference: ReferenceDefinition,
): ReferenceDefinition {
  const { columns, refColumns, refTable } = reference;
  if (columns.length === 0 || columns.length !== refColumns.length)
    throw unsupported(table, 'a reference names as many fields as it points to');
  const state = readTableState(shadow, refTable);
  const made = changes.find((change) => change.kind === 'createTable' && sameName(change.name, refTable));
  const name = state?.name ?? made?.name ?? (sameName(table, refTable) ? table : undefined);
  if (name === undefined) throw new RefusalError({ kind: 'unknownTable', table: refTable });
  return { ...reference, refTable: name };
}

/** A name for what is there only while a change runs. */
export const passingName = (shadow: Sqlite, name: string): string =>
  freeName(`${passingPrefix}${name}`, namesIn(shadow), 1000);
