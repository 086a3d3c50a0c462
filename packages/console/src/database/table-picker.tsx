// Which service and which table: a panel beside what is shown of it, two drop-downs on a phone (DAT-002, SCH-009, OPEN-113).
import { Button, CloseButton, Select, Text, TextInput } from '@mantine/core';
import { IconSearch, IconTable } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { NavLink, useNavigate } from 'react-router';
import { formatNumber, useText } from '../text/index.ts';
import { describeError, Loading, SearchSelect, ServiceConfigLink } from '../ui/index.ts';
import layout from './layout.module.css';
import { Resizer } from './resizer.tsx';
import type { DatabaseService, TableSummary, TablesQuery } from './sources.ts';
import classes from './table-picker.module.css';

export interface TablePickerProps {
  services: DatabaseService[];
  service: string;
  table: string;
  /** The tables of the service. */
  tables: TablesQuery;
  labels: { service: string; noService: string; table: string; noTable: string };
  /** The address of a service, or of one of its tables. */
  addressOf: (service: string, table?: string) => string;
  /** Stands beside the choice of the service. */
  besideService?: ReactNode;
  /** Stands above the tables. */
  actions?: ReactNode;
}

/** From so many tables on, only the visible ones are rendered. */
const virtualizeFrom = 200;
const rowHeight = 32;

const serviceOptions = (services: DatabaseService[]) =>
  services.map(({ name, label }) => ({ value: name, label: label || name }));

const matches = (table: TableSummary, words: string[]): boolean => {
  const name = `${table.name} ${table.label}`.toLocaleLowerCase();
  return words.every((word) => name.includes(word));
};

export function TablePicker(props: TablePickerProps) {
  const { services, service, table, tables: tablesQuery, labels, addressOf } = props;
  const t = useText('database');
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const matchingTables = useMemo(() => {
    const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    return tablesQuery.data?.filter((candidate) => matches(candidate, words)) ?? [];
  }, [tablesQuery.data, search]);
  const panel = useRef<HTMLElement>(null);
  const isKnown = services.some(({ name }) => name === service);

  const onKeyDown = (event: KeyboardEvent) => {
    const first = panel.current?.querySelector<HTMLElement>('[data-table]');
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      first.focus();
    } else if (event.key === 'Enter' && matchingTables[0]) navigate(addressOf(service, matchingTables[0].name));
    else if (event.key === 'Escape' && search) setSearch('');
    else return;
    event.stopPropagation();
  };

  return (
    <aside className={layout.picker} aria-label={t('tables')} ref={panel}>
      <div className={classes.pickerHead}>
        <div className={classes.serviceRow}>
          <SearchSelect
            label={labels.service}
            placeholder={labels.noService}
            data={serviceOptions(services)}
            value={isKnown ? service : null}
            onChange={(name) => name && navigate(addressOf(name))}
            allowDeselect={false}
            searchable={services.length > 8}
            nothingFoundMessage="–"
          />
          {props.besideService}
        </div>
        {props.actions}
        <TextInput
          aria-label={t('findTable')}
          placeholder={t('findTable')}
          disabled={!tablesQuery.data?.length}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          leftSection={<IconSearch className={classes.smallIcon} aria-hidden />}
          rightSection={
            search ? <CloseButton size="xs" aria-label={t('clearSearch')} onClick={() => setSearch('')} /> : null
          }
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      {isKnown && tablesQuery.error ? (
        <div className={layout.pickerNote}>
          <Text size="sm" className={classes.soft}>
            {describeError(tablesQuery.error).messages.join(' ')}{' '}
            <ServiceConfigLink error={tablesQuery.error} kind="text" />
          </Text>
          <Button variant="default" size="xs" onClick={() => void tablesQuery.refetch()}>
            {t('retry')}
          </Button>
        </div>
      ) : null}
      {!isKnown ? null : tablesQuery.data ? (
        matchingTables.length === 0 ? (
          <Text size="sm" className={layout.pickerNote}>
            {search ? t('noTableMatch', { words: search }) : t('noTables')}
          </Text>
        ) : (
          <TableList table={table} tables={matchingTables} addressOf={(name) => addressOf(service, name)} />
        )
      ) : tablesQuery.error ? null : (
        <div className={layout.pickerNote}>
          <Loading shape="rows" count={6} />
        </div>
      )}
      {matchingTables.length > 0 ? (
        <Text size="xs" className={classes.pickerFoot} role="status">
          {t('tablesShown', { count: matchingTables.length, tables: formatNumber(matchingTables.length) })}
        </Text>
      ) : null}
      <Resizer panel="picker" />
    </aside>
  );
}

interface TableListProps {
  table: string;
  tables: TableSummary[];
  addressOf: (table: string) => string;
}

function TableList({ table, tables, addressOf }: TableListProps) {
  const t = useText('database');
  const scroller = useRef<HTMLDivElement>(null);
  const isVirtual = tables.length > virtualizeFrom;
  const virtual = useVirtualizer({
    // Off it measures nothing: the browser would have to lay out all rows for that.
    enabled: isVirtual,
    count: tables.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const virtualItems = virtual.getVirtualItems();
  const first = isVirtual ? (virtualItems[0]?.index ?? 0) : 0;
  const last = isVirtual ? (virtualItems.at(-1)?.index ?? -1) : tables.length - 1;
  const [focusIndex, setFocusIndex] = useState<number | null>(null);

  const current = tables.findIndex(({ name }) => name === table);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another list or table is shown
  useEffect(() => {
    if (current < 0) return;
    if (isVirtual) virtual.scrollToIndex(current);
    else scroller.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [current, isVirtual]);

  useEffect(() => {
    if (focusIndex === null) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-table="${focusIndex}"]`);
    if (!link) return;
    link.focus();
    setFocusIndex(null);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const index = Number((event.target as HTMLElement).dataset.table);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !Number.isInteger(index)) return;
    event.preventDefault();
    const next = Math.min(tables.length - 1, Math.max(0, index + step));
    if (isVirtual) virtual.scrollToIndex(next);
    setFocusIndex(next);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links inside
    <div className={classes.tables} ref={scroller} onKeyDown={onKeyDown}>
      <nav aria-label={t('tables')}>
        {first > 0 ? <div style={{ height: first * rowHeight }} /> : null}
        {tables.slice(first, last + 1).map(({ name, label }, offset) => (
          <NavLink
            key={name}
            to={addressOf(name)}
            className={classes.tableLink!}
            title={label}
            data-table={first + offset}
          >
            <IconTable className={classes.smallIcon} aria-hidden stroke={1.6} />
            <span>{name}</span>
          </NavLink>
        ))}
        {last < tables.length - 1 ? <div style={{ height: (tables.length - 1 - last) * rowHeight }} /> : null}
      </nav>
    </div>
  );
}

/** The same choice where there is no room for a panel. */
export function PhonePicker(props: TablePickerProps) {
  const { services, service, table, tables, labels, addressOf } = props;
  const t = useText('database');
  const navigate = useNavigate();
  const options = useMemo(() => tables.data?.map(({ name }) => ({ value: name, label: name })) ?? [], [tables.data]);
  return (
    <div className={layout.phonePicker}>
      <div className={classes.phoneChoice}>
        <Select
          className={classes.phoneService}
          aria-label={labels.service}
          data={serviceOptions(services)}
          value={service}
          onChange={(name) => name && navigate(addressOf(name))}
          allowDeselect={false}
        />
        <SearchSelect
          className={classes.phoneTable}
          aria-label={labels.table}
          placeholder={labels.noTable}
          data={options}
          value={table || null}
          onChange={(name) => name && navigate(addressOf(service, name))}
          allowDeselect={false}
          limit={100}
          nothingFoundMessage={t('noTableMatch', { words: '…' })}
        />
        {props.besideService}
      </div>
      {props.actions}
    </div>
  );
}
