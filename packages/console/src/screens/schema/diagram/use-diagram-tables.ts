import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Progress, readTables } from '../address/read-tables.ts';
import { tablesQuery } from '../address/sources.ts';
import { toDiagramTable } from './model.ts';

/** The tables of a service as they are drawn, and how far their reading is. Leaving the diagram stops it. */
export function useDiagramTables(service: string) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const query = useQuery({
    queryKey: ['schema', service, 'diagram'],
    queryFn: async ({ signal }) => {
      // Not from the cache: this call makes the server look at the database again.
      const names = (await tablesQuery(service).queryFn({ signal })).map(({ name }) => name);
      return readTables(service, names, { keep: toDiagramTable, onProgress: setProgress, signal });
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { ...query, progress };
}
