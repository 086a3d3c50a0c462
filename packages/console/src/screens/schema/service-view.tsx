// What the middle and the pane show of a service: one of its tables, the making of new ones, or the diagram.
import type { DatabaseService } from '../../database/index.ts';
import { usePlace } from './address/use-place.ts';
import { DiagramView } from './diagram/diagram-view.tsx';
import { HistoryView } from './history/history-view.tsx';
import { PasteView } from './paste/paste-view.tsx';
import { NewTable } from './table/new-table.tsx';
import { SavedTable } from './table/saved-table.tsx';
import { TablePanes } from './table/table-panes.tsx';
import { UploadView } from './upload/upload-view.tsx';

export function ServiceView({ service }: { service: DatabaseService }) {
  const { table, view, making } = usePlace();
  const { name } = service;
  if (making === 'upload') return <UploadView service={name} />;
  if (making === 'paste') return <PasteView service={name} />;
  if (making === 'table') return <NewTable service={name} />;
  return (
    <>
      {view === 'diagram' ? (
        <DiagramView key={name} service={name} table={table || null} />
      ) : view === 'history' ? (
        <HistoryView key={table} service={name} table={table} />
      ) : (
        <SavedTable key={JSON.stringify([name, table])} service={name} table={table} />
      )}
      {table === '' ? null : <TablePanes service={name} table={table} />}
    </>
  );
}
