import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconPlus } from '@tabler/icons-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Section, useEditor } from '../../editor/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { Empty, SearchInput } from '../../ui/index.ts';
import { type AccessRow, addRow, createRowKey, hasRowError, newAccessRow } from './access.ts';
import { AccessList } from './access-list.tsx';
import type { RoleForm } from './record.ts';
import classes from './roles.module.css';
import { type Services, useKnownComponents } from './sources.ts';
import { useRows } from './use-rows.ts';
import { verbNames } from './warnings.ts';

/** From so many rows on, there is a search input. */
const minRowsToSearch = 8;

/** Service Access: what the role may do, row by row (ROL-015, OPEN-159). One row is open for editing at a time. */
export function AccessTab({ services }: { services: Services }) {
  const t = useText('roles');
  const common = useText('common');
  const { form } = useEditor<RoleForm>();
  const { rows, changeRows } = useRows();
  const components = useKnownComponents(
    services,
    useMemo(() => rows.map((row) => row.service_id), [rows]),
  );
  const [open, setOpen] = useState<string | null>(null);
  const [searchText, setSearchText] = useState('');
  const newRowKey = useRef<string | null>(null);
  const searched = useDeferredValue(searchText).trim().toLowerCase();
  const shown = useMemo(
    // The row being edited stays, even if it no longer matches.
    () =>
      searched ? rows.filter((row) => row.key === open || searchableText(row, services).includes(searched)) : rows,
    [rows, searched, services, open],
  );
  useFirstError(rows, open, setOpen);

  const { access, is_active } = form.values;
  const addAccess = () => {
    const key = createRowKey(access);
    setSearchText('');
    changeRows((changes) => addRow(changes, newAccessRow(key)));
    setOpen(key);
    newRowKey.current = key;
  };
  const addButton = (
    <Button variant="default" leftSection={<IconPlus className={classes.icon} aria-hidden />} onClick={addAccess}>
      {t('access.add')}
    </Button>
  );

  return (
    <Section title={t('access.title')} text={t('access.hint')} wide>
      {is_active ? null : (
        <Alert variant="light" color="yellow" className={classes.notice ?? ''} icon={<IconAlertTriangle aria-hidden />}>
          {t('access.inactive')}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => form.setFieldValue('is_active', true)}>
            {t('access.activate')}
          </Button>
        </Alert>
      )}
      {services.error || services.inactiveError ? (
        <Alert
          variant="light"
          color="red"
          role="alert"
          className={classes.notice ?? ''}
          icon={<IconAlertTriangle aria-hidden />}
        >
          {services.error
            ? t('access.noServices', { reason: services.error.message })
            : t('access.noInactive', { reason: services.inactiveError?.message ?? '' })}{' '}
          <Button variant="subtle" size="compact-sm" onClick={services.retry}>
            {common('retry')}
          </Button>
        </Alert>
      ) : null}
      {rows.length === 0 ? (
        <Empty title={t('access.empty')} action={addButton} />
      ) : (
        <>
          <div className={classes.tools}>
            {rows.length >= minRowsToSearch ? (
              <SearchInput
                className={classes.find ?? ''}
                label={t('access.find')}
                clearLabel={t('access.findClear')}
                value={searchText}
                onChange={setSearchText}
              />
            ) : null}
            <Text size="sm" c="var(--s-text-soft)" role="status" className={classes.count}>
              {searched
                ? t('access.someRows', {
                    count: rows.length,
                    shown: formatNumber(shown.length),
                    total: formatNumber(rows.length),
                  })
                : t('access.rows', { count: rows.length, total: formatNumber(rows.length) })}
            </Text>
            {addButton}
          </div>
          <AccessList
            rows={shown}
            all={rows}
            services={services}
            components={components}
            open={open}
            setOpen={setOpen}
            newRowKey={newRowKey}
            changeRows={changeRows}
          />
        </>
      )}
      {access.removed.length > 0 ? (
        <div className={classes.removed} role="status">
          <Text size="sm">{t('access.removed', { count: access.removed.length })}</Text>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconArrowBackUp className={classes.icon} aria-hidden />}
            onClick={() => changeRows((changes) => ({ ...changes, removed: [] }))}
          >
            {t('access.putBack')}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

/** Opens the first row something is wrong with, when a save was refused for it. */
function useFirstError(rows: readonly AccessRow[], open: string | null, setOpen: (key: string) => void): void {
  const { form } = useEditor<RoleForm>();
  const { errors } = form;
  const latest = useRef({ rows, open });
  latest.current = { rows, open };
  useEffect(() => {
    const { rows, open } = latest.current;
    if (open !== null && hasRowError(errors, open)) return;
    const invalidRow = rows.find(({ key }) => hasRowError(errors, key));
    if (invalidRow) setOpen(invalidRow.key);
  }, [errors, setOpen]);
}

/** What the box looks in. */
function searchableText(row: AccessRow, services: Services): string {
  const service = services.find(row.service_id);
  const filters = row.filters.map(({ name, value }) => `${name} ${value}`);
  return [service?.name, service?.label, row.service_id ?? 'all', row.component, verbNames(row.verb_mask), ...filters]
    .join(' ')
    .toLowerCase();
}
