// The table or field that is looked for, by all the names it goes by.
import { fail } from '@sluice/contract';
import type { NamedTable } from '../extras/names.ts';
import { namesOfField } from '../extras/plan-drop.ts';
import { rowsOf, type StoredExtras } from '../extras/rows.ts';

/** A table of a service. Names are the database's own. */
export interface UsageTable {
  service: number;
  table: string;
  /**
   * The tables of the service, and the fields of the table: engines may tell names apart by letter case alone, and what
   * people typed then means the one that is written so.
   */
  others?: { tables?: readonly string[]; fields?: readonly string[] };
  /** What the API calls it before the change; absent: as the service says now. */
  apiName?: string;
}

/** The table, or a field of it, that is renamed or dropped, or gets another alias. */
export interface TableMove {
  field?: string;
  /** Absent: it is dropped. Its own name where its alias alone is another. */
  newName?: string;
  /** What the API calls a field before the change; absent: as the service says now. */
  apiName?: string;
  /** What the API calls it after the change; absent: its alias stays. */
  newApiName?: string;
}

/** Whether nothing but the alias changes: what goes by the name in the database is as it was. */
export const isAliasMove = (table: string, { field, newName }: TableMove): boolean => newName === (field ?? table);

/** What moves, with what the service says of it. */
export interface UsageSubject {
  at: NamedTable;
  /** Another table differs from it in letter case alone, which rows of roles do not tell apart. */
  isAmbiguous: boolean;
  /** So are rows below `_table`: an alias is of one table alone, in any letter case. */
  isApiAmbiguous: boolean;
  /** What rows of roles call it below `_table`: its alias, if it has one. */
  apiTable: string;
  field: string | undefined;
  /** What record filters call the field. */
  apiField: string | undefined;
  /** What virtual relations may call it: its own name, and its alias last. */
  fieldNames: string[] | undefined;
  newName: string | undefined;
  /** What the API calls the table or the field then; undefined of one that is dropped. */
  newApiName: string | undefined;
  /** The API calls it by an alias, which the change leaves as it is. */
  keepsAlias: boolean;
  isAliasOnly: boolean;
}

/** One for each move. */
export function subjectsOf(
  { rows }: StoredExtras,
  { service, table, others = {}, apiName: apiTable = aliasOf(rows, table) ?? table }: UsageTable,
  moves: readonly TableMove[],
): UsageSubject[] {
  const { tables, fields } = others;
  const at = {
    ...{ service, table },
    ...(tables ? { otherTables: tables } : {}),
    ...(fields ? { otherFields: fields } : {}),
  };
  const lower = table.toLowerCase();
  const isAmbiguous = tables?.some((other) => other !== table && other.toLowerCase() === lower) ?? false;
  const ofTable = { at, isAmbiguous, apiTable, isApiAmbiguous: isAmbiguous && apiTable === table };
  return moves.map((move) => {
    const { field, newName } = move;
    const fieldNames = field === undefined ? undefined : namesOfField({ rows }, table, field);
    const apiField = field === undefined ? undefined : (move.apiName ?? fieldNames?.at(-1));
    const apiName = apiField ?? apiTable;
    const hasAlias = apiName !== (field ?? table);
    const newApiName = newName === undefined ? undefined : (move.newApiName ?? (hasAlias ? apiName : newName));
    const keepsAlias = newApiName === undefined ? hasAlias : newApiName === apiName;
    const isAliasOnly = isAliasMove(table, move);
    return { ...ofTable, field, apiField, fieldNames, newName, newApiName, keepsAlias, isAliasOnly };
  });
}

const aliasOf = (rows: StoredExtras['rows'], table: string): string | null | undefined =>
  rowsOf(rows.db_table_extras, table)[0]?.alias;

/** Refuses a name that would mean something else in a row of a role: `*` is for every name. */
export function checkNewName(name: string, newName: string): void {
  if (newName === '' || newName !== newName.trim() || /[*/{},]/.test(newName))
    throw fail('schema.value', {
      name: name.slice(0, 200),
      key: 'new name',
      problem: 'must not be empty, begin or end with a blank, or have one of * / { } ,',
    });
}
