import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ApiError, api } from '../api/index.ts';
import { type Row, resourceKey } from '../list/index.ts';
import { text } from '../text/index.ts';
import { confirm, notify } from '../ui/index.ts';
import { dropDraft, findDraft, keepDraft } from './drafts.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

export type FormValues = Record<string, unknown>;

/** The texts an editor's documents fix; the generic ones otherwise. */
export interface EditorTexts {
  /** 'Service', as in "Create Service". */
  thing: string;
  saved?: string;
  updated?: string;
  deleted?: string;
  deleteImpact?: string;
}

/** What an editor edits and how it is sent, told by its screen. */
export interface EditorSource<F extends FormValues> {
  /** Records are at `system/{resource}`. */
  resource: string;
  related?: string;
  /** Address of the section's list; the editor is at `{base}/{id}` or `{base}/create`. */
  base: string;
  texts: EditorTexts;
  /** The form of a new record. */
  empty: F;
  /** A loaded record as the form holds it; itself when absent. */
  toForm?: (record: Row) => F;
  /** The body of a save; the form itself when absent. */
  toRecord?: (form: F) => Row;
  /** What is wrong, by field name; asked before anything is sent. */
  validate?: (form: F) => Record<string, string>;
  /** The form's name of a field the server complains about; the same when absent. */
  fieldOf?: (serverField: string, form: F) => string;
  /** What the record is called; its `name` when absent. */
  nameOf?: (form: F) => string;
  /** The form without its secrets, to be kept as a draft. Without it no draft is kept. */
  toDraft?: (form: F) => Partial<F>;
  isDeletable?: (form: F) => boolean;
  /** Whether there is anything to save; without it nothing is asked on leaving either. Always when absent. */
  canSave?: (form: F) => boolean;
  isReadOnly?: (form: F) => boolean;
}

/** Where a record that is being edited is kept. */
export const recordKey = (resource: string, id: string | null, related: string | undefined): readonly unknown[] => [
  ...resourceKey(resource),
  'one',
  id,
  related,
];

/** Where the draft of a new record is kept. */
const newId = 'create';
/** How long typing rests before a draft is kept, in milliseconds. */
const draftPause = 400;

/** The behaviour of an editor, without its looks. `record` is null for a new one. */
export function useEditorController<F extends FormValues>(source: EditorSource<F>, record: Row | null) {
  const { resource, related, base, texts } = source;
  const toForm = source.toForm ?? ((row: Row) => row as F);
  const id = record === null ? null : String(record.id);
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const home = `${base}/${id ?? newId}`;

  const form = useForm<F>({
    mode: 'controlled',
    initialValues: record === null ? source.empty : toForm(record),
    validate: (values) => source.validate?.(values) ?? {},
  });
  const canSave = source.canSave?.(form.values) ?? true;
  const isDirty = canSave && form.isDirty();
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [draft, setDraft] = useState(() => (source.toDraft ? findDraft(resource, id ?? newId) : null));
  const forget = () => dropDraft(resource, id ?? newId);

  /** Everything read of the resource is old now, except the record being edited. */
  const staleLists = () =>
    client.invalidateQueries({ queryKey: resourceKey(resource), predicate: ({ queryKey }) => queryKey[2] !== 'one' });

  const isLeaving = useRef(false);
  useLeaveGuard(isDirty, () => !isLeaving.current && canSave && form.isDirty(), home, forget);

  const toDraft = useRef(source.toDraft);
  toDraft.current = source.toDraft;
  const { values } = form;
  useEffect(() => {
    if (!isDirty || !toDraft.current) return;
    const timer = setTimeout(() => keepDraft(resource, id ?? newId, toDraft.current?.(values) ?? {}), draftPause);
    return () => clearTimeout(timer);
  }, [isDirty, values, resource, id]);

  const name = source.nameOf?.(form.values) ?? String(form.values.name ?? '');
  const from = (location.state as { from?: string } | null)?.from;
  const close = () => navigate(from ?? base);
  /** Goes back to the list without asking: what was to be kept is kept. */
  const leave = () => {
    forget();
    isLeaving.current = true;
    navigate(from ?? base);
  };

  const refuse = (errors: FormErrors) => {
    form.setErrors(errors);
    requestAnimationFrame(focusFirstError);
  };

  const save = async (thenClose: boolean): Promise<void> => {
    if (isSaving || !canSave) return;
    const { hasErrors, errors } = await form.validate();
    if (hasErrors) return refuse(errors);
    setSaving(true);
    setFailure(null);
    const sent = form.getValues();
    try {
      const saved = await write(resource, related, id, source.toRecord?.(sent) ?? sent);
      forget();
      setDraft(null);
      void staleLists();
      notify.success(savedText(texts, id === null));
      if (id === null || thenClose) return leave();
      client.setQueryData(recordKey(resource, id, related), saved);
      const stored = toForm(saved);
      form.resetDirty(stored);
      form.setInitialValues(stored);
      // What was typed while the answer was on its way stays, as a new change.
      if (form.getValues() === sent) form.setValues(stored);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fieldMessages() : {};
      const known = Object.entries(fields).map(([field, messages]) => [
        source.fieldOf?.(field, sent) ?? field,
        messages.join(' '),
      ]);
      refuse(Object.fromEntries(known));
      setFailure(error);
      notify.error('', error);
    } finally {
      setSaving(false);
    }
  };

  const remove = async (): Promise<void> => {
    if (id === null) return;
    const message = text('editor:deleteOne', { name });
    if (!(await confirm({ message, impact: texts.deleteImpact ?? text('editor:deleteImpact'), danger: true }))) return;
    setSaving(true);
    try {
      await api.delete(`system/${resource}/${encodeURIComponent(id)}`);
      notify.success(texts.deleted ?? text('editor:deleted', { name: texts.thing }));
      void staleLists();
      leave();
    } catch (error) {
      setFailure(error);
      notify.error('', error);
    } finally {
      setSaving(false);
    }
  };

  return {
    form: form as UseFormReturnType<F>,
    /** The record as it was loaded; null for a new one. */
    record,
    id,
    home,
    name,
    isNew: id === null,
    isDirty,
    canSave,
    isSaving,
    isReadOnly: source.isReadOnly?.(form.values) ?? false,
    isDeletable: id !== null && (source.isDeletable?.(form.values) ?? true),
    failure,
    draft,
    restoreDraft: () => {
      if (draft) form.setValues(merged(form.getValues(), draft));
      setDraft(null);
    },
    discardDraft: () => {
      forget();
      setDraft(null);
    },
    save,
    remove,
    close,
  };
}

export type EditorController<F extends FormValues> = ReturnType<typeof useEditorController<F>>;

/** A form with a draft laid over it: what the draft left out, its secrets, stays as it is. */
const merged = <F extends FormValues>(values: F, draft: FormValues): F => {
  const isPlain = (value: unknown): value is FormValues =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(draft).map(([name, value]) => {
    const present = values[name];
    return [name, isPlain(value) && isPlain(present) ? { ...present, ...value } : value];
  });
  return { ...values, ...Object.fromEntries(entries) };
};

/** POST wraps the record, PUT sends it bare (OPEN-061); both answer the whole record. */
async function write(resource: string, related: string | undefined, id: string | null, record: Row): Promise<Row> {
  const query = { fields: '*', related };
  if (id !== null) return api.put<Row>(`system/${resource}/${encodeURIComponent(id)}`, { query, body: record });
  const { resource: made } = await api.post<{ resource: Row[] }>(`system/${resource}`, {
    query,
    body: { resource: [record] },
  });
  return made[0] ?? record;
}

const savedText = (texts: EditorTexts, isNew: boolean): string =>
  isNew
    ? (texts.saved ?? text('editor:saved', { name: texts.thing }))
    : (texts.updated ?? text('editor:updated', { name: texts.thing }));

const focusFirstError = () =>
  document.querySelector<HTMLElement>('main [aria-invalid="true"], form [aria-invalid="true"]')?.focus();
