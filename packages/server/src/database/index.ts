// What every database service is: a type made of a folder's few facts, opened once, with the resources of resources.ts.
// Nothing here knows an engine; services/<type> says how the database is opened. Compiling and running is @sluice/sql's.
import { type ConfigFields, type ConfigOf, chain, type MaybePromise } from '@sluice/contract';
import type { Database } from '@sluice/sql';
import { TypedMap } from '../call/typed-map.ts';
import { type ServiceContext, type ServiceType, serviceType, type TypeDefinition } from '../service/service.ts';
import { answerCache } from './answer-cache.ts';
import { settleForReader } from './change/index.ts';
import { noticeWrites } from './notices.ts';
import { openOnce } from './open-once.ts';
import { checkNotOwnStore, refuseOwnStore } from './own-store.ts';
import { type DatabaseConfig, databaseLoad, databaseParts, databaseTools } from './parts.ts';
import { type DatabaseService, databaseResources } from './resources.ts';
import { SchemaGate } from './schema-gate.ts';
import { tablesWithExtras } from './tables.ts';

/** The declaration of a type of databases. */
interface DatabaseType<F extends ConfigFields>
  extends Pick<
    TypeDefinition<F, DatabaseService>,
    'name' | 'label' | 'description' | 'tier' | 'config' | 'check' | 'address' | 'test'
  > {
  /** The engine has stored routines: `_proc` and `_func` are there. */
  hasRoutines?: boolean;
  /** Its tables and columns are not changed here: what writes of `_schema` declare says so. */
  hasFixedSchema?: boolean;
  /** Opens the database; called on the first call, and again after a failure. Does not connect yet where it can wait. */
  connect(config: ConfigOf<F>, context: ServiceContext): Promise<Database>;
}

/** Declares a type of databases. */
export const databaseType = <F extends ConfigFields>({
  hasRoutines = false,
  hasFixedSchema = false,
  connect,
  ...facts
}: DatabaseType<F>): ServiceType<F> =>
  serviceType({
    ...facts,
    group: 'Database',
    can: { tables: true, accessList: true, cache: true },
    resources: databaseResources({ hasRoutines, hasFixedSchema }),
    open: (config, context) => openDatabase(config as DatabaseConfig, context, () => connect(config, context)),
  });

function openDatabase(config: DatabaseConfig, context: ServiceContext, connect: () => Promise<Database>) {
  const { extras, usage, storeId, notices } = context.require(databaseTools)(context.id);
  const { get, load, close } = openOnce(context.name, async () =>
    noticeWrites(await refuseOwnStore(await connect(), storeId), context.name, notices),
  );
  const cache = answerCache(config, context);
  const gate = new SchemaGate(() => cache?.clear());
  // Another process changed the database.
  extras.onSchemaChange(() => {
    gate.raise();
    dropDescriptions(get);
  });
  // What is cached has the names and labels of before.
  extras.onExtrasChange(() => gate.raise());
  const database = { database: get, tables: tablesWithExtras(get, extras), config, context, extras, usage, gate };
  extras.onUnfinished(() => settleForReader(database));
  const provides = new TypedMap().set(databaseParts, database).set(databaseLoad, load);
  const service: DatabaseService = { database, cache, provides, close };
  return service;
}

/** At once where the database is open; one that is not has read nothing yet. */
function dropDescriptions(get: () => MaybePromise<Database>): void {
  try {
    const dropped = chain(get(), (database) => database.dropDescriptions());
    if (dropped instanceof Promise) dropped.catch(() => {});
  } catch {
    // It does not open.
  }
}

/** Connects once, fails in the driver's words or as opening would, and leaves nothing open. */
export async function tryDatabase(database: Database, context: ServiceContext): Promise<void> {
  try {
    await database.test();
    await checkNotOwnStore(database, context.require(databaseTools)(context.id).storeId);
  } finally {
    await database.close();
  }
}

export {
  type DatabaseConfig,
  type DatabaseParts,
  databaseLoad,
  databaseParts,
  databaseTools,
  queryTimeoutOf,
} from './parts.ts';
export { takeBackTables } from './schema/write.ts';
