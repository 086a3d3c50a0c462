// What of a table is changed and not saved, and how it is kept from being lost.
import { useMemo } from 'react';
import { isSamePlace, keyText } from '../place/place.ts';
import type { Site } from '../place/site.ts';
import type { Row } from '../place/sources.ts';
import type { Draft } from '../values/values.ts';
import * as edits from './edits.ts';
import { useKeeper } from './unsaved-guard.tsx';
import { useEdits } from './use-edits.ts';

export function useUnsaved(site: Site) {
  const { store, edits: state, act, undo, redo, canUndo, canRedo, forgetSteps } = useEdits();
  const unsaved = useMemo(() => edits.unsaved(state), [state]);
  const unsavedIds = useMemo(() => new Set(unsaved.map(({ key }) => keyText(key))), [unsaved]);
  const pending = useMemo(() => edits.pending(state), [state]);
  const hasUnsaved = () => edits.pending(store.get()).records > 0;
  const discard = () => {
    store.set(edits.noEdits);
    forgetSteps();
  };
  useKeeper(
    {
      loses: (from, to) => {
        const [here, there] = [site.read(from), site.read(to)];
        const isSameList = here !== null && there !== null && isSamePlace(here.params, there.params);
        if (hasUnsaved() && !isSameList) return 'all';
        const leavesForm = here?.pane === 'new' && there?.pane !== 'new';
        // The new record's form may close without touching the others.
        return leavesForm && edits.isFreshFilled(store.get()) ? (isSameList ? 'fresh' : 'all') : null;
      },
      giveUp: (loss) => {
        if (loss === 'all') discard();
        else if (loss === 'fresh') store.set({ ...store.get(), fresh: null });
      },
    },
    pending.records > 0 || edits.isFreshFilled(state),
  );
  return {
    store,
    act,
    forgetSteps,
    hasUnsaved,
    discard,
    unsaved,
    /** How much waits to be saved. */
    pending,
    fresh: state.fresh,
    /** Records that come with the next save. */
    added: state.added,
    editOf: (key: readonly string[]) => state.records.get(keyText(key)),
    isUnsaved: (key: readonly string[] | null) => key !== null && unsavedIds.has(keyText(key)),
    edit: (key: readonly string[], stored: Row, name: string, draft: Draft) =>
      act(edits.change(store.get(), key, stored, name, draft), JSON.stringify([...key, name])),
    /** Cells of the grid, many at once: one step. */
    changeCells: (changes: readonly edits.CellChange[]) => {
      if (changes.length > 0) act(edits.changeCells(store.get(), changes));
    },
    /** Takes new records back before they are saved. */
    dropAdded: (ids: readonly string[]) => act(edits.dropAdded(store.get(), ids)),
    undo,
    redo,
    canUndo,
    canRedo,
    editFresh: (name: string, draft: Draft) => store.set(edits.changeFresh(store.get(), name, draft)),
  };
}
