// What a database service is made of, and the part of its configuration that every database type has.
import type { MaybePromise } from '@sluice/contract';
import type { Database } from '@sluice/sql';
import type { ServiceContext } from '../service/service.ts';
import type { SchemaGate } from './schema-gate.ts';
import type { Tables } from './tables.ts';

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
  /** Through which its schema is changed. */
  gate: SchemaGate;
}

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
