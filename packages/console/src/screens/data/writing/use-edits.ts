// What was changed and not saved yet, with the steps that led there: undone and done again until it is saved.
import { useState } from 'react';
import { createStore, useStore } from '../../../ui/index.ts';
import { type Edits, noEdits } from './edits.ts';
import { back, forth, noSteps, type Steps, stepFrom } from './history.ts';

export function useEdits() {
  const [store] = useState(() => createStore(noEdits));
  const [steps] = useState(() => createStore<Steps<Edits>>(noSteps()));
  const edits = useStore(store);
  const { past, future } = useStore(steps);
  const go = (way: typeof back<Edits>) => {
    const now = store.get();
    const gone = way(steps.get(), now);
    if (!gone) return;
    steps.set(gone.steps);
    // The form of a new record is not part of the grid.
    store.set({ ...gone.now, fresh: now.fresh });
  };
  return {
    store,
    edits,
    /** A step that can be undone; steps of one name in a row are one. */
    act: (next: Edits, name: string | null = null) => {
      steps.set(stepFrom(steps.get(), store.get(), name));
      store.set(next);
    },
    undo: () => go(back),
    redo: () => go(forth),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** What is saved, or given up for good, is not to come back. */
    forgetSteps: () => steps.set(noSteps()),
  };
}
