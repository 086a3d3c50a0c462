// The platform's own store: people, apps, roles, services and what else an instance keeps. Opened and brought up to
// date here; its tables are in tables.ts, what a fresh one holds in seed.ts, everything particular to an engine in dialects/.
import { type Insertable, Kysely, type Transaction } from 'kysely';
import { type Bus, localBus } from './bus.ts';
import { type AnyDb, type Refusal, storeDialect } from './dialects/index.ts';
import { type Migration, migrate } from './migrations/index.ts';
import type { Tables } from './tables.ts';

/** The store or a transaction of it: whatever takes one works inside and outside. */
export type Db = Kysely<Tables>;

export interface Store {
  db: Db;
  bus: Bus;
  /** The kind of database it lives in. */
  driver: string;
  /** The file it lives in, if it is one: no service may open it. */
  file: string | null;
  /**
   * Runs `work` in one transaction; thrown errors undo it. Inside, use only the `db` handed in: on SQLite `store.db`
   * waits until the transaction has ended.
   */
  transaction<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Inserts a row into a table with a counted key and answers that key. */
  insert<T extends keyof Tables>(db: Db, table: T, values: Insertable<Tables[T]>): Promise<number>;
  /** Names a write that the database refused for the data's sake; undefined for any other error. */
  refusal(error: unknown): Refusal | undefined;
  /** Whether the store answers; throws what is wrong. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface StorePlace {
  /** SLUICE_DATABASE_URL; empty means SQLite in the data folder. */
  url: string;
  dataFolder: string;
  log: { info(details: object, message: string): void };
  /** Only for tests of the migrations themselves. */
  migrations?: Migration[];
}

/**
 * Opens the store and runs pending migrations.
 * @throws StartError with one clear line: unknown scheme, unwritable folder, not a database, newer store.
 */
export async function openStore({ url, dataFolder, log, migrations }: StorePlace): Promise<Store> {
  const dialect = storeDialect(url);
  const opened = await dialect.open({ url, dataFolder });
  const db = new Kysely<Tables>({ dialect: opened.dialect });
  try {
    const applied = await migrate(db as unknown as Kysely<unknown>, dialect, migrations);
    if (applied.length > 0) log.info({ steps: applied, file: opened.file }, 'The store was brought up to date.');
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    bus: localBus(),
    driver: dialect.name,
    file: opened.file,
    transaction: (work) => db.transaction().execute(work),
    // The generic table makes the builder's types too deep to follow; the signature above keeps values to their table.
    insert: (target, table, values) =>
      dialect.insert(target as unknown as AnyDb, table, values as Record<string, unknown>),
    refusal: (error) => dialect.refusal(error),
    async ping() {
      await db.selectFrom('instance').select('name').limit(1).execute();
    },
    close: () => db.destroy(),
  };
}

export type { Bus, Change } from './bus.ts';
export type { Tables } from './tables.ts';
