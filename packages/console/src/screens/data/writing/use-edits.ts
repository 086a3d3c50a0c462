// Pending edits with their undo history, until they are saved.
import { useState } from 'react';
import { createStore, useStore } from '../../../ui/index.ts';
import { type Edits, noEdits } from './edits.ts';
import { emptyHistory, pushStep, redo, type UndoHistory, undo } from './history.ts';

export function useEdits() {
  const [store] = useState(() => createStore(noEdits));
  const [history] = useState(() => createStore<UndoHistory<Edits>>(emptyHistory()));
  const edits = useStore(store);
  const { past, future } = useStore(history);
  const move = (step: typeof undo<Edits>) => {
    const current = store.get();
    const moved = step(history.get(), current);
    if (!moved) return;
    history.set(moved.history);
    // The form of a new record is not part of the grid.
    store.set({ ...moved.current, newRecord: current.newRecord });
  };
  return {
    store,
    edits,
    /** A step that can be undone; consecutive steps of one name are one step. */
    applyEdits: (next: Edits, name: string | null = null) => {
      history.set(pushStep(history.get(), store.get(), name));
      store.set(next);
    },
    undo: () => move(undo),
    redo: () => move(redo),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** Saved or discarded edits cannot be undone any more. */
    clearHistory: () => history.set(emptyHistory()),
  };
}
