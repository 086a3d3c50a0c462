// Which rows of the grid are rendered: all rows of a page, and of a long table those in the viewport.
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';
import type { TableState } from '../../table/use-table.ts';

export const rowHeight = 34;
/** Pixels of the sticky head, which covers the first rows. */
const headHeight = 36;
/** From so many cells on, only the rows in the viewport are rendered. */
const virtualizeFrom = 1200;

export function useRenderedRows(
  { rowCount, isContinuous, setVisibleRange }: TableState,
  viewport: React.RefObject<HTMLDivElement | null>,
  columns: number,
  /** The row of the active cell stays rendered, wherever one scrolls: it has the focus. */
  activeRow: number,
) {
  const isVirtual = rowCount * columns > virtualizeFrom;
  const virtual = useVirtualizer({
    // Off it measures nothing: the browser would have to lay out all rows for that.
    enabled: isVirtual,
    count: rowCount,
    getScrollElement: () => viewport.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingEnd: headHeight,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), activeRow])].sort((a, b) => a - b),
  });
  const renderedRows = isVirtual
    ? virtual.getVirtualItems().map(({ index }) => index)
    : Array.from({ length: rowCount }, (_, index) => index);
  const first = isVirtual ? (virtual.range?.startIndex ?? 0) : 0;
  const last = isVirtual ? (virtual.range?.endIndex ?? 0) : rowCount - 1;
  useEffect(() => {
    if (isContinuous) setVisibleRange(first, last);
  }, [isContinuous, setVisibleRange, first, last]);
  return {
    renderedRows,
    scrollTo: (row: number) => {
      if (isVirtual) virtual.scrollToIndex(row);
    },
  };
}
