import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../../api/index.ts';
import { joinFilters } from '../address/filter.ts';
import { childPageSize } from '../address/grid-state.ts';
import { type RecordPage, type Schema, tablePath, tableQueryKey } from '../address/sources.ts';
import { searchFilter, type TableRef } from './target.ts';

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

/** The records that can be chosen. */
export interface ChoiceSource extends TableRef {
  /** The fields that references name a record by. */
  fields: readonly string[];
  /** Always applies. */
  filter?: string | undefined;
}

/** The records a reference can be set to, found by a search text. */
export function useChoices(
  { service, table, fields, filter: fixedFilter }: ChoiceSource,
  search: string,
  page: number,
  isEnabled: boolean,
) {
  // The fields to search in are known after the first answer, which needs no filter.
  const lastSchema = useRef<Schema | undefined>(undefined);
  const foundFilter = lastSchema.current && searchFilter(lastSchema.current, fields, search);
  const filter = joinFilters([fixedFilter, foundFilter].filter((text) => text !== undefined));
  const query = useQuery({
    ...pageQuery(service, table, filter, page),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  if (query.data) lastSchema.current = query.data.meta.schema;
  return query;
}

export type Lookup = ReturnType<typeof useReferencedRecord>;

/** The record that a filter finds by the values of a reference; `record` is null when there is none. */
export function useReferencedRecord({ service, table }: TableRef, filter: string | null) {
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
