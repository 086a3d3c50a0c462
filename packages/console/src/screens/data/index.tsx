// Data: browse and edit the records of database services (DAT-001). values, filter, columns, place and edits decide; use-table reads
// and writes; inputs/ edits one value, reference/ finds what it refers to, children/ shows what refers to a record; the rest draws.
import { useEffect } from 'react';
import { Route, Routes, useParams } from 'react-router';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import classes from './data.module.css';
import { PhonePicker, TablePicker } from './picker.tsx';
import { useDatabaseServices } from './sources.ts';
import { ServicesFailed, Start } from './start.tsx';
import { TableView } from './table-view.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

export const DataScreen = () => (
  <UnsavedGuard>
    <Routes>
      <Route path=":service?/:table?/:pane?" element={<Browser />} />
    </Routes>
  </UnsavedGuard>
);

/** The pickers at the side, and what was picked. */
function Browser() {
  const { service = '', table = '', pane } = useParams();
  const services = useDatabaseServices();
  const { error } = services;
  useEffect(() => {
    if (error) notify.error(text('data:title'), text('data:loadFailed'));
  }, [error]);

  if (error && !services.data) return <ServicesFailed error={error} onRetry={() => void services.refetch()} />;
  const chosen = services.data?.find(({ name }) => name === service);
  const isKnown = chosen !== undefined || (services.isPending && service !== '');
  const view = !isKnown ? 'services' : table === '' ? 'tables' : 'table';
  return (
    <div className={classes.screen} data-view={view} data-pane={pane !== undefined || undefined}>
      <TablePicker services={services.data ?? []} service={service} table={table} />
      <div className={classes.main}>
        {view === 'table' ? (
          <>
            <PhonePicker services={services.data ?? []} service={service} table={table} />
            <TableView key={JSON.stringify([service, table])} service={service} table={table} pane={pane ?? null} />
          </>
        ) : (
          <Start services={services.data} service={service} />
        )}
      </div>
    </div>
  );
}
