import { Badge } from '@mantine/core';
import { type AuditAction, auditActions } from '@sluice/contract';
import { useText } from '../../text/index.ts';
import classes from './audit.module.css';

const tones: Record<AuditAction, string> = {
  create: 'green',
  update: 'water',
  delete: 'red',
  test: 'gray',
  sign_in: 'gray',
  sign_out: 'gray',
};

/** What was done, as a word with a tone. */
export function ActionBadge({ action }: { action: string | null }) {
  const t = useText('audit');
  const knownAction = auditActions.find((name) => name === action);
  return (
    <Badge color={knownAction ? tones[knownAction] : 'gray'}>
      {knownAction ? t(`actions.${knownAction}`) : action}
    </Badge>
  );
}

/** Whether it went through, or why not. */
export function Outcome({ outcome }: { outcome: string | null }) {
  const t = useText('audit');
  const isGood = outcome === 'ok' || outcome === null;
  return (
    <span className={classes.outcome} data-good={isGood}>
      {isGood ? t('ok') : outcome}
    </span>
  );
}
