// What the editor of a relation reads, and the relations of a table once they changed.
import type { FieldDescription, RelationDescription, TableDescription } from '@sluice/contract';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../api/index.ts';
import type { TableSummary } from '../../../database/index.ts';
import { notify } from '../../../ui/index.ts';
import { type SchemaTable, schemaPath, tableQuery, tablesQuery } from '../address/sources.ts';

const below = (service: string, path: string): string => `${encodeURIComponent(service)}/${path}`;

/** The fields of the table itself (SCH-033, C-SCH-11). */
const fieldsQuery = (service: string, table: string) => ({
  queryKey: ['schema', service, 'fields', table],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const path = below(service, `${schemaPath(table, '_field')}/`);
    return (await api.get<{ resource: FieldDescription[] }>(path, { signal })).resource;
  },
});

/** The names of the tables a relation can lead to (SCH-026, C-SCH-12). */
const tableNamesQuery = (service: string) => ({
  queryKey: ['schema', service, 'names'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { resource } = await api.get<{ resource: { name: string }[] }>(below(service, '_schema/'), { signal });
    return resource.map(({ name }) => name).sort((a, b) => a.localeCompare(b));
  },
});

/** The table at an end of a relation (C-SCH-13). */
export const endQuery = (service: string, table: string) => ({
  queryKey: ['schema', service, 'end', table],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<TableDescription>(below(service, schemaPath(table)), { signal }),
});

/** Each is null where nothing is to be read. What the rest of Schema has read of it is shown until the answer is there. */
export const useFields = (service: string, table: string | null) =>
  useWithToast(useQuery({ ...fieldsQuery(service, table ?? ''), enabled: table !== null }));

export function useTableNames(service: string | null) {
  const client = useQueryClient();
  const placeholderData = () =>
    client.getQueryData<TableSummary[]>(tablesQuery(service ?? '').queryKey)?.map(({ name }) => name);
  const query = useQuery({ ...tableNamesQuery(service ?? ''), enabled: service !== null, placeholderData });
  return useWithToast(query);
}

export function useEnd(service: string | null, table: string | null) {
  const client = useQueryClient();
  const placeholderData = () => client.getQueryData<SchemaTable>(tableQuery(service ?? '', table ?? '').queryKey);
  const enabled = service !== null && table !== null;
  return useWithToast(useQuery({ ...endQuery(service ?? '', table ?? ''), enabled, placeholderData }));
}

/** A failed read shows a toast, besides the message in its place. */
function useWithToast<Q extends { error: Error | null }>(query: Q): Q {
  const { error } = query;
  useEffect(() => {
    if (error) notify.error('', error);
  }, [error]);
  return query;
}

/** Reads the relations of a table again, into the table as it is shown (SCH-037, C-SCH-16); what fails is ignored. */
export async function rereadRelations(client: QueryClient, service: string, table: string): Promise<void> {
  try {
    const path = below(service, schemaPath(table, '_related'));
    const { resource } = await api.get<{ resource: RelationDescription[] }>(path);
    client.setQueryData<SchemaTable>(
      tableQuery(service, table).queryKey,
      (known) => known && { ...known, related: resource },
    );
  } catch {
    // The list stays as it was.
  }
}
