// Amazon SES (version 2 of its API) as a transport. The account of the machine is never used: only the keys of the service.
import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { fail } from '@sluice/contract';
import type { Address } from '../../mail/address.ts';
import { composeMail } from '../../mail/compose.ts';
import {
  connectTimeout,
  idleTimeout,
  type MailTransport,
  recipientsOf,
  refusal,
  sendTimeout,
  transportText,
} from '../../mail/transport.ts';
import { checkRegion } from '../engines/aws.ts';

export interface SesOptions {
  key: string;
  secret: string;
  region: string;
}

/** `endpoint` is where the API is; that of the region when absent. */
export async function openSes({ key, secret, region }: SesOptions, endpoint?: string): Promise<MailTransport> {
  checkRegion(region);
  const { SESv2Client, SendEmailCommand, GetAccountCommand } = await import('@aws-sdk/client-sesv2');
  const client: SESv2Client = new SESv2Client({
    region,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    // A mail whose answer is lost may have been taken: it is not sent twice.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectTimeout, requestTimeout: idleTimeout },
    ...(endpoint ? { endpoint } : {}),
  });
  const options = () => ({ abortSignal: AbortSignal.timeout(sendTimeout) });
  const translate = (error: unknown): never => {
    throw sesFailure(error as SesError, [secret]);
  };
  return {
    async send(mail) {
      const list = (addresses: Address[]) => addresses.map(({ address }) => address);
      const command = new SendEmailCommand({
        Destination: { ToAddresses: list(mail.to), CcAddresses: list(mail.cc), BccAddresses: list(mail.bcc) },
        Content: { Raw: { Data: await composeMail(mail) } },
      });
      await client.send(command, options()).catch(translate);
      return recipientsOf(mail).length;
    },
    async verify() {
      await client.send(new GetAccountCommand({}), options()).catch((error: SesError) => {
        // The keys are good, and may do less than this: they are for sending.
        if (error.name !== 'AccessDeniedException') translate(error);
      });
    },
    close: () => client.destroy(),
  };
}

interface SesError extends Error {
  $metadata?: { httpStatusCode?: number };
}

const badKeys = new Set([
  ...['UnrecognizedClientException', 'InvalidClientTokenId', 'InvalidSignatureException', 'SignatureDoesNotMatch'],
  ...['AccessDeniedException', 'ExpiredTokenException', 'MissingAuthenticationTokenException'],
]);

function sesFailure(error: SesError, secrets: string[]) {
  const status = error.$metadata?.httpStatusCode;
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return fail('mail.unreachable', { text: 'it took too long' }, { cause: error });
  if (status === undefined) return fail('mail.unreachable', { text: 'it can not be reached' }, { cause: error });
  const text = transportText(error.message || error.name, secrets);
  if (badKeys.has(error.name)) return fail('mail.loginRefused', { text });
  return refusal(text, status >= 500 || error.name === 'TooManyRequestsException');
}
