// What is shown while no table is open.
import { Button, Group, Text } from '@mantine/core';
import { IconDatabasePlus, IconTable } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type DatabaseService, layout, ServiceCards, serviceCardsClasses } from '../../../database/index.ts';
import { useHasScreen } from '../../../frame/screen-list.ts';
import { isForbidden } from '../../../list/index.ts';
import { useText } from '../../../text/index.ts';
import { Empty, Failed, Loading, NotAllowed, Page } from '../../../ui/index.ts';
import { home, makeAddress, serviceAddress } from '../address/addresses.ts';
import { useTables } from '../address/sources.ts';

/** The list of services could not be read (SCH-041). */
export function ServicesFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useText('schema');
  return (
    <Page title={t('title')}>
      <Failed error={error} title={t('loadFailed')} onRetry={onRetry} />
    </Page>
  );
}

/** Asks for a service, then for a table or the making of one; or says what to do when there is none. */
export function Start({ services, service }: { services: DatabaseService[] | undefined; service: string }) {
  const t = useText('schema');
  const current = services?.find(({ name }) => name === service);
  const tabs = [{ label: t('manage'), to: home }];
  return (
    <Page title={current ? current.label || current.name : t('title')} tabs={tabs}>
      {!services ? (
        <Loading shape="cards" />
      ) : services.length === 0 ? (
        <NoServices />
      ) : current ? (
        <ChooseTable service={current} />
      ) : (
        <section className={serviceCardsClasses.choose} aria-label={t('chooseService')}>
          <Text c="var(--s-text-soft)">
            {service ? `${t('unknownService', { name: service })}. ${t('unknownServiceText')}` : t('chooseServiceText')}
          </Text>
          <ServiceCards services={services} addressOf={serviceAddress} />
        </section>
      )}
    </Page>
  );
}

function NoServices() {
  const t = useText('schema');
  const hasScreen = useHasScreen();
  const connect = hasScreen('/services') ? (
    <Button component={Link} to="/services/create">
      {t('connect')}
    </Button>
  ) : null;
  return <Empty icon={IconDatabasePlus} title={t('noServices')} text={t('noServicesText')} action={connect} />;
}

function ChooseTable({ service: { name, label } }: { service: DatabaseService }) {
  const t = useText('schema');
  const { data, error, refetch } = useTables(name);
  if (error) {
    return isForbidden(error) ? (
      <NotAllowed text={error.message} />
    ) : (
      <Failed error={error} title={t('tablesFailed', { service: label || name })} onRetry={() => void refetch()} />
    );
  }
  const isEmpty = data?.length === 0;
  const actions = (
    <Group gap="xs" justify="center">
      <Button component={Link} to={makeAddress(name, 'table')}>
        {t('create')}
      </Button>
      <Button variant="default" component={Link} to={makeAddress(name, 'upload')}>
        {t('uploadJson')}
      </Button>
      <Button variant="default" component={Link} to={makeAddress(name, 'paste')}>
        {t('pasteTable')}
      </Button>
    </Group>
  );
  return (
    <div className={isEmpty ? undefined : layout.beside}>
      <Empty
        icon={IconTable}
        title={t(isEmpty ? 'noTables' : 'noTable')}
        text={t(isEmpty ? 'noTablesText' : 'noTableText')}
        action={actions}
      />
    </div>
  );
}
