import { Alert, Button, Checkbox, Group, PasswordInput, Text } from '@mantine/core';
import { IconAlertTriangle, IconMail } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api/index.ts';
import { Section, useEditor } from '../../editor/index.ts';
import { resourceKey } from '../../list/index.ts';
import { serverText, useText } from '../../text/index.ts';
import { DateText } from '../../ui/index.ts';
import { sendInvite } from './invite.ts';
import classes from './people.module.css';
import { type PeopleKind, type PersonForm, registrationOf } from './person.ts';

/** How someone signs in: new ones are invited or get a password; of others, where their registration stands (OPEN-087, OPEN-088). */
export function SignInSection({ kind }: { kind: PeopleKind }) {
  const t = useText('people');
  const { form, isNew, isReadOnly, id } = useEditor<PersonForm>();
  const isMe = id === String(useSession()?.id);
  const { sendInvite: isInvited, setPassword, password, verify } = form.values;
  const changeOption = (changes: Partial<PersonForm>) => {
    // What was said of one of the two no longer holds once either is changed.
    for (const field of ['sendInvite', 'password', 'verify']) form.clearFieldError(field);
    form.setValues(changes);
  };
  const changePassword = (changes: Partial<PersonForm>) => {
    for (const field of ['password', 'verify']) form.clearFieldError(field);
    form.setValues(changes);
  };
  return (
    <Section title={t('signIn.title')} text={t(isNew ? 'signIn.createHint' : 'signIn.editHint')}>
      {isNew ? (
        <Checkbox
          label={t('signIn.invite')}
          description={t('signIn.inviteHint')}
          error={form.errors.sendInvite}
          checked={isInvited}
          disabled={isReadOnly}
          onChange={(event) => changeOption({ sendInvite: event.currentTarget.checked })}
        />
      ) : (
        <Registration kind={kind} />
      )}
      <Checkbox
        label={t('signIn.setPassword')}
        description={isNew ? undefined : t(isMe ? 'signIn.setPasswordSelf' : 'signIn.setPasswordHint')}
        checked={setPassword}
        disabled={isReadOnly}
        onChange={(event) => changeOption({ setPassword: event.currentTarget.checked, password: '', verify: '' })}
      />
      {setPassword ? (
        <>
          <PasswordInput
            label={t('signIn.password')}
            required
            autoComplete="new-password"
            error={form.errors.password}
            aria-invalid={Boolean(form.errors.password)}
            value={password}
            onChange={(event) => changePassword({ password: event.currentTarget.value })}
          />
          <PasswordInput
            label={t('signIn.verify')}
            required
            autoComplete="new-password"
            error={form.errors.verify}
            aria-invalid={Boolean(form.errors.verify)}
            value={verify}
            onChange={(event) => changePassword({ verify: event.currentTarget.value })}
          />
        </>
      ) : null}
    </Section>
  );
}

/** Whether the address is confirmed, why their last mail did not go out, and the button that invites again (PPL-023). */
function Registration({ kind }: { kind: PeopleKind }) {
  const t = useText('people');
  const client = useQueryClient();
  const { record } = useEditor<PersonForm>();
  const [isSending, setSending] = useState(false);
  const invite = async () => {
    setSending(true);
    const isSent = await sendInvite(kind, Number(record?.id));
    setSending(false);
    if (isSent) await client.invalidateQueries({ queryKey: resourceKey(kind) });
  };
  const mailError = typeof record?.mail_error === 'string' ? record.mail_error : '';
  const sendButton = record?.confirmed !== true && (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconMail size="1.1em" aria-hidden />}
      loading={isSending}
      onClick={() => void invite()}
    >
      {t(mailError ? 'sendAgain' : 'sendInvite')}
    </Button>
  );
  return (
    <>
      {mailError && (
        <Alert variant="light" color="red" p="xs" icon={<IconAlertTriangle aria-hidden />} role="status">
          <Text size="sm">{t('signIn.mailFailed', { reason: serverText(mailError) })}</Text>
          {sendButton}
        </Alert>
      )}
      <dl className={classes.facts}>
        <dt>{t('signIn.registration')}</dt>
        <dd>
          <Group gap="sm">
            <Text span size="sm">
              {t(`registration.${registrationOf(record ?? {})}`)}
            </Text>
            {!mailError && sendButton}
          </Group>
        </dd>
        <dt>{t('signIn.last')}</dt>
        <dd>
          <DateText value={record?.last_login_date as string | null} emptyText={t('signIn.never')} />
        </dd>
      </dl>
    </>
  );
}
