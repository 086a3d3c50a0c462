// Undo and redo: the states before the current one, and the states that were undone. Pure.

export interface UndoHistory<T> {
  past: readonly T[];
  future: readonly T[];
  /** The name of the last step. A next step of the same name continues it, so that a typed word is one step. */
  lastStep: string | null;
}

const sharedEmptyHistory: UndoHistory<never> = { past: [], future: [], lastStep: null };
export const emptyHistory = <T>(): UndoHistory<T> => sharedEmptyHistory;

/** The most steps that can be undone. */
export const maxUndoSteps = 200;

/** Adds a step from the current state; undone states can no longer be redone. */
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
