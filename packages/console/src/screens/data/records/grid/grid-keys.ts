// What a key does in the grid while no cell is being edited. Pure.
import type { Step } from '../cells/range.ts';

export type GridAction =
  | { type: 'move'; step: Step; isExtending: boolean }
  /** `initialText` begins a new value; null continues with the present one. */
  | { type: 'edit'; initialText: string | null }
  | {
      type:
        | 'openRecord'
        | 'toggleRow'
        | 'toggleRange'
        | 'delete'
        | 'clear'
        | 'setNull'
        | 'undo'
        | 'redo'
        | 'selectAll'
        | 'collapse';
    };

interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const toEdge = Number.POSITIVE_INFINITY;
/** How far Page Up and Page Down go. */
const pageStep = 12;

const arrows = new Map<string, Step>(
  Object.entries({
    ArrowDown: { row: 1, column: 0 },
    ArrowUp: { row: -1, column: 0 },
    ArrowRight: { row: 0, column: 1 },
    ArrowLeft: { row: 0, column: -1 },
  }),
);

/** Keys that belong to the whole page, even where typing would begin a value. */
const pageShortcuts = ['/', '?'];

export function keyAction({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): GridAction | null {
  const isMod = ctrlKey || metaKey;
  const move = (row: number, column: number): GridAction => ({
    type: 'move',
    step: { row, column },
    isExtending: shiftKey,
  });
  const arrow = arrows.get(key);
  if (arrow) {
    if (altKey) return null;
    return isMod
      ? move(arrow.row && arrow.row * toEdge, arrow.column && arrow.column * toEdge)
      : move(arrow.row, arrow.column);
  }
  switch (key) {
    case 'Home':
      return move(isMod ? -toEdge : 0, -toEdge);
    case 'End':
      return move(isMod ? toEdge : 0, toEdge);
    case 'PageDown':
      return move(pageStep, 0);
    case 'PageUp':
      return move(-pageStep, 0);
    case 'Enter':
      return isMod ? { type: 'openRecord' } : { type: 'edit', initialText: null };
    case 'F2':
      return { type: 'edit', initialText: null };
    case ' ':
      return { type: shiftKey ? 'toggleRange' : 'toggleRow' };
    case 'Backspace':
      return { type: isMod ? 'setNull' : 'clear' };
    case 'Delete':
      return { type: 'delete' };
    case 'Escape':
      return { type: 'collapse' };
  }
  const letter = key.toLowerCase();
  // On some keyboards a letter comes with Control and Alt together.
  if (isMod && !altKey) {
    if (letter === 'z') return { type: shiftKey ? 'redo' : 'undo' };
    if (letter === 'y') return { type: 'redo' };
    return letter === 'a' ? { type: 'selectAll' } : null;
  }
  const isLetter = Array.from(key).length === 1 && (isMod ? altKey : !altKey);
  return isLetter && !pageShortcuts.includes(key) ? { type: 'edit', initialText: key } : null;
}
