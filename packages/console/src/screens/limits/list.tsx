import { ActionIcon, Button } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { ActiveCell, column, idColumn, ListScreen, type Row, switchActive } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { CounterCell, CountersContext, ownCounters } from './counter-bar.tsx';
import { percentOf, sumOf } from './counters.ts';
import classes from './limits.module.css';
import { limitRelations } from './record.ts';
import { permissionTexts, useChoices, useCounters } from './sources.ts';
import { useResets } from './use-resets.ts';
import { rateText, typeName } from './words.ts';

const search = ['name', 'description', 'type', 'endpoint'];
/** LIM-038. */
const pageSize = 100;

/** The name of what a limit names; null where it names nothing. */
const nameIn = (limit: Row, relation: string): string | null => {
  const named = limit[relation] as Row | null | undefined;
  return named ? String(named.name ?? named.id) : null;
};

const percentIn = (limit: Row): number | null => {
  const sum = sumOf(ownCounters(limit));
  return sum && percentOf(sum.fullest);
};

/** The list of limits, with counters that move while one looks (LIM-002). */
export function LimitsList() {
  const t = useText('limits');
  // LIM-030: read with the tab, so that an editor opened next has them.
  useChoices('role');
  useChoices('service');
  useChoices('user');
  const [shownIds, setShownIds] = useState<readonly number[]>([]);
  const onRows = useCallback(
    (rows: readonly Row[]) => setShownIds(rows.map(({ id }) => Number(id)).sort(byNumber)),
    [],
  );
  const counters = useCounters(shownIds);
  const { isBusy, resetOne, resetMany, resetAll } = useResets();

  const columns = useMemo(() => {
    const named = (relation: string, label: string) =>
      column(relation, {
        label,
        width: 88,
        cell: (limit) => nameIn(limit, relation) ?? '',
        // The server knows their ids only.
        sortBy: (limit) => nameIn(limit, relation),
      });
    return [
      idColumn(t('columns.id'), 56),
      column('name', { label: t('columns.name'), opens: true }),
      column('type', { label: t('columns.type'), width: 164, cell: ({ type }) => typeName(type) }),
      column('rate', {
        label: t('columns.rate'),
        width: 112,
        cell: ({ rate, period }) => rateText(rate, period),
      }),
      column('limit_cache_by_limit_id', {
        label: t('columns.counter'),
        width: 168,
        card: 'line',
        cell: (limit) => <CounterCell limit={limit} />,
        sortBy: percentIn,
      }),
      named('user_by_user_id', t('columns.user')),
      named('service_by_service_id', t('columns.service')),
      named('role_by_role_id', t('columns.role')),
      column('is_active', {
        label: t('columns.active'),
        width: 96,
        card: 'edge',
        cell: ({ is_active }) => <ActiveCell value={is_active} on={t('active')} off={t('inactive')} />,
      }),
    ];
  }, [t]);

  return (
    <CountersContext.Provider value={counters}>
      <ListScreen
        texts="limits"
        resource="limit"
        related={limitRelations}
        pageSize={pageSize}
        search={search}
        permissionTexts={permissionTexts}
        base="/limits"
        columns={columns}
        onRows={onRows}
        actions={(list) => [switchActive(list, () => t('updated'))]}
        rowButton={(limit) => (
          <ActionIcon
            aria-label={t('reset.button', { name: String(limit.name) })}
            title={t('reset.title')}
            disabled={isBusy}
            onClick={() => void resetOne(limit)}
          >
            <IconBolt className={classes.icon} aria-hidden />
          </ActionIcon>
        )}
        bulkActions={(list) => (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconBolt className={classes.icon} aria-hidden />}
            loading={isBusy}
            onClick={async () => {
              if (await resetMany([...list.selection.ids].map(Number))) list.clearSelection();
            }}
          >
            {t('reset.selected')}
          </Button>
        )}
        buttons={
          shownIds.length > 0 ? (
            <Button
              variant="default"
              leftSection={<IconBolt className={classes.icon} aria-hidden />}
              loading={isBusy}
              onClick={() => void resetAll()}
            >
              {t('reset.allButton')}
            </Button>
          ) : null
        }
      />
    </CountersContext.Provider>
  );
}

const byNumber = (one: number, other: number) => one - other;
