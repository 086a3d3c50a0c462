import { Button, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconClick, IconPlus } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Link, NavLink } from 'react-router';
import { recordIdOf } from '../../editor/index.ts';
import { cellText, type Row, rowLink, useFocusKept, useRowKeys, whenFocusIsFree } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { Empty, notify, SearchInput } from '../../ui/index.ts';
import classes from './config.module.css';

interface EntriesProps {
  /** Address of the tab; entries are at `{base}/{id}`, a new one at `{base}/create`. */
  base: string;
  /** What was loaded: the records and how many there are. */
  data: unknown;
  /** The tab's name. */
  label: string;
  /** Id of the entry in the address; null when none is selected. */
  id: string | null;
  /** The field they are called by; `name` when absent. */
  nameField?: string;
  /** What an unsaved entry is called. */
  newName: string;
  texts: { empty: string; noneSelected: string };
  /** A second, quieter word of an entry. */
  note?: (row: Row) => ReactNode;
  /** The editor of the entry selected. */
  children: ReactNode;
}

/** From so many entries on, there is a search input. */
const minEntriesToSearch = 8;

/** Entries at the side and the selected one's editor beside; on a phone one or the other (CFG-014, CFG-027, CFG-036). */
export function Entries(props: EntriesProps) {
  const { base, data, label, id, nameField = 'name', newName, texts, note, children } = props;
  const t = useText('config');
  const [searchText, setSearchText] = useState('');
  const { resource: rows = [], meta } = data as { resource?: Row[]; meta?: { count?: number } };
  const count = meta?.count ?? rows.length;
  const lowerCaseSearch = searchText.trim().toLocaleLowerCase();
  const shown = rows.filter((row) => cellText(row[nameField]).toLocaleLowerCase().includes(lowerCaseSearch));
  const isNew = id !== null && recordIdOf(id) === null;
  const list = useRef<HTMLUListElement>(null);
  const focusRow = (index: number) => rowLink(list.current, index)?.focus();
  useRowKeys(list, { count: shown.length, moveTo: focusRow });
  useFocusKept(list, { rows: shown, identifier: 'id', focusRow });
  useEntryReturn(list, id);
  return (
    <div className={classes.panes} data-open={id !== null || undefined}>
      <nav className={classes.side} aria-label={label} data-list>
        <div className={classes.sideHead}>
          {rows.length < minEntriesToSearch ? (
            <span className={classes.grow} />
          ) : (
            <SearchInput
              className={classes.grow ?? ''}
              label={t('entries.find')}
              value={searchText}
              onChange={setSearchText}
            />
          )}
          <Button
            component={Link}
            to={`${base}/create`}
            data-entry="create"
            variant="default"
            leftSection={<IconPlus className={classes.icon} aria-hidden />}
          >
            {t('entries.new')}
          </Button>
        </div>
        {rows.length === 0 && !isNew ? <Text className={classes.sideWords}>{texts.empty}</Text> : null}
        {rows.length > 0 && shown.length === 0 ? (
          <Text className={classes.sideWords} role="status">
            {t('entries.noMatch', { text: searchText.trim() })}
          </Text>
        ) : null}
        <ul ref={list} className={classes.entries}>
          {isNew ? (
            <li className={classes.entry}>
              <NavLink to={`${base}/create`} className={classes.entryLink ?? ''}>
                <span className={classes.entryName}>{newName}</span>
                <span className={classes.soft}>{t('entries.unsaved')}</span>
              </NavLink>
            </li>
          ) : null}
          {shown.map((row, index) => (
            <li key={String(row.id)} className={classes.entry} data-row={index}>
              <NavLink
                to={`${base}/${row.id}`}
                className={classes.entryLink ?? ''}
                data-row-link
                data-entry={String(row.id)}
              >
                <span className={classes.entryName}>{cellText(row[nameField])}</span>
                <span className={classes.soft}>{note?.(row)}</span>
              </NavLink>
            </li>
          ))}
        </ul>
        {count > rows.length ? (
          <Text className={classes.sideWords}>{t('entries.partial', { shown: rows.length, count })}</Text>
        ) : null}
      </nav>
      <div className={classes.editor}>
        {id === null ? <NoneSelected title={label} text={texts.noneSelected} /> : children}
      </div>
    </div>
  );
}

/** Nothing is selected; trying to save says so (CFG-021, CFG-030, CFG-039). */
function NoneSelected({ title, text }: { title: string; text: string }) {
  const t = useText('config');
  useHotkeys([['mod+S', () => notify.error(title, text)]], []);
  return <Empty icon={IconClick} title={text} text={t('entries.choose')} />;
}

/** On a phone the entries give way to the editor: back from it, they are where they were, and the one that was open has the focus. */
function useEntryReturn(list: RefObject<HTMLElement | null>, id: string | null): void {
  const opened = useRef(id);
  const scrollTop = useRef(0);
  useLayoutEffect(() => {
    const page = list.current?.closest('main');
    const note = () => {
      if (opened.current === null && page) scrollTop.current = page.scrollTop;
    };
    page?.addEventListener('scroll', note);
    return () => page?.removeEventListener('scroll', note);
  }, [list]);
  useLayoutEffect(() => {
    const focusEntry = (name: string) =>
      [...(list.current?.parentElement?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])]
        .find((entry) => entry.dataset.entry === name)
        ?.focus();
    const closed = opened.current;
    opened.current = id;
    const page = list.current?.closest('main');
    const isReplaced = list.current?.offsetParent === null;
    if (id !== null) {
      if (closed === null && isReplaced) page?.scrollTo?.(0, 0);
      return;
    }
    if (closed === null) return;
    if (page && scrollTop.current > 0) page.scrollTop = scrollTop.current;
    return whenFocusIsFree(() => focusEntry(closed));
  }, [list, id]);
}
