// What is shown while no table is open.
import { Button, Text } from '@mantine/core';
import { IconDatabasePlus, IconTable } from '@tabler/icons-react';
import { Link } from 'react-router';
import { layout, ServiceCards, serviceCardsClasses } from '../../../database/index.ts';
import { useHasScreen } from '../../../frame/screen-list.ts';
import { useText } from '../../../text/index.ts';
import { Empty, Failed, Loading, Page } from '../../../ui/index.ts';
import { useSchemaAddress } from '../address/schema-address.ts';
import { type DatabaseService, useTables } from '../address/sources.ts';
import classes from '../styles/shared.module.css';

const useTabs = () => {
  const t = useText('data');
  return [{ label: t('manage'), to: '/data' }];
};

/** The list of services could not be read (DAT-010). */
export function ServicesFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useText('data');
  return (
    <Page title={t('title')}>
      <Failed error={error} title={t('loadFailed')} onRetry={onRetry} />
    </Page>
  );
}

/** Asks for a service, then for a table; or says what to do when there is none. */
export function Start({ services, service }: { services: DatabaseService[] | undefined; service: string }) {
  const t = useText('data');
  const currentService = services?.find(({ name }) => name === service);
  return (
    <Page title={currentService ? currentService.label || currentService.name : t('title')} tabs={useTabs()}>
      {!services ? (
        <Loading shape="cards" />
      ) : services.length === 0 ? (
        <NoServices />
      ) : currentService ? (
        <ChooseTable service={currentService} />
      ) : (
        <ChooseService services={services} unknown={service} />
      )}
    </Page>
  );
}

function NoServices() {
  const t = useText('data');
  const hasScreen = useHasScreen();
  const connect = hasScreen('/services') ? (
    <Button component={Link} to="/services/create">
      {t('connect')}
    </Button>
  ) : null;
  return <Empty icon={IconDatabasePlus} title={t('noServices')} text={t('noServicesText')} action={connect} />;
}

function ChooseService({ services, unknown }: { services: DatabaseService[]; unknown: string }) {
  const t = useText('data');
  return (
    <section className={serviceCardsClasses.choose} aria-label={t('chooseService')}>
      <Text className={classes.soft}>
        {unknown ? `${t('unknownService', { name: unknown })}. ${t('unknownServiceText')}` : t('chooseServiceText')}
      </Text>
      <ServiceCards services={services} addressOf={(name) => `/data/${encodeURIComponent(name)}`} />
    </section>
  );
}

function ChooseTable({ service }: { service: DatabaseService }) {
  const t = useText('data');
  const tablesQuery = useTables(service.name);
  const schemaAddress = useSchemaAddress(service.name);
  const name = service.label || service.name;
  if (tablesQuery.error) {
    return (
      <Failed
        error={tablesQuery.error}
        title={t('tablesFailed', { service: name })}
        onRetry={() => void tablesQuery.refetch()}
      />
    );
  }
  if (tablesQuery.data?.length === 0) {
    const create = schemaAddress ? (
      <Button component={Link} to={schemaAddress.newTable} variant="light">
        {t('schema.createTable')}
      </Button>
    ) : null;
    return <Empty icon={IconTable} title={t('noTables')} text={t('noTablesText', { service: name })} action={create} />;
  }
  return (
    <div className={layout.beside}>
      <Empty icon={IconTable} title={t('chooseTable')} text={t('chooseTableText')} />
    </div>
  );
}
