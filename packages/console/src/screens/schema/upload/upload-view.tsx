// Tables from schema JSON, and the schema of a service as such JSON (SCH-008, OPEN-176).
import { Alert, Button, Checkbox, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFileUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { formatNumber, useText } from '../../../text/index.ts';
import { CodeEditor, notify, Page, useFileDrop } from '../../../ui/index.ts';
import { DraftNotice, useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import { makeAddress, serviceAddress, tableAddress } from '../address/addresses.ts';
import { refreshService, useTables } from '../address/sources.ts';
import { unsavedQuestion } from '../address/unsaved.ts';
import { usePlace } from '../address/use-place.ts';
import { sendWrite } from '../address/write.ts';
import type { JsonPlace } from '../draft/json-place.ts';
import { PlanPanel } from '../plan/index.ts';
import { DownloadButton } from './download-button.tsx';
import { readOutcomes, type TableOutcome } from './outcome.ts';
import {
  findTable,
  listTables,
  maxTables,
  nameOfTable,
  type ReadProblem,
  readTables,
  sampleText,
  type TableEntry,
  uploadWrite,
} from './read-tables.ts';
import { TableList } from './table-list.tsx';
import classes from './upload.module.css';
import { PlaceButton, UploadFailure } from './upload-failure.tsx';

/** The largest file that is read, in bytes. */
const maxFileSize = 5 * 1024 * 1024;

export const UploadView = ({ service }: { service: string }) => <Upload key={service} service={service} />;

function Upload({ service }: { service: string }) {
  const t = useText('schema');
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: existingTables } = useTables(service);
  const [source, setSource] = useState(sampleText);
  const [areChangesMeant, setChangesMeant] = useState(false);
  const [isSending, setSending] = useState(false);
  const [caret, setCaret] = useState<{ offset: number }>();
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ error: unknown; outcomes: TableOutcome[] | null } | null>(null);

  const resetFile = useRef<() => void>(null);
  const isHere = useIsHere(service);
  const isDirty = source !== sampleText || isSending;
  const kept = useDraft<{ source: string }>({
    form: `schema.${service}/upload`,
    title: { key: 'schema:upload.title' },
    address: makeAddress(service, 'upload'),
    isDirty,
    typed: source,
    toDraft: () => ({ source }),
  });
  const passGuard = useUnsavedGuard({
    isDirty,
    isLostBetween: (_from, next) => isDirty && !isHere(next),
    question: unsavedQuestion,
    discard: kept.forget,
  });

  const shownSource = useDeferredValue(source);
  const { tables, problem } = useMemo(() => readTables(shownSource), [shownSource]);
  const existingNames = useMemo(() => existingTables?.map(({ name }) => name) ?? [], [existingTables]);
  const entries = useMemo(() => (tables ? listTables(tables, existingNames) : []), [tables, existingNames]);
  const changedTables = entries.filter(({ state }) => state === 'exists').map(({ name }) => name);
  const tableProblem = problemOfTables(entries, t);
  const write = useMemo(() => (tables && !tableProblem ? uploadWrite(tables) : null), [tables, tableProblem]);

  const edit = (text: string) => {
    setSource(text);
    setCaret(undefined);
    setFileProblem(null);
    setChangesMeant(false);
  };
  const readFile = async (file: File | null | undefined) => {
    if (!file) return;
    if (file.size > maxFileSize)
      return setFileProblem(t('upload.fileTooLarge', { name: file.name, size: megabytes(maxFileSize) }));
    try {
      edit((await file.text()).replace(/^\uFEFF/, ''));
    } catch {
      setFileProblem(t('upload.fileUnreadable', { name: file.name }));
    }
  };
  const { onDrop, ...drag } = useFileDrop((file) => void readFile(file));

  const upload = async () => {
    const read = readTables(source);
    if (!read.tables) return notify.error(t('title'), problemText(read.problem, t));
    const currentEntries = listTables(read.tables, existingNames);
    const refusal = problemOfTables(currentEntries, t);
    if (refusal) return notify.error(t('title'), refusal);
    const names = read.tables.map(nameOfTable);
    setSending(true);
    setFailure(null);
    try {
      await sendWrite(service, uploadWrite(read.tables));
      notify.success(t('upload.created'));
      kept.forget();
      await refreshService(client, service);
      passGuard();
      navigate(tableAddress(service, names[0]!));
    } catch (error) {
      notify.error('', error);
      setFailure({ error, outcomes: readOutcomes(error, names) });
      setSending(false);
      await refreshService(client, service).catch(() => {});
    }
  };
  const findPlace = (name: string, message: string): JsonPlace | null => {
    const position = tables?.findIndex((table) => nameOfTable(table) === name) ?? -1;
    return position < 0 ? null : findTable(shownSource, position, message);
  };
  const show = ({ offset }: JsonPlace) => setCaret({ offset });
  const keepOnly = (names: readonly string[]) => {
    const rest = tables?.filter((table) => names.includes(nameOfTable(table))) ?? [];
    edit(JSON.stringify({ resource: rest }, null, 2));
    setFailure(null);
  };

  const isUnconfirmed = changedTables.length > 0 && !areChangesMeant && !tableProblem;
  return (
    <Page
      title={t('upload.title')}
      actions={
        <>
          <DownloadButton service={service} tables={existingTables} />
          <FileButton
            onChange={(file) => {
              // The same file can be chosen again once it was mended.
              resetFile.current?.();
              void readFile(file);
            }}
            resetRef={resetFile}
            accept=".json,application/json"
            inputProps={{ 'aria-label': t('upload.chooseFile') }}
          >
            {(props) => (
              <Button {...props} variant="default" leftSection={<IconFileUpload size="1.1em" aria-hidden />}>
                {t('upload.chooseFile')}
              </Button>
            )}
          </FileButton>
        </>
      }
    >
      <Stack gap="md">
        <Text c="var(--s-text-soft)">{t('upload.intro')}</Text>
        {kept.found ? (
          <DraftNotice
            restore={() => {
              if (kept.found) edit(kept.found.values.source);
              kept.dismiss();
            }}
            discard={kept.forget}
          />
        ) : null}
        {fileProblem ? (
          <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />}>
            {fileProblem}
          </Alert>
        ) : null}
        <div
          className={classes.editor}
          {...drag}
          onDropCapture={(event) => {
            if (event.dataTransfer.files.length === 0) return;
            // The editor itself would insert the file where it was dropped.
            event.stopPropagation();
            onDrop(event);
          }}
        >
          <CodeEditor
            language="json"
            label={t('upload.editor')}
            describedBy="upload-status"
            value={source}
            onChange={edit}
            caret={caret}
            readOnly={isSending}
            height="24rem"
          />
        </div>
        <div
          id="upload-status"
          role="status"
          className={classes.status}
          data-problem={Boolean(problem ?? tableProblem)}
        >
          {problem ? problemText(problem, t) : (tableProblem ?? t('upload.valid', { count: entries.length }))}{' '}
          <PlaceButton place={problem?.kind === 'syntax' ? problem.place : null} onShow={show} />
        </div>
        {entries.length > 0 ? <TableList entries={entries} /> : null}
        {changedTables.length > 0 && !tableProblem ? (
          <Checkbox
            checked={areChangesMeant}
            onChange={(event) => setChangesMeant(event.currentTarget.checked)}
            label={t('upload.changeThem', { count: changedTables.length, tables: changedTables.join(', ') })}
            description={t('upload.changeThemText')}
          />
        ) : null}
        <PlanPanel service={service} write={write} />
        {failure ? <UploadFailure {...failure} findPlace={findPlace} onShow={show} onKeepOnly={keepOnly} /> : null}
        <Group gap="xs">
          <Button loading={isSending} disabled={isUnconfirmed} onClick={() => void upload()}>
            {t('upload.upload')}
          </Button>
          <Button variant="default" disabled={isSending} onClick={() => navigate(serviceAddress(service))}>
            {t('cancel')}
          </Button>
          {isUnconfirmed ? (
            <Text size="sm" c="var(--s-text-soft)">
              {t('upload.confirmFirst')}
            </Text>
          ) : null}
        </Group>
      </Stack>
    </Page>
  );
}

type SchemaText = ReturnType<typeof useText<'schema'>>;

const megabytes = (bytes: number): string => `${formatNumber(bytes / 1024 / 1024)} MB`;

function problemText(problem: ReadProblem, t: SchemaText): string {
  if (problem.kind === 'tooMany') return t('upload.tooMany', { count: problem.count, max: formatNumber(maxTables) });
  if (problem.kind === 'shape') return `${t('upload.invalid')} ${t('upload.shape')}`;
  return `${t('upload.invalid')} ${t('upload.mistakeAt', { ...problem.place })}`;
}

/** What refuses an upload before it is sent; the documents check the first name only (SCH-024). */
function problemOfTables(entries: readonly TableEntry[], t: SchemaText): string | null {
  if (entries[0]?.state === 'exists') return t('upload.exists');
  const unnamed = entries.findIndex(({ state }) => state === 'unnamed');
  if (unnamed >= 0) return t('upload.unnamed', { position: formatNumber(unnamed + 1) });
  const twice = entries.find(({ state }) => state === 'twice');
  return twice ? t('upload.twice', { table: twice.name }) : null;
}

/** Whether an address is this page. */
function useIsHere(service: string) {
  const { making } = usePlace();
  return ({ pathname, search }: { pathname: string; search: string }): boolean =>
    pathname === serviceAddress(service) && new URLSearchParams(search).get('make') === making;
}
