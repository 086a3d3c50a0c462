// A call on the records of a table, with everything every verb needs to answer it.
import { fail } from '@sluice/contract';
import type { Database, FilterContext, RunOptions, Table } from '@sluice/sql';
import { type Lookup, sessionLookup } from '../access/lookups.ts';
import type { Call, Payload } from '../gateway/call.ts';
import { type ListQuery, listQuery } from '../gateway/list-query.ts';
import type { ServiceContext } from '../services/service.ts';

/** The part of a configuration that every database type has (contract/service-types.md §2, [DBX]). */
export interface DatabaseConfig {
  allow_upsert?: boolean | null;
  max_records?: number | null;
  cache_enabled?: boolean | null;
  cache_ttl?: number | null;
}

/** What a database service is made of; `database` opens it, again after it failed. */
export interface DatabaseParts {
  database(): Promise<Database>;
  config: DatabaseConfig;
  context: ServiceContext;
}

export interface TableCall {
  call: Call;
  database: Database;
  table: Table;
  /** Id of the service called. */
  serviceId: number;
  payload: Payload;
  query: ListQuery;
  /** Most records the service answers at once (contract/database-tables.md §8). */
  maxRecords: number;
  allowUpsert: boolean;
  lookup: Lookup;
  filterContext: FilterContext;
  run: RunOptions;
  /** For work too short to be stopped: watching whether the caller is still there would cost more. */
  unwatched: RunOptions;
}

const usualMaxRecords = 1000;

/** Reads parameters, body and table description of a call on `_table/{name}`. */
export async function tableCall(call: Call, name: string, parts: DatabaseParts): Promise<TableCall> {
  const payload = await call.body();
  const query = listQuery(call, payload);
  if (query.continue && query.rollback) throw fail('table.bothModes');
  const database = await parts.database();
  const table = await database.table(name);
  refuseRelated(table, query.related);
  const { limits, id: serviceId } = parts.context;
  const configured = parts.config.max_records ?? 0;
  const lookup = sessionLookup(call);
  const userId = call.caller.user?.id;
  return {
    call,
    database,
    table,
    serviceId,
    payload,
    query,
    maxRecords: Math.min(configured > 0 ? configured : usualMaxRecords, limits.maxRecords),
    allowUpsert: parts.config.allow_upsert === true,
    lookup,
    filterContext: { lookup, params: userId === undefined ? query.params : { ':user_id': userId, ...query.params } },
    run: {
      timeout: limits.queryTimeout,
      get signal() {
        return call.signal;
      },
    },
    unwatched: { timeout: limits.queryTimeout },
  };
}

/** Unknown relations are ignored by contract; leaving out one that exists would be a wrong answer. */
function refuseRelated({ description }: Table, asked: string[]): void {
  const names = asked.map((name) => name.toLowerCase());
  const isAsked = description.related.some(
    ({ alias, name }) => names.includes('*') || names.includes((alias ?? name).toLowerCase()),
  );
  if (isAsked) throw fail('table.relatedLater');
}
