// What a paste does: which cell gets what, which records are new, and what is left out. Pure.
import type { FieldDescription } from '@sluice/contract';
import type { Schema } from '../../address/sources.ts';
import { lockReason, textToDraft, validateDraft } from '../../values/check.ts';
import { type Draft, inputKind } from '../../values/values.ts';
import type { CellChange, EditTarget } from '../../writing/edits.ts';
import type { CellRect } from '../cells/range.ts';

/** Cells to paste, row by row; each text is read for the field it goes into. */
export type PastedCells = readonly (readonly Draft[])[];

interface PasteRequest {
  cells: PastedCells;
  /** Whether the cells were copied from this grid, which tells null and the empty text apart; a spreadsheet knows no NULL. */
  hasNulls: boolean;
  /** The selected cells. The paste starts in their upper left corner; a single value fills all of them. */
  rect: CellRect;
  /** The visible columns. */
  fields: readonly FieldDescription[];
  schema: Schema;
  /** The record or new row in a row of the grid; null where there is none, or it has no key. */
  targetAt: (row: number) => EditTarget | null;
  /** Rows of the grid. */
  rowCount: number;
  /** Ids for rows to add; null where no row may be added after the last. */
  newRowId: ((index: number) => string) | null;
}

export interface PastePlan {
  changes: CellChange[];
  /** How many new records the paste begins. */
  newRowCount: number;
  /** Rows beyond the last that could not become records. */
  skippedRows: number;
  /** Columns beyond the last. */
  skippedColumns: number;
  /** Cells that cannot be changed. */
  lockedCells: number;
}

/** The most rows of one paste: as many as a save can send in one call and a person can look through. */
export const maxPastedRows = 5000;

export function planPaste({
  cells,
  hasNulls,
  rect,
  fields,
  schema,
  targetAt,
  rowCount,
  newRowId,
}: PasteRequest): PastePlan {
  const spread = spreadOverRect(cells, rect);
  const width = Math.max(...spread.map((row) => row.length));
  const plan: PastePlan = {
    changes: [],
    newRowCount: 0,
    skippedRows: 0,
    skippedColumns: Math.max(0, width - (fields.length - rect.left)),
    lockedCells: 0,
  };
  spread.forEach((row, offset) => {
    const rowIndex = rect.top + offset;
    const target = rowIndex < rowCount ? targetAt(rowIndex) : newRowId && { newRow: newRowId(rowIndex - rowCount) };
    if (!target) {
      plan.skippedRows++;
      return;
    }
    let hasWritableCell = false;
    row.slice(0, fields.length - rect.left).forEach((value, index) => {
      const field = fields[rect.left + index]!;
      if (lockReason(field, schema, 'newRow' in target) !== null) {
        plan.lockedCells++;
        return;
      }
      hasWritableCell = true;
      const draft = draftForField(field, value, hasNulls) ?? null;
      plan.changes.push({ target, name: field.name, draft, error: validateDraft(field, draft) });
    });
    if (rowIndex >= rowCount && hasWritableCell) plan.newRowCount++;
  });
  return plan;
}

/** The draft a pasted value becomes: an empty cell of a spreadsheet is NULL where the field allows it. */
function draftForField(field: FieldDescription, value: Draft, hasNulls: boolean): Draft {
  if (typeof value === 'boolean' && inputKind(field.type) === 'boolean') return value;
  if (value === null || value === undefined) return null;
  const draft = textToDraft(field, String(value));
  return draft === '' && !hasNulls && field.allow_null ? null : draft;
}

/** Repeats the cells over the range: one value fills it; one row is repeated downwards, one column sideways. */
function spreadOverRect(cells: PastedCells, { top, left, bottom, right }: CellRect): PastedCells {
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  const [height, width] = [cells.length, Math.max(...cells.map((row) => row.length))];
  const down = height === 1 ? rows : height;
  const across = width === 1 ? columns : width;
  return Array.from({ length: down }, (_, row) => {
    const from = cells[row % height]!;
    return width === 1 ? Array.from({ length: across }, () => from[0]) : from;
  });
}
