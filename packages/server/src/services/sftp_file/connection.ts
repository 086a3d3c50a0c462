// The connection to an SFTP server. One carries all calls of a service, since SFTP answers many requests at once; it is
// opened by the first call, closed when none has needed it for a while, and replaced when it died or did not answer.
import { connect as connectTcp } from 'node:net';
import { fail } from '@sluice/contract';
import type { SFTPWrapper } from 'ssh2';
import { networkFailure } from '../../storage/network.ts';
import { serverText, withinTime } from '../../storage/remote.ts';
import { fingerprintOf, matchesFingerprint } from './fingerprint.ts';

export interface SftpServer {
  host: string;
  port: number;
  username: string;
  password: string;
  /** A text; its passphrase is the password. */
  privateKey: string | undefined;
  fingerprint: string | undefined;
  /** Seconds that a server may take for an answer. */
  timeout: number;
}

/** Milliseconds after which an unused connection is closed. */
const idleLimit = 60_000;
/** Most seconds to connect and sign in. */
const connectLimit = 30;

/** What is done over a connection: `ask` waits for one answer, and gives the connection up when none comes. */
export interface SftpConnection {
  sftp: SFTPWrapper;
  ask<T>(request: (done: (error: Error | null | undefined, value: T) => void) => unknown): Promise<T>;
  /** What to do when the connection breaks off: the client does not answer every request then. */
  pending: Set<(error: Error) => void>;
}

interface OpenConnection extends SftpConnection {
  /** Runs under way. */
  users: number;
  /** No new run gets it. */
  isRetired: boolean;
  end(): void;
}

export interface SftpConnections {
  /** Runs something over the connection, which stays open until it is done. */
  use<T>(run: (connection: SftpConnection) => Promise<T>): Promise<T>;
  close(): void;
}

/** Connections to a server. `prepare` runs once over each new one, before any other. */
export function createConnections(server: SftpServer, prepare: (connection: SftpConnection) => Promise<void>) {
  let current: Promise<OpenConnection> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const retire = (connection: OpenConnection) => {
    if (!connection.isRetired) current = undefined;
    connection.isRetired = true;
    if (connection.users === 0) connection.end();
  };

  const open = async (): Promise<OpenConnection> => {
    const connection = await connect(server, () => retire(connection));
    try {
      await prepare(connection);
    } catch (error) {
      connection.isRetired = true;
      connection.end();
      throw error;
    }
    return connection;
  };

  const connections: SftpConnections = {
    async use(run) {
      if (isClosed) throw fail('file.unreachable', { text: 'the service was closed' });
      clearTimeout(idleTimer);
      current ??= open();
      const opening = current;
      // A failure is not remembered, and waits for nobody's call.
      const connection = await opening.catch((error) => {
        if (current === opening) current = undefined;
        throw error;
      });
      connection.users += 1;
      try {
        return await run(connection);
      } finally {
        connection.users -= 1;
        if (connection.users === 0) {
          if (connection.isRetired || isClosed) connection.end();
          else idleTimer = setTimeout(() => retire(connection), idleLimit).unref();
        }
      }
    },
    close() {
      isClosed = true;
      clearTimeout(idleTimer);
      current?.then(retire, () => {});
    },
  };
  return connections;
}

/** The client's own socket would wait 40 ms before it sends the second half of a request. */
const connectSocket = (host: string, port: number) => connectTcp({ host, port, noDelay: true });

async function connect(server: SftpServer, onDeath: () => void): Promise<OpenConnection> {
  const { default: Client } = await import('ssh2-sftp-client');
  const { host, port, username, password, privateKey, fingerprint, timeout } = server;
  if (privateKey === '') throw unusableKey();
  let refusedKey: string | undefined;
  const connection = { users: 0, isRetired: false, pending: new Set() } as unknown as OpenConnection;
  const die = () => {
    if (!connection.sftp) return;
    onDeath();
    for (const reject of connection.pending) reject(fail('file.unreachable', { text: 'it broke off the connection' }));
  };
  const client = new Client('sftp', { error() {}, end() {}, close() {} });
  const end = () => void client.end().catch(() => {});
  client.on('close', die);
  client.on('error', die);
  client.on(
    'keyboard-interactive',
    (_name, _text, _language, prompts: unknown[], finish: (answers: string[]) => void) =>
      finish(prompts.map(() => password)),
  );
  const seconds = Math.min(timeout, connectLimit);
  try {
    connection.sftp = await withinTime(
      seconds,
      client.connect({
        sock: connectSocket(host, port),
        ...{ username, readyTimeout: seconds * 1000, keepaliveInterval: 15_000, keepaliveCountMax: 3 },
        ...(privateKey === undefined ? { password, tryKeyboard: true } : { privateKey, passphrase: password }),
        hostVerifier(key: Buffer) {
          if (fingerprint === undefined || matchesFingerprint(key, fingerprint)) return true;
          refusedKey = fingerprintOf(key);
          return false;
        },
      }),
      end,
    );
  } catch (error) {
    end();
    throw connectFailure(error as Error, seconds, refusedKey);
  }
  return Object.assign(connection, {
    end,
    ask<T>(request: (done: (error: Error | null | undefined, value: T) => void) => unknown): Promise<T> {
      let stop: (error: Error) => void = () => {};
      const answer = new Promise<T>((resolve, reject) => {
        stop = reject;
        connection.pending.add(reject);
        request((error, value) => (error ? reject(error) : resolve(value)));
      });
      return withinTime(timeout, answer, onDeath).finally(() => connection.pending.delete(stop));
    },
  });
}

const unusableKey = () =>
  fail('file.loginRefused', { text: 'the private key cannot be read, or its passphrase is another one' });

/** Why a connection could not be made. What the client says of a key is not passed on: it may quote it. */
function connectFailure(error: Error & { code?: unknown; key?: string }, seconds: number, refusedKey?: string): Error {
  if (error.key) return error;
  if (refusedKey !== undefined) return fail('file.unreachable', { text: `its host key is another one, ${refusedKey}` });
  const { message } = error;
  if (/parse privateKey|passphrase|Encrypted/i.test(message)) return unusableKey();
  if (/authentication methods failed/i.test(message))
    return fail('file.loginRefused', { text: 'user name, password or key are not accepted' }, { cause: error });
  if (/timed out/i.test(message)) return fail('file.timeout', { seconds }, { cause: error });
  return networkFailure(error) ?? fail('file.unreachable', { text: serverText(message) }, { cause: error });
}
