// The records of a table in the shape that fits, grid/ or cards, or why there are none. cells/ and clipboard/ are the grid's.
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { ApiError } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { Empty, Failed, Loading, NoMatch, NotAllowed } from '../../../ui/index.ts';
import { useNarrowWindow } from '../../../ui/use-narrow-window.ts';
import classes from '../styles/shared.module.css';
import type { Columns } from '../table/columns.ts';
import type { TableState } from '../table/use-table.ts';
import { Cards } from './cards.tsx';
import { Grid } from './grid/grid.tsx';

export const isRefusedFilter = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

export function LoadFailure({ error, label, onRetry }: { error: unknown; label: string; onRetry: () => void }) {
  const t = useText('data');
  if (error instanceof ApiError && error.status === 403) return <NotAllowed text={error.message} />;
  return <Failed error={error} title={t('tableFailed', { table: label })} onRetry={onRetry} />;
}

interface RecordsProps {
  state: TableState;
  columns: Columns;
  label: string;
  focusRow: React.RefObject<() => void>;
  /** Why there are no records, where the reason is another than an empty table. */
  emptyText?: string;
}

export function Records({ state, columns, label, focusRow, emptyText }: RecordsProps) {
  const t = useText('data');
  const isPhone = useNarrowWindow('sm');
  if (state.isLoading) {
    return (
      <div className={classes.skeleton}>
        <Loading shape="rows" count={isPhone ? 6 : 12} />
      </div>
    );
  }
  if (state.error && state.rows.length === 0) {
    return isRefusedFilter(state.error) && state.gridState.filters.length > 0 ? (
      <NoMatch title={t('refused')} text={t('refusedText')} onClear={state.clearFilters} />
    ) : (
      <LoadFailure error={state.error} label={label} onRetry={state.retry} />
    );
  }
  if (state.rows.length === 0 && state.gridState.filters.length > 0) {
    return <NoMatch title={t('noMatch')} onClear={state.clearFilters} />;
  }
  if (state.rows.length === 0) {
    return (
      <Empty
        title={t('empty')}
        text={emptyText ?? t('emptyText', { table: label })}
        action={
          state.hasKey ? (
            <Button component={Link} to={state.newRecordLocation}>
              {t('emptyAction')}
            </Button>
          ) : undefined
        }
      />
    );
  }
  return isPhone ? (
    <Cards state={state} columns={columns} label={label} />
  ) : (
    <Grid state={state} columns={columns} label={label} focusRow={focusRow} />
  );
}
