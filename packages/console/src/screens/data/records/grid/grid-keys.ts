// What a key does in the grid while no cell is being edited. Pure.
import type { Step } from '../cells/range.ts';

export type GridAction =
  | { do: 'move'; step: Step; extends: boolean }
  /** `typed` begins a new value; null goes on with the one that is there. */
  | { do: 'edit'; typed: string | null }
  | { do: 'open' | 'tick' | 'tickRange' | 'delete' | 'clear' | 'toNull' | 'undo' | 'redo' | 'all' | 'leave' };

interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const far = Number.POSITIVE_INFINITY;
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

/** Keys of the whole page, also where typing would begin a value. */
const ofThePage = ['/', '?'];

export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): GridAction | null {
  const isMod = ctrlKey || metaKey;
  const move = (row: number, column: number): GridAction => ({
    do: 'move',
    step: { row, column },
    extends: shiftKey,
  });
  const arrow = arrows.get(key);
  if (arrow) {
    if (altKey) return null;
    return isMod
      ? move(arrow.row && arrow.row * far, arrow.column && arrow.column * far)
      : move(arrow.row, arrow.column);
  }
  switch (key) {
    case 'Home':
      return move(isMod ? -far : 0, -far);
    case 'End':
      return move(isMod ? far : 0, far);
    case 'PageDown':
      return move(pageStep, 0);
    case 'PageUp':
      return move(-pageStep, 0);
    case 'Enter':
      return isMod ? { do: 'open' } : { do: 'edit', typed: null };
    case 'F2':
      return { do: 'edit', typed: null };
    case ' ':
      return { do: shiftKey ? 'tickRange' : 'tick' };
    case 'Backspace':
      return { do: isMod ? 'toNull' : 'clear' };
    case 'Delete':
      return { do: 'delete' };
    case 'Escape':
      return { do: 'leave' };
  }
  const letter = key.toLowerCase();
  // On some keyboards a letter comes with Control and Alt together.
  if (isMod && !altKey) {
    if (letter === 'z') return { do: shiftKey ? 'redo' : 'undo' };
    if (letter === 'y') return { do: 'redo' };
    return letter === 'a' ? { do: 'all' } : null;
  }
  const isLetter = Array.from(key).length === 1 && (isMod ? altKey : !altKey);
  return isLetter && !ofThePage.includes(key) ? { do: 'edit', typed: key } : null;
}
