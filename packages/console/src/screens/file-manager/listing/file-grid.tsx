// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which those of a table cannot be.
// biome-ignore-all lint/a11y/useFocusableInteractive: the row has the focus, its cells have none.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { type FileItem, isPublic, useSizeText } from '../../../files/index.ts';
import { Tick } from '../../../list/tick.tsx';
import { useText } from '../../../text/index.ts';
import { useNarrowWindow } from '../../../ui/index.ts';
import { FileRow, placeOf, type RowHandlers } from './file-row.tsx';
import { type GridAction, gridAction } from './grid-keys.ts';
import classes from './listing.module.css';
import { type FileOrder, type OrderField, orderFields } from './order.ts';
import type { FileSelection } from './selection.ts';

const rowHeights = { desk: 36, phone: 52 };
const headHeight = 36;
/** Letters typed within this time, in milliseconds, are one word to jump to. */
const typeAheadTime = 700;

export interface GridHandle {
  focus: (path?: string) => void;
}

interface FileGridProps {
  label: string;
  items: readonly FileItem[];
  folder: string;
  order: FileOrder;
  onOrder: (order: FileOrder) => void;
  selection: FileSelection;
  onTickAll: () => void;
  cutPaths: ReadonlySet<string>;
  publicPaths: readonly string[];
  hrefOf: (item: FileItem) => string;
  /** Whether items of several folders are shown. */
  showsPlaces: boolean;
  menuPath: string | null;
  on: RowHandlers;
  onAction: (action: GridAction, index: number, held: { range: boolean; add: boolean }) => void;
  ref: Ref<GridHandle>;
}

/** The files of a folder: only the rows in sight are rendered, so that ten thousand scroll as ten. */
export function FileGrid(props: FileGridProps) {
  const { label, items, folder, selection, cutPaths, publicPaths, hrefOf, menuPath, on, onAction } = props;
  const t = useText('files');
  const sizeText = useSizeText();
  const isNarrow = useNarrowWindow('sm');
  const rowHeight = isNarrow ? rowHeights.phone : rowHeights.desk;
  const scroller = useRef<HTMLDivElement>(null);
  const current = items.findIndex(({ path }) => path === selection.current);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: headHeight,
    // The row the keyboard is on has the focus, wherever one scrolls.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.max(0, current)])].sort((a, b) => a - b),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when rows change their height
  useEffect(() => virtual.measure(), [rowHeight]);

  const [wantedFocus, setWantedFocus] = useState<string | null>(null);
  const rowOf = (path: string) =>
    scroller.current?.querySelector<HTMLElement>(`[role="row"][data-path="${CSS.escape(path)}"]`);
  useEffect(() => {
    if (wantedFocus === null) return;
    const row = rowOf(wantedFocus);
    if (!row) return;
    row.focus({ preventScroll: true });
    setWantedFocus(null);
  });
  useImperativeHandle(props.ref, () => ({
    focus: (path = selection.current ?? items[0]?.path) => {
      const index = items.findIndex((item) => item.path === path);
      if (path === undefined || index < 0) return scroller.current?.focus();
      virtual.scrollToIndex(index);
      setWantedFocus(path);
    },
  }));
  // The keyboard moved on: its row comes into sight, and has the focus where the grid had it.
  const lastCurrent = useRef(selection.current);
  useEffect(() => {
    if (selection.current === lastCurrent.current) return;
    lastCurrent.current = selection.current;
    if (selection.current === null || !scroller.current?.contains(document.activeElement)) return;
    const index = items.findIndex(({ path }) => path === selection.current);
    if (index >= 0) virtual.scrollToIndex(index);
    setWantedFocus(selection.current);
  }, [selection.current, items, virtual]);

  const typed = useRef({ word: '', at: 0 });
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    // Menus and boxes have keys of their own.
    if (target.closest('[role="menu"]') || event.nativeEvent.isComposing) return;
    const isOnRow = target.getAttribute('role') === 'row' || target === scroller.current;
    if (!isOnRow && !(target.matches('input') && ['ArrowDown', 'ArrowUp'].includes(event.key))) return;
    const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1);
    const action = gridAction(event, current, items.length, page) ?? typeAhead(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    onAction(action, Math.max(0, current), { range: event.shiftKey, add: event.ctrlKey || event.metaKey });
  };
  const typeAhead = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): GridAction | null => {
    if (key.length !== 1 || ctrlKey || metaKey || altKey || key === '?' || key === '/') return null;
    const now = Date.now();
    const before = now - typed.current.at < typeAheadTime ? typed.current.word : '';
    const word = (before + key).toLocaleLowerCase();
    typed.current = { word, at: now };
    const start = before === '' ? current + 1 : Math.max(0, current);
    for (let step = 0; step < items.length; step++) {
      const index = (start + step) % items.length;
      if (items[index]!.name.toLocaleLowerCase().startsWith(word)) return { kind: 'move', to: index };
    }
    return null;
  };

  const selectedCount = selection.selected.size;
  const { order, onOrder } = props;
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-multiselectable
      aria-rowcount={items.length + 1}
      aria-colcount={6}
      tabIndex={items.length === 0 ? 0 : -1}
      className={classes.grid}
      data-narrow={isNarrow || undefined}
      style={{ '--row-height': `${rowHeight}px` } as React.CSSProperties}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={classes.head}>
        <div role="row" aria-rowindex={1} style={{ display: 'contents' }}>
          <div role="columnheader" className={classes.tick}>
            <Tick
              label={t('selectAll')}
              isTicked={items.length > 0 && selectedCount === items.length}
              isPartly={selectedCount > 0 && selectedCount < items.length}
              isDisabled={items.length === 0}
              onChange={props.onTickAll}
            />
          </div>
          {orderFields.map((field) => (
            <Head key={field} field={field} order={order} onOrder={onOrder} />
          ))}
          <div role="gridcell" />
        </div>
      </div>
      <div role="rowgroup" className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          return item ? (
            <FileRow
              key={item.path}
              item={item}
              index={index}
              top={start}
              href={hrefOf(item)}
              isSelected={selection.selected.has(item.path)}
              isCut={cutPaths.has(item.path)}
              isCurrent={index === Math.max(0, current)}
              isPublic={isPublic(item.path, publicPaths)}
              hasMenu={menuPath === item.path}
              sizeText={sizeText(item.size)}
              place={props.showsPlaces ? placeOf(item, folder) : null}
              on={on}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

const headClasses: Partial<Record<OrderField, string | undefined>> = {
  size: classes.number,
  type: classes.type,
  modified: classes.modified,
};

function Head({ field, order, onOrder }: { field: OrderField; order: FileOrder; onOrder: (order: FileOrder) => void }) {
  const t = useText('files');
  const isSorted = order.by === field;
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
      className={headClasses[field]}
    >
      <button
        type="button"
        className={classes.sorter}
        data-sorted={isSorted || undefined}
        onClick={() => onOrder({ by: field, isDescending: isSorted && !order.isDescending })}
      >
        {t(`columns.${field}`)}
        {isSorted && order.isDescending ? <IconArrowDown aria-hidden /> : <IconArrowUp aria-hidden />}
      </button>
    </div>
  );
}
