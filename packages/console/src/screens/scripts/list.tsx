// All scripts there are: for those who have many, and remember a word of a name.

import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useScriptTypes } from '../../fields/index.ts';
import { activeColumn, type Column, column, ListScreen, type Order, type Row } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { DateText, notify } from '../../ui/index.ts';
import { base, editorBase } from './address.ts';
import { OutcomeBadge } from './runs/outcome.tsx';
import classes from './scripts.module.css';
import { permissionTexts, useLastRuns, useScriptRights } from './sources.ts';
import { useTabs } from './tabs.ts';

const pageSize = 100;
const byName: Order = { field: 'name', descending: false };
const fields = 'name,type,is_active,last_modified_date,storage_service_id';

export function ScriptList() {
  const t = useText('scripts');
  const tabs = useTabs();
  const runs = useLastRuns();
  const { data: types = [] } = useScriptTypes();
  const { mayWrite, mayDelete } = useScriptRights();
  const columns = useMemo((): Column[] => {
    const lastRun = column('last_run', {
      label: t('columns.lastRun'),
      width: 280,
      sortBy: (row) => Date.parse(runs?.get(nameOf(row).toLowerCase())?.started ?? '') || null,
      cell: (row) => {
        const run = runs?.get(nameOf(row).toLowerCase());
        return run ? (
          <span className={classes.lastRun}>
            <OutcomeBadge outcome={run.outcome} />
            <DateText value={run.started} />
          </span>
        ) : (
          ''
        );
      },
      card: 'line',
    });
    return [
      column('name', { label: t('columns.name'), opens: true, cell: (row) => <code>{nameOf(row)}</code> }),
      column('type', {
        label: t('columns.type'),
        width: 120,
        cell: (row) => types.find(({ name }) => name === row.type)?.label ?? String(row.type ?? ''),
        card: 'line',
      }),
      activeColumn(t('columns.active')),
      ...(runs ? [lastRun] : []),
      column('last_modified_date', {
        label: t('columns.modified'),
        width: 190,
        cell: (row) => (row.last_modified_date ? <DateText value={String(row.last_modified_date)} /> : ''),
      }),
    ];
  }, [t, runs, types]);
  return (
    <ListScreen
      texts="scripts"
      resource="event_script"
      identifier="name"
      base={editorBase}
      createAt={base}
      tabs={tabs}
      columns={columns}
      search={searched}
      fields={fields}
      initialOrder={byName}
      pageSize={pageSize}
      permissionTexts={permissionTexts}
      nameOf={nameOf}
      {...(mayDelete ? {} : { isDeletable: never })}
      actions={(list) =>
        mayWrite
          ? [
              {
                label: (row) => t(row.is_active ? 'deactivate' : 'activate'),
                icon: (row) =>
                  row.is_active ? (
                    <IconPlayerPause className={classes.icon} aria-hidden />
                  ) : (
                    <IconPlayerPlay className={classes.icon} aria-hidden />
                  ),
                run: async (row) => {
                  if (await list.update(nameOf(row), { is_active: !row.is_active }))
                    notify.success(t('savedNamed', { name: nameOf(row) }));
                },
              },
            ]
          : []
      }
    />
  );
}

const searched = ['name'];
const never = () => false;
const nameOf = (row: Row): string => String(row.name ?? '');
