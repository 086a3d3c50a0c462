import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { forgetSession, signOut } from '../../api/session.ts';
import { Bare } from '../../frame/bare.tsx';
import { useText } from '../../text/index.ts';
import { notify } from '../../ui/notify.ts';
import { usePageTitle } from '../../ui/page-title.ts';

/** /logout: ends the session; the guard then leads to /login (SES-012). A failure keeps the person signed in and says so (SES-093). */
export const LogoutScreen = () => {
  const t = useText('session');
  const common = useText('common');
  const [error, setError] = useState<unknown>(null);
  const hasBegun = useRef(false);
  const leave = useCallback(async () => {
    setError(null);
    try {
      await signOut();
    } catch (failure) {
      notify.error(t('logout.title'), failure);
      setError(failure);
    }
  }, [t]);
  usePageTitle(t('logout.title'));
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void leave();
  }, [leave]);
  return (
    <Bare>
      {error ? (
        <Stack>
          <Title order={1}>{t('logout.failedTitle')}</Title>
          <Text c="dimmed">{t('logout.failedText')}</Text>
          <Alert color="red" role="alert">
            {(error as Error).message}
          </Alert>
          <Group>
            <Button onClick={leave}>{common('retry')}</Button>
            <Button variant="default" onClick={forgetSession}>
              {t('logout.forget')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Group role="status">
          <Loader aria-hidden />
          <Title order={1} size="h3">
            {t('logout.working')}
          </Title>
        </Group>
      )}
    </Bare>
  );
};
