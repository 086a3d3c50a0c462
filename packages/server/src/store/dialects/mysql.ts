// The store on MariaDB 10.5 or newer, or MySQL 8.0.17 or newer.
import { isIP } from 'node:net';
import { Failure, fail } from '@sluice/contract';
import { type DatabaseLoad, mysqlGrammar } from '@sluice/sql';
import { type Kysely, MysqlDialect, type MysqlPool, type RawBuilder, sql } from 'kysely';
import type { Pool, PoolConnection, PoolOptions } from 'mysql2';
import { StartError } from '../../settings/start-error.ts';
import { type CountedHits, type CounterDb, type CounterHits, freshRows } from '../counter-tables.ts';
import { networkProblem, parseServerAddress, type ServerAddress } from './address.ts';
import { groupUniqueIndexes, type StoreDialect } from './dialect.ts';
import { serverSearcher } from './stoppable.ts';
import { TimeoutError, withTimeout } from './within.ts';

/** Milliseconds that an answer may come later than the statement's limit; seconds to wait for a lock. */
const timeouts = { answer: 5_000, lock: 10 };
/** How long another process may keep the store to itself, in milliseconds: it may be migrating. */
const exclusiveTimeout = 300_000;
const capitals = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** `lower` knows more letters here than on the other engines; this one lowers A–Z alone, as they do. */
const lowerCase = (value: RawBuilder<unknown>): RawBuilder<string> =>
  capitals.reduce((inner, capital) => {
    const letters = [capital, capital.toLowerCase()].map((letter) => sql.lit(letter));
    return sql`replace(${inner}, ${letters[0]}, ${letters[1]})`;
  }, value) as RawBuilder<string>;

/** By UTC: the hour that a zone has twice would be counted twice. */
const now = sql<number>`(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`;

/** Whether the server knows RETURNING here, which MySQL does not; found out by the first statement. */
const returns = new WeakMap<CounterDb, boolean>();

/** Assignments are made in order here, and see what those before have set. */
function hitStatement(hits: readonly CounterHits[]): RawBuilder<unknown> {
  const hasLocked = sql`admitted >= 0 and admitted < values(asked)`;
  return sql`insert into limit_counter ${freshRows(hits, now)} on duplicate key update
    began = if(ends_at <= values(ends_at) - values(period), 1, 0),
    admitted = case when began = 1 then values(admitted) when is_locked = 1 then -1
      else greatest(0, least(values(asked), values(rate) - hits)) end,
    hits = case when admitted < values(asked) then 0 when began = 1 then values(asked) else hits + values(asked) end,
    is_locked = if(admitted < values(asked), 1, 0),
    ends_at = if(began = 1 or (${hasLocked}), values(ends_at), least(ends_at, values(ends_at))),
    period = values(period), rate = values(rate), asked = values(asked)`;
}

const answeredColumns = sql`limit_id, counter, admitted, is_locked, ends_at - ${now} as ends_in`;

async function countHits(db: CounterDb, hits: readonly CounterHits[]): Promise<CountedHits[]> {
  if (returns.get(db) !== false)
    try {
      return (await sql<CountedHits>`${hitStatement(hits)} returning ${answeredColumns}`.execute(db)).rows;
    } catch (error) {
      // It does not parse: nothing was counted.
      if (errorDetails(error).number !== 1064) throw error;
      returns.set(db, false);
    }
  const counters = sql.join(hits.map(({ limitId, counter }) => sql`(${limitId}, ${counter})`));
  return db.transaction().execute(async (transaction) => {
    await hitStatement(hits).execute(transaction);
    return (
      await sql<CountedHits>`select ${answeredColumns} from limit_counter where (limit_id, counter) in (${counters})`.execute(
        transaction,
      )
    ).rows;
  });
}

export const mysql: StoreDialect = {
  name: 'mysql',
  schemes: ['mysql', 'mariadb'],
  types: {
    id: 'bigint',
    integer: 'bigint',
    text: (length) => `varchar(${length})`,
    longText: sql`longtext`,
  },
  // Compares to the byte, blanks at the end too. Each server reads its own of the two comments: MariaDB leaves out those
  // for MySQL 5.7 to 9 (https://mariadb.com/kb/en/comment-syntax/).
  tableSuffix: sql`engine = InnoDB default charset = utf8mb4 collate /*M! utf8mb4_nopad_bin */ /*!80017 utf8mb4_0900_bin */`,

  sql: {
    grammar: {
      ...mysqlGrammar,
      // Not every server that can hold a store knows JSON_TABLE.
      list: undefined,
      // Backslashes doubled: MariaDB takes them to escape whatever ESCAPE says, an empty one too.
      like: (text, pattern) => sql`${lowerCase(text)} like replace(${lowerCase(pattern)}, '\\\\', '\\\\\\\\')`,
    },
    asText: (value) => sql`cast(${value} as char) collate utf8mb4_bin`,
    sortsNullsLast: false,
    forUpdate: sql`for update`,
  },

  async open({ url, connections, busyTimeout }) {
    const address = parseServerAddress(url, 3306);
    const { createConnection, createPool } = await import('mysql2');
    let limit = 0;
    const pool = createPool({ ...configOf(address), connectTimeout: busyTimeout, connectionLimit: connections });
    // A connection that breaks while nobody uses it is simply dropped; without listeners it would end the process.
    pool.on('connection', (connection) => connection.on('error', () => {}));
    const flavour = await tryConnection(pool, address, busyTimeout);
    const connect = connector(pool, flavour, busyTimeout, () => limit);
    // A connection of its own: those of the pool may all be in use (https://mariadb.com/kb/en/kill/).
    const stop = async (threadId: number) => {
      const connection = createConnection({ ...configOf(address), connectTimeout: busyTimeout });
      connection.on('error', () => {});
      try {
        await withTimeout(busyTimeout, connection.promise().query(`kill query ${threadId}`));
      } finally {
        connection.destroy();
      }
    };
    return {
      dialect: new MysqlDialect({ pool: kyselyPool(pool, connect) }),
      searcher: serverSearcher({
        connections,
        connect,
        read: async ({ query }, { sql, parameters }) => (await query(sql, parameters)) as Record<string, unknown>[],
        stop: ({ threadId }) => stop(threadId),
      }),
      file: null,
      limitStatements(milliseconds) {
        limit = milliseconds;
      },
      load: () => loadOf(pool),
    };
  },

  exclusively: (db, work) =>
    db.connection().execute(async (connection) => {
      await takeLock(connection);
      try {
        await sql`begin`.execute(connection);
        const result = await work(connection);
        await sql`commit`.execute(connection);
        return result;
      } catch (error) {
        // A connection that is gone has nothing left to undo, and its lock goes with it.
        await sql`rollback`.execute(connection).catch(() => {});
        throw error;
      } finally {
        await sql`select release_lock(${lockName})`.execute(connection).catch(() => {});
      }
    }),

  countedKey: (column) => column.autoIncrement().primaryKey(),

  folded: (column) => lowerCase(sql.ref(column)),

  concat: (...parts) => sql`concat(${sql.join(parts)})`,

  async columnsOf(db, table) {
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_schema = database() and table_name = ${table}`.execute(db);
    return rows.map(({ name }) => name);
  },

  async uniqueIndexes(db) {
    const { rows } = await sql<{ table: string; index: string; column: string }>`
      select table_name as \`table\`, index_name as \`index\`, column_name as \`column\`
      from information_schema.statistics where table_schema = database() and non_unique = 0
      order by table_name, index_name, seq_in_index`.execute(db);
    return groupUniqueIndexes(rows);
  },

  counting: { now, countHits },

  async createIndex(db, table, column) {
    const name = `${table}_${column}`;
    // MySQL knows no IF NOT EXISTS here.
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = ${table} and index_name = ${name}`.execute(db);
    if (rows.length === 0) await db.schema.createIndex(name).on(table).column(column).execute();
  },

  async insert(db, table, values) {
    const { insertId } = await db.insertInto(table).values(values).executeTakeFirstOrThrow();
    return Number(insertId);
  },

  refusal(error) {
    const { number, text } = errorDetails(error);
    return refusalNumbers.has(number) ? { code: number, text } : undefined;
  },

  isDuplicate: (error) => [1062, 1586].includes(errorDetails(error).number),

  isConflict: (error) => errorDetails(error).number === 1213,
};

/** https://mariadb.com/kb/en/mariadb-error-codes/: duplicate, foreign keys, null, no default, too long, out of range. */
const refusalNumbers = new Set([1062, 1586, 1216, 1217, 1451, 1452, 1048, 1364, 1406, 1264, 1366, 1153, 4025, 3819]);

/** Number, name and words of a driver's error, also when it is the cause of a failure of ours. */
function errorDetails(error: unknown): { number: number; code: string; text: string } {
  const driverError = (error instanceof Failure ? (error.cause ?? {}) : error) as {
    errno?: unknown;
    code?: unknown;
    message?: string;
    sqlMessage?: string;
  };
  return {
    number: Number(driverError.errno ?? 0),
    code: String(driverError.code ?? ''),
    text: driverError.sqlMessage ?? driverError.message ?? '',
  };
}

function configOf({ host, port, socket, user, password, database, tls }: ServerAddress): PoolOptions {
  const verifyIdentity = tls?.rejectUnauthorized === true && !tls.checkServerIdentity;
  // The driver would compare the certificate with "localhost".
  if (verifyIdentity && isIP(host))
    throw new StartError('SLUICE_DATABASE_URL: sslmode=verify-full needs the name of the server, not its IP address.');
  return {
    ...(socket === undefined ? { host, port } : { socketPath: socket }),
    user,
    ...(password === undefined ? {} : { password }),
    database,
    ...(tls === undefined ? {} : { ssl: { ...tls, verifyIdentity } as never }),
    charset: 'utf8mb4',
    enableKeepAlive: true,
    keepAliveInitialDelay: 30_000,
    idleTimeout: 60_000,
    decimalNumbers: true,
    dateStrings: true,
    // A value that is an object would be written as several; none is, and none may be.
    stringifyObjects: true,
  };
}

interface Flavour {
  isMaria: boolean;
}

/** The first statements of every connection. The mode is set: another one would read the quotes of values differently. */
const sessionStatements = (limit: number, { isMaria }: Flavour) => [
  "set session sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  'set session transaction isolation level read committed',
  // Servers may leave it to their clients to commit; what was acknowledged would be lost.
  'set session autocommit = 1',
  `set session innodb_lock_wait_timeout = ${timeouts.lock}`,
  isMaria
    ? `set session max_statement_time = ${limit / 1000}`
    : // Of MySQL, readers alone have a limit; writes end with the locks they wait for.
      `set session max_execution_time = ${limit}`,
];

/** The driver counts, but offers no way to ask. */
function loadOf(pool: Pool): DatabaseLoad {
  const { _allConnections, _freeConnections, _connectionQueue } = pool as unknown as Record<string, { length: number }>;
  const open = _allConnections?.length ?? 0;
  return { open, busy: open - (_freeConnections?.length ?? 0), waiting: _connectionQueue?.length ?? 0 };
}

type Callback = (error: unknown, result?: unknown) => void;

/** Takes connections of a pool: with their limits set, errors as failures of the catalogue. */
function connector(pool: Pool, flavour: Flavour, busyTimeout: number, limit: () => number) {
  const limits = new WeakMap<object, number>();

  return async function connect() {
    const waited = new Promise<PoolConnection>((resolve, reject) =>
      pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))),
    );
    // The pool itself waits for ever for one of its connections.
    const connection = await withTimeout(busyTimeout + 1_000, waited, (late) => late.release()).catch(
      (error: unknown) => {
        throw storeFailure(error, true) ?? error;
      },
    );
    const longest = () => (limit() === 0 ? 0 : limit() + timeouts.answer);
    async function query(text: string, values: readonly unknown[] = []): Promise<unknown> {
      try {
        return await withTimeout(
          longest(),
          new Promise((resolve, reject) =>
            connection.query(text, values as unknown[], (error, result) => (error ? reject(error) : resolve(result))),
          ),
        );
      } catch (error) {
        const failure = storeFailure(error);
        if (failure?.key === 'store.unavailable' || error instanceof TimeoutError) connection.destroy();
        throw failure ?? error;
      }
    }
    const release = () => connection.release();
    if (limits.get(connection) !== limit()) {
      try {
        for (const statement of sessionStatements(limit(), flavour)) await query(statement);
      } catch (error) {
        release();
        throw error;
      }
      limits.set(connection, limit());
    }
    return { query, release, threadId: connection.threadId };
  };
}

/** The pool for Kysely, which calls back. */
const kyselyPool = (pool: Pool, connect: ReturnType<typeof connector>) =>
  ({
    getConnection(callback: Callback) {
      connect().then(({ query, release }) => {
        const queryWithCallback = (text: string, values: readonly unknown[], done: Callback) =>
          void query(text, values).then((result) => done(undefined, result), done);
        callback(undefined, { release, query: queryWithCallback });
      }, callback);
    },
    end: (callback: Callback) => pool.end((error) => callback(error ?? undefined)),
  }) as unknown as MysqlPool;

/** The failure of the catalogue when the store itself is at fault; undefined for any other error. */
function storeFailure(error: unknown, isConnecting = false): Failure | undefined {
  const { number, code, text } = errorDetails(error);
  const cause = { cause: error };
  // Interrupted by a limit: MariaDB, MySQL.
  if ([1969, 3024].includes(number) || error instanceof TimeoutError)
    return fail(isConnecting ? 'store.unavailable' : 'store.timeout', undefined, cause);
  // Disk full, table full, error writing a file for want of space.
  if ([1021, 1114].includes(number) || (/errno: 28\b/.test(text) && number > 0))
    return fail('store.full', undefined, cause);
  // Waited too long for a lock, deadlock.
  if ([1205, 1213].includes(number)) return fail('store.busy', undefined, cause);
  // Too many connections, going down, killed, read-only, files it cannot read or write.
  const isDown = [1040, 1053, 1203, 1226, 1290, 1317, 1792, 1836, 1927, 1026, 1030, 1033, 2006, 2013, 4031].includes(
    number,
  );
  const isLost = /^(E[A-Z]+|PROTOCOL_.*)$/.test(code) || /closed state|Pool is closed/.test(text);
  return isConnecting || isDown || isLost ? fail('store.unavailable', undefined, cause) : undefined;
}

/** Connects once, so that a problem shows at start; throws StartError. */
async function tryConnection(pool: Pool, address: ServerAddress, busyTimeout: number): Promise<Flavour> {
  try {
    const [rows] = await pool.promise().query('select version() as version');
    const version = String((rows as { version: string }[])[0]?.version);
    const isMaria = /mariadb/i.test(version);
    const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
    if (isMaria ? major * 100 + minor < 1005 : major < 8)
      throw new StartError(
        `${isMaria ? 'MariaDB' : 'MySQL'} ${version} is too old to hold the store; it takes MariaDB 10.5 or MySQL 8.0.17 or newer.`,
      );
    return { isMaria };
  } catch (error) {
    await pool.promise().end();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `The store ${address.displayUrl} cannot be opened: ${describeProblem(error, address, busyTimeout)}`,
      error,
    );
  }
}

function describeProblem(error: unknown, address: ServerAddress, busyTimeout: number): string {
  const { number, code, text } = errorDetails(error);
  const { user, database, password } = address;
  switch (number) {
    case 1045:
    case 1698:
      return `the server does not let ${user} in${password === undefined ? ' without a password' : ' with this password'} (${text}).`;
    case 1044:
      return `${user} may not use the database ${database}. Allow it with: grant all on \`${database}\`.* to '${user}'@'…';`;
    case 1049:
      return `there is no database ${database}. Make it with: create database \`${database}\` character set utf8mb4;`;
    case 1040:
    case 1203:
      return 'the server has no connection left to give.';
    case 1130:
      return `the server lets nobody in from this machine (${text}).`;
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return 'the server does not speak TLS. Leave sslmode out, or turn TLS on there.';
  if (code === 'ETIMEDOUT') return `${address.host}:${address.port} does not answer within ${busyTimeout / 1000} s.`;
  return networkProblem(error, address) ?? `${text || code}.`;
}

/** Such locks belong to the server: the name has the database in it. */
const lockName = sql`concat('sluice.', sha1(database()))`;

async function takeLock<D>(db: Kysely<D>): Promise<void> {
  const until = performance.now() + exclusiveTimeout;
  for (;;) {
    const { rows } = await sql<{ got: number | null }>`select get_lock(${lockName}, 1) as got`.execute(db);
    if (rows[0]?.got === 1) return;
    if (performance.now() > until) throw fail('store.busy');
  }
}
