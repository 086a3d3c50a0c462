import { type UseFormReturnType, useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { etagOf } from '../api/index.ts';
import type { Row } from '../list/index.ts';
import { type EditorArea, text } from '../text/index.ts';
import { useDraft, useUnsavedGuard } from '../unsaved/index.ts';
import { useFieldErrors } from './errors/use-field-errors.ts';
import { newRecord } from './record-id.ts';
import type { EditorSource, FormValues } from './source.ts';
import { useEditorWrites } from './writing/use-editor-writes.ts';
import { formOf } from './writing/use-version.ts';

/** The behaviour of an editor, without its looks. `record` is null for a new one. */
export function useEditorController<F extends FormValues>(
  source: EditorSource<F> & { id: string | null },
  area: EditorArea,
  record: Row | null,
) {
  const { resource, base } = source;
  const isNew = record === null;
  const id = source.isNamed ? source.id : isNew ? null : String(record.id);
  const navigate = useNavigate();
  const location = useLocation();
  const address = `${base}/${id ?? newRecord}`;

  const form = useForm<F>({
    mode: 'controlled',
    initialValues: record === null ? source.emptyForm : formOf(source, record),
    validate: (values) => source.validate?.(values) ?? {},
  });
  const canSave = source.canSave?.(form.values) ?? true;
  const isDirty = canSave && form.isDirty();
  const name = source.nameOf?.(form.values) ?? String(form.values.name ?? '');
  const draft = useDraft<FormValues>({
    form: `${resource}.${id ?? newRecord}`,
    title: isNew ? { key: 'editor:create', area } : { key: 'editor:draftTitle', values: { name }, area },
    address,
    version: etagOf(record),
    isDirty,
    typed: form.values,
    toDraft: () => source.toDraft?.(form.getValues()) ?? null,
  });

  const [inputProblems] = useState(() => new Map<string, string>());
  const isLeaving = useRef(false);
  const listAddress = (location.state as { from?: string } | null)?.from;
  const closeTo = listAddress ?? source.closeTo ?? base;
  const close = () => navigate(closeTo);
  /** From here on, nothing is asked: what was to be kept is kept. */
  const letGo = () => {
    draft.forget();
    isLeaving.current = true;
  };
  /** Goes back to the list without asking. */
  const leave = (to = closeTo) => {
    letGo();
    navigate(to);
  };
  const { shown: errorsShown, show: showErrors } = useFieldErrors(form);
  const writes = useEditorWrites({
    source,
    form,
    inputProblems,
    id,
    record,
    name,
    canSave,
    showErrors,
    leave,
    letGo,
    onStored: draft.forget,
  });
  useUnsavedGuard({
    isDirty,
    // Addresses below the editor's own are its tabs.
    isLostBetween: (_from, { pathname }) =>
      !isLeaving.current && canSave && form.isDirty() && pathname !== address && !pathname.startsWith(`${address}/`),
    question: () => ({ message: text('editor:leave'), impact: text('editor:leaveHint') }),
    save: writes.saveToLeave,
    discard: draft.forget,
  });

  return {
    resource,
    form: form as UseFormReturnType<F>,
    /** The record as it was loaded; null for a new one. */
    record,
    id,
    address,
    name,
    isNew,
    isDirty,
    canSave,
    ...writes,
    errorsShown,
    /** What inputs find wrong by themselves, by path. */
    inputProblems,
    /** Shows what is wrong beside the fields, and leads to the first: its tab, then its input. Keys are paths: `config.host`. */
    showErrors,
    isReadOnly: source.isReadOnly?.(form.values) ?? false,
    isDeletable: (!isNew || source.inPane === true) && (source.isDeletable?.(form.values) ?? true),
    draft: draft.found?.values ?? null,
    /** Whether the draft was made of another version than the one that is there now. */
    isDraftOld: draft.found?.version !== undefined && draft.found.version !== etagOf(record),
    restoreDraft: () => {
      if (draft.found) form.setValues(mergeDraft(form.getValues(), draft.found.values));
      draft.dismiss();
    },
    discardDraft: draft.forget,
    close,
  };
}

export type EditorController<F extends FormValues> = ReturnType<typeof useEditorController<F>>;

/** A form with a draft laid over it: what the draft left out, its secrets, stays as it is. */
const mergeDraft = <F extends FormValues>(values: F, draft: FormValues): F => {
  const isPlain = (value: unknown): value is FormValues =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(draft).map(([name, value]) => {
    const present = values[name];
    return [name, isPlain(value) && isPlain(present) ? { ...present, ...value } : value];
  });
  return { ...values, ...Object.fromEntries(entries) };
};
