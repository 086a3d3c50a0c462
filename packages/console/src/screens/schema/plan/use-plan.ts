import { useEffect, useMemo, useState } from 'react';
import type { SchemaWrite } from '../address/write.ts';
import { askPlan, knowsPlans, type PlanOutcome, planBody } from './ask-plan.ts';

/** Milliseconds without an edit before the server is asked. */
const pause = 400;

export interface Plan {
  /** Null while nothing is known yet, of no write, and of a server without plans. */
  outcome: PlanOutcome | null;
  /** The outcome is that of the write before: the new one is being worked out. */
  isOld: boolean;
  /** Something is being worked out on a server that has plans. */
  isWaiting: boolean;
  retry: () => void;
}

interface PlanAnswer {
  /** Where the write goes: an answer for another place is not shown. */
  target: string;
  body: string;
  outcome: PlanOutcome;
}

/** What a write would do, asked once a pause after the last edit; never two questions at once. */
export function usePlan(service: string, write: SchemaWrite | null): Plan {
  const body = useMemo(() => (write ? JSON.stringify(planBody(write)) : null), [write]);
  const target = write ? JSON.stringify([service, write.path]) : '';
  const [last, setLast] = useState<PlanAnswer | null>(null);
  const [tries, setTries] = useState(0);
  const isAnswered = last?.target === target && last.body === body;
  const isRequested = body !== null && !isAnswered && knowsPlans(service) !== false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `body` is the write; every try asks once more
  useEffect(() => {
    // The last plan may not hold any more when the same is edited again.
    if (!write || body === null) return setLast(null);
    if (!isRequested) return;
    const overtaken = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await askPlan(service, write, overtaken.signal);
      if (!overtaken.signal.aborted) setLast({ target, body, outcome });
    }, pause);
    return () => {
      clearTimeout(timer);
      overtaken.abort();
    };
  }, [service, target, body, isRequested, tries]);

  const shown = body !== null && last?.target === target && last.outcome.kind !== 'absent' ? last.outcome : null;
  return {
    outcome: shown,
    isOld: shown !== null && !isAnswered,
    isWaiting: isRequested && knowsPlans(service) === true,
    retry: () => {
      setLast(null);
      setTries(tries + 1);
    },
  };
}
