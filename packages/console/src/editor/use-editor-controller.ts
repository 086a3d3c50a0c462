import { type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type QueryValue, versionOf } from '../api/index.ts';
import { type DeleteQuery, type Row, resourceKey } from '../list/index.ts';
import { dropDraft, findDraft, keepDraft } from './drafts.ts';
import { useEditorWrites } from './use-editor-writes.ts';
import { useLeaveGuard } from './use-leave-guard.ts';
import type { WordsOf } from './value-words.tsx';

export type FormValues = Record<string, unknown>;

/** The texts an editor's documents fix; the generic ones otherwise. */
export interface EditorTexts {
  /** 'Service', as in "Create Service". */
  thing: string;
  saved?: string;
  updated?: string;
  deleted?: string;
  deleteImpact?: string;
  /** The generic texts call the record by its own name instead of its kind (APP-036). */
  byName?: boolean;
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
  /** Stands beside its list: a new record stays open once made (OPEN-083), and is dropped without a call (CFG-046). */
  inPane?: boolean;
  /** What the question before a deletion says of this record besides. */
  warning?: (form: F) => string | null | Promise<string | null>;
  /** Asked after a deletion was confirmed: what else it has to say. */
  deleteQuery?: (form: F) => Promise<DeleteQuery>;
  /** More of the query that saves a new record: `send_invite` (C-PPL-02). */
  createQuery?: (form: F) => Record<string, QueryValue>;
  /** Told what the server answered to a save. */
  onSaved?: (saved: Row) => void;
  /** Names of fields where someone else saved first and both are compared; those on the page when absent. */
  labels?: Readonly<Record<string, string>>;
  /** Words there for a value that says little by itself: an id, a row of a list. */
  wordsOf?: WordsOf;
  /** Where the form leaves parts of the record out: form and record as one, to be compared, and back on top of a record. */
  toWhole?: (form: F, record: Row) => FormValues;
  fromWhole?: (whole: FormValues, record: Row) => F;
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
  const { resource, base } = source;
  const toForm = source.toForm ?? ((row: Row) => row as F);
  const id = record === null ? null : String(record.id);
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
  const [draft, setDraft] = useState(() => (source.toDraft ? findDraft(resource, id ?? newId) : null));
  const forget = () => dropDraft(resource, id ?? newId);

  const isLeaving = useRef(false);
  useLeaveGuard(isDirty, () => !isLeaving.current && canSave && form.isDirty(), home, forget);

  const toDraft = useRef(source.toDraft);
  toDraft.current = source.toDraft;
  const { values } = form;
  const version = versionOf(record);
  useEffect(() => {
    if (!isDirty || !toDraft.current) return;
    const timer = setTimeout(
      () => keepDraft(resource, id ?? newId, toDraft.current?.(values) ?? {}, version),
      draftPause,
    );
    return () => clearTimeout(timer);
  }, [isDirty, values, resource, id, version]);

  const name = source.nameOf?.(form.values) ?? String(form.values.name ?? '');
  const from = (location.state as { from?: string } | null)?.from;
  const close = () => navigate(from ?? base);
  /** Goes back to the list without asking: what was to be kept is kept. */
  const leave = (to = from ?? base) => {
    forget();
    isLeaving.current = true;
    navigate(to);
  };

  const onStored = () => {
    forget();
    setDraft(null);
  };
  const writes = useEditorWrites({ source, form, record, name, canSave, leave, onStored });

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
    ...writes,
    isReadOnly: source.isReadOnly?.(form.values) ?? false,
    isDeletable: (id !== null || source.inPane === true) && (source.isDeletable?.(form.values) ?? true),
    draft: draft?.values ?? null,
    /** Whether the draft was made of another version than the one that is there now. */
    isDraftOld: draft?.version !== undefined && draft.version !== versionOf(record),
    restoreDraft: () => {
      if (draft) form.setValues(merged(form.getValues(), draft.values));
      setDraft(null);
    },
    discardDraft: () => {
      forget();
      setDraft(null);
    },
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
