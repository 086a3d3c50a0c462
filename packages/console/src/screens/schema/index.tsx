// Schema: the tables of database services, their fields and relations (SCH-001). The rooms, each built on those before it:
//   address/    addresses and what is read and written
//   draft/      tables, fields and relations as they are edited: beginnings, checks, what is sent; places in JSON
//   plan/       what a change would do, before it is done; renaming and dropping, which ask with it
//   field/      the editor of a field, in the pane
//   relation/   the editor of a relation, in the pane
//   table/      a table: its form, its fields and relations, its JSON
//   upload/     tables from schema JSON
//   paste/      a table from pasted CSV or JSON
//   diagram/    tables and relations drawn
//   history/    what became of a table, and who did it
//   navigator/  choosing a service and a table
import { useEffect } from 'react';
import { Route, Routes } from 'react-router';
import { layout } from '../../database/index.ts';
import { text } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';
import { useSchemaServices } from './address/sources.ts';
import { usePlace } from './address/use-place.ts';
import { SchemaPhonePicker, SchemaPicker } from './navigator/picker.tsx';
import { ServicesFailed, Start } from './navigator/start.tsx';
import { ServiceView } from './service-view.tsx';

export const SchemaScreen = () => (
  <Routes>
    <Route path=":service?/:table?/:part?/:name?" element={<Designer />} />
  </Routes>
);

/** The picker at the side, and what is chosen. */
function Designer() {
  const { service, table, view, making, pane } = usePlace();
  const servicesQuery = useSchemaServices();
  const { error } = servicesQuery;
  useEffect(() => {
    if (error) notify.error(text('schema:title'), text('schema:loadFailed'));
  }, [error]);

  if (error && !servicesQuery.data)
    return <ServicesFailed error={error} onRetry={() => void servicesQuery.refetch()} />;
  const services = servicesQuery.data ?? [];
  const current = services.find(({ name }) => name === service);
  const isOpen = table !== '' || making !== null || view === 'diagram';
  return (
    <div
      className={layout.screen}
      data-view={!current ? 'services' : isOpen ? 'table' : 'tables'}
      data-pane={pane !== null || undefined}
    >
      <SchemaPicker services={services} service={service} table={table} />
      <div className={layout.main}>
        {current && isOpen ? (
          <>
            <SchemaPhonePicker services={services} service={service} table={table} />
            <ServiceView service={current} />
          </>
        ) : (
          <Start services={servicesQuery.data} service={service} />
        )}
      </div>
    </div>
  );
}
