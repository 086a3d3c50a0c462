// The database a test's store is in: SQLite, or what SLUICE_TEST_STORE names, so that one suite runs on all three.
import { openStore, type StorePlace } from '@sluice/server/store/index';
import { type Engine, freshDatabase, kits, type TestDatabase } from './databases.ts';
import { serverVariable } from './store-server.ts';

/** What tests of this process keep their stores in. */
export const storeEngine = (process.env.SLUICE_TEST_STORE || 'sqlite') as 'sqlite' | Engine;

export interface TestStorePlace {
  /** For SLUICE_DATABASE_URL; empty means SQLite in the test's data folder. */
  url: string;
  /** Gives the database back, for the next who asks. */
  free(): void;
}

const silent: StorePlace['log'] = { info() {}, warn() {} };

interface Made {
  database: TestDatabase;
  /** Takes every row out and lets keys count from 1 again. */
  empty: string;
}

const all: TestDatabase[] = [];
const unused: Made[] = [];

/**
 * An empty store with its tables made. Making a database takes a server longer than most tests take, so each is made
 * once for a file of tests and emptied in between.
 */
export async function storePlace(): Promise<TestStorePlace> {
  if (storeEngine === 'sqlite') return { url: '', free() {} };
  const made = unused.pop() ?? (await makeDatabase(storeEngine));
  await made.database.run(made.empty);
  return { url: made.database.url, free: () => void unused.push(made) };
}

/** A database with nothing in it, for tests of what a first start does. `run` does SQL beside the store. */
export async function emptyDatabase(engine: Engine): Promise<TestDatabase> {
  const server = process.env[serverVariable(engine)];
  if (server) process.env[kits[engine].variable] = server;
  const database = await freshDatabase(engine);
  all.push(database);
  return database;
}

async function makeDatabase(engine: Engine): Promise<Made> {
  const database = await emptyDatabase(engine);
  const store = await openStore({ url: database.url, dataFolder: '', log: silent });
  await store.close();
  return { database, empty: await emptying(database) };
}

async function emptying({ engine, run }: TestDatabase): Promise<string> {
  const schema = engine === 'pgsql' ? "'public'" : 'database()';
  const names = async (from: string) =>
    (await run(`select table_name from information_schema.${from} and table_schema = ${schema}`)).map(([name]) => name);
  const tables = await names("tables where table_name <> 'migration'");
  const counted = await names("columns where column_name = 'id'");
  if (engine === 'pgsql')
    return [
      'set session_replication_role = replica',
      ...tables.map((table) => `delete from "${table}"`),
      ...counted.map((table) => `select setval(pg_get_serial_sequence('"${table}"', 'id'), 1, false)`),
    ].join(';');
  return [
    'set foreign_key_checks = 0',
    ...tables.map((table) => `delete from \`${table}\``),
    ...counted.map((table) => `alter table \`${table}\` auto_increment = 1`),
  ].join(';');
}

// Only tests of a server's store ask for a database.
if (storeEngine !== 'sqlite') {
  const { afterAll } = await import('vitest');
  afterAll(async () => {
    await Promise.all(all.map((database) => database.drop()));
  });
}
