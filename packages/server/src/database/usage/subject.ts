// The table or field that is looked for, by all the names it goes by.
import { fail } from '@sluice/contract';
import type { NamedTable } from '../extras/names.ts';
import { namesOfField } from '../extras/plan-drop.ts';
import type { StoredExtras } from '../extras/rows.ts';

/** A table of a service, or a field of it. Names are the database's own. */
export interface UsageTarget {
  service: number;
  table: string;
  field?: string;
  /**
   * The other tables of the service, and the other fields of the table: engines may tell names apart by letter case alone,
   * and what people typed then means the one that is written so.
   */
  others?: { tables?: readonly string[]; fields?: readonly string[] };
}

/** The target with what the service says of it. */
export interface UsageSubject {
  at: NamedTable;
  /** What rows of roles call it below `_table`: its alias, if it has one. */
  apiTable: string;
  field: string | undefined;
  /** What record filters call the field. */
  apiField: string | undefined;
  /** What virtual relations may call it: its own name, and its alias last. */
  fieldNames: string[] | undefined;
}

export function subjectOf({ rows }: StoredExtras, { service, table, field, others }: UsageTarget): UsageSubject {
  const alias = rows.db_table_extras.find((row) => row.table === table)?.alias ?? null;
  const fieldNames = field === undefined ? undefined : namesOfField({ rows }, table, field);
  return {
    at: {
      service,
      table,
      ...(others?.tables ? { otherTables: others.tables.filter((name) => name !== table) } : {}),
      ...(others?.fields ? { otherFields: others.fields.filter((name) => name !== field) } : {}),
    },
    apiTable: alias ?? table,
    field,
    apiField: fieldNames?.at(-1),
    fieldNames,
  };
}

/** Refuses a name that would mean something else in a row of a role: `*` is for every name. */
export function checkNewName({ table, field }: UsageTarget, newName: string): void {
  const name = field ?? table;
  if (newName === '' || newName !== newName.trim() || /[*/{},]/.test(newName))
    throw fail('schema.value', {
      name: name.slice(0, 200),
      key: 'new name',
      problem: 'must not be empty, begin or end with a blank, or have one of * / { } ,',
    });
}
