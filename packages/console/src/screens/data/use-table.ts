// One table on the screen: where one stands in it, its page of records, and what was changed in them.
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
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
import { breakpoints } from '../../theme/index.ts';
import * as edits from './edits.ts';
import { joined } from './filter.ts';
import { isSamePlace, keyOf, keyText, type Place, readPlace, tableAddress, withKey, writePlace } from './place.ts';
import { pageSite, type Site } from './site.ts';
import { type Row, type Schema, tableKey, tablePath } from './sources.ts';
import { mayDiscard, useKeeper } from './unsaved-guard.tsx';
import { useEdits } from './use-edits.ts';
import { useLines } from './use-lines.ts';
import { useWindows } from './use-windows.ts';
import { useWrites } from './use-writes.ts';
import type { Draft } from './values.ts';
import { windowSize } from './windows.ts';

interface Listing {
  resource: Row[];
  meta: { count: number; schema: Schema };
}

/** Everything a table shows and does, on a page of its own or where `site` says. */
export function useTable(service: string, table: string, site: Site = pageSite(service, table)) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const { params, pane } = site.read(location) ?? { params: new URLSearchParams(), pane: null };
  const search = withKey(params, null);
  const { size, within } = site;
  const placeText = writePlace(new URLSearchParams(), readPlace(search)).toString();
  const place = useMemo(() => readPlace(new URLSearchParams(placeText)), [placeText]);
  const home = tableAddress(service, table);
  const path = tablePath(service, table);

  // A phone shows cards, page by page.
  const isPhone = useMediaQuery(`(max-width: ${breakpoints.sm})`, undefined, { getInitialValueInEffect: false });
  const isWhole = place.isWhole && !isPhone;
  const queryKey = [...tableKey(service, table), 'records', place, within, size, isWhole];
  const asked = {
    filter: joined(within === undefined ? place.filters : [within, ...place.filters]),
    fields: '*',
    order: place.order ? orderText(place.order) : undefined,
  };
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.get<Listing>(path, {
        query: {
          ...asked,
          limit: isWhole ? windowSize : size,
          offset: isWhole ? 0 : (place.page - 1) * size,
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
  const onPage = query.data?.resource ?? noRows;
  const count = query.data?.meta.count ?? 0;
  const pages = pageCount(count, size);
  const fields = schema?.field ?? noFields;

  const windows = useWindows({
    isOn: isWhole,
    count,
    first: onPage,
    queryKey,
    read: async (window, signal) => {
      const query = { ...asked, limit: windowSize, offset: window * windowSize };
      return (await api.get<Pick<Listing, 'resource'>>(path, { query, signal })).resource;
    },
  });
  const loaded = useSame(isWhole ? windows.loaded.filter((each) => each !== undefined) : noWindows);
  const rows = useMemo(() => (loaded.length > 0 ? noRows.concat(onPage, ...loaded) : onPage), [onPage, loaded]);

  const { store, edits: state, act, undo, redo, canUndo, canRedo, forgetSteps } = useEdits();
  const unsaved = useMemo(() => edits.unsaved(state), [state]);
  const unsavedIds = useMemo(() => new Set(unsaved.map(({ key }) => keyText(key))), [unsaved]);
  const pending = useMemo(() => edits.pending(state), [state]);
  const lines = useLines({
    schema,
    count: isWhole ? count : onPage.length,
    rowAt: isWhole ? windows.rowAt : (index) => onPage[index],
    added: state.added,
  });
  const hasUnsaved = () => edits.pending(store.get()).records > 0;
  const discard = () => {
    store.set(edits.noEdits);
    forgetSteps();
  };
  useKeeper(
    {
      loses: (from, to) => {
        const [here, there] = [site.read(from), site.read(to)];
        const isSameList = here !== null && there !== null && isSamePlace(here.params, there.params);
        if (hasUnsaved() && !isSameList) return 'all';
        const leavesForm = here?.pane === 'new' && there?.pane !== 'new';
        // The new record's form may close without touching the others.
        return leavesForm && edits.isFreshFilled(store.get()) ? (isSameList ? 'fresh' : 'all') : null;
      },
      giveUp: (loss) => {
        if (loss === 'all') discard();
        else if (loss === 'fresh') store.set({ ...store.get(), fresh: null });
      },
    },
    pending.records > 0 || edits.isFreshFilled(state),
  );

  const isBeyond = query.isSuccess && !query.isPlaceholderData && place.page > pages;
  const latest = useRef({ site, location });
  latest.current = { site, location };
  /** Another page of what is shown, as if it had been the one asked for. */
  const correctPage = useCallback(
    (page: number) => {
      const { site, location } = latest.current;
      const seen = site.read(location);
      if (seen) navigate(site.at(location, writePlace(seen.params, { page }), seen.pane), { replace: true });
    },
    [navigate],
  );
  useEffect(() => {
    if (isBeyond) correctPage(pages);
  }, [isBeyond, pages, correctPage]);

  const keys = useMemo(() => rows.map((row) => (schema ? keyOf(schema, row) : null)), [rows, schema]);
  const ids = useMemo(() => keys.flatMap((key) => (key ? [keyText(key)] : [])), [keys]);
  const [ticked, setTicked] = useState(nothingSelected);
  // Of the whole table only a part is here: what was ticked stays so out of sight.
  const selection = useMemo(() => (isWhole ? ticked : keepShown(ticked, ids)), [ticked, ids, isWhole]);
  const tickedRows = useRef(new Map<string, Row>());
  const tick = (id: string, range: boolean) => {
    const next = toggle(selection, id, ids, range);
    for (const [index, key] of keys.entries()) {
      const each = key && keyText(key);
      if (each && next.ids.has(each)) tickedRows.current.set(each, rows[index]!);
    }
    setTicked(next);
  };

  const reread = () => client.invalidateQueries({ queryKey: tableKey(service, table) });
  const move = (change: Parameters<typeof writePlace>[1]) => {
    const next = writePlace(search, change);
    if (!isSamePlace(search, next)) navigate(site.at(location, next, null));
  };
  const at = (pane: string | null, key: readonly string[] | null = null) =>
    site.at(location, withKey(search, key), pane);
  const close = () => navigate(at(null));
  const afterDelete = async (gone: number) => {
    setTicked(nothingSelected);
    const page = pageAfterDelete(place.page, count - gone, size);
    await reread();
    if (page !== place.page) correctPage(page);
  };
  const open = (key: readonly string[]) => navigate(at('record', key));
  const chosen = isWhole
    ? [...selection.ids].map((id) => tickedRows.current.get(String(id))).filter((row) => row !== undefined)
    : rows.filter((_row, index) => selection.ids.has(keyText(keys[index] ?? [])));
  const { given } = site;
  // In the grid a cell says itself what is wrong with it.
  const openRefused = (key: readonly string[]) => {
    if (isPhone) open(key);
  };
  const writes = useWrites({
    path,
    table,
    schema,
    store,
    act,
    forgetSteps,
    given,
    chosen,
    reread,
    afterDelete,
    open: openRefused,
    close,
  });

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
    /** Records of a page. */
    size,
    place,
    /** What is asked for of the records: the filters in force, and what always holds here. */
    filter: asked.filter,
    path,
    home,
    /** What a new record starts with. */
    given,
    /** The pane that is open beside the records. */
    pane,
    /** A table without a key can be read, not written: nothing would name the record. */
    hasKey: (schema?.primary_key.length ?? 0) > 0,
    isLoading: query.isPending,
    isFetching: query.isFetching || windows.isFetching,
    error: query.error ?? windows.error,
    unsaved,
    /** How much waits to be saved. */
    pending,
    fresh: state.fresh,
    /** Records that come with the next save. */
    added: state.added,
    ...lines,
    /** Whether the whole table is scrolled through. */
    isWhole,
    setWhole: (whole: boolean) => move({ isWhole: whole }),
    /** Tells which rows of the whole table are in sight. */
    show: windows.show,
    sight: windows.sight,
    /** The records of a stretch of rows, read when they are not here. */
    rowsBetween: (from: number, to: number): Promise<readonly Row[]> =>
      isWhole ? windows.rowsBetween(from, to) : Promise.resolve(onPage.slice(from, to + 1)),
    editOf: (key: readonly string[]) => state.records.get(keyText(key)),
    isUnsaved: (key: readonly string[] | null) => key !== null && unsavedIds.has(keyText(key)),
    selection,
    tick,
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
    /** To the filters and the order of a saved view; false when one would rather keep what is unsaved. */
    goTo: async (next: Pick<Place, 'filters' | 'order'>): Promise<boolean> => {
      if (hasUnsaved() && !isSamePlace(search, writePlace(search, next))) {
        if (!(await mayDiscard())) return false;
        discard();
      }
      move(next);
      return true;
    },
    retry: () => {
      if (query.error || !windows.error) void query.refetch();
      windows.retry();
    },
    /** Reads again; what is unsaved would be compared with other values, so it is given up first (TBL-016). */
    refresh: async () => {
      if (hasUnsaved() && !(await mayDiscard())) return;
      discard();
      await reread();
    },
    addressOf: (key: readonly string[]) => at('record', key),
    addressOfNew: at('new'),
    /** Text of the key of the record that is open. */
    openKey: pane === 'record' && params.has('key') ? keyText(params.getAll('key')) : null,
    open,
    close,

    edit: (key: readonly string[], stored: Row, name: string, draft: Draft) =>
      act(edits.change(store.get(), key, stored, name, draft), JSON.stringify([...key, name])),
    /** Cells of the grid, many at once: one step. */
    changeCells: (changes: readonly edits.CellChange[]) => {
      if (changes.length > 0) act(edits.changeCells(store.get(), changes));
    },
    /** Takes new records back before they are saved. */
    dropAdded: (ids: readonly string[]) => act(edits.dropAdded(store.get(), ids)),
    undo,
    redo,
    canUndo,
    canRedo,
    editFresh: (name: string, draft: Draft) => store.set(edits.changeFresh(store.get(), name, draft)),
    ...writes,
  };
}

export type TableState = ReturnType<typeof useTable>;

/** The same list as before while it holds the same. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const kept = useRef(list);
  const isSame = list.length === kept.current.length && list.every((each, index) => each === kept.current[index]);
  if (!isSame) kept.current = list;
  return kept.current;
}

const noRows: Row[] = [];
const noWindows: readonly (readonly Row[])[] = [];
const noFields: Schema['field'] = [];
