import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import type { ApiKeyAnswer } from '@sluice/contract';
import { useEffect, useRef } from 'react';
import { apiAddress } from '../../api/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { CopyButton } from '../../ui/index.ts';
import { CallCode } from '../call-code.tsx';
import classes from '../calls.module.css';
import { RunCall } from '../run-call.tsx';
import { AgentsOff, useAgentsOff } from './agent-off.tsx';
import { ConnectAgent } from './connect-agent.tsx';
import { firstCallWith } from './first-call.ts';
import type { KeyForm } from './key-form.ts';
import { useKeyServices } from './sources.ts';

interface MadeKeyProps {
  made: ApiKeyAnswer;
  form: KeyForm;
  onClose: () => void;
  leaveTo: (address: string) => void;
}

/** So many tables are named in a sentence. */
const maxNamed = 5;

/** The new key, to be copied at once, and a call that works with it, or what connects an agent. */
export function MadeKey({ made, form, onClose, leaveTo }: MadeKeyProps) {
  const t = useText('calls');
  const keyBox = useRef<HTMLDivElement>(null);
  useEffect(() => keyBox.current?.querySelector('button')?.focus(), []);
  const isOff = useAgentsOff();
  return (
    <div className={classes.made}>
      <div ref={keyBox} className={classes.key}>
        <code className={classes.keyText}>{made.api_key}</code>
        <CopyButton value={made.api_key} label={t('key.copy')} />
      </div>
      <Text size="sm" c="var(--s-text-soft)">
        {t(`key.may.${form.scope}.${form.access}`, {
          service: form.service,
          table: form.table,
          tables: form.tables.slice(0, maxNamed).join(', '),
          more: form.tables.length > maxNamed ? ' …' : '',
        })}{' '}
        {form.limit ? `${t(`limit.may.${form.limit.period}`, { rate: formatNumber(form.limit.rate ?? 0) })} ` : null}
        {t('key.kept')}{' '}
        <Anchor component="button" type="button" inherit onClick={() => leaveTo(`/apps/${made.app_id}`)}>
          {t('key.openApp')}
        </Anchor>
      </Text>
      {form.purpose === 'agent' && isOff ? <AgentsOff /> : null}
      {form.purpose === 'agent' && !isOff ? (
        <ConnectAgent apiKey={made.api_key} />
      ) : (
        <FirstCall apiKey={made.api_key} form={form} />
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('key.done')}</Button>
      </Group>
    </div>
  );
}

/** A call that works with the key, written and made from here. */
function FirstCall({ apiKey, form }: { apiKey: string; form: KeyForm }) {
  const t = useText('calls');
  const { data: services = [] } = useKeyServices();
  const { path, query } = firstCallWith(form, services);
  const address = [apiAddress(), path].filter(Boolean).join('/');
  return (
    <>
      <Title order={3}>{t('key.firstCall')}</Title>
      <CallCode call={{ address, query: Object.entries(query), credential: { apiKey } }} />
      <RunCall path={path} query={query} caller={{ apiKey }} label={t('run.try')} />
    </>
  );
}
