import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/index.ts';
import { keyFilter } from '../address/filter.ts';
import { keyFields, keyText } from '../address/grid-state.ts';
import { type Row, tableQueryKey } from '../address/sources.ts';
import type { TableState } from '../table/use-table.ts';

/** A record by its key: from the loaded page, else read by itself. */
export function useRecord(state: TableState, key: readonly string[]) {
  const { schema, rows, rowKeys, service, table, path } = state;
  const recordId = keyText(key);
  const index = rowKeys.findIndex((rowKey) => rowKey !== null && keyText(rowKey) === recordId);
  const pageRow = rows[index];
  const query = useQuery({
    queryKey: [...tableQueryKey(service, table), 'record', recordId],
    queryFn: async ({ signal }) => {
      const filter = keyFilter(keyFields(schema!), key);
      const { resource } = await api.get<{ resource: Row[] }>(path, {
        query: { filter, limit: 1, fields: '*' },
        signal,
      });
      return resource[0] ?? null;
    },
    enabled: schema !== undefined && pageRow === undefined && key.length === schema.primary_key.length,
  });
  return {
    record: pageRow ?? query.data ?? undefined,
    isMissing:
      pageRow === undefined &&
      (query.data === null || (schema !== undefined && key.length !== schema.primary_key.length)),
    error: pageRow ? null : query.error,
    retry: () => void query.refetch(),
  };
}
