// Reads a whole table in windows as they come into sight; those in sight are kept, the others for a while.
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { createStore } from '../../../ui/index.ts';
import type { Row } from '../place/sources.ts';
import { windowOf, windowSize, windowsFor } from './windows.ts';

interface Windows {
  isOn: boolean;
  /** Rows of the table. */
  count: number;
  /** The first window, which is read with the table. */
  first: readonly Row[];
  queryKey: readonly unknown[];
  read: (window: number, signal: AbortSignal) => Promise<Row[]>;
}

/** The rows in sight, first and last included. */
export interface Sight {
  first: number;
  last: number;
}

/** How long one may scroll past a window before it is asked for. */
const pause = 90;
const fresh = 60_000;

export function useWindows({ isOn, count, first, queryKey, read }: Windows) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState<readonly number[]>([]);
  const asked = isOn ? wanted.filter((window) => window > 0 && window * windowSize < count) : [];
  const queryOf = (window: number) => ({
    queryKey: [...queryKey, 'window', window],
    queryFn: ({ signal }: { signal: AbortSignal }) => read(window, signal),
    staleTime: fresh,
    gcTime: fresh,
  });
  const results = useQueries({ queries: asked.map(queryOf) });
  const rowsOf = (window: number): readonly Row[] | undefined =>
    window === 0 ? first : results[asked.indexOf(window)]?.data;

  const [sight] = useState(() => createStore<Sight>({ first: 0, last: -1 }));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = useCallback(
    (from: number, to: number) => {
      sight.set({ first: from, last: to });
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        const next = windowsFor(sight.get().first, sight.get().last, count);
        setWanted((now) => (now.join() === next.join() ? now : next));
      }, pause);
    },
    [count, sight],
  );

  return {
    rowAt: (index: number): Row | undefined => rowsOf(windowOf(index))?.[index % windowSize],
    /** Tells which rows are in sight. */
    show,
    sight,
    /** The rows of a stretch, read if they are not here. */
    rowsBetween: async (from: number, to: number): Promise<Row[]> => {
      const windows = Array.from({ length: windowOf(to) - windowOf(from) + 1 }, (_, index) => windowOf(from) + index);
      const read: Row[] = [];
      // One after the other: a long stretch is no reason to keep others waiting.
      for (const window of windows) {
        read.push(...(window === 0 ? first : await client.fetchQuery(queryOf(window))));
      }
      const start = from - windowOf(from) * windowSize;
      return read.slice(start, start + to - from + 1);
    },
    loaded: asked.map(rowsOf),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    isFetching: results.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}
