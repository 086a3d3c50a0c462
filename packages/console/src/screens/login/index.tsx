import { Anchor, Group, Loader, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { apiAddress } from '../../api/send.ts';
import { completeSignIn, hasPendingSignIn, isForgottenSignIn } from '../../api/session.ts';
import { useEnvironment } from '../../api/session-state.ts';
import { SignedOut } from '../../frame/signed-out.tsx';
import { LoginForm } from '../../session/login-form.tsx';
import { refusedSignIn } from '../../session/refused-sign-in.ts';
import { useText } from '../../text/index.ts';
import { describeError } from '../../ui/describe-error.ts';
import { useStore } from '../../ui/store.ts';
import { draftChanges, listDrafts } from '../../unsaved/drafts.ts';

/** Completes a sign-in that the address brings along; returns whether it is running, and why it failed. */
const useReturningSignIn = () => {
  const t = useText('session');
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
        const isForgotten = isForgottenSignIn(error, search);
        setProblem(isForgotten ? t('login.forgotten') : describeError(error).messages.join('\n'));
        // A token or code is of no more use, and does not belong into the history.
        return navigate('/login', { replace: true });
      })
      .finally(() => setCompleting(false));
  }, [search, navigate, t]);
  return { isCompleting, problem };
};

/** /login: the way in. Where to go then is the guard's business. */
export const LoginScreen = () => {
  const t = useText('session');
  const { authentication } = useEnvironment();
  const { isCompleting, problem } = useReturningSignIn();
  const refused = useStore(refusedSignIn);
  useStore(draftChanges);
  const hasDrafts = refused?.person !== undefined && listDrafts(refused.person).length > 0;
  return (
    <SignedOut title={t('login.title')} hint={t('login.hint', { host: new URL(apiAddress()).host })}>
      {isCompleting ? (
        <div role="status">
          <Loader aria-hidden />
          <Text c="dimmed">{t('login.completing')}</Text>
        </div>
      ) : (
        <>
          <LoginForm
            problem={problem || refused?.message || ''}
            links={(login) => (
              <Group justify="space-between">
                <Anchor component={Link} to="/reset-password" state={{ login }} size="sm">
                  {t('login.forgot')}
                </Anchor>
                {authentication.allow_open_registration && (
                  <Anchor component={Link} to="/register" size="sm">
                    {t('login.register')}
                  </Anchor>
                )}
              </Group>
            )}
          />
          {hasDrafts && (
            <Text c="dimmed" size="sm" role="status">
              {t('login.draftsKept')}
            </Text>
          )}
        </>
      )}
    </SignedOut>
  );
};
