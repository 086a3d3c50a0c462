// Undo and redo: the states one came from, and those one went back from. Pure.

export interface UndoHistory<T> {
  past: readonly T[];
  future: readonly T[];
  /** What the last step did; the next one with the same name goes on with it, so that a word typed is one step. */
  lastStep: string | null;
}

const empty: UndoHistory<never> = { past: [], future: [], lastStep: null };
export const emptyHistory = <T>(): UndoHistory<T> => empty;

/** How far back one can go. */
export const maxUndoSteps = 200;

/** A step away from `now`; what had been undone is gone. */
export function pushStep<T>(history: UndoHistory<T>, current: T, name: string | null = null): UndoHistory<T> {
  const isContinued = name !== null && name === history.lastStep;
  return {
    past: isContinued ? history.past : [...history.past, current].slice(-maxUndoSteps),
    future: [],
    lastStep: name,
  };
}

/** One step back; null when there is none. */
export function undo<T>({ past, future }: UndoHistory<T>, current: T): { history: UndoHistory<T>; current: T } | null {
  if (past.length === 0) return null;
  return {
    history: { past: past.slice(0, -1), future: [current, ...future], lastStep: null },
    current: past.at(-1) as T,
  };
}

/** One step forward again; null when nothing was undone. */
export function redo<T>({ past, future }: UndoHistory<T>, current: T): { history: UndoHistory<T>; current: T } | null {
  if (future.length === 0) return null;
  return { history: { past: [...past, current], future: future.slice(1), lastStep: null }, current: future[0] as T };
}
