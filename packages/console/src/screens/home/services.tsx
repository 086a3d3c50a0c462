import { Button, Text } from '@mantine/core';
import type { ServiceUse } from '@sluice/contract';
import { IconDatabasePlus, IconTable } from '@tabler/icons-react';
import { Link } from 'react-router';
import { apiAddress, useSession } from '../../api/index.ts';
import { useHasScreen } from '../../frame/screen-list.ts';
import { formatNumber, typeText, useText } from '../../text/index.ts';
import { CopyButton, DateText, Empty, Failed, Loading } from '../../ui/index.ts';
import { inOrderOfUse, isDatabase } from './facts.ts';
import classes from './home.module.css';
import { Panel } from './panel.tsx';
import { CheckButton, Reachability, useReachability } from './reachability.tsx';
import {
  isAbsent,
  type ListedService,
  type ServiceList,
  useAllServices,
  useServiceNames,
  useServiceUse,
} from './sources.ts';
import { UseBars } from './use-bars.tsx';

/** Services that are shown; the list has them all. */
const maxRows = 10;

/** What this instance opens, with its state and how it is used where an administrator looks. */
export const Services = () => {
  const t = useText('home');
  const names = useServiceNames();
  const all = useAllServices();
  const use = useServiceUse();
  const isAdmin = useSession()?.is_sys_admin === true;
  const canConnect = useHasScreen()('/services') && isAdmin;
  if (names.isPending || (isAdmin && all.isPending)) return <Loading />;
  if (names.error) return <Failed error={names.error} onRetry={() => names.refetch()} />;
  if (all.error && !isAbsent(all.error)) return <Failed error={all.error} onRetry={() => all.refetch()} />;
  const { service_types: types } = names.data;
  const useById = new Map(use.data?.map((service) => [service.id, service]));
  const services = inOrderOfUse(all.data ?? names.data.services, types, (id) => useById.get(id)?.calls ?? 0);
  return (
    <Panel
      title={t('services')}
      text={t(use.data ? 'servicesUseText' : 'servicesText')}
      actions={
        canConnect &&
        services.length > 0 && (
          <Button component={Link} to="/services" variant="default">
            {services.length > maxRows ? t('allOf', { count: services.length }) : t('allServices')}
          </Button>
        )
      }
    >
      {services.length === 0 ? (
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
        <ul className={`${classes.rows} ${classes.services}`}>
          {services.slice(0, maxRows).map((service) => (
            <ServiceRow key={service.id} service={service} types={types} use={useById.get(service.id)} />
          ))}
        </ul>
      )}
      {use.error && !isAbsent(use.error) && (
        <Text size="sm" c="var(--s-danger)" role="alert">
          {t('useFailed', { reason: use.error.message })}
        </Text>
      )}
    </Panel>
  );
};

interface ServiceRowProps {
  service: ListedService;
  types: ServiceList['service_types'];
  use: ServiceUse | undefined;
}

const ServiceRow = ({ service, types, use }: ServiceRowProps) => {
  const t = useText('home');
  const isAdmin = useSession()?.is_sys_admin === true;
  const hasScreen = useHasScreen();
  const reachability = useReachability(service);
  const { id, name, label, type, is_active } = service;
  const shownName = label || name;
  const holdsTables = isDatabase(service, types);
  const data = holdsTables && hasScreen('/data') && is_active !== false ? `/data/${encodeURIComponent(name)}` : null;
  const to = isAdmin && hasScreen('/services') ? `/services/${id}` : data;
  const typeLabel = typeText(type, types.find((known) => known.name === type)?.label ?? type);
  const address = `${apiAddress()}/${name}`;
  return (
    <li className={classes.service} data-inactive={is_active === false || undefined}>
      <div className={classes.name}>
        {to ? (
          <Link to={to} className={classes.rowLink}>
            {shownName}
          </Link>
        ) : (
          <Text fw={500} truncate>
            {shownName}
          </Text>
        )}
        <Text size="sm" c="dimmed" truncate>
          {is_active === undefined ? typeLabel : `${is_active ? t('active') : t('inactive')} · ${typeLabel}`}
        </Text>
      </div>
      {use ? (
        <div className={classes.use}>
          <UseBars use={use} />
          <Text size="sm" c="dimmed">
            {use.calls > 0 ? (
              <>
                {t('callCount', { count: use.calls, calls: formatNumber(use.calls) })}
                {use.failures > 0 && (
                  <span className={classes.failures}>
                    {' '}
                    ·{' '}
                    <Link to={`/audit/failed?service=${encodeURIComponent(name)}`}>
                      {t('failures', { count: use.failures, failures: formatNumber(use.failures) })}
                    </Link>
                  </span>
                )}
              </>
            ) : (
              <>
                {use.last_call !== null && `${t('lastCall')} `}
                <DateText value={use.last_call} emptyText={t('noCalls')} />
              </>
            )}
          </Text>
        </div>
      ) : (
        <Text size="sm" className={classes.address}>
          {address}
        </Text>
      )}
      <div className={classes.actions}>
        <CopyButton value={address} thing={address} />
        {data && (
          <Button
            component={Link}
            to={data}
            size="compact-sm"
            variant="default"
            leftSection={<IconTable className={classes.icon} aria-hidden />}
            aria-label={t('dataOf', { service: shownName })}
          >
            {t('data')}
          </Button>
        )}
        {isAdmin && holdsTables && <CheckButton service={shownName} {...reachability} />}
      </div>
      <Reachability outcome={reachability.outcome} />
    </li>
  );
};
