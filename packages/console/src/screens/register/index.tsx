import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useLocation, useNavigate } from 'react-router';
import { register } from '../../api/account.ts';
import { ApiError } from '../../api/errors.ts';
import { useEnvironment } from '../../api/session-state.ts';
import { SignedOut } from '../../frame/signed-out.tsx';
import { AccountForm } from '../../session/account-form.tsx';
import { isEmail, minPasswordLength } from '../../session/account-rules.ts';
import { useThenSignIn } from '../../session/then-sign-in.ts';
import { text, useText } from '../../text/index.ts';
import { describeError } from '../../ui/describe-error.ts';

/** What the address may fill in; nothing that is not seen in the form, such as the answer to a security question (SES-053). */
const readFields = (search: string) => {
  const params = new URLSearchParams(search);
  const read = (name: string) => params.get(name) ?? '';
  return {
    username: read('username'),
    email: read('email'),
    first_name: read('first_name'),
    last_name: read('last_name'),
    name: read('name'),
  };
};

/** /register: makes an account; where a mail confirms it, the password is chosen by its link (SES-068, SES-069). */
export const RegisterScreen = () => {
  const t = useText('session');
  const common = useText('common');
  const { search } = useLocation();
  const navigate = useNavigate();
  const { login_attribute, open_reg_email_service_id } = useEnvironment().authentication;
  const isByUsername = login_attribute === 'username';
  const isByMail = open_reg_email_service_id !== null && open_reg_email_service_id !== undefined;
  const { isMade, run } = useThenSignIn();
  const form = useForm({
    initialValues: { ...readFields(search), password: '', verify: '' },
    validate: {
      username: (value) => (isByUsername && !value.trim() ? t('account.register.needUsername') : null),
      email: (value) => (isEmail(value) ? null : t('setup.needEmail')),
      first_name: (value) => (value.trim() ? null : t('setup.needFirstName')),
      last_name: (value) => (value.trim() ? null : t('setup.needLastName')),
      password: (value) => (isByMail || value.length >= minPasswordLength ? null : t('setup.shortPassword')),
      // SES-078.
      verify: (value, all) => (isByMail || value === all.password ? null : t('account.register.different')),
    },
  });
  const send = async ({ verify, password, ...fields }: typeof form.values) => {
    const person = { ...fields, email: fields.email.trim(), username: fields.username.trim() };
    if (isByMail) {
      await register(person);
      return navigate('/register-complete');
    }
    await run(() => register({ ...person, new_password: password, verify_password: verify }), {
      ...(isByUsername ? { username: person.username } : { email: person.email }),
      password,
    });
  };
  const describe = (error: unknown) => {
    if (isMade) return [t('account.register.isMade'), ...describeError(error).messages].join('\n');
    return describeRefusal(error);
  };
  const wayOn = () =>
    isMade && (
      <div>
        <Anchor component={Link} to="/login" inherit>
          {t('account.toLogin')}
        </Anchor>
      </div>
    );
  const toggleProps = { 'aria-label': common('showSecret'), tabIndex: 0 };
  return (
    <SignedOut title={t('account.register.title')} {...(isByMail && { hint: t('account.register.hintMail') })}>
      <AccountForm form={form} submitLabel={t('account.register.submit')} send={send} describe={describe} wayOn={wayOn}>
        <TextInput
          label={t('login.email')}
          type="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.getInputProps('email')}
        />
        <TextInput
          label={t('account.register.username')}
          description={t(isByUsername ? 'account.register.usernameRequired' : 'account.register.usernameOptional')}
          required={isByUsername}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <Group grow align="flex-start">
          <TextInput
            label={t('account.register.firstName')}
            required
            autoComplete="given-name"
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label={t('account.register.lastName')}
            required
            autoComplete="family-name"
            {...form.getInputProps('last_name')}
          />
        </Group>
        <TextInput
          label={t('account.register.name')}
          description={t('account.register.nameHelp')}
          autoComplete="name"
          {...form.getInputProps('name')}
        />
        {!isByMail && (
          <>
            <PasswordInput
              label={t('account.register.password')}
              description={t('setup.passwordHelp')}
              required
              autoComplete="new-password"
              visibilityToggleButtonProps={toggleProps}
              {...form.getInputProps('password')}
            />
            <PasswordInput
              label={t('account.register.verify')}
              required
              autoComplete="new-password"
              visibilityToggleButtonProps={toggleProps}
              {...form.getInputProps('verify')}
            />
          </>
        )}
      </AccountForm>
      <Anchor component={Link} to="/login" size="sm">
        {t('account.toLogin')}
      </Anchor>
    </SignedOut>
  );
};

/** SES-092: each field with what was said of it, else what the server said. */
function describeRefusal(error: unknown): string {
  const fields = error instanceof ApiError ? Object.entries(error.fieldMessages()) : [];
  const messages = fields.length
    ? fields.map(([field, said]) => `${field}: ${said.join(' ')}`).join(' ')
    : describeError(error).messages.join(' ');
  // What did not reach the server was not refused.
  if (error instanceof ApiError && error.isUnreachable) return messages;
  return text('session:account.register.failed', { messages });
}

/** /register-complete: a mail is on its way (SES-014). */
export const RegisterCompleteScreen = () => {
  const t = useText('session');
  return (
    <SignedOut title={t('account.registered.title')}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {t('account.registered.thanks')}
        </Title>
        <Text>{t('account.registered.text')}</Text>
      </Stack>
      <Button component={Link} to="/login" autoFocus>
        {t('account.registered.toLogin')}
      </Button>
    </SignedOut>
  );
};
