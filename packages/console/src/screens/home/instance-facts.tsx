import { apiAddress, useConsoleSettings, useEnvironment, useSession } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, DateText, IdText } from '../../ui/index.ts';
import classes from './home.module.css';
import { Panel } from './panel.tsx';

/** What this instance is. */
export const InstanceFacts = () => {
  const t = useText('home');
  const session = useSession();
  const { version } = useConsoleSettings();
  const { platform, server } = useEnvironment();
  const os = [server?.server_os, server?.release].filter((part) => typeof part === 'string').join(' ');
  return (
    <Panel title={t('facts')}>
      <dl className={classes.facts}>
        <dt>{t('address')}</dt>
        <dd className={classes.withCopy}>
          <IdText>{apiAddress()}</IdText>
          <CopyButton value={apiAddress()} thing={t('address')} />
        </dd>
        {version && (
          <>
            <dt>{t('product')}</dt>
            <dd>{version}</dd>
          </>
        )}
        {platform?.version && (
          <>
            <dt>{t('version')}</dt>
            <dd>{platform.version}</dd>
          </>
        )}
        {platform?.license && (
          <>
            <dt>{t('license')}</dt>
            <dd>{platform.license}</dd>
          </>
        )}
        {os && (
          <>
            <dt>{t('server')}</dt>
            <dd>{os}</dd>
          </>
        )}
        <dt>{t('lastSignIn')}</dt>
        <dd>
          <DateText value={session?.last_login_date} />
        </dd>
      </dl>
    </Panel>
  );
};
