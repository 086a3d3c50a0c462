import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useHasScreen } from '../../../../frame/screen-list.ts';
import { formatNumber, useText } from '../../../../text/index.ts';
import { RequestId } from '../../../../ui/index.ts';
import { tableAddress } from '../../address/addresses.ts';
import classes from '../paste.module.css';
import type { FailedRow } from './batches.ts';
import type { InsertController, InsertState } from './use-insert.ts';

/** So many failed rows are listed at most; the rest is counted. */
const maxListed = 200;

interface InsertPanelProps {
  service: string;
  table: string;
  total: number;
  inserting: InsertController;
}

/** The table is there; how far its records are, which were refused, and how to go on. */
export function InsertPanel({ service, table, total, inserting }: InsertPanelProps) {
  const t = useText('schema');
  const { state, isStopping, stop, goOn } = inserting;
  const panel = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone; Stop must not get its key.
  useEffect(() => panel.current?.focus(), []);
  if (!state) return null;
  const { next, inserted, failed, end } = state;
  const isRunning = end === null;
  const isDone = end === 'done';
  return (
    <Stack gap="md" className={classes.inserting!} ref={panel} tabIndex={-1}>
      <Text fw={500}>{t('paste.made', { table })}</Text>
      <Progress value={(next / total) * 100} aria-label={t('paste.progress')} />
      <Text size="sm" role="status">
        {t(isDone ? 'paste.inserted' : 'paste.insertedSoFar', {
          count: inserted,
          rows: formatNumber(inserted),
          total: formatNumber(total),
        })}
      </Text>
      {isRunning ? null : <Ended state={state} />}
      {failed.length > 0 ? <FailedRows failed={failed} isOver={isDone} /> : null}
      <Group gap="xs">
        {isRunning ? (
          <Button variant="default" disabled={isStopping} onClick={stop}>
            {t(isStopping ? 'paste.stopping' : 'paste.stop')}
          </Button>
        ) : null}
        {!isRunning && !isDone && end !== 'lost' ? (
          <Button onClick={() => void goOn()}>{t(`paste.goOn.${end}`)}</Button>
        ) : null}
        {isRunning ? null : <Onward service={service} table={table} isDone={isDone} />}
      </Group>
    </Stack>
  );
}

/** Why it ended before all was done. */
function Ended({ state }: { state: InsertState }) {
  const t = useText('schema');
  if (state.end === 'done')
    return state.failed.length > 0 ? null : (
      <Group gap="xs" c="var(--s-success)">
        <IconCircleCheck size="1.2em" aria-hidden />
        <Text size="sm">{t('paste.allInserted')}</Text>
      </Group>
    );
  if (state.end === null) return null;
  const error = 'error' in state ? state.error : null;
  return (
    <Alert
      color={state.end === 'stopped' ? 'gray' : 'red'}
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(`paste.ended.${state.end}`)}
    >
      {error?.messages().map((message) => (
        <Text key={message} size="sm">
          {message}
        </Text>
      ))}
      <Text size="sm">{t(`paste.endedText.${state.end}`)}</Text>
      {error?.requestId ? <RequestId id={error.requestId} /> : null}
    </Alert>
  );
}

function FailedRows({ failed, isOver }: { failed: readonly FailedRow[]; isOver: boolean }) {
  const t = useText('schema');
  return (
    <Alert
      color={isOver ? 'yellow' : 'gray'}
      variant="light"
      role="note"
      title={t('paste.leftOut', { count: failed.length, rows: formatNumber(failed.length) })}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <ul className={classes.failed} tabIndex={0} aria-label={t('paste.leftOutRows')}>
        {failed.slice(0, maxListed).map(({ row, message }) => (
          <li key={row}>
            <strong>{t('paste.row', { row: formatNumber(row) })}</strong> {message}
          </li>
        ))}
      </ul>
      {failed.length > maxListed ? (
        <Text size="sm">{t('paste.moreRows', { count: failed.length - maxListed })}</Text>
      ) : null}
    </Alert>
  );
}

function Onward({ service, table, isDone }: { service: string; table: string; isDone: boolean }) {
  const t = useText('schema');
  const hasScreen = useHasScreen();
  const dataAddress = `/data/${[service, table].map(encodeURIComponent).join('/')}`;
  return (
    <>
      {hasScreen('/data') ? (
        <Button component={Link} to={dataAddress} variant={isDone ? 'filled' : 'default'}>
          {t('paste.openData')}
        </Button>
      ) : null}
      <Button component={Link} to={tableAddress(service, table)} variant="default">
        {t('paste.openTable')}
      </Button>
    </>
  );
}
