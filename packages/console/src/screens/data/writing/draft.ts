// Pending edits as a draft keeps them: maps become lists. Pure.
import { keyText } from '../address/grid-state.ts';
import type { Edits, RecordEdit, RowDraft } from './edits.ts';

/** Edits as JSON. */
export interface EditsDraft {
  records: RecordEdit[];
  newRows: [id: string, RowDraft][];
  newRecord: RowDraft | null;
}

/** Errors are those of an attempt that is over. */
const withoutErrors = <T extends RowDraft>(edit: T): T => ({ ...edit, errors: {} });

export const draftOfEdits = ({ recordEdits, newRows, newRecord }: Edits): EditsDraft => ({
  records: [...recordEdits.values()].map(withoutErrors),
  newRows: [...newRows].map(([id, row]) => [id, withoutErrors(row)]),
  newRecord: newRecord && withoutErrors(newRecord),
});

export const editsOfDraft = ({ records, newRows, newRecord }: EditsDraft): Edits => ({
  recordEdits: new Map(records.map((edit) => [keyText(edit.key), edit])),
  newRows: new Map(newRows),
  newRecord,
});
