// The keys of a list, as the sheet of keys (`?`) tells them. Rows carry `data-row` with their index, the link of a row
// `data-row-link`; what belongs to a list, its filter among it, stands inside an element with `data-list`.
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ListController } from './use-list-controller.ts';

interface RowKeys {
  count: number;
  /** Focuses the link of a row; a list that renders only some of its rows scrolls there first. */
  moveTo?: (index: number) => void;
  /** Goes from the filter to the first row. */
  enter?: () => void;
}

/** The link of a row, if the row is rendered. */
export const rowLink = (list: Element | null, index: number): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-row="${index}"] [data-row-link]`) ?? null;

/** ↑ and ↓ move from row to row, Home and End to the first and last, Space ticks; ↓ from the filter, or from nowhere, goes into the list. */
export function useRowKeys(list: RefObject<HTMLElement | null>, keys: RowKeys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { count, moveTo = (index: number) => rowLink(list.current, index)?.focus() } = current.current;
      if (!list.current || count === 0 || isOthers(event)) return;
      const target = event.target as Element;
      const row = list.current.contains(target) ? target.closest<HTMLElement>('[data-row]') : null;
      if (row) {
        if (!moveFrom(row, target, event.key, count, moveTo)) return;
      } else {
        if (event.key !== 'ArrowDown' || !leadsInto(target, list.current)) return;
        (current.current.enter ?? (() => moveTo(0)))();
      }
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list]);
}

/** Whether a key belongs to something else: a dialog, an open menu, a choice. */
const isOthers = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.isComposing ||
  event.altKey ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  document.querySelector('[role="dialog"]') !== null ||
  (event.target as Element).closest?.('[role="menu"], [role="listbox"], [aria-expanded="true"]') != null;

/** Whether ↓ at this element goes into the list: nothing in particular, the list's filter, its head. */
const leadsInto = (target: Element, list: Element): boolean =>
  target === document.body ||
  target.matches('main') ||
  list.contains(target) ||
  (target.matches('input[type="search"]') && target.closest('[data-list]')?.contains(list) === true);

/** Does what a key does inside a row; false when it does nothing there. */
function moveFrom(
  row: HTMLElement,
  target: Element,
  key: string,
  count: number,
  moveTo: (index: number) => void,
): boolean {
  const index = Number(row.dataset.row);
  const isOnLink = target.matches('[data-row-link]');
  const next = { ArrowDown: Math.min(count - 1, index + 1), ArrowUp: Math.max(0, index - 1) }[key];
  if (next !== undefined) moveTo(next);
  else if (key === 'Home' && isOnLink) moveTo(0);
  else if (key === 'End' && isOnLink) moveTo(count - 1);
  else if (key === ' ' && isOnLink) row.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
  else return false;
  return true;
}

/** Goes from the filter to the first row of what was typed there, as soon as that is shown. */
export function useEnterList(
  { filter, state, isOutdated }: ListController,
  moveTo: (index: number) => void,
): () => void {
  const [isEntering, setEntering] = useState(false);
  const isShown = !isOutdated && state.filter === filter.text.trim();
  useEffect(() => {
    if (!isEntering || !isShown) return;
    setEntering(false);
    moveTo(0);
  });
  return () => {
    filter.applyNow();
    setEntering(true);
  };
}
