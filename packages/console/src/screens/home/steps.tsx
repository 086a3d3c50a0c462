import { Button, Text, UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { apiAddress, useSession } from '../../api/index.ts';
import { CallCode, encodeSegment, openCreateKey, useMayCreateKeys } from '../../calls/index.ts';
import { useText } from '../../text/index.ts';
import { databaseOf, newestKey, type StepName, stepsOf } from './facts.ts';
import classes from './home.module.css';
import { Panel } from './panel.tsx';
import { useAllServices, useKeyUse, useServiceNames, useServiceUse } from './sources.ts';

const hiddenKey = (person: number | undefined) => `sluice.steps-hidden.${person ?? 'anyone'}`;

/**
 * The way to the first call while it is not gone; absent on servers that do not tell how they are used, when it is
 * complete, and when this person hid it.
 */
export const Steps = () => {
  const t = useText('home');
  const key = hiddenKey(useSession()?.id);
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) === 'yes');
  const types = useServiceNames().data?.service_types;
  const services = useAllServices().data;
  const serviceUse = useServiceUse().data;
  const keyUse = useKeyUse().data;
  const mayCreateKeys = useMayCreateKeys();
  if (isHidden || !types || !services || !serviceUse || !keyUse) return null;
  const steps = stepsOf({ services, types, serviceUse, keyUse });
  if (steps.every(({ isDone }) => isDone)) return null;
  const hide = () => {
    localStorage.setItem(key, 'yes');
    setHidden(true);
  };
  const database = databaseOf(services, types);
  const newest = newestKey(keyUse);
  const addresses: Record<StepName, string> = {
    connect: '/services/create',
    data: database ? `/data/${encodeURIComponent(database.name)}` : '/data',
    key: '/apps/create',
    call: newest ? `/apps/${newest.id}` : '/apps',
  };
  const next = steps.find(({ isDone }) => !isDone)?.name;
  return (
    <Panel
      title={t('steps')}
      text={t('stepsText')}
      actions={
        <Button variant="subtle" onClick={hide}>
          {t('hideSteps')}
        </Button>
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ name, isDone }) => (
          <li
            key={name}
            className={classes.step}
            data-done={isDone || undefined}
            data-next={name === next || undefined}
          >
            <span className={classes.tick}>
              {isDone && <IconCheck role="img" className={classes.icon} aria-label={t('done')} />}
            </span>
            <div className={classes.name}>
              {name === 'key' && mayCreateKeys ? (
                <UnstyledButton
                  className={classes.rowLink}
                  onClick={() => void openCreateKey({ service: database?.name })}
                >
                  {t('step.key')}
                </UnstyledButton>
              ) : (
                <Link to={addresses[name]} className={classes.rowLink}>
                  {t(`step.${name}`)}
                </Link>
              )}
              <Text size="sm" c="dimmed">
                {t(`stepText.${name}`)}
              </Text>
              {name === 'call' && next === 'call' && database && (
                <div className={classes.stepCall}>
                  <CallCode
                    call={{
                      address: `${apiAddress()}/${encodeSegment(database.name)}/_table`,
                      credential: { apiKey: t('yourKey') },
                    }}
                  />
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
