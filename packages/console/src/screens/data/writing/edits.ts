// Records that were changed and not saved yet, those that come with the next save, and the new one being filled in. Pure.
import { keyText } from '../place/place.ts';
import type { Row } from '../place/sources.ts';
import { changed, type Draft, type Drafts, isUnsaved } from '../values/values.ts';

export interface Edit {
  key: readonly string[];
  /** The record as it was read. */
  stored: Row;
  drafts: Drafts;
  /** What the server or the console objected to, by field name; '' is the whole record. */
  errors: Readonly<Record<string, string>>;
}

/** A record that is not in the table yet. */
export type Added = Pick<Edit, 'drafts' | 'errors'>;

export interface Edits {
  /** By the text of the record's key. */
  records: ReadonlyMap<string, Edit>;
  /** Records pasted below the last one, by a name of this page's own. */
  added: ReadonlyMap<string, Added>;
  /** The new record of the pane; null while none is being made. */
  fresh: Added | null;
}

export const noEdits: Edits = { records: new Map(), added: new Map(), fresh: null };

const withRecord = (edits: Edits, edit: Edit): Edits => ({
  ...edits,
  records: new Map(edits.records).set(keyText(edit.key), edit),
});

const without = <T>(values: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> => {
  const { [name]: _gone, ...rest } = values;
  return rest;
};

/** A field of a record was changed; its old error goes. */
export function change(edits: Edits, key: readonly string[], stored: Row, name: string, draft: Draft): Edits {
  const edit = edits.records.get(keyText(key)) ?? { key, stored, drafts: {}, errors: {} };
  return withRecord(edits, {
    ...edit,
    drafts: { ...edit.drafts, [name]: draft },
    errors: without(edit.errors, name),
  });
}

export function changeFresh(edits: Edits, name: string, draft: Draft): Edits {
  const { drafts, errors } = edits.fresh ?? { drafts: {}, errors: {} };
  return { ...edits, fresh: { drafts: { ...drafts, [name]: draft }, errors: without(errors, name) } };
}

/** A record in the table, or one that comes with the next save. */
export type Target = { key: readonly string[]; stored: Row } | { added: string };

/** What becomes of one cell; without a draft it is as it was. */
export interface CellChange {
  target: Target;
  name: string;
  draft?: Draft;
  error?: string | null;
}

/** Many cells at once: one step. */
export function changeCells(edits: Edits, changes: readonly CellChange[]): Edits {
  const records = new Map(edits.records);
  const added = new Map(edits.added);
  for (const each of changes) {
    const { target } = each;
    if ('added' in target) added.set(target.added, changedCell(added.get(target.added) ?? nothingYet, each));
    else {
      const id = keyText(target.key);
      const edit = records.get(id) ?? { ...target, ...nothingYet };
      records.set(id, { ...edit, ...changedCell(edit, each) });
    }
  }
  return { ...edits, records, added };
}

const nothingYet: Added = { drafts: {}, errors: {} };

function changedCell({ drafts, errors }: Added, { name, draft, error }: CellChange): Added {
  return {
    drafts: draft === undefined ? without(drafts, name) : { ...drafts, [name]: draft },
    errors: error ? { ...errors, [name]: error } : without(errors, name),
  };
}

/** Forgets what was done to a record. */
export function drop(edits: Edits, key: readonly string[]): Edits {
  const records = new Map(edits.records);
  records.delete(keyText(key));
  return { ...edits, records };
}

export function dropAdded(edits: Edits, ids: readonly string[]): Edits {
  const added = new Map(edits.added);
  for (const id of ids) added.delete(id);
  return { ...edits, added };
}

/** Everything in the grid is as the table has it; the form of a new record keeps what it holds. */
export const dropAll = ({ fresh }: Edits): Edits => ({ ...noEdits, fresh });

export const object = (edits: Edits, key: readonly string[], errors: Edit['errors']): Edits => {
  const edit = edits.records.get(keyText(key));
  return edit ? withRecord(edits, { ...edit, errors }) : edits;
};

export const objectAdded = (edits: Edits, id: string, errors: Edit['errors']): Edits => {
  const one = edits.added.get(id);
  return one ? { ...edits, added: new Map(edits.added).set(id, { ...one, errors }) } : edits;
};

export const objectFresh = (edits: Edits, errors: Edit['errors']): Edits => ({
  ...edits,
  fresh: { drafts: edits.fresh?.drafts ?? {}, errors },
});

/** The records that differ from what is stored, in the order they were touched. */
export const unsaved = ({ records }: Edits): Edit[] =>
  [...records.values()].filter(({ stored, drafts }) => isUnsaved(stored, drafts));

/** How much waits to be saved: records, the cells that differ in them, and how many records were objected to. */
export function pending(edits: Edits): { records: number; cells: number; wrong: number } {
  const all = unsaved(edits);
  const added = [...edits.added.values()];
  const cells = [
    ...all.map(({ stored, drafts }) => Object.keys(changed(stored, drafts)).length),
    ...added.map(({ drafts }) => Object.keys(drafts).length),
  ];
  return {
    records: cells.length,
    cells: cells.reduce((sum, count) => sum + count, 0),
    wrong: [...all, ...added].filter(({ errors }) => Object.keys(errors).length > 0).length,
  };
}

/** Whether anything was filled in for the new record. */
export const isFreshFilled = ({ fresh }: Edits): boolean =>
  Object.values(fresh?.drafts ?? {}).some((draft) => draft !== undefined && draft !== '');
