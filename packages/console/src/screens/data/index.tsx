// Data: browse and edit the records of database services (DAT-001). The rooms, each built on those before it:
//   styles/     shared styles
//   address/    services, tables and addresses: what is read, filters, order, page
//   values/     from stored values to drafts, and back
//   reference/  finding the record a field refers to
//   writing/    pending edits, and saving them
//   table/      one table's state: records, columns, selection
//   toolbar/    the bars above and below the records: filters, paging, views/, export/
//   records/    the records: grid/ with its cells/ and clipboard/, cards on a phone
//   record/     the record's pane, inputs/ for its fields, and links to what belongs to it
//   children/   the tables that belong to a record
//   navigator/  choosing a service and a table
import { useEffect } from 'react';
import { Route, Routes, useParams } from 'react-router';
import { layout } from '../../database/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { useDatabaseServices } from './address/sources.ts';
import { DataPhonePicker, DataPicker } from './navigator/picker.tsx';
import { ServicesFailed, Start } from './navigator/start.tsx';
import { TableView } from './table-view.tsx';
import { StaleDialog } from './writing/stale-dialog.tsx';

export const DataScreen = () => (
  <>
    <Routes>
      <Route path=":service?/:table?/:pane?" element={<Browser />} />
    </Routes>
    <StaleDialog />
  </>
);

/** The table picker at the side, and the chosen table. */
function Browser() {
  const { service = '', table = '', pane } = useParams();
  const servicesQuery = useDatabaseServices();
  const { error } = servicesQuery;
  useEffect(() => {
    if (error) notify.error(text('data:title'), text('data:loadFailed'));
  }, [error]);

  if (error && !servicesQuery.data)
    return <ServicesFailed error={error} onRetry={() => void servicesQuery.refetch()} />;
  const currentService = servicesQuery.data?.find(({ name }) => name === service);
  const isKnown = currentService !== undefined || (servicesQuery.isPending && service !== '');
  const view = !isKnown ? 'services' : table === '' ? 'tables' : 'table';
  return (
    <div className={layout.screen} data-view={view} data-pane={pane !== undefined || undefined}>
      <DataPicker services={servicesQuery.data ?? []} service={service} table={table} />
      <div className={layout.main}>
        {view === 'table' ? (
          <>
            <DataPhonePicker services={servicesQuery.data ?? []} service={service} table={table} />
            <TableView key={JSON.stringify([service, table])} service={service} table={table} pane={pane ?? null} />
          </>
        ) : (
          <Start services={servicesQuery.data} service={service} />
        )}
      </div>
    </div>
  );
}
