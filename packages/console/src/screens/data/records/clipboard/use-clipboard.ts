// Copy and paste between the grid and a spreadsheet, by the browser's own events: they work without https and without asking.
import type { FieldDescription } from '@sluice/contract';
import { type ClipboardEvent, useRef } from 'react';
import { text } from '../../../../text/index.ts';
import { copyText, notify } from '../../../../ui/index.ts';
import type { Line } from '../../table/use-lines.ts';
import type { TableState } from '../../table/use-table.ts';
import { cellDraft, cellTexts, pendingOf, targetOf } from '../cells/cells.ts';
import { type Rect, sizeOf } from '../cells/range.ts';
import type { Cells } from '../cells/use-cells.ts';
import { fromClipboard, toTsv } from './clipboard.ts';
import { mostPasted, type Pasted, type PasteResult, planPaste } from './paste.ts';

/** How many rows a copy may have. */
const mostCopied = 10_000;

/** What was copied here last: pasted again, null stays apart from the empty text. */
let own: { text: string; cells: Pasted } | null = null;

let lastNew = 0;

export function useClipboard(state: TableState, cells: Cells, fields: readonly FieldDescription[]) {
  const { schema, recordCount, lineCount, lineAt } = state;
  const isPasting = useRef(false);

  const chosenFields = ({ left, right }: Rect) => fields.slice(left, right + 1);
  const linesHere = ({ top, bottom }: Rect): Line[] | null => {
    const lines: Line[] = [];
    for (let row = top; row <= bottom; row++) {
      const line = lineAt(row);
      if (!line) return null;
      lines.push(line);
    }
    return lines;
  };
  const readLines = async ({ top, bottom }: Rect): Promise<Line[]> => {
    const last = Math.min(bottom, recordCount - 1);
    const read = top <= last ? (await state.rowsBetween(top, last)).map(state.lineOf) : [];
    const fresh = Array.from({ length: Math.max(0, bottom - Math.max(top - 1, last)) }, (_, index) =>
      lineAt(Math.max(top, recordCount) + index),
    );
    return [...read, ...fresh.filter((line) => line !== undefined)];
  };
  const textOf = (lines: readonly Line[], rect: Rect, hasHeads: boolean): string => {
    const shown = chosenFields(rect);
    const body = lines.map((line) => cellTexts(line, pendingOf(state, line), shown));
    const words = toTsv(hasHeads ? [shown.map(({ name }) => name), ...body] : body);
    const drafts = lines.map((line) => shown.map(({ name }) => cellDraft(line, pendingOf(state, line), name)));
    own = hasHeads ? null : { text: words, cells: drafts };
    return words;
  };
  const isTooMuch = (rect: Rect): boolean => {
    const isMore = sizeOf(rect).rows > mostCopied;
    if (isMore) notify.error(text('data:title'), text('data:grid.mostCopied', { count: mostCopied }));
    return isMore;
  };

  const copy = async (hasHeads: boolean): Promise<void> => {
    const { rect } = cells;
    if (isTooMuch(rect)) return;
    try {
      const lines = linesHere(rect) ?? (await readLines(rect));
      if (!(await copyText(textOf(lines, rect, hasHeads)))) throw new Error(text('data:grid.copiedNot'));
      notify.success(text('data:grid.copied', { count: lines.length }));
    } catch (error) {
      notify.error(text('data:title'), error instanceof Error && !('status' in error) ? error.message : error);
    }
  };

  const paste = async (words: string): Promise<void> => {
    if (!schema || isPasting.current) return;
    const copied = own?.text === words ? own.cells : null;
    const pasted: Pasted = copied ?? fromClipboard(words);
    if (pasted.length > mostPasted) {
      return notify.error(text('data:title'), text('data:grid.mostPasted', { count: mostPasted }));
    }
    isPasting.current = true;
    try {
      const { rect } = cells;
      const size = sizeOf(rect);
      const bottom = rect.top + (pasted.length === 1 ? size.rows : pasted.length) - 1;
      const lines = await readLines({ ...rect, bottom: Math.min(bottom, lineCount - 1) });
      const result = planPaste({
        cells: pasted,
        hasNulls: copied !== null,
        rect,
        fields,
        schema,
        targetAt: (row) => {
          const line = lines[row - rect.top];
          return line ? targetOf(line) : null;
        },
        rows: lineCount,
        nameOf: mayAdd(state) ? (index) => `new-${lastNew + index + 1}` : null,
      });
      lastNew += result.added;
      state.changeCells(result.changes);
      const width = Math.max(...pasted.map((row) => row.length));
      const right = rect.left + (width === 1 ? size.columns : width) - 1;
      cells.chooseRect({ ...rect, bottom: Math.min(bottom, lineCount + result.added - 1), right });
      tell(result);
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
      if (!isOfGrid(event)) return;
      event.preventDefault();
      if (isTooMuch(rect)) return;
      const lines = linesHere(rect);
      // What has to be read first comes too late for the event.
      if (lines) event.clipboardData.setData('text/plain', textOf(lines, rect, false));
      else void copy(false);
    },
    onPaste: (event: ClipboardEvent) => {
      if (!isOfGrid(event)) return;
      event.preventDefault();
      const words = event.clipboardData.getData('text/plain');
      if (words !== '') void paste(words);
    },
  };
}

/** New records follow the last one of the table, not the last one of some page. */
const mayAdd = ({ hasKey, isWhole, place, pages }: TableState): boolean => hasKey && (isWhole || place.page >= pages);

/** Not of an input inside, nor of a text that was selected somewhere. */
const isOfGrid = ({ target }: ClipboardEvent): boolean => target instanceof Element && target.matches('[data-at]');

/** What became of a paste; what was left out is said louder. */
function tell({ changes, added, leftRows, leftColumns, locked }: PasteResult): void {
  const wrong = changes.filter(({ error }) => error).length;
  const parts = [
    text('data:grid.pasted', { count: changes.length }),
    added > 0 && text('data:grid.added', { count: added }),
    wrong > 0 && text('data:grid.wrong', { count: wrong }),
    leftRows > 0 && text('data:grid.leftRows', { count: leftRows }),
    leftColumns > 0 && text('data:grid.leftColumns', { count: leftColumns }),
    locked > 0 && text('data:grid.locked', { count: locked }),
  ].filter((part) => part !== false);
  if (leftRows + leftColumns + locked > 0) notify.error(text('data:title'), parts.join(' '));
  else notify.success(parts.join(' '));
}
