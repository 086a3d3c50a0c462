import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiError, api } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import type { ListedService } from './sources.ts';

type Outcome = 'unknown' | 'running' | 'ok' | ApiError;

/** Asks on request whether a service can be reached, by its stored configuration; nothing is opened for it otherwise. */
export function useReachability({ id }: ListedService) {
  const [outcome, setOutcome] = useState<Outcome>('unknown');
  const check = async () => {
    setOutcome('running');
    try {
      await api.post(`system/service/${id}/_test`, { body: {} });
      setOutcome('ok');
    } catch (error) {
      setOutcome(error instanceof ApiError ? error : new ApiError({ status: 0, code: 0, message: String(error) }));
    }
  };
  return { outcome, check };
}

export const CheckButton = ({ service, outcome, check }: { service: string } & ReturnType<typeof useReachability>) => {
  const t = useText('home');
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={outcome === 'running'}
      onClick={() => void check()}
      aria-label={t('checkService', { service })}
    >
      {t('check')}
    </Button>
  );
};

/** How it went, the driver's words included. */
export const Reachability = ({ outcome }: { outcome: Outcome }) => {
  const t = useText('home');
  return (
    <div role="status">
      {outcome === 'ok' && (
        <Text size="sm" c="var(--s-success)">
          {t('reachable')}
        </Text>
      )}
      {outcome instanceof ApiError && (
        <Text size="sm" c={isUnknownCall(outcome) ? 'dimmed' : 'var(--s-danger)'}>
          {isUnknownCall(outcome) ? t('cannotCheck') : t('unreachable', { reason: reasonOf(outcome) })}
        </Text>
      )}
    </div>
  );
};

/** Other servers of the family have no such address. */
const isUnknownCall = ({ status }: ApiError) => status === 404 || status === 405 || status === 501;

const reasonOf = (error: ApiError) =>
  [...new Set([...error.messages(), ...Object.values(error.fieldMessages()).flat()])].join(' ');
