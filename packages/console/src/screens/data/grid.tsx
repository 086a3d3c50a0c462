// The records as a grid: sticky head and first column, arrows move, Enter opens, Space selects (TBL-002, TBL-013).
import { Checkbox, VisuallyHidden } from '@mantine/core';
import {
  type ColumnDef,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable as useColumnTable,
} from '@tanstack/react-table';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '../../text/index.ts';
import { copyText } from '../../ui/index.ts';
import { type Columns, defaultWidth, narrowest, widest } from './columns.ts';
import classes from './data.module.css';
import gridClasses from './grid.module.css';
import { edgeWidth, GridHead } from './grid-head.tsx';
import { GridRow, type RowActions } from './grid-row.tsx';
import { keyText } from './place.ts';
import type { Row } from './sources.ts';
import type { TableState } from './use-table.ts';
import { isNumeric, valueText } from './values.ts';

const features = tableFeatures({
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnPinningFeature,
});
export type GridFeatures = typeof features;

/** From so many cells on, only the rows in sight are drawn. */
const virtualFrom = 1200;
const rowHeight = 34;
/** How far Page Up and Page Down go. */
const pageStep = 12;

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
  const { rows, keys, fields, selection, hasKey } = state;
  const table = useGridColumns(state, columns);
  const visible = table.getVisibleLeafColumns();
  const shown = visible.flatMap(({ id }) => fields.find(({ name }) => name === id) ?? []);

  const [active, setActive] = useState({ row: 0, column: 0 });
  const row = Math.min(active.row, rows.length - 1);
  const column = Math.min(active.column, visible.length - 1);
  const isVirtual = rows.length * visible.length > virtualFrom;
  const virtual = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    // The row that has the keyboard stays, wherever one scrolls.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), row])].sort((a, b) => a - b),
  });
  const drawn = isVirtual ? virtual.getVirtualItems().map(({ index }) => index) : rows.map((_row, index) => index);

  const moveTo = useCellFocus(frame, row, column, (next) => {
    const at = {
      row: Math.min(rows.length - 1, Math.max(0, next.row)),
      column: Math.min(visible.length - 1, Math.max(0, next.column)),
    };
    setActive(at);
    if (isVirtual) virtual.scrollToIndex(at.row);
  });
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

  const actions = useRowActions(state, setActive);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target as HTMLElement).matches('[data-at]')) return;
    const isMod = event.metaKey || event.ctrlKey;
    const key = keys[row];
    const moves: Record<string, { row: number; column: number }> = {
      ArrowDown: { row: isMod ? rows.length - 1 : row + 1, column },
      ArrowUp: { row: isMod ? 0 : row - 1, column },
      ArrowRight: { row, column: isMod ? visible.length - 1 : column + 1 },
      ArrowLeft: { row, column: isMod ? 0 : column - 1 },
      Home: { row: isMod ? 0 : row, column: 0 },
      End: { row: isMod ? rows.length - 1 : row, column: visible.length - 1 },
      PageDown: { row: row + pageStep, column },
      PageUp: { row: row - pageStep, column },
    };
    const move = event.altKey ? undefined : moves[event.key];
    if (move) moveTo(move);
    else if (event.key === 'Enter' && key) state.open(key);
    else if (event.key === ' ' && key) state.tick(keyText(key), event.shiftKey);
    else if (event.key === 'Delete' && hasKey) void state.deleteSelected();
    else if (event.key === 'Escape' && selection.ids.size > 0) state.clearSelection();
    else if (event.key.toLowerCase() === 'c' && isMod && (window.getSelection()?.toString() ?? '') === '') {
      const name = visible[column]?.id ?? '';
      const drafts = key ? state.editOf(key)?.drafts : undefined;
      void copyText(valueText(drafts && name in drafts ? drafts[name] : rows[row]?.[name]));
    } else return;
    event.preventDefault();
  };

  if (visible.length === 0) return <p className={classes.note}>{t('noColumns')}</p>;
  // A number at the far right of an empty stretch belongs to nobody.
  const hasFiller = isNumeric(shown.at(-1)!.type);
  const total = table.getTotalSize() + (hasKey ? edgeWidth : 0);
  return (
    <>
      <VisuallyHidden id={helpId}>{t('gridHelp')}</VisuallyHidden>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the grid inside, whose cells take the focus */}
      <div className={gridClasses.frame} ref={frame} onKeyDown={onKeyDown}>
        <table
          className={gridClasses.grid}
          style={{ minWidth: total }}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table one moves in, cell by cell, is a grid
          role="grid"
          aria-label={label}
          aria-describedby={helpId}
          aria-rowcount={rows.length + 1}
          aria-multiselectable={hasKey || undefined}
          aria-busy={state.isFetching}
        >
          <colgroup>
            {hasKey ? <col style={{ width: edgeWidth }} /> : null}
            {visible.map((each, index) => (
              // The last one takes what is left.
              <col
                key={each.id}
                style={index < visible.length - 1 || hasFiller ? { width: each.getSize() } : undefined}
              />
            ))}
            {hasFiller ? <col /> : null}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {hasKey ? (
                <th className={gridClasses.edge} scope="col">
                  <Checkbox
                    aria-label={t('selectAll')}
                    size="xs"
                    checked={selection.ids.size > 0 && selection.ids.size === state.ids.length}
                    indeterminate={selection.ids.size > 0 && selection.ids.size < state.ids.length}
                    onChange={state.tickAll}
                  />
                </th>
              ) : null}
              {table.getHeaderGroups()[0]?.headers.map((header, index) => (
                <GridHead key={header.id} header={header} field={shown[index]!} state={state} />
              ))}
              {hasFiller ? <td aria-hidden /> : null}
            </tr>
          </thead>
          <tbody>
            {drawn.map((index, position) => {
              const gap = index - (drawn[position - 1] ?? -1) - 1;
              const key = keys[index] ?? null;
              const id = key && keyText(key);
              return (
                <Fragment key={id ?? `row-${index}`}>
                  {gap > 0 ? <tr aria-hidden style={{ height: gap * rowHeight }} /> : null}
                  <GridRow
                    row={rows[index]!}
                    rowKey={key}
                    index={index}
                    fields={shown}
                    hasEdge={hasKey}
                    hasFiller={hasFiller}
                    activeColumn={index === row ? column : -1}
                    edit={key ? state.editOf(key) : undefined}
                    isUnsaved={state.isUnsaved(key)}
                    isSelected={id !== null && selection.ids.has(id)}
                    isOpen={id !== null && id === state.openKey}
                    actions={actions}
                  />
                </Fragment>
              );
            })}
            {isVirtual ? (
              <tr aria-hidden style={{ height: (rows.length - 1 - (drawn.at(-1) ?? -1)) * rowHeight }} />
            ) : null}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Columns as they are chosen: which, how wide, the first one pinned. */
function useGridColumns({ fields, rows }: TableState, columns: Columns) {
  // The first page seen decides, so that columns do not jump from page to page.
  const sample = useRef(rows);
  const definitions = useMemo<ColumnDef<GridFeatures, Row>[]>(
    () =>
      fields.map((field) => ({
        id: field.name,
        accessorFn: (row: Row) => row[field.name],
        size: defaultWidth(field, sample.current),
        minSize: narrowest,
        maxSize: widest,
      })),
    [fields],
  );
  const visibility = useMemo(
    () => Object.fromEntries(fields.map(({ name }) => [name, columns.shown.includes(name)])),
    [fields, columns.shown],
  );
  const [first] = columns.shown;
  const pinning = useMemo(() => ({ start: first === undefined ? [] : [first], end: [] }), [first]);
  return useColumnTable({
    features,
    data: rows,
    columns: definitions,
    state: { columnVisibility: visibility, columnSizing: columns.widths, columnPinning: pinning },
    onColumnSizingChange: (next) => columns.resize(typeof next === 'function' ? next(columns.widths) : next),
    columnResizeMode: 'onChange',
  });
}

interface At {
  row: number;
  column: number;
}

/** Moves the keyboard to a cell, once it is drawn. */
function useCellFocus(
  frame: React.RefObject<HTMLDivElement | null>,
  row: number,
  column: number,
  show: (at: At) => void,
) {
  const isWanted = useRef(false);
  useEffect(() => {
    if (!isWanted.current) return;
    const cell = frame.current?.querySelector<HTMLElement>(`[data-at="${row}:${column}"]`);
    if (!cell) return;
    isWanted.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return (at: At) => {
    isWanted.current = true;
    show(at);
  };
}

/** What rows call; the same object always, so that only rows that changed are drawn again. */
function useRowActions(state: TableState, setActive: (at: At) => void): RowActions {
  const navigate = useNavigate();
  const latest = useRef({ state, navigate });
  latest.current = { state, navigate };
  return useMemo(
    () => ({
      activate: (row, column) => setActive({ row, column }),
      tick: (key, range) => latest.current.state.tick(keyText(key), range),
      open: (key, inNewTab) => {
        const address = latest.current.state.addressOf(key);
        if (inNewTab) window.open(`${address.pathname}?${address.search}`, '_blank', 'noopener');
        else latest.current.navigate(address);
      },
    }),
    [setActive],
  );
}
