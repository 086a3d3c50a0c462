import type { FieldDescription } from '@sluice/contract';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Header } from '@tanstack/react-table';
import { type CSSProperties, type DragEvent, type KeyboardEvent, useState } from 'react';
import { useText } from '../../../../text/index.ts';
import type { Row } from '../../address/sources.ts';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';
import { isNumeric } from '../../values/values.ts';
import gridClasses from './grid.module.css';
import type { GridFeatures } from './grid-columns.ts';

/** Pixels of the column that selects records and opens them. */
export const selectionColumnWidth = 68;
/** One step of the keyboard when a column is resized. */
const resizeStep = 16;
/** The type of data a dragged column has; nothing else can be dropped on a head. */
const dragType = 'application/x-sluice-column';

/** Keeps the first column in place while the others scroll. */
export const pinnedStyle = (hasSelectionColumn: boolean): CSSProperties => ({
  insetInlineStart: hasSelectionColumn ? selectionColumnWidth : 0,
});

interface GridHeadProps {
  header: Header<GridFeatures, Row, unknown>;
  field: FieldDescription;
  columnIndex: number;
  state: TableState;
  columns: Columns;
}

/**
 * A column's head: click sorts (OPEN-119), dragging moves it, its edge resizes, a double click there resets the width. With Alt
 * the arrows resize, with Alt and Shift they move.
 */
export function GridHead({ header, field, columnIndex, state, columns }: GridHeadProps) {
  const t = useText('data');
  const [isOver, setOver] = useState(false);
  const { order } = state.gridState;
  const isSorted = order?.field === field.name;
  const { column } = header;
  const { table } = header.getContext();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!event.altKey || !step) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.shiftKey) columns.move(field.name, columnIndex + step);
    else table.setColumnSizing((sizes) => ({ ...sizes, [column.id]: column.getSize() + step * resizeStep }));
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(dragType)) return;
    event.preventDefault();
    setOver(true);
  };
  const resize = header.getResizeHandler();
  const isPinned = column.getIsPinned() !== false;
  return (
    <th
      scope="col"
      className={gridClasses.head}
      data-pinned={isPinned || undefined}
      data-number={isNumeric(field.type) || undefined}
      data-over={isOver || undefined}
      style={isPinned ? pinnedStyle(state.hasKey) : undefined}
      aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const name = event.dataTransfer.getData(dragType);
        if (columns.visible.includes(name)) columns.move(name, columnIndex);
      }}
    >
      <button
        type="button"
        className={gridClasses.sorter}
        data-sorted={isSorted || undefined}
        title={`${field.label} · ${field.db_type ?? field.type}`}
        aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight Alt+Shift+ArrowLeft Alt+Shift+ArrowRight"
        draggable
        onDragStart={(event) => event.dataTransfer.setData(dragType, field.name)}
        onClick={() => state.sort(field.name)}
        onKeyDown={onKeyDown}
      >
        <span>{field.name}</span>
        {isSorted && order.descending ? <IconArrowDown aria-hidden /> : <IconArrowUp aria-hidden />}
      </button>
      <span
        className={gridClasses.resizer}
        data-resizing={column.getIsResizing() || undefined}
        title={t('resize', { field: field.name })}
        aria-hidden
        onMouseDown={resize}
        onTouchStart={resize}
        onDoubleClick={() => columns.resetWidth(field.name)}
      />
    </th>
  );
}
