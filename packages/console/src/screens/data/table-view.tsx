// One table: title, toolbar, records, and the pane of the record that is open.
import { Button } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { ApiError } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { breakpoints } from '../../theme/index.ts';
import { Empty, Failed, Loading, NoMatch, NotAllowed, Page } from '../../ui/index.ts';
import { Cards } from './cards.tsx';
import { type Columns, useColumns } from './columns.ts';
import classes from './data.module.css';
import { FilterPanel, FilterRow, useFilterPanel } from './filter-bar.tsx';
import { Grid } from './grid.tsx';
import { NewRecordPane, RecordPane } from './record-pane.tsx';
import { ActingBar, Toolbar } from './toolbar.tsx';
import { type TableState, useTable } from './use-table.ts';

export function TableView({ service, table, pane }: { service: string; table: string; pane: string | null }) {
  const t = useText('data');
  const [params] = useSearchParams();
  const state = useTable(service, table);
  const columns = useColumns(service, table, state.schema);
  const panel = useFilterPanel(state);
  const focusRow = useRef<() => void>(() => {});
  const { schema, error } = state;
  const label = schema?.label || table;
  const key = params.getAll('key');
  const isLost = error !== null && (!schema || !isRefusedFilter(error));

  useHotkeys([['mod+S', () => pane === null && void state.saveAll()]], ['INPUT', 'TEXTAREA', 'SELECT']);
  const close = () => {
    state.close();
    focusRow.current();
  };

  return (
    <>
      <Page
        title={label}
        count={state.isLoading || error ? undefined : state.count}
        actions={
          schema && state.hasKey && !isLost ? (
            <Button
              component={Link}
              to={state.addressOfNew}
              leftSection={<IconPlus className={classes.icon} aria-hidden />}
            >
              {t('create')}
            </Button>
          ) : null
        }
      >
        {isLost && !schema && !state.place.filters.length ? (
          <LoadFailure error={error} label={label} onRetry={state.retry} />
        ) : (
          <section className={classes.panel} aria-label={label}>
            <Toolbar state={state} columns={columns} filters={<FilterRow state={state} panel={panel} />} />
            <FilterPanel state={state} panel={panel} />
            {schema && !state.hasKey ? <p className={classes.note}>{t(schema.is_view ? 'view' : 'keyless')}</p> : null}
            {error && state.rows.length > 0 ? (
              <p className={classes.stale} role="alert">
                {t('stale', { reason: error.message })}
              </p>
            ) : null}
            {state.isFetching && !state.isLoading ? <div className={classes.progress} aria-hidden /> : null}
            <Records state={state} columns={columns} label={label} focusRow={focusRow} />
            <ActingBar state={state} />
          </section>
        )}
      </Page>
      {schema && pane === 'record' && key.length > 0 ? (
        <RecordPane key={JSON.stringify(key)} state={state} schema={schema} recordKey={key} onClose={close} />
      ) : null}
      {schema && pane === 'new' && state.hasKey ? (
        <NewRecordPane state={state} schema={schema} onClose={close} />
      ) : null}
      {pane !== null && pane !== 'record' && pane !== 'new' ? <Navigate to={state.home} replace /> : null}
    </>
  );
}

const isRefusedFilter = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

function LoadFailure({ error, label, onRetry }: { error: unknown; label: string; onRetry: () => void }) {
  const t = useText('data');
  if (error instanceof ApiError && error.status === 403) return <NotAllowed text={error.message} />;
  return <Failed error={error} title={t('tableFailed', { table: label })} onRetry={onRetry} />;
}

interface RecordsProps {
  state: TableState;
  columns: Columns;
  label: string;
  focusRow: React.RefObject<() => void>;
}

/** The records in the shape that fits, or why there are none. */
function Records({ state, columns, label, focusRow }: RecordsProps) {
  const t = useText('data');
  const isPhone = useMediaQuery(`(max-width: ${breakpoints.sm})`, undefined, { getInitialValueInEffect: false });
  if (state.isLoading) {
    return (
      <div className={classes.skeleton}>
        <Loading shape="rows" count={isPhone ? 6 : 12} />
      </div>
    );
  }
  if (state.error && state.rows.length === 0) {
    return isRefusedFilter(state.error) && state.place.filters.length > 0 ? (
      <NoMatch title={t('refused')} onClear={state.clearFilters} />
    ) : (
      <LoadFailure error={state.error} label={label} onRetry={state.retry} />
    );
  }
  if (state.rows.length === 0 && state.place.filters.length > 0) {
    return <NoMatch title={t('noMatch')} onClear={state.clearFilters} />;
  }
  if (state.rows.length === 0) {
    return (
      <Empty
        title={t('empty')}
        text={t('emptyText', { table: label })}
        action={
          state.hasKey ? (
            <Button component={Link} to={state.addressOfNew}>
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
