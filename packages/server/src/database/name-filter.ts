/** What names pass the `ids` and `schema` of a list (contract/database-tables.md §1); without ids all names do. */
export function nameFilter(names: string[], schema: string | undefined): (name: string) => boolean {
  const wantedNames = new Set(names.map((name) => name.toLowerCase()));
  const prefix = schema ? `${schema.toLowerCase()}.` : '';
  return (name) => {
    const lower = name.toLowerCase();
    return (wantedNames.size === 0 || wantedNames.has(lower)) && lower.startsWith(prefix);
  };
}
