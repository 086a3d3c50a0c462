// A new table from data: pasted, or a file; CSV and its relatives, JSON, or JSON line by line.
import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { formatNumber, useText } from '../../../text/index.ts';
import { notify, Page } from '../../../ui/index.ts';
import { DraftNotice, useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import { makeAddress, serviceAddress, tableAddress } from '../address/addresses.ts';
import { useSchemaServices } from '../address/sources.ts';
import { unsavedQuestion } from '../address/unsaved.ts';
import { usePlace } from '../address/use-place.ts';
import { InsertPanel } from './insert/insert-panel.tsx';
import { useInsert } from './insert/use-insert.ts';
import { JsonShapeError } from './read/json-records.ts';
import { NoDataError } from './read/read-data.ts';
import { SourceForm } from './source-form.tsx';
import { TableForm } from './table-form.tsx';
import { useData } from './use-data.ts';

/** Types of services that have a type for JSON; in others it is text. */
const jsonTypes = new Set(['pgsql', 'mysql', 'mariadb']);
/** Engines whose counted fields do not heed numbers that were inserted. */
const obliviousTypes = new Set(['pgsql']);

export const PasteView = ({ service }: { service: string }) => <Paste key={service} service={service} />;

function Paste({ service }: { service: string }) {
  const t = useText('schema');
  const navigate = useNavigate();
  const serviceType = useSchemaServices().data?.find(({ name }) => name === service)?.type ?? '';
  const reading = useData(jsonTypes.has(serviceType));
  const inserting = useInsert();
  const [draftText, setDraftText] = useState('');
  const [madeTable, setMadeTable] = useState<string | null>(null);

  const isInserting = inserting.state?.end === null;
  const hasInput = reading.data !== null || draftText !== '';
  const isHere = useIsHere(service);
  const isDirty = madeTable === null ? hasInput : isInserting;
  const kept = useDraft<{ source: string }>({
    form: `schema.${service}/paste`,
    title: { key: 'schema:paste.title' },
    address: makeAddress(service, 'paste'),
    isDirty: madeTable === null && hasInput,
    typed: [draftText, reading.data],
    toDraft: () => ({ source: reading.data?.source.text ?? draftText }),
  });
  const passGuard = useUnsavedGuard({
    isDirty,
    isLostBetween: (_from, next) => isDirty && !isHere(next),
    question: unsavedQuestion,
    discard: kept.forget,
  });
  const { data, isReading, error } = reading;
  const isAllInserted = inserting.state?.end === 'done' && inserting.state.failed.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the last record is in
  useEffect(() => {
    if (!isAllInserted || madeTable === null) return;
    notify.success(t('paste.allInserted'));
    navigate(tableAddress(service, madeTable));
  }, [isAllInserted]);

  return (
    <Page title={t('paste.title')}>
      {madeTable !== null && data ? (
        <InsertPanel service={service} table={madeTable} total={data.rows.length} inserting={inserting} />
      ) : (
        <Stack gap="md">
          {kept.found && !data ? (
            <DraftNotice
              restore={() => {
                if (kept.found) setDraftText(kept.found.values.source);
                kept.dismiss();
              }}
              discard={kept.forget}
            />
          ) : null}
          {error ? (
            <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />}>
              {readingProblem(error, t)}
            </Alert>
          ) : null}
          {isReading ? (
            <Group gap="xs" role="status">
              <Loader size="xs" aria-hidden />
              <Text size="sm">{t('paste.reading')}</Text>
            </Group>
          ) : null}
          {data ? (
            <TableForm
              key={`${data.sheet.format}${data.isHeaded}${data.source.text.length}`}
              service={service}
              data={data}
              forgetsCount={obliviousTypes.has(serviceType)}
              onReadAgain={(choice) => void reading.readAgain(data, choice)}
              onClear={() => {
                setDraftText('');
                reading.clear();
              }}
              onCancel={() => navigate(serviceAddress(service))}
              onPassGuard={passGuard}
              onInsert={(table, columns) => {
                setMadeTable(table);
                void inserting.start({ service, table, columns, rows: data.rows });
              }}
            />
          ) : (
            <SourceForm
              text={draftText}
              isReading={isReading}
              onText={setDraftText}
              onRead={(text) => void reading.readText(text)}
              onFile={(file) => void reading.readFile(file)}
              onCancel={() => navigate(serviceAddress(service))}
            />
          )}
        </Stack>
      )}
    </Page>
  );
}

/** Why data could not be read. */
function readingProblem(error: unknown, t: ReturnType<typeof useText<'schema'>>): string {
  if (error instanceof NoDataError) return t('paste.noData');
  if (error instanceof JsonShapeError)
    return error.record === null ? t('paste.noList') : t('paste.noObject', { record: formatNumber(error.record) });
  return t('paste.unreadable', { reason: error instanceof Error ? error.message : String(error) });
}

/** Whether an address is this page. */
function useIsHere(service: string) {
  const { making } = usePlace();
  return ({ pathname, search }: { pathname: string; search: string }): boolean =>
    pathname === serviceAddress(service) && new URLSearchParams(search).get('make') === making;
}
