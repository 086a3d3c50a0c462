import { Button, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { Caller, Exchange, Sending } from '../api/index.ts';
import { exchange } from '../api/index.ts';
import { formatNumber, useText } from '../text/index.ts';
import { CopyButton } from '../ui/index.ts';
import { prettyJson } from './answer-text.ts';
import classes from './calls.module.css';
import { useRun } from './use-run.ts';

interface RunCallProps {
  /** Below `/api/v2`. */
  path: string;
  query?: Record<string, string>;
  caller: Caller;
  label?: string;
  /** Absent: a GET. */
  sending?: Sending;
  /** Shows the headers of the answer, too. */
  hasHeaders?: boolean;
}

/** Makes the call from here: status, time and answer; a refusal is shown as it is. For another call, give it another `key`. */
export function RunCall({ path, query = {}, caller, label, sending, hasHeaders = false }: RunCallProps) {
  const t = useText('calls');
  const { outcome, isRunning, run } = useRun(async (signal) => {
    const answered = await exchange(path, query, caller, signal, sending);
    return { exchange: answered, shown: prettyJson(answered.body) };
  });

  return (
    <div className={classes.run}>
      <div className={classes.runHead}>
        <Button
          variant="default"
          leftSection={<IconPlayerPlay className={classes.icon} aria-hidden />}
          loading={isRunning}
          onClick={() => void run()}
        >
          {label ?? t('run.button')}
        </Button>
        <div role="status" className={classes.outcome}>
          {outcome && 'exchange' in outcome ? <Status {...outcome.exchange} /> : null}
        </div>
        {outcome && 'exchange' in outcome ? <CopyButton value={outcome.shown} thing={t('run.thing')} /> : null}
      </div>
      {outcome && 'problem' in outcome ? (
        <Text role="alert" className={classes.problem ?? ''}>
          {outcome.problem}
        </Text>
      ) : null}
      {outcome && 'exchange' in outcome ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard */}
          <section className={classes.answer} tabIndex={0} aria-label={t('run.answer')}>
            <pre>{outcome.shown === '' ? t('run.empty') : outcome.shown}</pre>
          </section>
          {hasHeaders ? (
            <details className={classes.headers}>
              <summary>{t('run.headers', { count: outcome.exchange.headers.length })}</summary>
              <dl>
                {outcome.exchange.headers.map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            </details>
          ) : null}
          {outcome.exchange.isCut ? (
            <Text size="xs" c="var(--s-text-soft)">
              {t('run.cut')}
            </Text>
          ) : null}
        </>
      ) : null}
    </div>
  );
}

function Status({ status, milliseconds }: Exchange) {
  const t = useText('calls');
  return (
    <>
      <span className={classes.status} data-refused={status >= 400 || undefined}>
        {t('run.status', { status })}
      </span>
      <span className={classes.time}>{t('run.time', { time: formatNumber(Math.round(milliseconds)) })}</span>
    </>
  );
}
