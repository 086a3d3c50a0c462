/** Whether a name passes the `ids` and `schema` of a list (contract/database-tables.md §1); without ids all names do. */
export function matchesNameFilter(name: string, names: string[], schema: string | undefined): boolean {
  const lower = name.toLowerCase();
  if (names.length > 0 && !names.some((wantedName) => wantedName.toLowerCase() === lower)) return false;
  return !schema || lower.startsWith(`${schema.toLowerCase()}.`);
}
