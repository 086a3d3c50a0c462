// A mail server in this process: takes mails, shows them as a reader would, and fails in the ways mail servers do.
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { type KeyPair, selfSigned } from './certificates.ts';

/** A mail as it arrived. */
export interface ReceivedMail {
  /** Of the envelope, whatever the mail itself says. */
  from: string;
  recipients: string[];
  /** The account that signed in. */
  user?: string | undefined;
  isEncrypted: boolean;
  raw: string;
  /** As a mail program reads it. */
  parsed: Email;
}

/** Reads a mail as a mail program does. */
export const parseMail = (raw: string | Uint8Array): Promise<Email> => PostalMime.parse(raw);

/**
 * What the server does with the next mails: `full` has no room (452, or 552 at the end), `refuses` every recipient that
 * `refuse` names, `silent` greets nobody, `slow` waits before it takes the content, `drops` takes it and hangs up without an
 * answer.
 */
export type MailFailure = 'full' | 'over quota' | 'silent' | 'slow' | 'drops' | 'refuses';

export interface MailServerOptions {
  /** Who may sign in; nobody has to when absent. */
  account?: { user: string; password: string };
  /** `tls` offers STARTTLS, `ssl` is encrypted from the first byte. */
  encryption?: 'tls' | 'ssl';
  /** Takes the account without encryption, too. */
  insecureAuth?: boolean;
}

export interface MailServer {
  port: number;
  /** The certificate of the server, which signs itself; for `localhost`. */
  certificate: string;
  mails(): ReceivedMail[];
  /** How often somebody tried to sign in, and how many connections there were. */
  readonly signIns: number;
  readonly connections: number;
  fail(failure: MailFailure | undefined): void;
  /** Waits until so many mails are there. */
  arrived(count: number): Promise<ReceivedMail[]>;
  clear(): void;
  stop(): Promise<void>;
}

interface SmtpError extends Error {
  responseCode?: number;
}

const refusal = (responseCode: number, text: string): SmtpError => Object.assign(new Error(text), { responseCode });

/** Milliseconds a slow server waits. */
const slowness = 3_000;

let pair: KeyPair | undefined;

/** A key and a certificate for `localhost`, made once. */
export function selfSignedPair(): KeyPair {
  pair ??= selfSigned(
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost'],
  );
  return pair;
}

/** Starts a mail server on a free port of `localhost`. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { account, encryption, insecureAuth = true } = options;
  const certificate = encryption ? selfSignedPair() : undefined;
  let mails: ReceivedMail[] = [];
  let failure: MailFailure | undefined;
  let [signIns, connections] = [0, 0];
  const waiting = new Set<() => void>();
  const timers = new Set<NodeJS.Timeout>();

  const take = async (raw: Buffer, session: SMTPServerSession) => {
    const { mailFrom, rcptTo } = session.envelope;
    mails.push({
      from: mailFrom ? mailFrom.address : '',
      recipients: rcptTo.map(({ address }) => address),
      user: session.user as string | undefined,
      isEncrypted: session.secure,
      raw: raw.toString('utf8'),
      parsed: await parseMail(raw),
    });
    for (const wake of waiting) wake();
  };

  const server = new SMTPServer({
    ...(certificate ? { key: certificate.key, cert: certificate.cert } : {}),
    secure: encryption === 'ssl',
    hideSTARTTLS: encryption !== 'tls',
    authOptional: !account,
    allowInsecureAuth: insecureAuth,
    disabledCommands: [...(account ? [] : ['AUTH']), ...(encryption === 'tls' ? [] : ['STARTTLS'])],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onConnect(_session, done) {
      connections += 1;
      // One that greets nobody.
      if (failure !== 'silent') done();
    },
    onAuth({ username, password }, _session, done) {
      signIns += 1;
      if (username === account?.user && password === account?.password) done(null, { user: username });
      else done(refusal(535, '5.7.8 Authentication credentials invalid'));
    },
    onRcptTo({ address }, _session, done) {
      if (failure === 'full') done(refusal(452, '4.3.1 Insufficient system storage'));
      else if (failure === 'refuses' && address.startsWith('refuse')) done(refusal(550, '5.1.1 No such user here'));
      else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (failure === 'over quota') return done(refusal(552, '5.2.2 Mailbox full'));
        if (failure === 'drops') return drop();
        const finish = () => take(Buffer.concat(chunks), session).then(() => done(), done);
        if (failure !== 'slow') return void finish();
        timers.add(setTimeout(finish, slowness));
      });
    },
  });
  const sockets = new Set<Socket>();
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.server.on(encryption === 'ssl' ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));

  return {
    port: (server.server.address() as AddressInfo).port,
    certificate: certificate?.cert ?? '',
    mails: () => mails,
    get signIns() {
      return signIns;
    },
    get connections() {
      return connections;
    },
    fail(next) {
      failure = next;
    },
    async arrived(count) {
      while (mails.length < count)
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      return mails;
    },
    clear() {
      mails = [];
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
