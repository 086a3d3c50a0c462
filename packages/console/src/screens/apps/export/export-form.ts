// What goes into the package of an app, and the query that asks for it (contract/packages.md §5). Pure.

/** The tables of a database that go along. */
export interface ChosenTables {
  database: string;
  /** All there are. */
  isAll: boolean;
  tables: readonly string[];
}

export interface ExportForm {
  withFiles: boolean;
  /** Names of services whose configuration goes along. */
  services: readonly string[];
  databases: readonly ChosenTables[];
  withRecords: boolean;
}

/** What is asked for in an address: a server takes no longer one. */
export const maxQueryLength = 12_000;

/** The chosen tables by database; `tablesOf` knows all of one. */
function schemaOf(
  { databases }: ExportForm,
  tablesOf: (database: string) => readonly string[],
): Record<string, readonly string[]> {
  return Object.fromEntries(
    databases.flatMap(({ database, isAll, tables }) => {
      const list = isAll ? tablesOf(database) : tables;
      return list.length > 0 ? [[database, list]] : [];
    }),
  );
}

/** The query of an export. */
export function exportQuery(
  form: ExportForm,
  tablesOf: (database: string) => readonly string[],
): Record<string, string | boolean | undefined> {
  const schema = schemaOf(form, tablesOf);
  const hasTables = Object.keys(schema).length > 0;
  return {
    pkg: true,
    include_files: form.withFiles || undefined,
    include_data: (hasTables && form.withRecords) || undefined,
    service: form.services.length > 0 ? form.services.join(',') : undefined,
    schema: hasTables ? JSON.stringify(schema) : undefined,
  };
}

/** Whether a query is too long to be asked for. */
export const isTooLong = (query: Record<string, string | boolean | undefined>): boolean =>
  Object.values(query).reduce<number>((sum, value) => sum + encodeURIComponent(String(value ?? '')).length, 0) >
  maxQueryLength;

/** The databases that are chosen now, with what was chosen of those that were there before. */
export const withDatabases = (form: ExportForm, names: readonly string[]): ExportForm => ({
  ...form,
  databases: names.map(
    (name) => form.databases.find(({ database }) => database === name) ?? { database: name, isAll: false, tables: [] },
  ),
});
