import { Button, Text, Title } from '@mantine/core';
import { isInGroup } from '@sluice/contract';
import { IconArrowUpRight, IconDatabasePlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, apiAddress, useConsoleSettings, useEnvironment, useSession } from '../../api/index.ts';
import { useHasScreen } from '../../frame/screen-list.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, DateText, Empty, Failed, HeadRow, IdText, Loading, Page } from '../../ui/index.ts';
import { firstCalls } from './first-calls.ts';
import { helpLinks } from './help-links.ts';
import classes from './home.module.css';

interface ServiceList {
  services: { id: number; name: string; label: string; description: string | null; type: string }[];
  service_types: { name: string; label: string; group: string }[];
}

/** Links to help outside, where an operator set any (HOM-001…004). */
const Help = () => {
  const t = useText('home');
  const { home_links } = useEnvironment();
  const { links } = useConsoleSettings();
  const shown = helpLinks(home_links, links, (name) => t(`tabs.${name}`));
  if (shown.length === 0) return null;
  return (
    <nav className={classes.help} aria-label={t('help')}>
      {shown.map(({ name, label, href }) => (
        <a key={name} href={href} target="_blank" rel="noopener noreferrer" className={classes.helpLink}>
          {label}
          <IconArrowUpRight aria-hidden className={classes.icon} />
        </a>
      ))}
    </nav>
  );
};

const Facts = () => {
  const t = useText('home');
  const session = useSession();
  const { version } = useConsoleSettings();
  const { platform, server } = useEnvironment();
  const os = [server?.server_os, server?.release].filter((part) => typeof part === 'string').join(' ');
  return (
    <section className={classes.panel} aria-labelledby="home-facts">
      <Title order={2} id="home-facts">
        {t('facts')}
      </Title>
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
    </section>
  );
};

const Services = ({ list }: { list: ServiceList }) => {
  const t = useText('home');
  const typeLabel = (type: string) => list.service_types.find(({ name }) => name === type)?.label ?? type;
  const hasScreen = useHasScreen();
  const canConnect = hasScreen('/services');
  return (
    <section className={classes.panel} aria-labelledby="home-services">
      <HeadRow
        kind="text"
        actions={
          canConnect &&
          list.services.length > 0 && (
            <Button component={Link} to="/services" variant="default">
              {t('allServices')}
            </Button>
          )
        }
      >
        <div>
          <Title order={2} id="home-services">
            {t('services')}
          </Title>
          <Text c="dimmed">{t('servicesText')}</Text>
        </div>
      </HeadRow>
      {list.services.length === 0 ? (
        <Empty
          icon={IconDatabasePlus}
          title={t('noServices')}
          text={t('noServicesText')}
          action={
            canConnect && (
              <Button component={Link} to="/services/create">
                {t('connect')}
              </Button>
            )
          }
        />
      ) : (
        <ul className={classes.services}>
          {list.services.map((service) => {
            const address = `${apiAddress()}/${service.name}`;
            return (
              <li key={service.id} className={classes.service}>
                <div className={classes.serviceName}>
                  <Text fw={500} truncate>
                    {service.label || service.name}
                  </Text>
                  <Text size="sm" c="dimmed" truncate>
                    {typeLabel(service.type)}
                  </Text>
                </div>
                <div className={classes.withCopy}>
                  <IdText>{address}</IdText>
                  <CopyButton value={address} thing={address} />
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
};

const Steps = ({ list }: { list: ServiceList }) => {
  const t = useText('home');
  const session = useSession();
  const database = list.services.find(({ type }) =>
    list.service_types.some((serviceType) => serviceType.name === type && isInGroup(serviceType, 'Database')),
  );
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
    <section className={classes.panel} aria-labelledby="home-steps">
      <Title order={2} id="home-steps">
        {t('steps')}
      </Title>
      <Text c="dimmed">{t('stepsText')}</Text>
      <ol className={classes.steps}>
        {calls.map(({ name, command }) => (
          <li key={name} className={classes.step}>
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
    </section>
  );
};

/** /home: where this instance is, what it opens, and how to call it. */
export const HomeScreen = () => {
  const t = useText('home');
  const session = useSession();
  const servicesQuery = useQuery({
    queryKey: ['service-names'],
    // the list of the services this person may call.
    queryFn: ({ signal }) => api.get<ServiceList>('', { signal }),
  });
  return (
    <Page title={session?.first_name ? t('greeting', { name: session.first_name }) : t('title')}>
      <Help />
      <div className={classes.columns}>
        <div className={classes.main}>
          {servicesQuery.isPending && <Loading />}
          {servicesQuery.error && <Failed error={servicesQuery.error} onRetry={() => servicesQuery.refetch()} />}
          {servicesQuery.data && <Services list={servicesQuery.data} />}
          {servicesQuery.data && <Steps list={servicesQuery.data} />}
        </div>
        <Facts />
      </div>
    </Page>
  );
};
