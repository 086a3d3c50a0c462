// One table on the screen: its page of records, what was changed in them, and everything that writes.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { ApiError, api } from '../../api/index.ts';
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
import { confirm, createStore, notify, useStore } from '../../ui/index.ts';
import * as edits from './edits.ts';
import { joined, keyFilter } from './filter.ts';
import {
  isSamePlace,
  keyFields,
  keyFieldsOf,
  keyOf,
  keyText,
  pageSize,
  readPlace,
  tableAddress,
  withKey,
  writePlace,
} from './place.ts';
import { type Row, type Schema, tableKey, tablePath } from './sources.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';
import { type Draft, type Drafts, fieldOfMessage, type Payload, toPatch, toPost } from './values.ts';

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

  const [isBusy, setBusy] = useState(false);
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    setBusy(true);
    try {
      return await work();
    } finally {
      setBusy(false);
    }
  };
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
  const fail = (error: unknown) => notify.error(text('data:title'), error);

  /** Objections beside their fields; what belongs to none stands above them. */
  const objections = (error: unknown): Record<string, string> => {
    if (!(error instanceof ApiError)) return { '': text('common:unknownError') };
    const byField = Object.entries(error.fieldMessages()).map(([name, all]) => [name, all.join(' ')]);
    if (byField.length > 0) return Object.fromEntries(byField);
    return Object.fromEntries(error.messages().map((message) => [fieldOfMessage(message, fields) ?? '', message]));
  };
  const objectWrong = (wrong: Extract<Payload, { wrong: unknown }>['wrong']) =>
    Object.fromEntries(Object.entries(wrong).map(([name, reason]) => [name, text(`data:wrong.${reason}`)]));

  /** Sends changed records together. Those before a failing one are stored, and no longer unsaved. True when all are. */
  const patch = async (all: readonly edits.Edit[]): Promise<boolean> => {
    if (!schema) return false;
    const records: Row[] = [];
    for (const edit of all) {
      const made = toPatch(schema, edit.stored, edit.drafts);
      if ('record' in made) {
        records.push(made.record);
        continue;
      }
      store.set(edits.object(store.get(), edit.key, objectWrong(made.wrong)));
      fail(text('data:wrongRecord', { record: edit.key.join(' / ') }));
      navigate(at('record', edit.key));
      return false;
    }
    try {
      await api.patch(path, { body: { resource: records } });
      await reread();
      for (const edit of all) store.set(edits.drop(store.get(), edit.key));
      return true;
    } catch (error) {
      fail(error);
      const failed = firstFailure(error);
      const refused = all[failed];
      if (failed > 0) await reread();
      for (const edit of all.slice(0, failed)) store.set(edits.drop(store.get(), edit.key));
      if (refused) store.set(edits.object(store.get(), refused.key, objections(error)));
      return false;
    }
  };

  const afterDelete = async (keysGone: readonly (readonly string[])[]) => {
    for (const key of keysGone) store.set(edits.drop(store.get(), key));
    setTicked(nothingSelected);
    const page = pageAfterDelete(place.page, count - keysGone.length, pageSize);
    await reread();
    if (page !== place.page) setParams((now) => writePlace(now, { page }), { replace: true });
  };

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
    isBusy,
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
    open: (key: readonly string[]) => navigate(at('record', key)),
    close,

    edit: (key: readonly string[], stored: Row, name: string, draft: Draft) =>
      store.set(edits.change(store.get(), key, stored, name, draft)),
    editFresh: (name: string, draft: Draft) => store.set(edits.changeFresh(store.get(), name, draft)),
    dropFresh: () => store.set({ ...store.get(), fresh: null }),

    /** Save of the toolbar (TBL-025, TBL-031, TBL-040). */
    saveAll: () =>
      during(async () => {
        const all = edits.unsaved(store.get());
        if (all.length === 0) return fail(text('data:nothingToSave'));
        if (await patch(all)) notify.success(text('data:recordsSaved'));
      }),
    /** Revert of the toolbar (TBL-032). */
    revertAll: () => {
      discard();
      notify.success(text('data:recordsReverted'));
    },
    /** Save of the record's pane, which then closes (TBL-034, OPEN-125). */
    saveOne: (key: readonly string[]) =>
      during(async () => {
        const edit = edits.unsaved(store.get()).find((each) => keyText(each.key) === keyText(key));
        if (!edit) return close();
        if (!(await patch([edit]))) return;
        notify.success(text('data:recordSaved'));
        close();
      }),
    /** Revert of the record's pane (TBL-037). */
    revertOne: (key: readonly string[]) => {
      store.set(edits.drop(store.get(), key));
      notify.success(text('data:recordReverted'));
    },
    /** TBL-027, TBL-035. */
    create: () =>
      during(async () => {
        if (!schema) return;
        const drafts: Drafts = store.get().fresh?.drafts ?? {};
        const made = toPost(schema, drafts);
        if ('wrong' in made) {
          store.set(edits.objectFresh(store.get(), objectWrong(made.wrong)));
          return fail(text('data:wrongNew'));
        }
        try {
          await api.post(path, { query: { fields: '*' }, body: { resource: [made.record] } });
        } catch (error) {
          store.set(edits.objectFresh(store.get(), objections(error)));
          return fail(error);
        }
        store.set({ ...store.get(), fresh: null });
        notify.success(text('data:recordCreated'));
        await reread();
        close();
      }),
    /** Delete of the toolbar (TBL-026, TBL-033, TBL-039, TBL-041). */
    deleteSelected: async () => {
      if (!schema || selection.ids.size === 0) return fail(text('data:nothingToDelete'));
      const chosen = rows.filter((row) => selection.ids.has(keyText(keyOf(schema, row) ?? [])));
      const impact = text('data:deleteImpact', { count: chosen.length, table });
      if (!(await confirm({ message: text('data:confirmDelete'), impact, danger: true }))) return;
      await during(async () => {
        try {
          await api.delete(path, { body: { resource: chosen.map((row) => keyFields(schema, row)) } });
          notify.success(text('data:recordsDeleted'));
          await afterDelete(chosen.map((row) => keyOf(schema, row) ?? []));
        } catch (error) {
          fail(error);
          // Records before the failing one are gone.
          if (firstFailure(error) > 0)
            await afterDelete(chosen.slice(0, firstFailure(error)).map((row) => keyOf(schema, row) ?? []));
        }
      });
    },
    /** Delete of the record's pane (TBL-028, TBL-036). */
    deleteOne: async (stored: Row) => {
      const key = schema && keyOf(schema, stored);
      if (!key) return;
      const message = text('data:deleteOne', { record: key.join(' / ') });
      if (!(await confirm({ message, impact: text('data:deleteOneImpact'), danger: true }))) return;
      await during(async () => {
        try {
          const headers = { 'X-HTTP-METHOD': 'DELETE' };
          await api.post(path, { headers, body: { resource: [keyFields(schema, stored)] } });
          notify.success(text('data:recordDeleted'));
          store.set(edits.drop(store.get(), key));
          close();
          await afterDelete([key]);
        } catch (error) {
          fail(error);
        }
      });
    },
  };
}

export type TableState = ReturnType<typeof useTable>;

const noRows: Row[] = [];
const noFields: Schema['field'] = [];

/** Which record of a batch failed first (contract/database-tables.md §7). */
function firstFailure(error: unknown): number {
  const context = error instanceof ApiError ? (error.context as { error?: unknown } | null)?.error : undefined;
  return Array.isArray(context) && typeof context[0] === 'number' ? context[0] : 0;
}

/** A record by its key: from the page that is shown, else read on its own. */
export function useRecord(state: TableState, key: readonly string[]) {
  const { schema, rows, keys, service, table, path } = state;
  const wanted = keyText(key);
  const index = keys.findIndex((each) => each !== null && keyText(each) === wanted);
  const onPage = rows[index];
  const query = useQuery({
    queryKey: [...tableKey(service, table), 'record', wanted],
    queryFn: async ({ signal }) => {
      const filter = keyFilter(keyFieldsOf(schema!), key);
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
