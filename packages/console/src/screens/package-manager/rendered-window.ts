import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';

/** From so many rows on, only those in sight are rendered. */
const virtualFrom = 100;

/** Which rows of a list that scrolls by itself are rendered, and how much room the others take. Rows have one height, in pixels. */
export function useRenderedWindow(count: number, rowHeight: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const isVirtual = count > virtualFrom;
  const virtual = useVirtualizer({
    enabled: isVirtual,
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    // Before it was measured, and where nothing can be measured.
    initialRect: { width: 400, height: 320 },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  return {
    scroller,
    /** For the element that scrolls: a long list has a height of its own, whatever is rendered of it. */
    isLong: isVirtual,
    indexes: isVirtual ? items.map(({ index }) => index) : Array.from({ length: count }, (_, index) => index),
    before: isVirtual ? (items[0]?.start ?? 0) : 0,
    after: isVirtual && last ? virtual.getTotalSize() - last.end : 0,
    scrollTo: (index: number) => {
      if (isVirtual) virtual.scrollToIndex(index, { align: 'auto' });
    },
  };
}
