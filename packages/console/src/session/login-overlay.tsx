import { Anchor, Modal, Stack, Text } from '@mantine/core';
import { closeGate, gate } from '../api/renewal.ts';
import { forgetSession } from '../api/session.ts';
import { currentSession, useEnvironment, useSession } from '../api/session-state.ts';
import { useText } from '../text/index.ts';
import { describeError } from '../ui/describe-error.ts';
import { notify } from '../ui/notify.ts';
import { useStore } from '../ui/store.ts';
import { landingPage } from './guards.ts';
import { LoginForm } from './login-form.tsx';
import { refusedSignIn } from './refused-sign-in.ts';

interface LoginOverlayProps {
  /** To another page; the overlay lies above the pages, so they are led from outside. */
  navigate: (to: string) => Promise<void>;
}

/** Over a page whose session ended: sign in and go on (SES-036). A failed sign-in leaves through /logout (SES-063). */
export const LoginOverlay = ({ navigate }: LoginOverlayProps) => {
  const t = useText('session');
  const common = useText('common');
  const open = useStore(gate);
  const session = useSession();
  const { authentication } = useEnvironment();

  const person = session?.id;
  const leave = async () => {
    await forgetSession();
    // What waited is given up on purpose: nobody needs to be told of each call.
    closeGate(new DOMException(common('cancel'), 'AbortError'));
    await navigate('/logout');
  };
  const onFailed = async (error: unknown) => {
    refusedSignIn.set({ message: describeError(error).messages.join('\n'), person });
    await leave();
  };
  const onSignedIn = () => {
    closeGate();
    const current = currentSession();
    if (!current || current.id === person) return;
    notify.info(t('login.otherPerson'));
    void navigate(landingPage({ session: current, environment: { apps: [], authentication }, isSetupNeeded: false }));
  };

  return (
    <Modal
      opened={open !== null}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('login.expiredTitle')}
      size="sm"
      zIndex="var(--mantine-z-index-overlay)"
    >
      <Stack gap="md">
        <Text c="dimmed">{t('login.expiredText')}</Text>
        <LoginForm
          name={authentication.login_attribute === 'email' ? (session?.email ?? '') : ''}
          onSignedIn={onSignedIn}
          onFailed={onFailed}
        />
        <Anchor component="button" type="button" ta="center" size="sm" onClick={leave}>
          {t('login.signOutInstead')}
        </Anchor>
      </Stack>
    </Modal>
  );
};
