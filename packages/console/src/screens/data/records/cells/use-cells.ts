// The cells of the grid: which are chosen (range), which one is edited (cell-editor), and what is done to them. What a cell holds is said
// in cells.ts.
import type { FieldDescription } from '@sluice/contract';
import { useRef, useState } from 'react';
import { text } from '../../../../text/index.ts';
import type { RowNode } from '../../table/use-row-nodes.ts';
import type { TableState } from '../../table/use-table.ts';
import { lockReason, validateDraft } from '../../values/check.ts';
import type { Draft } from '../../values/values.ts';
import type { CellChange } from '../../writing/edits.ts';
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

/** Where one goes on when a cell is done. */
export type AfterEdit = 'stay' | 'down' | 'up' | 'next' | 'back' | 'save';

export interface EditSession {
  position: CellPosition;
  /** What a new value begins with; null goes on with the one that is there. */
  initialText: string | null;
}

/** Words beside a cell: why it does not open. */
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
  // A key that follows another at once is about the cells the first one led to.
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

  /** What stands over a cell would cover the sticky ones beside it, were the cell half below them. */
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
  /** Keeps what was typed. With `after` null the keyboard is elsewhere already. */
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

  /** Puts the same into every chosen cell that takes it. `draftFor` says what is wrong by a text in `note`. */
  const fillRange = (draftFor: (field: FieldDescription) => Draft | { note: string }) => {
    const rect = rectOf(latestRange.current);
    // Rows out of sight may not be here; a part of what was chosen is not what was meant.
    if (!isLoaded(rect)) return showNote(latestRange.current.active, text('data:grid.notHere'));
    const changes: CellChange[] = [];
    const notes: string[] = [];
    for (const { line: node, field } of cellsOf(rect)) {
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
      if (node) for (const field of fields.slice(left, right + 1)) yield { line: node, field };
    }
  }
  const isLoaded = ({ top, bottom }: CellRect): boolean => {
    for (let row = top; row <= bottom; row++) if (!rowNodeAt(row)) return false;
    return true;
  };
  const revertCells = () => {
    const changes = [...cellsOf(rectOf(latestRange.current))].flatMap(({ line: node, field }) => {
      const target = editTargetOf(node);
      const isChanged = rowDraftOf(state, node)?.drafts[field.name] !== undefined;
      return target && isChanged ? revertChanges(target, [field.name]) : [];
    });
    state.changeCells(changes);
  };

  /** Goes to the first cell that something was objected to. */
  const goToFirstError = () => {
    for (let row = 0; row < rowCount; row++) {
      const node = rowNodeAt(row);
      const errors = node && rowDraftOf(state, node)?.errors;
      const column = errors ? fields.findIndex(({ name }) => errors[name] !== undefined) : -1;
      if (column < 0) continue;
      select({ row, column });
      return scrollToCell({ row, column });
    }
  };

  return {
    range,
    rect: rectOf(range),
    editSession,
    note,
    select,
    /** Also a range that reaches from one corner to another. */
    selectRect: ({ top, left, bottom, right }: CellRect) => {
      select({ row: top, column: left });
      select({ row: bottom, column: right }, true);
    },
    moveSelection,
    selectAll: () => {
      select({ row: 0, column: 0 });
      select({ row: Math.max(0, rowCount - 1), column: Math.max(0, fields.length - 1) }, true);
    },
    /** Leaves one cell of the range, or says nothing beside it any more. */
    collapseRange: () => select(range.active),
    startEdit,
    commitEdit,
    cancelEdit,
    revertCells,
    goToFirstError,
    setNull: () =>
      fillRange((field) => (field.allow_null ? null : { note: text('data:grid.notNull', { field: field.name }) })),
    /** Empty where a field can be, else NULL. */
    clearCells: () =>
      fillRange((field) => {
        if (field.type === 'string' || field.type === 'text') return '';
        return field.allow_null ? null : { note: text('data:grid.notNull', { field: field.name }) };
      }),
  };
}

export type Cells = ReturnType<typeof useCells>;
