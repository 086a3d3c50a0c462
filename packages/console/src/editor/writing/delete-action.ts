import { etagOf } from '../../api/index.ts';
import type { DeleteQuery, Row } from '../../list/index.ts';
import { text } from '../../text/index.ts';
import { confirm, notify } from '../../ui/index.ts';
import type { FormValues } from '../source.ts';
import { deleteRecord } from './records.ts';
import type { WriteContext } from './write-context.ts';

/** Deleting the record an editor holds: asks first, then goes back to the list. */
export function deleteAction<F extends FormValues>(context: WriteContext<F>) {
  const { source, form, name, leave, writeState, version, conflicts, markStored } = context;
  const { resource, texts } = source;
  const { id } = version;

  /** Someone else has deleted the record already, which is what was wanted. */
  const acceptDeletion = () => {
    notify.success(text('editor:stale.goneDelete', { name }));
    markStored();
    leave();
  };

  const sendDelete = async (query: DeleteQuery | undefined, record = version.current()): Promise<void> => {
    try {
      if (id !== null) await deleteRecord(resource, id, etagOf(record), query ?? {});
      notify.success(texts.deleted ?? text('editor:deleted', { name: texts.thing }));
      markStored();
      leave();
    } catch (error) {
      const retry = (theirs: Row) => sendDelete(query, theirs);
      if (await conflicts.handleConflict(error, { action: 'delete', retry, onGone: acceptDeletion })) return;
      conflicts.dismiss();
      writeState.setFailure(error);
      notify.error(source.noticeTitle ?? '', error);
    }
  };

  return async (): Promise<void> => {
    if (id === null && !source.inPane) return;
    const message = text('editor:deleteOne', { name });
    const impact = [texts.deleteImpact ?? text('editor:deleteImpact'), await source.warning?.(form.getValues())];
    if (!(await confirm({ message, impact: impact.filter(Boolean).join('\n'), danger: true }))) return;
    const query = await source.deleteQuery?.(form.getValues());
    await writeState.run(() => sendDelete(query));
  };
}
