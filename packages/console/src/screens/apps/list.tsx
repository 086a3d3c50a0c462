import { ActionIcon } from '@mantine/core';
import { IconExternalLink, IconFileExport } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { CreateKeyButton } from '../../calls/index.ts';
import { activeColumn, cellText, column, idColumn, ListScreen, type Row, switchActive } from '../../list/index.ts';
import { text, useText } from '../../text/index.ts';
import { isPageAddress } from '../../ui/index.ts';
import { base } from './address.ts';
import { KeyCell } from './api-key.tsx';
import classes from './apps.module.css';
import { appDeleteQuery } from './deletion.ts';
import { ExportDialog, type ExportedApp } from './export/export-dialog.tsx';
import { consoleAppId, exportedApp } from './record.ts';
import { SdkMenu } from './sdk-menu.tsx';
import { appRelations, permissionTexts, useAppSources } from './sources.ts';
import { useAppTabs } from './tabs.ts';

const search = ['name', 'description'];

/** The list of apps (APP-003). */
export function AppsList() {
  const t = useText('apps');
  const tabs = useAppTabs();
  const [exported, setExported] = useState<ExportedApp | null>(null);
  useAppSources();

  const columns = useMemo(
    () => [
      idColumn(t('columns.id')),
      column('name', { label: t('columns.name'), width: 200, opens: true }),
      column('role_by_role_id', {
        label: t('columns.role'),
        width: 160,
        sortable: false,
        card: 'line',
        cell: (row) => cellText((row.role_by_role_id as Row | null | undefined)?.name),
      }),
      column('api_key', {
        label: t('columns.key'),
        width: 232,
        sortable: false,
        cell: (row) => <KeyCell apiKey={cellText(row.api_key)} name={cellText(row.name)} />,
      }),
      column('description', { label: t('columns.description') }),
      activeColumn(t('columns.active')),
    ],
    [t],
  );

  return (
    <>
      <ListScreen
        texts="apps"
        resource="app"
        related={appRelations}
        pageSize={100}
        search={search}
        permissionTexts={permissionTexts}
        base={base}
        tabs={tabs}
        columns={columns}
        buttons={
          <>
            <SdkMenu />
            <CreateKeyButton />
          </>
        }
        isDeletable={isChangeable}
        deleteQuery={appDeleteQuery}
        rowButton={(row) => <LaunchButton app={row} />}
        actions={(list) => [
          switchActive(list, (row) => text('editor:updated', { name: cellText(row.name) }), isChangeable),
          {
            label: () => t('export.open'),
            icon: () => <IconFileExport className={classes.icon} aria-hidden />,
            run: (row) => setExported(exportedApp(row)),
            isOffered: isChangeable,
          },
        ]}
      />
      {exported ? <ExportDialog app={exported} onClose={() => setExported(null)} /> : null}
    </>
  );
}

/** All but the console's own app may be switched off and deleted: without that one nobody signs in here any more. */
const isChangeable = (row: Row): boolean => row.id !== consoleAppId;

/** Opens the app's page in a new window, if it has one and is active (APP-004, APP-028, OPEN-112). */
function LaunchButton({ app }: { app: Row }) {
  const t = useText('apps');
  const name = cellText(app.name);
  const address = cellText(app.launch_url);
  const icon = <IconExternalLink className={classes.icon} aria-hidden />;
  const hasPage = address !== '' && isPageAddress(address);
  if (!hasPage || !app.is_active) {
    const why = t(hasPage ? 'notLaunched.inactive' : 'notLaunched.noPage', { name });
    return (
      <ActionIcon disabled className={classes.noLaunch ?? ''} aria-label={t('launch', { name })} title={why}>
        {icon}
      </ActionIcon>
    );
  }
  return (
    <ActionIcon
      component="a"
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('launch', { name })}
    >
      {icon}
    </ActionIcon>
  );
}
