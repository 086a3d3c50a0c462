import type { UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import type { Row } from '../../list/index.ts';
import type { EditorSource, FormValues } from '../source.ts';
import { compared, type Meeting, wholeOf } from '../stale/meeting.ts';
import { type Choice, mergedForm, ownerOf, withoutTheirRows } from '../stale/stale.ts';
import { isOvertaken, readNow } from './records.ts';
import { refuse } from './refuse.ts';
import type { Hold } from './use-hold.ts';
import { formOf, type Version } from './use-version.ts';

/** A write that failed. */
interface Attempt {
  act: Meeting['act'];
  /** Does it once more, on top of what is there now. */
  again: (theirs: Row) => Promise<void>;
  /** For when the record is gone; without it one is asked. */
  gone?: () => void;
}

/** What happens when someone else was first: whoever was is never overwritten unseen. */
export function useMeetings<F extends FormValues>(
  source: EditorSource<F>,
  form: UseFormReturnType<F>,
  version: Version<F>,
  hold: Hold,
) {
  const { resource, related } = source;
  const { id, current, adopt } = version;
  const [meeting, setMeeting] = useState<Meeting | null>(null);
  const onTop = useRef((body: Row) => body);

  /** Shows what differs, or goes on where nothing does. False when that is not why a write failed. */
  const meetOthers = async (error: unknown, { act, again, gone }: Attempt): Promise<boolean> => {
    const before = current();
    if (id === null || before === null || !isOvertaken(error)) return false;
    const theirs = await readNow(resource, id, related).catch(() => before);
    // Not to be read, or there: it was something else that was not found.
    if (theirs === before || (theirs !== null && error.status === 404)) return false;
    if (theirs === null) {
      if (gone) gone();
      else setMeeting({ act, theirs, found: [], again: async () => {} });
      return true;
    }
    const isSave = act === 'save';
    const was = isSave ? form.getInitialValues() : formOf(source, before);
    const mine = isSave ? form.getValues() : was;
    const found = compared(source, { form: was, record: before }, mine, {
      form: formOf(source, theirs),
      record: theirs,
    });
    if (found.some(({ by }) => by !== 'me')) setMeeting({ act, theirs, found, again: () => again(theirs) });
    else {
      if (isSave) adopt(theirs, mine);
      await again(theirs);
    }
    return true;
  };

  /** Saves what was chosen, on top of theirs. */
  const settle = async (choices: Record<string, Choice>): Promise<void> => {
    const [before, theirs] = [current(), meeting?.theirs];
    if (!meeting || !theirs || !before) return;
    const { found, again } = meeting;
    const merged = mergedForm(wholeOf(source, formOf(source, theirs), theirs), found, choices);
    const kept = found.filter(({ by, field }) => ownerOf(field) && by === 'both' && choices[field] === 'mine');
    const lists = kept.map(({ field }) => field);
    const earlier = onTop.current;
    onTop.current = (body) => withoutTheirRows(earlier(body), before, theirs, lists);
    adopt(theirs, source.fromWhole?.(merged, theirs) ?? (merged as F));
    const { hasErrors, errors } = await form.validate();
    if (!hasErrors) return hold.during(again);
    setMeeting(null);
    refuse(form, errors);
  };

  return {
    meeting,
    meetOthers,
    settle,
    dismiss: () => setMeeting(null),
    /** What is sent of a form, as it was chosen against theirs. */
    withChoices: (body: Row): Row => onTop.current(body),
    forgetChoices: () => {
      onTop.current = (body) => body;
    },
  };
}

export type Meetings = ReturnType<typeof useMeetings>;
