// What sends mails: each type of service opens one. And the mail itself, complete and checked.
import { type Failure, fail } from '@sluice/contract';
import { type Address, oneLine } from './address.ts';

export interface Attachment {
  name: string;
  /** Absent: by its name. */
  type?: string | undefined;
  content: Uint8Array;
}

export interface Mail {
  from: Address;
  replyTo?: Address | undefined;
  to: Address[];
  cc: Address[];
  bcc: Address[];
  subject: string;
  text?: string | undefined;
  html?: string | undefined;
  attachments: Attachment[];
}

export interface MailTransport {
  /** Hands a mail over, and answers how many recipients were accepted. Throws failures `mail.*`. */
  send(mail: Mail): Promise<number>;
  /** Connects and signs in, without a mail. */
  verify(): Promise<void>;
  close?(): Promise<void> | void;
}

/** Milliseconds a mail may take, from the connection to the last answer. */
export const sendTimeout = 60_000;
/** Milliseconds to connect, to greet, and without a byte. */
export const connectTimeout = 10_000;
export const idleTimeout = 20_000;

/** The addresses of all recipients, each once. */
export const recipientsOf = ({ to, cc, bcc }: Pick<Mail, 'to' | 'cc' | 'bcc'>): string[] => [
  ...new Set([...to, ...cc, ...bcc].map(({ address }) => address)),
];

const maxText = 500;

/** The words of a transport, short and on one line. Those that hold a secret of the service are not shown. */
export function transportText(text: string, secrets: readonly (string | null | undefined)[] = []): string {
  const forms = secrets.flatMap((secret) => (secret ? [secret, Buffer.from(secret).toString('base64')] : []));
  if (forms.some((form) => text.includes(form))) return 'its answer holds a secret of the service.';
  return oneLine(text).slice(0, maxText);
}

/** The failure of an answer of a transport, by its status: what is 4xx in SMTP and 5xx or 429 in HTTP goes away by itself. */
export const refusal = (text: string, isTemporary: boolean): Failure =>
  isTemporary ? fail('mail.deferred', { text }, { retryAfter: 60 }) : fail('mail.refused', { text });
