import type { ReferenceDefinition } from './change.ts';

/** The references that columns make alone, by their names in lower case; the first of each. */
export function singleReferences(references: readonly ReferenceDefinition[]): Map<string, ReferenceDefinition> {
  const byColumn = new Map<string, ReferenceDefinition>();
  for (const reference of references) {
    const [column = '', ...others] = reference.columns.map((name) => name.toLowerCase());
    if (others.length === 0 && !byColumn.has(column)) byColumn.set(column, reference);
  }
  return byColumn;
}
