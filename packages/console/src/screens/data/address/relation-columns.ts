// The columns a relation joins by. A description has those of one side in one text, joined by commas (contract/database-schema.md §2). Pure.
import type { Schema } from './sources.ts';

/** The columns of a list, of a table whose fields are known. A column's own name may hold commas: as on the server, that comes first. */
export function splitColumns(list: string | null, { field }: Pick<Schema, 'field'>): string[] {
  if (!list) return [];
  return field.some(({ name }) => name === list) ? [list] : list.split(',');
}

/** The columns on the other side of `columns`, one for each, whose table is not known yet; null when there are more or fewer. */
export function pairedColumns(list: string | null, columns: readonly string[]): string[] | null {
  if (!list) return null;
  const paired = columns.length === 1 ? [list] : list.split(',');
  return paired.length === columns.length ? paired : null;
}
