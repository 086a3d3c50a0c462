import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { type FirstAdmin, setUp } from '../../api/session.ts';
import { Bare } from '../../frame/bare.tsx';
import { isEmail, minPasswordLength } from '../../session/account-rules.ts';
import { useText } from '../../text/index.ts';
import { describeError } from '../../ui/describe-error.ts';
import { leadToError } from '../../ui/lead-to-error.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { Waiting } from '../../ui/waiting.tsx';

/** /setup: the first administrator, made with the one-time code of the terminal. Only there while nobody is. */
export const SetupScreen = () => {
  const t = useText('session');
  const common = useText('common');
  const [isWaiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<{ message: string; isGone: boolean; isAboutFields: boolean } | null>(null);
  const formRef = useRef<HTMLFormElement>(null);
  usePageTitle(t('setup.title'));
  const form = useForm<FirstAdmin & { verify: string }>({
    initialValues: { code: '', first_name: '', last_name: '', email: '', password: '', verify: '' },
    validate: {
      code: (value) => (value.trim() ? null : t('setup.needCode')),
      first_name: (value) => (value.trim() ? null : t('setup.needFirstName')),
      last_name: (value) => (value.trim() ? null : t('setup.needLastName')),
      email: (value) => (isEmail(value) ? null : t('setup.needEmail')),
      password: (value) => (value.length >= minPasswordLength ? null : t('setup.shortPassword')),
      verify: (value, all) => (value === all.password ? null : t('setup.different')),
    },
  });
  const submit = form.onSubmit(
    async ({ verify: _verify, ...admin }) => {
      setWaiting(true);
      setProblem(null);
      try {
        await setUp({ ...admin, code: admin.code.trim(), email: admin.email.trim() });
      } catch (error) {
        const fields = error instanceof ApiError ? error.fieldMessages() : {};
        for (const [name, messages] of Object.entries(fields)) form.setFieldError(name, messages.join(' '));
        setProblem({
          message: describeError(error).messages.join('\n'),
          isGone: error instanceof ApiError && error.status === 404,
          isAboutFields: Object.keys(fields).length > 0,
        });
        setWaiting(false);
        leadToError(() => formRef.current);
      }
    },
    () => leadToError(() => formRef.current),
  );
  // What was refused about fields goes with the last of their errors.
  const isMended = problem?.isAboutFields && Object.keys(form.errors).length === 0;
  const toggleProps = { 'aria-label': common('showSecret'), tabIndex: 0 };
  return (
    <Bare>
      <Waiting isWaiting={isWaiting}>
        <form ref={formRef} onSubmit={submit} noValidate>
          <Stack>
            <div>
              <Title order={1}>{t('setup.title')}</Title>
              <Text c="dimmed">{t('setup.text')}</Text>
            </div>
            {problem && !isMended && (
              <Alert color="red" role="alert">
                {problem.isGone ? t('setup.gone') : problem.message}
                {problem.isGone && (
                  <Button mt="sm" variant="default" onClick={() => window.location.assign('/login')}>
                    {t('setup.toLogin')}
                  </Button>
                )}
              </Alert>
            )}
            <TextInput
              label={t('setup.code')}
              description={t('setup.codeHelp')}
              autoComplete="off"
              spellCheck={false}
              autoFocus
              {...form.getInputProps('code')}
            />
            <Group grow align="flex-start">
              <TextInput label={t('setup.firstName')} autoComplete="given-name" {...form.getInputProps('first_name')} />
              <TextInput label={t('setup.lastName')} autoComplete="family-name" {...form.getInputProps('last_name')} />
            </Group>
            <TextInput label={t('setup.email')} type="email" autoComplete="username" {...form.getInputProps('email')} />
            <PasswordInput
              label={t('setup.password')}
              description={t('setup.passwordHelp')}
              autoComplete="new-password"
              visibilityToggleButtonProps={toggleProps}
              {...form.getInputProps('password')}
            />
            <PasswordInput
              label={t('setup.verify')}
              autoComplete="new-password"
              visibilityToggleButtonProps={toggleProps}
              {...form.getInputProps('verify')}
            />
            <Button type="submit" fullWidth>
              {t('setup.submit')}
            </Button>
          </Stack>
        </form>
      </Waiting>
    </Bare>
  );
};
