import { Modal, useMantineColorScheme } from '@mantine/core';
import {
  IconApi,
  IconArrowRight,
  IconBolt,
  IconFileText,
  IconSearch,
  IconServer,
  IconTable,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { redirectFrom } from '../session/guards.ts';
import { useViewer } from '../session/viewer.ts';
import { useText } from '../text/index.ts';
import { describeError } from '../ui/describe-error.ts';
import classes from './palette.module.css';
import type { PaletteEntry, Screen } from './screen.ts';
import { useScreens } from './screen-list.ts';

const icons = {
  screens: IconArrowRight,
  services: IconServer,
  tables: IconTable,
  records: IconFileText,
  operations: IconApi,
  actions: IconBolt,
};
const groups = ['screens', 'services', 'tables', 'records', 'operations', 'actions'] as const;
const maxPerGroup = 8;

/** Its own picture, or that of the section it leads to; what is done has the picture of its group. */
const iconOf = ({ group, icon, to }: PaletteEntry, screens: readonly Screen[]) => {
  if (icon) return icon;
  const section = to && group !== 'actions' ? screens.find(({ path }) => isBelow(to, path)) : undefined;
  return section?.nav?.icon ?? icons[group];
};

const isBelow = (address: string, path: string): boolean => new RegExp(`^${path}(?:[/?#]|$)`).test(address);

const foldCase = (text: string): string => text.toLocaleLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');

/** The rows that have every typed word in their label or note; those whose label begins with it come first. */
export const matchRows = <R extends { label: string; note?: string }>(rows: R[], typed: string): R[] => {
  const words = foldCase(typed).split(/\s+/).filter(Boolean);
  const rank = (row: R) => (foldCase(row.label).startsWith(words[0] ?? '') ? 0 : 1);
  return rows
    .filter((row) => words.every((word) => `${foldCase(row.label)} ${foldCase(row.note ?? '')}`.includes(word)))
    .sort((a, b) => rank(a) - rank(b));
};

interface PaletteProps {
  /** The keys pressed before the input had the focus, once. */
  takeKeys: () => string[];
  /** `isNavigating` says that another page comes next, which takes the focus itself. */
  onClose: (isNavigating?: boolean) => void;
  onShortcuts: () => void;
}

/** ⌘K: jump to any screen, service or table; run what is done often. */
export const Palette = ({ takeKeys, onClose, onShortcuts }: PaletteProps) => {
  const t = useText('frame');
  const viewer = useViewer();
  const screens = useScreens();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [typed, setTyped] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const allowed = useMemo(
    () => screens.filter((screen) => redirectFrom(screen.guard, viewer) === null),
    [screens, viewer],
  );
  const entriesQuery = useQuery({
    queryKey: ['palette', typed.trim()],
    queryFn: async ({ signal }) => {
      const answers = await Promise.allSettled(allowed.map((screen) => screen.palette?.(typed.trim(), signal) ?? []));
      const failed = answers.find((answer) => answer.status === 'rejected');
      return {
        rows: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
        problem: failed ? (describeError(failed.reason).messages[0] ?? '') : '',
      };
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

  const builtIn: PaletteEntry[] = [
    ...allowed.flatMap(({ path, nav }) =>
      nav ? [{ group: 'screens' as const, label: t(`nav.${nav.name}`), to: path }] : [],
    ),
    { group: 'screens', label: t('user.profile'), to: '/profile' },
    {
      group: 'actions',
      label: t('palette.switchScheme'),
      run: () => setColorScheme(colorScheme === 'dark' ? 'light' : 'dark'),
    },
    { group: 'actions', label: t('user.shortcuts'), run: onShortcuts },
    { group: 'actions', label: t('user.logout'), to: '/logout' },
  ];
  const matching = matchRows([...builtIn, ...(entriesQuery.data?.rows ?? [])], typed);
  const shown = groups.flatMap((group) => matching.filter((row) => row.group === group).slice(0, maxPerGroup));
  const active = Math.min(activeIndex, shown.length - 1);

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  const choose = (row: PaletteEntry | undefined) => {
    if (!row) return;
    onClose(!!row.to);
    if (row.to) navigate(row.to);
    else row.run?.();
  };
  /** Moves or chooses; false for a key that does neither. */
  const press = (key: string): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step && shown.length > 0) setActiveIndex((active + step + shown.length) % shown.length);
    else if (key === 'Enter') choose(shown[active]);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.nativeEvent.isComposing && press(event.key)) event.preventDefault();
  };
  const type = (text: string) => {
    setTyped(text);
    setActiveIndex(0);
  };

  // What was typed at once, then one key that acts at a time: it chooses from what was typed before it.
  const [caught, setCaught] = useState<string[]>([]);
  useEffect(() => {
    if (caught.length === 0) return;
    const acting = caught.findIndex((key) => key !== 'Backspace' && [...key].length > 1);
    const text = acting < 0 ? caught : caught.slice(0, acting);
    setCaught(caught.slice(text.length || 1));
    if (text.length === 0) press(caught[0] as string);
    else type(text.reduce((before, key) => (key === 'Backspace' ? before.slice(0, -1) : before + key), typed));
  });

  return (
    <Modal
      opened
      onClose={() => onClose()}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      size="lg"
      padding={0}
      attributes={{ content: { 'aria-label': t('palette.label') } }}
    >
      <div className={classes.field}>
        <IconSearch className={classes.icon} aria-hidden />
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label={t('palette.label')}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('palette.placeholder')}
          value={typed}
          onFocus={() => setCaught((keys) => [...keys, ...takeKeys()])}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={classes.list} id={`${id}-list`} role="listbox" aria-label={t('palette.label')} ref={list}>
        {groups.map((group) => {
          const rows = shown.map((row, index) => ({ row, index })).filter(({ row }) => row.group === group);
          return (
            rows.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
              <div key={group} role="group" aria-label={t(`palette.${group}`)}>
                <div className={classes.group} aria-hidden>
                  {t(`palette.${group}`)}
                </div>
                {rows.map(({ row, index }) => {
                  const Icon = iconOf(row, screens);
                  return (
                    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field keeps the focus and has the keys.
                    <div
                      key={`${row.label} ${row.note} ${row.to}`}
                      id={`${id}-${index}`}
                      role="option"
                      aria-selected={index === active}
                      className={classes.row}
                      onMouseMove={() => setActiveIndex(index)}
                      onClick={() => choose(row)}
                    >
                      <Icon className={classes.icon} aria-hidden stroke={1.6} />
                      <span className={classes.label}>{row.label}</span>
                      {row.note && <span className={classes.note}>{row.note}</span>}
                    </div>
                  );
                })}
              </div>
            )
          );
        })}
      </div>
      <div role="status">
        {shown.length === 0 && (
          <p className={classes.nothing}>{t(entriesQuery.isFetching ? 'palette.loading' : 'palette.nothing')}</p>
        )}
        {entriesQuery.data?.problem && (
          <p className={classes.nothing}>{t('palette.partial', { reason: entriesQuery.data.problem })}</p>
        )}
      </div>
    </Modal>
  );
};
