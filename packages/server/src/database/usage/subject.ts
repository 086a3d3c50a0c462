// The table or field that is looked for, by all the names it goes by.
import { fail } from '@sluice/contract';
import type { NamedTable } from '../extras/names.ts';
import { namesOfField } from '../extras/plan-drop.ts';
import type { StoredExtras } from '../extras/rows.ts';

/** A table of a service. Names are the database's own. */
export interface UsageTable {
  service: number;
  table: string;
  /**
   * The tables of the service, and the fields of the table: engines may tell names apart by letter case alone, and what
   * people typed then means the one that is written so.
   */
  others?: { tables?: readonly string[]; fields?: readonly string[] };
}

/** The table, or a field of it, that is renamed or dropped. */
export interface TableMove {
  field?: string;
  /** Absent: it is dropped. */
  newName?: string;
}

/** What moves, with what the service says of it. */
export interface UsageSubject {
  at: NamedTable;
  /** Another table differs from it in letter case alone, which rows of roles do not tell apart. */
  isAmbiguous: boolean;
  /** What rows of roles call it below `_table`: its alias, if it has one. */
  apiTable: string;
  field: string | undefined;
  /** What record filters call the field. */
  apiField: string | undefined;
  /** What virtual relations may call it: its own name, and its alias last. */
  fieldNames: string[] | undefined;
  newName: string | undefined;
}

/** One for each move. */
export function subjectsOf(
  { rows }: StoredExtras,
  { service, table, others = {} }: UsageTable,
  moves: readonly TableMove[],
): UsageSubject[] {
  const alias = rows.db_table_extras.find((row) => row.table === table)?.alias ?? null;
  const { tables, fields } = others;
  const at = {
    ...{ service, table },
    ...(tables ? { otherTables: tables } : {}),
    ...(fields ? { otherFields: fields } : {}),
  };
  const lower = table.toLowerCase();
  const isAmbiguous = tables?.some((other) => other !== table && other.toLowerCase() === lower) ?? false;
  return moves.map(({ field, newName }) => {
    const fieldNames = field === undefined ? undefined : namesOfField({ rows }, table, field);
    return { at, isAmbiguous, apiTable: alias ?? table, field, apiField: fieldNames?.at(-1), fieldNames, newName };
  });
}

/** Refuses a name that would mean something else in a row of a role: `*` is for every name. */
export function checkNewName(name: string, newName: string): void {
  if (newName === '' || newName !== newName.trim() || /[*/{},]/.test(newName))
    throw fail('schema.value', {
      name: name.slice(0, 200),
      key: 'new name',
      problem: 'must not be empty, begin or end with a blank, or have one of * / { } ,',
    });
}
