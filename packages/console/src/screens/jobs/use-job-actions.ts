import type { JobRecord } from '@sluice/contract';
import { useState } from 'react';
import type { Id, ListController } from '../../list/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { confirm, describeError, notify } from '../../ui/index.ts';
import { isRemovable } from './job-state.ts';
import { type Outcome, remove, tryAgain, tryAllAgain } from './sources.ts';

const nothingRefused: ReadonlyMap<Id, string> = new Map();

/** Trying jobs again and removing them: the questions before, and what became of it. */
export function useJobActions(list: ListController) {
  const t = useText('jobs');
  const [isBusy, setBusy] = useState(false);
  /** Why jobs were left as they are, by id; until something else is done. */
  const [refused, setRefused] = useState(nothingRefused);
  /** What went wrong with the last thing done, as a sentence. */
  const [problem, setProblem] = useState<string | null>(null);

  const act = async (done: 'triedAgain' | 'removed', write: () => Promise<Outcome>) => {
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    setRefused(nothingRefused);
    try {
      const outcome = await write();
      const [reason] = outcome.refused.values();
      setRefused(outcome.refused);
      if (reason !== undefined) setProblem(t('refused', { ...counted(outcome.refused.size), reason }));
      else list.clearSelection();
      if (outcome.changed > 0) notify.success(t(done, counted(outcome.changed)));
    } catch (error) {
      setProblem(t('notDone', { reason: describeError(error).messages.join(' ') }));
    } finally {
      setBusy(false);
      await list.refresh();
    }
  };

  return {
    isBusy,
    refused,
    problem,
    closeProblem: () => {
      setProblem(null);
      setRefused(nothingRefused);
    },
    tryAgain: (jobs: readonly JobRecord[]) => act('triedAgain', () => tryAgain(idsOf(jobs))),
    tryAllAgain: async (count: number) => {
      const { filter } = list.state;
      const isSure = await confirm({
        message: t('tryAllQuestion', counted(count)),
        impact: [t('tryAllImpact'), filter && t('tryAllOnly', { filter })].filter(Boolean).join('\n'),
        confirmLabel: t('tryAgain'),
      });
      if (isSure) await act('triedAgain', () => tryAllAgain(filter));
    },
    remove: async (jobs: readonly JobRecord[]) => {
      const removable = jobs.filter(isRemovable);
      const [first] = removable;
      if (!first) return;
      const kept = jobs.length - removable.length;
      const { count, number } = counted(removable.length);
      const isSure = await confirm({
        message: t('removeQuestion', { count, number, name: t('nameOf', { name: first.name, id: first.id }) }),
        impact: [t('removeImpact', { count }), kept > 0 && t('removeNotScheduled', counted(kept))]
          .filter(Boolean)
          .join('\n'),
        confirmLabel: t('remove'),
        danger: true,
      });
      if (isSure) await act('removed', () => remove(idsOf(removable)));
    },
  };
}

export type JobActions = ReturnType<typeof useJobActions>;

const idsOf = (jobs: readonly JobRecord[]): Id[] => jobs.map(({ id }) => id);

/** A number for a text that depends on it. */
export const counted = (count: number) => ({ count, number: formatNumber(count) });
