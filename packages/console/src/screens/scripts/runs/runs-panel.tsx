// The last runs of a script, read again while they are looked at: when, for whom, how long, how it ended, what it printed.
import { Text } from '@mantine/core';
import type { ScriptRunRecord } from '@sluice/contract';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { formatExactMoment, formatNumber, serverText, useText } from '../../../text/index.ts';
import { Failed, Loading } from '../../../ui/index.ts';
import { useRuns } from '../sources.ts';
import { OutcomeBadge } from './outcome.tsx';
import classes from './runs.module.css';

export function RunsPanel({ name }: { name: string }) {
  const t = useText('scripts');
  const { data: runs, error, isPending, refetch } = useRuns({ name, follows: true });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  if (isPending) return <Loading shape="rows" count={3} />;
  if (error && !runs) return <Failed error={error} title={t('runs.failed')} onRetry={() => void refetch()} />;
  if (!runs) return <Text className={classes.empty ?? ''}>{t('runs.notTold')}</Text>;
  if (runs.length === 0) return <Text className={classes.empty ?? ''}>{t('runs.none')}</Text>;
  const toggle = (key: string) =>
    setOpen((keys) => new Set(keys.has(key) ? [...keys].filter((other) => other !== key) : [...keys, key]));
  return (
    <>
      <table className={classes.runs} aria-label={t('runs.title')}>
        <thead>
          <tr>
            <th scope="col">{t('runs.when')}</th>
            <th scope="col">{t('runs.outcome')}</th>
            <th scope="col">{t('runs.time')}</th>
            <th scope="col">{t('runs.call')}</th>
            <th scope="col">{t('runs.caller')}</th>
            <th scope="col">
              <span className={classes.hidden}>{t('runs.more')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => {
            // Runs have no id; of two in a millisecond the place tells them apart.
            const key = `${run.started} ${runs.filter(({ started }, other) => other > index && started === run.started).length}`;
            return <Run key={key} run={run} isOpen={open.has(key)} onToggle={() => toggle(key)} />;
          })}
        </tbody>
      </table>
      <Text size="xs" className={classes.foot ?? ''}>
        {t('runs.hint')}
      </Text>
    </>
  );
}

function Run({ run, isOpen, onToggle }: { run: ScriptRunRecord; isOpen: boolean; onToggle: () => void }) {
  const t = useText('scripts');
  const { started, outcome, milliseconds, message, log, request, caller } = run;
  const hasMore = Boolean(message || log);
  const who = [caller?.user?.name, caller?.app?.name].filter(Boolean).join(' · ');
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <td>
          <time dateTime={started} title={started}>
            {formatExactMoment(new Date(started))}
          </time>
        </td>
        <td>
          <OutcomeBadge outcome={outcome} />
        </td>
        <td data-number>{t('runs.milliseconds', { number: formatNumber(milliseconds) })}</td>
        <td>
          <code className={classes.call}>{`${request?.verb ?? ''} ${request?.path ?? ''}`}</code>
        </td>
        <td>{who === '' ? t('runs.nobody') : who}</td>
        <td>
          {hasMore ? (
            <button
              type="button"
              className={classes.toggle}
              aria-expanded={isOpen}
              aria-label={t('runs.output')}
              onClick={onToggle}
            >
              {isOpen ? (
                <IconChevronDown className={classes.smallIcon} aria-hidden />
              ) : (
                <IconChevronRight className={classes.smallIcon} aria-hidden />
              )}
            </button>
          ) : null}
        </td>
      </tr>
      {isOpen ? (
        <tr className={classes.details}>
          <td colSpan={6}>
            {message ? <p className={classes.message}>{serverText(message)}</p> : null}
            {log ? <pre className={classes.output}>{log}</pre> : null}
          </td>
        </tr>
      ) : null}
    </>
  );
}
