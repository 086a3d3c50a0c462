import { Button } from '@mantine/core';
import type { LimitCacheEntry } from '@sluice/contract';
import { IconBolt } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Section, useEditor } from '../../editor/index.ts';
import type { Row } from '../../list/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { CounterBar, ownCounters } from './counter-bar.tsx';
import { fullestOf, sumOf, userOf } from './counters.ts';
import classes from './limits.module.css';
import type { LimitForm } from './record.ts';
import { useCounters, useUserNames } from './sources.ts';
import { useResets } from './use-resets.ts';

/** Of the counters of thousands of people so many are shown, the fullest. */
const maxShown = 5;

/** What a stored limit has counted so far, by its fullest counters. */
export function CountersSection() {
  const { record } = useEditor<LimitForm>();
  return record ? <StoredCounters limit={record} /> : null;
}

function StoredCounters({ limit }: { limit: Row }) {
  const t = useText('limits');
  const id = Number(limit.id);
  const ids = useMemo(() => [id], [id]);
  const entries = useCounters(ids)?.get(id) ?? ownCounters(limit);
  const { isBusy, resetOne } = useResets();
  const sum = sumOf(entries);
  const isPerUser = entries.some((entry) => userOf(entry) !== null);
  const shown = isPerUser ? fullestOf(entries, maxShown) : entries;
  const names = useUserNames(useMemo(() => shown.map(userOf).filter((user) => user !== null), [shown]));
  const ownerOf = (entry: LimitCacheEntry) => {
    const user = userOf(entry);
    return user === null ? t('counters.now') : (names.get(user) ?? `#${user}`);
  };
  return (
    <Section title={t('columns.counter')} text={t('counters.hint')}>
      {shown.length === 0 ? (
        <p className={classes.soft}>
          {sum
            ? t('counters.noneOfUsers', { count: sum.counters, users: formatNumber(sum.counters) })
            : t('counters.noUsers')}
        </p>
      ) : (
        <ul className={classes.counterList}>
          {shown.map((entry) => (
            <li key={entry.key} className={classes.counterOfUser}>
              <span className={classes.owner}>{ownerOf(entry)}</span>
              <span className={classes.number}>{`${formatNumber(entry.attempts)} / ${formatNumber(entry.max)}`}</span>
              <CounterBar entry={entry} name={ownerOf(entry)} />
            </li>
          ))}
        </ul>
      )}
      {sum && isPerUser && sum.used > shown.length ? (
        <p className={classes.soft}>
          {t('counters.more', { count: sum.used - shown.length, number: formatNumber(sum.used - shown.length) })}
        </p>
      ) : null}
      <div>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconBolt className={classes.icon} aria-hidden />}
          loading={isBusy}
          onClick={() => void resetOne(limit)}
        >
          {t('reset.title')}
        </Button>
      </div>
      <p className={classes.soft}>
        {t('counters.key')} <code className={classes.key}>{String(limit.key_text)}</code>
      </p>
    </Section>
  );
}
