import { rowsFromJson, type WireColumn } from '../../convert/wire.ts';
import type { Row, RunOptions } from '../../query/index.ts';
import type { Statement } from './driver/index.ts';
import { SqliteFile } from './file.ts';

export interface SqliteReaderOptions {
  /** Absolute path of a file that is there. */
  path: string;
  /** Milliseconds a read may take, waiting included. */
  timeout: number;
  /** Milliseconds to wait for a lock. */
  busyTimeout: number;
  /** Reads at once; each needs a child process. */
  size: number;
}

/** Reads of one file that can be stopped: for the platform's own store, which is open on the main thread. */
export interface SqliteReader {
  /**
   * The rows of a statement that answers these columns, of at most `limit` characters of JSON. Throws the failures of a
   * database: `database.timeout`, `database.tooLarge`, `database.crashed`, `database.overloaded`, …; when the caller goes
   * away, the child is killed and it is `database.cancelled`.
   */
  read(
    statement: Statement,
    columns: WireColumn[],
    limit: number,
    options?: Pick<RunOptions, 'signal'>,
  ): Promise<Row[]>;
  close(): Promise<void>;
}

/** How long a child without work waits for some, in milliseconds: starting one takes longer than most reads. */
const idle = 300_000;

/** Reads in child processes, which start with the first read. */
export function openSqliteReader(options: SqliteReaderOptions): SqliteReader {
  const file = new SqliteFile({ ...options, idle, create: false, statements: ['pragma query_only = on'] }, () => {});
  return {
    async read(statement, columns, limit, options) {
      return rowsFromJson(await file.runInChild({ kind: 'rows', statement, columns, limit }, options)).list();
    },
    close: () => file.close(),
  };
}
