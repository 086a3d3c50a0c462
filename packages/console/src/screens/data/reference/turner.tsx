import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { pageCount } from '../../../list/index.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import classes from '../look/look.module.css';
import { childPageSize } from '../place/place.ts';
import ownClasses from './reference.module.css';

interface TurnerProps {
  page: number;
  /** How many records of the page there are. */
  shown: number;
  count: number;
  onTurn: (by: number) => void;
}

/** Which of the records are shown, and the pages before and after. */
export function Turner({ page, shown, count, onTurn }: TurnerProps) {
  const t = useText('data');
  const from = (page - 1) * childPageSize;
  const pages = pageCount(count, childPageSize);
  return (
    <div className={ownClasses.turner}>
      <span role="status">
        {t('range', {
          from: formatNumber(from + 1),
          to: formatNumber(from + shown),
          total: formatNumber(count),
        })}
      </span>
      {pages > 1 ? (
        <span className={ownClasses.turn}>
          <ActionIcon aria-label={t('previous')} disabled={page <= 1} onClick={() => onTurn(-1)} size="sm">
            <IconChevronLeft className={classes.smallIcon} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={t('next')} disabled={page >= pages} onClick={() => onTurn(1)} size="sm">
            <IconChevronRight className={classes.smallIcon} aria-hidden />
          </ActionIcon>
        </span>
      ) : null}
    </div>
  );
}
