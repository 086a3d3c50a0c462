// What a dialect brings along for the suite.
import type { Database } from '../query/index.ts';

/** How a dialect says what the suite's tables are made of. */
export interface SuiteWords {
  /** A whole number the database counts up, and the key. */
  id: string;
  boolean: string;
  decimal: string;
  double: string;
  bytes: string;
  moment: string;
  /** The type of a text that can be part of a key. */
  text: string;
  /** A name between the quotes of the dialect. */
  quoted(name: string): string;
  /** A query with the numbers from 1 as its only column `n`. */
  numbers(count: number): string;
  /** A query with one column `n` that runs for a minute at least. */
  endless: string;
}

/** A new database with tables made by `sql`. */
export interface SuiteDatabase {
  database: Database;
  /** Runs a statement beside it. */
  run(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface SuiteDialect {
  words: SuiteWords;
  /** What the engine cannot do: to tell the key it counted up, to have columns that are computed. */
  lacks?: readonly ('generated keys' | 'generated columns')[];
  open(sql: string[], options?: { maxConnections?: number }): Promise<SuiteDatabase>;
}

/** A fresh database of a server, its tables made, and `database` on it, which has connected to nothing yet. */
export async function openSuiteDatabase(
  fresh: { run(sql: string): Promise<unknown>; drop(): Promise<unknown> },
  sql: string[],
  database: Database,
): Promise<SuiteDatabase> {
  for (const statement of sql) await fresh.run(statement);
  return {
    database,
    run: fresh.run,
    async close() {
      await database.close();
      await fresh.drop();
    },
  };
}
