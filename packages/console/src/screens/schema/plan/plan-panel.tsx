import { Button, Loader } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { describeError } from '../../../ui/index.ts';
import type { SchemaWrite } from '../address/write.ts';
import type { PlanOutcome } from './ask-plan.ts';
import { Fold } from './fold.tsx';
import { headlineOf } from './headline.ts';
import classes from './plan.module.css';
import { PlanDetails } from './plan-details.tsx';
import { PlanHeadline } from './plan-headline.tsx';
import { usePlan } from './use-plan.ts';

interface PlanPanelProps {
  service: string;
  write: SchemaWrite | null;
  /** Whether all of it is shown at once; elsewhere as the person left it. */
  startsOpen?: boolean;
}

/** What a write would do, kept up to date while it is edited; nothing while `write` is null. */
export function PlanPanel({ service, write, startsOpen = false }: PlanPanelProps) {
  const t = useText('schema');
  const { outcome, isOld, isWaiting, retry } = usePlan(service, write);
  if (!write || (!outcome && !isWaiting)) return null;
  return (
    // A landmark would be there twice where a dialog has one, too.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
    <div role="group" className={classes.panel} aria-label={t('plan.title')} aria-busy={isWaiting}>
      {outcome && outcome.kind !== 'absent' ? (
        <Strip outcome={outcome} write={write} isOld={isOld} onRetry={retry} startsOpen={startsOpen} />
      ) : (
        <WaitingLine />
      )}
    </div>
  );
}

export function WaitingLine() {
  const t = useText('schema');
  return (
    <p className={classes.waiting} role="status">
      <Loader size="xs" aria-hidden /> {t('plan.waiting')}
    </p>
  );
}

interface StripProps {
  outcome: Exclude<PlanOutcome, { kind: 'absent' }>;
  write: SchemaWrite;
  isOld: boolean;
  onRetry: () => void;
  startsOpen: boolean;
}

/** The line, and what unfolds below it. */
function Strip({ outcome, write, isOld, onRetry, startsOpen }: StripProps) {
  const t = useText('schema');
  const [isOpen, setOpen] = useUnfolded(startsOpen);
  const headline = headlineOf(outcome, write);
  const line = <PlanHeadline headline={headline} />;
  return (
    <div className={classes.strip} data-tone={headline.tone} data-old={isOld || undefined}>
      <div className={classes.head} aria-live="polite">
        {hasDetails(outcome) ? (
          <Fold isOpen={isOpen} onToggle={setOpen} head={line}>
            <OutcomeDetails outcome={outcome} write={write} showsSql />
          </Fold>
        ) : (
          line
        )}
        {isOld ? <span className={classes.old}>{t('plan.old')}</span> : null}
      </div>
      {outcome.kind === 'failed' ? (
        <Button variant="default" size="compact-sm" className={classes.retry!} onClick={onRetry}>
          {t('plan.retry')}
        </Button>
      ) : null}
    </div>
  );
}

/** Whether there is more to say than the headline. */
export const hasDetails = (outcome: StripProps['outcome']): boolean =>
  outcome.kind === 'planned' ? outcome.tables.length > 0 : linesOf(outcome).length > 0;

interface OutcomeDetailsProps extends Pick<StripProps, 'outcome' | 'write'> {
  showsSql: boolean;
}

/** What the headline leaves out. */
export const OutcomeDetails = ({ outcome, write, showsSql }: OutcomeDetailsProps) =>
  outcome.kind === 'planned' ? (
    <PlanDetails tables={outcome.tables} write={write} showsSql={showsSql} />
  ) : (
    <ul className={classes.list}>
      {linesOf(outcome).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );

/** The first message of a refusal is the headline. */
const linesOf = (outcome: Exclude<PlanOutcome, { kind: 'absent' | 'planned' }>): string[] =>
  outcome.kind === 'refused' ? outcome.messages.slice(1) : describeError(outcome.error).messages;

/** Whether the person keeps plans unfolded, in this browser; one that starts open is not kept. */
function useUnfolded(startsOpen: boolean): [boolean, (isOpen: boolean) => void] {
  const key = `sluice.schema.plan.${useSession()?.id ?? 'anyone'}`;
  const [isOpen, setOpen] = useState(() => startsOpen || localStorage.getItem(key) === 'open');
  const keep = (next: boolean) => {
    setOpen(next);
    if (startsOpen) return;
    if (next) localStorage.setItem(key, 'open');
    else localStorage.removeItem(key);
  };
  return [isOpen, keep];
}
