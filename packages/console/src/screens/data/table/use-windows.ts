// Reads a whole table in windows as they become visible; visible ones are kept, the others for a while.
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { createStore } from '../../../ui/index.ts';
import type { Row } from '../address/sources.ts';
import { windowOf, windowSize, windowsFor } from './windows.ts';

interface WindowSource {
  isEnabled: boolean;
  /** Rows of the table. */
  count: number;
  /** The first window, which is read with the table. */
  firstWindow: readonly Row[];
  queryKey: readonly unknown[];
  fetchWindow: (window: number, signal: AbortSignal) => Promise<Row[]>;
}

/** The rows in the viewport, first and last included. */
export interface VisibleRange {
  first: number;
  last: number;
}

/** Milliseconds before a window is requested: one that is scrolled past sooner is not. */
const scrollPause = 90;
const windowLifetime = 60_000;

export function useWindows({ isEnabled, count, firstWindow, queryKey, fetchWindow }: WindowSource) {
  const client = useQueryClient();
  const [visibleWindows, setVisibleWindows] = useState<readonly number[]>([]);
  const requestedWindows = isEnabled
    ? visibleWindows.filter((window) => window > 0 && window * windowSize < count)
    : [];
  const queryOf = (window: number) => ({
    queryKey: [...queryKey, 'window', window],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchWindow(window, signal),
    staleTime: windowLifetime,
    gcTime: windowLifetime,
  });
  const windowQueries = useQueries({ queries: requestedWindows.map(queryOf) });
  const rowsOf = (window: number): readonly Row[] | undefined =>
    window === 0 ? firstWindow : windowQueries[requestedWindows.indexOf(window)]?.data;

  const [visibleRange] = useState(() => createStore<VisibleRange>({ first: 0, last: -1 }));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const setVisibleRange = useCallback(
    (from: number, to: number) => {
      visibleRange.set({ first: from, last: to });
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const next = windowsFor(visibleRange.get().first, visibleRange.get().last, count);
        setVisibleWindows((previous) => (previous.join() === next.join() ? previous : next));
      }, scrollPause);
    },
    [count, visibleRange],
  );

  return {
    rowAt: (index: number): Row | undefined => rowsOf(windowOf(index))?.[index % windowSize],
    /** Is called with the rows that are visible now. */
    setVisibleRange,
    visibleRange,
    /** The rows between two indexes, fetched if they are not loaded. */
    fetchRows: async (from: number, to: number): Promise<Row[]> => {
      const windows = Array.from({ length: windowOf(to) - windowOf(from) + 1 }, (_, index) => windowOf(from) + index);
      const rows: Row[] = [];
      // One after the other: a long range is no reason to keep other calls waiting.
      for (const window of windows) {
        rows.push(...(window === 0 ? firstWindow : await client.fetchQuery(queryOf(window))));
      }
      const start = from - windowOf(from) * windowSize;
      return rows.slice(start, start + to - from + 1);
    },
    loaded: requestedWindows.map(rowsOf),
    error: windowQueries.find(({ error }) => error !== null)?.error ?? null,
    isFetching: windowQueries.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const result of windowQueries) if (result.isError) void result.refetch();
    },
  };
}
