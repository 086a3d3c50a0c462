// One table: title, toolbar, records, and the pane of the record that is open.
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { CreateKeyButton } from '../../calls/index.ts';
import { useText } from '../../text/index.ts';
import { Page } from '../../ui/index.ts';
import { DraftNotice } from '../../unsaved/index.ts';
import { useSchemaAddress } from './address/schema-address.ts';
import { RelatedView } from './children/related-view.tsx';
import { NewRecordPane, RecordPane } from './record/record-pane.tsx';
import { isRefusedFilter, LoadFailure, Records } from './records/records.tsx';
import classes from './styles/shared.module.css';
import { useColumns } from './table/columns.ts';
import { useTable } from './table/use-table.ts';
import { ActionBar } from './toolbar/action-bar.tsx';
import { FilterPanel, FilterRow, useFilterPanel } from './toolbar/filter-bar.tsx';
import { Toolbar } from './toolbar/toolbar.tsx';

/** The panes that can be open, as the address names them. */
const panes = ['record', 'new', 'related'];

export function TableView({ service, table, pane }: { service: string; table: string; pane: string | null }) {
  const t = useText('data');
  const [params] = useSearchParams();
  const state = useTable(service, table);
  const columns = useColumns(service, table, state.schema);
  const panel = useFilterPanel(state);
  const schemaAddress = useSchemaAddress(service);
  const focusRow = useRef<() => void>(() => {});
  const { schema, error } = state;
  const label = schema?.label || table;
  const key = params.getAll('key');
  const isLost = error !== null && (!schema || !isRefusedFilter(error));

  useHotkeys([['mod+S', () => pane === null && void state.saveAll()]], ['INPUT', 'TEXTAREA', 'SELECT']);
  const close = () => {
    state.closePane();
    focusRow.current();
  };
  const before = useRef(pane);
  useEffect(() => {
    if (before.current === 'related' && pane === null) focusRow.current();
    before.current = pane;
  }, [pane]);

  if (schema && pane === 'related' && key.length > 0) {
    return <RelatedView state={state} schema={schema} columns={columns} recordKey={key} />;
  }
  return (
    <>
      <Page
        title={label}
        count={state.isLoading || error ? undefined : state.count}
        actions={
          schema && !isLost ? (
            <>
              <CreateKeyButton service={service} table={table} isDesktopOnly />
              {state.hasKey ? (
                <Button
                  component={Link}
                  to={state.newRecordLocation}
                  leftSection={<IconPlus className={classes.icon} aria-hidden />}
                >
                  {t('create')}
                </Button>
              ) : null}
            </>
          ) : null
        }
      >
        {isLost && !schema && !state.gridState.filters.length ? (
          <LoadFailure error={error} label={label} onRetry={state.retry} />
        ) : (
          <section className={classes.panel} aria-label={label}>
            {state.draft ? <DraftNotice {...state.draft} /> : null}
            <Toolbar
              state={state}
              columns={columns}
              filters={<FilterRow state={state} panel={panel} />}
              schemaAddress={schemaAddress?.table(table) ?? null}
            />
            <FilterPanel state={state} panel={panel} />
            {schema && !state.hasKey ? <p className={classes.note}>{t(schema.is_view ? 'view' : 'keyless')}</p> : null}
            {error && state.rows.length > 0 ? (
              <p className={classes.stale} role="alert">
                {t('stale', { reason: error.message })}
              </p>
            ) : null}
            {state.isFetching && !state.isLoading ? <div className={classes.progress} aria-hidden /> : null}
            <Records state={state} columns={columns} label={label} focusRow={focusRow} />
            <ActionBar state={state} />
          </section>
        )}
      </Page>
      {schema && pane === 'record' && key.length > 0 ? (
        <RecordPane key={JSON.stringify(key)} state={state} schema={schema} recordKey={key} onClose={close} />
      ) : null}
      {schema && pane === 'new' && state.hasKey ? (
        <NewRecordPane state={state} schema={schema} onClose={close} />
      ) : null}
      {pane !== null && !panes.includes(pane) ? <Navigate to={state.home} replace /> : null}
    </>
  );
}
