import { Button, Progress, Text } from '@mantine/core';
import { useSizeText } from '../files/index.ts';
import { useText } from '../text/index.ts';
import classes from './packages.module.css';
import type { UploadState } from './use-package-upload.ts';

/** How far a package is. It can be cancelled until all of it was sent: from then on the server is at work. */
export function UploadProgress({ upload, onCancel }: { upload: UploadState; onCancel: () => void }) {
  const t = useText('packages');
  const common = useText('common');
  const sizeText = useSizeText();
  const { sent, size } = upload;
  const isSending = sent < size;
  return (
    <div className={classes.progress}>
      <Text size="sm" role="status">
        {isSending ? t('upload.sending') : t(size > 0 ? 'upload.working' : 'upload.fetching')}
      </Text>
      {isSending ? (
        <Button variant="default" size="compact-sm" onClick={onCancel}>
          {common('cancel')}
        </Button>
      ) : null}
      <Progress
        className={classes.bar!}
        value={isSending ? (sent / size) * 100 : 100}
        animated={!isSending}
        aria-label={t('upload.progress')}
      />
      {isSending ? (
        <Text size="xs" c="var(--s-text-soft)">
          {t('upload.sent', { sent: sizeText(sent), size: sizeText(size) })}
        </Text>
      ) : null}
    </div>
  );
}
