import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** A row of `count` tabs that may be wider than its place: the current one is brought into sight, sideways only. */
export function useScrollToCurrentTab(count: number): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  const { pathname, search } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address or more tabs move the current one
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current="page"]')?.getBoundingClientRect();
    if (!row.current || !current) return;
    const { left, right } = row.current.getBoundingClientRect();
    if (current.right > right) row.current.scrollLeft += current.right - right;
    else if (current.left < left) row.current.scrollLeft -= left - current.left;
  }, [pathname, search, count]);
  return row;
}
