import { Alert, Anchor, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link } from 'react-router';
import { requestReset } from '../../api/account.ts';
import { useEnvironment } from '../../api/session-state.ts';
import { SignedOut } from '../../frame/signed-out.tsx';
import { AccountForm } from '../../session/account-form.tsx';
import { useText } from '../../text/index.ts';

interface RequestFormProps {
  /** What stands in the field to begin with. */
  login: string;
  /** They have a security question: no mail is sent. */
  onQuestion: (question: string, login: string) => void;
  /** They want to type the code of a mail. */
  onHasCode: (login: string) => void;
}

/** Who has forgotten their password asks for a mail with a link (SES-029). */
export function RequestForm({ login, onQuestion, onHasCode }: RequestFormProps) {
  const t = useText('session');
  const [isSent, setSent] = useState(false);
  const isByUsername = useEnvironment().authentication.login_attribute === 'username';
  const form = useForm({
    initialValues: { login },
    validate: { login: (value) => (value.trim() ? null : t(isByUsername ? 'login.needUsername' : 'login.needEmail')) },
  });
  const send = async (values: { login: string }) => {
    const person = values.login.trim();
    const question = await requestReset(isByUsername ? { username: person } : { email: person });
    if (question) onQuestion(question, person);
    else setSent(true);
  };
  return (
    <SignedOut
      title={t('account.request.title')}
      {...(!isSent && { hint: t(isByUsername ? 'account.request.hintUsername' : 'account.request.hintEmail') })}
    >
      {isSent ? (
        <Stack gap="xs">
          <Alert color="green" role="status">
            {t('account.request.sent')}
          </Alert>
          <Text c="dimmed" size="sm">
            {t('account.request.sentHint')}{' '}
            <Anchor component="button" type="button" inherit autoFocus onClick={() => setSent(false)}>
              {t('account.request.again')}
            </Anchor>
          </Text>
        </Stack>
      ) : (
        <AccountForm form={form} submitLabel={t('account.request.submit')} send={send}>
          <TextInput
            label={t(isByUsername ? 'login.username' : 'login.email')}
            type={isByUsername ? 'text' : 'email'}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            {...form.getInputProps('login')}
          />
        </AccountForm>
      )}
      <Group justify="space-between">
        <Anchor component={Link} to="/login" size="sm">
          {t('account.toLogin')}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => onHasCode(form.values.login.trim())}>
          {t('account.request.haveCode')}
        </Anchor>
      </Group>
    </SignedOut>
  );
}
