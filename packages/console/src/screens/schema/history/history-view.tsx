import { ActionIcon, Anchor, Button, Text } from '@mantine/core';
import type { AuditRecord } from '@sluice/contract';
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconHistory } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSession } from '../../../api/index.ts';
import { useHasScreen } from '../../../frame/screen-list.ts';
import { isForbidden, useAddress } from '../../../list/index.ts';
import { type Change, changesOf, valueText } from '../../../list/record-changes.ts';
import { useAppNames } from '../../../list/shared-queries.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { CopyButton, DateText, Empty, Failed, Loading, NotAllowed, Page } from '../../../ui/index.ts';
import { serviceAddress, tableAddress } from '../address/addresses.ts';
import { useSchemaServices, useTables } from '../address/sources.ts';
import { ViewSwitch } from '../table/view-switch.tsx';
import classes from './history.module.css';
import { pageSize, useAuditStart, useEarlierNames, useEntries } from './sources.ts';
import {
  type ChangeItem,
  changeItemsOf,
  type Facet,
  isFlag,
  isOriginUnknown,
  renameOf,
  statementsOf,
} from './steps.ts';

interface HistoryProps {
  service: string;
  table: string;
}

/** What was done to a table, by whom and when. */
export function HistoryView({ service, table }: HistoryProps) {
  const t = useText('schema');
  const isAdmin = useSession()?.is_sys_admin === true;
  const { data: tables } = useTables(service);
  const isGone = tables !== undefined && !tables.some(({ name }) => name === table);
  const navigate = useNavigate();
  const back = (
    <Button
      component={Link}
      to={serviceAddress(service)}
      variant="default"
      leftSection={<IconArrowLeft className={classes.icon} aria-hidden />}
    >
      {t('history.backToService', { service })}
    </Button>
  );
  const views = <ViewSwitch view="history" onView={(view) => navigate(tableAddress(service, table, view))} />;
  return (
    <Page title={t('history.of', { table })} actions={isGone ? back : views}>
      {isAdmin ? (
        <Timeline service={service} table={table} tables={tables?.map(({ name }) => name)} />
      ) : (
        <NotAllowed text={t('history.forbidden')} />
      )}
    </Page>
  );
}

function Timeline({ service, table, tables }: HistoryProps & { tables: string[] | undefined }) {
  const t = useText('schema');
  const { data: services } = useSchemaServices();
  const serviceId = services?.find(({ name }) => name === service)?.id ?? null;
  const [params, changeAddress] = useAddress();
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const { data, error, isPlaceholderData, refetch } = useEntries(serviceId, table, page);
  const isLast = data !== undefined && !isPlaceholderData && page * pageSize >= data.count;
  const isOpen = isLast && isOriginUnknown(data.entries, tables?.includes(table) ?? false);
  const earlier = useEarlierNames(serviceId, table, tables, isOpen);
  const start = useAuditStart(isOpen);
  const go = (next: number) =>
    changeAddress((current) => {
      const changed = new URLSearchParams(current);
      if (next === 1) changed.delete('page');
      else changed.set('page', String(next));
      return changed;
    });
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another page is shown
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [page]);

  if (isForbidden(error)) return <NotAllowed text={t('history.forbidden')} />;
  if (error && !data) return <Failed error={error} title={t('history.failed')} onRetry={() => void refetch()} />;
  if (!data) return <Loading shape="rows" count={6} />;
  const { entries, count } = data;
  return (
    <div className={classes.history}>
      {error ? (
        <Text role="alert" className={classes.old}>
          {t('history.old', { reason: error.message })}
        </Text>
      ) : null}
      {entries.length > 0 ? (
        <ol
          className={classes.entries}
          aria-label={t('history.of', { table })}
          aria-busy={isPlaceholderData}
          ref={list}
        >
          {entries.map((entry) => (
            <EntryItem key={entry.id} entry={entry} service={service} />
          ))}
        </ol>
      ) : page > 1 ? (
        <Empty
          icon={IconHistory}
          title={t('history.beyond')}
          action={<Button onClick={() => go(1)}>{t('history.newest')}</Button>}
        />
      ) : (
        <Empty
          icon={IconHistory}
          title={t('history.empty')}
          text={t('history.emptyText')}
          action={start.data ? <AuditStart words={t('history.emptySince')} date={start.data} /> : null}
        />
      )}
      {earlier.data?.map(({ name, until }) => (
        <p key={`${name} ${until}`} className={classes.earlier}>
          {t('history.earlier', { name })} <DateText value={until} />{' '}
          <Anchor component={Link} to={tableAddress(service, name, 'history')} underline="always">
            {t('history.showEarlier', { name })}
          </Anchor>
        </p>
      ))}
      {entries.length > 0 && earlier.data?.length === 0 && start.data ? (
        <AuditStart words={t('history.start')} date={start.data} />
      ) : null}
      {count > pageSize ? <Pager page={page} count={count} go={go} /> : null}
    </div>
  );
}

const AuditStart = ({ words, date }: { words: string; date: string }) => (
  <p className={classes.earlier}>
    {words} <DateText value={date} />
  </p>
);

interface PagerProps {
  page: number;
  count: number;
  go: (page: number) => void;
}

function Pager({ page, count, go }: PagerProps) {
  const t = useText('list');
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, count);
  return (
    <div className={classes.pager}>
      <Text size="sm" className={classes.soft}>
        {t('range', { from: formatNumber(first), to: formatNumber(last), total: formatNumber(count) })}
      </Text>
      <ActionIcon aria-label={t('previous')} disabled={page <= 1} onClick={() => go(page - 1)}>
        <IconChevronLeft className={classes.icon} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={t('next')} disabled={last >= count} onClick={() => go(page + 1)}>
        <IconChevronRight className={classes.icon} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** The number of items shown of one entry; the details have all of them. */
const maxItems = 8;

function EntryItem({ entry, service }: { entry: AuditRecord; service: string }) {
  const t = useText('schema');
  const textOf = useItemText();
  const { data: apps } = useAppNames(entry.app_id !== null);
  const hasScreen = useHasScreen();
  const items = changeItemsOf(entry);
  const rename = renameOf(entry);
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <DateText value={entry.created_date} />
        <span className={classes.who}>{entry.user_email ?? t('history.platform')}</span>
        {entry.app_id === null ? null : (
          <span className={classes.soft}>
            {apps?.find(({ id }) => id === entry.app_id)?.name ?? `#${entry.app_id}`}
          </span>
        )}
        {hasScreen('/audit') ? (
          <Link to={`/audit/${entry.id}`} className={classes.audit}>
            {t('history.inAudit', { id: entry.id })}
          </Link>
        ) : null}
      </div>
      <ul className={classes.items}>
        {items.slice(0, maxItems).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of an entry never change
          <li key={index}>{textOf(item)}</li>
        ))}
        {items.length > maxItems ? (
          <li className={classes.soft}>{t('history.more', { count: items.length - maxItems })}</li>
        ) : null}
      </ul>
      {rename ? (
        <Anchor component={Link} to={tableAddress(service, rename.to, 'history')} size="sm">
          {t('history.showLater', { name: rename.to })}
        </Anchor>
      ) : null}
      <EntryDetails entry={entry} />
    </li>
  );
}

/** An item in words. */
function useItemText(): (item: ChangeItem) => string {
  const t = useText('schema');
  const name = (facet: string) => t(`history.facets.${facet as 'label'}`, { defaultValue: facet });
  const value = (facet: Facet, side: 'before' | 'after'): string => {
    if (isFlag(facet.name)) return t(facet[side] ? 'history.yes' : 'history.no');
    const text = valueText(facet[side]) ?? '';
    if (text === '' || text === 'null') return t('history.none');
    return text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
  };
  const change = (facet: Facet): string => {
    const values = t('history.change', { before: value(facet, 'before'), after: value(facet, 'after') });
    return facet.name === 'type' ? values : `${name(facet.name)} ${values}`;
  };
  return ({ what, values, facets }) => {
    if (!facets) return t(`history.did.${what}`, values ?? {});
    if (facets.length === 0) return values?.name ? t('history.did.touched', values) : t('history.did.changed');
    return t(`history.did.${what}`, { ...values, changes: facets.map(change).join(', ') });
  };
}
const maxValue = 60;

/** The statements, and the properties that differ; made when they are looked at. */
function EntryDetails({ entry }: { entry: AuditRecord }) {
  const t = useText('schema');
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('history.details')}</summary>
      {isOpen ? (
        <>
          <Statements entry={entry} />
          <Changes entry={entry} />
        </>
      ) : null}
    </details>
  );
}

function Statements({ entry }: { entry: AuditRecord }) {
  const t = useText('schema');
  const { statements, isCut } = statementsOf(entry);
  if (statements.length === 0) return null;
  const sql = statements.map((statement) => `${statement};`).join('\n');
  return (
    <div>
      <div className={classes.sqlHead}>
        <span className={classes.heading}>{t('history.sql')}</span>
        <CopyButton value={sql} thing={t('history.theSql')} />
      </div>
      <pre className={classes.sql}>{sql}</pre>
      {isCut ? <Text className={classes.soft}>{t('history.cut')}</Text> : null}
    </div>
  );
}

const sides = ['before', 'after'] as const;

function Changes({ entry }: { entry: AuditRecord }) {
  const t = useText('schema');
  const isBlank = (value: unknown) => value === undefined || value === null;
  const changes = changesOf(entry.before, entry.after).filter(
    ({ field, before, after }) =>
      field !== 'steps' &&
      !(isBlank(before) && isBlank(after)) &&
      JSON.stringify(before ?? null) !== JSON.stringify(after ?? null),
  );
  if (changes.length === 0) return null;
  return (
    <table className={classes.changes} aria-label={t('history.changes')}>
      <thead>
        <tr>
          <th scope="col">{t('history.property')}</th>
          {sides.map((side) => (
            <th key={side} scope="col">
              {t(`history.${side}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map((change: Change) => (
          <tr key={change.field}>
            <th scope="row">
              <code>{change.field}</code>
            </th>
            {sides.map((side) => (
              <td key={side} data-label={t(`history.${side}`)} data-side={side}>
                {isBlank(change[side]) ? (
                  <span className={classes.soft}>{t('history.none')}</span>
                ) : (
                  <code className={classes.value}>{valueText(change[side])}</code>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
