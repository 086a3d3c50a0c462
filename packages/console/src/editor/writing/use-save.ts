import { secretMask } from '@sluice/contract';
import { useState } from 'react';
import { ApiError } from '../../api/index.ts';
import { type EditorTexts, text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { asNewRecord } from '../conflict/differences.ts';
import type { FormValues } from '../source.ts';
import { writeRecord } from './records.ts';
import { formOf } from './use-version.ts';
import type { WriteContext } from './write-context.ts';

/** Where one is after a save: where one was, at the list, or on the way to where one was going. */
type AfterSave = 'stay' | 'close' | 'goOn';

/** Saving what an editor holds. */
export function useSave<F extends FormValues>(context: WriteContext<F>) {
  const {
    source,
    form,
    inputProblems,
    name,
    canSave,
    showErrors,
    leave,
    letGo,
    writeState,
    version,
    conflicts,
    markStored,
  } = context;
  const { base, texts } = source;
  const { id } = version;
  const [saves, setSaves] = useState(0);

  /** Says why a write failed, beside the fields and above them. */
  const showFailure = (error: unknown, values: F) => {
    const fields = error instanceof ApiError ? error.fieldMessages() : {};
    const errors = Object.entries(fields).map(([field, messages]) => [
      source.fieldOf?.(field, values) ?? field,
      messages.join(' '),
    ]);
    showErrors(Object.fromEntries(errors));
    writeState.setFailure(error);
    notify.error(source.noticeTitle ?? '', error);
  };

  /** True once it is stored. */
  const saveThen = async (next: AfterSave): Promise<boolean> => {
    if (writeState.isSaving || !canSave) return false;
    const { hasErrors, errors } = await form.validate();
    if (hasErrors || inputProblems.size > 0) {
      conflicts.dismiss();
      const found = { ...Object.fromEntries(inputProblems), ...errors };
      showErrors(found);
      source.onInvalid?.(found);
      return false;
    }
    return writeState.run(() => sendForm(next));
  };

  const sendForm = async (next: AfterSave): Promise<boolean> => {
    const values = form.getValues();
    const body = conflicts.applyChoices(source.toRecord?.(values) ?? values);
    const before = version.current();
    // One that is not addressed until it is made has no editor to stay in.
    const isAdded = id === null;
    try {
      const saved = await writeRecord(source, { id, body, before, createQuery: source.createQuery?.(values) });
      source.onSaved?.(saved);
      conflicts.forgetChoices();
      markStored();
      notify.success(source.savedMessage?.(values) ?? savedText(texts, before === null, name));
      if (isAdded && next === 'goOn') letGo();
      else if (isAdded && source.inPane) leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      else if (isAdded || next === 'close' || (next === 'stay' && source.closesOnSave)) leave();
      else {
        // What was typed while the answer was on its way stays, as a new change.
        version.adopt(saved, form.getValues() === values ? formOf(source, saved) : form.getValues());
        setSaves((count) => count + 1);
      }
      return true;
    } catch (error) {
      let isStored = false;
      let retried = next;
      const retry = async () => {
        isStored = await sendForm(retried);
      };
      if (await conflicts.handleConflict(error, { action: 'save', retry })) {
        // Where both changed something, the merge has opened, and one stays.
        if (next === 'goOn') retried = 'stay';
        return isStored;
      }
      conflicts.dismiss();
      showFailure(error, values);
      return false;
    }
  };

  const save = async (closes: boolean): Promise<void> => {
    await saveThen(closes ? 'close' : 'stay');
  };
  /** Saves before someone goes on to where they were going; false when they have to stay. */
  const saveToLeave = () => saveThen('goOn');

  /** Creates the record again when someone else has deleted it. */
  const saveAsNew = () =>
    writeState.run(async () => {
      const values = form.getValues();
      try {
        const body = asNewRecord(source.toRecord?.(values) ?? values, secretMask);
        const createQuery = source.createQuery?.(values);
        const saved = await writeRecord(source, { id: source.isNamed ? id : null, body, before: null, createQuery });
        source.onSaved?.(saved);
        markStored();
        notify.success(source.savedMessage?.(values) ?? savedText(texts, true, name));
        if (source.isNamed) version.adopt(saved, formOf(source, saved));
        else leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      } catch (error) {
        conflicts.dismiss();
        showFailure(error, values);
      }
    });

  return { saves, save, saveToLeave, saveAsNew };
}

const savedText = (texts: EditorTexts, isNew: boolean, recordName: string): string => {
  const { saved = text('editor:saved', { name: recordName }), updated = text('editor:updated', { name: recordName }) } =
    texts;
  return isNew ? saved : updated;
};
