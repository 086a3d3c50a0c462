// Which columns there is room for: a table is never wider than the page, so that what a row ends with stays in sight.
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Column } from './column.tsx';

/**
 * The columns that fit. Those a phone's card does without give way first, from the right; a width that somebody set
 * counts as it is.
 */
export function fittingColumns<C extends Pick<Column, 'name' | 'card' | 'opens'>>(
  columns: readonly C[],
  widthOf: (column: C) => number,
  available: number,
): readonly C[] {
  const total = columns.reduce((sum, column) => sum + widthOf(column), 0);
  if (available <= 0 || total <= available) return columns;
  const expendable = columns.findLast((column) => column.card === null && !column.opens);
  if (!expendable) return columns;
  return fittingColumns(
    columns.filter((column) => column !== expendable),
    widthOf,
    available,
  );
}

/** How wide an element is, in pixels, once it is there; until then as it is `drawn`. */
export function useWidth(element: RefObject<HTMLElement | null>, drawn?: number): number | undefined {
  const [width, setWidth] = useState(drawn);
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const measure = () => setWidth(observed.clientWidth);
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
