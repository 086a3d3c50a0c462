// The pending edits of a table, and what of them a navigation would lose.
import { useMemo } from 'react';
import type { GridHost, LocationParts } from '../address/grid-host.ts';
import { isSameGridState, keyText } from '../address/grid-state.ts';
import type { Row } from '../address/sources.ts';
import type { Draft } from '../values/values.ts';
import * as edits from './edits.ts';
import { useEdits } from './use-edits.ts';

/** What of the edits would be lost: all, those of the grid, or the new record of the pane. */
export type Loss = 'all' | 'grid' | 'newRecord' | null;

export function usePendingEdits(host: GridHost) {
  const { store, edits: allEdits, applyEdits, undo, redo, canUndo, canRedo, clearHistory } = useEdits();
  const dirtyEdits = useMemo(() => edits.dirtyEdits(allEdits), [allEdits]);
  const dirtyIds = useMemo(() => new Set(dirtyEdits.map(({ key }) => keyText(key))), [dirtyEdits]);
  const pendingCounts = useMemo(() => edits.countPending(allEdits), [allEdits]);
  const hasPendingEdits = () => edits.countPending(store.get()).records > 0;
  const discard = () => {
    store.set(edits.noEdits);
    clearHistory();
  };
  /** What a navigation would lose. */
  const lossBetween = (from: LocationParts, to: LocationParts): Loss => {
    const [current, next] = [host.parse(from), host.parse(to)];
    const isSameList = current !== null && next !== null && isSameGridState(current.params, next.params);
    if (hasPendingEdits() && !isSameList) return 'all';
    const leavesForm = current?.pane === 'new' && next?.pane !== 'new';
    // Closing the form of a new record leaves the other edits.
    return leavesForm && edits.isNewRecordDirty(store.get()) ? (isSameList ? 'newRecord' : 'all') : null;
  };
  return {
    store,
    applyEdits,
    clearHistory,
    hasPendingEdits,
    lossBetween,
    discardLoss: (loss: Loss) => {
      if (loss === 'all') discard();
      else if (loss === 'grid') {
        store.set(edits.discardGridEdits(store.get()));
        clearHistory();
      } else if (loss === 'newRecord') store.set({ ...store.get(), newRecord: null });
    },
    /** Whether anything is unsaved, the form of a new record included. */
    isUnsaved: pendingCounts.records > 0 || edits.isNewRecordDirty(allEdits),
    allEdits,
    dirtyEdits,
    /** How much is unsaved. */
    pendingCounts,
    newRecord: allEdits.newRecord,
    /** New rows of the grid, which the next save creates. */
    newRows: allEdits.newRows,
    editOf: (key: readonly string[]) => allEdits.recordEdits.get(keyText(key)),
    isDirty: (key: readonly string[] | null) => key !== null && dirtyIds.has(keyText(key)),
    editField: (key: readonly string[], original: Row, name: string, draft: Draft) =>
      applyEdits(edits.changeField(store.get(), key, original, name, draft), JSON.stringify([...key, name])),
    /** Changes many cells of the grid in one step. */
    changeCells: (changes: readonly edits.CellChange[]) => {
      if (changes.length > 0) applyEdits(edits.changeCells(store.get(), changes));
    },
    /** Removes new rows before they are saved. */
    removeNewRows: (ids: readonly string[]) => applyEdits(edits.removeNewRows(store.get(), ids)),
    undo,
    redo,
    canUndo,
    canRedo,
    editNewRecord: (name: string, draft: Draft) => store.set(edits.changeNewRecord(store.get(), name, draft)),
  };
}
