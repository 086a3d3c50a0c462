// What Schema reads: the services that hold tables, the tables of one of them, and a table. Read once, and again after a
// change or when asked to (OPEN-175).
import { schemaScreenTypes, type TableDescription } from '@sluice/contract';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/index.ts';
import type { DatabaseService, TableSummary } from '../../../database/index.ts';

/** A table as `_schema/{table}` describes it; `access` is the mask of the verbs the person has for it. */
export interface SchemaTable extends TableDescription {
  access: number;
}

/** The path of a part of a service's schema, below the service: `_schema/{table}/_field/{field}`. */
export const schemaPath = (...segments: string[]): string => ['_schema', ...segments.map(encodeURIComponent)].join('/');

const keyOf = (service: string, ...rest: string[]): string[] => ['schema', service, ...rest];
const forever = Number.POSITIVE_INFINITY;

/** The database services the person may use, in the server's order (SCH-003, C-SCH-01). */
export const servicesQuery = {
  queryKey: ['schema', 'services'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DatabaseService[]> => {
    const { services } = await api.get<{ services: DatabaseService[] }>('', { signal });
    return services.filter(({ type }) => schemaScreenTypes.includes(type));
  },
};

/** Real names and labels of a service's tables, by name (SCH-039, C-SCH-02). */
export const tablesQuery = (service: string) => ({
  queryKey: keyOf(service, 'tables'),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<TableSummary[]> => {
    const query = { refresh: true, fields: 'name,label' };
    const path = `${encodeURIComponent(service)}/_schema`;
    const { resource } = await api.get<{ resource: TableSummary[] }>(path, { query, signal });
    return resource.sort((a, b) => a.name.localeCompare(b.name));
  },
  staleTime: forever,
});

/** One table, as it is now (SCH-027, C-SCH-03). */
export const tableQuery = (service: string, table: string) => ({
  queryKey: keyOf(service, 'table', table),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<SchemaTable>(`${encodeURIComponent(service)}/_schema/${encodeURIComponent(table)}`, {
      query: { refresh: true },
      signal,
    }),
  staleTime: forever,
});

/**
 * The real name of the table with an alias, in any case; null when no table has it. Records are addressed by the alias, `_schema`
 * knows the real name only and answers 404 for the other.
 */
export const aliasQuery = (service: string, alias: string) => ({
  queryKey: keyOf(service, 'alias', alias),
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<string | null> => {
    const { resource } = await api.get<{ resource: { name: string; alias: string | null }[] }>(
      `${encodeURIComponent(service)}/_schema`,
      { query: { fields: 'name,alias' }, signal },
    );
    const lower = alias.toLowerCase();
    return resource.find((table) => table.alias?.toLowerCase() === lower)?.name ?? null;
  },
});

export const useSchemaServices = () => useQuery(servicesQuery);
export const useTables = (service: string) => useQuery({ ...tablesQuery(service), enabled: service !== '' });
export const useTable = (service: string, table: string) =>
  useQuery({ ...tableQuery(service, table), enabled: table !== '' });

/** A table as something else on screen has read it, or could not. */
export const useKnownTable = (service: string, table: string) => {
  const { data, error } = useQuery({ ...tableQuery(service, table), enabled: false });
  return { data, error };
};

/** What was read of a service is old, of its records as well; everything on screen is read again. */
export const refreshService = async (client: QueryClient, service: string): Promise<void> => {
  void client.invalidateQueries({ queryKey: ['data', service] });
  client.removeQueries({ queryKey: keyOf(service), type: 'inactive' });
  await client.invalidateQueries({ queryKey: keyOf(service) });
};
