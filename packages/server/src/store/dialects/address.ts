// SLUICE_DATABASE_URL of a database server, read alike for every engine: host or socket, account, database, TLS.
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { StartError } from '../../settings/start-error.ts';

export interface ServerAddress {
  host: string;
  port: number;
  /** The folder or file of the socket that is used instead of host and port. */
  socket: string | undefined;
  user: string;
  /** Undefined leaves it to what the driver finds elsewhere (PGPASSWORD, .pgpass). */
  password: string | undefined;
  database: string;
  /** Undefined means no TLS. */
  tls: ConnectionOptions | undefined;
  /** The address as it may be shown: without password and parameters. */
  displayUrl: string;
}

const parameters = ['host', 'port', 'user', 'socketPath', 'ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

/**
 * Reads `scheme://user:password@host:port/database?sslmode=verify-full`. `?host=/folder` and `?socketPath=/file` name a
 * socket, with which `?user=` and `?port=` stand in for what the address has no place for; `sslmode` is disable, require
 * (encrypts, trusts any certificate), verify-ca or verify-full, `ssl=true` is verify-full.
 * @throws StartError that shows no password
 */
export function parseServerAddress(text: string, port: number): ServerAddress {
  // The text itself is never shown: it may hold the password.
  if (!URL.canParse(text))
    throw new StartError(
      'SLUICE_DATABASE_URL is no valid address. It reads scheme://user:password@host:port/database; in user and password write characters such as @ : / # % as %40 %3A %2F %23 %25.',
    );
  const url = new URL(text);
  const parameter = (name: string) => url.searchParams.get(name) ?? undefined;
  for (const name of url.searchParams.keys())
    if (!parameters.includes(name))
      throw new StartError(`SLUICE_DATABASE_URL knows the parameters ${parameters.join(', ')}, not "${name}".`);
  const decode = (part: string, partName: string) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw new StartError(`SLUICE_DATABASE_URL: a % in the ${partName} must be written %25.`);
    }
  };
  const path = url.pathname.replace(/^\//, '');
  if (path === '' || path.includes('/'))
    throw new StartError('SLUICE_DATABASE_URL names no database; it ends with /database.');
  const database = decode(path, 'database');
  const host = parameter('host') ?? decode(url.hostname, 'host').replace(/^\[|\]$/g, '');
  const socket = parameter('socketPath') ?? (host.startsWith('/') ? host : undefined);
  const user = url.username === '' ? (parameter('user') ?? userInfo().username) : decode(url.username, 'user');
  const number = Number(url.port || parameter('port') || port);
  if (!Number.isInteger(number)) throw new StartError('SLUICE_DATABASE_URL: port is a number.');
  const hostAndPort = socket === undefined ? `${host || 'localhost'}:${number}` : '';
  return {
    host: host || 'localhost',
    port: number,
    socket,
    user,
    password: url.password === '' ? undefined : decode(url.password, 'password'),
    database,
    tls: tlsOf(parameter),
    displayUrl: `${url.protocol}//${user}@${hostAndPort}/${database}${socket === undefined ? '' : ` (${socket})`}`,
  };
}

function tlsOf(parameter: (name: string) => string | undefined): ConnectionOptions | undefined {
  const ssl = parameter('ssl');
  if (ssl !== undefined && !/^(true|false|1|0)$/.test(ssl))
    throw new StartError('SLUICE_DATABASE_URL: ssl is true or false.');
  const files = {
    ...fileOf('ca', parameter('sslrootcert')),
    ...fileOf('cert', parameter('sslcert')),
    ...fileOf('key', parameter('sslkey')),
  };
  const mode =
    parameter('sslmode') ??
    (ssl === 'true' || ssl === '1' || Object.keys(files).length > 0 ? 'verify-full' : 'disable');
  switch (mode) {
    case 'disable':
      return undefined;
    case 'require':
      return { ...files, rejectUnauthorized: false };
    case 'verify-ca':
      return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case 'verify-full':
      return { ...files, rejectUnauthorized: true };
    default:
      throw new StartError('SLUICE_DATABASE_URL: sslmode is disable, require, verify-ca or verify-full.');
  }
}

function fileOf(name: 'ca' | 'cert' | 'key', path: string | undefined): ConnectionOptions {
  if (path === undefined) return {};
  try {
    return { [name]: readFileSync(path) };
  } catch (error) {
    throw new StartError(`SLUICE_DATABASE_URL: the file ${path} cannot be read.`, error);
  }
}

/** Describes a connection that failed before the server answered; undefined for other errors. */
export function networkProblem(error: unknown, { host, port, socket }: ServerAddress): string | undefined {
  const { code, message = '' } = error as { code?: string; message?: string };
  const place = socket ?? `${host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing answers at ${place}. Is the server running?`;
    case 'ENOENT':
      return `there is no socket at ${place}. Is the server running?`;
    case 'EACCES':
      return `this user may not open the socket ${place}.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${host} is not known.`;
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `the host ${host} cannot be reached.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${place} closed the connection.`;
  }
  if (/certificate|altnames/i.test(message))
    return `the certificate of the server is not accepted (${message}). Name the authority with sslrootcert=, or use sslmode=require to accept any.`;
  return undefined;
}
