import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import type { ApiKeyAnswer } from '@sluice/contract';
import { useEffect, useRef } from 'react';
import { apiAddress } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton } from '../../ui/index.ts';
import { CallCode } from '../call-code.tsx';
import classes from '../calls.module.css';
import { RunCall } from '../run-call.tsx';
import { firstCallWith } from './first-call.ts';
import type { KeyForm } from './key-form.ts';
import { useKeyServices } from './sources.ts';

interface MadeKeyProps {
  made: ApiKeyAnswer;
  form: KeyForm;
  onClose: () => void;
  leaveTo: (address: string) => void;
}

/** The new key, to be copied at once, and a call that works with it. */
export function MadeKey({ made, form, onClose, leaveTo }: MadeKeyProps) {
  const t = useText('calls');
  const { data: services = [] } = useKeyServices();
  const keyBox = useRef<HTMLDivElement>(null);
  useEffect(() => keyBox.current?.querySelector('button')?.focus(), []);
  const { path, query } = firstCallWith(form, services);
  const address = [apiAddress(), path].filter(Boolean).join('/');
  return (
    <div className={classes.made}>
      <div ref={keyBox} className={classes.key}>
        <code className={classes.keyText}>{made.api_key}</code>
        <CopyButton value={made.api_key} label={t('key.copy')} />
      </div>
      <Text size="sm" c="var(--s-text-soft)">
        {t(`key.may.${form.scope}.${form.access}`, { service: form.service, table: form.table })} {t('key.kept')}{' '}
        <Anchor component="button" type="button" inherit onClick={() => leaveTo(`/apps/${made.app_id}`)}>
          {t('key.openApp')}
        </Anchor>
      </Text>
      <Title order={3}>{t('key.firstCall')}</Title>
      <CallCode call={{ address, query: Object.entries(query), credential: { apiKey: made.api_key } }} />
      <RunCall path={path} query={query} caller={{ apiKey: made.api_key }} label={t('run.try')} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('key.done')}</Button>
      </Group>
    </div>
  );
}
