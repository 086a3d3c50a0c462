import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

interface RenderedRowsOptions {
  count: number;
  /** From so many rows on, only those in sight are rendered. */
  virtualFrom: number;
  rowKey: (index: number) => string | number;
  /** Height of a row before it was measured, in pixels. */
  rowHeight: number;
}

/** Room for what stands at the edges of the page while it scrolls: a toolbar above, the save bar below. */
const scrollPadding = { scrollPaddingStart: 72, scrollPaddingEnd: 96 };

/**
 * Which rows of a long list are rendered, and how much room the others take, where the page itself scrolls and rows have
 * heights of their own. Rows carry `data-index` and tell their element to `measure`.
 */
export function useRenderedRows(list: RefObject<HTMLElement | null>, options: RenderedRowsOptions) {
  const { count, virtualFrom, rowKey: keyOf, rowHeight } = options;
  const isVirtual = count > virtualFrom;
  const scroller = () => list.current?.closest<HTMLElement>('main') ?? null;
  // What stands above the list inside the page may change at any time.
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const main = scroller();
    if (!isVirtual || !main || !list.current) return;
    const above = list.current.getBoundingClientRect().top - main.getBoundingClientRect().top;
    setMargin(Math.round(above + main.scrollTop));
  });
  const virtual = useVirtualizer({
    // Off it measures nothing: the browser would have to lay out all rows for that.
    enabled: isVirtual,
    count,
    getScrollElement: scroller,
    getItemKey: keyOf,
    estimateSize: () => rowHeight,
    scrollMargin: margin,
    overscan: 8,
    ...scrollPadding,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  return {
    /** Indexes of the rows to render, in order. */
    rendered: isVirtual ? items.map(({ index }) => index) : Array.from({ length: count }, (_, index) => index),
    before: isVirtual ? Math.max(0, (items[0]?.start ?? margin) - margin) : 0,
    after: isVirtual && last ? Math.max(0, virtual.getTotalSize() + margin - last.end) : 0,
    measure: isVirtual ? virtual.measureElement : undefined,
    scrollTo: (index: number) => {
      if (isVirtual) virtual.scrollToIndex(index, { align: 'auto' });
      else list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
    },
  };
}
