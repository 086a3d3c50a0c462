import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { etagOf } from '../api/index.ts';
import type { Row } from '../list/index.ts';
import { deleteDraft, findDraft, storeDraft } from './drafts.ts';
import { newRecord } from './record-id.ts';
import type { EditorSource, FormValues } from './source.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import { useEditorWrites } from './writing/use-editor-writes.ts';
import { formOf } from './writing/use-version.ts';

/** How long typing rests before a draft is kept, in milliseconds. */
const draftDelay = 400;

/** The behaviour of an editor, without its looks. `record` is null for a new one. */
export function useEditorController<F extends FormValues>(source: EditorSource<F>, record: Row | null) {
  const { resource, base } = source;
  const id = record === null ? null : String(record.id);
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
  const [draft, setDraft] = useState(() => (source.toDraft ? findDraft(resource, id ?? newRecord) : null));
  const discardStoredDraft = () => deleteDraft(resource, id ?? newRecord);

  const isLeaving = useRef(false);
  useLeaveGuard(isDirty, () => !isLeaving.current && canSave && form.isDirty(), address, discardStoredDraft);

  const toDraft = useRef(source.toDraft);
  toDraft.current = source.toDraft;
  const { values } = form;
  const version = etagOf(record);
  useEffect(() => {
    if (!isDirty || !toDraft.current) return;
    const timer = setTimeout(
      () => storeDraft(resource, id ?? newRecord, toDraft.current?.(values) ?? {}, version),
      draftDelay,
    );
    return () => clearTimeout(timer);
  }, [isDirty, values, resource, id, version]);

  const name = source.nameOf?.(form.values) ?? String(form.values.name ?? '');
  const listAddress = (location.state as { from?: string } | null)?.from;
  const close = () => navigate(listAddress ?? base);
  /** Goes back to the list without asking: what was to be kept is kept. */
  const leave = (to = listAddress ?? base) => {
    discardStoredDraft();
    isLeaving.current = true;
    navigate(to);
  };

  const onStored = () => {
    discardStoredDraft();
    setDraft(null);
  };
  const writes = useEditorWrites({ source, form, record, name, canSave, leave, onStored });

  return {
    resource,
    form: form as UseFormReturnType<F>,
    /** The record as it was loaded; null for a new one. */
    record,
    id,
    address,
    name,
    isNew: id === null,
    isDirty,
    canSave,
    ...writes,
    isReadOnly: source.isReadOnly?.(form.values) ?? false,
    isDeletable: (id !== null || source.inPane === true) && (source.isDeletable?.(form.values) ?? true),
    draft: draft?.values ?? null,
    /** Whether the draft was made of another version than the one that is there now. */
    isDraftOld: draft?.version !== undefined && draft.version !== etagOf(record),
    restoreDraft: () => {
      if (draft) form.setValues(mergeDraft(form.getValues(), draft.values));
      setDraft(null);
    },
    discardDraft: () => {
      discardStoredDraft();
      setDraft(null);
    },
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
