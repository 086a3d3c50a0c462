// The records as a grid: sticky head and first column, cells that are chosen and edited in place (TBL-002, TBL-013). Here are head, rows,
// keys, mouse and menu; what a cell holds and how it is edited is in cells/.
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import classes from '../../look/look.module.css';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';
import { isNumeric } from '../../values/values.ts';
import { type At, sizeOf } from '../cells/range.ts';
import { useCells } from '../cells/use-cells.ts';
import { useClipboard } from '../clipboard/use-clipboard.ts';
import gridClasses from './grid.module.css';
import { GridBody } from './grid-body.tsx';
import { useGridColumns } from './grid-columns.ts';
import { edgeWidth, GridHead } from './grid-head.tsx';
import { actionOf } from './grid-keys.ts';
import { GridMenu, type MenuAt } from './grid-menu.tsx';
import { useGridMouse } from './use-grid-mouse.ts';

interface GridProps {
  state: TableState;
  columns: Columns;
  label: string;
  /** Set here: puts the keyboard back where it was when a pane closes. */
  focusRow: React.RefObject<() => void>;
}

export function Grid({ state, columns, label, focusRow }: GridProps) {
  const t = useText('data');
  const helpId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<MenuAt | null>(null);
  const { lineCount, recordCount, lineAt, selection, hasKey } = state;
  const { table, shown } = useGridColumns(state, columns);

  const wanted = useRef<At | null>(null);
  const cells = useCells(state, shown, (at) => {
    wanted.current = at;
  });
  const { range, rect, editing, note } = cells;
  const mouse = useGridMouse(cells, setMenu);
  const clipboard = useClipboard(state, cells, shown);

  useEffect(() => {
    focusRow.current = () => frame.current?.querySelector<HTMLElement>('[data-at][tabindex="0"]')?.focus();
    return () => {
      focusRow.current = () => {};
    };
  }, [focusRow]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is read from its beginning
  useEffect(() => {
    if (frame.current) frame.current.scrollTop = 0;
  }, [state.place]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each save that was refused
  useEffect(() => {
    if (state.refusals > 0) cells.toWrong();
  }, [state.refusals]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target as HTMLElement).matches('[data-at]')) return;
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    const { active } = range;
    const line = lineAt(active.row);
    if (action.do === 'move') cells.move(action.step, action.extends);
    else if (action.do === 'edit') cells.edit(active, action.typed);
    else if (action.do === 'open') line?.key && state.open(line.key);
    else if (action.do === 'tick' || action.do === 'tickRange') {
      if (line?.key && line.id) state.tick(line.id, action.do === 'tickRange');
    } else if (action.do === 'delete') selection.ids.size > 0 ? void state.deleteSelected() : cells.clear();
    else if (action.do === 'clear') cells.clear();
    else if (action.do === 'toNull') cells.toNull();
    else if (action.do === 'undo') state.undo();
    else if (action.do === 'redo') state.redo();
    else if (action.do === 'all') cells.all();
    else if (note || range.head !== range.active) cells.leave();
    else state.clearSelection();
  };

  if (shown.length === 0) return <p className={classes.note}>{t('noColumns')}</p>;
  // A number at the far right of an empty stretch belongs to nobody.
  const hasFiller = isNumeric(shown.at(-1)!.type);
  const leaves = table.getAllLeafColumns();
  const total = leaves.reduce((sum, each) => sum + each.getSize(), hasKey ? edgeWidth : 0);
  const size = sizeOf(rect);
  return (
    <>
      <VisuallyHidden id={helpId}>{t('gridHelp')}</VisuallyHidden>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and mouse of the grid inside, whose cells take the focus */}
      <div
        className={gridClasses.frame}
        ref={frame}
        data-frame
        style={{ scrollPaddingInlineStart: (hasKey ? edgeWidth : 0) + (leaves[0]?.getSize() ?? 0) }}
        onKeyDown={onKeyDown}
        onCopy={clipboard.onCopy}
        onPaste={clipboard.onPaste}
        {...mouse}
      >
        <table
          className={gridClasses.grid}
          style={{ minWidth: total }}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table one moves in, cell by cell, is a grid
          role="grid"
          aria-label={label}
          aria-describedby={helpId}
          aria-rowcount={lineCount + 1}
          aria-multiselectable={hasKey || undefined}
          aria-busy={state.isFetching}
        >
          <colgroup>
            {hasKey ? <col style={{ width: edgeWidth }} /> : null}
            {leaves.map((each, index) => (
              // The last one takes what is left.
              <col
                key={each.id}
                style={index < leaves.length - 1 || hasFiller ? { width: each.getSize() } : undefined}
              />
            ))}
            {hasFiller ? <col /> : null}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {hasKey ? (
                <th className={gridClasses.edge} scope="col">
                  {state.isWhole ? (
                    <span className={gridClasses.unseen}>{t('grid.openRecord')}</span>
                  ) : (
                    <input
                      type="checkbox"
                      className={gridClasses.tick}
                      aria-label={t('selectAll')}
                      checked={selection.ids.size > 0 && selection.ids.size === state.ids.length}
                      ref={(box) => {
                        if (box) box.indeterminate = selection.ids.size > 0 && selection.ids.size < state.ids.length;
                      }}
                      onChange={state.tickAll}
                    />
                  )}
                </th>
              ) : null}
              {table.getHeaderGroups()[0]?.headers.map((header, index) => (
                <GridHead
                  key={header.id}
                  header={header}
                  field={shown[index]!}
                  place={index}
                  state={state}
                  columns={columns}
                />
              ))}
              {hasFiller ? <td aria-hidden /> : null}
            </tr>
          </thead>
          <tbody>
            <GridBody state={state} cells={cells} fields={shown} hasFiller={hasFiller} frame={frame} wanted={wanted} />
          </tbody>
        </table>
      </div>
      <VisuallyHidden role="status">
        {note?.text ?? (size.rows * size.columns > 1 ? t('grid.cells', size) : '')}
      </VisuallyHidden>
      {state.isWhole && state.count > recordCount ? (
        <p className={classes.note}>{t('grid.mostRows', { count: recordCount })}</p>
      ) : null}
      <GridMenu
        at={menu}
        onClose={() => {
          setMenu(null);
          if (!editing) focusRow.current();
        }}
        state={state}
        cells={cells}
        clipboard={clipboard}
        fields={shown}
      />
    </>
  );
}
