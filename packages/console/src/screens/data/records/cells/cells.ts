// What a cell of the grid holds: the record's value, or what was put in its place. Pure.
import type { FieldDescription } from '@sluice/contract';
import type { Line } from '../../table/use-lines.ts';
import type { TableState } from '../../table/use-table.ts';
import { type Draft, toDraft, valueText } from '../../values/values.ts';
import type { CellChange, Edit, Target } from '../../writing/edits.ts';
import type { At } from './range.ts';

/** What was changed in a row. */
export type Pending = Pick<Edit, 'drafts' | 'errors'>;

export function pendingOf(state: TableState, line: Line): Pending | undefined {
  if (line.isNew) return state.added.get(line.id ?? '');
  return line.key ? state.editOf(line.key) : undefined;
}

/** Where changes of a row go; null when nothing names it. */
export function targetOf({ isNew, id, key, row }: Line): Target | null {
  if (isNew) return { added: id ?? '' };
  return key && { key, stored: row };
}

export const cellValue = (line: Line, pending: Pending | undefined, name: string): unknown =>
  pending && name in pending.drafts ? pending.drafts[name] : line.row[name];

export const cellDraft = (line: Line, pending: Pending | undefined, name: string): Draft =>
  toDraft(cellValue(line, pending, name));

/** Whether a cell differs from what is stored. */
export const isChangedCell = (line: Line, pending: Pending | undefined, name: string): boolean =>
  pending !== undefined && name in pending.drafts && pending.drafts[name] !== (toDraft(line.row[name]) ?? null);

/** The texts of a row's cells, for the clipboard. */
export const cellTexts = (line: Line, pending: Pending | undefined, fields: readonly FieldDescription[]): string[] =>
  fields.map(({ name }) => valueText(cellValue(line, pending, name)));

/** Changes that give cells back what is stored. */
export const givenBack = (target: Target, names: readonly string[]): CellChange[] =>
  names.map((name) => ({ target, name }));

/** The element of a cell. */
export const cellElement = (frame: HTMLElement | null, { row, column }: At): HTMLElement | null =>
  frame?.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`) ?? null;

/** The cell an event happened in. */
export function atOf(target: EventTarget | null): At | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
  const [row, column] = (cell?.dataset.at ?? '').split(':').map(Number);
  return row === undefined || column === undefined || Number.isNaN(row) ? null : { row, column };
}
