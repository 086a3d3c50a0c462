// Connections to an FTP server. Each does one thing at a time, so there are a few of them; calls beyond them wait. One whose
// state is unclear is closed and replaced, an unused one is closed after a while.
import { isIP } from 'node:net';
import { Failure, fail } from '@sluice/contract';
import type { Client } from 'basic-ftp';
import { networkFailure } from '../../storage/network.ts';
import { serverText, withinTime } from '../../storage/remote.ts';

export interface FtpServer {
  host: string;
  port: number;
  username: string;
  password: string;
  /** The connection is encrypted before the login is sent (AUTH TLS), and so are its transfers. */
  isSecure: boolean;
  /** Seconds that the server may take for an answer. */
  timeout: number;
}

export interface FtpConnection {
  client: Client;
  /** The server describes files for programs (MLST, MLSD), with dates in UTC. */
  hasFacts: boolean;
  /** Waits for one answer, and gives the connection up when none comes. */
  ask<T>(answer: Promise<T>): Promise<T>;
}

/** Connections to one server at once, and milliseconds after which an unused one is closed. */
const maxConnections = 5;
const idleLimit = 30_000;
/** Most seconds to connect and sign in. */
const connectLimit = 30;

interface Waiter {
  proceed(): void;
}

/** Connections to a server. `prepare` runs once over each new one, before any other. */
export function createConnections(server: FtpServer, prepare: (connection: FtpConnection) => Promise<void>) {
  const idle: { connection: FtpConnection; timer: NodeJS.Timeout }[] = [];
  const open = new Set<FtpConnection>();
  const waiting: Waiter[] = [];
  let count = 0;
  let isClosed = false;

  const acquireSlot = async (): Promise<void> => {
    if (count < maxConnections) {
      count += 1;
      return;
    }
    let waiter: Waiter | undefined;
    const turn = new Promise<void>((resolve) => {
      waiter = { proceed: resolve };
      waiting.push(waiter);
    });
    await withinTime(server.timeout, turn, () => {
      const at = waiting.indexOf(waiter as Waiter);
      if (at >= 0) waiting.splice(at, 1);
    });
  };
  const releaseSlot = () => {
    const next = waiting.shift();
    if (next) next.proceed();
    else count -= 1;
  };

  const take = async (): Promise<FtpConnection> => {
    for (let entry = idle.pop(); entry; entry = idle.pop()) {
      clearTimeout(entry.timer);
      if (!entry.connection.client.closed) return entry.connection;
      open.delete(entry.connection);
    }
    const connection = await connect(server);
    try {
      await prepare(connection);
    } catch (error) {
      connection.client.close();
      throw error;
    }
    open.add(connection);
    return connection;
  };
  const giveBack = (connection: FtpConnection) => {
    if (isClosed) connection.client.close();
    if (connection.client.closed) return void open.delete(connection);
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.connection === connection),
        1,
      );
      open.delete(connection);
      connection.client.close();
    }, idleLimit);
    idle.push({ connection, timer: timer.unref() });
  };

  return {
    /** Runs something over a connection of its own. */
    async use<T>(run: (connection: FtpConnection) => Promise<T>): Promise<T> {
      if (isClosed) throw fail('file.unreachable', { text: 'the service was closed' });
      await acquireSlot();
      try {
        const connection = await take();
        try {
          return await run(connection);
        } catch (error) {
          // After a refusal of the server the connection can go on; after anything else nobody knows what comes next.
          if (!(error instanceof Failure) && !isRefusal(error)) connection.client.close();
          throw error;
        } finally {
          giveBack(connection);
        }
      } finally {
        releaseSlot();
      }
    },
    close() {
      isClosed = true;
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      for (const { client } of open) client.close();
    },
  };
}

/** An answer of the server that refuses a command. */
export const isRefusal = (error: unknown): error is Error & { code: number } =>
  error instanceof Error && error.name === 'FTPError' && (error as { code?: number }).code !== 421;

async function connect({ host, port, username, password, isSecure, timeout }: FtpServer): Promise<FtpConnection> {
  const { Client } = await import('basic-ftp');
  const seconds = Math.min(timeout, connectLimit);
  const client = new Client(timeout * 1000);
  const stop = () => client.close();
  let step = 'connect';
  try {
    const features = await withinTime(
      seconds,
      (async () => {
        await client.connect(host, port);
        step = 'secure';
        if (isSecure) await client.useTLS({ host, ...(isIP(host) ? {} : { servername: host }) });
        await client.sendIgnoringError('OPTS UTF8 ON');
        step = 'login';
        await client.login(username || 'anonymous', password || (username ? '' : 'guest'));
        step = 'set up';
        await client.useDefaultSettings();
        return client.features();
      })(),
      stop,
    );
    const ask = <T>(answer: Promise<T>): Promise<T> => withinTime(timeout, answer, stop);
    return { client, hasFacts: features.has('MLST'), ask };
  } catch (error) {
    stop();
    if (step === 'secure' && isRefusal(error))
      throw fail('file.unreachable', { text: 'it offers no TLS' }, { cause: error });
    if (step === 'login' && isRefusal(error))
      throw fail('file.loginRefused', { text: 'user name or password are not accepted' }, { cause: error });
    throw (
      connectionFailure(error as Error, seconds) ??
      fail('file.unreachable', { text: serverText((error as Error).message) }, { cause: error })
    );
  }
}

/** Why a connection failed; undefined for other errors. */
export function connectionFailure(error: Error & { code?: unknown }, seconds: number): Error | undefined {
  if (error instanceof Failure) return error;
  const failure = networkFailure(error);
  if (failure) return failure;
  const { message } = error;
  if (/^Timeout/.test(message)) return fail('file.timeout', { seconds }, { cause: error });
  if (/certificate|self.signed|altname|SSL|TLS/i.test(`${String(error.code)} ${message}`))
    return fail(
      'file.unreachable',
      { text: `its certificate is not accepted, ${serverText(message)}` },
      { cause: error },
    );
  if (/FIN packet|closed|disconnected|^421/i.test(message))
    return fail('file.unreachable', { text: 'it broke off the connection' }, { cause: error });
  if (/data connection|PASV|EPSV/i.test(message))
    return fail('file.unreachable', { text: 'its data connections cannot be opened' }, { cause: error });
  return undefined;
}
