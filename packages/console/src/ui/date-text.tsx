import { Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { formatMoment, useText } from '../text/index.ts';
import classes from './date-text.module.css';

const parseDate = (value: string | null | undefined): Date | null => {
  if (!value) return null;
  // Older servers write "2018-08-01 10:11:12" and mean UTC.
  const date = new Date(/^\d{4}-\d\d-\d\d \d/.test(value) ? `${value.replace(' ', 'T')}Z` : value);
  return Number.isNaN(date.getTime()) ? null : date;
};

interface DateTextProps {
  /** ISO-8601, or null. */
  value: string | null | undefined;
  /** Shown where there is no date. */
  emptyText?: string;
}

/** A moment in the reader's zone and locale; the exact UTC on hover, for which nothing is made before. */
export const DateText = ({ value, emptyText }: DateTextProps) => {
  const t = useText('common');
  const [wasPointedAt, setPointedAt] = useState(false);
  const date = parseDate(value);
  if (!date)
    return (
      <Text span c="dimmed">
        {value || emptyText || t('never')}
      </Text>
    );
  const moment = (
    <time dateTime={date.toISOString()} className={classes.date} onPointerEnter={() => setPointedAt(true)}>
      {formatMoment(date)}
    </time>
  );
  return wasPointedAt ? <Tooltip label={date.toISOString()}>{moment}</Tooltip> : moment;
};

/** An id, key or code: monospaced, selectable at once. */
export const IdText = ({ children }: { children: string | number }) => <span className={classes.id}>{children}</span>;
