// The drill-down: service, resource, endpoint, script (SCR-002). Wide windows show all levels side by side, narrow ones the last.
import { Text } from '@mantine/core';
import { IconCode, IconCodePlus, IconDots } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { useText } from '../../../text/index.ts';
import { ServiceTypeIcon } from '../../../ui/index.ts';
import { type Level, levelAddress, scriptAddress } from '../address.ts';
import { countScripts, nameBelow, readName, type ScriptCounts, scriptNames, serviceOf } from '../names/events.ts';
import { type ListedService, useEvents } from '../sources.ts';
import classes from './browser.module.css';
import { Column, type ColumnEntry } from './column.tsx';

interface BrowserProps {
  level: Level;
  services: readonly ListedService[];
  /** Names of all scripts. */
  names: readonly string[];
}

/** Stands in an address for the names that are no events of the service. */
export const othersKey = '_other';

export function Browser({ level, services, names }: BrowserProps) {
  const t = useText('scripts');
  const { service, resource, endpoint } = level;
  const events = useEvents(service);
  const tree = events.data;
  const namesOfService = useMemo(
    () => (service === undefined ? [] : names.filter((name) => isOf(name, service))),
    [names, service],
  );
  const counts = useMemo(() => tree && countScripts(tree, namesOfService), [tree, namesOfService]);
  const screen = useRef<HTMLDivElement>(null);
  useFocusBelow(screen, level);

  const columns = [
    <Column
      key="services"
      title={t('levels.service')}
      entries={useServiceEntries(services, names)}
      current={service}
      empty={t('browser.noServices')}
      onSide={(direction) => moveFocus(screen.current, 0, direction)}
    />,
  ];
  const resourceEntries = useMemo(
    () => (tree && counts && service !== undefined ? resourcesOf(service, Object.keys(tree), counts, t) : undefined),
    [tree, counts, service, t],
  );
  if (service !== undefined)
    columns.push(
      <Column
        key={`resources of ${service}`}
        title={t('levels.resource')}
        entries={resourceEntries}
        current={resource}
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={t('browser.noEvents', { service })}
        onSide={(direction) => moveFocus(screen.current, 1, direction)}
      />,
    );
  const isOther = resource === othersKey;
  const entry = resource === undefined ? undefined : tree?.[resource];
  const scripted = useMemo(() => new Set(names.map((name) => name.toLowerCase())), [names]);
  if (service !== undefined && resource !== undefined && tree && isOther)
    columns.push(
      <Column
        key="others"
        title={t('levels.script')}
        entries={(counts?.others ?? []).map((name) =>
          scriptEntry({ name, label: name, note: t('browser.custom'), isThere: true }),
        )}
        current={undefined}
        empty={t('browser.noOthers')}
        onSide={(direction) => moveFocus(screen.current, 2, direction)}
      />,
    );
  else if (service !== undefined && resource !== undefined && tree)
    columns.push(
      <Column
        key={`endpoints of ${resource}`}
        title={t('levels.endpoint')}
        entries={(entry?.endpoints ?? []).map((name) => ({
          key: name,
          label: nameBelow(name, resource),
          note: t(`steps.${readName(name).step}`),
          title: name,
          to: levelAddress({ service, resource, endpoint: name }),
          scripts: counts?.endpoints.get(name) ?? 0,
        }))}
        current={endpoint}
        empty={t('browser.noResource', { resource, service })}
        onSide={(direction) => moveFocus(screen.current, 2, direction)}
      />,
    );
  const scriptEntries = useMemo(
    () =>
      entry && endpoint !== undefined
        ? scriptNames(endpoint, entry).map(({ name, value }) =>
            scriptEntry({
              name,
              label: value ?? (entry.parameter ? t('browser.every') : name),
              note: value !== null || entry.parameter ? name : t('browser.only'),
              isThere: scripted.has(name.toLowerCase()),
            }),
          )
        : undefined,
    [entry, endpoint, scripted, t],
  );
  if (endpoint !== undefined && entry)
    columns.push(
      <Column
        key={`scripts of ${endpoint}`}
        title={t('levels.script')}
        entries={scriptEntries}
        current={undefined}
        empty=""
        onSide={(direction) => moveFocus(screen.current, 3, direction)}
      />,
    );
  return (
    <div className={classes.browser} ref={screen}>
      {columns}
      {service === undefined ? <Hint names={names} /> : null}
    </div>
  );
}

const isOf = (name: string, service: string) => serviceOf(name).toLowerCase() === service.toLowerCase();

function useServiceEntries(services: readonly ListedService[], names: readonly string[]): ColumnEntry[] {
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const name of names) {
      const service = serviceOf(name).toLowerCase();
      counts.set(service, (counts.get(service) ?? 0) + 1);
    }
    return services.map(({ name, label, type }) => ({
      key: name,
      label: name,
      ...(label && label !== name ? { note: label } : {}),
      icon: <ServiceTypeIcon type={type} />,
      to: levelAddress({ service: name }),
      scripts: counts.get(name.toLowerCase()) ?? 0,
    }));
  }, [services, names]);
}

type Words = ReturnType<typeof useText<'scripts'>>;

function resourcesOf(service: string, resources: string[], counts: ScriptCounts, t: Words): ColumnEntry[] {
  const entries: ColumnEntry[] = resources.map((resource) => ({
    key: resource,
    label: resource === service ? service : nameBelow(resource, service),
    title: resource,
    to: levelAddress({ service, resource }),
    scripts: counts.resources.get(resource) ?? 0,
  }));
  if (counts.others.length > 0)
    entries.push({
      key: othersKey,
      label: t('browser.others'),
      icon: <IconDots className={classes.icon} aria-hidden />,
      to: levelAddress({ service, resource: othersKey }),
      scripts: counts.others.length,
    });
  return entries;
}

interface ScriptLine {
  name: string;
  label: string;
  note: string;
  isThere: boolean;
}

const scriptEntry = ({ name, label, note, isThere }: ScriptLine): ColumnEntry => ({
  key: name,
  label,
  note,
  title: name,
  icon: isThere ? (
    <IconCode className={classes.icon} aria-hidden />
  ) : (
    <IconCodePlus className={classes.icon} aria-hidden />
  ),
  to: scriptAddress(name),
  scripts: isThere ? 1 : 0,
  isScript: true,
});

/** The focus goes along: into the level that was opened, where it came from the one before. */
function useFocusBelow(screen: React.RefObject<HTMLElement | null>, { service, resource, endpoint }: Level) {
  const depth = [service, resource, endpoint].filter((part) => part !== undefined).length;
  const shown = useRef(depth);
  const wanted = useRef<number | null>(null);
  if (depth > shown.current && screen.current?.contains(document.activeElement)) wanted.current = depth;
  shown.current = depth;
  useEffect(() => {
    if (wanted.current === null || !screen.current) return;
    const column = screen.current.querySelectorAll('[data-column]')[wanted.current];
    const target = column?.querySelector<HTMLElement>('[data-entry="0"]');
    if (!target) return;
    wanted.current = null;
    target.focus();
  });
}

/** Puts the focus into the level beside: at what is open there, or at its first entry. */
function moveFocus(screen: HTMLElement | null, column: number, direction: -1 | 1): void {
  const beside = screen?.querySelectorAll('[data-column]')[column + direction];
  const target =
    beside?.querySelector<HTMLElement>('[data-entry][aria-current]') ?? beside?.querySelector('[data-entry]');
  (target as HTMLElement | null | undefined)?.focus();
}

/** Beside the services: what this is, and the scripts there are. */
function Hint({ names }: { names: readonly string[] }) {
  const t = useText('scripts');
  const first = names.slice(0, maxHinted);
  return (
    <aside className={classes.hint}>
      <h2>{names.length === 0 ? t('empty') : t('browser.hintTitle')}</h2>
      <Text size="sm">{t('emptyHint')}</Text>
      {first.length > 0 ? (
        <>
          <h3>{t('browser.there')}</h3>
          <ul>
            {first.map((name) => (
              <li key={name}>
                <Link to={scriptAddress(name)}>{name}</Link>
              </li>
            ))}
          </ul>
          {names.length > first.length ? (
            <Link to="/scripts/all">{t('browser.all', { count: names.length })}</Link>
          ) : null}
        </>
      ) : null}
    </aside>
  );
}
const maxHinted = 8;
