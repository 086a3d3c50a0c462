import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core';
import type { AuditRecord } from '@sluice/contract';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconHistory, IconRefresh } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { useEditorAddress } from '../../frame/screen-list.ts';
import { FormatMenu, isForbidden, useAddress, useRowOpener } from '../../list/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { DateText, Empty, Failed, Loading, NoMatch, NotAllowed, notify, Page } from '../../ui/index.ts';
import classes from './audit.module.css';
import { type AuditState, hasFilters, noFilters, pageSize, readAuditState, writeAuditState } from './audit-state.ts';
import { AuditTable } from './audit-table.tsx';
import { useAuditTabs } from './audit-tabs.ts';
import { ActionBadge, Outcome } from './badges.tsx';
import { FilterBar } from './filter-bar.tsx';
import { editorOf, exportEntries, useAppName, useEntries } from './sources.ts';

/** The list of entries. */
export function AuditList() {
  const t = useText('audit');
  const tabs = useAuditTabs();
  const [address, changeAddress] = useAddress();
  const state = readAuditState(address);
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useEntries(state);
  const entries = data?.resource ?? [];
  const count = data?.meta?.count ?? entries.length;
  const isFiltered = hasFilters(state);
  const clear = () => changeAddress((params) => writeAuditState(params, noFilters));
  const changeState = (changes: Partial<AuditState>, isTyping = false) =>
    changeAddress((params) => writeAuditState(params, changes), { replace: isTyping });

  if (isForbidden(error)) {
    return (
      <Page title={t('title')}>
        <NotAllowed text={t('forbidden')} />
      </Page>
    );
  }
  return (
    <Page title={t('title')} count={data ? count : undefined} actions={<ExportMenu state={state} />} tabs={tabs}>
      <Text className={classes.hint}>{t('hint')}</Text>
      <section className={classes.panel} aria-label={t('title')}>
        <FilterBar state={state} changeState={changeState} clear={isFiltered ? clear : undefined} />
        {isPending ? (
          <div className={classes.skeleton}>
            <Loading shape="rows" count={10} />
          </div>
        ) : error && entries.length === 0 ? (
          <Failed error={error} title={t('failed')} onRetry={() => void refetch()} />
        ) : entries.length === 0 && state.page > 1 ? (
          <NoMatch title={t('beyond')} onClear={() => changeState({ page: 1 })} />
        ) : entries.length === 0 ? (
          isFiltered ? (
            <NoMatch title={t('noMatch')} onClear={clear} />
          ) : (
            <Empty icon={IconHistory} title={t('empty')} text={t('emptyHint')} />
          )
        ) : (
          <>
            {error ? (
              <div className={classes.old} role="alert">
                {t('old', { reason: error.message })}
              </div>
            ) : null}
            <Entries entries={entries} isOld={isPlaceholderData} />
            <Pager state={state} count={count} shown={entries.length} go={(page) => changeState({ page })}>
              <Tooltip label={t('refresh')}>
                <ActionIcon aria-label={t('refresh')} loading={isFetching} onClick={() => void refetch()}>
                  <IconRefresh className={classes.icon} aria-hidden />
                </ActionIcon>
              </Tooltip>
            </Pager>
          </>
        )}
      </section>
    </Page>
  );
}

function Entries({ entries, isOld }: { entries: readonly AuditRecord[]; isOld: boolean }) {
  const t = useText('audit');
  const appName = useAppName();
  return (
    <AuditTable aria-label={t('title')} aria-busy={isOld}>
      {entries.map((entry) => (
        <EntryRow key={entry.id} entry={entry} appName={appName} />
      ))}
    </AuditTable>
  );
}

/** A row opens its entry; the record it is about is a link of its own. */
function EntryRow({ entry, appName }: { entry: AuditRecord; appName: (id: number) => string }) {
  const t = useText('audit');
  const { pathname, search } = useLocation();
  const to = `/audit/${entry.id}`;
  const state = { from: pathname + search };
  const editor = editorOf(entry, useEditorAddress());
  const record = entry.record_name || (entry.record_id ? `#${entry.record_id}` : '');
  const open = useRowOpener(to, state);
  return (
    <tr className={classes.row} onClick={open}>
      <td className={classes.when}>
        <Link to={to} state={state} className={classes.opener}>
          <DateText value={entry.created_date} />
        </Link>
      </td>
      <td data-label={t('columns.who')}>
        <span className={classes.line}>
          <span className={classes.words}>{entry.user_email ?? t('platform')}</span>
          {entry.app_id === null ? null : <span className={classes.soft}>{appName(entry.app_id)}</span>}
        </span>
      </td>
      <td data-label={t('columns.what')}>
        <span className={classes.line}>
          <ActionBadge action={entry.action} />
          <span className={classes.soft}>{entry.resource}</span>
          {editor ? (
            <Link to={editor} className={classes.link}>
              {record}
            </Link>
          ) : (
            <span className={classes.words}>{record}</span>
          )}
        </span>
      </td>
      <td data-label={t('columns.from')}>
        <code>{entry.ip_address ?? '–'}</code>
      </td>
      <td data-label={t('columns.outcome')}>
        <Outcome outcome={entry.outcome} />
      </td>
    </tr>
  );
}

interface PagerProps {
  state: AuditState;
  count: number;
  shown: number;
  go: (page: number) => void;
  children: React.ReactNode;
}

function Pager({ state, count, shown, go, children }: PagerProps) {
  const t = useText('list');
  const first = (state.page - 1) * pageSize + 1;
  const hasMore = first + shown - 1 < count;
  const range = t('range', {
    from: formatNumber(first),
    to: formatNumber(first + shown - 1),
    total: formatNumber(count),
  });
  return (
    <div className={classes.pager}>
      <Text size="sm" className={classes.range}>
        {range}
      </Text>
      {children}
      {count > pageSize ? (
        <Group gap="xs" wrap="nowrap">
          <ActionIcon aria-label={t('first')} disabled={state.page <= 1} onClick={() => go(1)}>
            <IconChevronsLeft className={classes.icon} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={t('previous')} disabled={state.page <= 1} onClick={() => go(state.page - 1)}>
            <IconChevronLeft className={classes.icon} aria-hidden />
          </ActionIcon>
          <Badge color="gray">{t('pageOf', { page: formatNumber(state.page) })}</Badge>
          <ActionIcon aria-label={t('next')} disabled={!hasMore} onClick={() => go(state.page + 1)}>
            <IconChevronRight className={classes.icon} aria-hidden />
          </ActionIcon>
        </Group>
      ) : null}
    </div>
  );
}

const exportFormats = ['csv', 'json'] as const;

/** What is shown, all pages of it, as a file. */
function ExportMenu({ state }: { state: AuditState }) {
  const t = useText('audit');
  const exportAs = (format: 'csv' | 'json') =>
    exportEntries(format, state).catch((error: unknown) => notify.error('', error));
  return <FormatMenu label={t('export')} formats={exportFormats} onChoose={(format) => void exportAs(format)} />;
}
