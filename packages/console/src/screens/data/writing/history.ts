// Undo and redo: the states one came from, and those one went back from. Pure.

export interface Steps<T> {
  past: readonly T[];
  future: readonly T[];
  /** What the last step did; the next one with the same name goes on with it, so that a word typed is one step. */
  last: string | null;
}

const nothing: Steps<never> = { past: [], future: [], last: null };
export const noSteps = <T>(): Steps<T> => nothing;

/** How far back one can go. */
export const mostSteps = 200;

/** A step away from `now`; what had been undone is gone. */
export function stepFrom<T>(steps: Steps<T>, now: T, name: string | null = null): Steps<T> {
  const goesOn = name !== null && name === steps.last;
  return { past: goesOn ? steps.past : [...steps.past, now].slice(-mostSteps), future: [], last: name };
}

/** One step back; null when there is none. */
export function back<T>({ past, future }: Steps<T>, now: T): { steps: Steps<T>; now: T } | null {
  if (past.length === 0) return null;
  return { steps: { past: past.slice(0, -1), future: [now, ...future], last: null }, now: past.at(-1) as T };
}

/** One step forward again; null when nothing was undone. */
export function forth<T>({ past, future }: Steps<T>, now: T): { steps: Steps<T>; now: T } | null {
  if (future.length === 0) return null;
  return { steps: { past: [...past, now], future: future.slice(1), last: null }, now: future[0] as T };
}
