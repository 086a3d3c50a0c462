// Saving and deleting what an editor holds, on top of just the version it has read: whoever was first is never overwritten unseen.
// use-version.ts knows that version, use-meetings.ts what to do when it is no longer the last one, use-saving.ts and deletion.ts write.
import { useQueryClient } from '@tanstack/react-query';
import { type Row, resourceKey } from '../../list/index.ts';
import type { FormValues } from '../source.ts';
import { deletion } from './deletion.ts';
import { useHold } from './use-hold.ts';
import { useMeetings } from './use-meetings.ts';
import { useSaving } from './use-saving.ts';
import { useVersion } from './use-version.ts';
import type { Writable } from './writing.ts';

interface WritesOf<F extends FormValues> extends Writable<F> {
  /** As it was read last; null for a new one. */
  record: Row | null;
  /** What was typed is stored now. */
  onStored: () => void;
}

/** All an editor does to its record, and what became of it. */
export function useEditorWrites<F extends FormValues>({ record, onStored, ...editor }: WritesOf<F>) {
  const { source, form, leave } = editor;
  const client = useQueryClient();
  const hold = useHold();
  const version = useVersion(source, form, record);
  const meetings = useMeetings(source, form, version, hold);
  /** Everything read of the resource is old now, except the record being edited. */
  const staleLists = () =>
    client.invalidateQueries({
      queryKey: resourceKey(source.resource),
      predicate: ({ queryKey }) => queryKey[2] !== 'one',
    });
  const markStored = () => {
    onStored();
    meetings.dismiss();
    void staleLists();
  };
  const writing = { ...editor, hold, version, meetings, markStored };
  const { meeting, settle, dismiss } = meetings;
  return {
    isSaving: hold.isSaving,
    failure: hold.failure,
    ...useSaving(writing),
    remove: deletion(writing),
    /** What someone else made of the record, while it is to be settled; null otherwise. */
    meeting,
    settle,
    deleteAnyway: () => (meeting ? hold.during(meeting.again) : undefined),
    letGo: () => {
      markStored();
      leave();
    },
    dismissMeeting: dismiss,
  };
}
