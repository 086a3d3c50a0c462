// The choice of a service and a table, and what makes and drops tables (SCH-009, OPEN-166).
import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type DatabaseService, PhonePicker, TablePicker } from '../../../database/index.ts';
import { isForbidden } from '../../../list/index.ts';
import { useText } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { diagramAddress, type Making, makeAddress, serviceAddress, tableAddress } from '../address/addresses.ts';
import { rightsOf } from '../address/rights.ts';
import { refreshService, useKnownTable, useTables } from '../address/sources.ts';
import { useDropTable } from '../plan/use-drop-table.ts';
import classes from './picker.module.css';

interface PickerProps {
  services: DatabaseService[];
  service: string;
  table: string;
}

const addressOf = (service: string, table?: string): string =>
  table === undefined ? serviceAddress(service) : tableAddress(service, table);

const usePicker = ({ services, service, table }: PickerProps) => {
  const t = useText('schema');
  const labels = {
    service: t('selectService'),
    noService: t('serviceBlank'),
    table: t('selectTable'),
    noTable: t('tableBlank'),
  };
  const current = services.find(({ name }) => name === service);
  return {
    ...{ services, service, table, tables: useTables(service), labels, addressOf },
    besideService: <Reload service={current} />,
    actions: <Actions service={current?.name ?? null} table={table} />,
  };
};

export const SchemaPicker = (props: PickerProps) => <TablePicker {...usePicker(props)} />;
export const SchemaPhonePicker = (props: PickerProps) => <PhonePicker {...usePicker(props)} />;

/** Reads everything of the service again (C-SCH-02). */
function Reload({ service }: { service: DatabaseService | undefined }) {
  const t = useText('schema');
  const client = useQueryClient();
  const [isReading, setReading] = useState(false);
  const label = service?.label || service?.name || '';
  const reload = async () => {
    if (!service) return;
    setReading(true);
    try {
      await refreshService(client, service.name);
      notify.success(t('refreshed', { service: label }));
    } catch (error) {
      notify.error(t('title'), error);
    }
    setReading(false);
  };
  return (
    <ActionIcon
      variant="default"
      size="input-sm"
      aria-label={t('reload', { service: label })}
      title={t('reload', { service: label })}
      disabled={!service}
      loading={isReading}
      onClick={() => void reload()}
    >
      <IconRefresh className={classes.icon} aria-hidden />
    </ActionIcon>
  );
}

/** Without a service nothing can be made, without a table nothing dropped. */
function Actions({ service, table }: { service: string | null; table: string }) {
  const t = useText('schema');
  const drop = useDropTable();
  // What is not read yet, or not again just now, may be dropped: the server has the last word.
  const { data, error } = useKnownTable(service ?? '', table);
  const mayDrop = data ? rightsOf(data.access).drop : !error;
  const navigate = useNavigate();
  const tables = useTables(service ?? '');
  const isClosed = service === null || isForbidden(tables.error);
  const make = (making: Making) => ({
    disabled: isClosed,
    onClick: () => service !== null && navigate(makeAddress(service, making)),
  });
  return (
    <div className={classes.actions}>
      <Button.Group className={classes.split!}>
        <Button size="xs" {...make('table')}>
          {t('create')}
        </Button>
        <Menu position="bottom-start" withinPortal={false} floatingStrategy="fixed" disabled={isClosed}>
          <Menu.Target>
            <Button size="xs" px={6} disabled={isClosed} aria-label={t('createOtherwise')}>
              <IconChevronDown className={classes.icon} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item {...make('paste')}>{t('pasteTable')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Button.Group>
      <Button size="xs" variant="default" {...make('upload')}>
        {t('uploadJson')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={service === null || table === '' || !mayDrop}
        onClick={() => service !== null && void drop(service, table)}
      >
        {t('drop')}
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isClosed}
        onClick={() => service !== null && navigate(diagramAddress(service))}
      >
        {t('showDiagram')}
      </Button>
    </div>
  );
}
