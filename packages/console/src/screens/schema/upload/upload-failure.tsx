import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { RequestId } from '../../../ui/index.ts';
import type { TableOutcome } from './outcome.ts';
import classes from './upload.module.css';

interface UploadFailureProps {
  error: unknown;
  /** Null when nothing is known of single tables. */
  outcomes: TableOutcome[] | null;
  /** Leaves tables of these names in the editor. */
  onKeepOnly: (names: string[]) => void;
}

/** Why an upload failed, which of its tables were made all the same, and which were not. */
export function UploadFailure({ error, outcomes, onKeepOnly }: UploadFailureProps) {
  const t = useText('schema');
  const messages = error instanceof ApiError ? error.messages() : [String(error)];
  const madeTables = outcomes?.filter(({ outcome }) => outcome === 'made') ?? [];
  const otherTables = outcomes?.filter(({ outcome }) => outcome !== 'made') ?? [];
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(madeTables.length > 0 ? 'upload.failedPartly' : 'upload.failed')}
    >
      <Stack gap="xs">
        {outcomes ? (
          <ul className={classes.outcomes}>
            {outcomes.map(({ name, outcome, message }) => (
              <li key={name}>
                <strong>{name}</strong>: {message ?? t(`upload.outcomes.${outcome}`)}
              </li>
            ))}
          </ul>
        ) : (
          messages.map((message) => <Text key={message}>{message}</Text>)
        )}
        {error instanceof ApiError && error.isUnreachable ? <Text>{t('upload.unknownOutcome')}</Text> : null}
        {madeTables.length > 0 && otherTables.length > 0 ? (
          <Group>
            <Button variant="default" size="xs" onClick={() => onKeepOnly(otherTables.map(({ name }) => name))}>
              {t('upload.keepRest')}
            </Button>
          </Group>
        ) : null}
        {error instanceof ApiError && error.requestId ? <RequestId id={error.requestId} /> : null}
      </Stack>
    </Alert>
  );
}
