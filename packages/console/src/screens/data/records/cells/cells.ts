// What a cell of the grid holds: the value of the record, or the draft in its place. Pure.
import type { FieldDescription } from '@sluice/contract';
import type { RowNode } from '../../table/use-row-nodes.ts';
import type { TableState } from '../../table/use-table.ts';
import { type Draft, ownValue, toDraft, valueText } from '../../values/values.ts';
import type { CellChange, EditTarget, RowDraft } from '../../writing/edits.ts';
import type { CellPosition } from './range.ts';

export function rowDraftOf(state: TableState, node: RowNode): RowDraft | undefined {
  if (node.isNew) return state.newRows.get(node.id ?? '');
  return node.key ? state.editOf(node.key) : undefined;
}

/** The record or new row that changes of a grid's row belong to; null when the record has no key. */
export function editTargetOf({ isNew, id, key, row }: RowNode): EditTarget | null {
  if (isNew) return { newRow: id ?? '' };
  return key && { key, original: row };
}

export const cellValue = (node: RowNode, rowDraft: RowDraft | undefined, name: string): unknown =>
  rowDraft && Object.hasOwn(rowDraft.drafts, name) ? rowDraft.drafts[name] : ownValue(node.row, name);

export const cellDraft = (node: RowNode, rowDraft: RowDraft | undefined, name: string): Draft =>
  toDraft(cellValue(node, rowDraft, name));

/** Whether a cell differs from what is stored. */
export const isDirtyCell = (node: RowNode, rowDraft: RowDraft | undefined, name: string): boolean =>
  rowDraft !== undefined &&
  Object.hasOwn(rowDraft.drafts, name) &&
  rowDraft.drafts[name] !== (toDraft(ownValue(node.row, name)) ?? null);

/** The texts of a row's cells, for the clipboard. */
export const cellTexts = (
  node: RowNode,
  rowDraft: RowDraft | undefined,
  fields: readonly FieldDescription[],
): string[] => fields.map(({ name }) => valueText(cellValue(node, rowDraft, name)));

/** Changes that discard the drafts of cells. */
export const revertChanges = (target: EditTarget, names: readonly string[]): CellChange[] =>
  names.map((name) => ({ target, name }));

/** The element of a cell. */
export const cellElement = (viewport: HTMLElement | null, { row, column }: CellPosition): HTMLElement | null =>
  viewport?.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`) ?? null;

/** The cell an event happened in. */
export function positionOf(target: EventTarget | null): CellPosition | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-at]') : null;
  const [row, column] = (cell?.dataset.at ?? '').split(':').map(Number);
  return row === undefined || column === undefined || Number.isNaN(row) ? null : { row, column };
}
