import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { TableSummary } from '../../../database/index.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { downloadSchema, readSchema } from './export-schema.ts';

/** Saves the schema of the service as JSON that an upload takes, here or elsewhere. */
export function DownloadButton({ service, tables }: { service: string; tables: TableSummary[] | undefined }) {
  const t = useText('schema');
  const [doneCount, setDoneCount] = useState<number | null>(null);
  const run = async () => {
    setDoneCount(0);
    try {
      const names = tables?.map(({ name }) => name) ?? [];
      const { tables: described, missing } = await readSchema(service, names, ({ read }) => setDoneCount(read));
      downloadSchema(service, described);
      notify.success(t('upload.downloaded'));
      if (missing.length > 0) notify.info(t('leftOut', { count: missing.length }), t('title'));
    } catch (error) {
      notify.error(t('title'), error);
    }
    setDoneCount(null);
  };
  const isRunning = doneCount !== null;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size="1.1em" aria-hidden />}
      disabled={isRunning || !tables?.length}
      title={t('upload.downloadText')}
      onClick={() => void run()}
    >
      {isRunning && tables
        ? t('upload.downloading', { done: formatNumber(doneCount), count: tables.length })
        : t('upload.download')}
    </Button>
  );
}
