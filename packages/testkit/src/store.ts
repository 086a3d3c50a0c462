// The database a test's store is in: SQLite, or what SLUICE_TEST_STORE names, so that one suite runs on all three.
import { openStore, type StoreLocation } from '@sluice/server/store/index';
import { seed } from '@sluice/server/store/seed';
import { type Engine, freshDatabase, type TestDatabase } from './databases.ts';
import { noteForTheEnd } from './store-server.ts';

/** What tests of this process keep their stores in. */
export const storeEngine = (process.env.SLUICE_TEST_STORE || 'sqlite') as 'sqlite' | Engine;

export interface TestStorePlace {
  /** For SLUICE_DATABASE_URL; empty means SQLite in the test's data folder. */
  url: string;
  /** Gives the database back, for the next who asks. */
  free(): void;
}

const silent: StoreLocation['log'] = { info() {}, warn() {} };

interface StoreDatabase {
  database: TestDatabase;
  /** Takes every row out and lets keys count from 1 again. */
  empty(): Promise<void>;
}

/** Databases nobody has at the moment. They serve all files that run in this process; the end of the run drops them. */
const unusedDatabases: StoreDatabase[] = [];

/**
 * An empty store with its tables made. Making a database takes a server longer than most tests take, so one is used
 * again and again and emptied in between.
 */
export async function openStorePlace(): Promise<TestStorePlace> {
  if (storeEngine === 'sqlite') return { url: '', free() {} };
  const place = unusedDatabases.pop() ?? (await makeDatabase(storeEngine));
  await place.empty();
  return { url: place.database.url, free: () => void unusedDatabases.push(place) };
}

/** A database with nothing in it, for tests of what a first start does. `run` does SQL beside the store. */
export async function emptyDatabase(engine: Engine): Promise<TestDatabase> {
  const database = await freshDatabase(engine);
  noteForTheEnd(database);
  return database;
}

async function makeDatabase(engine: Engine): Promise<StoreDatabase> {
  const database = await emptyDatabase(engine);
  const store = await openStore({ url: database.url, dataFolder: '', log: silent });
  // Once, so that the counters are past the keys of seeds, as they are in every store.
  await seed(store, { adminAppKey: '' });
  await store.close();
  return { database, empty: await (engine === 'pgsql' ? emptyingPgsql : emptyingMysql)(database) };
}

const tablesOf = (database: TestDatabase) => namesFrom(database, "tables where table_name <> 'migration'");

async function namesFrom({ engine, run }: TestDatabase, place: string): Promise<string[]> {
  const schema = engine === 'pgsql' ? "'public'" : 'database()';
  const rows = await run(`select table_name from information_schema.${place} and table_schema = ${schema}`);
  return rows.map(([name]) => String(name));
}

async function emptyingPgsql(database: TestDatabase): Promise<StoreDatabase['empty']> {
  const tables = await tablesOf(database);
  const countedTables = await namesFrom(database, "columns where column_name = 'id'");
  const statements = [
    'set session_replication_role = replica',
    ...tables.map((table) => `delete from "${table}"`),
    ...countedTables.map((table) => `select setval(pg_get_serial_sequence('"${table}"', 'id'), 1, false)`),
  ].join(';');
  return async () => void (await database.run(statements));
}

/** To reset a counter costs as much as making a table: only those that have counted since the seeds are reset. */
async function emptyingMysql(database: TestDatabase): Promise<StoreDatabase['empty']> {
  const tables = await tablesOf(database);
  const counters = 'information_schema.tables where table_schema = database() and auto_increment > 1';
  const seeded = await database.run(`select table_name, auto_increment from ${counters}`);
  const isSeeded = seeded.map(([table, next]) => `(table_name = '${table}' and auto_increment = ${next})`).join(' or ');
  const usedTablesSql = [
    // MySQL would tell counters as they were a day ago.
    'set foreign_key_checks = 0 /*!80000 , information_schema_stats_expiry = 0 */',
    [
      `select table_name, 'counter' from ${counters} and not (${isSeeded})`,
      ...tables.map((table) => `select '${table}', 'rows' from dual where exists (select 1 from \`${table}\`)`),
    ].join(' union all '),
  ].join(';');
  return async () => {
    const usedTables = await database.run(usedTablesSql);
    const names = (what: string) => usedTables.filter(([, kind]) => kind === what).map(([table]) => String(table));
    const started = names('counter').filter((table) => tables.includes(table));
    const statements = [
      ...started.map((table) => `truncate table \`${table}\``),
      ...names('rows')
        .filter((table) => !started.includes(table))
        .map((table) => `delete from \`${table}\``),
    ];
    if (statements.length > 0) await database.run(['set foreign_key_checks = 0', ...statements].join(';'));
  };
}
