import { statSync } from 'node:fs';
import { type Failure, fail } from '@sluice/contract';
import type { DatabaseLoad, RunOptions } from '../../query/index.ts';
import { refusedChange } from './change/index.ts';
import { type ChangeReport, type ChangeTask, RefusalError } from './change/task.ts';
import { Pool, type PoolOptions, ProblemError } from './children/pool.ts';
import {
  type Batch,
  isBusy,
  openFile,
  perform,
  problemOf,
  type Results,
  type RowCount,
  readOne,
  readPage,
  type Sqlite,
  type SqliteValue,
  type Statement,
  type StreamTask,
  type WholeTask,
} from './driver/index.ts';
import { isStale, translate } from './errors.ts';

export interface SqliteFileOptions extends Omit<PoolOptions, 'file'> {
  /** Absolute path of the file. */
  path: string;
  /** Make the file when it is absent; otherwise a missing file is `database.missing`. */
  create: boolean;
  /** Run whenever a connection opens; the caller answers for their being harmless. */
  statements?: readonly string[];
  /** Milliseconds a child waits for a lock, 5,000 when absent; the main thread never waits. */
  busyTimeout?: number;
}

/** Bytes of memory SQLite may use in a child. */
const childMemory = 512 * 1024 * 1024;

/**
 * A file with its two lanes: inline on this thread, which never waits, and in child processes, which can be killed. All
 * failures are of the catalogue.
 */
export class SqliteFile {
  private readonly path: string;
  private readonly create: boolean;
  private readonly statements: readonly string[];
  private readonly onStale: () => void;
  private readonly pool: Pool;
  private connection: Sqlite | undefined;
  private inode: number | undefined;
  private isClosed = false;

  /** `onStale` is called when a statement met a table or column that is gone. */
  constructor({ path, create, statements = [], busyTimeout = 5_000, ...pool }: SqliteFileOptions, onStale: () => void) {
    this.path = path;
    this.create = create;
    this.statements = statements;
    this.onStale = onStale;
    this.pool = new Pool({ ...pool, file: { path, create, busyTimeout, memory: childMemory, statements } });
  }

  /** Runs on this thread, at once; what meets a lock goes to the child, which waits. */
  async runInline<T extends WholeTask>(task: T, options: RunOptions = {}): Promise<Results[T['kind']]> {
    this.assertOpen();
    try {
      this.connection ??= this.open();
      return perform(this.connection, task);
    } catch (error) {
      const problem = problemOf(error);
      if (isBusy(problem)) return this.runInChild(task, options);
      throw this.failure(problem, error);
    }
  }

  /** Runs in a child process. */
  async runInChild<T extends WholeTask>(task: T, options: RunOptions = {}): Promise<Results[T['kind']]> {
    try {
      return await this.pool.run(task, options);
    } catch (error) {
      throw this.toFailure(error);
    }
  }

  /** Whether a child can be spared for a reader who takes their time. */
  canStream(caller: string | undefined): boolean {
    return this.pool.canStream(caller);
  }

  /** Reads in a child process, batch by batch. */
  async *stream(task: StreamTask, options: RunOptions = {}): AsyncGenerator<Batch> {
    try {
      for await (const batch of this.pool.stream(task, options)) yield batch;
    } catch (error) {
      throw this.toFailure(error);
    }
  }

  /** Whether a child process sees the same database. */
  get isShared(): boolean {
    return this.path !== ':memory:';
  }

  /** Changes the schema in a child process. Throws `RefusalError` besides failures. */
  async *change(task: ChangeTask, options: RunOptions = {}): AsyncGenerator<ChangeReport> {
    // A child may have a file open that was moved away.
    if (this.detectReplacement()) this.onStale();
    try {
      for await (const report of this.pool.stream(task, options)) yield report;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (isBusy(error.problem)) throw new RefusalError({ kind: 'busy' });
      throw isStale(error.problem) ? refusedChange(error.problem, error) : this.failure(error.problem, error);
    }
  }

  /** Reads one row at most on this thread; undefined when a lock is in the way, for which the child can wait. */
  readOneInline(statement: Statement): SqliteValue[][] | undefined {
    return this.useInline((connection) => readOne(connection, statement));
  }

  /** Reads a page on this thread; undefined when a lock is in the way, or when it is more than this thread should read. */
  readPageInline(statement: Statement, count?: RowCount): SqliteValue[][] | undefined {
    return this.useInline((connection) => readPage(connection, statement, count));
  }

  /** How SQLite would run a statement (EXPLAIN QUERY PLAN); undefined when a lock is in the way. */
  explain(sql: string): string[] | undefined {
    return this.useInline((connection) => connection.explain(sql));
  }

  private useInline<T>(use: (connection: Sqlite) => T): T | undefined {
    this.assertOpen();
    try {
      this.connection ??= this.open();
      return use(this.connection);
    } catch (error) {
      const problem = problemOf(error);
      if (isBusy(problem)) return undefined;
      throw this.failure(problem, error);
    }
  }

  /** The numbers of the row a statement answers, on this thread as `runInline`. */
  async readNumbers<T extends number[]>(sql: string): Promise<T> {
    const { rows } = await this.runInline({ kind: 'raw', statement: { sql, parameters: [] } });
    return (rows[0] ?? []).map(Number) as T;
  }

  /** True when the file was replaced or removed: it is then closed, and opened again by the next call. */
  detectReplacement(): boolean {
    if (!this.connection || this.path === ':memory:') return false;
    const inode = statSync(this.path, { throwIfNoEntry: false })?.ino;
    if (inode === this.inode) return false;
    this.connection.close();
    this.connection = undefined;
    this.pool.reset();
    return true;
  }

  /** What a problem means to a caller. */
  readonly failure = (problem: { code: number; text: string }, cause: unknown): Failure => {
    if (!isStale(problem)) return translate(problem, this.path, cause);
    this.onStale();
    return fail('database.changed', { text: problem.text }, { cause });
  };

  load(): DatabaseLoad {
    const { open, busy, waiting } = this.pool.load();
    return { open: open + (this.connection ? 1 : 0), busy, waiting };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.connection?.close();
    this.connection = undefined;
    await this.pool.close();
  }

  private assertOpen(): void {
    if (this.isClosed) throw fail('database.unreachable', { text: 'it was closed' });
  }

  private open(): Sqlite {
    const connection = openFile({ path: this.path, create: this.create, busyTimeout: 0, statements: this.statements });
    this.inode = statSync(this.path, { throwIfNoEntry: false })?.ino;
    return connection;
  }

  private toFailure(error: unknown): unknown {
    return error instanceof ProblemError ? this.failure(error.problem, error) : error;
  }
}
