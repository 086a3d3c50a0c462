import { Alert, Button, Checkbox, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { apiAddress, apiUrl } from '../api/send.ts';
import { type Credentials, signIn } from '../api/session.ts';
import { useEnvironment } from '../api/session-state.ts';
import { useText } from '../text/index.ts';
import { describeError } from '../ui/describe-error.ts';
import { Waiting } from '../ui/waiting.tsx';
import classes from './login-form.module.css';
import { refusedSignIn } from './refused-sign-in.ts';
import { forgetTyped, whatWasTyped } from './typed-ahead.ts';

interface LoginFormProps {
  /** What stands in the first field to begin with. */
  name?: string;
  /** A message to begin with: why an earlier sign-in failed. */
  problem?: string;
  onSignedIn?: () => void;
  /** Takes a failure over (the overlay leaves, SES-063); absent, the form shows it itself (OPEN-009). */
  onFailed?: (error: unknown) => void;
  /** Other ways in, for who has typed this login; a directory service has its own. */
  links?: (login: string) => ReactNode;
}

/** Who you are: directory, name, password; or a provider. Used by the login page and by the overlay. */
export const LoginForm = ({ name = '', problem = '', onSignedIn, onFailed, links }: LoginFormProps) => {
  const t = useText('session');
  const common = useText('common');
  const { authentication } = useEnvironment();
  const [service, setService] = useState('');
  const [typed] = useState(whatWasTyped);
  const [person, setPerson] = useState(name || (typed?.name ?? ''));
  const [password, setPassword] = useState(typed?.password ?? '');
  const [remember, setRemember] = useState(false);
  const [wasTried, setTried] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const [message, setMessage] = useState(problem);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    forgetTyped();
    if (typed?.hasPasswordFocus) passwordField.current?.focus();
    if (typed?.isSubmitted) form.current?.requestSubmit();
  }, [typed]);

  // Once what was refused is drawn: the field is inert until the overlay has gone.
  useEffect(() => {
    if (refusals > 0) passwordField.current?.focus();
  }, [refusals]);

  const directories = authentication.adldap ?? [];
  const providers = [
    { title: t('login.oauth'), list: authentication.oauth ?? [] },
    { title: t('login.saml'), list: authentication.saml ?? [] },
  ].filter(({ list }) => list.length > 0);
  // SES-028: a directory knows user names, whatever this instance asks for.
  const byUsername = service !== '' || authentication.login_attribute === 'username';

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    setMessage('');
    refusedSignIn.set(null);
    const login = person.trim();
    if (!login) return nameField.current?.focus();
    if (!password) return passwordField.current?.focus();
    setWaiting(true);
    const credentials: Credentials = {
      ...(byUsername ? { username: login } : { email: login }),
      password,
      ...(service && { service }),
      ...(remember && { remember_me: true }),
    };
    try {
      await signIn(credentials);
      onSignedIn?.();
    } catch (error) {
      setWaiting(false);
      if (onFailed) return onFailed(error);
      setMessage(describeError(error).messages.join('\n'));
      setPassword('');
      setTried(false);
      setRefusals((count) => count + 1);
    }
  };

  return (
    <Waiting isWaiting={isWaiting}>
      <Stack gap="md">
        {message && (
          <Alert
            color="red"
            role="alert"
            withCloseButton
            closeButtonLabel={common('dismiss')}
            onClose={() => setMessage('')}
            className={classes.problem!}
          >
            {message}
          </Alert>
        )}
        <form ref={form} onSubmit={submit} noValidate>
          <Stack gap="md">
            {directories.length > 0 && (
              <NativeSelect
                label={t('login.services')}
                value={service}
                onChange={(event) => setService(event.currentTarget.value)}
                data={[
                  { value: '', label: t('login.thisInstance', { host: new URL(apiAddress()).host }) },
                  ...directories.map((directory) => ({ value: directory.name, label: directory.label })),
                ]}
              />
            )}
            <TextInput
              ref={nameField}
              label={t(byUsername ? 'login.username' : 'login.email')}
              placeholder={t(byUsername ? 'login.enterUsername' : 'login.enterEmail')}
              type={byUsername ? 'text' : 'email'}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus={!name}
              data-autofocus={!name || undefined}
              value={person}
              error={wasTried && !person.trim() && t(byUsername ? 'login.needUsername' : 'login.needEmail')}
              onChange={(event) => setPerson(event.currentTarget.value)}
            />
            <PasswordInput
              ref={passwordField}
              label={t('login.password')}
              placeholder={t('login.enterPassword')}
              autoComplete="current-password"
              autoFocus={!!name}
              data-autofocus={!!name || undefined}
              value={password}
              error={wasTried && !password && t('login.needPassword')}
              onChange={(event) => setPassword(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': common('showSecret'), tabIndex: 0 }}
            />
            {authentication.allow_forever_sessions && (
              <Checkbox
                label={t('login.remember')}
                checked={remember}
                onChange={(event) => setRemember(event.currentTarget.checked)}
              />
            )}
            <Button type="submit" fullWidth>
              {t('login.submit')}
            </Button>
            {!service && links?.(person.trim())}
          </Stack>
        </form>
        {providers.map(({ title, list }) => (
          <section key={title} aria-label={title}>
            <Text className={classes.or} component="h2">
              {title}
            </Text>
            <Stack gap="xs">
              {list.map((provider) => (
                <Button
                  key={provider.name}
                  component="a"
                  href={apiUrl(provider.path)}
                  target="_top"
                  variant="default"
                  fullWidth
                >
                  {provider.label}
                </Button>
              ))}
            </Stack>
          </section>
        ))}
      </Stack>
    </Waiting>
  );
};
