// Saving and deleting what an editor holds, on top of exactly the version it has read, so that nobody's change is overwritten unseen.
// use-version.ts knows that version, use-conflicts.ts what to do when it is no longer the last one, use-save.ts and delete-action.ts write.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../api/index.ts';
import { type Row, resourceKey } from '../../list/index.ts';
import type { FormValues } from '../source.ts';
import { deleteAction } from './delete-action.ts';
import { useConflicts } from './use-conflicts.ts';
import { useSave } from './use-save.ts';
import { useVersion } from './use-version.ts';
import { useWriteState } from './use-write-state.ts';
import type { EditedForm } from './write-context.ts';

interface EditorWritesOptions<F extends FormValues> extends EditedForm<F> {
  /** Of the record; null for one that gets its id when it is made. */
  id: string | null;
  /** As it was read last; null for a new one. */
  record: Row | null;
  /** Runs when what was typed is stored. */
  onStored: () => void;
}

/** All an editor does to its record, and what became of it. */
export function useEditorWrites<F extends FormValues>({ id, record, onStored, ...editor }: EditorWritesOptions<F>) {
  const { source, form, leave, showErrors } = editor;
  const client = useQueryClient();
  const writeState = useWriteState();
  const version = useVersion(source, form, id, record);
  const { failure, setFailure } = writeState;
  const isAboutFields = failure instanceof ApiError && Object.keys(failure.fieldMessages()).length > 0;
  const isMended = isAboutFields && Object.keys(form.errors).length === 0;
  useEffect(() => {
    // What was wrong with the fields has been edited since: the refusal above them goes with it.
    if (isMended) setFailure(null);
  }, [isMended, setFailure]);
  const conflicts = useConflicts(source, form, version, writeState, showErrors);
  /** Everything read of the resource is old now, except the record being edited. */
  const invalidateLists = () =>
    client.invalidateQueries({
      queryKey: resourceKey(source.resource),
      predicate: ({ queryKey }) => queryKey[2] !== 'one',
    });
  const markStored = () => {
    onStored();
    conflicts.dismiss();
    void invalidateLists();
  };
  const context = { ...editor, writeState, version, conflicts, markStored };
  const { conflict, resolve, dismiss } = conflicts;
  return {
    isSaving: writeState.isSaving,
    failure,
    ...useSave(context),
    remove: deleteAction(context),
    /** What someone else made of the record, until it is resolved; null otherwise. */
    conflict,
    resolve,
    deleteAnyway: () => (conflict ? writeState.run(conflict.retry) : undefined),
    /** Gives up what was typed, and leaves. */
    discard: () => {
      markStored();
      leave();
    },
    dismissConflict: dismiss,
  };
}
