import type { ServiceUse } from '@sluice/contract';
import { formatNumber, useText } from '../../text/index.ts';
import { hourBars } from './facts.ts';
import classes from './home.module.css';

/** In units of the drawing; style sheets give it its size. */
const height = 20;
const step = 4;
const gap = 1;

/** The calls of the last day as bars, one an hour, errors at their foot; in words for those who do not see it. */
export const UseBars = ({ use }: { use: ServiceUse }) => {
  const t = useText('home');
  const bars = hourBars(use.hours, Date.now());
  const most = Math.max(1, ...bars.map(({ calls }) => calls));
  /** What is not nothing can be seen. */
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * height));
  const label = t(use.failures > 0 ? 'callsWithFailures' : 'callsOfDay', {
    count: use.calls,
    calls: formatNumber(use.calls),
    failures: formatNumber(use.failures),
  });
  return (
    <svg className={classes.bars} viewBox={`0 0 ${24 * step} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      <path className={classes.empty} d={drawBars(bars.map(({ calls }) => (calls === 0 ? 1 : 0)))} />
      <path className={classes.made} d={drawBars(bars.map(({ calls }) => heightOf(calls)))} />
      <path className={classes.failed} d={drawBars(bars.map(({ failures }) => heightOf(failures)))} />
    </svg>
  );
};

/** All bars of a colour are one shape: with one each the page would be mostly bars. */
const drawBars = (heights: readonly number[]): string =>
  heights.map((size, index) => (size > 0 ? `M${index * step} ${height}v${-size}h${step - gap}v${size}z` : '')).join('');
