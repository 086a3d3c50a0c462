// What the Data screen reads: the services that hold tables, and the tables of one of them.
import { dataScreenTypes, type TableDescription } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/index.ts';
import type { DatabaseService, TableSummary } from '../../../database/index.ts';

/** The description that comes with records; aliases are already applied (contract/database-schema.md §2). */
export type Schema = Omit<TableDescription, 'alias'>;
export type Row = Record<string, unknown>;

/** A page of records as a read with `include_schema` and `include_count` answers it. */
export interface RecordPage {
  resource: Row[];
  meta: { count: number; schema: Schema };
}

export const systemService = 'system';

/** The query key of everything read from one table; a write invalidates it. */
export const tableQueryKey = (service: string, table: string): readonly string[] => ['data', service, 'table', table];

/** The path of a table's records; the tables of the system service are its resources. */
export const tablePath = (service: string, table: string): string =>
  `${encodeURIComponent(service)}/${service === systemService ? '' : '_table/'}${encodeURIComponent(table)}`;

/** The database services the person may use, in the server's order (DAT-004, C-DAT-01). */
export const servicesQuery = {
  queryKey: ['data', 'services'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DatabaseService[]> => {
    const { services } = await api.get<{ services: DatabaseService[] }>('', { signal });
    return services.filter(({ type }) => dataScreenTypes.includes(type));
  },
};

/** Names and labels of a service's tables (C-DAT-02). */
export const tablesQuery = (service: string) => ({
  queryKey: ['data', service, 'tables'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<TableSummary[]> => {
    const query = { fields: 'name,label' };
    const path = `${encodeURIComponent(service)}/_table/`;
    const { resource } = await api.get<{ resource: TableSummary[] }>(path, { query, signal });
    return resource;
  },
  staleTime: 60_000,
});

export const useDatabaseServices = () => useQuery(servicesQuery);
export const useTables = (service: string) => useQuery({ ...tablesQuery(service), enabled: service !== '' });
export type { DatabaseService, TableSummary };
