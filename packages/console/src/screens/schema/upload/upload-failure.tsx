import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../../../api/index.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { RequestId } from '../../../ui/index.ts';
import type { JsonPlace } from '../draft/json-place.ts';
import type { TableOutcome } from './outcome.ts';
import classes from './upload.module.css';

interface UploadFailureProps {
  error: unknown;
  /** Null when nothing is known of single tables. */
  outcomes: TableOutcome[] | null;
  /** Where a table that failed stands in the editor, by its name and the server's message; null when it is not there. */
  findPlace: (name: string, message: string) => JsonPlace | null;
  onShow: (place: JsonPlace) => void;
  /** Leaves tables of these names in the editor. */
  onKeepOnly: (names: string[]) => void;
}

/** Why an upload failed, which of its tables were made all the same, and which were not. */
export function UploadFailure({ error, outcomes, findPlace, onShow, onKeepOnly }: UploadFailureProps) {
  const t = useText('schema');
  const messages = error instanceof ApiError ? error.messages() : [String(error)];
  const isUnsure = error instanceof ApiError && error.isUnreachable;
  const namesOf = (wanted: TableOutcome['outcome']) =>
    outcomes?.filter(({ outcome }) => outcome === wanted).map(({ name }) => name) ?? [];
  const [madeTables, untriedTables] = [namesOf('made'), namesOf('untried')];
  const failed = outcomes?.filter(({ outcome }) => outcome === 'failed') ?? [];
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(isUnsure ? 'upload.unsure' : madeTables.length > 0 ? 'upload.failedPartly' : 'upload.failed')}
    >
      <Stack gap="xs">
        {outcomes ? (
          <ul className={classes.outcomes}>
            {failed.map(({ name, message }) => (
              <li key={name}>
                <strong>{name}</strong>: {message}{' '}
                <PlaceButton place={findPlace(name, message ?? '')} onShow={onShow} />
              </li>
            ))}
            {madeTables.length > 0 ? (
              <li>{listed(t('upload.made', { count: madeTables.length }), madeTables)}</li>
            ) : null}
            {untriedTables.length > 0 ? (
              <li>{listed(t('upload.untried', { count: untriedTables.length }), untriedTables)}</li>
            ) : null}
          </ul>
        ) : (
          messages.map((message) => <Text key={message}>{message}</Text>)
        )}
        {isUnsure ? <Text>{t('upload.unknownOutcome')}</Text> : null}
        {madeTables.length > 0 ? (
          <Group>
            <Button
              variant="default"
              size="xs"
              onClick={() => onKeepOnly([...failed.map(({ name }) => name), ...untriedTables])}
            >
              {t('upload.keepRest')}
            </Button>
          </Group>
        ) : null}
        {error instanceof ApiError && error.requestId ? (
          <Group>
            <RequestId id={error.requestId} />
          </Group>
        ) : null}
      </Stack>
    </Alert>
  );
}

const listed = (words: string, names: readonly string[]): string => `${words}: ${names.join(', ')}`;

interface PlaceButtonProps {
  place: JsonPlace | null;
  onShow: (place: JsonPlace) => void;
}

/** Leads to a place in the editor. */
export function PlaceButton({ place, onShow }: PlaceButtonProps) {
  const t = useText('schema');
  if (!place) return null;
  return (
    <Anchor component="button" type="button" inherit underline="always" onClick={() => onShow(place)}>
      {t('upload.showLine', { line: formatNumber(place.line) })}
    </Anchor>
  );
}
