// The row above the records: filters, what can be done with records, paging, columns (OPEN-116).
import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import {
  IconArrowAutofitHeight,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
  IconDeviceFloppy,
  type IconProps,
  IconRefresh,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { formatNumber, useText } from '../../text/index.ts';
import { useStore } from '../../ui/index.ts';
import { ColumnMenu } from './column-menu.tsx';
import type { Columns } from './columns.ts';
import classes from './data.module.css';
import { ExportMenu } from './export-menu.tsx';
import type { TableState } from './use-table.ts';
import { ViewMenu } from './view-menu.tsx';

export const Tool = ({ label, icon: Icon, isExtra, isAway, isOn, ...rest }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon
      aria-label={label}
      className={isExtra ? classes.extra! : ''}
      style={isAway ? { visibility: 'hidden' } : undefined}
      aria-pressed={isOn}
      variant={isOn ? 'light' : undefined}
      color={isOn ? 'water' : undefined}
      {...rest}
    >
      <Icon className={classes.icon} aria-hidden />
    </ActionIcon>
  </Tooltip>
);

interface ToolProps {
  label: string;
  icon: ComponentType<IconProps>;
  onClick: () => void;
  disabled?: boolean;
  /** The same button stands elsewhere now; its place stays free. */
  isAway?: boolean;
  /** Not shown on a phone. */
  isExtra?: boolean;
  /** Of a switch. */
  isOn?: boolean;
  loading?: boolean;
  'aria-keyshortcuts'?: string;
}

interface ToolbarProps {
  state: TableState;
  columns: Columns;
  /** Stand at the left. */
  filters: ReactNode;
}

export function Toolbar({ state, columns, filters }: ToolbarProps) {
  const t = useText('data');
  const { schema, selection, pending } = state;
  return (
    <div className={classes.toolbar}>
      {schema ? <ViewMenu state={state} columns={columns} /> : null}
      {filters}
      <div className={classes.tools}>
        {schema && !state.isLoading && !state.error ? <Pager state={state} /> : null}
        {schema && state.pages > 1 ? (
          <Tool
            label={t('grid.whole')}
            icon={IconArrowAutofitHeight}
            isExtra
            isOn={state.place.isWhole}
            onClick={() => state.setWhole(!state.place.isWhole)}
          />
        ) : null}
        <div className={classes.pages}>
          {schema && state.hasKey ? (
            <>
              <Tool
                label={t('save')}
                icon={IconDeviceFloppy}
                isExtra
                isAway={pending.records > 0}
                aria-keyshortcuts="Meta+S Control+S"
                onClick={() => void state.saveAll()}
              />
              <Tool
                label={t('delete')}
                icon={IconTrash}
                isExtra
                isAway={selection.ids.size > 0}
                onClick={() => void state.deleteSelected()}
              />
            </>
          ) : null}
          <Tool label={t('refresh')} icon={IconRefresh} onClick={() => void state.refresh()} />
          {schema ? (
            <>
              <ExportMenu state={state} columns={columns} />
              <ColumnMenu schema={schema} columns={columns} />
            </>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** What can be done with ticked and with unsaved records; below the rows, so that they stay where they are. */
export function ActingBar({ state }: { state: TableState }) {
  const t = useText('data');
  const { selection, pending, isBusy } = state;
  const selected = selection.ids.size;
  const canStep = state.canUndo || state.canRedo;
  if (selected === 0 && pending.records === 0 && !canStep) return null;
  return (
    <div className={classes.acting}>
      {selected > 0 ? (
        <>
          <strong role="status">{t('selected', { count: selected })}</strong>
          <Button
            variant="default"
            size="xs"
            className={classes.danger!}
            leftSection={<IconTrash className={classes.smallIcon} aria-hidden />}
            loading={isBusy}
            onClick={() => void state.deleteSelected()}
          >
            {t('delete')}
          </Button>
          <Tool label={t('clearSelection')} icon={IconX} onClick={state.clearSelection} />
        </>
      ) : null}
      {pending.records > 0 ? (
        <>
          <strong role="status" className={classes.unsavedCount}>
            {t('unsaved', { count: pending.records })}
          </strong>
          <span className={classes.soft}>{t('grid.changedCells', { count: pending.cells })}</span>
          {pending.wrong > 0 ? (
            <span className={classes.danger}>{t('grid.wrongRecords', { count: pending.wrong })}</span>
          ) : null}
          <Button
            size="xs"
            leftSection={<IconDeviceFloppy className={classes.smallIcon} aria-hidden />}
            loading={isBusy}
            onClick={() => void state.saveAll()}
          >
            {t('save')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowBackUp className={classes.smallIcon} aria-hidden />}
            disabled={isBusy}
            onClick={state.revertAll}
          >
            {t('revert')}
          </Button>
        </>
      ) : null}
      {canStep ? (
        <>
          <Tool
            label={t('grid.undo')}
            icon={IconArrowBackUp}
            disabled={!state.canUndo}
            aria-keyshortcuts="Meta+Z Control+Z"
            onClick={state.undo}
          />
          <Tool
            label={t('grid.redo')}
            icon={IconArrowForwardUp}
            disabled={!state.canRedo}
            aria-keyshortcuts="Meta+Shift+Z Control+Shift+Z"
            onClick={state.redo}
          />
        </>
      ) : null}
    </div>
  );
}

/** First, previous, a page by number, next, last (TBL-003). */
export const Pager = ({ state }: { state: TableState }) =>
  state.isWhole ? <Sight state={state} /> : <Pages state={state} />;

/** Which rows of the whole table are in sight. */
function Sight({ state }: { state: TableState }) {
  const t = useText('data');
  const { first, last } = useStore(state.sight);
  if (last < first) return null;
  return (
    <span className={classes.range}>
      {t('range', {
        from: formatNumber(first + 1),
        to: formatNumber(Math.min(last, state.recordCount - 1) + 1),
        total: formatNumber(state.count),
      })}
    </span>
  );
}

function Pages({ state }: { state: TableState }) {
  const t = useText('data');
  const { place, pages, count, rows, size, go } = state;
  const [typed, setTyped] = useState(String(place.page));
  useEffect(() => setTyped(String(place.page)), [place.page]);
  const from = (place.page - 1) * size + 1;
  const choose = () => {
    const page = Number(typed);
    if (Number.isInteger(page) && page >= 1 && page <= pages) go(page);
    else setTyped(String(place.page));
  };
  return (
    <div className={classes.pager}>
      {rows.length > 0 ? (
        <span className={classes.range}>
          {t('range', {
            from: formatNumber(from),
            to: formatNumber(from + rows.length - 1),
            total: formatNumber(count),
          })}
        </span>
      ) : null}
      {pages > 1 ? (
        <nav className={classes.pages} aria-label={t('page')}>
          <Tool label={t('first')} isExtra icon={IconChevronsLeft} disabled={place.page <= 1} onClick={() => go(1)} />
          <Tool
            label={t('previous')}
            icon={IconChevronLeft}
            disabled={place.page <= 1}
            onClick={() => go(place.page - 1)}
          />
          <TextInput
            aria-label={t('page')}
            className={classes.pageNumber!}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={choose}
            onKeyDown={(event) => event.key === 'Enter' && choose()}
          />
          <span className={classes.range}>{t('ofPages', { pages: formatNumber(pages) })}</span>
          <Tool
            label={t('next')}
            icon={IconChevronRight}
            disabled={place.page >= pages}
            onClick={() => go(place.page + 1)}
          />
          <Tool
            label={t('last')}
            isExtra
            icon={IconChevronsRight}
            disabled={place.page >= pages}
            onClick={() => go(pages)}
          />
        </nav>
      ) : null}
    </div>
  );
}
