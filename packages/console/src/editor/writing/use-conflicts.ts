import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useRef, useState } from 'react';
import type { Row } from '../../list/index.ts';
import { type Conflict, describeDifferences, toComparable } from '../conflict/conflict.ts';
import { type ConflictChoice, mergeForms, ownerOf, removeTheirRows } from '../conflict/differences.ts';
import type { EditorSource, FormValues } from '../source.ts';
import { isConflict, readCurrent } from './records.ts';
import { formOf, type Version } from './use-version.ts';
import type { WriteState } from './use-write-state.ts';

/** A write that failed. */
interface FailedWrite {
  action: Conflict['action'];
  /** Writes once more, on top of what is there now. */
  retry: (theirs: Row) => Promise<void>;
  /** For when the record is gone; without it the person is asked. */
  onGone?: () => void;
}

/** What happens when someone else was first: their change is never overwritten unseen. */
export function useConflicts<F extends FormValues>(
  source: EditorSource<F>,
  form: UseFormReturnType<F>,
  version: Version<F>,
  writeState: WriteState,
  showErrors: (errors: FormErrors) => void,
) {
  const { resource, related } = source;
  const { id, current, adopt } = version;
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const addChoices = useRef((body: Row) => body);

  /** Shows what differs, or goes on where nothing does. False when that is not why a write failed. */
  const handleConflict = async (error: unknown, { action, retry, onGone }: FailedWrite): Promise<boolean> => {
    const record = current();
    if (id === null || record === null || !isConflict(error)) return false;
    const theirs = await readCurrent(resource, id, related).catch(() => record);
    // Not to be read, or there: it was something else that was not found.
    if (theirs === record || (theirs !== null && error.status === 404)) return false;
    if (theirs === null) {
      if (onGone) onGone();
      else setConflict({ action, theirs, differences: [], retry: async () => {} });
      return true;
    }
    const isSave = action === 'save';
    const base = isSave ? form.getInitialValues() : formOf(source, record);
    const mine = isSave ? form.getValues() : base;
    const differences = describeDifferences(source, { form: base, record }, mine, {
      form: formOf(source, theirs),
      record: theirs,
    });
    if (differences.some(({ changedBy }) => changedBy !== 'me'))
      setConflict({ action, theirs, differences, retry: () => retry(theirs) });
    else {
      if (isSave) adopt(theirs, mine);
      await retry(theirs);
    }
    return true;
  };

  /** Saves what was chosen, on top of theirs. */
  const resolve = async (choices: Record<string, ConflictChoice>): Promise<void> => {
    const [record, theirs] = [current(), conflict?.theirs];
    if (!conflict || !theirs || !record) return;
    const { differences, retry } = conflict;
    const merged = mergeForms(toComparable(source, formOf(source, theirs), theirs), differences, choices);
    const myLists = differences
      .filter(({ changedBy, field }) => ownerOf(field) && changedBy === 'both' && choices[field] === 'mine')
      .map(({ field }) => field);
    const addEarlierChoices = addChoices.current;
    addChoices.current = (body) => removeTheirRows(addEarlierChoices(body), record, theirs, myLists);
    adopt(theirs, source.fromComparable?.(merged, theirs) ?? (merged as F));
    const { hasErrors, errors } = await form.validate();
    if (!hasErrors) return writeState.run(retry);
    setConflict(null);
    showErrors(errors);
  };

  return {
    conflict,
    handleConflict,
    resolve,
    dismiss: () => setConflict(null),
    /** The body of a save, with what was chosen against theirs. */
    applyChoices: (body: Row): Row => addChoices.current(body),
    forgetChoices: () => {
      addChoices.current = (body) => body;
    },
  };
}

export type Conflicts = ReturnType<typeof useConflicts>;
