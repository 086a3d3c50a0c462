import type { FieldDescription } from '@sluice/contract';
import { Fragment, useEffect, useRef, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import type { TableState } from '../../table/use-table.ts';
import { cellElement, rowDraftOf } from '../cells/cells.ts';
import { type CellPosition, sizeOf } from '../cells/range.ts';
import type { Cells } from '../cells/use-cells.ts';
import { GridRow, type RowActions } from './grid-row.tsx';
import { rowHeight, useRenderedRows } from './use-rendered-rows.ts';

interface GridBodyProps {
  state: TableState;
  cells: Cells;
  fields: readonly FieldDescription[];
  hasFiller: boolean;
  viewport: React.RefObject<HTMLDivElement | null>;
  /** The cell to scroll to next. */
  scrollTarget: React.RefObject<CellPosition | null>;
}

/** The rendered rows. Scrolling renders these again, and nothing around them. */
export function GridBody({ state, cells, fields, hasFiller, viewport, scrollTarget }: GridBodyProps) {
  const t = useText('data');
  const { rowCount, rowNodeAt, selection, hasKey } = state;
  const { range, rect, editSession, note } = cells;
  const { renderedRows, scrollTo } = useRenderedRows(state, viewport, fields.length, range.active.row);
  useScrollToCell(viewport, scrollTarget, scrollTo, range.active, editSession !== null);
  const { toggleRow, recordLocation, openRecord } = state;
  const actions = useRowActions({
    toggleRow,
    recordLocation,
    openRecord,
    commitEdit: cells.commitEdit,
    cancelEdit: cells.cancelEdit,
  });
  const { rows, columns } = sizeOf(rect);
  return (
    <>
      {renderedRows.map((index, position) => {
        const gap = index - (renderedRows[position - 1] ?? -1) - 1;
        const node = rowNodeAt(index);
        const isInRange = index >= rect.top && index <= rect.bottom && rows * columns > 1;
        return (
          <Fragment key={index}>
            {gap > 0 ? <tr aria-hidden style={{ height: gap * rowHeight }} /> : null}
            <GridRow
              node={node}
              index={index}
              fields={fields}
              hasSelectionColumn={hasKey}
              hasFiller={hasFiller}
              rowDraft={node && rowDraftOf(state, node)}
              isDirty={node !== undefined && state.isDirty(node.key)}
              isSelected={node?.id != null && selection.ids.has(node.id)}
              isOpen={node?.id != null && node.id === state.openKey}
              activeColumn={index === range.active.row ? range.active.column : -1}
              rangeStart={isInRange ? rect.left : -1}
              rangeEnd={isInRange ? rect.right : -1}
              editSession={editSession?.position.row === index ? editSession : null}
              note={note?.position.row === index ? note : null}
              actions={actions}
              t={t}
            />
          </Fragment>
        );
      })}
      <tr aria-hidden style={{ height: (rowCount - 1 - (renderedRows.at(-1) ?? -1)) * rowHeight }} />
    </>
  );
}

/** Scrolls to a cell and focuses the active one as soon as they are rendered; the other end of a range is only scrolled to. */
function useScrollToCell(
  viewport: React.RefObject<HTMLDivElement | null>,
  scrollTarget: React.RefObject<CellPosition | null>,
  scrollTo: (row: number) => void,
  active: CellPosition,
  isEditing: boolean,
) {
  useEffect(() => {
    const position = scrollTarget.current;
    if (!position) return;
    const cell = cellElement(viewport.current, position);
    if (!cell) {
      scrollTo(position.row);
      return;
    }
    scrollTarget.current = null;
    if (!isEditing) cellElement(viewport.current, active)?.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}

/** Always the same object, so that only rows that changed are rendered again. */
function useRowActions(current: RowActions): RowActions {
  const latest = useRef(current);
  latest.current = current;
  const [actions] = useState<RowActions>(() => ({
    toggleRow: (...all) => latest.current.toggleRow(...all),
    commitEdit: (...all) => latest.current.commitEdit(...all),
    cancelEdit: () => latest.current.cancelEdit(),
    recordLocation: (key) => latest.current.recordLocation(key),
    openRecord: (key) => latest.current.openRecord(key),
  }));
  return actions;
}
