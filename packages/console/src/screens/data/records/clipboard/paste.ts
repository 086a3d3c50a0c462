// What a paste does: which cell gets what, which records are new, and what is left out. Pure.
import type { FieldDescription } from '@sluice/contract';
import type { Schema } from '../../place/sources.ts';
import { draftOf, objection, whyLocked } from '../../values/check.ts';
import { type Draft, inputKind } from '../../values/values.ts';
import type { CellChange, Target } from '../../writing/edits.ts';
import type { Rect } from '../cells/range.ts';

/** Cells to put in, row by row; a text is read by the field it lands in. */
export type Pasted = readonly (readonly Draft[])[];

interface Paste {
  cells: Pasted;
  /** Whether they were copied here, null apart from the empty text; a spreadsheet knows no NULL. */
  hasNulls: boolean;
  /** Where: from its upper left corner; a single value fills all of it. */
  rect: Rect;
  /** The columns shown. */
  fields: readonly FieldDescription[];
  schema: Schema;
  /** What stands in a row of the grid; null where there is none, or nothing names it. */
  targetAt: (row: number) => Target | null;
  /** Rows of the grid. */
  rows: number;
  /** Names for records to add; null where rows may not follow the last. */
  nameOf: ((index: number) => string) | null;
}

export interface PasteResult {
  changes: CellChange[];
  /** Records that begin with this paste. */
  added: number;
  /** Rows beyond the last that could not become records. */
  leftRows: number;
  /** Columns beyond the last. */
  leftColumns: number;
  /** Cells that can not be changed. */
  locked: number;
}

/** How many rows one paste may have: as many as a save can send in one call and a person can look through. */
export const mostPasted = 5000;

export function planPaste({ cells, hasNulls, rect, fields, schema, targetAt, rows, nameOf }: Paste): PasteResult {
  const spread = fill(cells, rect);
  const width = Math.max(...spread.map((row) => row.length));
  const result: PasteResult = {
    changes: [],
    added: 0,
    leftRows: 0,
    leftColumns: Math.max(0, width - (fields.length - rect.left)),
    locked: 0,
  };
  spread.forEach((row, offset) => {
    const at = rect.top + offset;
    const target = at < rows ? targetAt(at) : nameOf && { added: nameOf(at - rows) };
    if (!target) {
      result.leftRows++;
      return;
    }
    let isTaken = false;
    row.slice(0, fields.length - rect.left).forEach((value, index) => {
      const field = fields[rect.left + index]!;
      if (whyLocked(field, schema, 'added' in target) !== null) {
        result.locked++;
        return;
      }
      isTaken = true;
      const draft = landed(field, value, hasNulls) ?? null;
      result.changes.push({ target, name: field.name, draft, error: objection(field, draft) });
    });
    if (at >= rows && isTaken) result.added++;
  });
  return result;
}

/** What a value becomes in a field: an empty cell of a spreadsheet is NULL where the field can be. */
function landed(field: FieldDescription, value: Draft, hasNulls: boolean): Draft {
  if (typeof value === 'boolean' && inputKind(field.type) === 'boolean') return value;
  if (value === null || value === undefined) return null;
  const draft = draftOf(field, String(value));
  return draft === '' && !hasNulls && field.allow_null ? null : draft;
}

/** One value fills the range; so does one row or one column of values along its other side. */
function fill(cells: Pasted, { top, left, bottom, right }: Rect): Pasted {
  const [rows, columns] = [bottom - top + 1, right - left + 1];
  const [height, width] = [cells.length, Math.max(...cells.map((row) => row.length))];
  const down = height === 1 ? rows : height;
  const across = width === 1 ? columns : width;
  return Array.from({ length: down }, (_, row) => {
    const from = cells[row % height]!;
    return width === 1 ? Array.from({ length: across }, () => from[0]) : from;
  });
}
