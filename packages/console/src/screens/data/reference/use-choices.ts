import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../../api/index.ts';
import { childPageSize } from '../address/grid-state.ts';
import { type RecordPage, type Schema, tablePath, tableQueryKey } from '../address/sources.ts';
import { type ReferenceTarget, searchFilter } from './target.ts';

/** A page of a table that others refer to or belong to (C-DAT-09, C-DAT-10). */
export const pageQuery = (service: string, table: string, filter: string | undefined, page = 1) => ({
  queryKey: [...tableQueryKey(service, table), 'page', filter ?? null, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<RecordPage>(tablePath(service, table), {
      query: {
        filter,
        limit: childPageSize,
        offset: (page - 1) * childPageSize,
        fields: '*',
        include_schema: true,
        include_count: true,
      },
      signal,
    }),
});

/** The records a reference can be set to, found by a search text. */
export function useChoices(
  { service, table, field }: ReferenceTarget,
  search: string,
  page: number,
  isEnabled: boolean,
) {
  // The fields to search in are known after the first answer, which needs no filter.
  const lastSchema = useRef<Schema | undefined>(undefined);
  const filter = lastSchema.current && searchFilter(lastSchema.current, field, search);
  const query = useQuery({
    ...pageQuery(service, table, filter, page),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  if (query.data) lastSchema.current = query.data.meta.schema;
  return query;
}

/** The record a value refers to; `record` is null when there is none. */
export function useReferencedRecord({ service, table }: ReferenceTarget, filter: string | null) {
  const query = useQuery({
    ...pageQuery(service, table, filter ?? undefined),
    enabled: filter !== null,
    retry: false,
  });
  const isEnabled = filter !== null;
  return {
    schema: isEnabled ? query.data?.meta.schema : undefined,
    record: isEnabled && query.data ? (query.data.resource[0] ?? null) : undefined,
    error: isEnabled ? query.error : null,
  };
}
