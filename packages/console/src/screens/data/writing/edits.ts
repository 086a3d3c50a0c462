// Pending edits: changed records, new rows of the grid, and the new record of the pane. Pure.
import { keyText } from '../address/grid-state.ts';
import type { Row } from '../address/sources.ts';
import { type Draft, type Drafts, dirtyDrafts, isDirty } from '../values/values.ts';

export interface RecordEdit {
  key: readonly string[];
  /** The record as it was read. */
  original: Row;
  drafts: Drafts;
  /** Errors of the server or the console, by field name; '' is the whole record. */
  errors: Readonly<Record<string, string>>;
}

/** What was typed in a row of the grid or in a form, and what is wrong with it. */
export type RowDraft = Pick<RecordEdit, 'drafts' | 'errors'>;

export interface Edits {
  /** By the text of the record's key. */
  recordEdits: ReadonlyMap<string, RecordEdit>;
  /** New rows pasted below the last record, by an id of the console's own. */
  newRows: ReadonlyMap<string, RowDraft>;
  /** The new record of the pane; null while none is filled in. */
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

/** The errors once a field was edited: its own is gone, and with the last of the fields that of the whole record. */
const withoutError = (errors: RowDraft['errors'], name: string): RowDraft['errors'] => {
  const rest = omit(errors, name);
  return Object.keys(rest).some((field) => field !== '') ? rest : {};
};

/** Changes a field of a record and removes its error. */
export function changeField(edits: Edits, key: readonly string[], original: Row, name: string, draft: Draft): Edits {
  const edit = edits.recordEdits.get(keyText(key)) ?? { key, original, drafts: {}, errors: {} };
  return withEdit(edits, {
    ...edit,
    drafts: { ...edit.drafts, [name]: draft },
    errors: withoutError(edit.errors, name),
  });
}

export function changeNewRecord(edits: Edits, name: string, draft: Draft): Edits {
  const { drafts, errors } = edits.newRecord ?? { drafts: {}, errors: {} };
  return { ...edits, newRecord: { drafts: { ...drafts, [name]: draft }, errors: withoutError(errors, name) } };
}

/** A record of the table, or a new row. */
export type EditTarget = { key: readonly string[]; original: Row } | { newRow: string };

/** The change of one cell; without a draft it gets its stored value back. */
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
    errors: error ? { ...errors, [name]: error } : withoutError(errors, name),
  };
}

/** Puts an edit in the place of the one its record has. */
export const replaceEdit = withEdit;

/** Discards the edit of a record. */
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

/** Discards all edits of the grid; the form of a new record keeps its drafts. */
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

/** The records that differ from what is stored, in the order of their first edit. */
export const dirtyEdits = ({ recordEdits }: Edits): RecordEdit[] =>
  [...recordEdits.values()].filter(({ original, drafts }) => isDirty(original, drafts));

/** How much is unsaved: records, the cells that differ in them, and the cells at fault; a record that is wrong as a whole is one. */
export function countPending(edits: Edits): { records: number; cells: number; invalid: number } {
  const dirty = dirtyEdits(edits);
  const newRows = [...edits.newRows.values()];
  const cells = [
    ...dirty.map(({ original, drafts }) => Object.keys(dirtyDrafts(original, drafts)).length),
    ...newRows.map(({ drafts }) => Object.keys(drafts).length),
  ];
  return {
    records: cells.length,
    cells: cells.reduce((sum, count) => sum + count, 0),
    invalid: [...dirty, ...newRows].reduce((sum, { errors }) => sum + wrongCount(errors), 0),
  };
}

const wrongCount = (errors: RowDraft['errors']): number => {
  const names = Object.keys(errors);
  return names.filter((name) => name !== '').length || names.length;
};

/** Whether anything was filled in for the new record. */
export const isNewRecordDirty = ({ newRecord }: Edits): boolean =>
  Object.values(newRecord?.drafts ?? {}).some((draft) => draft !== undefined && draft !== '');
