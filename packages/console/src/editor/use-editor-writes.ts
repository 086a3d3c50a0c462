import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { secretMask } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, versionOf } from '../api/index.ts';
import { type DeleteQuery, type Row, resourceKey } from '../list/index.ts';
import { text } from '../text/index.ts';
import { confirm, notify } from '../ui/index.ts';
import { compared, type Meeting, wholeOf } from './meeting.ts';
import { deleteRecord, isOvertaken, readNow, writeRecord } from './records.ts';
import { type EditorSource, type EditorTexts, type FormValues, recordKey } from './source.ts';
import { anew, type Choice, mergedForm, ownerOf, withoutTheirRows } from './stale.ts';

interface WritesOf<F extends FormValues> {
  source: EditorSource<F>;
  form: UseFormReturnType<F>;
  /** As it was read last; null for a new one. */
  record: Row | null;
  name: string;
  canSave: boolean;
  /** Goes away without asking, back to the list or to an address. */
  leave: (to?: string) => void;
  /** What was typed is stored now. */
  onStored: () => void;
}

/** A write once more, on top of what is there now. */
type Again = (theirs: Row) => Promise<void>;

/** Saving and deleting what an editor holds, on top of just the version it has read: whoever was first is never overwritten unseen. */
export function useEditorWrites<F extends FormValues>(editor: WritesOf<F>) {
  const { source, form, record, name, canSave, leave, onStored } = editor;
  const { resource, related, base, texts } = source;
  const toForm = source.toForm ?? ((row: Row) => row as F);
  const id = record === null ? null : String(record.id);
  const client = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [meeting, setMeeting] = useState<Meeting | null>(null);
  const [saves, setSaves] = useState(0);
  // The version a write goes on top of: ahead of what is drawn from the moment another one was adopted.
  const seen = useRef(record);
  const drawn = useRef(record);
  if (drawn.current !== record) {
    drawn.current = record;
    seen.current = record;
  }
  const onTop = useRef((body: Row) => body);

  /** Everything read of the resource is old now, except the record being edited. */
  const staleLists = () =>
    client.invalidateQueries({ queryKey: resourceKey(resource), predicate: ({ queryKey }) => queryKey[2] !== 'one' });

  const refuse = (errors: FormErrors) => {
    form.setErrors(errors);
    requestAnimationFrame(focusFirstError);
  };

  /** Says why a write failed, beside the fields and above them. */
  const fail = (error: unknown, sent: F) => {
    const fields = error instanceof ApiError ? error.fieldMessages() : {};
    const known = Object.entries(fields).map(([field, messages]) => [
      source.fieldOf?.(field, sent) ?? field,
      messages.join(' '),
    ]);
    refuse(Object.fromEntries(known));
    setFailure(error);
    notify.error('', error);
  };

  /** Runs a write, with the editor held still until it is through. */
  const holding = async (write: () => Promise<void>) => {
    setSaving(true);
    setFailure(null);
    try {
      await write();
    } finally {
      setSaving(false);
    }
  };

  const stored = () => {
    onStored();
    setMeeting(null);
    void staleLists();
  };

  const save = async (thenClose: boolean): Promise<void> => {
    if (isSaving || !canSave) return;
    const { hasErrors, errors } = await form.validate();
    if (hasErrors) {
      setMeeting(null);
      return refuse(errors);
    }
    await holding(() => put(thenClose));
  };

  const put = async (thenClose: boolean): Promise<void> => {
    const sent = form.getValues();
    const body = onTop.current(source.toRecord?.(sent) ?? sent);
    try {
      const saved = await writeRecord(source, id, body, versionOf(seen.current), source.createQuery?.(sent));
      source.onSaved?.(saved);
      onTop.current = (each) => each;
      stored();
      notify.success(savedText(texts, id === null, name));
      if (id === null && source.inPane) return leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      if (id === null || thenClose) return leave();
      // What was typed while the answer was on its way stays, as a new change.
      adopt(saved, form.getValues() === sent ? toForm(saved) : form.getValues());
      setSaves((times) => times + 1);
    } catch (error) {
      if (await meetOthers(error, 'save', () => put(thenClose))) return;
      setMeeting(null);
      fail(error, sent);
    }
  };

  /** From here on the editor is about this version, with these values on top of it. */
  const adopt = (version: Row, values: F) => {
    client.setQueryData(recordKey(resource, id, related), version);
    seen.current = version;
    const begin = toForm(version);
    form.resetDirty(begin);
    form.setInitialValues(begin);
    form.setValues(values);
  };

  /** Someone else was first: shows what differs, or goes on where nothing does. False when that is not why a write failed. */
  const meetOthers = async (error: unknown, act: Meeting['act'], onTopOf: Again): Promise<boolean> => {
    const before = seen.current;
    if (id === null || before === null || !isOvertaken(error)) return false;
    const theirs = await readNow(resource, id, related).catch(() => before);
    // Not to be read, or there: it was something else that was not found.
    if (theirs === before || (theirs !== null && error.status === 404)) return false;
    if (theirs === null) {
      if (act === 'save') setMeeting({ act, theirs, found: [], again: async () => {} });
      else letGo();
      return true;
    }
    const isSave = act === 'save';
    const was = isSave ? form.getInitialValues() : toForm(before);
    const mine = isSave ? form.getValues() : was;
    const found = compared(source, { form: was, record: before }, mine, { form: toForm(theirs), record: theirs });
    if (found.some(({ by }) => by !== 'me')) setMeeting({ act, theirs, found, again: () => onTopOf(theirs) });
    else {
      if (isSave) adopt(theirs, mine);
      await onTopOf(theirs);
    }
    return true;
  };

  /** It is gone already, which is what was wanted. */
  const letGo = () => {
    notify.success(text('editor:stale.goneDelete', { name }));
    stored();
    leave();
  };

  /** Saves what was chosen, on top of theirs. */
  const settle = async (choices: Record<string, Choice>): Promise<void> => {
    const [before, theirs] = [seen.current, meeting?.theirs];
    if (!meeting || !theirs || !before) return;
    const { found, again } = meeting;
    const merged = mergedForm(wholeOf(source, toForm(theirs), theirs), found, choices);
    const kept = found.filter(({ by, field }) => ownerOf(field) && by === 'both' && choices[field] === 'mine');
    const lists = kept.map(({ field }) => field);
    const earlier = onTop.current;
    onTop.current = (body) => withoutTheirRows(earlier(body), before, theirs, lists);
    adopt(theirs, source.fromWhole?.(merged, theirs) ?? (merged as F));
    const { hasErrors, errors } = await form.validate();
    if (!hasErrors) return holding(again);
    setMeeting(null);
    refuse(errors);
  };

  const createAnew = () =>
    holding(async () => {
      const sent = form.getValues();
      try {
        const body = anew(source.toRecord?.(sent) ?? sent, secretMask);
        const saved = await writeRecord(source, null, body, null, source.createQuery?.(sent));
        source.onSaved?.(saved);
        stored();
        notify.success(savedText(texts, true, name));
        leave(`${base}/${encodeURIComponent(String(saved.id))}`);
      } catch (error) {
        setMeeting(null);
        fail(error, sent);
      }
    });

  const remove = async (): Promise<void> => {
    if (id === null && !source.inPane) return;
    const message = text('editor:deleteOne', { name });
    const words = [texts.deleteImpact ?? text('editor:deleteImpact'), await source.warning?.(form.getValues())];
    if (!(await confirm({ message, impact: words.filter(Boolean).join('\n'), danger: true }))) return;
    const more = await source.deleteQuery?.(form.getValues());
    await holding(() => destroy(more));
  };

  const destroy = async (more: DeleteQuery | undefined, version = seen.current): Promise<void> => {
    try {
      if (id !== null) await deleteRecord(resource, id, versionOf(version), more ?? {});
      notify.success(texts.deleted ?? text('editor:deleted', { name: texts.thing }));
      stored();
      leave();
    } catch (error) {
      if (await meetOthers(error, 'delete', (theirs) => destroy(more, theirs))) return;
      setMeeting(null);
      setFailure(error);
      notify.error('', error);
    }
  };

  return {
    isSaving,
    failure,
    saves,
    save,
    remove,
    /** What someone else made of the record, while it is to be settled; null otherwise. */
    meeting,
    settle,
    deleteAnyway: () => (meeting ? holding(meeting.again) : undefined),
    createAnew,
    letGo: () => {
      stored();
      leave();
    },
    dismissMeeting: () => setMeeting(null),
  };
}

const savedText = (texts: EditorTexts, isNew: boolean, ownName: string): string => {
  const name = texts.byName ? ownName : texts.thing;
  return isNew ? (texts.saved ?? text('editor:saved', { name })) : (texts.updated ?? text('editor:updated', { name }));
};

const focusFirstError = () =>
  document.querySelector<HTMLElement>('main [aria-invalid="true"], form [aria-invalid="true"]')?.focus();
