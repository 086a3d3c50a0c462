import { Text, Title } from '@mantine/core';
import { apiAddress } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton } from '../../ui/index.ts';
import classes from './apps.module.css';

interface FirstCallProps {
  apiKey: string;
  hasRole: boolean;
  isActive: boolean;
}

/** A first call for a terminal. Without a default role it needs a person: their token is never shown here. */
export const firstCall = (address: string, apiKey: string, hasRole: boolean): string =>
  [
    `${hasRole ? '' : "TOKEN='…'\n"}curl '${address.replaceAll("'", `'\\''`)}'`,
    `-H 'X-DreamFactory-API-Key: ${apiKey}'`,
    ...(hasRole ? [] : ['-H "X-DreamFactory-Session-Token: $TOKEN"']),
  ].join(' \\\n  ');

/** The command of a first call with the key, to be copied. */
export function FirstCall({ apiKey, hasRole, isActive }: FirstCallProps) {
  const t = useText('apps');
  const command = firstCall(apiAddress(), apiKey, hasRole);
  return (
    <div>
      <Title order={3} size="h4" mb="xs">
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
      <div className={classes.command}>
        <pre className={classes.code}>
          <code>{command}</code>
        </pre>
        <CopyButton value={command} thing={t('call.thing')} />
      </div>
    </div>
  );
}
