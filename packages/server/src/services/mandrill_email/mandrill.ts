// The API of Mandrill as a transport.
import { isRecord } from '../../call/payload.ts';
import { composeMail } from '../../mail/compose.ts';
import { type ApiAnswer, apiRefusal, callApi, textOf } from '../../mail/http-api.ts';
import { type MailTransport, recipientsOf } from '../../mail/transport.ts';

const usualBase = 'https://mandrillapp.com';

/** What becomes of a recipient whose mail was taken. */
const taken = new Set(['sent', 'queued', 'scheduled']);

/** `base` is where the API is. */
export function openMandrill({ key }: { key: string }, base: string = usualBase): MailTransport {
  const secrets = [key];
  const call = async (method: string, fields: object): Promise<unknown> => {
    const answer = await callApi({ url: `${base}/api/1.0/${method}.json`, body: { key, ...fields } });
    requireTaken(answer);
    return answer.body;
  };
  /** Errors have the status 500 and a name. */
  const requireTaken = ({ status, body }: ApiAnswer): void => {
    if (status >= 200 && status < 300) return;
    const name = textOf(body, 'name');
    const known =
      name === 'Invalid_Key' ? 401 : /^(ValidationError|PaymentRequired|Unknown_)/.test(name) ? 400 : status;
    throw apiRefusal(known, textOf(body, 'message'), secrets);
  };
  return {
    async send(mail) {
      const body = await call('messages/send-raw', {
        raw_message: (await composeMail(mail)).toString(),
        from_email: mail.from.address,
        from_name: mail.from.name,
        to: recipientsOf(mail),
        async: false,
      });
      const results = Array.isArray(body) ? body.filter(isRecord) : [];
      const accepted = results.filter(({ status }) => taken.has(String(status)));
      if (accepted.length > 0) return accepted.length;
      const reasons = results.map((result) => textOf(result, 'reject_reason') || textOf(result, 'status'));
      throw apiRefusal(400, reasons.join(', '), secrets);
    },
    verify: async () => void (await call('users/ping2', {})),
  };
}
