import type { FieldDescription } from '@sluice/contract';
import { Fragment, useEffect, useRef, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import type { TableState } from '../../table/use-table.ts';
import { cellElement, pendingOf } from '../cells/cells.ts';
import { type At, sizeOf } from '../cells/range.ts';
import type { Cells } from '../cells/use-cells.ts';
import { GridRow, type RowActions } from './grid-row.tsx';
import { rowHeight, useDrawnRows } from './use-drawn-rows.ts';

interface GridBodyProps {
  state: TableState;
  cells: Cells;
  fields: readonly FieldDescription[];
  hasFiller: boolean;
  frame: React.RefObject<HTMLDivElement | null>;
  /** The cell to bring into sight next. */
  wanted: React.RefObject<At | null>;
}

/** The rows in sight. Scrolling draws these again, and nothing around them. */
export function GridBody({ state, cells, fields, hasFiller, frame, wanted }: GridBodyProps) {
  const t = useText('data');
  const { lineCount, lineAt, selection, hasKey } = state;
  const { range, rect, editing, note } = cells;
  const { drawn, scrollTo } = useDrawnRows(state, frame, fields.length, range.active.row);
  useWantedCell(frame, wanted, scrollTo, range.active, editing !== null);
  const { tick, addressOf, open } = state;
  const actions = useRowActions({ tick, addressOf, open, commit: cells.commit, giveUp: cells.giveUp });
  const { rows, columns } = sizeOf(rect);
  return (
    <>
      {drawn.map((index, position) => {
        const gap = index - (drawn[position - 1] ?? -1) - 1;
        const line = lineAt(index);
        const isIn = index >= rect.top && index <= rect.bottom && rows * columns > 1;
        return (
          <Fragment key={index}>
            {gap > 0 ? <tr aria-hidden style={{ height: gap * rowHeight }} /> : null}
            <GridRow
              line={line}
              index={index}
              fields={fields}
              hasEdge={hasKey}
              hasFiller={hasFiller}
              pending={line && pendingOf(state, line)}
              isUnsaved={line !== undefined && state.isUnsaved(line.key)}
              isSelected={line?.id != null && selection.ids.has(line.id)}
              isOpen={line?.id != null && line.id === state.openKey}
              activeColumn={index === range.active.row ? range.active.column : -1}
              from={isIn ? rect.left : -1}
              to={isIn ? rect.right : -1}
              editing={editing?.at.row === index ? editing : null}
              note={note?.at.row === index ? note : null}
              actions={actions}
              t={t}
            />
          </Fragment>
        );
      })}
      <tr aria-hidden style={{ height: (lineCount - 1 - (drawn.at(-1) ?? -1)) * rowHeight }} />
    </>
  );
}

/** Moves the keyboard to a cell, once it is drawn; what only ends a range is brought into sight. */
function useWantedCell(
  frame: React.RefObject<HTMLDivElement | null>,
  wanted: React.RefObject<At | null>,
  scrollTo: (row: number) => void,
  active: At,
  isEditing: boolean,
) {
  useEffect(() => {
    const at = wanted.current;
    if (!at) return;
    const cell = cellElement(frame.current, at);
    if (!cell) {
      scrollTo(at.row);
      return;
    }
    wanted.current = null;
    if (!isEditing) cellElement(frame.current, active)?.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
}

/** The same object always, so that only rows that changed are drawn again. */
function useRowActions(now: RowActions): RowActions {
  const latest = useRef(now);
  latest.current = now;
  const [actions] = useState<RowActions>(() => ({
    tick: (...all) => latest.current.tick(...all),
    commit: (...all) => latest.current.commit(...all),
    giveUp: () => latest.current.giveUp(),
    addressOf: (key) => latest.current.addressOf(key),
    open: (key) => latest.current.open(key),
  }));
  return actions;
}
