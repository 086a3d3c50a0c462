import { Alert, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { consoleSettings, forgetInstance, rememberInstance } from '../api/console-settings.ts';
import { ApiError } from '../api/errors.ts';
import { refreshEnvironment } from '../api/session.ts';
import { Bare } from '../frame/bare.tsx';
import { useText } from '../text/index.ts';
import { Waiting } from '../ui/waiting.tsx';

/** Asks a console that no instance serves which one it should talk to. Once a device. */
export const Connect = ({ onConnected }: { onConnected: () => void }) => {
  const t = useText('session');
  const [address, setAddress] = useState(consoleSettings.get().base_url);
  const [key, setKey] = useState('');
  const [wasTried, setTried] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [failure, setFailure] = useState('');
  const isAddress = /^https?:\/\/[^/\s]+/.test(address.trim());
  const connect = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isAddress || !key.trim()) return;
    setWaiting(true);
    setFailure('');
    rememberInstance(address, key);
    try {
      await refreshEnvironment();
      onConnected();
    } catch (error) {
      forgetInstance();
      setFailure(t('connect.failed', { reason: error instanceof ApiError ? error.message : String(error) }));
      setWaiting(false);
    }
  };
  return (
    <Bare>
      <Waiting isWaiting={isWaiting}>
        <form onSubmit={connect} noValidate>
          <Stack>
            <Title order={1}>{t('connect.title')}</Title>
            <Text c="dimmed">{t('connect.text')}</Text>
            {failure && (
              <Alert color="red" role="alert">
                {failure}
              </Alert>
            )}
            <TextInput
              label={t('connect.address')}
              description={t('connect.addressHelp')}
              type="url"
              required
              value={address}
              error={wasTried && !isAddress && t('connect.needAddress')}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
            <TextInput
              label={t('connect.key')}
              description={t('connect.keyHelp')}
              required
              autoComplete="off"
              spellCheck={false}
              value={key}
              error={wasTried && !key.trim() && t('connect.needKey')}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            <Button type="submit" fullWidth>
              {t('connect.submit')}
            </Button>
          </Stack>
        </form>
      </Waiting>
    </Bare>
  );
};
