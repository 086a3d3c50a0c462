import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import type { ListedSession } from '@sluice/contract';
import { IconDeviceDesktop, IconDeviceMobile, IconLogout, IconTerminal2 } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, updateSession } from '../api/index.ts';
import { useText } from '../text/index.ts';
import { confirm, DateText, Failed, Loading, notify } from '../ui/index.ts';
import { deviceOf } from './device.ts';
import classes from './session-list.module.css';

const icons = { computer: IconDeviceDesktop, phone: IconDeviceMobile, program: IconTerminal2 };

interface SessionListProps {
  /** Where the list is: `user/_sessions`, or that of a person. */
  path: string;
  /** Whose they are: of others all can be ended, of oneself all but the one that looks. */
  isOwn: boolean;
  isReadOnly?: boolean;
}

/** The answer of a server of the family that has no such list. */
const isAbsent = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Whether the instance lists sessions at an address; until it has answered, it does. */
export const useHasSessions = (path: string): boolean => !isAbsent(useSessionsQuery(path).error);

const queryKeyOf = (path: string) => ['sessions', path];

function useSessionsQuery(path: string) {
  return useQuery({
    queryKey: queryKeyOf(path),
    queryFn: async ({ signal }) => (await api.get<{ resource: ListedSession[] }>(path, { signal })).resource,
    retry: (count, error) => !isAbsent(error) && count < 1,
  });
}

/** Where somebody is signed in, with an end for each session and for all others. */
export function SessionList({ path, isOwn, isReadOnly = false }: SessionListProps) {
  const t = useText('sessions');
  const client = useQueryClient();
  const { data: sessions, error, refetch } = useSessionsQuery(path);
  const [isBusy, setBusy] = useState(false);
  if (isAbsent(error)) return null;
  if (error) return <Failed error={error} title={t('loadError')} onRetry={() => refetch()} />;
  if (!sessions) return <Loading count={2} />;

  const end = async (address: string, done: string) => {
    setBusy(true);
    try {
      const { session_token } = await api.delete<{ session_token?: string }>(address);
      // Who ends all of their own goes on with another token.
      if (session_token) updateSession({ session_token });
      notify.success(done, t('title'));
    } catch (failure) {
      notify.error(t('title'), failure);
    } finally {
      setBusy(false);
      await client.invalidateQueries({ queryKey: queryKeyOf(path) });
    }
  };
  const endOne = async ({ id, user_agent }: ListedSession) => {
    const device = describe(user_agent);
    const isSure = await confirm({
      message: t('endQuestion', { device }),
      impact: t('endImpact'),
      confirmLabel: t('end'),
      danger: true,
    });
    if (isSure) await end(`${path}/${id}`, t('ended', { device }));
  };
  const hasCurrent = sessions.some(({ is_current }) => is_current);
  const endAll = async () => {
    const keepsOne = isOwn || hasCurrent;
    const isSure = await confirm({
      message: t(keepsOne ? 'othersQuestion' : 'allQuestion'),
      impact: t(keepsOne ? 'othersImpact' : 'allImpact'),
      confirmLabel: t(keepsOne ? 'endOthers' : 'endAll'),
      danger: true,
    });
    if (isSure) await end(path, t(keepsOne ? 'othersEnded' : 'allEnded'));
  };
  function describe(userAgent: string | null): string {
    const device = deviceOf(userAgent);
    if (!device) return t('unknownDevice');
    const { program, system } = device;
    return system === null ? program : t('device', { program, system });
  }

  if (sessions.length === 0)
    return (
      <Text size="sm" c="var(--s-text-soft)">
        {t('none')}
      </Text>
    );
  return (
    <>
      <ul className={classes.list} aria-label={t('title')}>
        {sessions.map((session) => {
          const { id, user_agent, ip_address, created_date, last_use_date, expires_date, is_current } = session;
          const name = describe(user_agent);
          const Icon = icons[deviceOf(user_agent)?.kind ?? 'program'];
          return (
            <li key={id} className={classes.session}>
              <Icon className={classes.icon!} aria-hidden />
              <div className={classes.text}>
                <Group gap="xs">
                  <span className={classes.name} title={user_agent ?? undefined}>
                    {name}
                  </span>
                  {is_current && <Badge color="green">{t('current')}</Badge>}
                </Group>
                <dl className={classes.facts}>
                  {ip_address !== null && <Fact label={t('address')}>{ip_address}</Fact>}
                  <Fact label={t('lastUse')}>
                    <DateText value={last_use_date} />
                  </Fact>
                  <Fact label={t('since')}>
                    <DateText value={created_date} />
                  </Fact>
                  <Fact label={t('until')}>
                    <DateText value={expires_date} />
                  </Fact>
                </dl>
              </div>
              {!is_current && !isReadOnly && (
                <Tooltip label={t('end')}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="lg"
                    aria-label={t('endOf', { device: name })}
                    disabled={isBusy}
                    onClick={() => void endOne(session)}
                  >
                    <IconLogout className={classes.icon!} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              )}
            </li>
          );
        })}
      </ul>
      {!isReadOnly && (sessions.length > 1 || !hasCurrent) && (
        <div>
          <Button variant="default" size="xs" disabled={isBusy} onClick={() => void endAll()}>
            {t(isOwn || hasCurrent ? 'endOthers' : 'endAll')}
          </Button>
        </div>
      )}
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt> <dd>{children}</dd>
  </div>
);
