// The cells of the grid: which are chosen (range), which one is edited (cell-editor), and what is done to them. What a cell holds is said
// in cells.ts.
import type { FieldDescription } from '@sluice/contract';
import { useRef, useState } from 'react';
import { text } from '../../../../text/index.ts';
import type { Line } from '../../table/use-lines.ts';
import type { TableState } from '../../table/use-table.ts';
import { objection, whyLocked } from '../../values/check.ts';
import type { Draft } from '../../values/values.ts';
import type { CellChange } from '../../writing/edits.ts';
import { cellDraft, givenBack, pendingOf, targetOf } from './cells.ts';
import { type At, nextCell, oneCell, type Rect, rectOf, type Step, stepped, within } from './range.ts';

/** Where one goes on when a cell is done. */
export type After = 'stay' | 'down' | 'up' | 'next' | 'back' | 'save';

export interface Editing {
  at: At;
  /** What a new value begins with; null goes on with the one that is there. */
  typed: string | null;
}

/** Words beside a cell: why it does not open. */
export interface Note {
  at: At;
  text: string;
}

export function useCells(state: TableState, fields: readonly FieldDescription[], show: (at: At) => void) {
  const { schema, lineCount, lineAt } = state;
  const [chosen, setChosen] = useState(oneCell({ row: 0, column: 0 }));
  const range = within(chosen, lineCount, fields.length);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [note, setNote] = useState<Note | null>(null);
  // A key that follows another at once is about the cells the first one led to.
  const latest = useRef(range);
  latest.current = range;

  const choose = (at: At, isExtending = false) => {
    const active = isExtending ? latest.current.active : at;
    latest.current = { active, head: at };
    setChosen(latest.current);
    setNote(null);
  };
  const move = (step: Step, isExtending: boolean) => {
    const { active, head } = latest.current;
    const at = stepped(isExtending ? head : active, step, lineCount, fields.length);
    choose(at, isExtending);
    show(at);
  };
  const lockedAt = (at: At, line: Line): string | null => {
    const field = fields[at.column];
    if (!schema || !field) return '';
    return targetOf(line) ? whyLocked(field, schema, line.isNew) : text('data:keyless');
  };
  const takesInput = (at: At): boolean => {
    const line = lineAt(at.row);
    return line !== undefined && lockedAt(at, line) === null;
  };

  /** What stands over a cell would cover the sticky ones beside it, were the cell half below them. */
  const tell = (at: At, text: string) => {
    setNote({ at, text });
    show(at);
  };
  const edit = (at: At, typed: string | null) => {
    const line = lineAt(at.row);
    const why = line ? lockedAt(at, line) : text('data:grid.notHere');
    choose(at);
    if (why !== null) return tell(at, why);
    setEditing({ at, typed });
    show(at);
  };
  const goOn = (at: At, after: After) => {
    if (after === 'next' || after === 'back') {
      const next = nextCell(at, after === 'back', lineCount, fields.length, takesInput);
      return next ? edit(next, null) : show(at);
    }
    if (after === 'down' || after === 'up') return move({ row: after === 'down' ? 1 : -1, column: 0 }, false);
    if (after === 'save') void state.saveAll();
    show(at);
  };
  /** Keeps what was typed. With `after` null the keyboard is elsewhere already. */
  const commit = (draft: Draft, after: After | null) => {
    if (!editing) return;
    const { at } = editing;
    setEditing(null);
    const [line, field] = [lineAt(at.row), fields[at.column]];
    const target = line && targetOf(line);
    if (target && field && draft !== cellDraft(line, pendingOf(state, line), field.name)) {
      state.changeCells([{ target, name: field.name, draft: draft ?? null, error: objection(field, draft) }]);
    }
    if (after) goOn(at, after);
  };
  const giveUp = () => {
    if (!editing) return;
    setEditing(null);
    show(editing.at);
  };

  /** Puts the same into every chosen cell that takes it. `draftFor` says what is wrong by a text in `note`. */
  const fillAll = (draftFor: (field: FieldDescription) => Draft | { note: string }) => {
    const rect = rectOf(latest.current);
    // Rows out of sight may not be here; a part of what was chosen is not what was meant.
    if (!isHere(rect)) return tell(latest.current.active, text('data:grid.notHere'));
    const changes: CellChange[] = [];
    const notes: string[] = [];
    for (const { line, field } of cellsIn(rect)) {
      const target = targetOf(line);
      const why = schema && target ? whyLocked(field, schema, line.isNew) : text('data:keyless');
      const draft = why === null ? draftFor(field) : { note: why };
      if (typeof draft === 'object' && draft !== null) notes.push(draft.note);
      else if (target && draft !== cellDraft(line, pendingOf(state, line), field.name)) {
        changes.push({ target, name: field.name, draft: draft ?? null, error: objection(field, draft) });
      }
    }
    state.changeCells(changes);
    const [why] = notes;
    if (why !== undefined && changes.length === 0) tell(latest.current.active, why);
    else setNote(null);
  };
  function* cellsIn({ top, bottom, left, right }: Rect) {
    for (let row = top; row <= bottom; row++) {
      const line = lineAt(row);
      if (line) for (const field of fields.slice(left, right + 1)) yield { line, field };
    }
  }
  const isHere = ({ top, bottom }: Rect): boolean => {
    for (let row = top; row <= bottom; row++) if (!lineAt(row)) return false;
    return true;
  };
  const takeBack = () => {
    const changes = [...cellsIn(rectOf(latest.current))].flatMap(({ line, field }) => {
      const target = targetOf(line);
      const isChanged = pendingOf(state, line)?.drafts[field.name] !== undefined;
      return target && isChanged ? givenBack(target, [field.name]) : [];
    });
    state.changeCells(changes);
  };

  /** Goes to the first cell that something was objected to. */
  const toWrong = () => {
    for (let row = 0; row < lineCount; row++) {
      const line = lineAt(row);
      const errors = line && pendingOf(state, line)?.errors;
      const column = errors ? fields.findIndex(({ name }) => errors[name] !== undefined) : -1;
      if (column < 0) continue;
      choose({ row, column });
      return show({ row, column });
    }
  };

  return {
    range,
    rect: rectOf(range),
    editing,
    note,
    choose,
    /** Also a range that reaches from one corner to another. */
    chooseRect: ({ top, left, bottom, right }: Rect) => {
      choose({ row: top, column: left });
      choose({ row: bottom, column: right }, true);
    },
    move,
    all: () => {
      choose({ row: 0, column: 0 });
      choose({ row: Math.max(0, lineCount - 1), column: Math.max(0, fields.length - 1) }, true);
    },
    /** Leaves one cell of the range, or says nothing beside it any more. */
    leave: () => choose(range.active),
    edit,
    commit,
    giveUp,
    takeBack,
    toWrong,
    toNull: () =>
      fillAll((field) => (field.allow_null ? null : { note: text('data:grid.notNull', { field: field.name }) })),
    /** Empty where a field can be, else NULL. */
    clear: () =>
      fillAll((field) => {
        if (field.type === 'string' || field.type === 'text') return '';
        return field.allow_null ? null : { note: text('data:grid.notNull', { field: field.name }) };
      }),
  };
}

export type Cells = ReturnType<typeof useCells>;
