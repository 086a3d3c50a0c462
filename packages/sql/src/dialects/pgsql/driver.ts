// Connections to PostgreSQL by the package pg, whose client keeps the protocol and the sign-in; statements are ours.
import { readFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { fail } from '@sluice/contract';
import type { Client, Submittable } from 'pg';
import { jsonRowWriter, type RowLayout } from '../../convert/wire.ts';
import { maxCachedText, type RunOptions, SizedCache } from '../../query/index.ts';
import type { Column } from '../../schema/index.ts';
import {
  type Answer,
  type BatchReader,
  type Connection,
  type Framing,
  JsonCollector,
  type MessageStream,
  type Reading,
  readInRounds,
  type TextRow,
} from '../network/index.ts';
import { type Described, DescribedRun } from './described.ts';
import { connectSeconds, isStalePlan, notePrepared, StatementError } from './errors.ts';
import { ReadRun } from './read-run.ts';
import { type Collector, CollectRun, Command, type Preparation, Stream, ValueCollector } from './statement.ts';
import { writerOf } from './types.ts';

export type SslMode = 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
export const sslModes: readonly SslMode[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

export interface PgsqlServer {
  /** A name, an address, or the folder of a socket when it begins with `/`. */
  host: string;
  /** 5432 when absent. */
  port?: number;
  database: string;
  /** The account the server runs under when absent. */
  user?: string;
  password?: string;
  /** `prefer` when absent, as libpq has it. */
  sslMode?: SslMode;
  /** Certificates and key: PEM text, or the absolute path of a file that holds it. */
  sslRootCert?: string;
  sslCert?: string;
  sslKey?: string;
  /** Time zone of the sessions; UTC when absent. */
  timeZone?: string;
  applicationName?: string;
  /** Settings of the sessions, in place of those for PostgreSQL. */
  settings?: Readonly<Record<string, string>>;
  /** Run whenever a connection opens. */
  statements?: readonly string[];
  /** False where a pooler between us cannot keep prepared statements apart. */
  prepare?: boolean;
}

/** A statement with what its rows need. From its second run on it is prepared, under a name. */
export interface Plan {
  sql: string;
  write: (fields: readonly (string | null)[]) => string;
  runs: number;
  name: string | undefined;
}

export const planOf = (sql: string, columns: Column[], layout?: RowLayout): Plan => ({
  sql,
  write: jsonRowWriter(
    columns.map((column) => ({ name: column.name, write: writerOf(column) })),
    layout,
  ),
  runs: 0,
  name: undefined,
});

/** Prepared statements of a connection; the server holds memory for each. */
const maxStatements = 256;
/** Characters of their texts. */
const maxStatementCharacters = 256 * 1024;
let statementCount = 0;

/** What the types of the driver leave out. */
type Internals = {
  processID: number;
  secretKey: number;
  getTransactionStatus(): string | null;
  connection: { stream: MessageStream & { destroy(): void } };
};

export class PgsqlConnection implements Connection<Plan> {
  onLost?: () => void;
  private readonly client: Client & Internals;
  private readonly server: PgsqlServer;
  /** Names of the statements the server has. */
  private readonly prepared = new SizedCache<true>(maxStatements, maxStatementCharacters, (name) =>
    this.evicted.push(name),
  );
  /** Names of statements that are closed when the next one is prepared. */
  private readonly evicted: string[] = [];
  private isBroken = false;
  /** A cancel request stops whatever runs when it arrives, which may be the next statement. */
  private isCancelled = false;

  constructor(client: Client & Internals, server: PgsqlServer) {
    this.client = client;
    this.server = server;
    const handleLoss = () => {
      if (this.isBroken) return;
      this.isBroken = true;
      this.onLost?.();
    };
    client.on('error', handleLoss);
    client.on('end', handleLoss);
  }

  get isUsable(): boolean {
    return !this.isBroken && !this.isCancelled && this.client.getTransactionStatus() === 'I';
  }

  run(plan: Plan, parameters: readonly unknown[], limit: number, options?: RunOptions): Promise<Answer> {
    return this.collect(plan, parameters, new JsonCollector(plan.write, limit, () => this.cancel(), options));
  }

  read(plan: Plan, parameters: readonly unknown[], reading: Reading): Promise<Answer & { rest?: BatchReader }> {
    return new Promise((resolve, reject) => {
      const preparation = this.prepare(plan);
      const run = new ReadRun({
        plan,
        parameters,
        preparation,
        reading,
        cancel: () => this.cancel(),
        destroy: () => this.destroy(),
        resolve,
        reject: (error) => this.rejectRun(plan, preparation, error, reject),
      });
      this.client.query(run as unknown as Submittable);
    });
  }

  values(plan: Plan, parameters: readonly unknown[]): Promise<TextRow[]> {
    return this.collect(plan, parameters, new ValueCollector());
  }

  stream({ sql, write }: Plan, parameters: readonly unknown[]): BatchReader {
    const stream = new Stream(sql, parameters, write);
    this.client.query(stream as unknown as Submittable);
    return stream;
  }

  /** Runs a statement whose columns are not known before. */
  runDescribed(sql: string, parameters: readonly unknown[], limit: number): Promise<Described> {
    return new Promise((resolve, reject) => {
      const run = new DescribedRun({ sql, parameters, limit, stop: () => this.cancel(), resolve, reject });
      this.client.query(run as unknown as Submittable);
    });
  }

  command(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.client.query(new Command(sql, resolve, reject) as unknown as Submittable);
    });
  }

  /** https://www.postgresql.org/docs/current/sql-discard.html */
  async reset(): Promise<void> {
    await this.command('discard all');
    this.prepared.clear();
    this.evicted.length = 0;
    await setUp(this, this.server);
  }

  /** By a connection of its own (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS). */
  cancel(): void {
    this.isCancelled = true;
    const request = Buffer.alloc(16);
    request.writeInt32BE(16, 0);
    request.writeInt16BE(1234, 4);
    request.writeInt16BE(5678, 6);
    request.writeInt32BE(this.client.processID, 8);
    request.writeInt32BE(this.client.secretKey, 12);
    const { host, port } = addressOf(this.server);
    const socket = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host);
    socket.on('connect', () => socket.end(request));
    // What could not be stopped is cut off a moment later.
    socket.on('error', () => socket.destroy());
    socket.setTimeout(connectSeconds * 1000, () => socket.destroy());
    socket.unref();
  }

  async end(): Promise<void> {
    this.isBroken = true;
    await this.client.end().catch(() => {});
  }

  destroy(): void {
    this.client.connection.stream.destroy();
  }

  private collect<T>(plan: Plan, parameters: readonly unknown[], rows: Collector<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const preparation = this.prepare(plan);
      const run = new CollectRun(plan.sql, parameters, preparation, rows, resolve, (error) =>
        this.rejectRun(plan, preparation, error, reject),
      );
      this.client.query(run as unknown as Submittable);
    });
  }

  private rejectRun(
    plan: Plan,
    preparation: Preparation | undefined,
    error: unknown,
    reject: (error: unknown) => void,
  ): void {
    if (preparation?.isPrepared) notePrepared(error);
    if (preparation && isStalePlan(error)) resetPlan(plan);
    reject(error);
  }

  private prepare(plan: Plan): Preparation | undefined {
    plan.runs += 1;
    if (plan.runs === 1 || this.server.prepare === false || plan.sql.length > maxCachedText) return undefined;
    if (plan.name === undefined) {
      statementCount += 1;
      plan.name = `sluice_${statementCount}`;
    }
    if (this.prepared.get(plan.name)) return { name: plan.name, isPrepared: true };
    this.prepared.set(plan.name, true, plan.sql.length);
    return { name: plan.name, isPrepared: false, evicted: this.evicted.splice(0) };
  }
}

/** Makes the plan run like a new one: what other connections have under its name is stale too. */
function resetPlan(plan: Plan): void {
  plan.runs = 0;
  plan.name = undefined;
}

/**
 * Opens a connection and sets it up: texts in UTF-8, times in the zone of the sessions, dates, numbers and money printed
 * in one way whatever the server's locale. Rejects with what `translate` knows, or a `Failure`.
 */
export async function connect(server: PgsqlServer): Promise<Connection<Plan>> {
  const client = await signIn(server);
  const connection = new PgsqlConnection(client, server);
  try {
    await setUp(connection, server);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return connection;
}

async function setUp(connection: PgsqlConnection, server: PgsqlServer): Promise<void> {
  await connection.command(settingsSql(server));
  for (const statement of server.statements ?? []) {
    try {
      await connection.command(statement);
    } catch (error) {
      throw new StatementError((error as Error).message, { cause: error });
    }
  }
}

const settingsSql = (server: PgsqlServer): string =>
  Object.entries(server.settings ?? defaultSettings(server))
    .map(([name, value]) => `set ${name} to '${value.replaceAll("'", "''")}'`)
    .join('; ');

const defaultSettings = ({ timeZone, applicationName }: PgsqlServer): Record<string, string> => ({
  client_encoding: 'UTF8',
  timezone: timeZone || 'UTC',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '3',
  lc_monetary: 'C',
  application_name: applicationName || 'sluice',
});

const addressOf = ({ host, port }: PgsqlServer) => ({ host, port: port ?? 5432 });

/** Connects as `sslmode` says (https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION). */
async function signIn(server: PgsqlServer): Promise<Client & Internals> {
  const mode = server.host.startsWith('/') ? 'disable' : (server.sslMode ?? 'prefer');
  try {
    return await open(server, mode === 'disable' || mode === 'allow' ? false : tlsOf(server, mode));
  } catch (error) {
    if (mode === 'prefer' && lacksTls(error)) return await open(server, false);
    if (mode === 'allow' && (error as { code?: string }).code === '28000')
      return await open(server, tlsOf(server, mode));
    throw error;
  }
}

const lacksTls = (error: unknown) =>
  /does not support SSL/.test((error as Error).message) || (error as { code?: string }).code === '28000';

function tlsOf(server: PgsqlServer, mode: SslMode): ConnectionOptions {
  const isVerified = mode === 'verify-ca' || mode === 'verify-full';
  return {
    rejectUnauthorized: isVerified,
    ca: pem(server.sslRootCert),
    cert: pem(server.sslCert),
    key: pem(server.sslKey),
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
  };
}

function pem(pemOrPath: string | undefined): string | undefined {
  if (!pemOrPath || pemOrPath.includes('-----BEGIN')) return pemOrPath;
  try {
    return readFileSync(pemOrPath, 'utf8');
  } catch (error) {
    throw fail('database.certificate', { text: 'a file named in the options can not be read' }, { cause: error });
  }
}

/** A byte for what a message is, and four for its length without that byte. */
const framing: Framing = { headerLength: 5, lengthAt: (bytes, start) => bytes.readUInt32BE(start + 1) + 1 };

async function open(server: PgsqlServer, ssl: false | ConnectionOptions): Promise<Client & Internals> {
  // Loaded when it is first needed: an instance may have no such service.
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    ...addressOf(server),
    database: server.database,
    user: server.user || undefined,
    // An empty one would be looked for in files and variables of this machine.
    password: () => server.password ?? '',
    ssl,
    connectionTimeoutMillis: connectSeconds * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }) as Client & Internals;
  // Errors before it is open reach `connect`; those after it was given up are of no interest.
  client.on('error', () => {});
  try {
    await client.connect();
    readInRounds(client.connection.stream, framing);
    return client;
  } catch (error) {
    client.connection.stream.destroy();
    // The right to use the database, not one of its tables.
    if ((error as { code?: string }).code === '42501') throw fail('database.notAdmitted', undefined, { cause: error });
    throw error;
  }
}
