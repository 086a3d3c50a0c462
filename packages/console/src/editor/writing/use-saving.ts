import { secretMask } from '@sluice/contract';
import { useState } from 'react';
import { ApiError, etagOf } from '../../api/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import type { EditorTexts, FormValues } from '../source.ts';
import { anew } from '../stale/stale.ts';
import { writeRecord } from './records.ts';
import { refuse } from './refuse.ts';
import { formOf } from './use-version.ts';
import type { Writing } from './writing.ts';

/** Saving what an editor holds. */
export function useSaving<F extends FormValues>(writing: Writing<F>) {
  const { source, form, name, canSave, leave, hold, version, meetings, markStored } = writing;
  const { base, texts } = source;
  const { id } = version;
  const [saves, setSaves] = useState(0);

  /** Says why a write failed, beside the fields and above them. */
  const fail = (error: unknown, sent: F) => {
    const fields = error instanceof ApiError ? error.fieldMessages() : {};
    const known = Object.entries(fields).map(([field, messages]) => [
      source.fieldOf?.(field, sent) ?? field,
      messages.join(' '),
    ]);
    refuse(form, Object.fromEntries(known));
    hold.setFailure(error);
    notify.error('', error);
  };

  const save = async (thenClose: boolean): Promise<void> => {
    if (hold.isSaving || !canSave) return;
    const { hasErrors, errors } = await form.validate();
    if (hasErrors) {
      meetings.dismiss();
      return refuse(form, errors);
    }
    await hold.during(() => put(thenClose));
  };

  const put = async (thenClose: boolean): Promise<void> => {
    const sent = form.getValues();
    const body = meetings.withChoices(source.toRecord?.(sent) ?? sent);
    try {
      const saved = await writeRecord(source, id, body, etagOf(version.current()), source.createQuery?.(sent));
      source.onSaved?.(saved);
      meetings.forgetChoices();
      markStored();
      notify.success(savedText(texts, id === null, name));
      if (id === null && source.inPane) return leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      if (id === null || thenClose) return leave();
      // What was typed while the answer was on its way stays, as a new change.
      version.adopt(saved, form.getValues() === sent ? formOf(source, saved) : form.getValues());
      setSaves((times) => times + 1);
    } catch (error) {
      if (await meetings.meetOthers(error, { act: 'save', again: () => put(thenClose) })) return;
      meetings.dismiss();
      fail(error, sent);
    }
  };

  /** Makes the record once more when someone else has deleted it. */
  const createAnew = () =>
    hold.during(async () => {
      const sent = form.getValues();
      try {
        const body = anew(source.toRecord?.(sent) ?? sent, secretMask);
        const saved = await writeRecord(source, null, body, null, source.createQuery?.(sent));
        source.onSaved?.(saved);
        markStored();
        notify.success(savedText(texts, true, name));
        leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      } catch (error) {
        meetings.dismiss();
        fail(error, sent);
      }
    });

  return { saves, save, createAnew };
}

const savedText = (texts: EditorTexts, isNew: boolean, ownName: string): string => {
  const name = texts.byName ? ownName : texts.thing;
  return isNew ? (texts.saved ?? text('editor:saved', { name })) : (texts.updated ?? text('editor:updated', { name }));
};
