import { useEffect, useState } from 'react';
import { confirm } from '../../../ui/index.ts';
import type { SchemaWrite } from '../address/write.ts';
import { askPlan, type PlanOutcome } from './ask-plan.ts';
import { headlineOf } from './headline.ts';
import classes from './plan.module.css';
import { PlanHeadline } from './plan-headline.tsx';
import { hasDetails, OutcomeDetails, WaitingLine } from './plan-panel.tsx';

interface WriteQuestion {
  service: string;
  write: SchemaWrite;
  /** The documents' question (SCH-051…053). */
  message: string;
  confirmLabel: string;
  /** A name to type before the button works; without it, that of a table whose records would be lost. */
  typeToConfirm?: string;
}

/** Milliseconds the question waits for the plan; later it is shown in the open dialog, and no name is asked for. */
const patience = 2000;

let current: AbortController | null = null;
let questions = 0;

/** Asks before a write that drops something, and shows what it would do. A second question while one waits answers the first with no. */
export async function confirmWrite({
  service,
  write,
  message,
  confirmLabel,
  typeToConfirm,
}: WriteQuestion): Promise<boolean> {
  current?.abort();
  const overtaken = new AbortController();
  current = overtaken;
  const pending = askPlan(service, write, overtaken.signal);
  const outcome = await Promise.race([pending, wait(patience)]);
  if (overtaken.signal.aborted) return false;
  const name = typeToConfirm ?? (outcome && nameOfLost(outcome));
  const isSure = await confirm({
    message,
    confirmLabel,
    danger: true,
    ...(outcome?.kind === 'absent'
      ? {}
      : {
          details: (
            <PendingPlan key={++questions} pending={pending} known={outcome} write={write} signal={overtaken.signal} />
          ),
        }),
    ...(name ? { typeToConfirm: name } : {}),
  });
  overtaken.abort();
  return isSure;
}

const wait = (milliseconds: number): Promise<null> => new Promise((done) => setTimeout(() => done(null), milliseconds));

/** The one table whose records would be lost. */
function nameOfLost(outcome: PlanOutcome): string | undefined {
  if (outcome.kind !== 'planned') return undefined;
  const lost = outcome.tables.filter(({ losses }) =>
    losses.some(({ field, records }) => field === null && records > 0),
  );
  return lost.length === 1 ? lost[0]?.name : undefined;
}

interface PendingPlanProps {
  pending: Promise<PlanOutcome>;
  known: PlanOutcome | null;
  write: SchemaWrite;
  /** Aborted once the question is answered. */
  signal: AbortSignal;
}

/** A plan in the question, when it is there. */
function PendingPlan({ pending, known, write, signal }: PendingPlanProps) {
  const [outcome, setOutcome] = useState(known);
  useEffect(() => void pending.then((loaded) => signal.aborted || setOutcome(loaded)), [pending, signal]);
  if (!outcome) return <WaitingLine />;
  if (outcome.kind === 'absent') return null;
  const headline = headlineOf(outcome, write);
  return (
    <div className={classes.strip} data-tone={headline.tone}>
      <div className={classes.head} role="status">
        <PlanHeadline headline={headline} />
      </div>
      {hasDetails(outcome) ? (
        <div className={classes.unfolded}>
          <OutcomeDetails outcome={outcome} write={write} showsSql={false} />
        </div>
      ) : null}
    </div>
  );
}
