import { ActionIcon, Button, Text } from '@mantine/core';
import type { JobRecord } from '@sluice/contract';
import { IconClockPlay, IconRefresh, IconTrash, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import {
  ListToolbar,
  type Row,
  rowLink,
  Tick,
  useAddress,
  useFocusKept,
  useListController,
  useRowKeys,
} from '../../list/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { Empty, Failed, FailedLine, Loading, NoMatch, Page, type PageTab } from '../../ui/index.ts';
import {
  addressOf,
  isChangeable,
  isInState,
  isRemovable,
  orders,
  readShownState,
  type ShownState,
  shownStates,
} from './job-state.ts';
import classes from './jobs.module.css';
import { JobRow } from './row.tsx';
import { pageSize, permissionTexts, refreshEvery, search, useJobCounts } from './sources.ts';
import { counted, type JobActions, useJobActions } from './use-job-actions.ts';

const isTickable = (row: Row) => isChangeable(row as unknown as JobRecord);

/** /jobs?state=failed */
export function JobList() {
  const t = useText('jobs');
  const [address] = useAddress();
  const state = readShownState(address);
  const list = useListController({
    resource: 'job',
    title: t('title'),
    only: state === 'all' ? undefined : isInState(state),
    order: orders[state],
    sortable: [],
    isDeletable: isTickable,
    ...{ pageSize, search, permissionTexts, refreshEvery },
  });
  const counts = useJobCounts(list.state.filter).data;
  const actions = useJobActions(list);
  const failed = counts?.failed ?? 0;
  const tabs = shownStates.map(
    (name): PageTab => ({
      label: counts ? `${t(`states.${name}`)} (${formatNumber(counts[name])})` : t(`states.${name}`),
      to: addressOf(name, address),
      isCurrent: name === state,
    }),
  );
  if (list.isForbidden) return <Page title={t('title')}>{null}</Page>;
  return (
    <Page
      title={t('title')}
      count={counts?.all}
      tabs={tabs}
      actions={
        failed > 0 ? (
          <Button
            variant="default"
            leftSection={<IconRefresh className={classes.icon} aria-hidden />}
            loading={actions.isBusy}
            onClick={() => void actions.tryAllAgain(failed)}
          >
            {t('tryAll', counted(failed))}
          </Button>
        ) : null
      }
    >
      <Text className={classes.hint}>{t('hint')}</Text>
      <JobPanel list={list} state={state} actions={actions} />
    </Page>
  );
}

interface JobPanelProps {
  list: ReturnType<typeof useListController>;
  state: ShownState;
  actions: JobActions;
}

function JobPanel({ list, state, actions }: JobPanelProps) {
  const t = useText('jobs');
  const tList = useText('list');
  const tCommon = useText('common');
  const { rows, error } = list;
  const { filter } = list.state;
  if (error && rows.length === 0) return <Failed error={error} title={t('failed')} onRetry={list.retry} />;
  const jobs = rows as unknown as JobRecord[];
  const ticked = jobs.filter(({ id }) => list.selection.ids.has(id));
  return (
    <section className={classes.panel} aria-label={t('title')} data-list>
      <ListToolbar
        list={list}
        things={t('things')}
        hasFilter
        bulkActions={
          <>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh className={classes.icon} aria-hidden />}
              onClick={() => void actions.tryAgain(ticked)}
            >
              {t('tryAgain')}
            </Button>
            {ticked.some(isRemovable) ? (
              <Button
                variant="default"
                size="xs"
                className={classes.danger ?? ''}
                leftSection={<IconTrash className={classes.icon} aria-hidden />}
                onClick={() => void actions.remove(ticked)}
              >
                {t('remove')}
              </Button>
            ) : null}
          </>
        }
      />
      {actions.problem ? (
        <div className={classes.problem}>
          <span role="alert">{actions.problem}</span>
          <ActionIcon aria-label={tCommon('notices.closeToast')} onClick={actions.closeProblem}>
            <IconX className={classes.icon} aria-hidden />
          </ActionIcon>
        </div>
      ) : null}
      {error ? (
        <div className={classes.stale}>
          <FailedLine onRetry={list.retry}>{tList('stale', { reason: error.message })}</FailedLine>
        </div>
      ) : null}
      {list.isLoading ? (
        <div className={classes.skeleton}>
          <Loading shape="rows" count={8} />
        </div>
      ) : rows.length > 0 ? (
        <JobTable list={list} jobs={jobs} actions={actions} />
      ) : filter === '' ? (
        <Empty icon={IconClockPlay} title={t(`empty.${state}`)} text={t(`emptyHint.${state}`)} />
      ) : (
        <NoMatch title={t('noMatch', { filter })} onClear={list.filter.clear} />
      )}
    </section>
  );
}

const columns = ['job', 'state', 'due', 'tries', 'reason', 'actions'] as const;

interface JobTableProps {
  list: JobPanelProps['list'];
  jobs: readonly JobRecord[];
  actions: JobActions;
}

function JobTable({ list, jobs, actions }: JobTableProps) {
  const t = useText('jobs');
  const tList = useText('list');
  const table = useRef<HTMLTableElement>(null);
  const focusRow = (index: number) => rowLink(table.current, index)?.focus();
  useRowKeys(table, { count: jobs.length });
  useFocusKept(table, { rows: list.rows, identifier: 'id', focusRow });
  const tickedCount = list.selection.ids.size;
  return (
    <table ref={table} className={classes.table} aria-label={t('title')} aria-busy={list.isOutdated}>
      <thead>
        <tr>
          <th>
            <Tick
              label={tList('selectAll')}
              isTicked={tickedCount > 0 && tickedCount === list.ids.length}
              isPartly={tickedCount > 0 && tickedCount < list.ids.length}
              isDisabled={list.ids.length === 0}
              onChange={list.tickAll}
            />
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" data-column={column}>
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {jobs.map((job, index) => (
          <JobRow key={job.id} job={job} index={index} list={list} actions={actions} />
        ))}
      </tbody>
    </table>
  );
}
