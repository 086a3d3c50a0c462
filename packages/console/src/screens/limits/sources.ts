// What the Limits screen reads besides the limits themselves: whether the server has any, counters that move, and what a limit
// can be about.

import { useDebouncedValue } from '@mantine/hooks';
import type { LimitCacheEntry, LimitPreview } from '@sluice/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ApiError, api } from '../../api/index.ts';
import { isForbidden, likeFilter, type Row, resourceKey, useForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { byLimit } from './counters.ts';
import { offeredEndpoints } from './endpoints.ts';

/** The words of the permission message (OPEN-063). */
export const permissionTexts = { resources: 'system/limit', things: 'limits' };

const maxAge = 60_000;

/** Whether the server has limits at all: `true` where it lists the resource `limit` (LIM-006, C-LIM-01). */
export function useHasLimits() {
  const t = useText('limits');
  const query = useQuery({
    queryKey: ['system', 'resources'],
    queryFn: ({ signal }) => api.get<{ resource?: { name: string }[] }>('system', { signal }),
    select: ({ resource = [] }) => resource.some(({ name }) => name === 'limit'),
    staleTime: maxAge,
  });
  const isRefused = useForbidden(query.error, t('title'), 'limit', permissionTexts);
  const hasFailed = query.error !== null && !isForbidden(query.error);
  useEffect(() => {
    if (hasFailed) notify.error(t('title'), t('loadFailed'));
  }, [hasFailed, t]);
  return { hasLimits: query.data, error: query.error, isForbidden: isRefused, retry: () => void query.refetch() };
}

// ---- counters ----

const counterKey = resourceKey('limit_cache');

/** Milliseconds between two looks at the counters: longer where there are thousands, as limits of each user have. */
const pauseAfter = (entries: number) => Math.min(maxPause, minPause + entries * pausePerEntry);
const minPause = 2_000;
const pausePerEntry = 5;
const maxPause = 60_000;

/**
 * The counters of some limits, read again and again while the page is looked at. Undefined until they are read: a list brings its
 * first ones itself. Where one of the limits has gone meanwhile, the limits are read again.
 */
export function useCounters(limitIds: readonly number[]): ReadonlyMap<number, LimitCacheEntry[]> | undefined {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: [...counterKey, limitIds],
    queryFn: ({ signal }) =>
      api.get<{ resource?: LimitCacheEntry[] }>('system/limit_cache', { query: { ids: limitIds }, signal }),
    enabled: limitIds.length > 0,
    refetchInterval: ({ state }) => pauseAfter(state.data?.resource?.length ?? 0),
    staleTime: 0,
    retry: false,
  });
  const isGone = error instanceof ApiError && (error.status === 400 || error.status === 404);
  useEffect(() => {
    if (isGone) void client.invalidateQueries({ queryKey: [...resourceKey('limit'), 'list'] });
  }, [isGone, client]);
  return useMemo(() => data && byLimit(data.resource ?? []), [data]);
}

/** Clears counters and locks of limits (C-LIM-08, C-LIM-09). */
export const resetCounters = (limitIds: readonly number[]): Promise<unknown> =>
  api.delete('system/limit_cache', { query: { ids: limitIds } });

/** Clears the counters of all limits. */
export const resetAllCounters = (): Promise<unknown> => api.delete('system/limit_cache', { query: { force: true } });

/** Reads again what shows counters. */
export function useCounterRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: counterKey }),
      client.invalidateQueries({ queryKey: [...resourceKey('limit'), 'list'] }),
    ]);
  };
}

// ---- what a limit would do ----

/** Milliseconds of rest before a changed form is asked about. */
const previewPause = 500;

/** What a limit would have refused in the last hour; asked for while `limit` is one. The server may not know the question: 404. */
export function usePreview(limit: Row | null) {
  const [asked] = useDebouncedValue(limit === null ? null : JSON.stringify(limit), previewPause);
  return useQuery({
    queryKey: [...resourceKey('limit'), 'preview', asked],
    queryFn: ({ signal }) =>
      api.post<LimitPreview>('system/limit/_preview', { body: JSON.parse(asked ?? '{}'), signal }),
    enabled: asked !== null && limit !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

// ---- what a limit is about ----

export type ChoiceKind = 'user' | 'role' | 'service';

export interface Choice {
  id: number;
  name: string;
  /** A second word: the address of a person, the label of a service. */
  note: string;
}

interface ChoiceSource {
  fields: string;
  /** Records read at once, as their own tabs read them (X-018, C-LIM-03); typing finds the others. */
  limit: number;
  search: readonly string[];
  noteOf: (row: Row) => unknown;
}

const choiceSources: Record<ChoiceKind, ChoiceSource> = {
  user: { fields: 'id,name,email', limit: 100, search: ['name', 'email'], noteOf: ({ email }) => email },
  role: { fields: 'id,name', limit: 10_000, search: ['name'], noteOf: () => '' },
  service: { fields: 'id,name,label', limit: 100, search: ['name', 'label'], noteOf: ({ label }) => label },
};

/** Milliseconds of rest before what was typed is looked for. */
const typingPause = 250;

/** People, roles or services a limit can be about (LIM-030): the first of them, and where there are more those that have the words. */
export function useChoices(kind: ChoiceKind, typed = '') {
  const first = useQuery(choicesQuery(kind, ''));
  const [wanted] = useDebouncedValue(typed.trim(), typingPause);
  const hasMore = (first.data?.meta?.count ?? 0) > (first.data?.resource?.length ?? 0);
  const found = useQuery({
    ...choicesQuery(kind, wanted),
    enabled: hasMore && wanted !== '',
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(
    () => [...(first.data?.resource ?? []), ...(hasMore && wanted !== '' ? (found.data?.resource ?? []) : [])],
    [first.data, found.data, hasMore, wanted],
  );
  const choices = useMemo(() => choicesOf(kind, rows), [kind, rows]);
  const error = first.error ?? (wanted === '' ? null : found.error);
  return {
    choices,
    error,
    retry: () => void (first.error ? first.refetch() : found.refetch()),
  };
}

const choicesQuery = (kind: ChoiceKind, words: string) => {
  const { fields, limit, search } = choiceSources[kind];
  return {
    queryKey: [...resourceKey(kind), 'choices for limits', words],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.get<{ resource?: Row[]; meta?: { count?: number } }>(`system/${kind}`, {
        query: { include_count: true, limit, fields, filter: likeFilter(search, words) },
        signal,
      }),
    staleTime: maxAge,
  };
};

const choicesOf = (kind: ChoiceKind, rows: readonly Row[]): Choice[] => {
  const { noteOf } = choiceSources[kind];
  const choices = rows.map((row): Choice => {
    const name = String(row.name ?? row.id);
    const note = noteOf(row);
    return { id: Number(row.id), name, note: typeof note === 'string' && note !== name ? note : '' };
  });
  return [...new Map(choices.map((choice) => [choice.id, choice])).values()].sort((a, b) =>
    a.name.localeCompare(b.name),
  );
};

/** The names of some people, by id. */
export function useUserNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const { data } = useQuery({
    queryKey: [...resourceKey('user'), 'names for limits', ids],
    queryFn: ({ signal }) =>
      api.get<{ resource?: Row[] }>('system/user', {
        query: { fields: 'id,name,email', filter: `id in (${ids.join(',')})`, limit: ids.length },
        signal,
      }),
    enabled: ids.length > 0,
    staleTime: maxAge,
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () => new Map((data?.resource ?? []).map(({ id, name, email }) => [Number(id), String(name || email)])),
    [data],
  );
}

/** The paths of a service that an endpoint may name; read once it is known which service it is. */
export function useEndpoints(service: string | undefined) {
  const { data, isLoading, error, refetch } = useQuery({
    queryKey: ['services', 'components', service],
    queryFn: ({ signal }) =>
      api.get<{ resource?: string[] }>(`${encodeURIComponent(service ?? '')}/`, {
        query: { as_access_list: true },
        signal,
      }),
    enabled: service !== undefined,
    staleTime: maxAge,
    retry: false,
  });
  const endpoints = useMemo(() => offeredEndpoints(data?.resource ?? []), [data]);
  return { endpoints, isLoaded: data !== undefined, isLoading, error, retry: () => void refetch() };
}
