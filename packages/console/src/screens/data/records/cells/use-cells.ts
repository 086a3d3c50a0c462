// The cells of the grid: which are selected (range), which one is edited (cell-editor), and what is done to them. cells.ts knows what a
// cell holds.
import type { FieldDescription } from '@sluice/contract';
import { useRef, useState } from 'react';
import { text } from '../../../../text/index.ts';
import type { RowNode } from '../../table/use-row-nodes.ts';
import type { TableState } from '../../table/use-table.ts';
import { lockReason, validateDraft } from '../../values/check.ts';
import { type Draft, ownValue } from '../../values/values.ts';
import type { CellChange } from '../../writing/edits.ts';
import type { WrongLead } from '../../writing/use-wrong-lead.ts';
import { cellDraft, editTargetOf, revertChanges, rowDraftOf } from './cells.ts';
import {
  type CellPosition,
  type CellRect,
  clampRange,
  movePosition,
  nextCell,
  rectOf,
  type Step,
  singleCell,
} from './range.ts';

/** What happens after the editing of a cell: which cell becomes active, or that everything is saved. */
export type AfterEdit = 'stay' | 'down' | 'up' | 'next' | 'back' | 'save';

export interface EditSession {
  position: CellPosition;
  /** What a new value begins with; null continues with the present one. */
  initialText: string | null;
}

/** A note beside a cell: why it cannot be edited. */
export interface Note {
  position: CellPosition;
  text: string;
}

export function useCells(
  state: TableState,
  fields: readonly FieldDescription[],
  scrollToCell: (position: CellPosition) => void,
) {
  const { schema, rowCount, rowNodeAt } = state;
  const [selectedRange, setSelectedRange] = useState(singleCell({ row: 0, column: 0 }));
  const range = clampRange(selectedRange, rowCount, fields.length);
  const [editSession, setEditSession] = useState<EditSession | null>(null);
  const [note, setNote] = useState<Note | null>(null);
  // A key pressed before the next render applies to the cells the key before it led to.
  const latestRange = useRef(range);
  latestRange.current = range;

  const select = (position: CellPosition, isExtending = false) => {
    const active = isExtending ? latestRange.current.active : position;
    latestRange.current = { active, head: position };
    setSelectedRange(latestRange.current);
    setNote(null);
  };
  const moveSelection = (step: Step, isExtending: boolean) => {
    const { active, head } = latestRange.current;
    const position = movePosition(isExtending ? head : active, step, rowCount, fields.length);
    select(position, isExtending);
    scrollToCell(position);
  };
  const lockReasonAt = (position: CellPosition, node: RowNode): string | null => {
    const field = fields[position.column];
    if (!schema || !field) return '';
    return editTargetOf(node) ? lockReason(field, schema, node.isNew) : text('data:keyless');
  };
  const isEditable = (position: CellPosition): boolean => {
    const node = rowNodeAt(position.row);
    return node !== undefined && lockReasonAt(position, node) === null;
  };

  /** Scrolls to the cell too: a note over a cell half below the sticky ones would cover them. */
  const showNote = (position: CellPosition, text: string) => {
    setNote({ position, text });
    scrollToCell(position);
  };
  const startEdit = (position: CellPosition, initialText: string | null) => {
    const node = rowNodeAt(position.row);
    const reason = node ? lockReasonAt(position, node) : text('data:grid.notHere');
    select(position);
    if (reason !== null) return showNote(position, reason);
    setEditSession({ position, initialText });
    scrollToCell(position);
  };
  const moveAfterEdit = (position: CellPosition, after: AfterEdit) => {
    if (after === 'next' || after === 'back') {
      const next = nextCell(position, after === 'back', rowCount, fields.length, isEditable);
      return next ? startEdit(next, null) : scrollToCell(position);
    }
    if (after === 'down' || after === 'up') return moveSelection({ row: after === 'down' ? 1 : -1, column: 0 }, false);
    if (after === 'save') void state.saveAll();
    scrollToCell(position);
  };
  /** Ends the editing and keeps the draft. With `after` null the focus is elsewhere already. */
  const commitEdit = (draft: Draft, after: AfterEdit | null) => {
    if (!editSession) return;
    const { position } = editSession;
    setEditSession(null);
    const [node, field] = [rowNodeAt(position.row), fields[position.column]];
    const target = node && editTargetOf(node);
    if (target && field && draft !== cellDraft(node, rowDraftOf(state, node), field.name)) {
      state.changeCells([{ target, name: field.name, draft: draft ?? null, error: validateDraft(field, draft) }]);
    }
    if (after) moveAfterEdit(position, after);
  };
  const cancelEdit = () => {
    if (!editSession) return;
    setEditSession(null);
    scrollToCell(editSession.position);
  };

  /** Writes into every selected cell that can be edited. Where `draftFor` has no draft for a field, its `note` says why. */
  const fillRange = (draftFor: (field: FieldDescription) => Draft | { note: string }) => {
    const rect = rectOf(latestRange.current);
    // Rows outside the viewport may not be loaded; filling a part of the selection is not what was meant.
    if (!isLoaded(rect)) return showNote(latestRange.current.active, text('data:grid.notHere'));
    const changes: CellChange[] = [];
    const notes: string[] = [];
    for (const { node, field } of cellsOf(rect)) {
      const target = editTargetOf(node);
      const reason = schema && target ? lockReason(field, schema, node.isNew) : text('data:keyless');
      const draft = reason === null ? draftFor(field) : { note: reason };
      if (typeof draft === 'object' && draft !== null) notes.push(draft.note);
      else if (target && draft !== cellDraft(node, rowDraftOf(state, node), field.name)) {
        changes.push({ target, name: field.name, draft: draft ?? null, error: validateDraft(field, draft) });
      }
    }
    state.changeCells(changes);
    const [reason] = notes;
    if (reason !== undefined && changes.length === 0) showNote(latestRange.current.active, reason);
    else setNote(null);
  };
  function* cellsOf({ top, bottom, left, right }: CellRect) {
    for (let row = top; row <= bottom; row++) {
      const node = rowNodeAt(row);
      if (node) for (const field of fields.slice(left, right + 1)) yield { node, field };
    }
  }
  const isLoaded = ({ top, bottom }: CellRect): boolean => {
    for (let row = top; row <= bottom; row++) if (!rowNodeAt(row)) return false;
    return true;
  };
  const revertCells = () => {
    const changes = [...cellsOf(rectOf(latestRange.current))].flatMap(({ node, field }) => {
      const target = editTargetOf(node);
      const isChanged = ownValue(rowDraftOf(state, node)?.drafts, field.name) !== undefined;
      return target && isChanged ? revertChanges(target, [field.name]) : [];
    });
    state.changeCells(changes);
  };

  /** Cells at fault, in order; of a record that is wrong as a whole, the first cell. */
  const wrongCells = (): (CellPosition & { note?: string })[] => {
    const positions = [];
    for (let row = 0; row < rowCount; row++) {
      const node = rowNodeAt(row);
      if (!node || !(node.isNew || state.isDirty(node.key))) continue;
      const { '': recordError, ...errors } = rowDraftOf(state, node)?.errors ?? {};
      const columns = fields.flatMap(({ name }, column) => (Object.hasOwn(errors, name) ? [column] : []));
      positions.push(...columns.map((column) => ({ row, column })));
      if (recordError && Object.keys(errors).length === 0) positions.push({ row, column: 0, note: recordError });
    }
    return positions;
  };
  /** Selects the first cell at fault, or the next one. False when none of them is in the grid. */
  const goToWrongCell = (from: WrongLead['from']): boolean => {
    const all = wrongCells();
    const { active } = latestRange.current;
    const isBehind = ({ row, column }: CellPosition) =>
      row > active.row || (row === active.row && column > active.column);
    const target = (from === 'here' && all.find(isBehind)) || all[0];
    if (!target) return false;
    const { row, column, note: recordError } = target;
    select({ row, column });
    if (recordError) setNote({ position: { row, column }, text: recordError });
    scrollToCell({ row, column });
    return true;
  };

  return {
    range,
    rect: rectOf(range),
    editSession,
    note,
    select,
    /** Selects all cells between two corners. */
    selectRect: ({ top, left, bottom, right }: CellRect) => {
      select({ row: top, column: left });
      select({ row: bottom, column: right }, true);
    },
    moveSelection,
    selectAll: () => {
      select({ row: 0, column: 0 });
      select({ row: Math.max(0, rowCount - 1), column: Math.max(0, fields.length - 1) }, true);
    },
    /** Selects the active cell alone, and removes the note beside it. */
    collapseRange: () => select(range.active),
    startEdit,
    commitEdit,
    cancelEdit,
    revertCells,
    goToWrongCell,
    setNull: () =>
      fillRange((field) => (field.allow_null ? null : { note: text('data:grid.notNull', { field: field.name }) })),
    /** Empty where a field can be empty, else NULL. */
    clearCells: () =>
      fillRange((field) => {
        if (field.type === 'string' || field.type === 'text') return '';
        return field.allow_null ? null : { note: text('data:grid.notNull', { field: field.name }) };
      }),
  };
}

export type Cells = ReturnType<typeof useCells>;
