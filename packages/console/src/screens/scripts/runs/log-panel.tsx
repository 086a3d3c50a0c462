// What a script printed, run after run: follows the end, unless one has scrolled away from it.
import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatExactMoment, useText } from '../../../text/index.ts';
import { Failed, Loading } from '../../../ui/index.ts';
import { useRuns } from '../sources.ts';
import classes from './runs.module.css';

/** Pixels from the end that still count as being there. */
const nearEnd = 24;

export function LogPanel({ name }: { name: string }) {
  const t = useText('scripts');
  const { data: runs, error, isPending, refetch } = useRuns({ name, follows: true });
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const newest = runs?.[0]?.started;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run, more to see
  useEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [newest, runs?.length, isFollowing]);
  if (isPending) return <Loading shape="rows" count={3} />;
  if (error && !runs) return <Failed error={error} title={t('runs.failed')} onRetry={() => void refetch()} />;
  if (!runs) return <Text className={classes.empty ?? ''}>{t('runs.notTold')}</Text>;
  const printed = runs.filter(({ log, message }) => log || message).toReversed();
  if (printed.length === 0) return <Text className={classes.empty ?? ''}>{t('log.none')}</Text>;
  return (
    <>
      <div
        ref={box}
        className={classes.log}
        role="log"
        aria-label={t('log.title')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget }) =>
          setFollowing(currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < nearEnd)
        }
      >
        {printed.map(({ started, log, message, outcome }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs have no id, and only the oldest go
          <div key={`${started} ${index}`} className={classes.logRun}>
            <time dateTime={started}>{formatExactMoment(new Date(started))}</time>
            <pre>
              {log}
              {message && outcome !== 'done' ? (
                <span className={classes.logError}>{`${log ? '\n' : ''}${message}`}</span>
              ) : null}
            </pre>
          </div>
        ))}
      </div>
      <Text size="xs" className={classes.foot ?? ''} role="status">
        {isFollowing ? t('log.following') : t('log.paused')}
      </Text>
    </>
  );
}
