import { useState } from 'react';
import type { Row } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { type ConfirmOptions, confirm, notify } from '../../ui/index.ts';
import { resetAllCounters, resetCounters, useCounterRefresh } from './sources.ts';

/** Resetting counters: the questions before, and what is said and read again afterwards (LIM-019, LIM-036). */
export function useResets() {
  const t = useText('limits');
  const refresh = useCounterRefresh();
  const [isBusy, setBusy] = useState(false);
  const act = async (question: ConfirmOptions, reset: () => Promise<unknown>, done: string): Promise<boolean> => {
    if (isBusy || !(await confirm({ ...question, confirmLabel: t('reset.confirm') }))) return false;
    setBusy(true);
    try {
      await reset();
      notify.success(done);
      return true;
    } catch (error) {
      notify.error('', error);
      return false;
    } finally {
      setBusy(false);
      await refresh();
    }
  };
  return {
    isBusy,
    /** LIM-044, LIM-049. */
    resetOne: ({ id, name }: Row) =>
      act(
        { message: t('reset.one', { name: String(name) }), impact: t('reset.impact') },
        () => resetCounters([Number(id)]),
        t('reset.done'),
      ),
    /** LIM-045, LIM-048. */
    resetMany: (ids: readonly number[]) =>
      act(
        { message: t('reset.many'), impact: t('reset.manyImpact', { count: ids.length }) },
        () => resetCounters(ids),
        t('reset.doneMany'),
      ),
    resetAll: () =>
      act({ message: t('reset.all'), impact: t('reset.allImpact') }, resetAllCounters, t('reset.doneMany')),
  };
}
