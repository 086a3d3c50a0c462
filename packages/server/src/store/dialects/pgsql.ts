// The store on PostgreSQL 12 or newer.
import { Failure, fail } from '@sluice/contract';
import { pgsqlGrammar } from '@sluice/sql';
import { type Kysely, PostgresDialect, type PostgresPool, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { StartError } from '../../settings/start-error.ts';
import { countOnConflict } from '../counter-tables.ts';
import { networkProblem, parseServerAddress, type ServerAddress } from './address.ts';
import {
  bindableValue,
  createMissingIndex,
  groupUniqueIndexes,
  insertReturning,
  type StoreDialect,
} from './dialect.ts';
import { serverSearcher } from './stoppable.ts';
import { TimeoutError, withTimeout } from './within.ts';

const oldestVersion = 12;
/** Milliseconds: to wait for a lock; that an answer may come later than the statement's limit. */
const timeouts = { lock: 10_000, answer: 5_000 };
/** How long another process may keep the store to itself, in milliseconds: it may be migrating. */
const exclusiveTimeout = 300_000;
/** The advisory lock of `exclusively`: "sluice" as a number. Such locks belong to one database. */
const lockKey = 0x736c75696365;
/** Oids of the types whose values come as text although a number holds them. */
const numericOids = new Set([20, 1700]);

const collateC = (type: string) => sql.raw<never>(`${type} collate "C"`);
const lowerCase = (value: RawBuilder<unknown>) => sql`lower(cast(${value} as text) collate "C")`;

const now = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

export const pgsql: StoreDialect = {
  name: 'pgsql',
  schemes: ['postgres', 'postgresql'],

  // Collation "C" compares and orders by code points whatever the locale of the database is, as the other engines do
  // here, and knows no other letters than A–Z and a–z.
  types: {
    id: 'bigint',
    integer: 'bigint',
    text: (length) => collateC(`varchar(${length})`),
    longText: collateC('text'),
  },

  sql: {
    grammar: { ...pgsqlGrammar, like: (text, pattern) => sql`${lowerCase(text)} like ${lowerCase(pattern)} escape ''` },
    asText: (value) => sql`cast(${value} as text)`,
    sortsNullsLast: true,
    // Not `for update`: rows that only point to this one, such as an assignment of the person, need not wait.
    forUpdate: sql`for no key update`,
  },

  async open({ url, connections, busyTimeout }) {
    const address = parseServerAddress(url, 5432);
    const { default: driver } = await import('pg');
    const config = configOf(address, driver, busyTimeout);
    let limit = 0;
    const pool = new driver.Pool({
      ...config,
      max: connections,
      idleTimeoutMillis: 60_000,
    });
    // A connection that breaks while nobody uses it is simply dropped; without listeners it would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    await tryConnection(pool, address, busyTimeout);
    const connect = connector(pool, () => limit);
    // A connection of its own: those of the pool may all be in use. What it is for, ends when it ends.
    const stop = async (processId: number) => {
      const client = new driver.Client(config);
      client.on('error', () => {});
      try {
        await client.connect();
        await withTimeout(busyTimeout, client.query('select pg_cancel_backend($1)', [processId]));
      } finally {
        await client.end();
      }
    };
    return {
      dialect: new PostgresDialect({
        pool: { connect: connect as unknown as PostgresPool['connect'], end: () => pool.end() },
      }),
      searcher: serverSearcher({
        connections,
        connect,
        read: async ({ query }, { sql, parameters }) => (await query(sql, parameters)).rows,
        stop: ({ processId }) => stop(processId),
      }),
      file: null,
      limitStatements(milliseconds) {
        limit = milliseconds;
      },
      load: () => ({ open: pool.totalCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
      messenger: () => new driver.Client(config),
    };
  },

  exclusively: (db, work) =>
    db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      try {
        await sql`set local statement_timeout = 0`.execute(connection);
        await takeLock(connection);
        const result = await work(connection);
        await sql`commit`.execute(connection);
        return result;
      } catch (error) {
        // A connection that is gone has nothing left to undo.
        await sql`rollback`.execute(connection).catch(() => {});
        throw error;
      }
    }),

  countedKey: (column) => column.generatedByDefaultAsIdentity().primaryKey(),

  async moveCounter(db, table, last) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'),
      greatest(${last}, (select coalesce(max(id), 0) from ${sql.table(table)})))`.execute(db);
  },

  folded: (column) => sql`lower(${sql.ref(column)})`,

  concat: (...parts) => sql`(${sql.join(parts, sql` || `)})`,

  // By the search path, as statements find the table.
  async columnsOf(db, table) {
    const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
      where attrelid = to_regclass(quote_ident(${table})) and attnum > 0 and not attisdropped`.execute(db);
    return rows.map(({ name }) => name);
  },

  async uniqueIndexes(db) {
    const { rows } = await sql<{ table: string; index: string; column: string }>`
      select t.relname as "table", i.relname as "index", a.attname as "column"
      from pg_index x
      join pg_class t on t.oid = x.indrelid
      join pg_class i on i.oid = x.indexrelid
      join lateral unnest(x.indkey::int2[]) with ordinality as k (attnum, place) on true
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
      where x.indisunique and x.indisvalid and x.indpred is null and x.indexprs is null and pg_table_is_visible(t.oid)
      order by 1, 2, k.place`.execute(db);
    return groupUniqueIndexes(rows);
  },

  counting: {
    now,
    countHits: async (db, hits) => (await countOnConflict(hits, now, 'least').execute(db)).rows,
  },

  createIndex: createMissingIndex,
  insert: insertReturning,

  refusal(error) {
    const { code, text } = errorDetails(error);
    // https://www.postgresql.org/docs/current/errcodes-appendix.html: integrity constraints, and data that does not fit.
    if (!/^(23...|22001|22003|22021|22P05|54000)$/.test(code)) return undefined;
    return { code, text };
  },

  isDuplicate: (error) => errorDetails(error).code === '23505',

  isConflict: (error) => ['40001', '40P01'].includes(errorDetails(error).code),
};

/** Code and words of a driver's error, also when it is the cause of a failure of ours. */
function errorDetails(error: unknown): { code: string; text: string } {
  const { code, message } = (error instanceof Failure ? (error.cause ?? {}) : error) as pg.DatabaseError;
  return { code: String(code ?? ''), text: message ?? '' };
}

function configOf(
  { host, port, socket, user, password, database, tls }: ServerAddress,
  driver: typeof pg,
  busyTimeout: number,
) {
  return {
    host: socket ?? host,
    port,
    user,
    ...(password === undefined ? {} : { password }),
    database,
    ssl: tls ?? false,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    connectionTimeoutMillis: busyTimeout,
    application_name: 'sluice',
    client_encoding: 'UTF8',
    types: {
      getTypeParser: ((oid: number, format: 'text') =>
        numericOids.has(oid) ? Number : driver.types.getTypeParser(oid, format)) as typeof driver.types.getTypeParser,
    },
  };
}

/** Takes connections of a pool: with their limits set, errors as failures of the catalogue. */
function connector(pool: pg.Pool, limit: () => number) {
  const limits = new WeakMap<pg.PoolClient, number>();

  return async function connect() {
    const client = await pool.connect().catch((error: unknown) => {
      throw storeFailure(error, true) ?? error;
    });
    let broken: Error | undefined;
    const longest = () => (limit() === 0 ? 0 : limit() + timeouts.answer);
    async function query(text: string, values: readonly unknown[] = []) {
      try {
        return await withTimeout(longest(), client.query(text, values.map(bindableValue)));
      } catch (error) {
        const failure = storeFailure(error);
        if (failure?.key === 'store.unavailable' || error instanceof TimeoutError) broken = error as Error;
        throw failure ?? error;
      }
    }
    const release = () => client.release(broken);
    if (limits.get(client) !== limit()) {
      try {
        await query(`set statement_timeout = ${limit()}; set lock_timeout = ${limit() === 0 ? 0 : timeouts.lock}`);
      } catch (error) {
        release();
        throw error;
      }
      limits.set(client, limit());
    }
    // The driver has it of every connection, but does not declare it.
    const { processID } = client as unknown as { processID: number };
    return { query, release, processId: processID };
  };
}

/** The failure of the catalogue when the store itself is at fault; undefined for any other error. */
function storeFailure(error: unknown, isConnecting = false): Failure | undefined {
  const { code, text } = errorDetails(error);
  const cause = { cause: error };
  if (error instanceof TimeoutError || code === '57014') return fail('store.timeout', undefined, cause);
  if (code === '53100') return fail('store.full', undefined, cause);
  if (['55P03', '40001', '40P01'].includes(code)) return fail('store.busy', undefined, cause);
  // Connections (08), resources (53), a server that stops or starts (57P), files it cannot read (58), read-only (25006).
  if (/^(08...|53...|57P..|58...|25006|XX00[12])$/.test(code)) return fail('store.unavailable', undefined, cause);
  // The driver's own errors have the code of the system, or none.
  const isLost = /^E[A-Z_]+$/.test(code) || (code === '' && /connection|queryable|socket|timeout exceeded/i.test(text));
  return isConnecting || isLost ? fail('store.unavailable', undefined, cause) : undefined;
}

/** Connects once, so that a problem shows at start; throws StartError. */
async function tryConnection(pool: pg.Pool, address: ServerAddress, busyTimeout: number): Promise<void> {
  try {
    const { rows } = await pool.query<{ version: string; encoding: string }>(
      `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`,
    );
    const version = Math.floor(Number(rows[0]?.version) / 10_000);
    if (version < oldestVersion)
      throw new StartError(`PostgreSQL ${version} is too old to hold the store; it takes ${oldestVersion} or newer.`);
    if (rows[0]?.encoding !== 'UTF8')
      throw new StartError(
        `The database ${address.database} has the encoding ${rows[0]?.encoding}. Make one with: create database ${address.database} encoding 'UTF8' template template0;`,
      );
  } catch (error) {
    await pool.end();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The store ${address.displayUrl} cannot be opened: ${describeProblem(error, address, busyTimeout)}`,
      error,
    );
  }
}

function describeProblem(error: unknown, address: ServerAddress, busyTimeout: number): string {
  const { code, text } = errorDetails(error);
  const { user, database } = address;
  switch (code) {
    case '28P01':
      return `the password of ${user} is not right.`;
    case '28000':
      return `the server does not let ${user} in (${text}).`;
    case '3D000':
      return `there is no database ${database}. Make it with: create database "${database}" owner "${user}";`;
    case '42501':
      return `${user} may not use the database ${database} (${text}).`;
    case '53300':
      return 'the server has no connection left to give.';
    case '57P03':
      return 'the server is starting up or shutting down. Try again in a moment.';
  }
  if (/does not support SSL/i.test(text))
    return 'the server does not speak TLS. Leave sslmode out, or turn TLS on there.';
  if (/SASL|password must be a string/.test(text)) return `${user} needs a password.`;
  if (/timeout/.test(text)) return `${address.host}:${address.port} does not answer within ${busyTimeout / 1000} s.`;
  return networkProblem(error, address) ?? `${text || code}.`;
}

/** Polls for the lock: a statement that waits would run into the limits of other statements. */
async function takeLock<D>(db: Kysely<D>): Promise<void> {
  const until = performance.now() + exclusiveTimeout;
  for (;;) {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${lockKey}) as got`.execute(db);
    if (rows[0]?.got) return;
    if (performance.now() > until) throw fail('store.busy');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
