import { Button, Progress, Text } from '@mantine/core';
import { formatNumber, useText } from '../../text/index.ts';
import type { Busy, Problem } from './actions/use-actions.ts';
import classes from './file-manager.module.css';

/** Lines of failures that are listed; the others are counted. */
const maxLines = 20;

/** What could not be done, in the server's words, until it is tried again or dismissed. */
export function ProblemBar({ problem, onDismiss }: { problem: Problem | null; onDismiss: () => void }) {
  const t = useText('files');
  const common = useText('common');
  if (!problem) return null;
  const { title, lines, retry, keepBoth } = problem;
  return (
    <div className={classes.problem} role="alert">
      <div className={classes.problemWords}>
        <strong>{title}</strong>
        <ul>
          {lines.slice(0, maxLines).map(({ name, message }) => (
            <li key={`${name} ${message}`}>
              {name ? <b>{name}: </b> : null}
              {message}
            </li>
          ))}
          {lines.length > maxLines ? <li>{t('failed.more', { count: lines.length - maxLines })}</li> : null}
        </ul>
      </div>
      <div className={classes.problemButtons}>
        {keepBoth ? (
          <Button size="compact-sm" variant="default" onClick={keepBoth}>
            {t('uploads.keepBoth')}
          </Button>
        ) : null}
        <Button size="compact-sm" variant="default" onClick={retry}>
          {common('retry')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onDismiss}>
          {common('dismiss')}
        </Button>
      </div>
    </div>
  );
}

/** Work that takes its time: how far it is, and a way to stop it. */
export function WorkBar({ busy }: { busy: Busy | null }) {
  const t = useText('files');
  const common = useText('common');
  if (!busy) return null;
  return (
    <div className={classes.working} role="status">
      <Text size="sm">{busy.label}</Text>
      {busy.total > 1 ? (
        <>
          <Progress
            className={classes.workProgress!}
            value={(busy.done / busy.total) * 100}
            size="sm"
            aria-label={busy.label}
          />
          <Text size="sm" className={classes.soft!}>
            {t('ofTotal', { done: formatNumber(busy.done), total: formatNumber(busy.total) })}
          </Text>
        </>
      ) : (
        <span className={classes.workProgress} />
      )}
      <Button size="compact-sm" variant="default" onClick={busy.stop}>
        {common('cancel')}
      </Button>
    </div>
  );
}
