import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api, saveBlob } from '../../../api/index.ts';
import { useTableSummaries } from '../../../database/index.ts';
import { appPackageEnding, PackageRefused } from '../../../packages/index.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { describeError, FailedLine, SearchMultiSelect } from '../../../ui/index.ts';
import classes from '../apps.module.css';
import { type ChosenTables, type ExportForm, exportQuery, isTooLong, withDatabases } from './export-form.ts';
import { type ExportService, useExportServices } from './sources.ts';

export interface ExportedApp {
  id: number;
  name: string;
  /** Whether it has pages in a file service. */
  hasFiles: boolean;
}

/** So many services and tables are offered at once; typing finds the others. */
const maxOptions = 50;

/** Asks what goes along, and downloads the package of an app (contract/packages.md §5). */
export function ExportDialog({ app, onClose }: { app: ExportedApp; onClose: () => void }) {
  const t = useText('apps');
  const common = useText('common');
  const services = useExportServices();
  const [form, setForm] = useState<ExportForm>({
    ...{ withFiles: app.hasFiles, services: [], databases: [], withRecords: false },
  });
  /** The tables of the databases that were read. */
  const [known, setKnown] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const change = (changed: Partial<ExportForm>) => {
    setForm({ ...form, ...changed });
    setFailure(null);
  };
  const changeTables = (chosen: ChosenTables) =>
    change({ databases: form.databases.map((entry) => (entry.database === chosen.database ? chosen : entry)) });
  const query = exportQuery(form, (database) => known.get(database) ?? []);
  const hasTables = query.schema !== undefined;
  const isWaiting = form.databases.some(({ database, isAll }) => isAll && !known.has(database));

  const run = async (event: FormEvent) => {
    event.preventDefault();
    // The form of the editor stands around the dialog for React.
    event.stopPropagation();
    if (isTooLong(query)) return setFailure(t('export.tooMany'));
    controller.current = new AbortController();
    const { signal } = controller.current;
    setRunning(true);
    setFailure(null);
    try {
      // The key and the session go in headers, so that no address holds them, and a refusal is read.
      const blob = await api.get<Blob>(`system/app/${app.id}`, { query, as: 'blob', signal });
      saveBlob(blob, `${app.name}${appPackageEnding}`);
      onClose();
    } catch (error) {
      if (signal.aborted) return;
      setFailure(error);
    } finally {
      setRunning(false);
    }
  };

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('export.title', { name: app.name })}
      size="lg"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <form onSubmit={(event) => void run(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" c="var(--s-text-soft)">
            {t('export.hint')}
          </Text>
          <Checkbox
            label={t('export.files')}
            description={t(app.hasFiles ? 'export.filesHint' : 'export.noFiles')}
            checked={form.withFiles}
            disabled={isRunning || !app.hasFiles}
            data-autofocus={app.hasFiles || undefined}
            onChange={(event) => change({ withFiles: event.currentTarget.checked })}
          />
          <ServicesInput
            label={t('export.services')}
            description={t('export.servicesHint')}
            services={services.data ?? []}
            value={form.services}
            disabled={isRunning}
            error={services.error}
            retry={() => void services.refetch()}
            onChange={(names) => change({ services: names })}
          />
          <ServicesInput
            label={t('export.databases')}
            description={t('export.databasesHint')}
            services={(services.data ?? []).filter(({ hasTables }) => hasTables)}
            value={form.databases.map(({ database }) => database)}
            disabled={isRunning}
            error={null}
            retry={() => {}}
            onChange={(names) => change(withDatabases(form, names))}
          />
          {form.databases.map((chosen) => (
            <TablesInput
              key={chosen.database}
              chosen={chosen}
              label={services.data?.find(({ name }) => name === chosen.database)?.label ?? chosen.database}
              disabled={isRunning}
              onChange={changeTables}
              onKnown={(tables) => setKnown((before) => new Map(before).set(chosen.database, tables))}
            />
          ))}
          {form.databases.length > 0 ? (
            <Checkbox
              label={t('export.records')}
              description={t('export.recordsHint')}
              checked={form.withRecords && hasTables}
              disabled={isRunning || !hasTables}
              onChange={(event) => change({ withRecords: event.currentTarget.checked })}
            />
          ) : null}
          {failure ? <PackageRefused title={t('export.failed')} error={failure} /> : null}
          {isRunning ? (
            <Text size="sm" role="status">
              {t('export.running')}
            </Text>
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button
              type="submit"
              loading={isRunning}
              disabled={isWaiting}
              leftSection={<IconFileExport className={classes.icon} aria-hidden />}
            >
              {t('export.button')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface ServicesInputProps {
  label: string;
  description: string;
  services: readonly ExportService[];
  value: readonly string[];
  disabled: boolean;
  error: Error | null;
  retry: () => void;
  onChange: (names: string[]) => void;
}

function ServicesInput({ services, value, error, retry, ...props }: ServicesInputProps) {
  const t = useText('apps');
  return (
    <SearchMultiSelect
      {...props}
      data={services.map(({ name, label }) => ({ value: name, label: label === name ? name : `${label} (${name})` }))}
      value={[...value]}
      limit={maxOptions}
      nothingFoundMessage={t('export.noService')}
      error={error ? <FailedLine onRetry={retry}>{t('export.servicesFailed')}</FailedLine> : undefined}
    />
  );
}

interface TablesInputProps {
  chosen: ChosenTables;
  label: string;
  disabled: boolean;
  onChange: (chosen: ChosenTables) => void;
  /** Gets the tables of the database once they are read. */
  onKnown: (tables: readonly string[]) => void;
}

/** The tables of one database: all of them, or some. */
function TablesInput({ chosen, label, disabled, onChange, onKnown }: TablesInputProps) {
  const t = useText('apps');
  const { data: tables, error, refetch } = useTableSummaries(chosen.database);
  const latest = useRef(onKnown);
  latest.current = onKnown;
  useEffect(() => {
    if (tables) latest.current(tables.map(({ name }) => name));
  }, [tables]);
  const count = tables?.length ?? 0;
  return (
    <div className={classes.tables}>
      <SearchMultiSelect
        label={t('export.tables', { database: label })}
        placeholder={chosen.isAll ? t('export.all') : t('export.tablesPlaceholder')}
        data={(tables ?? []).map(({ name }) => name)}
        value={chosen.isAll ? [] : [...chosen.tables]}
        limit={maxOptions}
        nothingFoundMessage={t(tables && count === 0 ? 'export.noTables' : 'export.noTable')}
        disabled={disabled || chosen.isAll || !tables}
        error={
          error ? (
            <FailedLine onRetry={() => void refetch()}>{describeError(error).messages.join(' ')}</FailedLine>
          ) : undefined
        }
        onChange={(names) => onChange({ ...chosen, tables: names })}
      />
      {count > 1 ? (
        <Checkbox
          size="sm"
          label={t('export.allOf', { number: formatNumber(count), database: label })}
          checked={chosen.isAll}
          disabled={disabled}
          onChange={(event) => onChange({ ...chosen, isAll: event.currentTarget.checked })}
        />
      ) : null}
    </div>
  );
}
