// One level of the drill-down: its entries, narrowed by words, moved through by arrows.
import { CloseButton, Text, TextInput } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { formatNumber, useText } from '../../../text/index.ts';
import { describeError, FailedLine, Loading } from '../../../ui/index.ts';
import classes from './browser.module.css';

/** A line of a level. */
export interface ColumnEntry {
  key: string;
  label: string;
  /** Quieter words below: what it is. */
  note?: string;
  /** The whole name, where the label is a part of it. */
  title?: string;
  icon?: ReactNode;
  to: string;
  /** Scripts that it leads to. */
  scripts: number;
  /** Leads to a script, and not to another level. */
  isScript?: boolean;
}

interface ColumnProps {
  title: string;
  entries: readonly ColumnEntry[] | undefined;
  current: string | undefined;
  error?: unknown;
  onRetry?: () => void;
  /** Said where there is nothing. */
  empty: string;
  /** Stands below the entries. */
  foot?: ReactNode;
  /** Gets the arrows to the left and right. */
  onSide: (direction: -1 | 1) => void;
}

/** From so many entries on, only those in sight are rendered; and from so many on they can be narrowed. */
const virtualFrom = 100;
const searchFrom = 8;
/** Height of an entry in pixels, with and without a note. */
const tallRow = 48;
const lowRow = 34;

export function Column({ title, entries, current, error, onRetry, empty, foot, onSide }: ColumnProps) {
  const t = useText('scripts');
  const [search, setSearch] = useState('');
  const column = useRef<HTMLElement>(null);
  const shown = useMemo(() => {
    const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    return (entries ?? []).filter(({ label, note = '' }) => {
      const text = `${label} ${note}`.toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [entries, search]);
  const hasSearch = (entries?.length ?? 0) >= searchFrom;

  const onSearchKey = (event: KeyboardEvent) => {
    const first = column.current?.querySelector<HTMLElement>('[data-entry]');
    if (event.key === 'Escape' && search) setSearch('');
    else if ((event.key === 'ArrowDown' || event.key === 'Enter') && first) {
      if (event.key === 'Enter' && shown.length === 1) first.click();
      else first.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section className={classes.column} aria-label={title} ref={column} data-column>
      <header className={classes.columnHead}>
        <h2>{title}</h2>
        {entries ? <span className={classes.total}>{formatNumber(entries.length)}</span> : null}
      </header>
      {hasSearch ? (
        <TextInput
          size="xs"
          className={classes.search ?? ''}
          aria-label={t('browser.search', { level: title })}
          placeholder={t('browser.searchHint')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={onSearchKey}
          leftSection={<IconSearch className={classes.smallIcon} aria-hidden />}
          rightSection={
            search ? (
              <CloseButton size="xs" aria-label={t('browser.clearSearch')} onClick={() => setSearch('')} />
            ) : null
          }
          autoComplete="off"
          spellCheck={false}
          data-filter
        />
      ) : null}
      {error ? (
        <div className={classes.note}>
          <FailedLine onRetry={onRetry ?? (() => undefined)}>{describeError(error).messages.join(' ')}</FailedLine>
        </div>
      ) : !entries ? (
        <div className={classes.note}>
          <Loading shape="rows" count={6} />
        </div>
      ) : shown.length === 0 ? (
        <Text size="sm" className={classes.note ?? ''} role="status">
          {search ? t('browser.noMatch', { words: search }) : empty}
        </Text>
      ) : (
        <Entries entries={shown} current={current} title={title} onSide={onSide} />
      )}
      {foot}
    </section>
  );
}

interface EntriesProps {
  entries: readonly ColumnEntry[];
  current: string | undefined;
  title: string;
  onSide: (direction: -1 | 1) => void;
}

function Entries({ entries, current, title, onSide }: EntriesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isVirtual = entries.length > virtualFrom;
  const rowHeight = entries.some(({ note }) => note) ? tallRow : lowRow;
  const virtual = useVirtualizer({
    enabled: isVirtual,
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const first = isVirtual ? (items[0]?.index ?? 0) : 0;
  const last = isVirtual ? (items.at(-1)?.index ?? -1) : entries.length - 1;

  const currentIndex = entries.findIndex(({ key }) => key === current);
  const scrollTo = (index: number) => {
    if (isVirtual) virtual.scrollToIndex(index);
    else scroller.current?.querySelector(`[data-entry="${index}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const latestScrollTo = useRef(scrollTo);
  latestScrollTo.current = scrollTo;
  useEffect(() => {
    if (currentIndex >= 0) latestScrollTo.current(currentIndex);
  }, [currentIndex]);

  const [focusIndex, setFocusIndex] = useState<number | null>(null);
  useEffect(() => {
    if (focusIndex === null) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-entry="${focusIndex}"]`);
    if (!link) return;
    link.focus();
    setFocusIndex(null);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const index = Number((event.target as HTMLElement).closest<HTMLElement>('[data-entry]')?.dataset.entry);
    if (!Number.isInteger(index) || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (target !== undefined) {
      const next = Math.min(entries.length - 1, Math.max(0, target));
      if (isVirtual) virtual.scrollToIndex(next);
      setFocusIndex(next);
    } else if (event.key === 'ArrowRight' && index === currentIndex) onSide(1);
    else if (event.key === 'ArrowRight') (event.target as HTMLElement).click();
    else if (event.key === 'ArrowLeft') onSide(-1);
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links inside
    <div className={classes.entries} ref={scroller} onKeyDown={onKeyDown}>
      <ul aria-label={title}>
        {first > 0 ? <li aria-hidden style={{ height: first * rowHeight }} /> : null}
        {entries.slice(first, last + 1).map((entry, offset) => (
          <Entry
            key={entry.key}
            entry={entry}
            index={first + offset}
            height={rowHeight}
            isCurrent={entry.key === current}
          />
        ))}
        {last < entries.length - 1 ? (
          <li aria-hidden style={{ height: (entries.length - 1 - last) * rowHeight }} />
        ) : null}
      </ul>
    </div>
  );
}

interface EntryProps {
  entry: ColumnEntry;
  index: number;
  height: number;
  isCurrent: boolean;
}

function Entry({ entry, index, height, isCurrent }: EntryProps) {
  const t = useText('scripts');
  const { label, note, title, icon, to, scripts, isScript = false } = entry;
  return (
    <li>
      <Link
        to={to}
        className={classes.entry}
        style={{ height }}
        title={title ?? label}
        data-entry={index}
        data-scripted={scripts > 0 || undefined}
        aria-current={isCurrent ? 'true' : undefined}
      >
        {icon}
        <span className={classes.words}>
          <span className={classes.label}>{label}</span>
          {note ? <span className={classes.noteText}>{note}</span> : null}
        </span>
        {scripts > 0 ? (
          <span className={classes.count} data-script={isScript || undefined}>
            {isScript
              ? t('browser.hasScript')
              : t('browser.scripts', { count: scripts, number: formatNumber(scripts) })}
          </span>
        ) : null}
        {isScript ? null : <IconChevronRight className={classes.smallIcon} aria-hidden />}
      </Link>
    </li>
  );
}
