// The row above the records: filters, what can be done with records, paging, columns (OPEN-116).
import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
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
import { ColumnMenu } from './column-menu.tsx';
import type { Columns } from './columns.ts';
import classes from './data.module.css';
import { pageSize } from './place.ts';
import type { TableState } from './use-table.ts';

const Tool = ({ label, icon: Icon, ...rest }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon aria-label={label} {...rest}>
      <Icon className={classes.icon} aria-hidden />
    </ActionIcon>
  </Tooltip>
);

interface ToolProps {
  label: string;
  icon: ComponentType<IconProps>;
  onClick: () => void;
  disabled?: boolean;
  loading?: boolean;
  'aria-keyshortcuts'?: string;
}

interface ToolbarProps {
  state: TableState;
  columns: Columns;
  /** Stand at the left while no record is ticked or unsaved. */
  filters: ReactNode;
}

export function Toolbar({ state, columns, filters }: ToolbarProps) {
  const t = useText('data');
  const { schema, selection, unsaved, isBusy } = state;
  const isActing = selection.ids.size > 0 || unsaved.length > 0;
  return (
    <div className={classes.toolbar} data-acting={isActing || undefined}>
      {isActing ? (
        <div className={classes.acting}>
          {selection.ids.size > 0 ? (
            <>
              <strong role="status">{t('selected', { count: selection.ids.size })}</strong>
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
          {unsaved.length > 0 ? (
            <>
              <strong role="status" className={classes.unsavedCount}>
                {t('unsaved', { count: unsaved.length })}
              </strong>
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
        </div>
      ) : (
        filters
      )}
      <div className={classes.tools}>
        {schema && !state.isLoading && !state.error ? <Pager state={state} /> : null}
        {schema && state.hasKey && !isActing ? (
          <>
            <Tool
              label={t('save')}
              icon={IconDeviceFloppy}
              aria-keyshortcuts="Meta+S Control+S"
              onClick={() => void state.saveAll()}
            />
            <Tool label={t('delete')} icon={IconTrash} onClick={() => void state.deleteSelected()} />
          </>
        ) : null}
        <Tool label={t('refresh')} icon={IconRefresh} onClick={() => void state.refresh()} />
        {schema ? <ColumnMenu schema={schema} columns={columns} /> : null}
      </div>
    </div>
  );
}

/** First, previous, a page by number, next, last (TBL-003). */
function Pager({ state }: { state: TableState }) {
  const t = useText('data');
  const { place, pages, count, rows, go } = state;
  const [typed, setTyped] = useState(String(place.page));
  useEffect(() => setTyped(String(place.page)), [place.page]);
  const from = (place.page - 1) * pageSize + 1;
  const choose = () => {
    const page = Number(typed);
    if (Number.isInteger(page) && page >= 1 && page <= pages) go(page);
    else setTyped(String(place.page));
  };
  return (
    <div className={classes.pager}>
      <span className={classes.range}>
        {t('range', {
          from: formatNumber(rows.length > 0 ? from : 0),
          to: formatNumber(rows.length > 0 ? from + rows.length - 1 : 0),
          total: formatNumber(count),
        })}
      </span>
      {pages > 1 ? (
        <nav className={classes.pages} aria-label={t('page')}>
          <Tool label={t('first')} icon={IconChevronsLeft} disabled={place.page <= 1} onClick={() => go(1)} />
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
          <Tool label={t('last')} icon={IconChevronsRight} disabled={place.page >= pages} onClick={() => go(pages)} />
        </nav>
      ) : null}
    </div>
  );
}
