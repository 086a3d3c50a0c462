// One table on the screen: where one stands in it, its page of records, and what was changed in them.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { api } from '../../api/index.ts';
import {
  keepShown,
  nothingSelected,
  orderText,
  pageAfterDelete,
  pageCount,
  toggle,
  toggleAll,
  turnOrder,
} from '../../list/index.ts';
import { text } from '../../text/index.ts';
import { confirm, createStore, useStore } from '../../ui/index.ts';
import * as edits from './edits.ts';
import { joined } from './filter.ts';
import { isSamePlace, keyOf, keyText, pageSize, readPlace, tableAddress, withKey, writePlace } from './place.ts';
import { type Row, type Schema, tableKey, tablePath } from './sources.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';
import { useWrites } from './use-writes.ts';
import type { Draft } from './values.ts';

interface Listing {
  resource: Row[];
  meta: { count: number; schema: Schema };
}

/** Asks before unsaved records are lost (TBL-014…016, TBL-038). */
export const mayDiscard = (): Promise<boolean> =>
  confirm({
    message: text('data:confirmUnsaved'),
    confirmLabel: text('data:confirmUnsavedYes'),
    cancelLabel: text('data:confirmUnsavedNo'),
  });

/** Everything the table view shows and does. */
export function useTable(service: string, table: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [params, setParams] = useSearchParams();
  const search = useMemo(() => withKey(params, null), [params]);
  const placeText = writePlace(new URLSearchParams(), readPlace(search)).toString();
  const place = useMemo(() => readPlace(new URLSearchParams(placeText)), [placeText]);
  const home = tableAddress(service, table);
  const path = tablePath(service, table);

  const query = useQuery({
    queryKey: [...tableKey(service, table), 'records', place],
    queryFn: ({ signal }) =>
      api.get<Listing>(path, {
        query: {
          filter: joined(place.filters),
          limit: pageSize,
          offset: (place.page - 1) * pageSize,
          fields: '*',
          order: place.order ? orderText(place.order) : undefined,
          include_schema: true,
          include_count: true,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  // A filter that is refused leaves the columns, the panel and the way back in place.
  const known = useRef<Schema | undefined>(undefined);
  if (query.data) known.current = query.data.meta.schema;
  const schema = known.current;
  const rows = query.data?.resource ?? noRows;
  const count = query.data?.meta.count ?? 0;
  const pages = pageCount(count, pageSize);
  const fields = schema?.field ?? noFields;

  const [store] = useState(() => createStore(edits.noEdits));
  const state = useStore(store);
  const unsaved = useMemo(() => edits.unsaved(state), [state]);
  const discard = () => store.set(edits.noEdits);
  useUnsavedGuard({
    home,
    hasUnsaved: () => edits.unsaved(store.get()).length > 0,
    isFreshFilled: () => edits.isFreshFilled(store.get()),
    isDirty: unsaved.length > 0 || edits.isFreshFilled(state),
    ask: mayDiscard,
    discard,
    dropFresh: () => store.set({ ...store.get(), fresh: null }),
  });

  const isBeyond = query.isSuccess && !query.isPlaceholderData && place.page > pages;
  useEffect(() => {
    if (isBeyond) setParams((now) => writePlace(now, { page: pages }), { replace: true });
  }, [isBeyond, pages, setParams]);

  const keys = useMemo(() => rows.map((row) => (schema ? keyOf(schema, row) : null)), [rows, schema]);
  const ids = useMemo(() => keys.flatMap((key) => (key ? [keyText(key)] : [])), [keys]);
  const [ticked, setTicked] = useState(nothingSelected);
  const selection = useMemo(() => keepShown(ticked, ids), [ticked, ids]);

  const reread = () => client.invalidateQueries({ queryKey: tableKey(service, table) });
  const move = (change: Parameters<typeof writePlace>[1]) => {
    const next = writePlace(search, change);
    if (!isSamePlace(search, next)) navigate({ pathname: home, search: next.toString() });
  };
  const at = (rest: string, key: readonly string[] | null = null) => ({
    pathname: rest ? `${home}/${rest}` : home,
    search: withKey(search, key).toString(),
  });
  const close = () => navigate(at(''));
  const afterDelete = async (gone: number) => {
    setTicked(nothingSelected);
    const page = pageAfterDelete(place.page, count - gone, pageSize);
    await reread();
    if (page !== place.page) setParams((now) => writePlace(now, { page }), { replace: true });
  };
  const open = (key: readonly string[]) => navigate(at('record', key));
  const chosen = schema ? rows.filter((_row, index) => selection.ids.has(keyText(keys[index] ?? []))) : noRows;
  const writes = useWrites({ path, table, schema, store, chosen, reread, afterDelete, open, close });

  return {
    service,
    table,
    schema,
    fields,
    rows,
    /** Of each row, null where it has none. */
    keys,
    ids,
    count,
    pages,
    place,
    path,
    home,
    /** A table without a key can be read, not written: nothing would name the record. */
    hasKey: (schema?.primary_key.length ?? 0) > 0,
    isLoading: query.isPending,
    isFetching: query.isFetching,
    error: query.error,
    unsaved,
    fresh: state.fresh,
    editOf: (key: readonly string[]) => state.records.get(keyText(key)),
    isUnsaved: (key: readonly string[] | null) =>
      key !== null && unsaved.some((edit) => keyText(edit.key) === keyText(key)),
    selection,
    tick: (id: string, range: boolean) => setTicked(toggle(selection, id, ids, range)),
    tickAll: () => setTicked(toggleAll(selection, ids)),
    clearSelection: () => setTicked(nothingSelected),
    go: (page: number) => move({ page: Math.min(pages, Math.max(1, page)) }),
    sort: (field: string) =>
      move({ order: place.order ? turnOrder(place.order, field) : { field, descending: false } }),
    addFilter: (filter: string) => move({ filters: [...place.filters.filter((each) => each !== filter), filter] }),
    replaceFilter: (old: string, filter: string) =>
      move({
        filters: place.filters.map((each) => (each === old ? filter : each)).filter((each) => each.trim() !== ''),
      }),
    removeFilter: (filter: string) => move({ filters: place.filters.filter((each) => each !== filter) }),
    clearFilters: () => move({ filters: [] }),
    /** Remove of the filter panel: neither filtered nor ordered. */
    clearPlace: () => move({ filters: [], order: null }),
    retry: () => void query.refetch(),
    /** Reads again; what is unsaved would be compared with other values, so it is given up first (TBL-016). */
    refresh: async () => {
      if (edits.unsaved(store.get()).length > 0 && !(await mayDiscard())) return;
      discard();
      await reread();
    },
    addressOf: (key: readonly string[]) => at('record', key),
    addressOfNew: at('new'),
    /** Text of the key of the record that is open. */
    openKey: pathname.endsWith('/record') && params.has('key') ? keyText(params.getAll('key')) : null,
    open,
    close,

    edit: (key: readonly string[], stored: Row, name: string, draft: Draft) =>
      store.set(edits.change(store.get(), key, stored, name, draft)),
    editFresh: (name: string, draft: Draft) => store.set(edits.changeFresh(store.get(), name, draft)),
    ...writes,
  };
}

export type TableState = ReturnType<typeof useTable>;

const noRows: Row[] = [];
const noFields: Schema['field'] = [];
