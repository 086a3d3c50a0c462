// Copy and paste between the grid and a spreadsheet, by the browser's clipboard events: they work without https and without a permission.
import type { FieldDescription } from '@sluice/contract';
import { type ClipboardEvent, useRef } from 'react';
import { text } from '../../../../text/index.ts';
import { copyText, notify } from '../../../../ui/index.ts';
import type { RowNode } from '../../table/use-row-nodes.ts';
import type { TableState } from '../../table/use-table.ts';
import { cellDraft, cellTexts, editTargetOf, rowDraftOf } from '../cells/cells.ts';
import { type CellRect, sizeOf } from '../cells/range.ts';
import type { Cells } from '../cells/use-cells.ts';
import { fromClipboard, toTsv } from './clipboard.ts';
import { maxPastedRows, type PastedCells, type PastePlan, planPaste } from './paste.ts';

/** The most rows of one copy. */
const maxCopiedRows = 10_000;

/** The last copy made in this grid. Pasting it keeps null and the empty text apart. */
let lastCopy: { text: string; cells: PastedCells } | null = null;

let newRowCounter = 0;

export function useClipboard(state: TableState, cells: Cells, fields: readonly FieldDescription[]) {
  const { schema, recordCount, rowCount, rowNodeAt } = state;
  const isPasting = useRef(false);

  const fieldsOf = ({ left, right }: CellRect) => fields.slice(left, right + 1);
  const loadedNodes = ({ top, bottom }: CellRect): RowNode[] | null => {
    const nodes: RowNode[] = [];
    for (let row = top; row <= bottom; row++) {
      const node = rowNodeAt(row);
      if (!node) return null;
      nodes.push(node);
    }
    return nodes;
  };
  const fetchNodes = async ({ top, bottom }: CellRect): Promise<RowNode[]> => {
    const last = Math.min(bottom, recordCount - 1);
    const records = top <= last ? (await state.fetchRows(top, last)).map(state.rowNodeOf) : [];
    const newNodes = Array.from({ length: Math.max(0, bottom - Math.max(top - 1, last)) }, (_, index) =>
      rowNodeAt(Math.max(top, recordCount) + index),
    );
    return [...records, ...newNodes.filter((node) => node !== undefined)];
  };
  const prepareCopy = (nodes: readonly RowNode[], rect: CellRect, hasHeaders: boolean): string => {
    const visibleFields = fieldsOf(rect);
    const body = nodes.map((node) => cellTexts(node, rowDraftOf(state, node), visibleFields));
    const clipboardText = toTsv(hasHeaders ? [visibleFields.map(({ name }) => name), ...body] : body);
    const drafts = nodes.map((node) => visibleFields.map(({ name }) => cellDraft(node, rowDraftOf(state, node), name)));
    lastCopy = hasHeaders ? null : { text: clipboardText, cells: drafts };
    return clipboardText;
  };
  const refuseIfTooLarge = (rect: CellRect): boolean => {
    const isTooLarge = sizeOf(rect).rows > maxCopiedRows;
    if (isTooLarge) notify.error(text('data:title'), text('data:grid.mostCopied', { count: maxCopiedRows }));
    return isTooLarge;
  };

  const copy = async (hasHeaders: boolean): Promise<void> => {
    const { rect } = cells;
    if (refuseIfTooLarge(rect)) return;
    try {
      const nodes = loadedNodes(rect) ?? (await fetchNodes(rect));
      if (!(await copyText(prepareCopy(nodes, rect, hasHeaders)))) throw new Error(text('data:grid.copiedNot'));
      notify.success(text('data:grid.copied', { count: nodes.length }));
    } catch (error) {
      notify.error(text('data:title'), error instanceof Error && !('status' in error) ? error.message : error);
    }
  };

  const paste = async (clipboardText: string): Promise<void> => {
    if (!schema || isPasting.current) return;
    const ownCells = lastCopy?.text === clipboardText ? lastCopy.cells : null;
    const pasted: PastedCells = ownCells ?? fromClipboard(clipboardText);
    if (pasted.length > maxPastedRows) {
      return notify.error(text('data:title'), text('data:grid.mostPasted', { count: maxPastedRows }));
    }
    isPasting.current = true;
    try {
      const { rect } = cells;
      const size = sizeOf(rect);
      const bottom = rect.top + (pasted.length === 1 ? size.rows : pasted.length) - 1;
      const nodes = await fetchNodes({ ...rect, bottom: Math.min(bottom, rowCount - 1) });
      const plan = planPaste({
        cells: pasted,
        hasNulls: ownCells !== null,
        rect,
        fields,
        schema,
        targetAt: (row) => {
          const node = nodes[row - rect.top];
          return node ? editTargetOf(node) : null;
        },
        rowCount,
        newRowId: canAppendRows(state) ? (index) => `new-${newRowCounter + index + 1}` : null,
      });
      newRowCounter += plan.newRowCount;
      state.changeCells(plan.changes);
      const width = Math.max(...pasted.map((row) => row.length));
      const right = rect.left + (width === 1 ? size.columns : width) - 1;
      cells.selectRect({ ...rect, bottom: Math.min(bottom, rowCount + plan.newRowCount - 1), right });
      reportPaste(plan);
    } catch (error) {
      notify.error(text('data:title'), error);
    } finally {
      isPasting.current = false;
    }
  };

  return {
    copy,
    onCopy: (event: ClipboardEvent) => {
      const { rect } = cells;
      if (!isGridEvent(event)) return;
      event.preventDefault();
      if (refuseIfTooLarge(rect)) return;
      const nodes = loadedNodes(rect);
      // Rows that have to be fetched first come too late for the event.
      if (nodes) event.clipboardData.setData('text/plain', prepareCopy(nodes, rect, false));
      else void copy(false);
    },
    onPaste: (event: ClipboardEvent) => {
      if (!isGridEvent(event)) return;
      event.preventDefault();
      const clipboardText = event.clipboardData.getData('text/plain');
      if (clipboardText !== '') void paste(clipboardText);
    },
  };
}

/** New rows follow the last record of the table, not the last one of any page. */
const canAppendRows = ({ hasKey, isContinuous, gridState, pages }: TableState): boolean =>
  hasKey && (isContinuous || gridState.page >= pages);

/** Whether the event is the grid's own: not of an input in a cell, and not of a text selected elsewhere. */
const isGridEvent = ({ target }: ClipboardEvent): boolean => target instanceof Element && target.matches('[data-at]');

/** Says what a paste did; as an error when something was left out. */
function reportPaste({ changes, newRowCount, skippedRows, skippedColumns, lockedCells }: PastePlan): void {
  const invalidCells = changes.filter(({ error }) => error).length;
  const sentences = [
    text('data:grid.pasted', { count: changes.length }),
    newRowCount > 0 && text('data:grid.added', { count: newRowCount }),
    invalidCells > 0 && text('data:grid.wrong', { count: invalidCells }),
    skippedRows > 0 && text('data:grid.leftRows', { count: skippedRows }),
    skippedColumns > 0 && text('data:grid.leftColumns', { count: skippedColumns }),
    lockedCells > 0 && text('data:grid.locked', { count: lockedCells }),
  ].filter((sentence) => sentence !== false);
  if (skippedRows + skippedColumns + lockedCells > 0) notify.error(text('data:title'), sentences.join(' '));
  else notify.success(sentences.join(' '));
}
