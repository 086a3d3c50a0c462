import { Alert, Button, Checkbox, FileButton, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFileImport, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { ApiError } from '../api/index.ts';
import { formatNumber, useText } from '../text/index.ts';
import { RequestId } from '../ui/index.ts';
import classes from './import-dialog.module.css';
import { type ImportOutcome, transferFormats } from './transfer.ts';
import { type ImportController, useImport } from './use-import.ts';
import type { ListController } from './use-list-controller.ts';

/** So many failed records are listed at most; the rest is counted. */
const maxListed = 200;

interface ImportButtonProps {
  list: ListController;
  path: string;
  /** 'Users imported successfully.' */
  imported: string;
  things: string;
}

/** The button in the title row, and what it opens. */
export function ImportButton({ list, path, imported, things }: ImportButtonProps) {
  const t = useText('list');
  const importing = useImport(list, path, imported);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileImport size="1.1em" aria-hidden />}
        loading={importing.progress.state === 'running' && !importing.isOpen}
        onClick={importing.open}
      >
        {t('import.button')}
      </Button>
      <ImportDialog importing={importing} things={things} />
    </>
  );
}

/** Where a file is chosen or dropped; shows that it is under way, or why it was refused. */
function ImportDialog({ importing, things }: { importing: ImportController; things: string }) {
  const t = useText('list');
  const { progress } = importing;
  return (
    <Modal
      opened={importing.isOpen}
      onClose={importing.close}
      title={t('import.title', { things })}
      closeButtonProps={{ 'aria-label': t('import.close') }}
    >
      <Stack gap="sm">
        {progress.state === 'running' ? (
          <div role="status">
            <Text size="sm" mb="xs">
              {t('import.running', { name: progress.attempt.name, size: kilobytes(progress.attempt.size) })}
            </Text>
            <Progress value={100} animated aria-label={t('import.title', { things })} />
            <Text size="xs" c="var(--s-text-soft)" mt="xs">
              {t('import.leave')}
            </Text>
          </div>
        ) : (
          <>
            {progress.state === 'refused' ? (
              <Refused name={progress.attempt.name} error={progress.error} outcome={progress.outcome} />
            ) : null}
            {progress.state === 'idle' && progress.problem ? (
              <Alert color="red" variant="light" p="xs" icon={<IconAlertTriangle aria-hidden />} role="alert">
                {progress.problem}
              </Alert>
            ) : null}
            <DropZone importing={importing} />
            <Checkbox
              label={t('import.spreadsheet')}
              description={t('import.spreadsheetHint')}
              checked={importing.isForSpreadsheet}
              onChange={(event) => importing.setForSpreadsheet(event.currentTarget.checked)}
            />
            {progress.state === 'refused' && progress.outcome?.isStopped ? (
              <Group justify="flex-end">
                <Button onClick={() => void importing.continueImport()}>{t('import.goOn')}</Button>
              </Group>
            ) : null}
          </>
        )}
      </Stack>
    </Modal>
  );
}

const kilobytes = (bytes: number): string => `${formatNumber(Math.max(1, Math.round(bytes / 1024)))} KiB`;

function DropZone({ importing }: { importing: ImportController }) {
  const t = useText('list');
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent, isInside: boolean) => {
    event.preventDefault();
    setOver(isInside);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the pointer; the button inside does the same
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        void importing.importFiles([...event.dataTransfer.files]);
      }}
    >
      <IconUpload className={classes.mark} aria-hidden />
      <Text size="sm">{t('import.drop')}</Text>
      <FileButton
        onChange={(file) => file && void importing.importFiles([file])}
        accept={transferFormats.map((format) => `.${format}`).join(',')}
        inputProps={{ 'aria-label': t('import.choose') }}
      >
        {(props) => (
          <Button {...props} variant="default" size="xs" data-autofocus>
            {t('import.choose')}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="var(--s-text-soft)">
        {t('import.hint')}
      </Text>
    </div>
  );
}

interface RefusedProps {
  name: string;
  error: unknown;
  /** Null when nothing is known of single records. */
  outcome: ImportOutcome | null;
}

/** What of a file was taken in, which records were not, and why. */
function Refused({ name, error, outcome }: RefusedProps) {
  const t = useText('list');
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
      title={outcome ? t('import.imported', { count: outcome.imported, name }) : t('import.refused', { name })}
    >
      {outcome ? (
        <>
          <ul className={classes.failed}>
            {outcome.failed.slice(0, maxListed).map(({ record, message }) => (
              <li key={record}>
                <strong>{t('import.record', { record: formatNumber(record) })}</strong> {message}
              </li>
            ))}
          </ul>
          {outcome.failed.length > maxListed ? (
            <Text size="sm">{t('import.more', { count: outcome.failed.length - maxListed })}</Text>
          ) : null}
          {outcome.isStopped ? <Text size="sm">{t('import.stopped')}</Text> : null}
        </>
      ) : (
        <Text size="sm">{message}</Text>
      )}
      {error instanceof ApiError && error.requestId ? <RequestId id={error.requestId} /> : null}
    </Alert>
  );
}
