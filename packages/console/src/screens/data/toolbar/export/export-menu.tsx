import { ActionIcon, Menu } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { useState } from 'react';
import { api, download, downloadUrl } from '../../../../api/index.ts';
import { orderText } from '../../../../list/index.ts';
import { useText } from '../../../../text/index.ts';
import { notify } from '../../../../ui/index.ts';
import classes from '../../look/look.module.css';
import type { Columns } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';
import { forSpreadsheet } from './spreadsheet-csv.ts';

/** A file of the records as they are shown: filter, order and columns; all pages. */
export function ExportMenu({ state, columns }: { state: TableState; columns: Columns }) {
  const t = useText('data');
  const [isBusy, setBusy] = useState(false);
  const { path, table, place } = state;
  const query = {
    filter: state.filter,
    order: place.order ? orderText(place.order) : undefined,
    fields: columns.shown,
  };
  const guarded = async (work: () => Promise<void>) => {
    if (columns.shown.length === 0) return notify.error(t('title'), t('export.noColumns'));
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notify.error(t('title'), error);
    } finally {
      setBusy(false);
    }
  };
  const save = (format: 'csv' | 'json' | 'xml') =>
    guarded(async () => {
      const file = `${table}.${format}`;
      // The browser tells nothing of a download that is refused; this call does, and renews a session that has run out.
      await api.get(path, { query: { ...query, limit: 1 } });
      download(downloadUrl(path, { ...query, file }), file);
    });
  const saveSafe = () =>
    guarded(async () => {
      const file = `${table}.csv`;
      const csv = await api.get<string>(path, { query: { ...query, file }, as: 'text' });
      const address = URL.createObjectURL(new Blob([forSpreadsheet(csv)], { type: 'text/csv' }));
      download(address, file);
      // The browser has to have begun with it.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    });
  return (
    <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed">
      <Menu.Target>
        <ActionIcon aria-label={t('export.button')} title={t('export.button')} loading={isBusy}>
          <IconFileExport className={classes.icon} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('export.button')}>
        <Menu.Item onClick={() => void save('csv')}>{t('export.csv')}</Menu.Item>
        <Menu.Item onClick={() => void saveSafe()} title={t('export.safeHint')}>
          {t('export.safeCsv')}
        </Menu.Item>
        <Menu.Item onClick={() => void save('json')}>{t('export.json')}</Menu.Item>
        <Menu.Item onClick={() => void save('xml')}>{t('export.xml')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
