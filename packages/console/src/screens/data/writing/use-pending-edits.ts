// What of a table is changed and not saved, and how it is kept from being lost.
import { useMemo } from 'react';
import type { GridHost } from '../address/grid-host.ts';
import { isSameGridState, keyText } from '../address/grid-state.ts';
import type { Row } from '../address/sources.ts';
import type { Draft } from '../values/values.ts';
import * as edits from './edits.ts';
import { useUnsavedGuard } from './unsaved-guard.tsx';
import { useEdits } from './use-edits.ts';

export function usePendingEdits(host: GridHost) {
  const { store, edits: state, applyEdits, undo, redo, canUndo, canRedo, clearHistory } = useEdits();
  const dirtyEdits = useMemo(() => edits.dirtyEdits(state), [state]);
  const dirtyIds = useMemo(() => new Set(dirtyEdits.map(({ key }) => keyText(key))), [dirtyEdits]);
  const pendingCounts = useMemo(() => edits.countPending(state), [state]);
  const hasPendingEdits = () => edits.countPending(store.get()).records > 0;
  const discard = () => {
    store.set(edits.noEdits);
    clearHistory();
  };
  useUnsavedGuard(
    {
      lossBetween: (from, to) => {
        const [current, next] = [host.parse(from), host.parse(to)];
        const isSameList = current !== null && next !== null && isSameGridState(current.params, next.params);
        if (hasPendingEdits() && !isSameList) return 'all';
        const leavesForm = current?.pane === 'new' && next?.pane !== 'new';
        // The new record's form may close without touching the others.
        return leavesForm && edits.isNewRecordDirty(store.get()) ? (isSameList ? 'newRecord' : 'all') : null;
      },
      discard: (loss) => {
        if (loss === 'all') discard();
        else if (loss === 'newRecord') store.set({ ...store.get(), newRecord: null });
      },
    },
    pendingCounts.records > 0 || edits.isNewRecordDirty(state),
  );
  return {
    store,
    act: applyEdits,
    forgetSteps: clearHistory,
    hasPendingEdits,
    discard,
    dirtyEdits,
    pendingCounts,
    newRecord: state.newRecord,
    /** Records that come with the next save. */
    newRows: state.newRows,
    editOf: (key: readonly string[]) => state.recordEdits.get(keyText(key)),
    isDirty: (key: readonly string[] | null) => key !== null && dirtyIds.has(keyText(key)),
    editField: (key: readonly string[], original: Row, name: string, draft: Draft) =>
      applyEdits(edits.changeField(store.get(), key, original, name, draft), JSON.stringify([...key, name])),
    /** Cells of the grid, many at once: one step. */
    changeCells: (changes: readonly edits.CellChange[]) => {
      if (changes.length > 0) applyEdits(edits.changeCells(store.get(), changes));
    },
    /** Takes new records back before they are saved. */
    removeNewRows: (ids: readonly string[]) => applyEdits(edits.removeNewRows(store.get(), ids)),
    undo,
    redo,
    canUndo,
    canRedo,
    editNewRecord: (name: string, draft: Draft) => store.set(edits.changeNewRecord(store.get(), name, draft)),
  };
}
