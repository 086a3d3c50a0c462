import { ActionIcon, Button, Progress, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconChevronDown,
  IconChevronUp,
  IconPlayerPlay,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { useSizeText } from '../../../files/index.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { describeError, useStore } from '../../../ui/index.ts';
import { totalsOf, type Upload } from './queue.ts';
import classes from './transfers.module.css';
import { isShown, uploads as queue } from './uploads.ts';

const rowHeight = 44;

/** The uploads of this tab: how far they are, and what to do with those that did not arrive. */
export function Transfers() {
  const t = useText('files');
  const { uploads, isInterrupted } = useStore(queue.queue);
  const [isFolded, setFolded] = useState(false);
  useEffect(() => {
    isShown.set(true);
    return () => isShown.set(false);
  }, []);
  if (uploads.length === 0) return null;
  const totals = totalsOf(uploads);
  const values = { done: formatNumber(totals.done), total: formatNumber(totals.count), count: totals.count };
  const state = isInterrupted
    ? t('uploads.interrupted', values)
    : totals.open > 0
      ? t('uploads.running', values)
      : t('uploads.ended', values);
  return (
    <section
      className={classes.transfers}
      aria-label={t('uploads.title')}
      data-interrupted={isInterrupted || undefined}
    >
      <div className={classes.head}>
        <Text className={classes.state!} role="status">
          {isInterrupted ? <IconAlertTriangle className={classes.warning} aria-hidden /> : null}
          {state}
        </Text>
        {isInterrupted ? (
          <Button
            size="compact-sm"
            leftSection={<IconPlayerPlay className={classes.icon} aria-hidden />}
            onClick={() => queue.resume()}
          >
            {t('uploads.resume')}
          </Button>
        ) : null}
        {totals.exists > 1 ? (
          <>
            <Button size="compact-sm" variant="default" onClick={() => queue.replaceAll()}>
              {t('uploads.replaceAll')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() =>
                void queue.keepBoth(uploads.filter((upload) => upload.state === 'exists').map(({ id }) => id))
              }
            >
              {t('uploads.keepAll')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => queue.skipAll()}>
              {t('uploads.skipAll')}
            </Button>
          </>
        ) : null}
        {totals.failed + totals.cancelled > 1 && totals.open === 0 ? (
          <Button size="compact-sm" variant="default" onClick={() => queue.retryFailed()}>
            {t('uploads.retryAll')}
          </Button>
        ) : null}
        {totals.open > 0 ? (
          <Button size="compact-sm" variant="default" onClick={() => queue.cancelAll()}>
            {t('uploads.cancelAll')}
          </Button>
        ) : null}
        <ActionIcon
          size="md"
          aria-label={t(isFolded ? 'uploads.unfold' : 'uploads.fold')}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        >
          {isFolded ? (
            <IconChevronUp className={classes.icon} aria-hidden />
          ) : (
            <IconChevronDown className={classes.icon} aria-hidden />
          )}
        </ActionIcon>
        {totals.open === 0 ? (
          <ActionIcon size="md" aria-label={t('uploads.clear')} onClick={() => queue.clear()}>
            <IconX className={classes.icon} aria-hidden />
          </ActionIcon>
        ) : null}
      </div>
      <Progress
        value={totals.share * 100}
        size="xs"
        radius={0}
        aria-label={t('uploads.progress')}
        color={isInterrupted ? 'yellow' : 'water'}
      />
      {isFolded ? null : <List uploads={uploads} isInterrupted={isInterrupted} />}
    </section>
  );
}

/** What needs someone comes first, what is done last. */
const rank: Record<Upload['state'], number> = { failed: 0, exists: 0, sending: 1, waiting: 2, cancelled: 3, done: 4 };

function List({ uploads, isInterrupted }: { uploads: readonly Upload[]; isInterrupted: boolean }) {
  const t = useText('files');
  const scroller = useRef<HTMLDivElement>(null);
  const sorted = [...uploads].sort((a, b) => rank[a.state] - rank[b.state] || a.id - b.id);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: what scrolls can be reached by keyboard.
    <div ref={scroller} className={classes.scroller} tabIndex={0} role="group" aria-label={t('uploads.files')}>
      <ul className={classes.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <Row key={sorted[index]!.id} upload={sorted[index]!} top={start} isInterrupted={isInterrupted} />
        ))}
      </ul>
    </div>
  );
}

function Row({ upload, top, isInterrupted }: { upload: Upload; top: number; isInterrupted: boolean }) {
  const t = useText('files');
  const sizeText = useSizeText();
  const { id, state, path, file } = upload;
  const name = upload.folder === '' ? path : path.slice(upload.folder.length + 1);
  const message =
    state === 'failed' || state === 'exists'
      ? describeError(upload.error).messages.join(' ')
      : state === 'waiting' && isInterrupted
        ? t('uploads.states.interrupted')
        : state === 'sending'
          ? t('uploads.sent', { sent: sizeText(upload.sent), size: sizeText(file.size) })
          : `${t(`uploads.states.${state}`)} · ${sizeText(file.size)}`;
  return (
    <li className={classes.row} data-state={state} style={{ transform: `translateY(${top}px)` }}>
      <span className={classes.mark}>
        {state === 'done' ? <IconCheck className={classes.done} aria-hidden /> : null}
        {state === 'failed' || state === 'exists' ? <IconAlertTriangle className={classes.failed} aria-hidden /> : null}
      </span>
      <span className={classes.words}>
        <span className={classes.name} title={path}>
          {name}
        </span>
        <span
          className={classes.message}
          title={message}
          role={state === 'failed' || state === 'exists' ? 'alert' : undefined}
        >
          {message}
        </span>
        {state === 'sending' ? (
          <Progress
            value={file.size > 0 ? (upload.sent / file.size) * 100 : 0}
            size="xs"
            aria-label={t('uploads.progressOf', { name })}
          />
        ) : null}
      </span>
      {state === 'exists' ? (
        <span className={classes.choices}>
          <Button size="compact-xs" variant="default" onClick={() => queue.replace(id)}>
            {t('uploads.replace')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => void queue.keepBoth([id])}>
            {t('uploads.keepBoth')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => queue.skip(id)}>
            {t('uploads.skip')}
          </Button>
        </span>
      ) : null}
      {state === 'failed' || state === 'cancelled' ? (
        <ActionIcon
          size="md"
          aria-label={t('uploads.retry', { name })}
          title={t('uploads.retry', { name })}
          onClick={() => queue.retry(id)}
        >
          <IconRefresh className={classes.icon} aria-hidden />
        </ActionIcon>
      ) : null}
      {state === 'sending' || state === 'waiting' ? (
        <ActionIcon
          size="md"
          aria-label={t('uploads.cancel', { name })}
          title={t('uploads.cancel', { name })}
          onClick={() => queue.cancel(id)}
        >
          <IconX className={classes.icon} aria-hidden />
        </ActionIcon>
      ) : null}
    </li>
  );
}
