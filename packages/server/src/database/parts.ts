// What a database service is made of, and the part of its configuration that every database type has.
import type { MaybePromise } from '@sluice/contract';
import type { Database, DatabaseLoad } from '@sluice/sql';
import { createKey } from '../call/typed-map.ts';
import type { ChangeNotices } from '../events/changes.ts';
import type { ServiceContext } from '../service/service.ts';
import type { ServiceExtras } from './extras/index.ts';
import type { SchemaGate } from './schema-gate.ts';
import type { Tables } from './tables.ts';
import type { SchemaUsage } from './usage/index.ts';

/** contract/service-types.md §2, [DBX]. */
export interface DatabaseConfig {
  allow_upsert?: boolean | null;
  max_records?: number | null;
  /** Ours: seconds. */
  query_timeout?: number | null;
  cache_enabled?: boolean | null;
  cache_ttl?: number | null;
}

/** What a database service is made of; `database` opens it, and tries again after a failure. */
export interface DatabaseParts {
  database(): MaybePromise<Database>;
  tables: Tables;
  config: DatabaseConfig;
  context: ServiceContext;
  /** What the service says of its tables, fields and relations beyond the database. */
  extras: ServiceExtras;
  /** What of the instance names its tables and fields. */
  usage: SchemaUsage;
  /** Through which its schema is changed. */
  gate: SchemaGate;
}

/** What an open service of databases provides: its parts, for relations that lead there. */
export const databaseParts = createKey<DatabaseParts>('the database of the service');

/** What it provides for the metrics: how busy its connections are, where it has some that are open. */
export const databaseLoad = createKey<() => DatabaseLoad | undefined>('the load of the database of the service');

/** What services of databases require of the instance, by the id of the service. */
export const databaseTools = createKey<
  (service: number) => Pick<DatabaseParts, 'extras' | 'usage'> & {
    /** What tells the platform's own store, which no service may open. */
    storeId: string;
    notices: ChangeNotices;
  }
>('what the instance says of tables');

const defaultMaxRecords = 1000;

/** How many records a service answers at most (contract/database-tables.md §8). */
export function maxRecordsOf({ config, context }: DatabaseParts): number {
  const configured = config.max_records ?? 0;
  return Math.min(configured > 0 ? configured : defaultMaxRecords, context.limits.maxRecords);
}

/** Milliseconds one query of a service may take: the instance has the last word. */
export function queryTimeoutOf(config: Pick<DatabaseConfig, 'query_timeout'>, { limits }: ServiceContext): number {
  const configured = (config.query_timeout ?? 0) * 1000;
  return configured > 0 ? Math.min(configured, limits.queryTimeout) : limits.queryTimeout;
}
