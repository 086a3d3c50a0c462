// Everything that writes to a table, from its toolbar or the record's pane: saving, reverting, creating, deleting. payload.ts checks
// what is to be sent, save.ts and delete.ts talk to the server, field-errors.ts puts its errors in words. Pending edits are in
// edits.ts, their steps in history.ts; use-unsaved-edits.ts asks before they are lost, and keeps them as a draft.
import { useRef, useState } from 'react';
import { text } from '../../../text/index.ts';
import { confirm, notify } from '../../../ui/index.ts';
import { keyOf, keyText } from '../address/grid-state.ts';
import type { Row } from '../address/sources.ts';
import { deleteRecord, deleteRows } from './delete.ts';
import * as edits from './edits.ts';
import { flagWrongFields, type NewRow, patchRecords, postNewRecord, postRecords, type Sending } from './save.ts';
import type { Loss } from './use-pending-edits.ts';
import { useWrongLeads } from './use-wrong-lead.ts';
import { notifyError, type WritableTable } from './writable-table.ts';

export function useWrites(table: WritableTable) {
  const { schema, store, applyEdits, selectedRows, reload, closePane } = table;
  const { isBusy, runExclusive } = useExclusive();
  const { wrongLead, leadToWrong } = useWrongLeads();
  /** Whether all may be sent; else what is wrong is marked, counted and led to. */
  const mayBeSent = (sending: Sending): boolean => {
    const count = flagWrongFields(table, sending);
    if (count === 0) return true;
    notify.info(text('data:nothingSaved', { count }));
    leadToWrong('start');
    return false;
  };
  /** Sends edits that were checked. */
  const sendGrid = async (dirtyEdits: readonly edits.RecordEdit[], newRows: readonly NewRow[]): Promise<boolean> => {
    const isSaved =
      (dirtyEdits.length === 0 || (await patchRecords(table, dirtyEdits))) &&
      (newRows.length === 0 || (await postRecords(table, newRows)));
    if (!isSaved) leadToWrong('start');
    return isSaved;
  };
  return {
    isBusy,
    /** Each time it changes, the first field at fault comes into sight, or the next one. */
    wrongLead,
    leadToNextWrong: () => leadToWrong('here'),
    /** Save of the toolbar (TBL-025, TBL-031, TBL-040). */
    saveAll: () =>
      runExclusive(async () => {
        const dirtyEdits = edits.dirtyEdits(store.get());
        const newRows = [...store.get().newRows];
        if (dirtyEdits.length + newRows.length === 0) return notifyError(text('data:nothingToSave'));
        if (!mayBeSent({ dirtyEdits, newRows }) || !(await sendGrid(dirtyEdits, newRows))) return;
        notify.success(text('data:recordsSaved'));
      }),
    /** Saves before someone goes on to where they were going: the grid, and the form of a new record. False when they have to stay. */
    saveToLeave: async (loss: Loss): Promise<boolean> => {
      let isSaved = false;
      await runExclusive(async () => {
        const dirtyEdits = loss === 'newRecord' ? [] : edits.dirtyEdits(store.get());
        const newRows = loss === 'newRecord' ? [] : [...store.get().newRows];
        const hasNewRecord = loss !== 'grid' && edits.isNewRecordDirty(store.get());
        if (!mayBeSent({ dirtyEdits, newRows, hasNewRecord })) return;
        if (!(await sendGrid(dirtyEdits, newRows))) return;
        if (hasNewRecord && !(await postNewRecord(table))) return;
        notify.success(text(hasNewRecord ? 'data:recordCreated' : 'data:recordsSaved'));
        if (hasNewRecord) await reload();
        isSaved = true;
      });
      return isSaved;
    },
    /** Revert of the toolbar (TBL-032). */
    revertAll: () => {
      applyEdits(edits.discardGridEdits(store.get()));
      notify.success(text('data:recordsReverted'));
    },
    /** Save of the record's pane, which then closes (TBL-034, OPEN-125). */
    saveRecord: (key: readonly string[]) =>
      runExclusive(async () => {
        const edit = edits.dirtyEdits(store.get()).find((candidate) => keyText(candidate.key) === keyText(key));
        if (!edit) return closePane();
        if (!mayBeSent({ dirtyEdits: [edit] }) || !(await sendGrid([edit], []))) return;
        notify.success(text('data:recordSaved'));
        closePane();
      }),
    /** Revert of the record's pane (TBL-037). */
    revertRecord: (key: readonly string[]) => {
      applyEdits(edits.discardEdit(store.get(), key));
      notify.success(text('data:recordReverted'));
    },
    /** TBL-027, TBL-035. */
    createRecord: () =>
      runExclusive(async () => {
        if (!mayBeSent({ hasNewRecord: true }) || !(await postNewRecord(table))) return;
        notify.success(text('data:recordCreated'));
        await reload();
        closePane();
      }),
    /** Delete of the toolbar (TBL-026, TBL-033, TBL-039, TBL-041). */
    deleteSelected: async () => {
      if (!schema || selectedRows.length === 0) return notifyError(text('data:nothingToDelete'));
      const impact = text('data:deleteImpact', { count: selectedRows.length, table: table.table });
      if (!(await confirm({ message: text('data:confirmDelete'), impact, danger: true }))) return;
      await runExclusive(() => deleteRows(table, schema));
    },
    /** Delete of the record's pane (TBL-028, TBL-036). */
    deleteRecord: async (row: Row) => {
      const key = schema && keyOf(schema, row);
      if (!key) return;
      const message = text('data:deleteOne', { record: key.join(' / ') });
      if (!(await confirm({ message, impact: text('data:deleteOneImpact'), danger: true }))) return;
      await runExclusive(() => deleteRecord(table, schema, key, row));
    },
  };
}

/** One write at a time: a second press of the same keys does nothing. */
function useExclusive() {
  const [isBusy, setBusy] = useState(false);
  const isWriting = useRef(false);
  const runExclusive = async (work: () => Promise<void>): Promise<void> => {
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
  return { isBusy, runExclusive };
}
