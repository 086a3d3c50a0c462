import { useQueryClient } from '@tanstack/react-query';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { useLetAllPass } from '../../../unsaved/index.ts';
import { refreshService } from '../address/sources.ts';
import { useClosePane, usePlace } from '../address/use-place.ts';
import { sendWrite } from '../address/write.ts';
import { dropFieldWrite } from '../draft/field.ts';
import { confirmWrite } from '../plan/index.ts';

/**
 * Deletes a field after a question (SCH-052, C-SCH-10), and closes its pane where that is open. The table is then read again by
 * itself.
 */
export function useDeleteField(): (service: string, table: string, field: string) => Promise<void> {
  const client = useQueryClient();
  const { pane } = usePlace();
  const closePane = useClosePane();
  const letAllPass = useLetAllPass();
  return async (service, table, field) => {
    const write = dropFieldWrite(table, field);
    const isSure = await confirmWrite({
      service,
      write,
      message: text('schema:field.confirmDelete', { name: field }),
      confirmLabel: text('schema:field.delete'),
    });
    if (!isSure) return;
    try {
      await sendWrite(service, write);
    } catch (error) {
      return notify.error(text('schema:title'), error);
    }
    notify.success(text('schema:field.deleted'));
    if (pane?.part === 'field' && pane.name === field) {
      letAllPass();
      closePane();
    }
    await refreshService(client, service);
  };
}
