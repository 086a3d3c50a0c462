// Records that were changed and not saved yet, those that come with the next save, and the new one being filled in. Pure.
import { keyText } from '../address/grid-state.ts';
import type { Row } from '../address/sources.ts';
import { type Draft, type Drafts, dirtyDrafts, isDirty } from '../values/values.ts';

export interface RecordEdit {
  key: readonly string[];
  /** The record as it was read. */
  original: Row;
  drafts: Drafts;
  /** What the server or the console objected to, by field name; '' is the whole record. */
  errors: Readonly<Record<string, string>>;
}

/** A record that is not in the table yet. */
export type RowDraft = Pick<RecordEdit, 'drafts' | 'errors'>;

export interface Edits {
  /** By the text of the record's key. */
  recordEdits: ReadonlyMap<string, RecordEdit>;
  /** Records pasted below the last one, by a name of this page's own. */
  newRows: ReadonlyMap<string, RowDraft>;
  /** The new record of the pane; null while none is being made. */
  newRecord: RowDraft | null;
}

export const noEdits: Edits = { recordEdits: new Map(), newRows: new Map(), newRecord: null };

const withEdit = (edits: Edits, edit: RecordEdit): Edits => ({
  ...edits,
  recordEdits: new Map(edits.recordEdits).set(keyText(edit.key), edit),
});

const omit = <T>(values: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> => {
  const { [name]: _gone, ...rest } = values;
  return rest;
};

/** A field of a record was changed; its old error goes. */
export function changeField(edits: Edits, key: readonly string[], original: Row, name: string, draft: Draft): Edits {
  const edit = edits.recordEdits.get(keyText(key)) ?? { key, original, drafts: {}, errors: {} };
  return withEdit(edits, {
    ...edit,
    drafts: { ...edit.drafts, [name]: draft },
    errors: omit(edit.errors, name),
  });
}

export function changeNewRecord(edits: Edits, name: string, draft: Draft): Edits {
  const { drafts, errors } = edits.newRecord ?? { drafts: {}, errors: {} };
  return { ...edits, newRecord: { drafts: { ...drafts, [name]: draft }, errors: omit(errors, name) } };
}

/** A record in the table, or one that comes with the next save. */
export type EditTarget = { key: readonly string[]; original: Row } | { newRow: string };

/** What becomes of one cell; without a draft it is as it was. */
export interface CellChange {
  target: EditTarget;
  name: string;
  draft?: Draft;
  error?: string | null;
}

/** Many cells at once: one step. */
export function changeCells(edits: Edits, changes: readonly CellChange[]): Edits {
  const recordEdits = new Map(edits.recordEdits);
  const newRows = new Map(edits.newRows);
  for (const change of changes) {
    const { target } = change;
    if ('newRow' in target)
      newRows.set(target.newRow, applyCellChange(newRows.get(target.newRow) ?? emptyRowDraft, change));
    else {
      const id = keyText(target.key);
      const edit = recordEdits.get(id) ?? { ...target, ...emptyRowDraft };
      recordEdits.set(id, { ...edit, ...applyCellChange(edit, change) });
    }
  }
  return { ...edits, recordEdits, newRows };
}

const emptyRowDraft: RowDraft = { drafts: {}, errors: {} };

function applyCellChange({ drafts, errors }: RowDraft, { name, draft, error }: CellChange): RowDraft {
  return {
    drafts: draft === undefined ? omit(drafts, name) : { ...drafts, [name]: draft },
    errors: error ? { ...errors, [name]: error } : omit(errors, name),
  };
}

/** Forgets what was done to a record. */
export function discardEdit(edits: Edits, key: readonly string[]): Edits {
  const recordEdits = new Map(edits.recordEdits);
  recordEdits.delete(keyText(key));
  return { ...edits, recordEdits };
}

export function removeNewRows(edits: Edits, ids: readonly string[]): Edits {
  const newRows = new Map(edits.newRows);
  for (const id of ids) newRows.delete(id);
  return { ...edits, newRows };
}

/** Everything in the grid is as the table has it; the form of a new record keeps what it holds. */
export const discardGridEdits = ({ newRecord }: Edits): Edits => ({ ...noEdits, newRecord });

export const setErrors = (edits: Edits, key: readonly string[], errors: RecordEdit['errors']): Edits => {
  const edit = edits.recordEdits.get(keyText(key));
  return edit ? withEdit(edits, { ...edit, errors }) : edits;
};

export const setNewRowErrors = (edits: Edits, id: string, errors: RecordEdit['errors']): Edits => {
  const rowDraft = edits.newRows.get(id);
  return rowDraft ? { ...edits, newRows: new Map(edits.newRows).set(id, { ...rowDraft, errors }) } : edits;
};

export const setNewRecordErrors = (edits: Edits, errors: RecordEdit['errors']): Edits => ({
  ...edits,
  newRecord: { drafts: edits.newRecord?.drafts ?? {}, errors },
});

/** The records that differ from what is stored, in the order they were touched. */
export const dirtyEdits = ({ recordEdits }: Edits): RecordEdit[] =>
  [...recordEdits.values()].filter(({ original, drafts }) => isDirty(original, drafts));

/** How much waits to be saved: records, the cells that differ in them, and how many records were objected to. */
export function countPending(edits: Edits): { records: number; cells: number; invalid: number } {
  const dirty = dirtyEdits(edits);
  const added = [...edits.newRows.values()];
  const cells = [
    ...dirty.map(({ original, drafts }) => Object.keys(dirtyDrafts(original, drafts)).length),
    ...added.map(({ drafts }) => Object.keys(drafts).length),
  ];
  return {
    records: cells.length,
    cells: cells.reduce((sum, count) => sum + count, 0),
    invalid: [...dirty, ...added].filter(({ errors }) => Object.keys(errors).length > 0).length,
  };
}

/** Whether anything was filled in for the new record. */
export const isNewRecordDirty = ({ newRecord }: Edits): boolean =>
  Object.values(newRecord?.drafts ?? {}).some((draft) => draft !== undefined && draft !== '');
