// The API of Mailgun as a transport.
import { fail } from '@sluice/contract';
import { composeMail } from '../../mail/compose.ts';
import { callApi, requireSuccess, textOf } from '../../mail/http-api.ts';
import { type MailTransport, recipientsOf } from '../../mail/transport.ts';

const bases = { us: 'https://api.mailgun.net', eu: 'https://api.eu.mailgun.net' };

export interface MailgunOptions {
  domain: string;
  key: string;
  region: keyof typeof bases;
}

/** The domain becomes a part of an address. */
export function checkDomain(domain: string): void {
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(domain.trim()) && !domain.includes('..')) return;
  const message = 'The domain must be the name of a domain.';
  throw fail('record.invalid', { messages: [message] }, { context: { domain: [message] } });
}

/** `base` is where the API is. */
export function openMailgun({ domain, key, region }: MailgunOptions, base: string = bases[region]): MailTransport {
  checkDomain(domain);
  const secrets = [key];
  const call = async (body: FormData) =>
    callApi({
      url: `${base}/v3/${domain}/messages.mime`,
      headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
      body,
    });
  return {
    async send(mail) {
      const recipients = recipientsOf(mail);
      const form = new FormData();
      // Of the envelope: the mail itself says what its readers see. No address has a comma.
      form.set('to', recipients.join(','));
      form.set('message', new Blob([await composeMail(mail)], { type: 'message/rfc822' }), 'message.mime');
      const answer = await call(form);
      requireSuccess(answer, textOf(answer.body, 'message'), secrets);
      return recipients.length;
    },
    // A call without a recipient is refused with a 400 once key and domain are known. Keys of a domain may do nothing else.
    async verify() {
      const form = new FormData();
      form.set('o:testmode', 'yes');
      const answer = await call(form);
      if (answer.status !== 400) requireSuccess(answer, textOf(answer.body, 'message'), secrets);
    },
  };
}
