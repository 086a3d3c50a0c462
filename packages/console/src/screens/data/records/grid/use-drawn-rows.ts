// Which rows of the grid are drawn: all of a page, of a long table those in sight.
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';
import type { TableState } from '../../table/use-table.ts';

export const rowHeight = 34;
/** Pixels of the head that covers the first rows. */
const headHeight = 36;
/** From so many cells on, only the rows in sight are drawn. */
const virtualFrom = 1200;

export function useDrawnRows(
  { lineCount, isWhole, show }: TableState,
  frame: React.RefObject<HTMLDivElement | null>,
  columns: number,
  /** The row that has the keyboard stays, wherever one scrolls. */
  kept: number,
) {
  const isVirtual = lineCount * columns > virtualFrom;
  const virtual = useVirtualizer({
    count: isVirtual ? lineCount : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingEnd: headHeight,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), kept])].sort((a, b) => a - b),
  });
  const drawn = isVirtual
    ? virtual.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: lineCount }, (_, index) => index);
  const first = isVirtual ? (virtual.range?.startIndex ?? 0) : 0;
  const last = isVirtual ? (virtual.range?.endIndex ?? 0) : lineCount - 1;
  useEffect(() => {
    if (isWhole) show(first, last);
  }, [isWhole, show, first, last]);
  return {
    drawn,
    scrollTo: (row: number) => {
      if (isVirtual) virtual.scrollToIndex(row);
    },
  };
}
