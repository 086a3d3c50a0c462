// Mails by SMTP (nodemailer): over the network, or to a program that speaks it.
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure, fail } from '@sluice/contract';
import type { Transporter } from 'nodemailer';
import { composerOptions } from './compose.ts';
import {
  connectTimeout,
  idleTimeout,
  type MailTransport,
  recipientsOf,
  refusal,
  sendTimeout,
  transportText,
} from './transport.ts';

/** Connections of one service at once. */
export const maxConnections = 3;

/** How the connection is encrypted: before the first byte, before anything but the greeting, or where the server offers it. */
export type Encryption = 'ssl' | 'tls' | 'opportunistic' | 'none';

export interface SmtpOptions {
  host: string;
  port: number;
  encryption: Encryption;
  user?: string | undefined;
  password?: string | undefined;
  /** Authorities that are trusted beside the usual ones' place, as PEM text. */
  ca?: string | undefined;
  /** Opens what speaks SMTP in place of a connection to the host; called for each mail. */
  openSocket?(): Promise<Duplex>;
  timeouts?: { connect?: number; idle?: number; send?: number };
}

/** Opens a transport; nothing connects before the first mail. */
export async function openSmtp(options: SmtpOptions): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const { openSocket, timeouts = {} } = options;
  const settings = connectionOptions(options);
  const transporter: Transporter<{ accepted: unknown[] }> = createTransport({
    ...settings,
    ...(openSocket
      ? { getSocket: socketGetter(openSocket) }
      : { pool: true, maxConnections, maxMessages: 100, maxRequeues: 1 }),
  } as never);
  const translate = (error: unknown): never => {
    throw smtpFailure(error as SmtpError, options);
  };
  return {
    async send(mail) {
      const signal = AbortSignal.timeout(timeouts.send ?? sendTimeout);
      const envelope = { from: mail.from.address, to: recipientsOf(mail) };
      const sending = transporter.sendMail({ ...composerOptions(mail), envelope, signal } as never);
      return (await sending.catch(translate)).accepted.length;
    },
    async verify() {
      await transporter.verify().catch(translate);
    },
    close: () => transporter.close(),
  };
}

/** Opens a socket in the way of the library. */
const socketGetter =
  (openSocket: () => Promise<Duplex>) => (_options: unknown, done: (error: unknown, socket?: object) => void) => {
    openSocket().then((connection) => done(null, { connection }), done);
  };

function connectionOptions({ host, port, encryption, user, password, ca, timeouts = {} }: SmtpOptions) {
  const connect = timeouts.connect ?? connectTimeout;
  return {
    host,
    port,
    secure: encryption === 'ssl',
    requireTLS: encryption === 'tls',
    ignoreTLS: encryption === 'none',
    // Encryption that an attacker could switch off needs no certificate: it keeps out those who only listen.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: encryption !== 'opportunistic', ...(ca ? { ca } : {}) },
    ...(user ? { auth: { user, pass: password ?? '' } } : {}),
    connectionTimeout: connect,
    greetingTimeout: connect,
    dnsTimeout: connect,
    socketTimeout: timeouts.idle ?? idleTimeout,
    socketCloseTimeout: 1_000,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const;
}

interface SmtpError extends Error {
  code?: string;
  response?: string;
  responseCode?: number;
  /** The code of the socket, where `code` is the library's. */
  originalCode?: string;
  /** Of an error of TLS, in words. */
  reason?: string;
}

/** What the system says of a host that is not there; its own words would show its address. */
const systemTexts = new Map([
  ['ECONNREFUSED', 'it refused the connection'],
  ['ECONNRESET', 'it reset the connection'],
  ['EDNS', 'it has an unknown host'],
  ['ENOTFOUND', 'it has an unknown host'],
  ['EHOSTUNREACH', 'it can not be reached'],
  ['ENETUNREACH', 'it can not be reached'],
  ['EABORT', 'it took too long'],
]);

function smtpFailure(error: SmtpError, { password, host }: SmtpOptions): Failure {
  if (error instanceof Failure) return error;
  const { code = '', originalCode = code, response, responseCode = 0, reason, message } = error;
  const known = systemTexts.get(originalCode) ?? systemTexts.get(code);
  const text = known ?? transportText(response || reason || withoutAddress(message, host), [password]);
  const options = { cause: error };
  if (known) return fail('mail.unreachable', { text }, options);
  if (code === 'ETLS' || code === 'EREQUIRETLS' || /CERT|TLS|SSL|UNABLE_TO/.test(originalCode))
    return fail('mail.notEncrypted', { text }, options);
  if (responseCode >= 400 && responseCode < 500 && code !== 'EAUTH') return refusal(text, true);
  if (code === 'EAUTH' || code === 'ENOAUTH') return fail('mail.loginRefused', { text }, options);
  if (responseCode >= 500 || code === 'EENVELOPE' || code === 'EMESSAGE') return refusal(text, false);
  return fail('mail.unreachable', { text }, options);
}

/** A message without the address of the server, which callers need not know. */
const withoutAddress = (message: string, host: string): string =>
  message
    .split(/\s+/)
    .filter((word) => word !== host && !isIP(word.replace(/:\d+$/, '').replace(/[[\]]/g, '')))
    .join(' ');
