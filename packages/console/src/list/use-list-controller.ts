import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api, type QueryValue } from '../api/index.ts';
import { notify } from '../ui/index.ts';
import type { Row } from './column.tsx';
import { type Permission, useForbidden } from './permission.ts';
import {
  likeFilter,
  type Order,
  orderText,
  pageAfterDelete,
  pageCount,
  readPlace,
  turnOrder,
  writePlace,
} from './place.ts';
import { type Id, keepShown, nothingSelected, toggle, toggleAll } from './selection.ts';
import { useTyped } from './use-typed.ts';

/** What a list shows and may do, told by its screen. */
export interface ListSource {
  /** Name of the resource: rows are at `system/{resource}`. */
  resource: string;
  /** Where the rows are, when not there. */
  path?: string;
  /** Records of a page. */
  pageSize: number;
  related?: string;
  /** Fields the filter text looks in; none means no filter box. */
  search: readonly string[];
  /** Fields the server can sort by. */
  sortable: readonly string[];
  identifier?: string;
  /** Which rows may be ticked and deleted; all when absent. */
  isDeletable?: (row: Row) => boolean;
  /** The section's name, as notices and the permission message call it. */
  title: string;
  permission: Permission;
}

/** Everything read of a resource; what is written makes all of it stale. */
export const resourceKey = (resource: string): readonly string[] => ['system', resource];

/** Ids go in the address (X-003, OPEN-062), unless there are so many that no server would take the line. */
const deleteRequest = (ids: readonly Id[], identifier: string) =>
  ids.join(',').length <= longestIds
    ? { query: { ids, rollback: true } }
    : { query: { rollback: true }, body: { resource: ids.map((id) => ({ [identifier]: id })) } };
const longestIds = 4000;

/** What a resource's own deletions say besides which records (C-APP-06). */
export type DeleteQuery = Record<string, QueryValue>;

const always = () => true;

interface Listing {
  resource?: Row[];
  meta?: { count?: number };
}

/** The behaviour of a list, without its looks: place in the address, one page of rows, selection, deleting. */
export function useListController(source: ListSource) {
  const {
    resource,
    path = `system/${resource}`,
    pageSize,
    related,
    search,
    sortable,
    identifier = 'id',
    title,
  } = source;
  const { isDeletable = always } = source;
  const client = useQueryClient();
  const [params, setParams] = useSearchParams();
  const place = useMemo(() => readPlace(params, sortable), [params, sortable]);

  const query = useQuery({
    queryKey: [...resourceKey(resource), 'list', { path, related, pageSize, search, ...place }],
    // The signal ends a fetch whose page is no longer wanted, so that only one runs at a time.
    queryFn: ({ signal }) =>
      api.get<Listing>(path, {
        query: {
          limit: pageSize,
          offset: (place.page - 1) * pageSize || undefined,
          order: orderText(place.order),
          filter: likeFilter(search, place.filter),
          related,
          include_count: true,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => query.data?.resource ?? [], [query.data]);
  const ids = useMemo(
    () => rows.filter(isDeletable).map((row) => row[identifier] as Id),
    [rows, identifier, isDeletable],
  );
  const count = query.data?.meta?.count ?? rows.length;
  const pages = pageCount(count, pageSize);

  const isForbiddenList = useForbidden(query.error, title, resource, source.permission);
  const go = (page: number) => setParams((now) => writePlace(now, { page: Math.min(pages, Math.max(1, page)) }));

  // Past the end: records went away, or someone shared an old address.
  const isBeyond = query.isSuccess && !query.isPlaceholderData && place.page > pages;
  useEffect(() => {
    if (isBeyond) setParams((now) => writePlace(now, { page: pages }), { replace: true });
  }, [isBeyond, pages, setParams]);

  const filter = useTyped(place.filter, (words) =>
    setParams((now) => writePlace(now, { filter: words }), { replace: true }),
  );

  const [ticked, setTicked] = useState(nothingSelected);
  const selection = useMemo(() => keepShown(ticked, ids), [ticked, ids]);

  const refresh = () => client.invalidateQueries({ queryKey: resourceKey(resource) });
  const afterDelete = async (deleted: number) => {
    const page = pageAfterDelete(place.page, count - deleted, pageSize);
    if (page !== place.page) setParams((now) => writePlace(now, { page }), { replace: true });
    setTicked(nothingSelected);
    await refresh();
  };
  const [isBusy, setBusy] = useState(false);
  /** Runs a write; its failure is told and leaves everything as it was. True when it worked. */
  const attempt = async (write: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    try {
      await write();
      return true;
    } catch (error) {
      notify.error('', error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const at = (id: Id) => `${path}/${encodeURIComponent(id)}`;

  return {
    rows,
    /** Of the rows that may be ticked. */
    ids,
    isDeletable,
    identifier,
    count,
    pages,
    pageSize,
    place,
    /** Nothing to show yet; `isFetching` also while what is shown is being renewed. */
    isLoading: query.isPending,
    isFetching: query.isFetching,
    isForbidden: isForbiddenList,
    error: query.error,
    go,
    sort: (field: string) => setParams((now) => writePlace(now, { order: turnOrder(place.order, field) })),
    filter,
    selection,
    tick: (id: Id, range: boolean) => setTicked(toggle(selection, id, ids, range)),
    tickAll: () => setTicked(toggleAll(selection, ids)),
    clearSelection: () => setTicked(nothingSelected),
    isBusy,
    refresh,
    /** Back to the first page of what is there now: after records were taken in from elsewhere (OPEN-047). */
    reset: () => {
      setParams((now) => writePlace(now, { page: 1 }), { replace: true });
      setTicked(nothingSelected);
      return refresh();
    },
    retry: () => void query.refetch(),
    remove: async (id: Id, more: DeleteQuery = {}) => {
      const done = await attempt(() => api.delete(at(id), { query: more }));
      if (done) await afterDelete(1);
      return done;
    },
    removeSelected: async (more: DeleteQuery = {}) => {
      const chosen = [...selection.ids];
      const { query: ids, ...request } = deleteRequest(chosen, identifier);
      const done = await attempt(() => api.delete(path, { ...request, query: { ...ids, ...more } }));
      if (done) await afterDelete(chosen.length);
      return done;
    },
    update: async (id: Id, changes: Row) => {
      const done = await attempt(() => api.put(at(id), { query: { fields: '*', related }, body: changes }));
      if (done) await refresh();
      return done;
    },
  };
}

export type ListController = ReturnType<typeof useListController>;
export type { Order };
