import { Text, Title } from '@mantine/core';
import { IconApps, IconArrowUpRight } from '@tabler/icons-react';
import { refreshEnvironment, useEnvironment } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { Empty, Failed, isPageAddress, Page } from '../../ui/index.ts';
import classes from './launchpad.module.css';

/** /launchpad: the apps one may open, each in a new window (LPD-003, LPD-004). */
export const LaunchpadScreen = () => {
  const t = useText('launchpad');
  const { apps } = useEnvironment();
  // LPD-005: an answer without the key, from a server that could not tell.
  const isUnknown = !Array.isArray(apps);
  const shown = isUnknown ? [] : apps.filter((app) => app.url && isPageAddress(app.url));
  return (
    <Page title={t('title')} count={shown.length || undefined}>
      {isUnknown && <Failed error={t('failed')} onRetry={refreshEnvironment} />}
      {!isUnknown && shown.length === 0 && <Empty icon={IconApps} title={t('empty')} />}
      <ul className={classes.apps}>
        {shown.map((app) => (
          <li key={app.id}>
            <a
              href={app.url}
              target="_blank"
              rel="noopener noreferrer"
              className={classes.app}
              title={t('open', { name: app.name })}
            >
              <Title order={2} size="h3" className={classes.name}>
                {app.name}
                <IconArrowUpRight aria-hidden className={classes.out} />
              </Title>
              {app.description && <Text className={classes.text}>{app.description}</Text>}
            </a>
          </li>
        ))}
      </ul>
    </Page>
  );
};
