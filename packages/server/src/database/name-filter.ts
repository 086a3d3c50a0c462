import { nameIndex } from '@sluice/sql';

/** The entries that pass the `ids` and `schema` of a list (contract/database-tables.md §1); without ids all names do. */
export function filterByName<T extends { name: string }>(entries: T[], names: string[], schema?: string): T[] {
  const find = nameIndex(entries, ({ name }) => name);
  const wanted = new Set(names.map(find));
  const prefix = schema ? `${schema.toLowerCase()}.` : '';
  return entries.filter(
    (entry) => (names.length === 0 || wanted.has(entry)) && entry.name.toLowerCase().startsWith(prefix),
  );
}
