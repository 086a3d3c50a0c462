// The records of a grid: a page of them, or the whole table in windows as they become visible.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { api } from '../../../api/index.ts';
import { orderText, pageCount } from '../../../list/index.ts';
import { useNarrowWindow } from '../../../ui/use-narrow-window.ts';
import { joinFilters } from '../address/filter.ts';
import type { GridHost } from '../address/grid-host.ts';
import type { GridState } from '../address/grid-state.ts';
import { type RecordPage, type Row, type Schema, tablePath, tableQueryKey } from '../address/sources.ts';
import { useWindows } from './use-windows.ts';
import { windowSize } from './windows.ts';

export function useRecords(service: string, table: string, gridState: GridState, { pageSize, fixedFilter }: GridHost) {
  const path = tablePath(service, table);
  // A phone shows cards, page by page.
  const isPhone = useNarrowWindow('sm');
  const isContinuous = gridState.isContinuous && !isPhone;
  const queryKey = [...tableQueryKey(service, table), 'records', gridState, fixedFilter, pageSize, isContinuous];
  const recordQuery = {
    filter: joinFilters(fixedFilter === undefined ? gridState.filters : [fixedFilter, ...gridState.filters]),
    fields: '*',
    order: gridState.order ? orderText(gridState.order) : undefined,
  };
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.get<RecordPage>(path, {
        query: {
          ...recordQuery,
          limit: isContinuous ? windowSize : pageSize,
          offset: isContinuous ? 0 : (gridState.page - 1) * pageSize,
          include_schema: true,
          include_count: true,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  // When a filter is refused, the columns, the panel and the way back stay.
  const lastSchema = useRef<Schema | undefined>(undefined);
  if (query.data) lastSchema.current = query.data.meta.schema;
  const schema = lastSchema.current;
  const pageRows = query.data?.resource ?? noRows;
  const count = query.data?.meta.count ?? 0;
  const pages = pageCount(count, pageSize);

  const windows = useWindows({
    isEnabled: isContinuous,
    count,
    firstWindow: pageRows,
    queryKey,
    fetchWindow: async (window, signal) => {
      const query = { ...recordQuery, limit: windowSize, offset: window * windowSize };
      return (await api.get<Pick<RecordPage, 'resource'>>(path, { query, signal })).resource;
    },
  });
  const loadedWindows = useStableList(
    isContinuous ? windows.loaded.filter((window) => window !== undefined) : noWindows,
  );
  const rows = useMemo(
    () => (loadedWindows.length > 0 ? noRows.concat(pageRows, ...loadedWindows) : pageRows),
    [pageRows, loadedWindows],
  );

  return {
    schema,
    fields: schema?.field ?? noFields,
    rows,
    count,
    pages,
    /** Records of a page. */
    pageSize,
    /** The filter of the request: the filters in force, and the host's fixed one. */
    filter: recordQuery.filter,
    path,
    /** Whether one scrolls through the whole table. */
    isContinuous,
    /** How many records can be shown: of the page, or of the whole table. */
    availableCount: isContinuous ? count : pageRows.length,
    rowAt: (index: number): Row | undefined => (isContinuous ? windows.rowAt(index) : pageRows[index]),
    /** Is called with the rows of the whole table that are visible now. */
    setVisibleRange: windows.setVisibleRange,
    visibleRange: windows.visibleRange,
    /** The records between two rows, fetched when they are not loaded. */
    fetchRows: (from: number, to: number): Promise<readonly Row[]> =>
      isContinuous ? windows.fetchRows(from, to) : Promise.resolve(pageRows.slice(from, to + 1)),
    /** Whether the page in the address is after the last one. */
    isPastLastPage: query.isSuccess && !query.isPlaceholderData && gridState.page > pages,
    isLoading: query.isPending,
    isFetching: query.isFetching || windows.isFetching,
    error: query.error ?? windows.error,
    retry: () => {
      if (query.error || !windows.error) void query.refetch();
      windows.retry();
    },
  };
}

/** Returns the list of the last render while its items are the same. */
function useStableList<T>(list: readonly T[]): readonly T[] {
  const stable = useRef(list);
  const isSame = list.length === stable.current.length && list.every((item, index) => item === stable.current[index]);
  if (!isSame) stable.current = list;
  return stable.current;
}

const noRows: Row[] = [];
const noWindows: readonly (readonly Row[])[] = [];
const noFields: Schema['field'] = [];
