import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';

/** A database service as `GET /` tells it. */
export interface DatabaseService {
  id: number;
  name: string;
  label: string;
  description: string | null;
  type: string;
}

export interface TableSummary {
  name: string;
  label: string;
}

export type TablesQuery = Pick<UseQueryResult<TableSummary[]>, 'data' | 'error' | 'isPending' | 'refetch'>;

/** The tables of a service; under the key of Data, which reads the same. */
export const useTableSummaries = (service: string | null) =>
  useQuery({
    queryKey: ['data', service, 'tables'],
    queryFn: async ({ signal }): Promise<TableSummary[]> => {
      const path = `${encodeURIComponent(service ?? '')}/_table/`;
      const query = { fields: 'name,label' };
      return (await api.get<{ resource: TableSummary[] }>(path, { query, signal })).resource;
    },
    enabled: service !== null,
    staleTime: 60_000,
    retry: false,
  });
