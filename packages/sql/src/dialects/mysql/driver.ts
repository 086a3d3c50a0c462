// Reaching a server by the package mysql2: what is sent at connect, what is asked of it, and how one of its connections is stopped.
import { readFileSync } from 'node:fs';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { fail } from '@sluice/contract';
import type { ConnectionOptions, Connection as DriverConnection } from 'mysql2';
import { type Framing, type MessageStream, type NetworkOptions, readInRounds } from '../network/index.ts';
import { MysqlConnection } from './connection.ts';
import { connectSeconds, StatementError } from './errors.ts';
import type { GrammarFacts } from './grammar.ts';

/** `preferred` does without where the server has none; only `verify_ca` and `verify_identity` look at the certificate. */
export const tlsModes = ['disabled', 'preferred', 'required', 'verify_ca', 'verify_identity'] as const;
export type TlsMode = (typeof tlsModes)[number];

export interface MysqlOptions extends NetworkOptions {
  host?: string;
  port?: number;
  /** Path of a socket of this machine, in place of host and port. */
  socketPath?: string;
  user?: string;
  password?: string;
  database: string;
  /** Which databases are shown: blank or `all`, `default` for the one connected to, or a name. */
  schema?: string;
  collation?: string;
  /** Of the session; UTC when absent. */
  timezone?: string;
  /** The session's SQL modes, in place of the server's. */
  modes?: string;
  /** Refuse values that do not fit, as when absent, or let the server cut them. Without effect beside `modes`. */
  strict?: boolean;
  /** Run whenever a connection opens. */
  statements?: readonly string[];
  /** Certificates and key: PEM text, or the absolute path of a file that holds it. */
  tls?: { mode: TlsMode; ca?: string; cert?: string; key?: string };
}

/** What servers differ in. */
export interface ServerFacts extends GrammarFacts {
  isMariaDb: boolean;
  /** `alter table … rename column`: MariaDB from 10.5.2, MySQL from 8.0 on. */
  renamesColumns?: boolean;
  /** `lock_wait_timeout = 0` is no wait at all: MariaDB from 10.3 on. */
  waitsNot?: boolean;
  /** A type `uuid`: MariaDB from 10.7 on. */
  hasUuid?: boolean;
}

/** What sessions begin with. */
export interface Session {
  statements: string[];
  /** Lifts the server's own limit on the time of a statement, and sets it again; absent where it is left alone. */
  timeLimit?: { off: string; on: string };
}

type SessionOf = (options: MysqlOptions, facts: ServerFacts, quote: (text: string) => string) => Session;

/** Assumed until a server was asked. */
const unknownServer: ServerFacts = { isMariaDb: false, returns: false, jsonTable: false };

export class MysqlServer {
  facts: ServerFacts = unknownServer;
  private readonly options: MysqlOptions;
  private readonly factsFor: (version: string) => ServerFacts;
  private readonly sessionOf: SessionOf;

  constructor(options: MysqlOptions, factsFor = factsOf, sessionOf: SessionOf = defaultSession) {
    this.options = options;
    this.factsFor = factsFor;
    this.sessionOf = sessionOf;
  }

  /** A connection set up for use. Rejects with errors that errors.ts knows. */
  async connect(): Promise<MysqlConnection> {
    const { driver, socket } = await this.open();
    return whileOpen(socket, this.prepare(driver, socket));
  }

  private async prepare(driver: DriverConnection, socket: Socket): Promise<MysqlConnection> {
    const { TypedParameter } = await loadDriver();
    try {
      const [first = []] = await rowsOf(driver, 'select version(), connection_id(), @@max_allowed_packet');
      const [version, id, maxPacket] = first.map(String) as [string, string, string];
      this.facts = this.factsFor(version);
      const session = this.sessionOf(this.options, this.facts, (text) => driver.escape(text));
      const setUp = () => this.setUp(driver, session);
      await setUp();
      const kill = () => this.kill(id);
      return new MysqlConnection({
        driver,
        socket,
        typedParameter: TypedParameter,
        setUp,
        kill,
        maxPacket: Number(maxPacket),
        timeLimit: session.timeLimit,
      });
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  private async setUp(driver: DriverConnection, session: Session): Promise<void> {
    for (const statement of session.statements) await rowsOf(driver, statement);
    if (session.timeLimit) await rowsOf(driver, session.timeLimit.on);
    for (const statement of this.options.statements ?? []) {
      await rowsOf(driver, statement).catch((cause: Error & { sqlState?: string }) => {
        throw cause.sqlState === undefined ? cause : new StatementError(cause.message, { cause });
      });
    }
    // Servers may leave it to their clients to commit (autocommit = 0): what was acknowledged would be lost.
    await rowsOf(driver, 'set autocommit = 1');
  }

  /** Stops what the connection with this id runs (https://mariadb.com/kb/en/kill/). */
  private async kill(id: string): Promise<void> {
    const { driver, socket } = await this.open();
    try {
      await rowsOf(driver, `kill query ${Number(id)}`);
    } finally {
      socket.destroy();
    }
  }

  private async open(): Promise<{ driver: DriverConnection; socket: Socket }> {
    const { tls } = this.options;
    const ssl = tls && tls.mode !== 'disabled' ? sslOf(tls, this.options.host) : undefined;
    try {
      return await this.openSocket(ssl);
    } catch (error) {
      if (tls?.mode !== 'preferred' || (error as { code?: string }).code !== 'HANDSHAKE_NO_SSL_SUPPORT') throw error;
      return await this.openSocket(undefined);
    }
  }

  private async openSocket(ssl: ConnectionOptions['ssl']): Promise<{ driver: DriverConnection; socket: Socket }> {
    const { host = 'localhost', port = 3306, socketPath, user, password, database } = this.options;
    const { createConnection } = await loadDriver();
    const socket = socketPath
      ? connectSocket(socketPath)
      : connectSocket({ port, host, noDelay: true, keepAlive: true });
    const driver = createConnection({
      ...fixedOptions,
      host,
      port,
      user: user || undefined,
      password: password || undefined,
      database,
      ssl,
      stream: () => socket,
    });
    // An error nobody listens to would end the process.
    driver.on('error', () => {});
    try {
      const connected = new Promise<void>((resolve, reject) =>
        driver.connect((error) => (error ? reject(error) : resolve())),
      );
      await whileOpen(socket, connected);
      // Of the driver: the socket, or what decrypts it.
      readInRounds((driver as DriverConnection & { stream: MessageStream }).stream, framing);
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return { driver, socket };
  }
}

/**
 * What is done while a connection opens, which fails when its socket closes, and in time: to a server that begins a packet
 * and never ends it the driver listens without end.
 */
async function whileOpen<T>(socket: Socket, work: Promise<T>): Promise<T> {
  let close = () => {};
  const timer = setTimeout(() => socket.destroy(), connectSeconds * 1000);
  const closed = new Promise<never>((_, reject) => {
    close = () => reject(Object.assign(new Error('the connection ended'), { fatal: true }));
    socket.once('close', close);
  });
  try {
    return await Promise.race([work, closed]);
  } finally {
    clearTimeout(timer);
    socket.off('close', close);
  }
}

/**
 * Values that do not fit are refused (https://mariadb.com/kb/en/sql-mode/#strict-mode). The server's other modes stay:
 * they may be what its tables were made for.
 */
const strictMode = `concat_ws(',', nullif(@@sql_mode, ''), 'STRICT_TRANS_TABLES', 'STRICT_ALL_TABLES', 'NO_ENGINE_SUBSTITUTION', 'ERROR_FOR_DIVISION_BY_ZERO')`;

const defaultSession: SessionOf = ({ collation, timezone = '+00:00', modes, strict = true, timeout }, facts, quote) => {
  const mode = modes ? quote(modes) : strict ? strictMode : `'NO_ENGINE_SUBSTITUTION'`;
  // A reader of a stream may take its time: the server would cut the connection off after a minute.
  const waits = 'net_write_timeout = 3600';
  return {
    statements: [
      ...(collation ? [`set names utf8mb4 collate ${quote(collation)}`] : []),
      `set time_zone = ${quote(timezone)}, sql_mode = ${mode}, ${waits}`,
    ],
    timeLimit: timeLimitOf(timeout, facts),
  };
};

/** A limit of the server's own, should ours not reach it. MySQL knows one for reads only, in milliseconds. */
function timeLimitOf(timeout = 30_000, { isMariaDb }: ServerFacts): { off: string; on: string } {
  const name = isMariaDb ? 'max_statement_time' : 'max_execution_time';
  const late = Math.ceil(timeout / 1000) + 5;
  return { off: `set ${name} = 0`, on: `set ${name} = ${isMariaDb ? late : late * 1000}` };
}

/** Three bytes, the lowest first, for the length of a packet without its header, and one for its number. */
const framing: Framing = {
  headerLength: 4,
  lengthAt: (bytes, start) => bytes.readUIntLE(start, 3) + 4,
};

/** Rows as arrays, and nothing made of values that JSON could not give back. */
const fixedOptions: ConnectionOptions = {
  charset: 'utf8mb4_general_ci',
  rowsAsArray: true,
  dateStrings: true,
  supportBigNumbers: true,
  jsonStrings: true,
  connectTimeout: connectSeconds * 1000,
  // No files of this machine to the server, and function names are no reserved words.
  flags: ['-LOCAL_FILES', '-IGNORE_SPACE', '-SESSION_TRACK'],
};

function sslOf(
  { mode, ca, cert, key }: NonNullable<MysqlOptions['tls']>,
  host: string | undefined,
): ConnectionOptions['ssl'] {
  // The driver would compare the certificate of an address with the name localhost.
  if (mode === 'verify_identity' && isIP(host ?? '')) {
    throw fail('database.certificate', { text: 'it is made for a name, and the host of the service is an address' });
  }
  const verifies = mode === 'verify_ca' || mode === 'verify_identity';
  return {
    ca: pem(ca),
    cert: pem(cert),
    key: pem(key),
    rejectUnauthorized: verifies,
    verifyIdentity: mode === 'verify_identity',
  };
}

function pem(text: string | undefined): string | undefined {
  if (!text || text.includes('-----BEGIN')) return text || undefined;
  try {
    return readFileSync(text, 'utf8');
  } catch (error) {
    throw fail('database.certificate', { text: 'a file named in the options can not be read' }, { cause: error });
  }
}

/** `10.11.6-MariaDB-…` or `8.0.36`. */
export function factsOf(version: string): ServerFacts {
  const [major = 0, minor = 0, patch = 0] = (version.match(/\d+/g) ?? []).map(Number);
  const isAtLeast = (a: number, b: number, c = 0) =>
    major > a || (major === a && (minor > b || (minor === b && patch >= c)));
  const isMariaDb = /mariadb/i.test(version);
  return {
    isMariaDb,
    returns: isMariaDb && isAtLeast(10, 5),
    jsonTable: isMariaDb ? isAtLeast(10, 6) : isAtLeast(8, 0, 4),
    renamesColumns: isMariaDb ? isAtLeast(10, 5, 2) : isAtLeast(8, 0),
    waitsNot: isMariaDb && isAtLeast(10, 3),
    hasUuid: isMariaDb && isAtLeast(10, 7),
  };
}

/** A statement without values, as text. */
const rowsOf = (driver: DriverConnection, sql: string): Promise<unknown[][]> =>
  new Promise((resolve, reject) => {
    driver.query(sql, (error, rows) => (error ? reject(error) : resolve(rows as unknown as unknown[][])));
  });

/**
 * The driver is large, and is loaded when the first connection is made. Of its exports Node finds only some by name,
 * TypedParameter not among them.
 */
const loadDriver = async () => (await import('mysql2')).default;
