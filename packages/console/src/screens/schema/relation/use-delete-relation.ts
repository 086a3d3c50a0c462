import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { text } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { tableAddress } from '../address/addresses.ts';
import { refreshService } from '../address/sources.ts';
import { usePlace } from '../address/use-place.ts';
import { sendWrite } from '../address/write.ts';
import { deleteRelationWrite } from '../draft/relation.ts';
import { confirmWrite } from '../plan/index.ts';
import { rereadRelations } from './sources.ts';

/**
 * Deletes a virtual relation after a question (SCH-053, C-SCH-17), and closes its pane. `onDeleted` is called before, when it is
 * gone.
 */
export function useDeleteRelation(): (
  service: string,
  table: string,
  name: string,
  onDeleted?: () => void,
) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pane, view } = usePlace();
  return async (service, table, name, onDeleted) => {
    const write = deleteRelationWrite(table, name);
    const isSure = await confirmWrite({
      service,
      write,
      message: text('schema:relation.confirmDelete', { name }),
      confirmLabel: text('schema:relation.delete'),
    });
    if (!isSure) return;
    try {
      await sendWrite(service, write);
    } catch (error) {
      return notify.error(text('schema:title'), error);
    }
    notify.success(text('schema:relation.deleted'));
    onDeleted?.();
    if (pane?.part === 'relation' && pane.name === name) navigate(tableAddress(service, table, view));
    await rereadRelations(client, service, table);
    await refreshService(client, service);
  };
}
