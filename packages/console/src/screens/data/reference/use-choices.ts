import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../../api/index.ts';
import { childPageSize } from '../place/place.ts';
import { type Row, type Schema, tablePath, tableQueryKey } from '../place/sources.ts';
import { searchFilter, type Target } from './target.ts';

export interface Listing {
  resource: Row[];
  meta: { count: number; schema: Schema };
}

/** A page of a table that others refer to or belong to (C-DAT-09, C-DAT-10). */
export const pageQuery = (service: string, table: string, filter: string | undefined, page = 1) => ({
  queryKey: [...tableQueryKey(service, table), 'page', filter ?? null, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<Listing>(tablePath(service, table), {
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

/** The records a reference can be set to, found by what is typed. */
export function useChoices({ service, table, field }: Target, typed: string, page: number, isWanted: boolean) {
  // What fields there are to search in is known after the first answer, which needs no filter.
  const known = useRef<Schema | undefined>(undefined);
  const filter = known.current && searchFilter(known.current, field, typed);
  const query = useQuery({
    ...pageQuery(service, table, filter, page),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  if (query.data) known.current = query.data.meta.schema;
  return query;
}

/** The record a value stands for; `record` is null when there is none. */
export function useReferred({ service, table }: Target, filter: string | null) {
  const query = useQuery({
    ...pageQuery(service, table, filter ?? undefined),
    enabled: filter !== null,
    retry: false,
  });
  const isAsked = filter !== null;
  return {
    schema: isAsked ? query.data?.meta.schema : undefined,
    record: isAsked && query.data ? (query.data.resource[0] ?? null) : undefined,
    error: isAsked ? query.error : null,
  };
}
