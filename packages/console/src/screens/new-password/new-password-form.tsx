import { Anchor, PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../../api/errors.ts';
import { useEnvironment } from '../../api/session-state.ts';
import { AccountForm } from '../../session/account-form.tsx';
import { minPasswordLength } from '../../session/account-rules.ts';
import { useThenSignIn } from '../../session/then-sign-in.ts';
import { useText } from '../../text/index.ts';
import { describeError } from '../../ui/describe-error.ts';
import { notify } from '../../ui/notify.ts';

/** What proves whose account it is: the code of a mail, or the answer to their question. */
export type Proof = { code: string } | { question: string };

export interface NewPassword {
  login: string;
  /** The code or the answer. */
  proof: string;
  password: string;
}

interface NewPasswordFormProps {
  login: string;
  proof: Proof;
  submitLabel: string;
  /** What to say once the person is signed in. */
  done: string;
  setPassword: (values: NewPassword) => Promise<void>;
  /** The way to a new code. */
  newMail?: ReactNode;
}

/** Sets a password and signs in with it (SES-070). */
export function NewPasswordForm({ login, proof, submitLabel, done, setPassword, newMail }: NewPasswordFormProps) {
  const t = useText('session');
  const common = useText('common');
  const isByUsername = useEnvironment().authentication.login_attribute === 'username';
  const { isMade: isSet, run } = useThenSignIn();
  const isByCode = 'code' in proof;
  const hasLink = isByCode && proof.code !== '' && login !== '';
  const [isCodeShown, setCodeShown] = useState(isByCode && proof.code === '');
  const form = useForm({
    initialValues: { login, proof: isByCode ? proof.code : '', password: '', verify: '' },
    validate: {
      login: (value) => (value.trim() ? null : t(isByUsername ? 'login.needUsername' : 'login.needEmail')),
      proof: (value) => (value.trim() ? null : t(isByCode ? 'account.needCode' : 'account.question.needAnswer')),
      password: (value) => (value.length >= minPasswordLength ? null : t('setup.shortPassword')),
      verify: (value, all) => (value === all.password ? null : t('setup.different')),
    },
  });
  const send = async (values: typeof form.values) => {
    const person = values.login.trim();
    const given = { login: person, proof: isByCode ? values.proof.trim() : values.proof, password: values.password };
    try {
      await run(() => setPassword(given), {
        ...(isByUsername ? { username: person } : { email: person }),
        password: values.password,
      });
    } catch (error) {
      if (isByCode && isAboutProof(error)) setCodeShown(true);
      throw error;
    }
    notify.success(done);
  };
  const describe = (error: unknown) => {
    const { messages } = describeError(error);
    return (isSet ? [t('account.isSet'), ...messages] : messages).join('\n');
  };
  const wayOn = (error: unknown) => {
    const way = isSet ? (
      <Anchor component={Link} to="/login" inherit>
        {t('account.toLogin')}
      </Anchor>
    ) : (
      isAboutProof(error) && newMail
    );
    return way && <div>{way}</div>;
  };
  const toggleProps = { 'aria-label': common('showSecret'), tabIndex: 0 };
  return (
    <AccountForm form={form} submitLabel={submitLabel} send={send} describe={describe} wayOn={wayOn}>
      {!isByCode && <Text fw={500}>{proof.question}</Text>}
      <TextInput
        label={t(isByUsername ? 'login.username' : 'login.email')}
        type={isByUsername ? 'text' : 'email'}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={!isByCode}
        autoFocus={login === ''}
        {...form.getInputProps('login')}
      />
      {!isByCode && (
        <TextInput label={t('account.question.answer')} autoComplete="off" autoFocus {...form.getInputProps('proof')} />
      )}
      {isCodeShown && (
        <TextInput
          label={t('account.code')}
          description={t('account.codeHelp')}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={login !== ''}
          {...form.getInputProps('proof')}
        />
      )}
      <PasswordInput
        label={t('account.password')}
        description={t('setup.passwordHelp')}
        autoComplete="new-password"
        autoFocus={hasLink}
        visibilityToggleButtonProps={toggleProps}
        {...form.getInputProps('password')}
      />
      <PasswordInput
        label={t('account.verify')}
        autoComplete="new-password"
        visibilityToggleButtonProps={toggleProps}
        {...form.getInputProps('verify')}
      />
    </AccountForm>
  );
}

/** Whether the code is what was refused: too old, used, or of somebody else. */
const isAboutProof = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 400 || error.status === 404) &&
  Object.keys(error.fieldMessages()).length === 0;
