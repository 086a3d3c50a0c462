import { type FocusEvent, type MouseEvent, useRef } from 'react';
import { positionOf } from '../cells/cells.ts';
import type { Cells } from '../cells/use-cells.ts';
import type { MenuPosition } from './grid-menu.tsx';

/** The mouse: a click selects a cell, Shift or dragging a range, a double click edits; the right button opens the menu. */
export function useGridMouse(cells: Cells, openMenu: (position: MenuPosition) => void) {
  const isDragging = useRef(false);
  const { rect } = cells;
  return {
    onMouseDown: (event: MouseEvent) => {
      const position = positionOf(event.target);
      if (!position || event.button !== 0 || isInsideEditor(event)) return;
      isDragging.current = true;
      cells.select(position, event.shiftKey);
      // The focus stays where the range began.
      if (event.shiftKey) event.preventDefault();
    },
    onMouseOver: (event: MouseEvent) => {
      if (!isDragging.current) return;
      if (event.buttons % 2 === 0) isDragging.current = false;
      else {
        const position = positionOf(event.target);
        if (position) cells.select(position, true);
      }
    },
    onFocus: (event: FocusEvent) => {
      const position = (event.target as HTMLElement).matches('[data-at]') ? positionOf(event.target) : null;
      const { active } = cells.range;
      if (position && !isDragging.current && (position.row !== active.row || position.column !== active.column))
        cells.select(position);
    },
    onMouseUp: () => {
      isDragging.current = false;
    },
    onDoubleClick: (event: MouseEvent) => {
      const position = positionOf(event.target);
      if (position && !isInsideEditor(event)) cells.startEdit(position, null);
    },
    onContextMenu: (event: MouseEvent) => {
      const position = positionOf(event.target);
      if (!position || isInsideEditor(event)) return;
      event.preventDefault();
      const isSelected =
        position.row >= rect.top &&
        position.row <= rect.bottom &&
        position.column >= rect.left &&
        position.column <= rect.right;
      if (!isSelected) cells.select(position);
      openMenu({ x: event.clientX, y: event.clientY });
    },
  };
}

/** Whether an event belongs to the editor of a cell. */
const isInsideEditor = (event: MouseEvent): boolean =>
  (event.target as Element).closest('input, textarea, [role="listbox"]') !== null;
