// A table as JSON text, and back (SCH-015, OPEN-178).
import type { TableDraft } from './table.ts';

export const tableToJson = (table: TableDraft): string => JSON.stringify(table, null, 2);

/** The table a text stands for; null when it is no JSON, or no object. */
export function tableFromJson(text: string): Partial<TableDraft> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** What of a table differs from `base`; what it leaves out stays. */
export function changesOf(table: Partial<TableDraft>, base: TableDraft): Partial<TableDraft> {
  const present = new Map<string, unknown>(Object.entries(base));
  const isOther = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(present.get(name));
  return Object.fromEntries(Object.entries(table).filter(isOther));
}
