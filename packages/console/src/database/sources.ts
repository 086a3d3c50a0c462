import type { UseQueryResult } from '@tanstack/react-query';

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
