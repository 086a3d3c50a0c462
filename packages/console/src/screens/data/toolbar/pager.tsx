import { TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatNumber, useText } from '../../../text/index.ts';
import { useStore } from '../../../ui/index.ts';
import type { TableState } from '../table/use-table.ts';
import { Tool } from './tool.tsx';
import classes from './toolbar.module.css';

/** First, previous, a page by number, next, last (TBL-003). */
export const Pager = ({ state }: { state: TableState }) =>
  state.isWhole ? <Sight state={state} /> : <Pages state={state} />;

/** Which rows of the whole table are in sight. */
function Sight({ state }: { state: TableState }) {
  const t = useText('data');
  const { first, last } = useStore(state.sight);
  if (last < first) return null;
  return (
    <span className={classes.range}>
      {t('range', {
        from: formatNumber(first + 1),
        to: formatNumber(Math.min(last, state.recordCount - 1) + 1),
        total: formatNumber(state.count),
      })}
    </span>
  );
}

function Pages({ state }: { state: TableState }) {
  const t = useText('data');
  const { place, pages, count, rows, size, go } = state;
  const [typed, setTyped] = useState(String(place.page));
  useEffect(() => setTyped(String(place.page)), [place.page]);
  const from = (place.page - 1) * size + 1;
  const choose = () => {
    const page = Number(typed);
    if (Number.isInteger(page) && page >= 1 && page <= pages) go(page);
    else setTyped(String(place.page));
  };
  return (
    <div className={classes.pager}>
      {rows.length > 0 ? (
        <span className={classes.range}>
          {t('range', {
            from: formatNumber(from),
            to: formatNumber(from + rows.length - 1),
            total: formatNumber(count),
          })}
        </span>
      ) : null}
      {pages > 1 ? (
        <nav className={classes.pages} aria-label={t('page')}>
          <Tool label={t('first')} isExtra icon={IconChevronsLeft} disabled={place.page <= 1} onClick={() => go(1)} />
          <Tool
            label={t('previous')}
            icon={IconChevronLeft}
            disabled={place.page <= 1}
            onClick={() => go(place.page - 1)}
          />
          <TextInput
            aria-label={t('page')}
            className={classes.pageNumber!}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={choose}
            onKeyDown={(event) => event.key === 'Enter' && choose()}
          />
          <span className={classes.range}>{t('ofPages', { pages: formatNumber(pages) })}</span>
          <Tool
            label={t('next')}
            icon={IconChevronRight}
            disabled={place.page >= pages}
            onClick={() => go(place.page + 1)}
          />
          <Tool
            label={t('last')}
            isExtra
            icon={IconChevronsRight}
            disabled={place.page >= pages}
            onClick={() => go(pages)}
          />
        </nav>
      ) : null}
    </div>
  );
}
