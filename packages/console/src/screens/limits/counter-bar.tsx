import type { LimitCacheEntry } from '@sluice/contract';
import { createContext, useContext } from 'react';
import type { Row } from '../../list/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { percentOf, sumOf, toneOf } from './counters.ts';
import classes from './limits.module.css';
import { periodName } from './words.ts';

/** The counters as they were read last, by limit; undefined until they were. */
export const CountersContext = createContext<ReadonlyMap<number, readonly LimitCacheEntry[]> | undefined>(undefined);

/** The counters that came with a limit. */
export const ownCounters = (limit: Row): readonly LimitCacheEntry[] =>
  Array.isArray(limit.limit_cache_by_limit_id) ? limit.limit_cache_by_limit_id : [];

/** The counters of a limit in its row: a bar, and what it stands for (OPEN-185). */
export function CounterCell({ limit }: { limit: Row }) {
  const t = useText('limits');
  const entries = useContext(CountersContext)?.get(Number(limit.id)) ?? ownCounters(limit);
  const sum = sumOf(entries);
  if (!sum) return <span className={classes.none}>{t('counters.none')}</span>;
  const { fullest, counters, used, attempts } = sum;
  const ofFullest = attemptsText(fullest);
  const isOne = counters === 1;
  const [count, users] = [counters, formatNumber(counters)];
  const inFull = isOne
    ? ofFullest
    : used === 0
      ? t('counters.noneOfUsers', { count, users })
      : t('counters.inFull', {
          ...{ count, users, most: ofFullest },
          ...{ attempts: formatNumber(attempts), used: formatNumber(used) },
        });
  return (
    <span className={classes.counter} title={isOne ? undefined : inFull}>
      <span className={classes.counterWords}>
        <span className={classes.counterText} data-period={periodName(limit.period)}>
          {isOne || used === 0
            ? inFull
            : t('counters.byUsers', { attempts: formatNumber(attempts), used: formatNumber(used) })}
        </span>
        {isOne || used === 0 ? null : <span className={classes.most}>{t('counters.most', { most: ofFullest })}</span>}
      </span>
      <CounterBar entry={fullest} name={String(limit.name)} text={inFull} />
    </span>
  );
}

const attemptsText = ({ attempts, max }: LimitCacheEntry) => `${formatNumber(attempts)} / ${formatNumber(max)}`;

/** How full a counter is, as a bar: green, yellow from 75 %, red from 90 %. */
export function CounterBar({ entry, name, text }: { entry: LimitCacheEntry; name: string; text?: string }) {
  const t = useText('limits');
  const percent = percentOf(entry);
  return (
    // biome-ignore lint/a11y/useSemanticElements: every browser draws a meter of its own, in its own colours
    <span
      className={classes.bar}
      role="meter"
      aria-label={t('counters.of', { name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      aria-valuetext={text ?? attemptsText(entry)}
      data-tone={toneOf(percent)}
    >
      <span className={classes.fill} style={{ '--filled': `${percent}%` } as React.CSSProperties} />
    </span>
  );
}
