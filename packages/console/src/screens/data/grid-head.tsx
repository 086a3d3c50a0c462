import type { FieldDescription } from '@sluice/contract';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Header } from '@tanstack/react-table';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useText } from '../../text/index.ts';
import gridClasses from './grid.module.css';
import type { GridFeatures } from './grid.tsx';
import type { Row } from './sources.ts';
import type { TableState } from './use-table.ts';
import { isNumeric } from './values.ts';

/** Pixels of the column that ticks. */
export const edgeWidth = 44;
/** One step of the keyboard when a column is resized. */
const resizeStep = 16;

/** Where the first column stays while the others scroll. */
export const pinned = (hasEdge: boolean): CSSProperties => ({ insetInlineStart: hasEdge ? edgeWidth : 0 });

interface GridHeadProps {
  header: Header<GridFeatures, Row, unknown>;
  field: FieldDescription;
  state: TableState;
}

/** A column's head: click sorts (OPEN-119), the edge resizes; Alt with the arrows resizes from the keyboard. */
export function GridHead({ header, field, state }: GridHeadProps) {
  const t = useText('data');
  const { order } = state.place;
  const isSorted = order?.field === field.name;
  const { column } = header;
  const { table } = header.getContext();
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -resizeStep, ArrowRight: resizeStep }[event.key];
    if (!event.altKey || !step) return;
    event.preventDefault();
    table.setColumnSizing((sizes) => ({ ...sizes, [column.id]: column.getSize() + step }));
  };
  const resize = header.getResizeHandler();
  const isPinned = column.getIsPinned() !== false;
  return (
    <th
      scope="col"
      className={gridClasses.head}
      data-pinned={isPinned || undefined}
      data-number={isNumeric(field.type) || undefined}
      style={isPinned ? pinned(state.hasKey) : undefined}
      aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={gridClasses.sorter}
        data-sorted={isSorted || undefined}
        title={`${field.label} · ${field.db_type ?? field.type}`}
        aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
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
      />
    </th>
  );
}
