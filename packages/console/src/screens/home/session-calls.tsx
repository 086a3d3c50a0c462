import { Text } from '@mantine/core';
import { apiAddress, useSession } from '../../api/index.ts';
import { firstCalls } from '../../calls/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton } from '../../ui/index.ts';
import { databaseOf } from './facts.ts';
import classes from './home.module.css';
import { Panel } from './panel.tsx';
import { useServiceNames } from './sources.ts';

/** The first calls of somebody who makes no keys: with a session. */
export const SessionCalls = () => {
  const t = useText('home');
  const session = useSession();
  const list = useServiceNames().data;
  if (!list) return null;
  const database = databaseOf(list.services, list.service_types);
  const calls = firstCalls({
    address: apiAddress(),
    isAdmin: session?.is_sys_admin ?? false,
    email: session?.email ?? '',
    password: t('yourPassword'),
    database: database?.name ?? 'db',
  });
  const stepTexts = {
    session: { title: t('stepSession'), text: t('stepSessionText') },
    services: { title: t('stepServices'), text: '' },
    tables: { title: database ? t('stepRecords', { service: database.name }) : t('stepRecordsNone'), text: '' },
  };
  return (
    <Panel title={t('calls')} text={t('callsText')}>
      <ol className={classes.calls}>
        {calls.map(({ name, command }) => (
          <li key={name} className={classes.call}>
            <Text fw={500}>{stepTexts[name].title}</Text>
            {stepTexts[name].text && (
              <Text size="sm" c="dimmed">
                {stepTexts[name].text}
              </Text>
            )}
            <div className={classes.command}>
              <pre className={classes.code}>
                <code>{command}</code>
              </pre>
              <CopyButton value={command} thing={t('command')} />
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
