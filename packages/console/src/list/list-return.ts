// Where one was in a list when an editor opened, and the way back there: the same rows in sight, the focus on the row one came from.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Row } from './column.tsx';

interface LeftList {
  /** The last part of the address that was opened: the id of a record, or `create`. */
  opened: string;
  /** Where its row stood; -1 when it was none of those shown. */
  index: number;
  /** How far the list and the page around it were scrolled. */
  scroll: { list: number; page: number };
}

/** Lists that were left for an editor, by address; those left first go first. */
const leftLists = new Map<string, LeftList>();
const maxLists = 20;

interface ShownRows {
  rows: readonly Row[];
  identifier: string;
  /** Focuses the link of a row. */
  focusRow: (index: number) => void;
}

/** Remembers where a list was when one of its records is opened, and goes back there when it is shown again at the same address. */
export function useListReturn(
  list: RefObject<HTMLElement | null>,
  options: ShownRows & { base: string },
): { scroll: number | undefined } {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const [left] = useState(() => leftLists.get(address));
  const current = useRef({ ...options, address });
  current.current = { ...options, address };
  // First, so that it sees the focus come back.
  useFocusKept(list, options);

  useLayoutEffect(() => {
    const element = list.current;
    const page = element?.closest('main') ?? null;
    const cancel = left && element ? comeBack(left, element, page, () => current.current) : undefined;
    leftLists.delete(current.current.address);
    return () => {
      cancel?.();
      const { address, base } = current.current;
      const opened = openedBelow(base);
      if (opened === null || !element) return;
      leftLists.delete(address);
      leftLists.set(address, {
        opened,
        index: indexOf(current.current, opened),
        scroll: { list: element.scrollTop, page: page?.scrollTop ?? 0 },
      });
      const [oldest] = leftLists.keys();
      if (leftLists.size > maxLists && oldest !== undefined) leftLists.delete(oldest);
      // The editor is read from its beginning.
      page?.scrollTo?.(0, 0);
    };
  }, [list, left]);
  return { scroll: left?.scroll.list };
}

/** When the row that has the focus goes, because its record was deleted, the one in its place takes it. */
export function useFocusKept(list: RefObject<HTMLElement | null>, options: ShownRows): void {
  const focused = useRef<{ id: string; index: number } | null>(null);
  const current = useRef(options);
  current.current = options;
  useLayoutEffect(() => {
    const element = list.current;
    const note = ({ target }: FocusEvent) => {
      const index = Number((target as Element).closest<HTMLElement>('[data-row]')?.dataset.row ?? -1);
      focused.current = index < 0 ? null : { id: idAt(current.current, index), index };
    };
    element?.addEventListener('focusin', note);
    return () => element?.removeEventListener('focusin', note);
  }, [list]);
  const { rows } = options;
  useLayoutEffect(() => {
    if (!focused.current || rows.length === 0) return;
    const { id, index } = focused.current;
    if (indexOf(current.current, id) >= 0) return;
    return whenFocusIsFree(() => current.current.focusRow(Math.min(index, current.current.rows.length - 1)));
  }, [rows]);
}

const idAt = ({ rows, identifier }: ShownRows, index: number): string => String(rows[index]?.[identifier]);
const indexOf = ({ rows, identifier }: ShownRows, id: string): number =>
  rows.findIndex((row) => String(row[identifier]) === id);

/**
 * Runs once nothing has the focus, as the element that had it is gone; never when something else has it, a link of the rail
 * that was just used, say. A question that was answered keeps the focus while it fades out: that is waited for.
 */
export function whenFocusIsFree(run: () => void, frames = maxFrames): () => void {
  const { activeElement, body } = document;
  if (!activeElement || activeElement === body) run();
  else if (frames > 0 && activeElement.closest('[role="dialog"]')) {
    let cancel = () => {};
    const frame = requestAnimationFrame(() => {
      cancel = whenFocusIsFree(run, frames - 1);
    });
    return () => {
      cancelAnimationFrame(frame);
      cancel();
    };
  }
  return () => {};
}
/** Longer than a dialog takes to fade. */
const maxFrames = 90;

/** What the address names below the section; null when it is another's. */
function openedBelow(base: string): string | null {
  const { pathname } = window.location;
  if (!pathname.startsWith(`${base}/`)) return null;
  const [segment = ''] = pathname.slice(base.length + 1).split('/');
  return segment === '' ? null : decodeURIComponent(segment);
}

function comeBack(
  { opened, index, scroll }: LeftList,
  list: HTMLElement,
  page: HTMLElement | null,
  current: () => ShownRows & { base: string },
): () => void {
  list.scrollTop = scroll.list;
  if (page) page.scrollTop = scroll.page;
  return whenFocusIsFree(() => {
    const shown = current();
    const found = indexOf(shown, opened);
    // Of a record that was deleted its neighbour takes the place.
    if (found >= 0) shown.focusRow(found);
    else if (index >= 0) shown.focusRow(Math.min(index, shown.rows.length - 1));
    else page?.querySelector<HTMLElement>(`nav a[href="${shown.base}/create"]`)?.focus({ preventScroll: true });
  });
}
