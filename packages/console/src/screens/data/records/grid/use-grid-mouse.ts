import { type FocusEvent, type MouseEvent, useRef } from 'react';
import { atOf } from '../cells/cells.ts';
import type { Cells } from '../cells/use-cells.ts';
import type { MenuAt } from './grid-menu.tsx';

/** The mouse: a click chooses, with Shift or drawn it chooses a range, twice it edits; the right button opens the menu. */
export function useGridMouse(cells: Cells, openMenu: (at: MenuAt) => void) {
  const isDrawing = useRef(false);
  const { rect } = cells;
  return {
    onMouseDown: (event: MouseEvent) => {
      const at = atOf(event.target);
      if (!at || event.button !== 0 || isInside(event)) return;
      isDrawing.current = true;
      cells.choose(at, event.shiftKey);
      // The keyboard stays where the range began.
      if (event.shiftKey) event.preventDefault();
    },
    onMouseOver: (event: MouseEvent) => {
      if (!isDrawing.current) return;
      if (event.buttons % 2 === 0) isDrawing.current = false;
      else {
        const at = atOf(event.target);
        if (at) cells.choose(at, true);
      }
    },
    onFocus: (event: FocusEvent) => {
      const at = (event.target as HTMLElement).matches('[data-at]') ? atOf(event.target) : null;
      const { active } = cells.range;
      if (at && !isDrawing.current && (at.row !== active.row || at.column !== active.column)) cells.choose(at);
    },
    onMouseUp: () => {
      isDrawing.current = false;
    },
    onDoubleClick: (event: MouseEvent) => {
      const at = atOf(event.target);
      if (at && !isInside(event)) cells.edit(at, null);
    },
    onContextMenu: (event: MouseEvent) => {
      const at = atOf(event.target);
      if (!at || isInside(event)) return;
      event.preventDefault();
      const isChosen = at.row >= rect.top && at.row <= rect.bottom && at.column >= rect.left && at.column <= rect.right;
      if (!isChosen) cells.choose(at);
      openMenu({ x: event.clientX, y: event.clientY });
    },
  };
}

/** Whether an event belongs to the input of a cell. */
const isInside = (event: MouseEvent): boolean =>
  (event.target as Element).closest('input, textarea, [role="listbox"]') !== null;
