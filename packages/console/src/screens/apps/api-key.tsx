import { ActionIcon, Button, Text, Title } from '@mantine/core';
import { secretMask } from '@sluice/contract';
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiAddress } from '../../api/index.ts';
import { CallCode } from '../../calls/index.ts';
import { recordKey, Section, useEditor } from '../../editor/index.ts';
import { cellText, type Row, resourceKey } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, confirm, notify } from '../../ui/index.ts';
import classes from './apps.module.css';
import { type AppForm, consoleAppId } from './record.ts';
import { appEditorRelations } from './sources.ts';

/** Characters of a key that tell it from others. */
const shownStart = 6;
const shownEnd = 4;

/** A key in a row: its ends, all of it when asked for, and a button that copies it. */
export function KeyCell({ apiKey, name }: { apiKey: string; name: string }) {
  const t = useText('apps');
  const [isShown, setShown] = useState(false);
  if (apiKey === '') return null;
  if (apiKey === secretMask) return <code className={classes.key}>{apiKey}</code>;
  const Icon = isShown ? IconEyeOff : IconEye;
  const label = t(isShown ? 'key.hide' : 'key.show', { name });
  return (
    <span className={classes.keyCell}>
      <code className={classes.key}>
        {isShown ? apiKey : `${apiKey.slice(0, shownStart)}…${apiKey.slice(-shownEnd)}`}
      </code>
      <ActionIcon aria-label={label} title={label} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        <Icon className={classes.icon} aria-hidden />
      </ActionIcon>
      <CopyButton value={apiKey} thing={t('key.thing', { name })} />
    </span>
  );
}

/** The key of the app being edited, a way to replace it, and a call that uses it. */
export function KeySection() {
  const t = useText('apps');
  const { record } = useEditor<AppForm>();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  if (record === null) {
    return (
      <Section title={t('key.title')} text={t('key.hint')}>
        <Text c="var(--s-text-soft)">{t('key.afterSave')}</Text>
      </Section>
    );
  }
  const id = String(record.id);
  const name = cellText(record.name);
  const apiKey = cellText(record.api_key);

  const renew = async () => {
    const isSure = await confirm({
      message: t('key.renewAsk', { name }),
      impact: t('key.renewImpact'),
      confirmLabel: t('key.renewYes'),
      danger: true,
    });
    if (!isSure) return;
    setBusy(true);
    try {
      const query = { regenerate: true, fields: '*', related: appEditorRelations };
      const renewed = await api.patch<Row>(`system/app/${encodeURIComponent(id)}`, { query, body: {} });
      // What was typed into the form stays: only the record behind it is replaced.
      client.setQueryData(recordKey('app', id, appEditorRelations), renewed);
      notify.success(t('key.renewed', { name }));
      await client.invalidateQueries({ queryKey: [...resourceKey('app'), 'list'] });
    } catch (error) {
      notify.error('', error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Section title={t('key.title')} text={record.id === consoleAppId ? t('key.ofConsole') : t('key.hint')}>
      {apiKey === secretMask ? (
        <Text c="var(--s-text-soft)">{t('key.withheld')}</Text>
      ) : (
        <div className={classes.keyBox}>
          <code className={classes.wholeKey}>{apiKey}</code>
          <CopyButton value={apiKey} thing={t('key.thing', { name })} />
        </div>
      )}
      {record.id === consoleAppId ? null : (
        <div>
          <Button
            variant="default"
            leftSection={<IconRefresh className={classes.icon} aria-hidden />}
            loading={isBusy}
            onClick={() => void renew()}
          >
            {t('key.renew')}
          </Button>
        </div>
      )}
      {apiKey === secretMask ? null : (
        <FirstCall apiKey={apiKey} hasRole={record.role_id !== null} isActive={record.is_active === true} />
      )}
    </Section>
  );
}

interface FirstCallProps {
  apiKey: string;
  hasRole: boolean;
  isActive: boolean;
}

/** A first call with the key. Without a default role it needs a person: their token is never shown here. */
function FirstCall({ apiKey, hasRole, isActive }: FirstCallProps) {
  const t = useText('apps');
  return (
    <div className={classes.firstCall}>
      <Title order={3} size="h4">
        {t('call.title')}
      </Title>
      <Text size="sm" c="var(--s-text-soft)">
        {t(hasRole ? 'call.withRole' : 'call.withoutRole')}
      </Text>
      {isActive ? null : (
        <Text size="sm" className={classes.caution}>
          {t('call.inactive')}
        </Text>
      )}
      <CallCode
        call={{ address: apiAddress(), credential: { apiKey, tokenHint: hasRole ? undefined : t('call.token') } }}
      />
    </div>
  );
}
