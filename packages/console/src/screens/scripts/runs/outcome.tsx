import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useText } from '../../../text/index.ts';
import classes from './runs.module.css';

/** The words of an outcome are `scripts:outcomes.<name>`; others, which later servers may have, are shown as they are. */
const worded = [
  'done',
  'failed',
  'timeout',
  'memory',
  'gone',
  'tooManyCalls',
  'tooDeep',
  'tooMuchOutput',
  'tooMuchResult',
  'engineMissing',
  'busy',
] as const;

/** How a run ended: a picture and a word. */
export function OutcomeBadge({ outcome }: { outcome: string }) {
  const t = useText('scripts');
  const known = worded.find((name) => name === outcome);
  const isGood = outcome === 'done';
  const Icon = isGood ? IconCheck : IconAlertTriangle;
  return (
    <span className={classes.outcome} data-good={isGood || undefined}>
      <Icon className={classes.smallIcon} aria-hidden />
      {known ? t(`outcomes.${known}`) : outcome}
    </span>
  );
}
