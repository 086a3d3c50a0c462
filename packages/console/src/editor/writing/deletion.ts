import { etagOf } from '../../api/index.ts';
import type { DeleteQuery, Row } from '../../list/index.ts';
import { text } from '../../text/index.ts';
import { confirm, notify } from '../../ui/index.ts';
import type { FormValues } from '../source.ts';
import { deleteRecord } from './records.ts';
import type { Writing } from './writing.ts';

/** Deleting the record an editor holds: asks first, then goes back to the list. */
export function deletion<F extends FormValues>(writing: Writing<F>) {
  const { source, form, name, leave, hold, version, meetings, markStored } = writing;
  const { resource, texts } = source;
  const { id } = version;

  /** It is gone already, which is what was wanted. */
  const letGo = () => {
    notify.success(text('editor:stale.goneDelete', { name }));
    markStored();
    leave();
  };

  const destroy = async (more: DeleteQuery | undefined, seen = version.current()): Promise<void> => {
    try {
      if (id !== null) await deleteRecord(resource, id, etagOf(seen), more ?? {});
      notify.success(texts.deleted ?? text('editor:deleted', { name: texts.thing }));
      markStored();
      leave();
    } catch (error) {
      const attempt = { act: 'delete', again: (theirs: Row) => destroy(more, theirs), gone: letGo } as const;
      if (await meetings.meetOthers(error, attempt)) return;
      meetings.dismiss();
      hold.setFailure(error);
      notify.error('', error);
    }
  };

  return async (): Promise<void> => {
    if (id === null && !source.inPane) return;
    const message = text('editor:deleteOne', { name });
    const words = [texts.deleteImpact ?? text('editor:deleteImpact'), await source.warning?.(form.getValues())];
    if (!(await confirm({ message, impact: words.filter(Boolean).join('\n'), danger: true }))) return;
    const more = await source.deleteQuery?.(form.getValues());
    await hold.during(() => destroy(more));
  };
}
