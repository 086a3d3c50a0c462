// The API of SparkPost as a transport.
import { isRecord } from '../../call/payload.ts';
import { composeMail } from '../../mail/compose.ts';
import { apiRefusal, callApi, requireSuccess, textOf } from '../../mail/http-api.ts';
import { type MailTransport, recipientsOf } from '../../mail/transport.ts';

const usualBase = 'https://api.sparkpost.com';

/** `base` is where the API is. */
export function openSparkpost({ key }: { key: string }, base: string = usualBase): MailTransport {
  const secrets = [key];
  const call = async (body: object) =>
    callApi({ url: `${base}/api/v1/transmissions`, headers: { authorization: key }, body });
  return {
    async send(mail) {
      const recipients = recipientsOf(mail);
      // What readers see as the recipient of every copy.
      const shown = mail.to.map(({ address }) => address).join(', ');
      const answer = await call({
        // Braces in a mail are no placeholders of theirs.
        options: { perform_substitutions: false },
        recipients: recipients.map((email) => ({ address: { email, header_to: shown } })),
        content: { email_rfc822: (await composeMail(mail)).toString() },
      });
      requireSuccess(answer, messagesOf(answer.body), secrets);
      const results = isRecord(answer.body) && isRecord(answer.body.results) ? answer.body.results : {};
      const accepted = results.total_accepted_recipients;
      if (accepted === 0) throw apiRefusal(400, 'all recipients were rejected', secrets);
      return typeof accepted === 'number' ? accepted : recipients.length;
    },
    // A transmission without a recipient is refused once the key is known. Keys may be good for nothing else.
    async verify() {
      const answer = await call({});
      if (answer.status !== 400 && answer.status !== 422) requireSuccess(answer, messagesOf(answer.body), secrets);
    },
  };
}

/** `{"errors":[{"message","description"}]}` */
function messagesOf(body: unknown): string {
  const errors = isRecord(body) && Array.isArray(body.errors) ? body.errors : [];
  return errors
    .map((error) => [textOf(error, 'message'), textOf(error, 'description')].filter(Boolean).join(': '))
    .join('; ');
}
