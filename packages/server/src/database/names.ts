/** Whether a list asks for a name, by its `ids` and its `schema` (contract/database-tables.md §1); no names are all. */
export function isAsked(name: string, names: string[], schema: string | undefined): boolean {
  const lower = name.toLowerCase();
  if (names.length > 0 && !names.some((asked) => asked.toLowerCase() === lower)) return false;
  return !schema || lower.startsWith(`${schema.toLowerCase()}.`);
}
