import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api, type QueryValue } from '../api/index.ts';
import { notify } from '../ui/index.ts';
import type { Row } from './column.tsx';
import { type ListRecords, listQuery, resourceKey } from './list-query.ts';
import {
  defaultOrder,
  type Order,
  pageAfterDelete,
  pageCount,
  readListState,
  sortedBy,
  toggleOrder,
  writeListState,
} from './list-state.ts';
import { type PermissionTexts, useForbidden } from './permission.ts';
import { emptySelection, type Id, keepVisible, toggle, toggleAll } from './selection.ts';
import { useAddress } from './use-address.ts';
import { useFilterText } from './use-filter-text.ts';

/** What a list shows and may do; its screen provides it. */
export interface ListSource extends ListRecords {
  /** Fields the server can sort by. */
  sortable: readonly string[];
  /** Those of them that only the console can sort by, with the value of a row; they sort the rows of the page. */
  sortedHere?: Readonly<Record<string, (row: Row) => string | number | null>>;
  identifier?: string;
  /** Which rows may be ticked and deleted; all when absent. */
  isDeletable?: (row: Row) => boolean;
  /** The section's name, as notices and the permission message call it. */
  title: string;
  /** How it is sorted at first; by id when absent. */
  initialOrder?: Order;
  permissionTexts: PermissionTexts;
  /** Milliseconds after which the page is read again by itself, while it is looked at; never when absent. */
  refreshEvery?: number;
}

/** Ids go in the address (X-003, OPEN-062), unless there are so many that no server would take the line. */
const deleteRequest = (ids: readonly Id[], identifier: string) =>
  ids.join(',').length <= maxIdsLength
    ? { query: { ids, rollback: true } }
    : { query: { rollback: true }, body: { resource: ids.map((id) => ({ [identifier]: id })) } };
const maxIdsLength = 4000;

/** More of the query that deletes records of a resource (C-APP-06). */
export type DeleteQuery = Record<string, QueryValue>;

const always = () => true;
const noneSortedHere: NonNullable<ListSource['sortedHere']> = {};

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
    fields,
    search,
    sortable,
    identifier = 'id',
    title,
  } = source;
  const {
    only,
    order,
    initialOrder = defaultOrder,
    isDeletable = always,
    refreshEvery = false,
    sortedHere = noneSortedHere,
  } = source;
  const client = useQueryClient();
  const [params, changeAddress] = useAddress();
  const state = useMemo(() => readListState(params, sortable, initialOrder), [params, sortable, initialOrder]);

  const sortValue = Object.hasOwn(sortedHere, state.order.field) ? sortedHere[state.order.field] : undefined;
  const listing = listQuery(
    { resource, path, pageSize, related, fields, search, only, order },
    sortValue ? { ...state, order: initialOrder } : state,
  );
  const query = useQuery({
    queryKey: listing.queryKey,
    // The signal ends a fetch whose page is no longer wanted, so that only one runs at a time.
    queryFn: ({ signal }) => api.get<Listing>(path, { query: listing.query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshEvery,
  });
  const { descending } = state.order;
  const rows = useMemo(() => {
    const read = query.data?.resource ?? [];
    return sortValue ? sortedBy(read, sortValue, descending) : read;
  }, [query.data, sortValue, descending]);
  const ids = useMemo(
    () => rows.filter(isDeletable).map((row) => row[identifier] as Id),
    [rows, identifier, isDeletable],
  );
  const count = query.data?.meta?.count ?? rows.length;
  const pages = pageCount(count, pageSize);

  const isForbiddenList = useForbidden(query.error, title, resource, source.permissionTexts);
  const goToPage = (page: number) =>
    changeAddress((params) => writeListState(params, { page: Math.min(pages, Math.max(1, page)) }));

  // Past the end: records went away, or someone shared an old address.
  const isPastEnd = query.isSuccess && !query.isPlaceholderData && state.page > pages;
  useEffect(() => {
    if (isPastEnd) changeAddress((params) => writeListState(params, { page: pages }), { replace: true });
  }, [isPastEnd, pages, changeAddress]);

  const filter = useFilterText(state.filter, (text) =>
    changeAddress((params) => writeListState(params, { filter: text }), { replace: true }),
  );

  const [ownSelection, setOwnSelection] = useState(emptySelection);
  const selection = useMemo(() => keepVisible(ownSelection, ids), [ownSelection, ids]);

  const refresh = () => client.invalidateQueries({ queryKey: resourceKey(resource) });
  const afterDelete = async (deleted: number) => {
    const page = pageAfterDelete(state.page, count - deleted, pageSize);
    if (page !== state.page) changeAddress((params) => writeListState(params, { page }), { replace: true });
    setOwnSelection(emptySelection);
    await refresh();
  };
  const [isBusy, setBusy] = useState(false);
  /** Runs a write; a failure is shown and changes nothing. True when it worked. */
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
  const recordPath = (id: Id) => `${path}/${encodeURIComponent(id)}`;

  return {
    rows,
    /** Of the rows that may be ticked. */
    ids,
    isDeletable,
    identifier,
    count,
    pages,
    pageSize,
    state,
    /** Nothing to show yet; `isFetching` also while what is shown is read again. */
    isLoading: query.isPending || isPastEnd,
    /** What is shown is of another page, order or filter than the address names. */
    isOutdated: query.isPlaceholderData,
    isFetching: query.isFetching,
    isForbidden: isForbiddenList,
    error: query.error,
    goToPage,
    sort: (field: string) =>
      changeAddress((params) => writeListState(params, { order: toggleOrder(state.order, field) })),
    filter,
    selection,
    tick: (id: Id, range: boolean) => setOwnSelection(toggle(selection, id, ids, range)),
    tickAll: () => setOwnSelection(toggleAll(selection, ids)),
    clearSelection: () => setOwnSelection(emptySelection),
    isBusy,
    refresh,
    /** Back to the first page, read again: after records were imported (OPEN-047). */
    reset: () => {
      changeAddress((params) => writeListState(params, { page: 1 }), { replace: true });
      setOwnSelection(emptySelection);
      return refresh();
    },
    retry: () => void query.refetch(),
    remove: async (id: Id, deleteQuery: DeleteQuery = {}) => {
      const isDone = await attempt(() => api.delete(recordPath(id), { query: deleteQuery }));
      if (isDone) await afterDelete(1);
      return isDone;
    },
    removeSelected: async (deleteQuery: DeleteQuery = {}) => {
      const selectedIds = [...selection.ids];
      const { query: idQuery, ...request } = deleteRequest(selectedIds, identifier);
      const isDone = await attempt(() => api.delete(path, { ...request, query: { ...idQuery, ...deleteQuery } }));
      if (isDone) await afterDelete(selectedIds.length);
      return isDone;
    },
    update: async (id: Id, changes: Row) => {
      const isDone = await attempt(() => api.put(recordPath(id), { query: { fields: '*', related }, body: changes }));
      if (isDone) await refresh();
      return isDone;
    },
  };
}

export type ListController = ReturnType<typeof useListController>;
export type { Order };
