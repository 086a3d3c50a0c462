import { useQueryClient } from '@tanstack/react-query';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { refreshService } from '../address/sources.ts';
import { sendWrite } from '../address/write.ts';
import { dropFieldWrite } from '../draft/field.ts';
import { confirmWrite } from '../plan/index.ts';

/** Deletes a field after a question (SCH-052, C-SCH-10); resolves to whether it is gone. The table is then read again by itself. */
export function useDeleteField(): (service: string, table: string, field: string) => Promise<boolean> {
  const client = useQueryClient();
  return async (service, table, field) => {
    const write = dropFieldWrite(table, field);
    const isSure = await confirmWrite({
      service,
      write,
      message: text('schema:field.confirmDelete', { name: field }),
      confirmLabel: text('schema:field.delete'),
    });
    if (!isSure) return false;
    try {
      await sendWrite(service, write);
    } catch (error) {
      notify.error(text('schema:title'), error);
      return false;
    }
    notify.success(text('schema:field.deleted'));
    void refreshService(client, service);
    return true;
  };
}
