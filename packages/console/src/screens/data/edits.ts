// Records that were changed and not saved yet, and the new one being filled in. Pure.
import { keyText } from './place.ts';
import type { Row } from './sources.ts';
import { type Draft, type Drafts, isUnsaved } from './values.ts';

export interface Edit {
  key: readonly string[];
  /** The record as it was read. */
  stored: Row;
  drafts: Drafts;
  /** What the server or the console objected to, by field name; '' is the whole record. */
  errors: Readonly<Record<string, string>>;
}

export interface Edits {
  /** By the text of the record's key. */
  records: ReadonlyMap<string, Edit>;
  /** The new record; null while none is being made. */
  fresh: Pick<Edit, 'drafts' | 'errors'> | null;
}

export const noEdits: Edits = { records: new Map(), fresh: null };

const withRecord = (edits: Edits, edit: Edit): Edits => ({
  ...edits,
  records: new Map(edits.records).set(keyText(edit.key), edit),
});

/** A field of a record was changed; its old error goes. */
export function change(edits: Edits, key: readonly string[], stored: Row, name: string, draft: Draft): Edits {
  const edit = edits.records.get(keyText(key)) ?? { key, stored, drafts: {}, errors: {} };
  const { [name]: _gone, ...errors } = edit.errors;
  return withRecord(edits, { ...edit, drafts: { ...edit.drafts, [name]: draft }, errors });
}

export function changeFresh(edits: Edits, name: string, draft: Draft): Edits {
  const { drafts, errors } = edits.fresh ?? { drafts: {}, errors: {} };
  const { [name]: _gone, ...rest } = errors;
  return { ...edits, fresh: { drafts: { ...drafts, [name]: draft }, errors: rest } };
}

/** Forgets what was done to a record. */
export function drop(edits: Edits, key: readonly string[]): Edits {
  const records = new Map(edits.records);
  records.delete(keyText(key));
  return { ...edits, records };
}

export const object = (edits: Edits, key: readonly string[], errors: Edit['errors']): Edits => {
  const edit = edits.records.get(keyText(key));
  return edit ? withRecord(edits, { ...edit, errors }) : edits;
};

export const objectFresh = (edits: Edits, errors: Edit['errors']): Edits => ({
  ...edits,
  fresh: { drafts: edits.fresh?.drafts ?? {}, errors },
});

/** The records that differ from what is stored, in the order they were touched. */
export const unsaved = ({ records }: Edits): Edit[] =>
  [...records.values()].filter(({ stored, drafts }) => isUnsaved(stored, drafts));

/** Whether anything was filled in for the new record. */
export const isFreshFilled = ({ fresh }: Edits): boolean =>
  Object.values(fresh?.drafts ?? {}).some((draft) => draft !== undefined && draft !== '');
