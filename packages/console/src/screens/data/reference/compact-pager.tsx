import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { pageCount } from '../../../list/index.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { childPageSize } from '../address/grid-state.ts';
import classes from '../styles/shared.module.css';
import ownClasses from './reference.module.css';

interface CompactPagerProps {
  page: number;
  /** How many records the page has. */
  pageLength: number;
  count: number;
  onStep: (by: number) => void;
}

/** Which records are shown, and buttons for the pages before and after. */
export function CompactPager({ page, pageLength, count, onStep }: CompactPagerProps) {
  const t = useText('data');
  const from = (page - 1) * childPageSize;
  const pages = pageCount(count, childPageSize);
  return (
    <div className={ownClasses.turner}>
      <span role="status">
        {t('range', {
          from: formatNumber(from + 1),
          to: formatNumber(from + pageLength),
          total: formatNumber(count),
        })}
      </span>
      {pages > 1 ? (
        <span className={ownClasses.turn}>
          <ActionIcon aria-label={t('previous')} disabled={page <= 1} onClick={() => onStep(-1)} size="sm">
            <IconChevronLeft className={classes.smallIcon} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={t('next')} disabled={page >= pages} onClick={() => onStep(1)} size="sm">
            <IconChevronRight className={classes.smallIcon} aria-hidden />
          </ActionIcon>
        </span>
      ) : null}
    </div>
  );
}
