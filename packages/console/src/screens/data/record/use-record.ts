import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/index.ts';
import { keyFilter } from '../place/filter.ts';
import { keyFields, keyText } from '../place/place.ts';
import { type Row, tableQueryKey } from '../place/sources.ts';
import type { TableState } from '../table/use-table.ts';

/** A record by its key: from the page that is shown, else read on its own. */
export function useRecord(state: TableState, key: readonly string[]) {
  const { schema, rows, rowKeys, service, table, path } = state;
  const wanted = keyText(key);
  const index = rowKeys.findIndex((each) => each !== null && keyText(each) === wanted);
  const onPage = rows[index];
  const query = useQuery({
    queryKey: [...tableQueryKey(service, table), 'record', wanted],
    queryFn: async ({ signal }) => {
      const filter = keyFilter(keyFields(schema!), key);
      const { resource } = await api.get<{ resource: Row[] }>(path, {
        query: { filter, limit: 1, fields: '*' },
        signal,
      });
      return resource[0] ?? null;
    },
    enabled: schema !== undefined && onPage === undefined && key.length === schema.primary_key.length,
  });
  return {
    record: onPage ?? query.data ?? undefined,
    isMissing:
      onPage === undefined &&
      (query.data === null || (schema !== undefined && key.length !== schema.primary_key.length)),
    error: onPage ? null : query.error,
    retry: () => void query.refetch(),
  };
}
