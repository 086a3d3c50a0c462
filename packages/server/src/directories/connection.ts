// A connection to a directory: made for one call, within bounds of time and size, and closed with it. Referrals are never followed.
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectEncrypted } from 'node:tls';
import { Failure, fail } from '@sluice/contract';
import type { Client, Filter } from 'ldapts';
import type { DirectoryAddress } from './address.ts';
import { type DirectoryEntry, readEntry } from './entry.ts';
import { GuardedStream } from './guarded-stream.ts';

export interface SearchRequest {
  /** Which entries; absent: all. */
  filter?: Filter;
  /** `base`: the entry of this name alone. */
  scope?: 'base' | 'sub';
  attributes: readonly string[];
  /** How many entries; in pages, more of them are a failure, otherwise the others are left out. */
  limit: number;
  /** How many come at once; absent: all do. */
  pageSize?: number;
}

export interface Connection {
  /** Signs in by a name and a password, which must not be empty; whether they were right. */
  bind(name: string, password: string): Promise<boolean>;
  /** The entries below a name; none where the directory shows none. Throws `directory.*`. */
  search(base: string, request: SearchRequest): Promise<DirectoryEntry[]>;
}

export interface ConnectOptions {
  signal?: AbortSignal;
  /** Certificates to trust, in place of those of the system. */
  ca?: string;
}

/** Milliseconds: to connect, for one answer, and for all that one connection is used for. */
const connectTime = 5_000;
const answerTime = 10_000;
const totalTime = 30_000;
const bounds = { message: 4 * 1024 * 1024, bytes: 16 * 1024 * 1024, messages: 25_000 };

/** Results that say of a name and password that they are wrong, or that nobody signs in by them. */
const refusals = new Set([19, 21, 32, 34, 48, 49, 53]);
/** Results that say that there is nothing to see. */
const unseen = new Set([1, 32, 48, 50, 53]);
const tooMany = 4;
const startTls = '1.3.6.1.4.1.1466.20037';

/** Connects, does `work` and closes. Throws `directory.unreachable` for all that goes wrong between here and the directory. */
export async function withConnection<T>(
  address: DirectoryAddress,
  { signal, ca }: ConnectOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { Client } = await import('ldapts');
  const until = AbortSignal.any([AbortSignal.timeout(totalTime), ...(signal ? [signal] : [])]);
  let stream: GuardedStream | undefined;
  let client: Client | undefined;
  const giveUp = () => stream?.destroy(new Error('given up'));
  try {
    const opened = new GuardedStream(await openSocket(address, until, ca), bounds);
    stream = opened;
    // Until the client listens; what went wrong is what its calls throw.
    opened.on('error', () => undefined);
    until.addEventListener('abort', giveUp);
    client = new Client({
      url: 'ldap://directory',
      timeout: answerTime,
      createConnection: (() => opened) as unknown as typeof connectPlain,
    });
    if (address.security === 'starttls') {
      await client.exop(startTls);
      await opened.upgrade((socket) => encrypt(socket, address, until, ca));
    }
    return await work(connectionOf(client));
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(error, stream, until);
  } finally {
    until.removeEventListener('abort', giveUp);
    stream?.destroy();
  }
}

const connectionOf = (client: Client): Connection => ({
  async bind(name, password) {
    // Without a password a directory lets everybody in, as nobody: that says nothing of a name.
    if (name === '' || password === '' || password.includes('\0')) return false;
    try {
      await client.bind(name, password);
      return true;
    } catch (error) {
      if (refusals.has(resultOf(error) ?? -1)) return false;
      throw error;
    }
  },

  async search(base, { filter, scope = 'sub', attributes, limit, pageSize }) {
    const entries: DirectoryEntry[] = [];
    const options = {
      ...{ scope, attributes: [...attributes], derefAliases: 'never' as const, timeLimit: answerTime / 1000 },
      ...(filter ? { filter } : {}),
      explicitBufferAttributes: ['objectGUID', 'objectSid', 'objectguid', 'objectsid'],
    };
    const add = (found: Awaited<ReturnType<Client['search']>>['searchEntries']) => {
      if (entries.length + found.length > limit) throw fail('directory.tooMany', { limit });
      for (const entry of found) entries.push(readEntry(entry));
    };
    try {
      if (pageSize === undefined) add((await client.search(base, { ...options, sizeLimit: limit })).searchEntries);
      else
        for await (const page of client.searchPaginated(base, { ...options, paged: { pageSize } }))
          add(page.searchEntries);
    } catch (error) {
      const result = resultOf(error);
      if (result === tooMany) throw fail('directory.tooMany', { limit: Math.max(entries.length, 1) });
      if (!unseen.has(result ?? -1)) throw error;
    }
    return entries;
  },
});

/** The number by which a directory says how a call ended; undefined where it said nothing. */
const resultOf = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;

/** What failures of a network are called. They name no address: who signs in is a stranger. */
const problems = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'the name of its host is not known'],
  ['EAI_AGAIN', 'the name of its host is not known'],
  ['ECONNRESET', 'the connection was ended'],
  ['EPIPE', 'the connection was ended'],
  ['EHOSTUNREACH', 'there is no way to its host'],
  ['ENETUNREACH', 'there is no way to its host'],
]);

function unreachable(error: unknown, stream: GuardedStream | undefined, until: AbortSignal): Failure {
  const problem = stream?.problem ?? (until.aborted ? 'it did not answer in time' : describe(error));
  return fail('directory.unreachable', { problem }, { cause: error });
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return resultProblems.get(code) ?? `it answered with the result ${code}`;
  if (typeof code === 'string') return problems.get(code) ?? `the connection failed (${code.slice(0, 60)})`;
  const message = error instanceof Error ? error.message : '';
  return /time/i.test(message) ? 'it did not answer in time' : 'the connection was ended';
}

const resultProblems = new Map([
  [2, 'it does not know what was asked for'],
  [8, 'it wants an encrypted connection'],
  [10, 'it sends callers to another one'],
  [13, 'it wants an encrypted connection'],
  [51, 'it is busy'],
  [52, 'it is not available'],
]);

function openSocket(address: DirectoryAddress, signal: AbortSignal, ca: string | undefined): Promise<Socket> {
  const { host, port, security } = address;
  return security === 'tls'
    ? ready(connectEncrypted({ host, port, ...tlsOptions(address, ca) }), 'secureConnect', signal)
    : ready(connectPlain({ host, port }), 'connect', signal);
}

const encrypt = (socket: Socket, address: DirectoryAddress, signal: AbortSignal, ca: string | undefined) =>
  ready(connectEncrypted({ socket, ...tlsOptions(address, ca) }), 'secureConnect', signal);

const tlsOptions = ({ host }: DirectoryAddress, ca: string | undefined) => ({
  ...(isIP(host) ? { host } : { servername: host }),
  minVersion: 'TLSv1.2' as const,
  ...(ca === undefined ? {} : { ca }),
});

/** A socket once it is connected; it is gone where that takes too long. */
function ready(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const late = () => socket.destroy(new Error('it took too much time'));
    const timer = setTimeout(late, connectTime);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', late);
    };
    signal.addEventListener('abort', late);
    socket.once(event, () => {
      settle();
      socket.removeListener('error', failed);
      resolve(socket);
    });
    const failed = (error: Error) => {
      settle();
      reject(error);
    };
    socket.once('error', failed);
    socket.once('close', () => failed(new Error('it was closed')));
    if (signal.aborted) late();
  });
}
