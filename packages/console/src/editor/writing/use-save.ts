import { secretMask } from '@sluice/contract';
import { useState } from 'react';
import { ApiError, etagOf } from '../../api/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { asNewRecord } from '../conflict/differences.ts';
import type { EditorTexts, FormValues } from '../source.ts';
import { showFieldErrors } from './field-errors.ts';
import { writeRecord } from './records.ts';
import { formOf } from './use-version.ts';
import type { WriteContext } from './write-context.ts';

/** Saving what an editor holds. */
export function useSave<F extends FormValues>(context: WriteContext<F>) {
  const { source, form, name, canSave, leave, writeState, version, conflicts, markStored } = context;
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
    showFieldErrors(form, Object.fromEntries(errors));
    writeState.setFailure(error);
    notify.error('', error);
  };

  const save = async (closes: boolean): Promise<void> => {
    if (writeState.isSaving || !canSave) return;
    const { hasErrors, errors } = await form.validate();
    if (hasErrors) {
      conflicts.dismiss();
      return showFieldErrors(form, errors);
    }
    await writeState.run(() => sendForm(closes));
  };

  const sendForm = async (closes: boolean): Promise<void> => {
    const values = form.getValues();
    const body = conflicts.applyChoices(source.toRecord?.(values) ?? values);
    try {
      const saved = await writeRecord(source, id, body, etagOf(version.current()), source.createQuery?.(values));
      source.onSaved?.(saved);
      conflicts.forgetChoices();
      markStored();
      notify.success(savedText(texts, id === null, name));
      if (id === null && source.inPane) return leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      if (id === null || closes) return leave();
      // What was typed while the answer was on its way stays, as a new change.
      version.adopt(saved, form.getValues() === values ? formOf(source, saved) : form.getValues());
      setSaves((count) => count + 1);
    } catch (error) {
      if (await conflicts.handleConflict(error, { action: 'save', retry: () => sendForm(closes) })) return;
      conflicts.dismiss();
      showFailure(error, values);
    }
  };

  /** Creates the record again when someone else has deleted it. */
  const saveAsNew = () =>
    writeState.run(async () => {
      const values = form.getValues();
      try {
        const body = asNewRecord(source.toRecord?.(values) ?? values, secretMask);
        const saved = await writeRecord(source, null, body, null, source.createQuery?.(values));
        source.onSaved?.(saved);
        markStored();
        notify.success(savedText(texts, true, name));
        leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      } catch (error) {
        conflicts.dismiss();
        showFailure(error, values);
      }
    });

  return { saves, save, saveAsNew };
}

const savedText = (texts: EditorTexts, isNew: boolean, recordName: string): string => {
  const name = texts.usesName ? recordName : texts.thing;
  return isNew ? (texts.saved ?? text('editor:saved', { name })) : (texts.updated ?? text('editor:updated', { name }));
};
