// The records as a grid: sticky head and first column, cells that are selected and edited in place (TBL-002, TBL-013). Here are head, rows,
// keys, mouse and menu; what a cell holds and how it is edited is in cells/.
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import classes from '../../styles/shared.module.css';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';
import { isNumeric } from '../../values/values.ts';
import { useWrongLead } from '../../writing/use-wrong-lead.ts';
import { type CellPosition, sizeOf } from '../cells/range.ts';
import { useCells } from '../cells/use-cells.ts';
import { useClipboard } from '../clipboard/use-clipboard.ts';
import gridClasses from './grid.module.css';
import { GridBody } from './grid-body.tsx';
import { useGridColumns } from './grid-columns.ts';
import { GridHead, selectionColumnWidth } from './grid-head.tsx';
import { keyAction } from './grid-keys.ts';
import { GridMenu, type MenuPosition } from './grid-menu.tsx';
import { useGridMouse } from './use-grid-mouse.ts';

interface GridProps {
  state: TableState;
  columns: Columns;
  label: string;
  /** The grid sets it: moves the focus back to the active cell when a pane closes. */
  focusRow: React.RefObject<() => void>;
}

export function Grid({ state, columns, label, focusRow }: GridProps) {
  const t = useText('data');
  const helpId = useId();
  const viewport = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<MenuPosition | null>(null);
  const { rowCount, recordCount, rowNodeAt, selection, hasKey } = state;
  const { table, visibleFields } = useGridColumns(state, columns);

  const scrollTarget = useRef<CellPosition | null>(null);
  const cells = useCells(state, visibleFields, (position) => {
    scrollTarget.current = position;
  });
  const { range, rect, editSession, note } = cells;
  const mouse = useGridMouse(cells, setMenu);
  const clipboard = useClipboard(state, cells, visibleFields);

  useEffect(() => {
    focusRow.current = () => activeCellOf(viewport.current)?.focus({ preventScroll: true });
    return () => {
      focusRow.current = () => {};
    };
  }, [focusRow]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is read from its beginning
  useEffect(() => {
    if (viewport.current) viewport.current.scrollTop = 0;
  }, [state.gridState]);

  useEnterByArrows(viewport);
  useOpenRowInSight(viewport, state.openKey);

  useWrongLead(state.wrongLead, (from) => {
    if (!state.isPaneWrong && !cells.goToWrongCell(from)) state.openWrongRecord();
  });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target as HTMLElement).matches('[data-at]')) return;
    const action = keyAction(event);
    if (!action) return;
    event.preventDefault();
    const { active } = range;
    const node = rowNodeAt(active.row);
    if (action.type === 'move') cells.moveSelection(action.step, action.isExtending);
    else if (action.type === 'edit') cells.startEdit(active, action.initialText);
    else if (action.type === 'openRecord') node?.key && state.openRecord(node.key);
    else if (action.type === 'toggleRow' || action.type === 'toggleRange') {
      if (node?.key && node.id) state.toggleRow(node.id, action.type === 'toggleRange');
    } else if (action.type === 'delete') selection.ids.size > 0 ? void state.deleteSelected() : cells.clearCells();
    else if (action.type === 'clear') cells.clearCells();
    else if (action.type === 'setNull') cells.setNull();
    else if (action.type === 'undo') state.undo();
    else if (action.type === 'redo') state.redo();
    else if (action.type === 'selectAll') cells.selectAll();
    else if (note || range.head !== range.active) cells.collapseRange();
    else state.clearSelection();
  };

  if (visibleFields.length === 0) return <p className={classes.note}>{t('noColumns')}</p>;
  // A number at the far end of a stretched last column would be hard to read as part of its row.
  const hasFiller = isNumeric(visibleFields.at(-1)!.type);
  const leafColumns = table.getAllLeafColumns();
  const totalWidth = leafColumns.reduce((sum, column) => sum + column.getSize(), hasKey ? selectionColumnWidth : 0);
  const size = sizeOf(rect);
  return (
    <>
      <VisuallyHidden id={helpId}>{t('gridHelp')}</VisuallyHidden>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and mouse of the grid inside, whose cells take the focus */}
      <div
        className={gridClasses.frame}
        ref={viewport}
        data-frame
        style={{ scrollPaddingInlineStart: (hasKey ? selectionColumnWidth : 0) + (leafColumns[0]?.getSize() ?? 0) }}
        onKeyDown={onKeyDown}
        onCopy={clipboard.onCopy}
        onPaste={clipboard.onPaste}
        {...mouse}
      >
        <table
          className={gridClasses.grid}
          style={{ minWidth: totalWidth }}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table one moves in, cell by cell, is a grid
          role="grid"
          aria-label={label}
          aria-describedby={helpId}
          aria-rowcount={rowCount + 1}
          aria-multiselectable={hasKey || undefined}
          aria-busy={state.isFetching}
        >
          <colgroup>
            {hasKey ? <col style={{ width: selectionColumnWidth }} /> : null}
            {leafColumns.map((column, index) => (
              // The last column takes the remaining width.
              <col
                key={column.id}
                style={index < leafColumns.length - 1 || hasFiller ? { width: column.getSize() } : undefined}
              />
            ))}
            {hasFiller ? <col /> : null}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {hasKey ? (
                <th className={gridClasses.edge} scope="col">
                  {state.isContinuous ? (
                    <span className={gridClasses.unseen}>{t('grid.openRecord')}</span>
                  ) : (
                    <input
                      type="checkbox"
                      className={gridClasses.tick}
                      aria-label={t('selectAll')}
                      checked={selection.ids.size > 0 && selection.ids.size === state.rowIds.length}
                      ref={(box) => {
                        if (box) box.indeterminate = selection.ids.size > 0 && selection.ids.size < state.rowIds.length;
                      }}
                      onChange={state.toggleAllRows}
                    />
                  )}
                </th>
              ) : null}
              {table.getHeaderGroups()[0]?.headers.map((header, index) => (
                <GridHead
                  key={header.id}
                  header={header}
                  field={visibleFields[index]!}
                  columnIndex={index}
                  state={state}
                  columns={columns}
                />
              ))}
              {hasFiller ? <td aria-hidden /> : null}
            </tr>
          </thead>
          <tbody>
            <GridBody
              state={state}
              cells={cells}
              fields={visibleFields}
              hasFiller={hasFiller}
              viewport={viewport}
              scrollTarget={scrollTarget}
            />
          </tbody>
        </table>
      </div>
      <VisuallyHidden role="status">
        {note?.text ?? (size.rows * size.columns > 1 ? t('grid.cells', size) : '')}
      </VisuallyHidden>
      {state.isContinuous && state.count > recordCount ? (
        <p className={classes.note}>{t('grid.mostRows', { count: recordCount })}</p>
      ) : null}
      <GridMenu
        position={menu}
        onClose={() => {
          setMenu(null);
          if (!editSession) focusRow.current();
        }}
        state={state}
        cells={cells}
        clipboard={clipboard}
        fields={visibleFields}
      />
    </>
  );
}

const activeCellOf = (frame: HTMLElement | null) =>
  frame?.querySelector<HTMLElement>('[data-at][tabindex="0"]') ?? null;

/** Up and down lead into the grid when nothing has the focus, as into every list. */
function useEnterByArrows(viewport: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
      if (!isArrow || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.defaultPrevented || document.activeElement !== document.body) return;
      const cell = activeCellOf(viewport.current);
      if (!cell) return;
      event.preventDefault();
      cell.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [viewport]);
}

/**
 * Opening a record leaves the grid where it is: browsers forget the place while the page is laid out anew beside the pane. The row
 * of the open record stays in sight when the room for the grid changes; sideways nothing moves.
 */
function useOpenRowInSight(viewport: React.RefObject<HTMLDivElement | null>, openKey: string | null): void {
  const place = useRef({ left: 0, top: 0 });
  useEffect(() => {
    const frame = viewport.current;
    const remember = () => {
      if (frame) place.current = { left: frame.scrollLeft, top: frame.scrollTop };
    };
    frame?.addEventListener('scroll', remember, { passive: true });
    return () => frame?.removeEventListener('scroll', remember);
  }, [viewport]);
  useEffect(() => {
    const frame = viewport.current;
    if (!frame || openKey === null) return;
    frame.scrollLeft = place.current.left;
    frame.scrollTop = place.current.top;
    const show = () => {
      const row = frame.querySelector('tr[data-open]')?.getBoundingClientRect();
      const head = frame.querySelector('thead')?.getBoundingClientRect();
      if (!row || !head) return;
      const bottom = frame.getBoundingClientRect().top + frame.clientTop + frame.clientHeight;
      const [above, below] = [head.bottom - row.top, row.bottom - bottom];
      if (above > 0) frame.scrollTop -= above;
      else if (below > 0) frame.scrollTop += below;
    };
    show();
    const observer = new ResizeObserver(show);
    observer.observe(frame);
    return () => observer.disconnect();
  }, [viewport, openKey]);
}
