// What the API calls a table and its fields, before and after a change: what goes by these names follows another alias as it
// follows a rename.
import { rowsOf, type StoredExtras } from '../extras/rows.ts';
import type { TableMove } from '../usage/index.ts';
import type { TableChange } from './table-state.ts';

/** The API's names of a table and of the fields that something is said of. */
export interface ApiNames {
  table: string;
  /** By real name. */
  fields: ReadonlyMap<string, { apiName: string; isVirtual: boolean }>;
}

export const apiNamesOf = ({ rows }: StoredExtras, table: string): ApiNames => ({
  table: rowsOf(rows.db_table_extras, table)[0]?.alias ?? table,
  fields: new Map(
    rowsOf(rows.db_field_extras, table).map(({ field, alias, is_virtual }) => [
      field,
      { apiName: alias ?? field, isVirtual: is_virtual === 1 },
    ]),
  ),
});

/**
 * The moves of a change with the API's names, and those of a table and of fields that only get another alias. A new table or
 * field moves nothing: what has its name already is not of it.
 */
export function movesOf(
  { name, before, after, moves }: Pick<TableChange, 'name' | 'before' | 'after' | 'moves'>,
  old: ApiNames,
  now: ApiNames,
): TableMove[] {
  if (!before || !after) return moves;
  const apiNameBefore = (field: string | undefined) =>
    field === undefined ? old.table : (old.fields.get(field)?.apiName ?? field);
  const apiNameAfter = (field: string | undefined, newName: string) =>
    field === undefined ? now.table : (now.fields.get(newName)?.apiName ?? newName);
  const withApiNames = (move: TableMove): TableMove => ({
    ...move,
    ...(move.field === undefined ? {} : { apiName: apiNameBefore(move.field) }),
    ...(move.newName === undefined ? {} : { newApiName: apiNameAfter(move.field, move.newName) }),
  });
  const moving = new Set(moves.map(({ field }) => field));
  const columns = new Set(before.columns.map(({ native }) => native));
  const isThere = (field: string) => (old.fields.get(field)?.isVirtual ? now.fields.has(field) : columns.has(field));
  const others = [undefined, ...new Set([...old.fields.keys(), ...now.fields.keys()])]
    .filter((field) => !moving.has(field) && (field === undefined || isThere(field)))
    .map((field) => withApiNames({ ...(field === undefined ? {} : { field }), newName: field ?? name }))
    .filter(({ field, newApiName }) => newApiName !== apiNameBefore(field));
  return [...moves.map(withApiNames), ...others];
}
