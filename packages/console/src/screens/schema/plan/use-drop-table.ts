import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { useLetAllPass } from '../../../unsaved/index.ts';
import { serviceAddress } from '../address/addresses.ts';
import { refreshService, type SchemaTable, tableQuery } from '../address/sources.ts';
import { sendWrite } from '../address/write.ts';
import { dropTableWrite } from '../draft/table.ts';
import { confirmWrite } from './confirm-write.tsx';

/** Drops a table or a view after a question (SCH-051, C-SCH-06), and leaves it. */
export function useDropTable(): (service: string, table: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const letAllPass = useLetAllPass();
  return async (service, table) => {
    const write = dropTableWrite(table);
    const isView = client.getQueryData<SchemaTable>(tableQuery(service, table).queryKey)?.is_view === true;
    const isSure = await confirmWrite({
      service,
      write,
      message: text(isView ? 'schema:plan.confirmDropView' : 'schema:table.confirmDrop', { table }),
      confirmLabel: text('schema:drop'),
    });
    if (!isSure) return;
    try {
      await sendWrite(service, write);
    } catch (error) {
      return notify.error(text('schema:title'), error);
    }
    notify.success(text(isView ? 'schema:plan.viewDropped' : 'schema:table.dropped'));
    letAllPass();
    navigate(serviceAddress(service));
    client.removeQueries({ queryKey: tableQuery(service, table).queryKey });
    await refreshService(client, service);
  };
}
