// Everything that writes to a table, as its toolbar and the record's pane have it: saving, reverting, creating, deleting. save.ts and
// delete.ts talk to the server, objections.ts says what it has against a record. What waits to be written is in edits.ts, with its steps
// in history.ts; unsaved-guard.tsx asks before it is lost.
import { useRef, useState } from 'react';
import { text } from '../../../text/index.ts';
import { confirm, notify } from '../../../ui/index.ts';
import { keyOf, keyText } from '../place/place.ts';
import type { Row } from '../place/sources.ts';
import { deleteChosen, deleteRecord } from './delete.ts';
import * as edits from './edits.ts';
import { patch, post, postFresh } from './save.ts';
import { fail, type Writable } from './writable.ts';

export function useWrites(table: Writable) {
  const { schema, store, act, chosen, reread, close } = table;
  const { isBusy, during } = useTurn();
  const [refusals, setRefusals] = useState(0);
  return {
    isBusy,
    /** How often records were not saved: each time, the grid shows why. */
    refusals,
    /** Save of the toolbar (TBL-025, TBL-031, TBL-040). */
    saveAll: () =>
      during(async () => {
        const changed = edits.unsaved(store.get());
        const added = [...store.get().added];
        if (changed.length + added.length === 0) return fail(text('data:nothingToSave'));
        const isSaved =
          (changed.length === 0 || (await patch(table, changed))) && (added.length === 0 || (await post(table, added)));
        if (!isSaved) return setRefusals((before) => before + 1);
        notify.success(text('data:recordsSaved'));
      }),
    /** Revert of the toolbar (TBL-032). */
    revertAll: () => {
      act(edits.dropAll(store.get()));
      notify.success(text('data:recordsReverted'));
    },
    /** Save of the record's pane, which then closes (TBL-034, OPEN-125). */
    saveOne: (key: readonly string[]) =>
      during(async () => {
        const edit = edits.unsaved(store.get()).find((each) => keyText(each.key) === keyText(key));
        if (!edit) return close();
        if (!(await patch(table, [edit]))) return;
        notify.success(text('data:recordSaved'));
        close();
      }),
    /** Revert of the record's pane (TBL-037). */
    revertOne: (key: readonly string[]) => {
      act(edits.drop(store.get(), key));
      notify.success(text('data:recordReverted'));
    },
    /** TBL-027, TBL-035. */
    create: () =>
      during(async () => {
        if (!(await postFresh(table))) return;
        notify.success(text('data:recordCreated'));
        await reread();
        close();
      }),
    /** Delete of the toolbar (TBL-026, TBL-033, TBL-039, TBL-041). */
    deleteSelected: async () => {
      if (!schema || chosen.length === 0) return fail(text('data:nothingToDelete'));
      const impact = text('data:deleteImpact', { count: chosen.length, table: table.table });
      if (!(await confirm({ message: text('data:confirmDelete'), impact, danger: true }))) return;
      await during(() => deleteChosen(table, schema));
    },
    /** Delete of the record's pane (TBL-028, TBL-036). */
    deleteOne: async (stored: Row) => {
      const key = schema && keyOf(schema, stored);
      if (!key) return;
      const message = text('data:deleteOne', { record: key.join(' / ') });
      if (!(await confirm({ message, impact: text('data:deleteOneImpact'), danger: true }))) return;
      await during(() => deleteRecord(table, schema, key, stored));
    },
  };
}

/** One write at a time: a second press of the same keys does nothing. */
function useTurn() {
  const [isBusy, setBusy] = useState(false);
  const isWriting = useRef(false);
  const during = async (work: () => Promise<void>): Promise<void> => {
    if (isWriting.current) return;
    isWriting.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      isWriting.current = false;
      setBusy(false);
    }
  };
  return { isBusy, during };
}
