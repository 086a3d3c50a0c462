import { Button, Popover, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { api, apiAddress, saveBlob } from '../../api/index.ts';
import { quoteForShell } from '../../calls/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, describeError } from '../../ui/index.ts';
import classes from './apidocs.module.css';
import type { OpenApiDocument } from './document.ts';

/** Offers the typed client of a service or of all, made here of the document that the person may see. */
export function ClientButton({ service }: { service?: string }) {
  const t = useText('apidocs');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const address = apiAddress().replace(/\/api\/v2$/, '');
  const command = `npm run client -- ${address}${service === undefined ? '' : ` --service ${quoteForShell(service)}`}`;

  const download = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const path = service === undefined ? 'api_docs' : `api_docs/${encodeURIComponent(service)}`;
      const [{ generateClient }, document] = await Promise.all([
        import('@sluice/client'),
        api.get<OpenApiDocument & Record<string, unknown>>(path, { query: { openapi: '3.1' } }),
      ]);
      saveBlob(new Blob([generateClient(document, { address })], { type: 'text/plain' }), fileNameOf(service));
    } catch (error) {
      setProblem(describeError(error).messages.join(' '));
    }
    setBusy(false);
  };

  return (
    <Popover position="bottom-end" width={360} trapFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="default">{t('client.open')}</Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.client ?? ''} aria-label={t('client.open')}>
        <Text size="sm">{t('client.what')}</Text>
        <Button
          leftSection={<IconDownload className={classes.icon} aria-hidden />}
          loading={isBusy}
          onClick={() => void download()}
        >
          {t('client.download', { file: fileNameOf(service) })}
        </Button>
        {problem === null ? null : (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
        <Text size="xs" c="var(--s-text-soft)">
          {t('client.byCommand')}
        </Text>
        <div className={classes.command}>
          <code>{command}</code>
          <CopyButton value={command} thing={t('client.command')} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** `sluice-shop.ts`; what no file may be called stands as `_`. */
const fileNameOf = (service: string | undefined): string =>
  service === undefined ? 'sluice.ts' : `sluice-${service.replace(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, 60)}.ts`;
