// Pending edits are not lost: whoever would lose them is asked (TBL-014…016, TBL-038), and they outlive a session as a draft.
import { useLocation, useNavigate } from 'react-router';
import { text } from '../../../text/index.ts';
import { confirmLoss, useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import type { GridHost } from '../address/grid-host.ts';
import type { Schema } from '../address/sources.ts';
import { draftOfEdits, type EditsDraft, editsOfDraft } from './draft.ts';
import { checkTyped } from './payload.ts';
import type { Loss, usePendingEdits } from './use-pending-edits.ts';

interface UnsavedEditsOptions {
  service: string;
  table: string;
  schema: Schema | undefined;
  host: GridHost;
  pendingEdits: Pick<
    ReturnType<typeof usePendingEdits>,
    'store' | 'allEdits' | 'isUnsaved' | 'hasPendingEdits' | 'lossBetween' | 'discardLoss'
  >;
  saveToLeave: (loss: Loss) => Promise<boolean>;
}

const question = () => ({ message: text('data:confirmUnsaved') });

export function useUnsavedEdits({ service, table, schema, host, pendingEdits, saveToLeave }: UnsavedEditsOptions) {
  const { store, allEdits, isUnsaved, hasPendingEdits, lossBetween, discardLoss } = pendingEdits;
  const navigate = useNavigate();
  const location = useLocation();
  const here = location.pathname + location.search;
  const draft = useDraft<EditsDraft>({
    // A table inside a record has drafts of its own.
    form: `data.${service}/${table}${host.fixedFilter ? `?${host.fixedFilter}` : ''}`,
    title: { key: 'data:draftTitle', values: { table } },
    address: here,
    isDirty: isUnsaved,
    typed: allEdits,
    toDraft: () => draftOfEdits(store.get()),
  });
  useUnsavedGuard({
    isDirty: isUnsaved,
    isLostBetween: (from, to) => lossBetween(from, to) !== null,
    question,
    save: (from, to) => saveToLeave(lossBetween(from, to)),
    discard: (from, to) => discardLoss(lossBetween(from, to)),
  });
  const { found } = draft;
  return {
    /** Before edits are lost otherwise than by going elsewhere: whether one may go on, with none pending. */
    settleEdits: async (loss: 'all' | 'grid'): Promise<boolean> => {
      const discard = () => discardLoss(loss);
      const isLoss = hasPendingEdits() || (loss === 'all' && isUnsaved);
      if (isLoss && !(await confirmLoss(question(), () => saveToLeave(loss), discard))) return false;
      discard();
      return true;
    },
    /** What was typed in an earlier session; null where there is nothing. */
    draft: found && {
      restore: () => {
        // The page it was typed on: its records stand there.
        if (found.address !== here) navigate(found.address);
        store.set(checkTyped(schema, editsOfDraft(found.values)));
        draft.dismiss();
      },
      discard: draft.forget,
    },
  };
}
