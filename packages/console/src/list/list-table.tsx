import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router';
import { text, useText } from '../text/index.ts';
import type { Column, Row } from './column.tsx';
import { clampWidth, type useColumnChoice } from './column-choice.ts';
import { fittingColumns, useWidth } from './fitting-columns.ts';
import classes from './list.module.css';
import { drawnListFrame, rememberListFrame } from './list-frame.ts';
import { useListReturn } from './list-return.ts';
import { rowLink, useEnterList, useRowKeys } from './row-keys.ts';
import { useRowOpener } from './row-opener.ts';
import type { Id } from './selection.ts';
import { Tick } from './tick.tsx';
import type { ListController } from './use-list-controller.ts';

/** From so many rows on, only those in sight are rendered. */
const virtualFrom = 200;
const rowHeight = { regular: 44, compact: 34 };
/** What a column without a width of its own takes at least. */
const flexibleWidth = 180;
const edgeWidth = 48;
/** Each button a row ends with, after the first. */
const buttonWidth = 36;
const endWidth = (buttons: number) => edgeWidth + (buttons - 1) * buttonWidth;
/** One step of the keyboard when a column is resized. */
const resizeStep = 16;

export interface RowsProps {
  list: ListController;
  columns: readonly Column[];
  label: string;
  nameOf: (row: Row) => string;
  addressOf: (row: Row) => string;
  /** Address of the section. */
  base: string;
  /** What a link to a row carries along, so that its editor can come back here. */
  linkState: unknown;
  menuOf: (row: Row) => React.ReactNode;
}

interface TableProps extends RowsProps {
  /** How many buttons a row ends with. */
  rowButtons: number;
  columnChoice: ReturnType<typeof useColumnChoice>;
  isCompact: boolean;
}

/**
 * The rows as a table: sticky head, whole row opens, arrows move, Shift ticks a range. Its frame is measured while it is empty:
 * measured with its rows the browser would lay them all out for that, and again for the columns that fit.
 */
export function ListTable(props: TableProps) {
  const frameRef = useRef<HTMLDivElement>(null);
  const drawn = drawnListFrame();
  useFillHeight(frameRef);
  const frameWidth = useWidth(frameRef, drawn?.width);
  return (
    <div
      ref={frameRef}
      className={classes.frame}
      style={drawn && ({ '--top': `${drawn.top}px` } as CSSProperties)}
      data-compact={props.isCompact || undefined}
    >
      {frameWidth !== undefined && <Table {...props} frameRef={frameRef} frameWidth={frameWidth} />}
    </div>
  );
}

interface FramedTableProps extends TableProps {
  frameRef: React.RefObject<HTMLDivElement | null>;
  frameWidth: number;
}

function Table({ frameRef, frameWidth, ...props }: FramedTableProps) {
  const { list, columns: allColumns, label, base, rowButtons, columnChoice, isCompact } = props;
  const t = useText('list');
  const { widths: chosenWidths } = columnChoice.choice;
  const columns = useMemo(() => {
    const available = frameWidth === 0 ? 0 : frameWidth - edgeWidth - endWidth(rowButtons);
    return fittingColumns(allColumns, ({ name, width }) => chosenWidths[name] ?? width ?? flexibleWidth, available);
  }, [allColumns, chosenWidths, frameWidth, rowButtons]);
  const widths = columns.map((column) => chosenWidths[column.name] ?? column.width);
  const minTableWidth = widths.reduce<number>(
    (sum, width) => sum + (width ?? flexibleWidth),
    edgeWidth + endWidth(rowButtons),
  );
  const height = isCompact ? rowHeight.compact : rowHeight.regular;
  const { rows, identifier } = list;
  const isVirtual = rows.length > virtualFrom;
  const { focusRow, moveTo } = useRowFocus(frameRef, (index) => isVirtual && virtual.scrollToIndex(index));
  const left = useListReturn(frameRef, {
    base,
    rows,
    identifier,
    focusRow: (index) => (isInSight(frameRef.current, index * height, height) ? focusRow(index) : moveTo(index)),
  });
  const virtual = useVirtualizer({
    // Off it measures nothing: the browser would have to lay out all rows for that.
    enabled: isVirtual,
    count: rows.length,
    getScrollElement: () => frameRef.current,
    estimateSize: () => height,
    initialOffset: left.scroll ?? 0,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the density changes
  useEffect(() => virtual.measure(), [height]);
  const virtualRows = virtual.getVirtualItems();
  const first = isVirtual ? (virtualRows[0]?.index ?? 0) : 0;
  const last = isVirtual ? (virtualRows.at(-1)?.index ?? -1) : rows.length - 1;
  useRowKeys(frameRef, { count: rows.length, moveTo, enter: useEnterList(list, moveTo) });

  const selectable = list.ids.length;
  const selectedCount = list.selection.ids.size;

  return (
    <table
      className={classes.table}
      style={{ minWidth: minTableWidth }}
      aria-label={label}
      aria-rowcount={isVirtual ? rows.length + 1 : undefined}
      aria-busy={list.isFetching}
    >
      <colgroup>
        <col style={{ width: edgeWidth }} />
        {columns.map((column, index) => (
          <col key={column.name} style={widths[index] ? { width: widths[index] } : undefined} />
        ))}
        <col style={{ width: endWidth(rowButtons) }} />
      </colgroup>
      <thead>
        <tr>
          <th className={classes.edge}>
            <Tick
              label={t('selectAll')}
              isTicked={selectable > 0 && selectedCount === selectable}
              isPartly={selectedCount > 0 && selectedCount < selectable}
              isDisabled={selectable === 0}
              onChange={list.tickAll}
            />
          </th>
          {columns.map((column) => (
            <HeadCell key={column.name} column={column} list={list} onResize={columnChoice.resize} />
          ))}
          <td className={classes.edge} />
        </tr>
      </thead>
      <tbody>
        {first > 0 ? <tr aria-hidden style={{ height: first * height }} /> : null}
        {rows.slice(first, last + 1).map((row, offset) => (
          <TableRow
            key={String(row[list.identifier])}
            {...props}
            columns={columns}
            row={row}
            index={first + offset}
            isVirtual={isVirtual}
          />
        ))}
        {isVirtual && last < rows.length - 1 ? (
          <tr aria-hidden style={{ height: (rows.length - 1 - last) * height }} />
        ) : null}
      </tbody>
    </table>
  );
}

interface TableRowProps extends TableProps {
  row: Row;
  index: number;
  isVirtual: boolean;
}

/** Rendered again only when something of it changes: while one scrolls, the rows in sight stay as they are. */
const TableRow = memo(function TableRow(props: TableRowProps) {
  const { row, index, isVirtual, list, columns, nameOf, addressOf, linkState, menuOf } = props;
  const id = row[list.identifier] as Id;
  const name = nameOf(row);
  const to = addressOf(row);
  const isSelected = list.selection.ids.has(id);

  const open = useRowOpener(to, linkState);

  return (
    <tr
      className={classes.row}
      data-chosen={isSelected || undefined}
      data-row={index}
      aria-rowindex={isVirtual ? index + 2 : undefined}
      onClick={open}
    >
      <td className={classes.edge} data-row-part>
        {list.isDeletable(row) ? (
          <Tick
            label={text('list:selectRow', { name })}
            isTicked={isSelected}
            onChange={(event) => list.tick(id, (event.nativeEvent as unknown as MouseEvent).shiftKey === true)}
          />
        ) : null}
      </td>
      {columns.map((column) => (
        <td key={column.name} className={classes.cell}>
          {column.opens ? (
            <Link to={to} state={linkState} className={classes.opener} data-row-link>
              {column.cell(row) || name}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      <td className={classes.edge} data-row-part>
        {menuOf(row)}
      </td>
    </tr>
  );
});

interface HeadCellProps {
  column: Column;
  list: ListController;
  onResize: (name: string, width: number) => void;
}

/** A column's head: click sorts, the edge resizes; Alt with the arrows resizes from the keyboard. */
function HeadCell({ column, list, onResize }: HeadCellProps) {
  const t = useText('list');
  const cell = useRef<HTMLTableCellElement>(null);
  const { order } = list.state;
  const isSorted = order.field === column.name;
  const width = () => cell.current?.getBoundingClientRect().width ?? 0;

  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    event.preventDefault();
    const handle = event.currentTarget;
    const start = { x: event.clientX, width: width() };
    handle.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) =>
      onResize(column.name, clampWidth(start.width + moved.clientX - start.x));
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const onKeys = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    onResize(column.name, width() + (event.key === 'ArrowRight' ? resizeStep : -resizeStep));
  };

  return (
    <th
      ref={cell}
      scope="col"
      className={classes.headCell}
      aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : undefined}
    >
      {column.sortable ? (
        <button
          type="button"
          className={classes.sorter}
          data-sorted={isSorted || undefined}
          title={t('sortBy', { column: column.label })}
          aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight"
          onClick={() => list.sort(column.name)}
          onKeyDown={onKeys}
        >
          <span>{column.label}</span>
          {isSorted && order.descending ? <IconArrowDown aria-hidden /> : <IconArrowUp aria-hidden />}
        </button>
      ) : (
        <span className={classes.sorter}>{column.label}</span>
      )}
      <span
        className={classes.resizer}
        onPointerDown={drag}
        title={t('resize', { column: column.label })}
        aria-hidden
      />
    </th>
  );
}

/** The table ends where the window ends, so that its head and its scroll bars stay in sight. */
function useFillHeight(frameRef: React.RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const fill = () => {
      const element = frameRef.current;
      if (!element) return;
      const top = Math.round(element.getBoundingClientRect().top);
      element.style.setProperty('--top', `${top}px`);
      rememberListFrame({ width: element.clientWidth, top });
    };
    fill();
    window.addEventListener('resize', fill);
    return () => window.removeEventListener('resize', fill);
  }, [frameRef]);
}

/** Whether a row at this height is in sight as the table is scrolled. */
const isInSight = (table: HTMLElement | null, top: number, height: number): boolean =>
  table !== null && top >= table.scrollTop && top + height <= table.scrollTop + table.clientHeight;

/** Moves the focus to the link of a row: as soon as it is rendered, or scrolling there first. */
function useRowFocus(frameRef: React.RefObject<HTMLDivElement | null>, scrollTo: (index: number) => void) {
  const [pendingIndex, setPendingIndex] = useState<number | null>(null);
  useEffect(() => {
    if (pendingIndex === null) return;
    const link = rowLink(frameRef.current, pendingIndex);
    if (!link) return;
    link.focus();
    setPendingIndex(null);
  });
  const focusRow = (index: number) => {
    const link = rowLink(frameRef.current, index);
    if (link) link.focus();
    else setPendingIndex(index);
  };
  const moveTo = (index: number) => {
    scrollTo(index);
    focusRow(index);
  };
  return { focusRow, moveTo };
}
