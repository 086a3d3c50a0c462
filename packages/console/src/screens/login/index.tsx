import { Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useConsoleSettings } from '../../api/console-settings.ts';
import { apiAddress } from '../../api/send.ts';
import { completeSignIn, hasPendingSignIn } from '../../api/session.ts';
import { useEnvironment } from '../../api/session-state.ts';
import { Bare } from '../../frame/bare.tsx';
import { TopLinks } from '../../frame/top-links.tsx';
import { LoginForm } from '../../session/login-form.tsx';
import { refusedSignIn } from '../../session/refused-sign-in.ts';
import { useText } from '../../text/index.ts';
import { describeError } from '../../ui/describe-error.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useStore } from '../../ui/store.ts';
import { draftChanges, listDrafts } from '../../unsaved/drafts.ts';

/** Completes a sign-in that the address brings along; returns whether it is running, and why it failed. */
const useReturningSignIn = () => {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [isCompleting, setCompleting] = useState(() => hasPendingSignIn(search));
  const [problem, setProblem] = useState('');
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current || !hasPendingSignIn(search)) return;
    hasBegun.current = true;
    completeSignIn(search)
      .catch((error: unknown) => {
        setProblem(describeError(error).messages.join('\n'));
        // A token or code is of no more use, and does not belong into the history.
        return navigate('/login', { replace: true });
      })
      .finally(() => setCompleting(false));
  }, [search, navigate]);
  return { isCompleting, problem };
};

/** /login: the way in. Where to go then is the guard's business. */
export const LoginScreen = () => {
  const t = useText('session');
  const common = useText('common');
  const { platform } = useEnvironment();
  const { version } = useConsoleSettings();
  const { isCompleting, problem } = useReturningSignIn();
  const refused = useStore(refusedSignIn);
  useStore(draftChanges);
  const hasDrafts = refused?.person !== undefined && listDrafts(refused.person).length > 0;
  usePageTitle(t('login.title'));
  return (
    <Bare
      links={<TopLinks />}
      footer={
        <>
          <span>
            © {new Date().getFullYear()} {common('product')}
          </span>
          {(version || platform?.version) && <span>v{version || platform?.version}</span>}
        </>
      }
    >
      <Stack gap="md">
        <div>
          <Title order={1}>{t('login.title')}</Title>
          <Text c="dimmed">{t('login.hint', { host: new URL(apiAddress()).host })}</Text>
        </div>
        {isCompleting ? (
          <div role="status">
            <Loader aria-hidden />
            <Text c="dimmed">{t('login.completing')}</Text>
          </div>
        ) : (
          <>
            <LoginForm problem={problem || refused?.message || ''} />
            {hasDrafts && (
              <Text c="dimmed" size="sm" role="status">
                {t('login.draftsKept')}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Bare>
  );
};
