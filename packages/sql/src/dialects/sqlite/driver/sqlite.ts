// The one place that knows which SQLite is used: `node:sqlite` where it is complete, else @photostructure/sqlite, which
// has the same interface. Also loaded by the child process: it imports nothing of ours.
import { closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { SizedCache } from '../../../query/sized-cache.ts';

/** What a statement takes and gives. */
export type SqliteValue = null | number | bigint | string | Uint8Array;

export interface SqliteResult {
  rows: SqliteValue[][];
  /** Rows inserted, updated or deleted. */
  changes: number;
}

export interface SqliteOptions {
  /** Make the file when it is absent; without it opening a missing file fails (code 14). */
  create?: boolean;
  readOnly?: boolean;
  /** Trust that nobody writes the file: for write-ahead files on media that cannot be written. */
  immutable?: boolean;
  /** Milliseconds to wait for a lock; 0 fails at once with code 5. */
  busyTimeout?: number;
}

interface Statement {
  all(...values: SqliteValue[]): unknown[];
  iterate(...values: SqliteValue[]): IterableIterator<unknown>;
  run(...values: SqliteValue[]): { changes: number | bigint };
  get(...values: SqliteValue[]): unknown;
  columns(): { name: string }[];
  setReadBigInts(enabled: boolean): void;
  setReturnArrays(enabled: boolean): void;
}

interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
  function(name: string, call: () => never): void;
  readonly isTransaction: boolean;
}

interface SqliteModule {
  DatabaseSync: new (path: string, options: Record<string, unknown>) => Connection;
  StatementSync: { prototype: object };
}

let loaded: SqliteModule | undefined;

/** Loads the driver on first use. */
function load(): SqliteModule {
  loaded ??= builtIn() ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteModule);
  return loaded;
}

/** `node:sqlite` is there since Node 22.5, with all we need since 22.16. */
function builtIn(): SqliteModule | undefined {
  const warn = process.emitWarning;
  // Loading it prints that it is experimental. We know, and operators need not.
  process.emitWarning = () => {};
  try {
    const module = process.getBuiltinModule?.('node:sqlite' as 'fs') as unknown as SqliteModule | undefined;
    const isComplete =
      module && 'setReturnArrays' in module.StatementSync.prototype && 'columns' in module.StatementSync.prototype;
    return isComplete ? module : undefined;
  } finally {
    process.emitWarning = warn;
  }
}

/** Prepared statements of a connection, and characters of their texts. */
const maxStatements = 200;
const maxStatementCharacters = 512 * 1024;

/** A prepared statement. Asking the driver whether it returns rows costs more than running it: so that is kept. */
interface CachedStatement {
  statement: Statement;
  returnsRows: boolean;
  bigints: boolean;
}

/** An open SQLite file. All methods are synchronous and throw the driver's errors: see `sqliteCode`. */
export class Sqlite {
  private readonly connection: Connection;
  /** Where the write-ahead log of a file lies that this connection may write. */
  private readonly logPath: string | undefined;
  private readonly statements = new SizedCache<CachedStatement>(maxStatements, maxStatementCharacters);

  constructor(connection: Connection, logPath?: string) {
    this.connection = connection;
    this.logPath = logPath;
  }

  get inTransaction(): boolean {
    return this.connection.isTransaction;
  }

  /** Runs statements that give nothing back: schema, pragmas, BEGIN and COMMIT. */
  exec(sql: string): void {
    this.connection.exec(sql);
  }

  /**
   * Runs one statement. Statements are cached: name the columns, as some drivers give a cached `select *` the columns it
   * had when it was first run. Integers that a number cannot hold come as bigint when `bigints` is set, else they throw.
   */
  run(sql: string, parameters: readonly unknown[] = [], bigints = true): SqliteResult {
    const { statement, returnsRows } = this.statement(sql, bigints);
    const values = parameters.map(sqliteValue);
    if (!returnsRows) return { rows: [], changes: Number(statement.run(...values).changes) };
    const rows = statement.all(...values) as SqliteValue[][];
    return { rows, changes: rows.length };
  }

  /** The first row of a statement that gives rows: cheaper than all of them where there is one at most. */
  first(sql: string, parameters: readonly unknown[], bigints = true): SqliteValue[] | undefined {
    const { statement } = this.statement(sql, bigints);
    return statement.get(...parameters.map(sqliteValue)) as SqliteValue[] | undefined;
  }

  /** The names of the columns a statement answers; none for one that gives nothing back. */
  columns(sql: string): string[] {
    return this.statement(sql, true)
      .statement.columns()
      .map((column) => column.name);
  }

  /** How SQLite would run a statement: the lines of EXPLAIN QUERY PLAN; none where the index it names is of no use. */
  explain(sql: string): string[] {
    try {
      const rows = this.connection.prepare(`explain query plan ${sql}`).all() as { detail: string }[];
      return rows.map((row) => row.detail);
    } catch (error) {
      if (lacksIndex(error)) return [];
      throw error;
    }
  }

  /** Reads row by row: the values of a row stand in the order of its columns. */
  *iterate(sql: string, parameters: readonly unknown[] = [], bigints = true): Generator<SqliteValue[]> {
    const { statement } = this.statement(sql, bigints);
    yield* statement.iterate(...parameters.map(sqliteValue)) as IterableIterator<SqliteValue[]>;
  }

  /**
   * Closes the file, with all that was written in it: SQLite would do so by itself only once the last statement is gone,
   * which the garbage collector may never come to. Where others are at work, the last one to close does it. Where there
   * is no log there is nothing to do, and asking would make one.
   */
  close(): void {
    this.statements.clear();
    try {
      if (this.logPath !== undefined && existsSync(this.logPath))
        this.connection.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)');
    } catch {
      // What was committed is safe in the log beside the file (a full disk, a file that is gone).
    }
    this.connection.close();
  }

  private statement(sql: string, bigints: boolean): CachedStatement {
    let cached = this.statements.get(sql);
    if (cached) {
      // The one used last goes to the end, once it is far from it; the first one is the oldest.
      if (this.statements.count > maxStatements / 2) this.statements.set(sql, cached);
    } else {
      const statement = this.connection.prepare(sql);
      statement.setReturnArrays(true);
      cached = { statement, returnsRows: statement.columns().length > 0, bigints: false };
      this.statements.set(sql, cached);
    }
    if (cached.bigints !== bigints) {
      cached.statement.setReadBigInts(bigints);
      cached.bigints = bigints;
    }
    return cached;
  }
}

/**
 * Opens a SQLite file with foreign keys enforced. Throws the driver's error. Used for services and for the platform's
 * own store.
 */
export function openSqlite(path: string, options: SqliteOptions = {}): Sqlite {
  const { DatabaseSync } = load();
  // The name goes in as URI: only there can a missing file be refused rather than made.
  const mode = options.readOnly ? 'ro' : options.create ? 'rwc' : 'rw';
  const name =
    path === ':memory:' ? path : `${pathToFileURL(path).href}?mode=${mode}${options.immutable ? '&immutable=1' : ''}`;
  const readOnly = options.readOnly ?? false;
  if (options.create && path !== ':memory:') createIfMissing(path);
  const connection = new DatabaseSync(name, { timeout: options.busyTimeout ?? 0, readOnly });
  connection.function(stopFunction, () => {
    throw new Error(stopText);
  });
  return new Sqlite(connection, readOnly || path === ':memory:' ? undefined : `${path}-wal`);
}

/** A function of SQL that ends its statement: for conditions on what a row may cost. */
export const stopFunction = 'sluice_stop';
const stopText = 'stopped by a condition of its own';

/** Whether a statement ended by `stopFunction`. */
export const isStopped = (error: unknown): boolean => error instanceof Error && error.message === stopText;

/** Whether a statement names an index that is gone, or that cannot serve it. */
export const lacksIndex = (error: unknown): boolean =>
  error instanceof Error && /^no (such index|query solution)/.test(error.message);

/** SQLite would make a file that all may read, and gives its journals the rights it has. */
function createIfMissing(path: string): void {
  try {
    // Never opened when it is there: closing it would let go of locks this process has on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there, or SQLite says what keeps it from being made.
  }
}

/**
 * A value as every driver binds it: whole numbers as integers (some would bind 5 as 5.0, which a text column keeps),
 * booleans as 1 and 0, dates and objects as text.
 */
export function sqliteValue(value: unknown): SqliteValue {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'boolean':
      return value ? 1n : 0n;
    case 'string':
    case 'bigint':
      return value;
    case 'undefined':
      return null;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      return value instanceof Date ? value.toISOString() : JSON.stringify(value);
  }
}

/** Texts of errors whose number a driver forgets to pass on. */
const codesByText: [RegExp, number][] = [
  [/^database is locked/, 5],
  [/^database table is locked/, 6],
  [/^UNIQUE constraint failed/, 2067],
  [/^NOT NULL constraint failed/, 1299],
  [/^CHECK constraint failed/, 275],
  [/^FOREIGN KEY constraint failed/, 787],
  [/^cannot store \w+ value in \w+ column/, 3091],
  [/^datatype mismatch/, 20],
  [/^attempt to write a readonly database/, 8],
  [/^disk I\/O error/, 10],
  [/^database disk image is malformed/, 11],
  [/^database or disk is full/, 13],
  [/^unable to open database file/, 14],
  [/^string or blob too big/, 18],
  [/^file is not a database/, 26],
];

/** The extended result code of a driver's error (https://sqlite.org/rescode.html); undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR') return undefined;
  const { errcode } = error as { errcode?: unknown };
  if (typeof errcode === 'number') return errcode;
  return codesByText.find(([text]) => text.test(error.message))?.[1] ?? 1;
}

/** True when a statement run without `bigints` met an integer past 2^53. */
export const isTooLargeInteger = (error: unknown): boolean =>
  error instanceof Error && /too large to be represented as a JavaScript number/.test(error.message);
