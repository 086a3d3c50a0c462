// What keys do in the listing. Pure: a key leads to something to do.

export type GridAction =
  | { kind: 'move'; to: number }
  | { kind: 'open' | 'up' | 'rename' | 'delete' | 'toggle' | 'all' | 'clear' | 'copy' | 'cut' | 'paste' | 'menu' };

interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const letters = new Map<string, Exclude<GridAction['kind'], 'move'>>([
  ['a', 'all'],
  ['c', 'copy'],
  ['x', 'cut'],
  ['v', 'paste'],
]);

/** `current` is the index of the row the keyboard is on, -1 for none; `page` how many rows are in sight. */
export function gridAction(event: PressedKey, current: number, count: number, page: number): GridAction | null {
  const { key, altKey, shiftKey } = event;
  const mod = event.ctrlKey || event.metaKey;
  if (altKey) return key === 'ArrowUp' ? { kind: 'up' } : null;
  if (mod && !shiftKey) {
    const letter = letters.get(key.toLowerCase());
    if (letter) return { kind: letter };
  }
  if (key === 'Escape') return { kind: 'clear' };
  if (key === 'Backspace') return mod ? { kind: 'delete' } : { kind: 'up' };
  if (count === 0) return null;
  const last = count - 1;
  const move = (to: number): GridAction => ({ kind: 'move', to: Math.min(last, Math.max(0, to)) });
  switch (key) {
    case 'ArrowDown':
      return move(current + 1);
    case 'ArrowUp':
      return move(current < 0 ? last : current - 1);
    case 'PageDown':
      return move(Math.max(0, current) + page);
    case 'PageUp':
      return move(current - page);
    case 'Home':
      return move(0);
    case 'End':
      return move(last);
    case 'Enter':
      return { kind: 'open' };
    case 'F2':
      return { kind: 'rename' };
    case 'F10':
      return shiftKey ? { kind: 'menu' } : null;
    case 'ContextMenu':
      return { kind: 'menu' };
    case 'Delete':
      return { kind: 'delete' };
    case ' ':
      return { kind: 'toggle' };
    default:
      return null;
  }
}
