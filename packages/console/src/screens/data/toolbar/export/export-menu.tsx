import { Menu } from '@mantine/core';
import { parameterName } from '@sluice/contract';
import { IconFileExport } from '@tabler/icons-react';
import { useState } from 'react';
import { exportRecords, orderText } from '../../../../list/index.ts';
import { useText } from '../../../../text/index.ts';
import { notify, ToolButton } from '../../../../ui/index.ts';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';

/** A file of the records as they are shown: filter, order and columns; all pages. */
export function ExportMenu({ state, columns }: { state: TableState; columns: Columns }) {
  const t = useText('data');
  const tList = useText('list');
  const [isBusy, setBusy] = useState(false);
  const { path, table, gridState } = state;
  const query = {
    filter: state.filter,
    order: gridState.order ? orderText(gridState.order) : undefined,
    fields: columns.visible.map(parameterName),
  };
  const exportAs = async (format: 'csv' | 'json' | 'xml', isExact = false) => {
    if (columns.visible.length === 0) return notify.error(t('title'), t('export.noColumns'));
    setBusy(true);
    try {
      await exportRecords(path, table, format, query, isExact);
    } catch (error) {
      notify.error(t('title'), error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>
        <ToolButton label={t('export.button')} icon={IconFileExport} loading={isBusy} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('export.button')}>
        <Menu.Item onClick={() => void exportAs('csv')} title={tList('export.csvHint')}>
          {t('export.csv')}
        </Menu.Item>
        <Menu.Item onClick={() => void exportAs('csv', true)} title={t('export.exactHint')}>
          {t('export.exactCsv')}
        </Menu.Item>
        <Menu.Item onClick={() => void exportAs('json')}>{t('export.json')}</Menu.Item>
        <Menu.Item onClick={() => void exportAs('xml')}>{t('export.xml')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
