// How the template in the editor looks as a mail, and the mail itself, to oneself. Servers that cannot fill it in show its HTML.
import { Alert, Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck, IconSend } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api, useSession } from '../../api/index.ts';
import { useEditor } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { describeError } from '../../ui/index.ts';
import classes from './config.module.css';
import { Preview } from './preview.tsx';
import { type TemplateForm, toRecord } from './template-record.ts';

interface MailAddress {
  name: string;
  address: string;
}

/** A template filled in (`system/email_template/_preview`). */
interface FilledTemplate {
  from: MailAddress;
  to: MailAddress[];
  subject: string;
  body_text: string | null;
  body_html: string | null;
  unfilled: string[];
}

/** How long typing rests before the server is asked, in milliseconds. */
const askDelay = 350;

/** Servers of others have no such address, or take it for a record's. */
const isUnknownCall = (error: unknown) => error instanceof ApiError && [404, 405, 501].includes(error.status);

const shown = ({ name, address }: MailAddress) => (name === '' ? address : `${name} <${address}>`);

/** The mail as it would arrive at the reader: sender, subject and body, with their own values. */
export function TemplatePreview() {
  const t = useText('config');
  const { form } = useEditor<TemplateForm>();
  const [values] = useDebouncedValue(form.values, askDelay);
  const { data, error } = useQuery({
    queryKey: ['template preview', values],
    queryFn: ({ signal }) =>
      api.post<FilledTemplate>('system/email_template/_preview', { body: toRecord(values), signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
  const html = data && !error ? data.body_html : form.values.body_html;
  const plain = data && !error ? data.body_text : form.values.body_text;
  return (
    <>
      {error && !isUnknownCall(error) ? (
        <Alert color="red" variant="light" p="xs" icon={<IconAlertTriangle aria-hidden />}>
          {describeError(error).messages.join(' ')}
        </Alert>
      ) : null}
      {data && !error ? (
        <dl className={classes.letter}>
          <dt>{t('template.previewFrom')}</dt>
          <dd>{shown(data.from)}</dd>
          <dt>{t('template.subject')}</dt>
          <dd>{data.subject}</dd>
        </dl>
      ) : null}
      {html?.trim() ? <Preview html={html} label={t('template.previewLabel')} /> : null}
      {!html?.trim() && plain?.trim() ? <pre className={classes.plain}>{plain}</pre> : null}
      {!html?.trim() && !plain?.trim() ? <Text c="var(--s-text-soft)">{t('template.previewEmpty')}</Text> : null}
      {data && !error && data.unfilled.length > 0 ? (
        <Text size="sm">{t('template.unfilled', { names: data.unfilled.map((name) => `{${name}}`).join(', ') })}</Text>
      ) : null}
      <Text size="sm" c="var(--s-text-soft)">
        {t(data && !error ? 'template.previewFilled' : 'template.previewHint')}
      </Text>
    </>
  );
}

type Outcome = 'none' | 'running' | { to: string } | { error: unknown };

/** Sends the mail to the administrator who is signed in, and shows what the mail server says. */
export function SendToMe() {
  const t = useText('config');
  const session = useSession();
  const { form } = useEditor<TemplateForm>();
  const [outcome, setOutcome] = useState<Outcome>('none');
  if (session?.is_sys_admin !== true) return null;
  const send = async () => {
    setOutcome('running');
    try {
      setOutcome(await api.post<{ to: string }>('system/email_template/_send', { body: toRecord(form.values) }));
    } catch (error) {
      setOutcome({ error });
    }
  };
  return (
    <div className={classes.send}>
      <Button
        variant="default"
        leftSection={<IconSend size="1.1em" aria-hidden />}
        loading={outcome === 'running'}
        onClick={() => void send()}
      >
        {t('template.send')}
      </Button>
      <div role="status">
        {typeof outcome === 'object' && 'to' in outcome ? (
          <Alert color="green" variant="light" p="xs" icon={<IconCircleCheck aria-hidden />}>
            {t('template.sent', { to: outcome.to })}
          </Alert>
        ) : null}
        {typeof outcome === 'object' && 'error' in outcome ? (
          <Alert
            color="red"
            variant="light"
            p="xs"
            icon={<IconAlertTriangle aria-hidden />}
            title={t('template.notSent')}
          >
            {isUnknownCall(outcome.error) ? t('template.sendUnknown') : describeError(outcome.error).messages.join(' ')}
          </Alert>
        ) : null}
      </div>
    </div>
  );
}
