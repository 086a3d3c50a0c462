// The records of a place: a page of them, or the whole table in windows as they come into sight.
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { api } from '../../../api/index.ts';
import { orderText, pageCount } from '../../../list/index.ts';
import { breakpoints } from '../../../theme/index.ts';
import { joined } from '../place/filter.ts';
import type { Place } from '../place/place.ts';
import type { Site } from '../place/site.ts';
import { type Row, type Schema, tableKey, tablePath } from '../place/sources.ts';
import { useWindows } from './use-windows.ts';
import { windowSize } from './windows.ts';

interface Listing {
  resource: Row[];
  meta: { count: number; schema: Schema };
}

export function useListing(service: string, table: string, place: Place, { size, within }: Site) {
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

  return {
    schema,
    fields: schema?.field ?? noFields,
    rows,
    count,
    pages,
    /** Records of a page. */
    size,
    /** What is asked for of the records: the filters in force, and what always holds here. */
    filter: asked.filter,
    path,
    isPhone,
    /** Whether the whole table is scrolled through. */
    isWhole,
    /** Records that can be seen: of the page, or of the whole table. */
    shownCount: isWhole ? count : onPage.length,
    rowAt: (index: number): Row | undefined => (isWhole ? windows.rowAt(index) : onPage[index]),
    /** Tells which rows of the whole table are in sight. */
    show: windows.show,
    sight: windows.sight,
    /** The records of a stretch of rows, read when they are not here. */
    rowsBetween: (from: number, to: number): Promise<readonly Row[]> =>
      isWhole ? windows.rowsBetween(from, to) : Promise.resolve(onPage.slice(from, to + 1)),
    /** Whether the place is behind the last page. */
    isBeyond: query.isSuccess && !query.isPlaceholderData && place.page > pages,
    isLoading: query.isPending,
    isFetching: query.isFetching || windows.isFetching,
    error: query.error ?? windows.error,
    retry: () => {
      if (query.error || !windows.error) void query.refetch();
      windows.retry();
    },
  };
}

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
